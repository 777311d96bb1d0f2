/**
 * The sizes of filings, as docs/operating.md shows them. `sizes-feed.tsv` has for each form: the number of filings in
 * EDGAR's feed of current filings on 2025-12-12 and 2026-01-12 (6,722 in all); the median and the mean of the sizes
 * that the feed states, in bytes; and the number of filings a year, which is four times the number of the fourth
 * quarter of 2025. `sizes-kept.tsv` has for each family the mean compressed size of what the archive keeps of a filing,
 * and the number of real filings on which it was measured.
 */
import { readFile } from 'node:fs/promises'
import type { Catalog } from '../../declare/catalog.ts'

/** Number of forms that the page names; together they have nine tenths of all bytes. */
const FORMS = 30

interface Form {
  form: string
  median: number
  mean: number
  year: number
}

export async function sizesTable(catalog: Pick<Catalog, 'familyOfForm'>): Promise<string> {
  const kept = new Map(
    (await rowsOf('sizes-kept.tsv')).map(([family, filings, mean]) => [
      family!,
      { filings: Number(filings), mean: Number(mean) },
    ]),
  )
  const forms = (await rowsOf('sizes-feed.tsv')).map(
    ([form, , median, mean, year]): Form => ({
      form: form!,
      median: Number(median),
      mean: Number(mean),
      year: Number(year),
    }),
  )
  const bytes = ({ mean, year }: Form) => mean * year
  const datasetOf = ({ form }: Form) => {
    const dataset = catalog.familyOfForm(form)?.dataset
    return dataset?.source.forms.includes(form) ? dataset.slug : null
  }
  const keptOf = (form: Form) => {
    const slug = datasetOf(form)
    return slug === null ? null : (kept.get(slug)?.mean ?? null)
  }
  const largest = forms.toSorted((a, b) => bytes(b) - bytes(a)).slice(0, FORMS)
  const lines = largest.map((form) => {
    const slug = datasetOf(form)
    const each = keptOf(form)
    const own = slug === null ? ['', ''] : each === null ? ['not measured', ''] : [size(each), size(each * form.year)]
    return row(
      `${form.form}${slug ? ` (\`${slug}\`)` : ''}`,
      form.year.toLocaleString('en-US'),
      size(form.median),
      size(form.mean),
      size(bytes(form)),
      ...own,
    )
  })
  const sum = (of: (form: Form) => number) => forms.reduce((total, form) => total + of(form), 0)
  const total = [
    'All forms',
    sum(({ year }) => year).toLocaleString('en-US'),
    '',
    '',
    size(sum(bytes)),
    '',
    size(sum((form) => (keptOf(form) ?? 0) * form.year)),
  ]
  return [
    row('Form', 'Filings a year', 'Median', 'Mean', 'EDGAR, a year', 'Archive, each', 'Archive, a year'),
    row('---', '--:', '--:', '--:', '--:', '--:', '--:'),
    ...lines,
    row(...total),
  ].join('\n')
}

async function rowsOf(name: string): Promise<string[][]> {
  const text = await readFile(new URL(name, import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
}

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`

function size(bytes: number): string {
  const [unit, by] = bytes >= 1e9 ? ['GB', 1e9] : bytes >= 1e6 ? ['MB', 1e6] : (['KB', 1e3] as const)
  const value = bytes / by
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`
}
