/** Queries funds' valuations of a security, or of its company's securities, by period. */
import { storedQuarter } from '../../../declare/quarter.ts'
import { conditionOf, cut, merged, orderBy, type Start, startOf, type Walk } from '../../../serve/keyset.ts'
import type { Sql } from '../../../store/db.ts'
import type { Aliases, EXCLUDED, Figures, History, Mark, Variant } from '../answers-price.ts'
import { type Prices, splitBetween } from '../issuer/split.ts'
import { classesOf, MARK } from './price-make.ts'

export interface PriceParams {
  sec_id: string
  scope: 'company' | 'exact'
  period?: string | undefined
  limit: number
  cursor?: string | undefined
}

const VARIANTS_MAX = 50
const ALIASES_MAX = 1000

interface Company {
  /**
   * Ids in `price`: the security, the securities with the same issuer number or LEI, or a company of private
   * securities.
   */
  ids: readonly string[]
  company_id: string | null
  company_name: string | null
  variants: Variant[]
}

/** Returns prices by period, with the lines of the requested period; null for a security that is in no report. */
export async function history(sql: Sql, params: PriceParams): Promise<Omit<History, 'not_loaded'> | null> {
  const company = await companyOf(sql, params)
  if (company === null) return null
  const { sec_id, scope, period, cursor } = params
  const days = period === undefined ? await daysOf(sql, company.ids, params) : { rows: [{ period }], next_cursor: null }
  const rows =
    days.rows.length === 0 ? [] : await pricesOf(sql, company.ids, days.rows[0]!.period, days.rows.at(-1)!.period)
  const titles = new Map(company.variants.map((variant) => [variant.sec_id, variant.title_of_class ?? '']))
  const own = new Set(company.variants.map((variant) => variant.sec_id))
  const periods = [...Map.groupBy(rows, (row) => row.period)].map(([day, of]) => ({
    period: day,
    held_value: of[0]!.period_value,
    median: of.length === 1 ? of[0]!.median : null,
    classes: of.map(
      ({ id, period: _, period_value: __, before, ...row }): Figures => ({
        ...row,
        sec_id: own.has(id) ? id : null,
        class: row.class || (titles.get(id) ?? ''),
        split: before === null ? null : splitBetween(before, row),
      }),
    ),
  }))
  const { company_id, company_name, variants } = company
  const head = { sec_id, scope, company_id, company_name, variants }
  if (period === undefined) return { ...head, periods, filings: [], next_cursor: days.next_cursor }
  const lines = await linesOf(sql, company, params, period, rows)
  // Only the first page of lines includes the period itself, so that no page repeats a row.
  return { ...head, periods: cursor === undefined ? periods : [], filings: lines.rows, next_cursor: lines.next_cursor }
}

/**
 * Returns the periods of a page. For each id, the query reads only the periods of the page, however long the history
 * is.
 */
async function daysOf(sql: Sql, ids: readonly string[], { scope, sec_id, limit, cursor }: PriceParams) {
  const walk: Walk = {
    list: 'price-history',
    sort: 'period',
    dir: 'asc',
    keys: [{ column: 'period', dir: 'asc', type: 'date' }],
    filters: { sec_id, scope },
  }
  const start = startOf(walk, { limit, offset: 0, cursor })
  const found = await sql<{ period: string }[]>`
    select distinct d.period from unnest(${ids as string[]}::text[]) as i (id) cross join lateral (
      select distinct period from securities.price where id = i.id and ${conditionOf(sql, start)}
      order by period limit ${start.rowsMax}
    ) d
    order by d.period limit ${start.rowsMax}`
  return cut(start, found)
}

type Stored = Omit<Figures, 'sec_id' | 'split'> & {
  id: string
  period: string
  period_value: string
  before: Prices | null
}

/**
 * Selects each period with the prices of the period before, or with null if the period before is more than half a year
 * earlier.
 */
