/** Money market funds of an adviser, by the reports that name it. */
import type { Sql } from '../../../store/db.ts'
import type { AdviserFunds } from '../answers.ts'

/** Tests whether an adviser with this CRD number exists. */
export async function isKnown(sql: Sql, crd: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from pub.adv_adviser where crd = ${crd}) as found`
  return row!.found
}

/** Maximum number of funds. One adviser has at most about a hundred; a much larger number is a mistake. */
const FUNDS_MAX = 1_000

/**
 * Returns funds whose reports name the SEC file number of the adviser. If a report gives no number or an unknown
 * number, uses the CRD number that the fund's N-CEN gives for the same name or number. Without such a CRD number, uses
 * the name if exactly one adviser has it.
 *
 * A fund is current while its newest report names the adviser and the fund continues, as views.ts defines it.
 * A request for an adviser with 100 of 2,000 funds takes 1.3 ms.
 */
export async function adviserFunds(sql: Sql, crd: string): Promise<AdviserFunds['funds']> {
  const rows = await sql<AdviserFunds['funds']>`
    with matched as (
      select d.*, '801_number' as method, 0.95::float8 as confidence, d.number_key as basis
      from pub.adv_adviser a
      join nmfp.advised d using (number_key)
      where a.crd = ${crd} and d.number_key like '80_-%'
      union all
      select d.*, 'ncen_crd', 0.9, c.accession
      from pub.ncen_adviser c join nmfp.advised d using (fund)
      where c.crd = ${crd} and (c.name_key = d.name_key or c.number_key = d.number_key)
        and not exists (select from pub.adv_adviser other where other.number_key = d.number_key)
      union all
      select d.*, 'name', 0.6, d.name_key
      from pub.adv_legal_name n join nmfp.advised d using (name_key)
      where n.crd = ${crd} and d.name_key <> ''
        and not exists (select from pub.adv_legal_name other where other.name_key = n.name_key and other.crd <> n.crd)
        and not exists (select from pub.adv_adviser other where other.number_key = d.number_key)
    ), best as (
      select distinct on (fund) fund, role, method, confidence, basis,
        max(last_period) over (partition by fund) as last_advised
      from matched order by fund, confidence desc, last_period desc, role, basis desc
    )
    select f.cik, f.registrant_name, f.period as latest_report_date, f.net_assets::text as latest_net_assets,
      f.seven_day_gross_yield::text as latest_seven_day_gross_yield, f.category as latest_mmf_category,
      b.last_advised as last_advised_report,
      b.last_advised = f.period and f.is_current as is_current,
      f.series_id, f.fund_name, b.role, b.method, b.confidence, b.basis, f.accession
    from best b join pub.nmfp_fund f using (fund)
    order by f.net_assets desc nulls last, f.fund limit ${FUNDS_MAX}`
  return [...rows]
}
