/** What funds hold, by the reports that count: those of Form N-PORT, and money market funds' of Form N-MFP. */
import { NO_QUARTER, storedQuarter } from '../../declare/quarter.ts'
import type { Follow } from '../../declare/refresh.ts'
import type { Fragment, Transaction } from '../../store/db.ts'
import { quartersToMake } from './quarters.ts'
import type { Held, Report } from './queries-held.ts'
import { DERIVATIVES, IS_HELD, type Source } from './sources.ts'

type Funds = Exclude<Source, 'f13'>

/**
 * Relation (fund, accession, quarter, period, is_newest): the last report of each fund in each quarter. A fund that reports every
 * month would else be counted three times.
 */
const reports = (tx: Transaction, source: Funds, only: Fragment) => tx`(
  select distinct on (fund, quarter) fund, accession, quarter, period, is_newest
  from ${tx.unsafe(`pub.${source}_standing`)}
  where quarter > ${NO_QUARTER} and ${only}
  order by fund, quarter, period desc)`

/** Lines of a report `r`, as one relation for both forms. What was sold short has no value here, and no holder. */
const lines = {
  nport: (tx: Transaction) => tx`(
    select sec_id, quarter, accession, ${tx.unsafe(IS_HELD)} as is_held, case when ${tx.unsafe(IS_HELD)} then value end as value,
      case when units = 'NS' and ${tx.unsafe(IS_HELD)} then balance end as shares, security, asset_cat,
      is_private, isin, lei, ticker, issuer_name, title_of_class
    from pub.nport_holding h where asset_cat is null or asset_cat <> all(${DERIVATIVES as string[]}))`,
  nmfp: (tx: Transaction) => tx`(
    select h.sec_id, s.quarter, h.accession, true as is_held, h.value, null::numeric as shares, null::bigint as security,
      h.category as asset_cat, false as is_private, h.isin, h.lei, null::text as ticker, h.issuer_name, h.title_of_class
    from pub.nmfp_holding h join pub.nmfp_standing s using (accession))`,
}

/** Keys of both are `0000862021-S000011990 2024-12-31`: a fund and a period. */
const follow =
  (source: Funds): Follow =>
  async (tx, keys, when) => {
    const own = keys.flatMap((key): Report[] => {
      const [fund, period] = key.split(' ')
      const quarter = storedQuarter(period || null)
      return period === undefined || quarter === NO_QUARTER ? [] : [{ id: fund!, quarter }]
    })
    const going = when === 'before_load' ? await tx<Report[]>`select sec_id as id, quarter from ${securitiesOf(source)(tx, own)} l where sec_id is not null` : [] // biome-ignore format: one line
    return [
      ...own.map(({ id, quarter }) => `${source} of ${id} ${quarter}`),
      ...going.map(({ id, quarter }) => `${source} security ${id} ${quarter}`),
    ]
  }

/** Those of every report about the quarter, whether it counts or not: what counted before may have been replaced. */
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

/** The name is that of most lines; of equally many the first in the order of letters. So it is with what else they say. */
const sums =
  (source: Funds): Held['sums'] =>
  async (tx, of) => {
    const touched = tx`(select distinct sec_id from touched_security where source = ${source}`
    for (const quarter of await quartersToMake(tx, source, of)) {
      await tx`
        insert into held (sec_id, source, quarter, holders, value, shares, newest_holders, newest_value, option_value,
          issuer_name, title_of_class, asset_cat, is_private, isin, lei, ticker, filed_as)
        select l.sec_id, ${source}, l.quarter, count(distinct r.fund) filter (where l.is_held)::int, coalesce(sum(l.value), 0),
          sum(l.shares), count(distinct r.fund) filter (where r.is_newest and l.is_held)::int, coalesce(sum(l.value) filter (where r.is_newest), 0), null,
          (mode() within group (order by array[l.issuer_name, l.title_of_class]))[1],
          (mode() within group (order by array[l.issuer_name, l.title_of_class]))[2],
          mode() within group (order by l.asset_cat), bool_or(l.is_private), mode() within group (order by l.isin),
          mode() within group (order by l.lei), mode() within group (order by l.ticker), '{}'
        from ${of ? tx`${touched} and quarter = ${quarter}) t join` : tx``} ${lines[source](tx)} l
          ${of ? tx`on l.sec_id = t.sec_id` : tx``}
        join ${reports(tx, source, tx`quarter = ${quarter}`)} r on r.accession = l.accession
        where l.sec_id is not null and l.quarter = ${quarter}
        group by l.sec_id, l.quarter`
    }
  }

/** How reports of a kind of funds are asked. */
export const heldBy = (source: Funds): Held => ({
  follow: follow(source),
  newest: newest(source),
  securitiesOf: securitiesOf(source),
  sums: sums(source),
})
