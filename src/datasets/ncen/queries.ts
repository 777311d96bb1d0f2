/** Queries one report with a page of its funds, its providers, and a registrant with all its funds. */
import { apiError } from '../../declare/api-errors.ts'
import { amendedColumn } from '../../serve/amended.ts'
import { otherFilings } from '../../serve/filings-of.ts'
import { decodeCursor, encodeCursor } from '../../serve/page.ts'
import type { Sql } from '../../store/db.ts'
import type { Detail, ProviderPage, Registrant } from './answers.ts'
import { ncenAmended } from './views.ts'

interface Paged {
  accession: string
  limit: number
  cursor?: string | undefined
}

/** Members of the answer and their tables, for the whole filing. */
const LISTS = {
  persons: 'person',
  offices: 'office',
  terminated_series: 'terminated_series',
  series_matters: 'series_matter',
  valuation_changes: 'valuation_change',
  contracts: 'contract',
} as const

/** Members and tables for each fund. */
const FUND_LISTS = {
  advisers: 'adviser',
  share_classes: 'share_class',
  related_funds: 'related_fund',
  foreign_subsidiaries: 'foreign_subsidiary',
  credit_lines: 'credit_line',
  interfund_loans: 'interfund_loan',
  listings: 'listing',
} as const

type Fund = Detail['funds'][number]
type FundLists = Pick<Fund, keyof typeof FUND_LISTS> & { etf?: [NonNullable<Fund['etf']>?] }
type FundRow = Omit<Fund, keyof typeof FUND_LISTS | 'etf' | 'provider_counts'> & { accession: string; total: number }

/** Returns one filing; null if unknown. */
export async function detail(sql: Sql, asked: Paged): Promise<Detail | null> {
  const { accession } = asked
  const [row] = await sql<[(Detail['filing'] & Pick<Detail, 'other_filings'>)?]>`
    select r.*, ${amendedColumn(sql, ncenAmended, 'r')}, ${otherFilings(sql, 'r', {
      slug: 'ncen',
      table: 'ncen.report',
      amended: ncenAmended,
      facts: sql`t.submission_type, t.period, t.registrant_name`,
    })} as other_filings
    from ncen.report r where r.accession = ${accession}`
  if (!row) return null
  const { other_filings, ...filing } = row
  const lists: Record<string, object[]> = {}
  for (const [member, table] of Object.entries(LISTS)) {
    lists[member] = without(await sql`select * from ncen.${sql(table)} where accession = ${accession} order by n`, 'n')
  }
  const single = async (table: string) =>
    without(await sql`select * from ncen.${sql(table)} where accession = ${accession}`, 'filed_date')[0] ?? null
  const counts = await countsOf(sql, accession)
  return {
    filing,
    ...lists,
    closed_end: await single('closed_end'),
    unit_trust: await single('unit_trust'),
    provider_counts: counts(null),
    ...(await fundsOf(sql, asked, counts)),
    other_filings,
    ...notSaid(filing.source),
  } as Detail
}

/** Notes the facts that a report from a data set cannot have, since the sets lack columns for them. */
const notSaid = (source: Detail['filing']['source']) =>
  source === 'xml' ? {} : { not_loaded: [{ source: 'ncen', note: NOT_IN_SETS }] }

const NOT_IN_SETS =
  'this report comes from a data set of the SEC, and its submission has not been read: which liquidity services the funds have (Item C.22), and which series and classes the header names, is not known'

/** Prepares rows for the answer: removes the accession, which is the filing's, and the columns for order and keys. */
function without(rows: readonly object[], ...more: string[]): object[] {
  const hidden = new Set(['accession', ...more])
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.has(name))))
}

type Counts = (fund: string | null) => Record<string, number>

async function countsOf(sql: Sql, accession: string): Promise<Counts> {
  const rows = await sql<{ fund: string | null; role: string; n: number }[]>`
    select fund, role, count(*)::int as n from ncen.provider where accession = ${accession} group by fund, role order by role`
  const found = Map.groupBy(rows, ({ fund }) => fund)
  return (fund) => Object.fromEntries((found.get(fund) ?? []).map(({ role, n }) => [role, n]))
}

async function fundsOf(sql: Sql, { accession, limit, cursor }: Paged, counts: Counts) {
  const after = cursor === undefined ? 0 : numberAfter(cursor, accession)
  const found = await sql<FundRow[]>`
    select f.*, exists (
        select from ncen.standing s where s.accession = f.accession and s.n = f.n and s.fund = f.fund) as is_counted,
      (select count(*)::int from ncen.fund where accession = ${accession}) as total
    from ncen.fund f where f.accession = ${accession} and f.n > ${after} order by f.n limit ${limit + 1}`
  const page = found.slice(0, limit)
  const names = page.flatMap(({ fund }) => fund ?? [])
  const lists = await listsOf(sql, accession, names)
  const funds = page.map(({ total: _, ...fund }) => {
    const [shown] = without([fund])
    const { etf, ...own } = lists(fund.fund) as unknown as FundLists
    return { ...shown, ...own, etf: etf?.[0] ?? null, provider_counts: counts(fund.fund) }
  })
  const next_cursor = found.length > limit ? encodeCursor([accession, String(page.at(-1)!.n)]) : null
  return { fund_count: found[0]?.total ?? 0, funds, next_cursor }
}

