/**
 * Counts the invented filings and records of the bundled sample. All invented things are specimens, and have numbers
 * that no publisher gives: a CIK from 9000000000 on, or a number of a person, firm or filing from 990000000 on
 * (docs/quirks.md).
 */
import { BROCHURE_SPECIMENS_FROM, SPECIMENS_FROM } from '../declare/specimen.ts'
import type { Sql } from '../store/db.ts'

export interface Invented {
  /** The counted things, as a plural: `filings`. */
  things: string
  all: number
  invented: number
}

/** Bulk series with invented records, by the plural noun for these records. */
export const SPECIMENS: Readonly<Record<string, readonly string[]>> = {
  advisers: ['IA_FIRM_SEC', 'IA_FIRM_STATE'],
  representatives: ['IA_INDVL'],
  'filings of Form ADV': ['ADV_FILING_DATA', 'ADV_W'],
  brochures: ['BROCHURES'],
}

/** Counts every row, so it must be used only for the sample. */
export async function inventedOf(sql: Sql): Promise<Invented[]> {
  const [[filings], series] = await Promise.all([
    sql<[{ all: number; invented: number }]>`
      select count(*)::float8 as all, count(*) filter (where exists (
        select from edgar.filer r where r.accession = f.accession and r.cik >= '9000000000'))::float8 as invented
      from edgar.filing f`,
    inventedRecords(sql),
  ])
  const records = Object.entries(SPECIMENS).map(([things, names]) => {
    const some = series.filter(({ series: name }) => names.includes(name))
    const sum = (of: 'all' | 'invented') => some.reduce((total, each) => total + each[of], 0)
    return { things, all: sum('all'), invented: sum('invented') }
  })
  return [{ things: 'filings', ...filings }, ...records]
}

/**
 * Number of records of each series, and number of these records that have an invented number. The number of a
 * brochure's version consists of the digit 1, eight digits of the brochure and four digits of the filing.
 */
export const inventedRecords = (sql: Sql) => sql<{ series: string; all: number; invented: number }[]>`
  select series, count(*)::float8 as all,
    (count(*) filter (where case
      when series = 'BROCHURES' then key ~ '^1[0-9]{12}$' and substr(key, 2, 8)::numeric >= ${BROCHURE_SPECIMENS_FROM}
      when key ~ '^[0-9]+$' then key::numeric >= ${SPECIMENS_FROM} end))::float8 as invented
  from bulk.record group by series order by series`

/** Returns a text such as `71 of 270 filings and all 62 representatives`. */
export function inventedText(counts: readonly Invented[]): string {
  const parts = counts
    .filter(({ invented }) => invented > 0)
    .map(({ things, all, invented }) => (invented === all ? `all ${all} ${things}` : `${invented} of ${all} ${things}`))
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
