/** Queries transactions of insiders, with the footnotes of their lines. */
import { anyAmendment, keptSql } from '../../declare/amended.ts'
import { tickersOf } from '../../read/ticker.ts'
import { amendmentsOf } from '../../serve/amended.ts'
import { countOf } from '../../serve/count.ts'
import { cut, type Key, merged, orderBy, type Paged, startOf } from '../../serve/keyset.ts'
import { unnamed } from '../../serve/page.ts'
import { ownersOf } from '../../serve/tickers.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import type { Page } from './answers.ts'
import { meaningOfCode } from './codes.ts'
import { ownershipAmended, ownershipJointDerivative, ownershipJointSecurity } from './views.ts'

export const ROLES = ['director', 'officer', 'ten_percent_owner', 'other'] as const

interface Wanted extends Paged {
  /** CIK of the issuer. */
  cik?: string | undefined
  /** CIK of a reporting owner. */
  person?: string | undefined
  /** Ticker of the issuer. */
  ticker?: string | undefined
  role?: (typeof ROLES)[number] | undefined
  /** Minimum value, US dollars. */
  min_value?: number | undefined
  plan_10b5_1?: boolean | undefined
  amended?: 'all' | 'latest' | undefined
  joint?: 'all' | 'once' | undefined
  code?: string | undefined
  acquired_disposed?: 'A' | 'D' | undefined
  /** True selects Table II, false Table I. */
  derivative: boolean
  /** First and last filing date. */
  from?: string | undefined
  to?: string | undefined
}

/**
 * Lines of a filing come in the order of their numbers. Accession and line make the order unique: no two rows compare
 * as equal.
 */
const KEYS: Key[] = [
  { column: 'filed_date', dir: 'desc', type: 'date' },
  { column: 'accession', dir: 'desc', type: 'text' },
  { column: 'line', dir: 'asc', type: 'count' },
]

export interface Line {
  accession: string
  line: number
  filed_date: string
  issuer_cik: string | null
  code: string | null
  footnote_refs: readonly { column: string; ids: readonly string[] }[]
}

type Row = Page['transactions'][number]
type LineRow = Omit<Row, 'owners' | 'code_meaning' | 'footnotes' | 'amended_by' | 'joint'> &
  Line & { is_holding: boolean }

/**
 * Returns a page of transactions, newest filing first. For each filter (issuer, code, or none), an index has the rows
 * in that order. For a person, reads the person's filings from their index first, and then the lines of these filings.
 */
export async function transactions(
  sql: Sql,
  { limit, offset, paginate: _, cursor, count, ...wanted }: Wanted,
): Promise<Omit<Page, 'not_loaded'>> {
  const walk = { list: 'insider_transactions', sort: 'date', dir: 'desc' as const, keys: KEYS, filters: wanted }
  const start = startOf(walk, { limit, offset, cursor, count })
  const lines = sql(`ownership.${wanted.derivative ? 'derivative' : 'security'}`)
  // Joins with `using`, so that the index that orders a person's filings also gives the order of their lines.
  const from = wanted.person ? sql`ownership.owner o join ${lines} l using (accession, filed_date)` : sql`${lines} l`
  const issuers = wanted.ticker === undefined ? null : await issuersOf(sql, wanted.ticker)
  const matching = sql`from ${from} where ${filters(sql, wanted, issuers)}`
  const select = sql`select l.* ${matching}`
  const kept = keptBy(sql, wanted)
  const found = await unnamed(sql<LineRow[]>`
    select l.*, r.submission_type, r.is_amendment, r.source, r.plan_10b5_1, r.issuer_name, r.ticker
    from (select * from ${merged(sql, start, select, '', kept)} m order by ${sql.unsafe(orderBy(KEYS))}
      limit ${start.rowsMax} offset ${offset}) l
    join ownership.report r using (accession)
    order by ${sql.unsafe(orderBy(KEYS, 'l.'))}`)
  const all = kept ? sql`from (${select}) t where ${kept}` : matching
  const counted = await countOf(sql, start, all, {
    code: { value: sql`code` },
    month: { value: sql`filed_date`, kind: 'day' },
  })
  const { rows, ...next } = cut(start, found, counted)
  return { transactions: await whole(sql, rows, wanted.derivative), ...next }
}