const pricesOf = (sql: Sql, ids: readonly string[], first: string, last: string) => sql<Stored[]>`
  select *, sum(held_value) over (partition by period) as period_value from (
    select id, class, period, fund_count, mark_count, low, median, high, mean, total_value, total_balance, held_value,
      held_count, outliers, written_off, held_count - mark_count - outliers - written_off as unpriced, lower, upper, largest,
      case when lag(period) over w >= period - 184 then
        json_build_object('low', lag(low) over w, 'median', lag(median) over w, 'high', lag(high) over w,
          'total_balance', lag(total_balance) over w) end as before
    from securities.price where id = any(${ids as string[]}) and period between ${first}::date - 184 and ${last}
    window w as (partition by id, class order by period)
  ) p
  where period >= ${first}
  order by period, held_value desc, id, class`

async function companyOf(sql: Sql, { sec_id, scope }: PriceParams): Promise<Company | null> {
  const [own] = await sql<
    (Variant & Omit<Company, 'ids' | 'variants'> & { lei: string | null; issuer: string | null; is_priced: boolean })[]
  >`
    select s.sec_id, s.cusip, s.issuer_name, s.title_of_class, 'asked' as reason, null as basis, null as accession,
      null::float8 as confidence, s.lei, coalesce(a.company_name, b.company_name, s.issuer_name) as company_name,
      a.company_id, a.issuer, exists (select from securities.price p where p.id = s.sec_id) as is_priced
    from securities.security s left join securities.alias a using (sec_id)
    left join pub.identifiers_best b on b.cusip = s.cusip where s.sec_id = ${sec_id}`
  if (!own) return null
  const { lei, company_id, company_name, issuer, is_priced, ...variant } = own
  const priced = is_priced ? [variant] : []
  if (scope === 'exact') return { ids: [sec_id], company_id, company_name, variants: priced }
  if (issuer !== null)
    return {
      ...{ ids: [`issuer~${issuer}`], company_id, company_name },
      variants: await aliasesOf(sql, issuer, VARIANTS_MAX),
    }
  const others = await sql<Variant[]>`
    select s.sec_id, s.cusip, s.issuer_name, s.title_of_class, o.reason,
      case o.reason when 'cusip' then ${`issuer number ${sec_id.slice(0, 6)}`} else ${`LEI ${lei}`} end as basis,
      null as accession, null::float8 as confidence
    from (
      select distinct on (sec_id) sec_id, reason from (
        select sec_id, 'cusip' as reason from securities.security
        where cusip is not null and ${own.cusip}::text is not null
          and sec_id >= left(${own.cusip}, 6) and sec_id < left(${own.cusip}, 6) || '~'
        union all
        select sec_id, 'lei' from securities.security where lei = ${lei} and not is_private
      ) u where sec_id <> ${sec_id} order by sec_id, reason
    ) o join securities.security s using (sec_id)
    where exists (select from securities.price p where p.id = o.sec_id)
    order by s.combined_value desc, s.sec_id limit ${VARIANTS_MAX - 1}`
  const ids = [sec_id, ...others.map((each) => each.sec_id)]
  return { ids, company_id, company_name, variants: [...priced, ...others] }
}

/**
 * Returns the securities of a company. Their CUSIP is null: `alias` has only private securities, which have neither a
 * CUSIP nor an ISIN.
 */
const aliasesOf = (sql: Sql, issuer: string, max: number) => sql<Variant[]>`
  select a.sec_id, null as cusip, s.issuer_name, s.title_of_class, a.reason, a.basis, a.accession, a.confidence
  from securities.alias a left join securities.security s using (sec_id)
  where a.issuer = ${issuer} order by s.combined_value desc nulls last, a.sec_id limit ${max}`

/** Returns all securities of a private security's company; null if the security is not private. */
export async function aliases(sql: Sql, sec_id: string): Promise<Omit<Aliases, 'not_loaded'> | null> {
  const [own] = await sql<Pick<Aliases, 'sec_id' | 'issuer_key' | 'company_id' | 'company_name' | 'ids'>[]>`
    select sec_id, issuer as issuer_key, company_id, company_name,
      array(select c.id from securities.company_id c where c.issuer = a.issuer order by 1 limit ${ALIASES_MAX}) as ids
    from securities.alias a where sec_id = ${sec_id}`
  if (!own) return null
  const found = await aliasesOf(sql, own.issuer_key, ALIASES_MAX)
  return { ...own, aliases: found.map(({ cusip: _, title_of_class: __, ...each }) => each) as Aliases['aliases'] }
}

