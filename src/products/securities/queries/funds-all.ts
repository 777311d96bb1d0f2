/**
 * Computes the sums and the prices of all securities that funds hold (Form N-PORT) in one pass: the lines of each quarter
 * are read once. A refresh after reports computes the same rows from the lines of its securities (held-funds.ts,
 * price-make.ts).
 */
import type { Transaction } from '../../../store/db.ts'
import { quartersOf } from '../quarters.ts'
import { DERIVATIVES, IS_HELD } from '../sources.ts'
import { FIGURES, figures, MARK, makeClasses, PRICED, WRITTEN_OFF } from './price-make.ts'
import { statedMost } from './stated.ts'

/** Inserts all rows of `held` for funds, and all rows of `price` except those of companies. */
export async function sumFunds(tx: Transaction): Promise<void> {
  await tx`delete from price`
  await makeClasses(tx, true)
  await makeTables(tx)
  for (const quarter of await quartersOf(tx, 'nport')) {
    await readLines(tx, quarter)
    await sum(tx, quarter)
    await price(tx, quarter)
  }
  await tx`drop table fund_security, fund_class, fund_entry, fund_report, fund_line`
}

/**
 * Makes the temporary tables. In these tables, numbers stand for securities, classes and reports, since numbers are
 * sorted faster than texts, and take less space. `fund_line` has the lines of a quarter, and `fund_report` its reports,
 * numbered in the order of their accessions. The number 0 stands for the empty class. `fund_entry` has the entries of
 * the dictionary, each with its security, the class of its private lines, and whether it is a derivative.
 */
async function makeTables(tx: Transaction): Promise<void> {
  await tx`
    create temporary table fund_security (sec integer primary key, sec_id text collate "C") on commit drop`
  await tx`
    insert into fund_security
    select row_number() over (), sec_id from (select distinct sec_id from pub.nport_security where sec_id is not null) s`
  await tx`analyze fund_security`
  await tx`create temporary table fund_class (class integer primary key, name text) on commit drop`
  await tx`
    insert into fund_class
    select case when class = '' then 0 else row_number() over (order by class) end, class
    from (select distinct class from price_class) c`
  await tx`analyze fund_class`
  await tx`
    create temporary table fund_entry (security bigint primary key, sec integer, class integer, is_derivative boolean)
      on commit drop`
  await tx`
    insert into fund_entry
    select d.security, s.sec, coalesce(n.class, 0), coalesce(d.asset_cat = any(${DERIVATIVES as string[]}), false)
    from pub.nport_security d join fund_security s using (sec_id)
    left join price_class c using (security) left join fund_class n on n.name = c.class`
  await tx`analyze fund_entry`
  await tx`
    create temporary table fund_report (report integer primary key, accession text collate "C", period date, is_last boolean,
      is_newest boolean) on commit drop`
  await tx`
    create temporary table fund_line (sec integer, class integer, period date, report integer, n integer, security bigint,
      value numeric, balance numeric, mark numeric, is_share boolean, is_private boolean, is_written_off boolean,
      is_held boolean, is_summed boolean, is_newest boolean) on commit drop`
}

/**
 * Fills `fund_report` and `fund_line`. Each report has prices, but only the last report of a fund in the quarter counts
 * in the sums. Otherwise a fund that reports every month would count three times. Derivatives are not in the sums.
 */
async function readLines(tx: Transaction, quarter: string): Promise<void> {
  await tx`truncate fund_report, fund_line`
  await tx`
    insert into fund_report
    select row_number() over (order by accession), accession, period,
      row_number() over (partition by fund order by period desc) = 1, is_newest
    from pub.nport_standing where quarter = ${quarter}`
  await tx`analyze fund_report`
  await tx`
    insert into fund_line
    select e.sec, case when h.is_private then e.class else 0 end, r.period, r.report, h.n, h.security, h.value, h.balance,
      case when ${tx.unsafe(PRICED)} then ${tx.unsafe(MARK)} end, h.units = 'NS', h.is_private,
      coalesce(${tx.unsafe(WRITTEN_OFF)}, false), ${tx.unsafe(IS_HELD)},
      r.is_last and not e.is_derivative, r.is_newest
    from pub.nport_holding h
    join fund_report r on r.accession = h.accession
    join fund_entry e on e.security = h.security
    where h.quarter = ${quarter}`
}

/** Sums up the lines of a quarter. A short position has neither value nor shares. */
const sum = (tx: Transaction, quarter: string) => tx`
  insert into held (sec_id, source, quarter, holders, value, shares, newest_holders, newest_value, option_value,
    issuer_name, title_of_class, asset_cat, is_private, isin, lei, ticker, filed_as)
  with part as materialized (
    select sec, security, is_newest, count(*) as lines, sum(value) filter (where is_held) as value,
      sum(balance) filter (where is_held and is_share) as shares, bool_or(is_private) as is_private
    from fund_line where is_summed group by sec, security, is_newest
  ), most as (
    ${statedMost(
      tx,
      tx`sec`,
      tx`
      select p.sec, p.lines, d.issuer_name, d.title_of_class, d.asset_cat, d.isin, d.lei, d.ticker
      from part p join pub.nport_security d using (security)`,
    )}
  )
  select s.sec_id, 'nport', ${quarter}, coalesce(holders, 0), value, shares, coalesce(newest_holders, 0), newest_value, null,
    issuer_name, title_of_class, asset_cat, is_private, isin, lei, ticker, '{}'
  from (
    select sec, max(holders) as holders, max(newest_holders) as newest_holders, max(value) as value, max(shares) as shares,
      max(newest_value) as newest_value, max(a) filter (where kind = 'name') as issuer_name,
      max(b) filter (where kind = 'name') as title_of_class, max(a) filter (where kind = 'asset_cat') as asset_cat,
      bool_or(is_private) as is_private, max(a) filter (where kind = 'isin') as isin, max(a) filter (where kind = 'lei') as lei,
      max(a) filter (where kind = 'ticker') as ticker
    from (
      select sec, null::bigint as holders, null::bigint as newest_holders, coalesce(sum(value), 0) as value,
        sum(shares) as shares, coalesce(sum(value) filter (where is_newest), 0) as newest_value,
        bool_or(is_private) as is_private, null as kind, null as a, null as b
      from part group by sec
      union all
      select sec, count(*), count(*) filter (where is_newest), null, null, null, null, null, null, null
      from (select distinct sec, report, is_newest from fund_line where is_summed and is_held) h group by sec
      union all
      select sec, null, null, null, null, null, null, kind, a, b from most
    ) all_of
    group by sec
  ) f
  join fund_security s using (sec)`

/** Computes the prices of a quarter from numbers, and replaces the numbers by texts at the end. */
const price = (tx: Transaction, quarter: string) => tx`
  insert into price (${tx.unsafe(FIGURES)})
  select s.sec_id, coalesce(c.name, ''), ${tx.unsafe(FIGURES.replace('id, class, ', '').replace(', largest', ''))},
    array(
      select r.accession from unnest(f.largest) with ordinality l (report, place) join fund_report r using (report)
      order by place)
  from (
    ${figures(
      tx,
      tx`
      select sec as id, class, is_private, period, ${quarter}::date as quarter, report as fund, report as accession, n, value,
        balance, mark, is_written_off
      from fund_line`,
    )}
  ) f (${tx.unsafe(FIGURES)})
  join fund_security s on s.sec = f.id
  left join fund_class c on c.class = f.class`
