import { filedAs } from '../../serve/filed.ts'
import { ofOnePassage } from '../../serve/search/conditions.ts'
import type { Tree } from '../../serve/search/tree.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import type { BrochureSearchPage } from './answers.ts'

interface Search {
  /** The search terms; one passage must match all of them. */
  tree: Tree
  page: number
  size: number
  /** CRD number of the firm. */
  crd?: string | undefined
  /** First and last day on which the brochure was filed. */
  from?: string | undefined
  to?: string | undefined
}

/**
 * Maximum number of ranked passages. A word that occurs in more passages, such as "fee", is in the brochures of nearly
 * every firm. A ranking by such a word means nothing, and ranking a million passages would take seconds.
 */
export const RANKED_MAX = 20_000
const EXCERPTS_MAX = 3

type Firm = Omit<BrochureSearchPage['rows'][number], 'excerpts'> & {
  /** The firm's best passages, the best first. */
  excerpts: PassageHit[]
}

/** Returns a page of firms, each once, ranked by its best passage. */
export async function search(
  sql: Sql,
  { tree, page, size, ...wanted }: Search,
): Promise<Omit<BrochureSearchPage, 'rows'> & { rows: Firm[] }> {
  const query = sql`${ofOnePassage(tree)}::tsquery`
  const matching = passagesOf(sql, query, wanted)
  const rows = await sql<(Firm & Counts)[]>`
    with matching as materialized (
      select p.id, p.n, p.crd, p.search ${matching}
      limit ${RANKED_MAX + 1}
    ), ranked as materialized (
      select id, n, crd, ts_rank_cd(search, ${query}, 1) as rank from matching
    ), firms as (
      select crd, max(rank) as rank, count(*)::int as passages from ranked group by crd
    ), shown as (
      select * from firms order by rank desc, passages desc, crd limit ${size} offset ${(page - 1) * size}
    ), best as (
      select r.*, row_number() over (partition by crd order by r.rank desc, r.id, r.n) as place
      from ranked r where crd in (select crd from shown)
    ), excerpts as (
      select b.crd, (array_agg(b.id order by b.place))[1] as id,
        json_agg(json_build_object(
          'id', b.id, 'section_id', p.section, 'start', p.start, 'text', p.text
        ) order by b.place) as excerpts
      from best b join brochures.passage p on p.id = b.id and p.n = b.n
      where b.place <= ${EXCERPTS_MAX}
      group by b.crd
    )
    select s.crd, a.firm_name, a.city, a.state, e.id, v.brochure_name, v.filing_date, s.passages, e.excerpts,
      (select count(*)::int from firms) as total, (select count(*)::int from matching) as matching
    from shown s
    join excerpts e using (crd)
    join brochures.version v on v.id = e.id
    left join pub.adv_adviser a on a.crd = s.crd
    order by s.rank desc, s.passages desc, s.crd`
  const counts = rows[0] ?? (page > 1 ? await countsOf(sql, matching) : { total: 0, matching: 0 })
  return {
    total: counts.total,
    is_total_exact: counts.matching <= RANKED_MAX,
    page,
    size,
    rows: rows.map(({ total: _, matching: __, ...row }) => row),
  }
}

/** SQL, from the keyword `from` on, of the matching passages of newest versions. */
const passagesOf = (sql: Sql, query: Fragment, { crd, ...days }: Pick<Search, 'crd' | 'from' | 'to'>) => sql`
  from brochures.passage p
  where p.search @@ ${query} and exists (select from brochures.brochure b where b.id = p.id)
    ${crd ? sql`and p.crd = ${crd}` : sql``}
    ${
      days.from || days.to
        ? sql`and exists (
      select from brochures.version v where v.id = p.id ${filedAs(sql, days, 'v.', 'filing_date')})`
        : sql``
    }`

interface Counts {
  total: number
  matching: number
}

interface PassageHit {
  id: string
  section_id: string | null
  start: number
  text: string
}

/** Counts the firms for a page after the last page, since that page has no row with the count. */
async function countsOf(sql: Sql, matching: Fragment): Promise<Counts> {
  const [row] = await sql<Counts[]>`
    select count(distinct crd)::int as total, count(*)::int as matching
    from (
      select p.crd ${matching}
      limit ${RANKED_MAX + 1}
    ) p`
  return row!
}