interface Line extends Mark {
  payoff: string | null
  issuer_name: string | null
  title: string | null
  asset_cat: string | null
  is_private: boolean
}

/**
 * Returns the lines of a period, the largest first; the prices of a line's class decide whether the price of the line
 * is excluded.
 */
async function linesOf(
  sql: Sql,
  { ids }: Company,
  { scope, sec_id, limit, cursor }: PriceParams,
  period: string,
  prices: readonly Stored[],
) {
  const walk: Walk = {
    list: 'price-history',
    sort: 'value',
    dir: 'desc',
    keys: [
      { column: 'value', dir: 'desc', type: 'amount', nullable: true },
      { column: 'accession', dir: 'asc', type: 'text' },
      { column: 'n', dir: 'asc', type: 'count' },
    ],
    filters: { sec_id, scope, period },
  }
  const start: Start = startOf(walk, { limit, offset: 0, cursor })
  const isCompany = ids[0]!.startsWith('issuer~')
  const [one, ...others] = ids
  // If the condition uses an equals sign, the index returns the lines of one security in the order of the page.
  const securities = isCompany
    ? sql`in (select sec_id from securities.alias where issuer = ${ids[0]!.slice(7)})`
    : others.length === 0
      ? sql`= ${one!}`
      : sql`= any(${[one!, ...others]})`
  const select = sql`
    select h.accession, h.n, h.sec_id, s.fund, s.fund_name, h.value, h.balance, h.units, h.payoff, h.issuer_name,
      h.title_of_class as title, h.asset_cat, h.is_private, case when h.balance > 0 then ${sql.unsafe(MARK)} end as mark
    from pub.nport_holding h join pub.nport_standing s on s.accession = h.accession and s.quarter = h.quarter
    where h.quarter = ${storedQuarter(period)} and s.period = ${period} and h.sec_id ${securities}
      ${isCompany ? sql`and h.is_private` : sql``}`
  const found = await sql<Line[]>`
    select * from ${merged(sql, start, select, 'h.')} l order by ${sql.unsafe(orderBy(walk.keys))} limit ${start.rowsMax}`
  const byClass = new Map(prices.map((row) => [`${row.id} ${row.class}`, row]))
  const { rows, next_cursor } = cut(start, found)
  return {
    rows: rows.map(({ payoff, issuer_name, title, asset_cat, is_private, ...line }): Mark => {
      const classes = is_private ? classesOf({ issuer_name, title, asset_cat }) : { class: '', company_class: '' }
      const own = isCompany ? classes.company_class : classes.class
      const excluded = excludedBy({ ...line, payoff }, byClass.get(`${isCompany ? ids[0] : line.sec_id} ${own}`))
      const mark = excluded === null || excluded === 'outlier' ? line.mark : null
      return { ...line, class: own, mark, excluded }
    }),
    next_cursor,
  }
}

/**
 * Returns the reason why a line's price is excluded, or null. A line that does not meet the condition `PRICED` of
 * queries/price-make.ts is always excluded.
 */
function excludedBy(
  { units, payoff, balance, value, mark }: Pick<Line, 'units' | 'payoff' | 'balance' | 'value' | 'mark'>,
  prices: Stored | undefined,
): (typeof EXCLUDED)[number] | null {
  if (units !== 'NS') return 'units'
  if (payoff !== 'Long') return 'short'
  if (balance === null || Number(balance) <= 0) return 'no_balance'
  if (value === null || Number(value) < 0) return 'no_value'
  if (Number(value) === 0) return 'written_off'
  const { lower, upper } = prices ?? { lower: null, upper: null }
  return lower !== null && (Number(mark) < Number(lower) || Number(mark) > Number(upper)) ? 'outlier' : null
}
