/**
 * Computes the prices that funds put on securities, by period: a line's value divided by its balance, if the result is
 * the price of a share. The SQL statement of `figures` has the rule that excludes prices. The test computes the same
 * rule in a simpler way.
 */
import type { Fragment, Transaction } from '../../../store/db.ts'
import { spoken } from '../issuer/name.ts'
import { quartersOf, quartersToMake, requestTouched } from '../quarters.ts'

/** Minimum number of prices that allows one of them to be excluded. Fewer prices do not show which one is wrong. */
export const PRICES_MIN = 3
/** A price of more than three times the median, or less than a third of it, is excluded. */
export const FACTOR = 3
/**
 * With at least this many prices, a second rule excludes a price if its distance from the median is more than eight
 * times the usual distance. The distance of two prices is the larger one divided by the smaller one, minus 1.
 */
export const MANY = 5
export const USUAL_DISTANCES = 8
/**
 * The second rule never excludes a price between the median divided by this number and the median times this number.
 */
export const HONEST = 1.25

/**
 * Condition that a line `h` of `pub.nport_holding` has a price. Excludes lines in principal, which is not a number of
 * shares.
 */
export const PRICED = `h.units = 'NS' and h.payoff = 'Long' and h.balance > 0 and h.value > 0`
/**
 * Condition that a fund has written off a line `h`. A line of value zero gives no price, because a median of 0 and 10
 * would be the price of neither fund.
 */
export const WRITTEN_OFF = `h.units = 'NS' and h.payoff = 'Long' and h.balance > 0 and h.value = 0`
/** The price, rounded so that every computation of it gives the same result. */
export const MARK = 'round(h.value / h.balance, 8)'

/**
 * Computes the prices of touched securities in touched quarters, and of touched companies. With `all`, computes the
 * prices of all companies (funds-all.ts makes the prices of all securities, and the classes).
 *
 * reads touched_security (source, sec_id, quarter), touched_issuer (issuer), alias; price_class, if all
 */
export async function makePrices(tx: Transaction, all: boolean): Promise<void> {
  if (!all) await makeTouched(tx)
  const [company] = all ? [true] : await tx`select from touched_issuer limit 1`
  for (const quarter of company ? await quartersOf(tx, 'nport') : []) {
    await tx`insert into price (${tx.unsafe(FIGURES)}) ${figures(tx, companyLinesOf(tx, all, quarter))}`
  }
}

async function makeTouched(tx: Transaction): Promise<void> {
  await makeClasses(tx, false)
  await tx`analyze touched_issuer`
  await tx`
    delete from price p using touched_security t
    where t.source = 'nport' and p.id = t.sec_id and p.quarter = t.quarter`
  await tx`delete from price p using touched_issuer t where p.id = 'issuer~' || t.issuer`
  for (const quarter of await quartersToMake(tx, 'nport', 'touched')) {
    await requestTouched(tx, 'nport', quarter)
    await tx`insert into price (${tx.unsafe(FIGURES)}) ${figures(tx, linesOf(tx, quarter))}`
  }
}

/** Selects lines of the securities that are touched in the quarter, as input of `figures`. */
const linesOf = (tx: Transaction, quarter: string) => tx`
  select h.sec_id as id, coalesce(c.class, '') as class, h.is_private, ${line(tx)}
  from asked t join pub.nport_holding h using (sec_id) join pub.nport_standing s on s.accession = h.accession
  left join price_class c on h.is_private and c.security = h.security
  where h.sec_id is not null and h.quarter = ${quarter} and s.quarter = ${quarter}`

/** Selects lines of private securities, with the id of their company. */
const companyLinesOf = (tx: Transaction, all: boolean, quarter: string) => tx`
  select 'issuer~' || a.issuer as id, coalesce(c.company_class, '') as class, true as is_private, ${line(tx)}
  from alias a ${all ? tx`` : tx`join touched_issuer t on t.issuer = a.issuer`}
  join pub.nport_holding h on h.sec_id = a.sec_id and h.is_private
  join pub.nport_standing s on s.accession = h.accession
  left join price_class c on c.security = h.security
  where h.quarter = ${quarter} and s.quarter = ${quarter}`

const line = (tx: Transaction) => tx`
  s.period, s.quarter, s.fund, h.accession, h.n, h.value, h.balance,
  case when ${tx.unsafe(PRICED)} then ${tx.unsafe(MARK)} end as mark,
  coalesce(${tx.unsafe(WRITTEN_OFF)}, false) as is_written_off`

interface Entry {
  security: string
  issuer_name: string | null
  title: string | null
  asset_cat: string | null
}

/**
 * Fills price_class with the classes of private lines, by the dictionary entry of their security. Only private lines
 * have a class, and a few percent of the lines are private.
 */
export async function makeClasses(tx: Transaction, all: boolean): Promise<void> {
  await tx`
    create temporary table if not exists price_class (security bigint primary key, class text, company_class text) on commit drop`
  await tx`truncate price_class`
  const which = all
    ? tx`security in (select security from pub.nport_holding where is_private)`
    : tx`sec_id in (
        select sec_id from touched_security where source = 'nport' and sec_id like 'name~%'
        union select a.sec_id from alias a join touched_issuer t using (issuer))`
  const entries = await tx<Entry[]>`
    select security, issuer_name, title_of_class as title, asset_cat from pub.nport_security where ${which}`
  const rows = entries.map(({ security, ...names }) => ({ security, ...classesOf(names) }))
  for (let at = 0; at < rows.length; at += 5_000) {
    await tx`insert into price_class ${tx(rows.slice(at, at + 5_000))}`
  }
  await tx`analyze price_class`
}

