/**
 * Estimates the size of a submission from the sizes of similar submissions in the archive, or else in EDGAR's feed
 * (`sizes-feed.tsv`).
 */
import { readFileSync } from 'node:fs'
import { ownSizes } from '../../ingest/waiting.ts'
import type { Sql } from '../../store/db.ts'

/** Minimum number of archived submissions of a form for which their mean is used instead of the table. */
const OWN_MIN = 20

/** @returns a function from a form to the mean size of its submissions, in bytes */
export async function sizesOf(sql: Sql, forms: readonly string[]): Promise<(form: string) => number> {
  const own = new Map((await ownSizes(sql, forms)).map((row) => [row.form_type, row]))
  const typical = typicalSizes()
  return (form) => {
    const ours = own.get(form)
    return (ours && ours.filings >= OWN_MIN ? ours.mean : null) ?? typical.mean.get(form) ?? ours?.mean ?? typical.all
  }
}

/**
 * Returns the mean size of a submission by form and over all filings of a year, and for each dataset the mean size of
 * what the archive keeps of a filing.
 */
export function typicalSizes() {
  const feed = rowsOf('sizes-feed.tsv').map(([form, , , mean, year]) => ({
    form: form!,
    mean: Number(mean),
    year: Number(year),
  }))
  const years = feed.reduce((sum, { year }) => sum + year, 0)
  return {
    mean: new Map(feed.map(({ form, mean }) => [form, mean])),
    all: Math.round(feed.reduce((sum, { mean, year }) => sum + mean * year, 0) / years),
    kept: new Map(rowsOf('sizes-kept.tsv').map(([dataset, , mean]) => [dataset!, Number(mean)])),
  }
}

const rowsOf = (name: string) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
