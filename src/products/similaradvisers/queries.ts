/** SQL of answers about similar firms. */
import type { Sql } from '../../store/db.ts'
import type { SimilarAnswer } from './answers.ts'

/**
 * Returns the firms most similar to this firm, best first; null for an unknown firm. Reads one range of the index, and
 * looks up each firm.
 */
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
      from similaradvisers.firm s join pub.adv_adviser o on o.crd = s.other_crd
      where s.crd = a.crd and s.rank <= ${limit}
    ), '[]') as items
    from pub.adv_adviser a where a.crd = ${crd}`
  return row ?? null
}
