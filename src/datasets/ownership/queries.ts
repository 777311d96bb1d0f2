/** Queries one filing, and one person. */
import { amendedColumn, withAmended } from '../../serve/amended.ts'
import { detailOf, facts, filings, rowsIn } from '../../serve/details.ts'
import { rowsOf } from '../../serve/lists.ts'
import type { Sql } from '../../store/db.ts'
import { type Lines, lines, linked, type Original, original, other, type Person } from './answers.ts'
import { footnotesOf, jointOf, type Line, withFootnotes } from './queries-lines.ts'
import { footnote, owner, report, signature } from './tables.ts'
import { ownershipAmended } from './views.ts'

/** Returns the lines of both tables, each with its footnotes. */
async function linesOf(
  sql: Sql,
  accession: string,
  footnotes: readonly { id: string | null; footnote: string | null }[],
): Promise<Lines> {
  const texts = footnotesOf(footnotes.map((note) => ({ ...note, accession })))
  const tableOf = async <L extends object>(table: 'security' | 'derivative') => {
    const [found, joint] = await Promise.all([
      sql<(L & Line)[]>`select * from ${sql(`ownership.${table}`)} where accession = ${accession} order by line`,
      jointOf(sql, table === 'derivative', [accession]),
    ])
    return found.map((line) => {
      const { accession: _, filed_date: __, issuer_cik: ___, ...rest } = withFootnotes(line, texts)
      return { ...rest, joint: joint(accession, line.line) }
    })
  }
  const [non_derivative, derivative] = await Promise.all([
    tableOf<Lines['non_derivative'][number]>('security'),
    tableOf<Lines['derivative'][number]>('derivative'),
  ])
  return { non_derivative, derivative }
}

interface Filing {
  accession: string
  filed_date: string
  form: string
  is_amendment: boolean
  original_date: string | null
  issuer_cik: string | null
  owner_ciks: readonly string[]
  period: string | null
}

/**
 * Finds the original of the filing. The form names no accession, only the day of the original. The original is certain
 * if exactly one filing of that day has the same form, issuer and owners. If there are several, those that are not
 * amendments outrank amendments, and among equals those of the same period outrank the others. The original is then
 * certain if only one filing has the highest rank.
 */
async function originalOf(sql: Sql, filing: Filing): Promise<Original> {
  const { accession, is_amendment, original_date, issuer_cik, period } = filing
  if (!is_amendment) return { link: 'original', amends: null }
  if (original_date === null) return { link: 'not_stated', amends: null }
  const alike = await sql<(NonNullable<Original['amends']> & { fit: number })[]>`
    select accession, filed_date, submission_type, original_date, ${amendedColumn(sql, ownershipAmended, 'report')},
      (case when is_amendment then 0 else 2 end + case when period is not distinct from ${period}::date then 1 else 0 end) as fit
    from ownership.report
    where issuer_cik = ${issuer_cik} and form = ${filing.form} and owner_ciks = ${filing.owner_ciks as string[]}
      and cardinality(owner_ciks) > 0 and filed_date = ${original_date} and accession <> ${accession}
      and (not is_amendment or (filed_date, accession) < (${filing.filed_date}::date, ${accession}))
    order by fit desc, accession desc limit 2`
  const [first, second] = alike
  if (first === undefined) return { link: 'not_held', amends: null }
  if (second?.fit === first.fit) return { link: 'ambiguous', amends: null }
  const { fit: _, ...amends } = first
  return { link: 'held', amends }
}

export const detail = detailOf(
  report,
  'OwnershipDetail',
  {
    filing: facts(report, { id: 'OwnershipReport', amended: ownershipAmended }),
    owners: rowsIn(owner, {
      id: 'OwnershipOwner',
      says: 'Reporting owners, in the order of the form, or of their CIKs if `source` is `set`',
      omit: ['filed_date'],
    }),
    ...lines.shape,
    footnotes: rowsIn(footnote, { id: 'OwnershipFootnote' }),
    signatures: rowsIn(signature, { id: 'OwnershipSignature' }),
    ...original.shape,
    amendments: filings(rowsOf({ of: report, row: linked, amended: ownershipAmended }), {
      amending: true,
      says: 'Filings that certainly amend this filing, and filings that certainly amend these amendments, newest first',
    }),
    other_filings: filings(rowsOf({ of: report, row: other, amended: ownershipAmended }), {
      same: 'issuer_cik',
      says: 'Up to 200 other Forms 3, 4 and 5 about the same issuer that were read, newest first',
    }),
  },
  async (sql, { filing, footnotes }) => {
    const [lines, original] = await Promise.all([linesOf(sql, filing.accession, footnotes), originalOf(sql, filing)])
    return { ...lines, ...original }
  },
)

/**
 * Maximum number of filings that describe a person. Few persons have more filings; these are companies that own shares
 * of many other companies.
 */
const FILINGS_MAX = 500

/** Returns a person by its newest filings; null if none of its filings was read. */
export async function person(sql: Sql, cik: string): Promise<Person | null> {
  const rows = await sql<
    (Omit<Person['filings'][number], 'amended_by'> & Person['companies'][number] & { name: string | null })[]
  >`
    select o.accession, o.filed_date, r.submission_type, r.period, r.issuer_cik, r.issuer_name, r.ticker,
      o.name, o.is_director, o.is_officer, o.is_ten_percent_owner, o.is_other, o.officer_title, o.other_relationship
    from ownership.owner o join ownership.report r using (accession)
    where o.cik = ${cik}
    order by o.filed_date desc, o.accession desc limit ${FILINGS_MAX}`
  if (rows.length === 0) return null
  const companies = [...Map.groupBy(rows, ({ issuer_cik }) => issuer_cik).values()].map(([newest]) => {
    const { name: _, submission_type: __, period: ___, ...company } = newest!
    return company
  })
  const filings = rows.map(({ accession, filed_date, submission_type, period, issuer_cik, issuer_name }) => ({
    accession,
    filed_date,
    submission_type,
    period,
    issuer_cik,
    issuer_name,
  }))
  const { rows: listed } = await withAmended(sql, ownershipAmended, { rows: filings })
  return { cik, names: [...new Set(rows.flatMap(({ name }) => name ?? []))], companies, filings: listed }
}
