/**
 * Reads holdings from the current reports of funds (Form N-PORT) and of money market funds (Form N-MFP).
 */
import { NO_QUARTER, storedQuarter } from '../../../declare/quarter.ts'
import type { Follow } from '../../../declare/refresh.ts'
import type { Fragment, Transaction } from '../../../store/db.ts'
import { quartersToMake, requestTouched } from '../quarters.ts'
import { DERIVATIVES, type Held, IS_HELD, type Report, type Source } from '../sources.ts'
import { amountsOfPortfolio, isHolding } from './compared.ts'
import { sumFunds } from './funds-all.ts'
import { statedMost } from './stated.ts'

type Funds = Exclude<Source, 'f13'>

/**
 * Relation (fund, accession, quarter, period, is_newest): the last report of each fund in each quarter. Without this
 * relation, a fund that reports every month would count three times.
 */
const reports = (tx: Transaction, source: Funds, only: Fragment) => tx`(
  select distinct on (fund, quarter) fund, accession, quarter, period, is_newest
  from ${tx.unsafe(`pub.${source}_standing`)}
  where quarter > ${NO_QUARTER} and ${only}
  order by fund, quarter, period desc)`

/**
 * Lines of the forms as one relation. Three things apply to Form N-PORT: the description of a line's security comes
 * from the dictionary; derivatives are left out; a short position has `is_held` false and neither value nor shares.
 */
const lines = {
  nport: (tx: Transaction) => tx`(
    select sec_id, quarter, accession, ${tx.unsafe(IS_HELD)} as is_held, case when ${tx.unsafe(IS_HELD)} then value end as value,
      case when units = 'NS' and ${tx.unsafe(IS_HELD)} then balance end as shares, security, is_private
    from pub.nport_holding h where asset_cat is null or asset_cat <> all(${DERIVATIVES as string[]}))`,
  nmfp: (tx: Transaction) => tx`(
    select h.sec_id, s.quarter, h.accession, true as is_held, h.value, null::numeric as shares, h.n as security, false as is_private,
      h.issuer_name, h.title_of_class, h.category as asset_cat, h.isin, h.lei, null::text as ticker
    from pub.nmfp_holding h join pub.nmfp_standing s using (accession))`,
}

/**
 * Descriptions of a security, each with the number of lines that state it: relation (sec_id, lines, issuer_name …),
 * made from `line` and `counted`.
 */
const stated = {
  nport: (tx: Transaction) => tx`
    select c.sec_id, c.lines, d.issuer_name, d.title_of_class, d.asset_cat, d.isin, d.lei, d.ticker
    from counted c join pub.nport_security d using (security) where c.is_part`,
  nmfp: (tx: Transaction) => tx`
    select sec_id, 1 as lines, issuer_name, title_of_class, asset_cat, isin, lei, ticker from line`,
}

/** Keys of both forms look like `0000862021-S000011990 2024-12-31`: a fund and a period. */
const follow =
  (source: Funds): Follow =>
  async (tx, keys, when) => {
    const own = keys.flatMap((key): Report[] => {
      const [fund, period] = key.split(' ')
      const quarter = storedQuarter(period || null)
      return period === undefined || quarter === NO_QUARTER ? [] : [{ id: fund!, quarter }]
    })
    const going =
      when === 'before_load'
        ? await tx<
            Report[]
          >`select sec_id as id, quarter from ${securitiesOf(source)(tx, own)} l where sec_id is not null`
        : []
    return [
      ...own.map(({ id, quarter }) => `${source} of ${id} ${quarter}`),
      ...going.map(({ id, quarter }) => `${source} security ${id} ${quarter}`),
    ]
  }

/**
 * Returns the securities of every report about the quarter, whether the report is used or not: if a report was
 * replaced, the totals of its securities change too.
 */
const securitiesOf =
  (source: Funds): Held['securitiesOf'] =>
  (tx, own) =>
    tx`(
    select distinct l.sec_id, r.quarter
    from unnest(${own.map(({ id }) => id)}::text[], ${own.map(({ quarter }) => quarter)}::date[]) r (fund, quarter)
    join ${tx.unsafe(`pub.${source}_report`)} f
      on f.fund = r.fund and f.period between date_trunc('quarter', r.quarter)::date and r.quarter
    join ${tx.unsafe(`pub.${source}_holding`)} l
      on l.accession = f.accession ${source === 'nport' ? tx`and l.quarter = r.quarter` : tx``})`