/** Returns the lists of these funds, by fund. A fund that occurs twice in a report has its rows twice. */
async function listsOf(sql: Sql, accession: string, funds: readonly string[]) {
  const members: [string, Map<string, object[]>][] = []
  for (const [member, table] of [...Object.entries(FUND_LISTS), ['etf', 'etf'] as const]) {
    const rows = await sql<{ fund: string }[]>`
      select * from ncen.${sql(table)} where accession = ${accession} and fund = any(${funds as string[]}) order by n`
    members.push([member, Map.groupBy(rows, ({ fund }) => fund)])
  }
  const hidden = ['n', 'fund', 'name_key', 'number_key']
  return (fund: string | null): Record<string, object[]> =>
    Object.fromEntries(members.map(([member, rows]) => [member, without(rows.get(fund ?? '') ?? [], ...hidden)]))
}

/** Rejects the cursor of another filing: the page would begin in the middle of this one. */
function numberAfter(cursor: string, accession: string): number {
  const [of, n] = decodeCursor(cursor, 2)
  if (of !== accession || !/^\d{1,9}$/.test(n ?? ''))
    throw apiError('invalid_cursor', { reason: 'not a next_cursor of this filing' })
  return Number(n)
}

interface ProvidersParams extends Paged {
  role?: string | undefined
  fund?: string | undefined
}

/**
 * Returns the providers of one filing in the order of the form; null if it is unknown. One filing may have several
 * thousand of them.
 */
export async function providers(
  sql: Sql,
  { accession, role, fund, limit, cursor }: ProvidersParams,
): Promise<ProviderPage | null> {
  const after = cursor === undefined ? 0 : numberAfter(cursor, accession)
  const [known] = await sql<[Pick<Detail['filing'], 'source' | 'amended_by'>?]>`
    select r.source, ${amendedColumn(sql, ncenAmended, 'r')} from ncen.report r where r.accession = ${accession}`
  if (!known) return null
  const matching = sql`accession = ${accession}
    and ${role === undefined ? sql`true` : sql`role = ${role}`} and ${fund === undefined ? sql`true` : /^S/.test(fund) ? sql`fund like ${`%-${fund}`}` : sql`fund = ${fund}`}`
  const [counted] = await sql<[{ total: number }]>`select count(*)::int as total from ncen.provider where ${matching}`
  const found = await sql<{ n: number }[]>`
    select * from ncen.provider where ${matching} and n > ${after} order by n limit ${limit + 1}`
  const page = found.slice(0, limit)
  return {
    accession,
    amended_by: known.amended_by,
    total: counted.total,
    providers: without(page, 'n') as ProviderPage['providers'],
    next_cursor: found.length > limit ? encodeCursor([accession, String(page.at(-1)!.n)]) : null,
    ...notSaid(known.source),
  }
}

/** Maximum number of series; the largest registrants have about 400. */
const FUNDS_MAX = 2_000

/** Returns a registrant with its funds; null if none of its reports was read. */
export async function registrant(sql: Sql, cik: string): Promise<Registrant | null> {
  const [newest] = await sql<[Omit<Registrant, 'fund_count' | 'funds'>?]>`
    select r.cik, r.registrant_name, r.file_number, r.classification, r.is_last_filing, r.accession, r.filed_date, r.period
    from ncen.standing s join ncen.report r using (accession) where s.cik = ${cik}
    order by s.as_of desc, s.filed_date desc, s.accession desc limit 1`
  if (!newest) return null
  const funds = await sql<(Registrant['funds'][number] & { total: number })[]>`
    select s.fund, s.series_id, f.fund_name as name, f.is_etf, f.is_money_market,
      f.monthly_avg_net_assets::text as monthly_avg_net_assets, f.daily_avg_net_assets::text as daily_avg_net_assets,
      s.period, s.accession, s.filed_date, s.ended_by,
      coalesce((
        select json_agg(distinct a.name) from ncen.adviser a
        where a.accession = s.accession and a.fund = s.fund and a.is_current and a.name is not null), '[]') as advisers,
      count(*) over ()::int as total
    from pub.ncen_standing s join ncen.fund f on f.accession = s.accession and f.n = s.n
    where s.cik = ${cik} and s.is_newest
    order by s.ended_by is not null, f.fund_name, s.fund limit ${FUNDS_MAX}`
  return { ...newest, fund_count: funds[0]?.total ?? 0, funds: funds.map(({ total: _, ...fund }) => fund) }
}