/** SQL that is true for a line `t` that no amendment replaces. Ignores amendments after the last day of the request. */
function keptOf(sql: Sql, { to }: Pick<Wanted, 'to'>) {
  const isWanted = to
    ? sql`(select true from ownership.report o where o.accession = a.accession and o.filed_date <= ${to})`
    : sql`true`
  return keptSql(sql, ownershipAmended, anyAmendment(sql, isWanted))
}

/** SQL that is true for a line `t` that the list keeps; null if the list keeps all lines. */
function keptBy(sql: Sql, wanted: Omit<Wanted, keyof Paged>) {
  const latest = wanted.amended === 'latest' ? keptOf(sql, wanted) : null
  // The filings of one trade have different owners, so a person's list has each trade once.
  const once = wanted.joint === 'once' && wanted.person === undefined ? firstReport(sql, wanted, latest) : null
  return latest && once ? sql`${latest} and ${once}` : (latest ?? once)
}

/**
 * SQL that is true for a line `t` if no other filing of the same trade comes before the filing of `t`. Ignores filings
 * that the request leaves out. All filings of a trade state the same issuer, day, code and amounts, but may differ in
 * role, plan and amendments.
 */
function firstReport(sql: Sql, { derivative, role, plan_10b5_1 }: Omit<Wanted, keyof Paged>, latest: Fragment | null) {
  const { id } = jointView(derivative)
  return sql`(select m.accession from ${sql.unsafe(id)} m where m.accession = t.accession and m.line = t.line and exists (
    select from unnest(m.joint) j (accession) where j.accession < m.accession
      ${role ? sql`and (select bool_or(w.${sql(`is_${role}`)}) from ownership.owner w where w.accession = j.accession)` : sql``}
      ${plan_10b5_1 === undefined ? sql`` : sql`and (select p.plan_10b5_1 is ${plan_10b5_1 ? sql`true` : sql`false`} from ownership.report p where p.accession = j.accession)`}
      ${latest ? sql`and (select ${latest} from (select j.accession) t)` : sql``}
  )) is distinct from t.accession`
}

const jointView = (derivative: boolean) => (derivative ? ownershipJointDerivative : ownershipJointSecurity)

/** Returns the other filings of trades, by accession and line. */
export async function jointOf(sql: Sql, derivative: boolean, accessions: readonly string[]) {
  const found = await sql<{ accession: string; line: number; joint: string[] }[]>`
    select accession, line, joint from ${sql(jointView(derivative).id)} where accession = any(${accessions as string[]})`
  const by = new Map(found.map(({ accession, line, joint }) => [`${accession} ${line}`, joint]))
  return (accession: string, line: number): string[] => by.get(`${accession} ${line}`) ?? []
}

/** Returns the CIKs of the companies that have the ticker now. If no company has it now, returns those that had it. */
async function issuersOf(sql: Sql, ticker: string): Promise<string[]> {
  const { owners } = (await ownersOf(sql, tickersOf(ticker))) ?? { owners: [] }
  const current = owners.filter(({ state }) => state !== 'former')
  return (current.length > 0 ? current : owners).map(({ cik }) => cik)
}

