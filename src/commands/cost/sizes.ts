/**
 * The sizes of filings, as docs/operating/sizes.md shows them. `sizes-feed.tsv` has three things for each form: the
 * number of filings in EDGAR's feed of current filings on 2025-12-12 and 2026-01-12 (6,722 in all); the median and the
 * mean of the sizes that the feed states, in bytes; and the number of filings a year, which is four times the number of
 * the fourth quarter of 2025. `sizes-kept.tsv` has for each family the mean compressed size of what the archive keeps of
 * a filing, and the number of real filings on which it was measured. `sizes-database.tsv` has for each table of a family
 * the bytes that a row takes in the database with its share of the indexes; bench/sizes.ts measures them.
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

type Families = Pick<Catalog, 'familyOfForm'>

export async function sizesTable(catalog: Families): Promise<string> {
  const kept = new Map(
    (await rowsOf('sizes-kept.tsv')).map(([family, filings, mean]) => [
      family!,
      { filings: Number(filings), mean: Number(mean) },
    ]),
  )
  const forms = await formsOfYear()
  const bytes = ({ mean, year }: Form) => mean * year
  const keptOf = (form: Form) => {
    const slug = datasetOf(catalog, form)
    return slug === null ? null : (kept.get(slug)?.mean ?? null)
  }
  const largest = forms.toSorted((a, b) => bytes(b) - bytes(a)).slice(0, FORMS)
  const lines = largest.map((form) => {
    const slug = datasetOf(catalog, form)
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

/**
 * Number of bytes that a row of the spine takes, measured on the index of the fourth quarter of 2025. The spine has a
 * row for each filing of every form.
 */
const SPINE = 1_200

/**
 * Families whose filings have very many lines, and very different numbers of lines. The few filings that were measured
 * say nothing about a year. So their rows in `tables` are computed from `year`, the number of rows that the first of
 * these tables gets in a year. The rows of all other tables are computed from the number of filings.
 */
const LINES: Readonly<Record<string, { what: string; tables: readonly string[]; year: number }>> = {
  // A position takes 593 bytes of its submission (5,588 positions of 50 real submissions), and a year of 13F-HR takes 4
  // GB.
  thirteenf: { what: 'positions', tables: ['position'], year: 6_800_000 },
  // The set of the fourth quarter of 2025 has 6.0 million holdings.
  nport: {
    what: 'holdings',
    tables: [
      ...['holding', 'identifier', 'reference', 'derivative', 'counterparty', 'debt', 'conversion', 'leg', 'lending'],
      ...['repurchase', 'repurchase_collateral'],
    ],
    year: 24_000_000,
  },
}

/** Returns the table of what the rows of each family take in the database, largest first. */
export async function databaseTable(catalog: Families): Promise<string> {
  const forms = await formsOfYear()
  const yearOf = (slug: string) =>
    forms.reduce((sum, form) => (datasetOf(catalog, form) === slug ? sum + form.year : sum), 0)
  const all = forms.reduce((sum, { year }) => sum + year, 0)
  const found = [{ what: 'The spine: a row for each filing of every form', year: all, each: SPINE, measured: '' }]
  for (const [slug, tables] of await measuredTables()) {
    const { what = '', tables: long = [], year = 0 } = LINES[slug] ?? {}
    const { filings } = tables[0]!
    const ofTables = (isLong: boolean) =>
      tables
        .filter(({ table }) => long.includes(table) === isLong)
        .reduce((sum, { rows, bytes }) => sum + rows * bytes, 0)
    const filed = yearOf(slug)
    // No family claims the filings that `documents` reads.
    if (filed === 0) continue
    found.push({ what: `\`${slug}\``, year: filed, each: ofTables(false) / filings, measured: `${filings} filings` })
    if (year === 0) continue
    const { rows } = tables.find(({ table }) => table === long[0])!
    found.push({
      ...{ what: `\`${slug}\`, ${what}`, year, each: ofTables(true) / rows },
      measured: `${rows.toLocaleString('en-US')} ${what}`,
    })
  }
  const sum = found.reduce((bytes, { year, each }) => bytes + year * each, 0)
  return [
    row('Rows of', 'A year', 'Database, each', 'Database, a year', 'Measured on'),
    row('---', '--:', '--:', '--:', '---'),
    ...found
      .toSorted((a, b) => b.year * b.each - a.year * a.each)
      .map(({ what, year, each, measured }) =>
        row(what, year.toLocaleString('en-US'), size(each), size(each * year), measured),
      ),
    row('All', '', '', size(sum), ''),
  ].join('\n')
}

async function measuredTables() {
  const rows = (await rowsOf('sizes-database.tsv')).map(([family, table, filings, count, bytes]) => ({
    ...{ family: family!, table: table!, filings: Number(filings), rows: Number(count), bytes: Number(bytes) },
  }))
  return Map.groupBy(rows, ({ family }) => family)
}

/** Returns the dataset that reads a form; null if no dataset reads it. */
function datasetOf(catalog: Families, { form }: Pick<Form, 'form'>): string | null {
  const dataset = catalog.familyOfForm(form)?.dataset
  return dataset?.source.forms.includes(form) ? dataset.slug : null
}

async function formsOfYear(): Promise<Form[]> {
  return (await rowsOf('sizes-feed.tsv')).map(([form, , median, mean, year]) => ({
    form: form!,
    median: Number(median),
    mean: Number(mean),
    year: Number(year),
  }))
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

const UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
  ['bytes', 1],
] as const

function size(bytes: number): string {
  const [unit, by] = UNITS.find(([, least]) => bytes >= least) ?? UNITS.at(-1)!
  const value = bytes / by
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`
}
