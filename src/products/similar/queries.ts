/** SQL of similar firms. */
import type { Sql, Transaction } from '../../store/db.ts'
import type { Figures } from './likeness.ts'
import { type ListEnd, SIMILAR_MAX } from './lists.ts'
import type { SimilarAnswer } from './routes.ts'

/** The firms most like this one, best first; null for no firm. One range of the index, and a look-up for each. */
export async function similarTo(sql: Sql, crd: string, limit: number): Promise<SimilarAnswer | null> {
  const [row] = await sql<[SimilarAnswer?]>`
    select coalesce((
      select json_agg(json_build_object(
        'id', o.crd,
        'crd', o.crd,
        'firm_name', o.firm_name,
        'city', o.city,
        'state', o.state,
        'lat', o.lat,
        'lng', o.lng,
        'total_raum', o.latest_raum::text,
        'latest_filing_date', o.latest_filing_date,
        'has_disciplinary', o.has_disciplinary,
        'dominant_fund_type', o.dominant_fund_type,
        'shared_fund_types', s.shared_fund_types,
        'sim_size', s.sim_size,
        'sim_serves', s.sim_serves,
        'sim_fund', s.sim_fund,
        'sim_comp', s.sim_comp,
        'same_state', s.same_state,
        'score', s.score
      ) order by s.rank)
      from adv.similar s join adv.adviser o on o.crd = s.other_crd
      where s.crd = a.crd and s.rank <= ${limit}
    ), '[]') as items
    from adv.adviser a where a.crd = ${crd}`
  return row ?? null
}

export interface Compared extends Figures {
  fund_type_list: string[]
}

/** What is compared of all firms. A firm that gives only boxes "fewer than 5" serves these types alike. */
export async function comparedFirms(tx: Transaction): Promise<Compared[]> {
  return tx<Compared[]>`
    select crd, state, is_terminated, latest_raum as raum, fund_count, fund_types, fund_values, fund_type_list,
      coalesce(client_shares, (
        select jsonb_object_agg(key, 1) from jsonb_each(clients) where (value ->> 'fewer_than_5')::boolean
      )) as clients,
      array[comp_pct_aum, comp_hourly, comp_subscription, comp_fixed, comp_commissions, comp_performance, comp_other]
        as comp
    from adv.adviser`
}

/** Firms whose list has one of these, and firms with a list that are no more. */
export async function listing(tx: Transaction, crds: readonly string[]): Promise<string[]> {
  const rows = await tx<{ crd: string }[]>`
    select distinct crd from adv.similar where other_crd = any(${crds as string[]})
    union
    select distinct crd from adv.similar where crd = any(${crds as string[]})`
  return rows.map(({ crd }) => crd)
}

/** The last entries of the lists that are full. */
export async function listEnds(tx: Transaction): Promise<ListEnd[]> {
  return tx<ListEnd[]>`
    select crd, round(score * 10000)::int as score, other_crd as last from adv.similar where rank = ${SIMILAR_MAX}`
}

/** Removes the lists of these firms; of all for null. */
export async function deleteLists(tx: Transaction, crds: readonly string[] | null): Promise<void> {
  await tx`delete from adv.similar where ${crds ? tx`crd = any(${crds as string[]})` : tx`true`}`
}
