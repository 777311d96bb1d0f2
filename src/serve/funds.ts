/** Finds funds by an identifier: ticker, series, class, CIK, or the id that answers of this service have. */
import { BULK } from '../declare/catalog.ts'
import type { Meaning, NamesMeant } from '../declare/lists.ts'
import type { Table } from '../declare/table.ts'
import { spellings, tickersOf } from '../read/ticker.ts'
import type { Fragment, Sql } from '../store/db.ts'

/** The funds that a text identifies. A fund without series is identified by the CIK of its registrant only. */
interface FundsMeant {
  funds: string[]
  series: string[]
  ciks: string[]
  /**
   * Whether the text cannot be a name: it is an id, a CIK of ten digits or with the label CIK, or a ticker in capitals.
   */
  isCertain: boolean
}

/** Slices whose data identifies funds, for routes that use `fundCondition`. */
export const FUND_READS = [BULK, 'companies', 'ncen']

export const FUND_MEANING =
  'Also accepted: a ticker, a series (S000002848), a class (C000007812), a CIK, or a value of the field fund in an answer'

/**
 * The key of a fund, in the form that answers have: 0001992030-S000992030, or the CIK of the registrant for a fund
 * without series.
 */
export const FUND_KEY = /^\d{10}(?:-S\d{9})?$/i

const SERIES = /^S\d{9}$/i
const CLASS = /^C\d{9}$/i

/** The funds that a text identifies by an id or a ticker; null if no fund has this id or ticker. */
export async function fundsMeant(sql: Sql, q: string): Promise<FundsMeant | null> {
  const none = { funds: [], series: [], ciks: [], isCertain: true }
  const text = q.trim()
  if (SERIES.test(text)) return { ...none, series: [text.toUpperCase()] }
  if (text.length > 10 && FUND_KEY.test(text)) return { ...none, funds: [text.toUpperCase()] }
  const [, label, digits] = /^(cik[ #:.]*)?(\d{1,10})$/i.exec(text) ?? []
  // A short number may be the beginning of a name: 1290 Funds.
  const isCik = label !== undefined || digits?.length === 10
  if (digits !== undefined) return { ...none, ciks: [digits.padStart(10, '0')], isCertain: isCik }
  if (CLASS.test(text)) return found(await ofClass(sql, text.toUpperCase()), true)
  const isCertain = text === text.toUpperCase()
  for (const ticker of tickersOf(text)) {
    const meant = found(await ofTicker(sql, spellings(ticker)), isCertain)
    if (meant !== null) return meant
  }
  return null
}

interface Row {
  fund: string | null
  series_id: string | null
}

function found(rows: readonly Row[], isCertain: boolean): FundsMeant | null {
  if (rows.length === 0) return null
  const [funds, series] = [rows.flatMap(({ fund }) => fund ?? []), rows.flatMap(({ series_id }) => series_id ?? [])]
  return { funds, series, ciks: [], isCertain }
}

/** If the row of a ticker has no series, the key of the fund is the CIK of its registrant. */
const ofTicker = (sql: Sql, tickers: readonly string[]) => sql<Row[]>`
  select case when series_id is null then cik end as fund, series_id from pub.companies_ticker
  where ticker = any(${tickers as string[]})
  union
  select fund, null from pub.ncen_ticker where ticker = any(${tickers as string[]})`

const ofClass = (sql: Sql, id: string) => sql<Row[]>`
  select null as fund, series_id from pub.companies_ticker where class_id = ${id} and series_id is not null
  union
  select fund, null from pub.ncen_ticker where class_id = ${id}`

/**
 * The condition that a row is a fund that `q` means. The rows have fund, cik and series_id; their alias is `f` by
 * default. If the text may be a name and any row has that name, the text is compared only with names. The result is
 * wrapped in an object, since `await` would execute the bare SQL.
 */
export async function fundCondition(
  sql: Sql,
  q: string | undefined,
  { named, anyNamed }: NamesMeant,
  of = 'f',
): Promise<{ wanted: Fragment }> {
  if (q === undefined) return { wanted: sql`true` }
  const meant = await fundsMeant(sql, q)
  if (meant === null) return { wanted: named(q) }
  if (!meant.isCertain) {
    const [row] = await sql`select ${anyNamed(q)} limit 1`
    if (row) return { wanted: named(q) }
  }
  const { funds, series, ciks } = meant
  const t = sql(of)
  return { wanted: sql`(${t}.fund = any(${funds}) or ${t}.series_id = any(${series}) or ${t}.cik = any(${ciks}))` }
}

/** Declares what `q` may be in a list of funds in addition to a name. */
export const FUND: Meaning = {
  says: FUND_MEANING,
  where: (sql, q, names) => fundCondition(sql, q, names, 't'),
}

/**
 * Makes SQL that tests whether a fund `t` belongs to a registrant. The table of reports has an index by registrant,
 * which finds the keys of the registrant's funds.
 */
export const ofRegistrant =
  ({ id }: Table) =>
  (sql: Sql, cik: string): Fragment =>
    sql`t.fund in (select r.fund from ${sql(id)} r where r.cik = ${cik})`