function filters(
  sql: Sql,
  { cik, person, role, min_value, plan_10b5_1, code, acquired_disposed, from, to }: Omit<Wanted, keyof Paged>,
  issuers: readonly string[] | null,
) {
  // Uses a scalar subquery, which is evaluated for each line. A join would read all filings of a role.
  const is = role && sql`${sql(`is_${role}`)}`
  return sql`not l.is_holding
    ${person ? sql`and o.cik = ${person} and ${firstOf(sql, 'o')}` : sql``}
    ${cik ? sql`and l.issuer_cik = ${cik}` : sql``}
    ${issuers === null ? sql`` : issuers.length === 1 ? sql`and l.issuer_cik = ${issuers[0]!}` : sql`and l.issuer_cik = any(${issuers as string[]})`}
    ${is ? (person ? sql`and o.${is}` : sql`and (select bool_or(w.${is}) from ownership.owner w where w.accession = l.accession)`) : sql``}
    ${min_value === undefined ? sql`` : sql`and coalesce(l.total_value, l.shares * l.price) >= ${min_value}`}
    ${plan_10b5_1 === undefined ? sql`` : sql`and (select p.plan_10b5_1 is ${plan_10b5_1 ? sql`true` : sql`false`} from ownership.report p where p.accession = l.accession)`}
    ${code ? sql`and l.code = ${code}` : sql``}
    ${acquired_disposed ? sql`and l.acquired_disposed = ${acquired_disposed}` : sql``}
    ${from ? sql`and filed_date >= ${from}` : sql``}
    ${to ? sql`and filed_date <= ${to}` : sql``}`
}

/** Selects the first position of an owner in its filing. So a filing that names somebody twice lists its lines once. */
export const firstOf = (sql: Sql, owner: string) => sql`${sql(owner)}.position = (
  select min(same.position) from ownership.owner same
  where same.accession = ${sql(owner)}.accession and same.cik = ${sql(owner)}.cik)`

/** Columns of Table II, which are null in lines of Table I. */
const OF_DERIVATIVES = {
  exercise_price: null,
  exercise_date: null,
  expiration_date: null,
  underlying_title: null,
  underlying_shares: null,
  underlying_value: null,
}

/** Adds owners, footnotes, amendments and other filings of the trade to the rows of a page. */
async function whole(sql: Sql, rows: readonly LineRow[], derivative: boolean): Promise<Row[]> {
  const accessions = [...new Set(rows.map(({ accession }) => accession))]
  const [owners, footnotes, amended, joint] = await Promise.all([
    sql<(Row['owners'][number] & { accession: string })[]>`
      select accession, cik, name, is_director, is_officer, is_ten_percent_owner, is_other, officer_title,
        other_relationship
      from ownership.owner where accession = any(${accessions}) order by accession, position`,
    sql<Footnote[]>`select accession, id, footnote from ownership.footnote where accession = any(${accessions})`,
    amendmentsOf(sql, ownershipAmended, rows),
    jointOf(sql, derivative, accessions),
  ])
  const texts = footnotesOf(footnotes)
  const ownersOf = Map.groupBy(owners, ({ accession }) => accession)
  return rows.map((row) => {
    const { is_holding: _, ...line } = withFootnotes(row, texts)
    const ownOwners = ownersOf.get(row.accession) ?? []
    return {
      ...OF_DERIVATIVES,
      ...line,
      amended_by: amended(row.accession),
      joint: joint(row.accession, row.line),
      owners: ownOwners.map(({ accession: __, ...owner }) => owner),
    }
  })
}

interface Footnote {
  accession: string
  id: string | null
  footnote: string | null
}

type FootnoteTexts = ReadonlyMap<string, string | null>

/** Maps footnotes of filings by accession and number. */
export const footnotesOf = (footnotes: readonly Footnote[]): FootnoteTexts =>
  new Map(footnotes.map(({ accession, id, footnote }) => [`${accession} ${id}`, footnote]))

/** Replaces the numbers of a line's footnotes with their text, and adds the meaning of its code. */
export function withFootnotes<L extends Line>({ footnote_refs, ...line }: L, texts: FootnoteTexts) {
  const footnotes = footnote_refs.flatMap(({ column, ids }) =>
    ids.map((id) => ({ column, id, footnote: texts.get(`${line.accession} ${id}`) ?? null })),
  )
  return { ...line, code_meaning: meaningOfCode(line.code), footnotes }
}