const newest =
  (source: Funds): Held['newest'] =>
  (tx, ids) =>
    tx`(
    select fund as holder, quarter from ${reports(tx, source, ids ? tx`fund = any(${ids as string[]})` : tx`true`)} r
    where is_newest)`

/**
 * Sums up the lines of the reports that are used, with the texts that most lines state. Lines are first counted by
 * dictionary entry, and then each entry is looked up once: six thousand lines of Apple have only several hundred
 * different texts. A union combines sums and texts. A join is not used, since the planner would not know the number of
 * groups.
 */
const sums =
  (source: Funds): Held['sums'] =>
  async (tx, of) => {
    if (of === null && source === 'nport') return sumFunds(tx)
    for (const quarter of await quartersToMake(tx, source, of)) {
      if (of) await requestTouched(tx, source, quarter)
      await tx`
        insert into held (sec_id, source, quarter, holders, value, shares, newest_holders, newest_value, option_value,
          issuer_name, title_of_class, asset_cat, is_private, isin, lei, ticker, filed_as)
        with report as materialized (
          select accession, row_number() over ()::int as report, is_newest from ${reports(tx, source, tx`quarter = ${quarter}`)} r
        ), line as ${source === 'nmfp' ? tx`materialized` : tx`not materialized`} (
          select l.*, r.report, r.is_newest
          from ${of ? tx`asked t join` : tx``} ${lines[source](tx)} l ${of ? tx`using (sec_id)` : tx``}
          join report r using (accession)
          where l.sec_id is not null and l.quarter = ${quarter}
        ), counted as materialized (
          select sec_id, security, grouping(security) = 0 as is_part, count(*) as lines,
            count(distinct report) filter (where is_held)::int as holders,
            coalesce(sum(value), 0) as value, sum(shares) as shares,
            count(distinct report) filter (where is_newest and is_held)::int as newest_holders,
            coalesce(sum(value) filter (where is_newest), 0) as newest_value, bool_or(is_private) as is_private
          from line group by sec_id, rollup (security)
        ), most as (
          ${statedMost(tx, tx`sec_id`, stated[source](tx))}
        )
        select sec_id, ${source}, ${quarter}, max(holders), max(value), max(shares), max(newest_holders), max(newest_value), null,
          max(a) filter (where kind = 'name'), max(b) filter (where kind = 'name'), max(a) filter (where kind = 'asset_cat'),
          bool_or(is_private), max(a) filter (where kind = 'isin'), max(a) filter (where kind = 'lei'),
          max(a) filter (where kind = 'ticker'), '{}'
        from (
          select sec_id, holders, value, shares, newest_holders, newest_value, is_private, null as kind, null as a, null as b
          from counted where not is_part
          union all
          select sec_id, null, null, null, null, null, null, kind, a, b from most
        ) all_of
        group by sec_id`
    }
  }

const ofAsked = (tx: Transaction) => tx`fund in (select holder_id from asked_holder)`

const linesOf =
  (source: Funds): Held['linesOf'] =>
  (tx, quarter) => {
    const own = reports(tx, source, tx`quarter = ${quarter} and ${ofAsked(tx)}`)
    return source === 'nport'
      ? tx`(
        select r.fund as holder_id, h.sec_id, ${amountsOfPortfolio(tx)}, null::numeric as option_value, r.period,
          r.accession
        from ${own} r join pub.nport_holding h on h.accession = r.accession and h.quarter = ${quarter}
        where h.sec_id is not null and ${isHolding(tx)}
        group by r.fund, h.sec_id, r.period, r.accession)`
      : tx`(
        select r.fund as holder_id, h.sec_id, sum(h.value) as value, null::numeric as shares, sum(h.principal) as principal,
          null::numeric as option_value, null::numeric as percent, r.period, r.accession
        from ${own} r join pub.nmfp_holding h on h.accession = r.accession
        where h.sec_id is not null
        group by r.fund, h.sec_id, r.period, r.accession)`
  }

const reportersOf =
  (source: Funds): Held['reportersOf'] =>
  (tx, quarter) =>
    tx`(select fund as holder_id from ${reports(tx, source, tx`quarter = ${quarter} and ${ofAsked(tx)}`)} r)`

/** Returns the queries for the reports of one kind of funds. */
export const heldBy = (source: Funds): Held => ({
  follow: follow(source),
  newest: newest(source),
  securitiesOf: securitiesOf(source),
  sums: sums(source),
  linesOf: linesOf(source),
  reportersOf: reportersOf(source),
})
