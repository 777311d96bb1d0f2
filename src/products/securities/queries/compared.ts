/** SQL of the holdings of managers and funds at the end of a quarter, and of their changes since the quarter before. */
import type { Fragment, Sql, Transaction } from '../../../store/db.ts'
import { DERIVATIVES, IS_HELD } from '../sources.ts'

type Either = Sql | Transaction

/** Columns for a group of lines of Form 13F: one manager's lines of a security in a quarter. */
export const amountsOfLines = (sql: Either): Fragment => sql`
  sum(value) filter (where put_call is null) as value,
  sum(amount) filter (where put_call is null and (kind = 'PRN') is not true) as shares,
  sum(amount) filter (where put_call is null and kind = 'PRN') as principal,
  sum(value) filter (where put_call is not null) as option_value, max(period) as period,
  -- The combined filing that was filed last; among filings of one day, the one with the highest seq.
  (array_agg(accession order by filed_date desc, seq desc))[1] as accession`

/** Columns for a group of lines `h` of Form N-PORT: one report's lines of a security. */
export const amountsOfPortfolio = (sql: Either): Fragment => sql`
  sum(h.value) as value, sum(h.balance) filter (where h.units = 'NS') as shares,
  sum(h.balance) filter (where h.units = 'PA') as principal, sum(h.percent) as percent`

/** Tests whether a line `h` of Form N-PORT is a holding of its security. */
export const isHolding = (sql: Either): Fragment => sql`${sql.unsafe(IS_HELD)}
  and (h.asset_cat is null or h.asset_cat <> all(${DERIVATIVES as string[]}))`

interface Quarters {
  /** Relation (holder_id, sec_id, value, shares, principal, option_value, percent, period, accession). */
  now: Fragment
  /** The same relation, for the quarter before. */
  before: Fragment
  /** Whether the holdings of the holder `h.holder_id` are completely known. */
  isReported: { now: Fragment; before: Fragment }
}

/**
 * Takes shares if there are any, else principal. Shares are never compared with principal. A money market fund may give
 * neither.
 */
const withAmount = (sql: Either, lines: Fragment) => sql`(
  select *, coalesce(shares, principal) as amount, case when shares is not null then 'SH' else 'PRN' end as unit
  from ${lines} l)`

/**
 * Relation of holders and former holders with the change of each since the quarter before. A position that was closed
 * has no accession. A position counts as new only if the earlier report of its holder is complete, and as closed only
 * if the later report is complete.
 */
export const compared = (sql: Either, { now, before, isReported }: Quarters): Fragment => sql`(
  select c.*,
    -- A holder without a stated amount still holds something.
    case when c.change is not null then case when c.accession is not null then c.amount else 0 end
      - case when c.accession_before is null then 0 else c.amount_before end end as amount_change
  from (
    select h.holder_id, h.sec_id, case when h.accession is not null then h.value else 0 end as value, h.shares, h.principal,
      h.option_value, h.percent, h.period, h.accession, h.amount, h.amount_before, h.value_before, h.accession_before,
      case
        when h.accession is null then 'closed'
        when h.accession_before is null then case when ${isReported.before} then 'new' end
        when h.unit is distinct from h.unit_before then null
        when h.amount > h.amount_before then 'added' when h.amount < h.amount_before then 'reduced'
        when h.amount = h.amount_before then 'unchanged'
      end as change
    from (
      select *
      from ${withAmount(sql, now)} n
      full join (
        select holder_id, sec_id, accession as accession_before, value as value_before, amount as amount_before,
          unit as unit_before
        from ${withAmount(sql, before)} b
      ) b using (holder_id, sec_id)
    ) h
    where h.accession is not null or ${isReported.now}
  ) c)`