/**
 * Returns two classes of a private line: one for the rows of its security, and one for the rows of its company. Within
 * a company, interests in a vehicle are a separate class, because they have their own price. The lines that state no
 * class form a separate class for each company name that they state, because it is unknown which of the stated classes
 * they belong to.
 */
export function classesOf(line: { issuer_name: string | null; title: string | null; asset_cat: string | null }) {
  const spokenLine = spoken(line)
  const name = spokenLine.mentions[0]?.name ?? ''
  if (spokenLine.isVehicle) return { class: `vehicle ${name}`, company_class: `vehicle ${name}` }
  return { class: spokenLine.class ?? '', company_class: spokenLine.class ?? `not stated, ${name}` }
}

/** Columns of `figures`, in their order. */
export const FIGURES = `id, class, period, quarter, fund_count, mark_count, low, median, high, mean, total_value,
  total_balance, held_value, held_count, outliers, written_off, lower, upper, largest`

/**
 * If no price differs from the median by more than this factor, the second rule need not be computed: the usual
 * distance times `USUAL_DISTANCES` is then less than `HONEST` allows.
 */
const NEAR = 1.03

/**
 * Computes the prices of lines. A group's prices are in a sorted array, so that the prices that are not excluded are a
 * slice of the array. Lines are sorted once, without a join to groups. With such a join, the planner would choose
 * nested loops, since it does not know the number of rows of a common table expression; for 8,000 holdings they took
 * over nine minutes. With offset 0 the planner computes the values of a group once, rather than again for each price.
 *
 * @param lines id, class, is_private, period, quarter, fund, accession, n, value, balance, mark, is_written_off. Numbers
 *   may stand for the texts id, class, fund and accession
 */
export const figures = (tx: Transaction, lines: Fragment) => tx`
  select id, class, period, quarter, (select count(distinct fund) from unnest(funds[first:last]) fund), mark_count,
    case when mark_count > 0 then trim_scale(marks[first]) end,
    case when mark_count > 0 then
      trim_scale(round((marks[first + (mark_count - 1) / 2] + marks[first + mark_count / 2]) / 2, 8)) end,
    case when mark_count > 0 then trim_scale(marks[last]) end, trim_scale(round(total_value / total_balance, 8)),
    coalesce(total_value, 0), coalesce(total_balance, 0), held_value, held_count, priced - mark_count, written_off,
    trim_scale(lower), trim_scale(upper), largest
  from (
    select id, class, period, max(quarter) as quarter, count(mark)::int as priced,
      array_agg(mark order by mark) filter (where mark is not null) as marks,
      array_agg(value order by mark) filter (where mark is not null) as values,
      array_agg(balance order by mark) filter (where mark is not null) as balances,
      array_agg(fund order by mark) filter (where mark is not null) as funds,
      sum(value) filter (where mark is not null) as priced_value, sum(balance) filter (where mark is not null) as priced_balance,
      coalesce(sum(value), 0) as held_value, count(*) as held_count,
      (count(*) filter (where is_written_off))::int as written_off,
      (array_agg(accession order by value desc nulls last, accession, n))[1:3] as largest
    from (${lines}) l group by id, class, period
    having count(mark) > 0 or bool_or(is_private or is_written_off)
  ) g
  cross join lateral (select (marks[(priced + 1) / 2] + marks[priced / 2 + 1]) / 2 as middle offset 0) m
  cross join lateral (
    select case
      when priced < ${PRICES_MIN} or (middle > 0) is not true then null
      when priced < ${MANY} then ${FACTOR}::numeric
      when marks[priced] < middle * ${NEAR} and middle < marks[1] * ${NEAR} then ${HONEST}
      else (
        -- The usual ratio between a price and the median, at least 1.
        select least(${FACTOR}, greatest(${HONEST}, 1 + ${USUAL_DISTANCES} * (percentile_disc(0.5) within group (
          order by case when mark > middle then mark / middle else middle / mark end) - 1)))
        from unnest(marks) mark) end as times
  ) t
  cross join lateral (select round(middle / times, 8) as lower, round(middle * times, 8) as upper offset 0) b
  cross join lateral (
    -- width_bucket counts the prices up to a limit. Prices and limits have eight decimals.
    select coalesce(width_bucket(lower - 0.00000001, marks), 0) + 1 as first,
      coalesce(width_bucket(upper, marks), priced) as last
    offset 0
  ) place
  cross join lateral (select greatest(last - first + 1, 0) as mark_count offset 0) k
  cross join lateral (
    select case when mark_count = priced then priced_value else (select sum(v) from unnest(values[first:last]) v) end as total_value,
      case when mark_count = priced then priced_balance else (select sum(v) from unnest(balances[first:last]) v) end as total_balance
    offset 0
  ) c`
