import { amendmentsOf } from '../../serve/amended.ts'
import { otherFilings } from '../../serve/filings-of.ts'
import { rowsOf } from '../../serve/lists.ts'
import { assertStates } from '../../serve/states.ts'
import type { Sql } from '../../store/db.ts'
import { type Detail, row } from './answers.ts'
import { offering } from './tables.ts'
import { formdAmended } from './views.ts'

export const rows = rowsOf({ of: offering, row, amended: formdAmended })

export const refuseStates = (sql: Sql, states: readonly string[]) => assertStates(sql, states, ['formd.offering'])

/**
 * Maximum number of filings followed in one chain: far above one amendment a year, so that only mistaken references
 * reach it.
 */
const CHAIN_MAX = 200

/**
 * Returns one filing with all its data, its chain of amendments and the company's other filings; null if unknown. Long:
 * it is one statement of SQL.
 */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const [found] = await sql<[Row?]>`
    with recursive linked(accession) as (
      select ${accession}::text collate "C"
      union -- drops filings that were reached before, so that a cycle of references ends
      select next.accession
      from linked
      cross join lateral (
        select previous_accession as accession from formd.offering
        where accession = linked.accession and previous_accession is not null
        union all
        select accession from formd.offering where previous_accession = linked.accession
      ) next
    ),
    member as (
      select o.*,
        case
          when previous.accession is not null then 'held'
          when o.previous_accession is not null then 'not_held'
          when o.submission_type = 'D' then 'original'
          else 'not_stated'
        end as link,
        lag(o.total_offered) over chain as offered_before,
        lag(o.total_sold) over chain as sold_before,
        row_number() over chain = count(*) over () as is_effective
      from (select accession from linked limit ${CHAIN_MAX}) reached
      join formd.offering o using (accession)
      left join formd.offering previous on previous.accession = o.previous_accession
      window chain as (order by o.filed_date, o.accession)
    )
    select
      -- The code below fills this member; here it only takes its place among the members.
      filing.*, '{}'::text[] as amended_by,
      (select json_agg(to_jsonb(i) - 'accession' order by position)
        from formd.issuer i where i.accession = filing.accession) as issuers,
      (select coalesce(json_agg(to_jsonb(p) - 'accession' order by position), '[]')
        from formd.person p where p.accession = filing.accession) as persons,
      (select coalesce(json_agg(to_jsonb(r) - 'accession' order by position), '[]')
        from formd.recipient r where r.accession = filing.accession) as recipients,
      (select coalesce(json_agg(to_jsonb(s) - 'accession' order by position), '[]')
        from formd.signature s where s.accession = filing.accession) as signatures,
      (select json_agg(
          json_build_object(
            'accession', accession,
            'filed_date', filed_date,
            'submission_type', submission_type,
            'previous_accession', previous_accession,
            'amended_by', '[]'::json,
            'link', link,
            'total_offered', total_offered::text,
            'total_sold', total_sold::text,
            'is_effective', is_effective,
            'new_offered', trim_scale(case link when 'original' then total_offered when 'held' then total_offered - offered_before end)::text,
            'new_sold', trim_scale(case link when 'original' then total_sold when 'held' then total_sold - sold_before end)::text
          ) order by filed_date, accession)
        from member) as chain,
      (select coalesce(array_agg(accession order by filed_date desc, accession desc), '{}')
        from member where is_amendment) as amendments,
      ${otherFilings(sql, 'filing', {
        slug: 'formd',
        table: 'formd.offering',
        facts: sql`t.submission_type, t.entity_name, t.industry, t.total_offered::text as total_offered,
            t.total_offered_indefinite, t.total_sold::text as total_sold`,
      })} as other_filings
    from formd.offering filing
    where filing.accession = ${accession}`
  if (!found) return null
  const { name_key: _, name_words: __, amendments, other_filings, chain, ...filing } = found
  const { position: ___, ...company } = filing.issuers[0]!
  const amended = await amendedBy(sql, chain, amendments, other_filings)
  return {
    filing: {
      ...filing,
      amended_by: amended(accession),
      chain: chain.map((one) => ({ ...one, amended_by: amended(one.accession) })),
    },
    company,
    other_filings: other_filings.map((one) => ({ ...one, amended_by: amended(one.accession) })),
  }
}

interface Filing {
  accession: string
}

/**
 * Returns the filings that amend each filing: the newer amendments of its chain, or all of them if the filing itself is
 * not an amendment. The view gives the same result, but is queried only for filings outside the chain, since starting
 * its recursion takes a third as long as all the rest.
 *
 * @param amendments those of the chain, newest first
 */
async function amendedBy(sql: Sql, chain: readonly Filing[], amendments: string[], others: readonly Filing[]) {
  const known = new Map<string, string[]>()
  // Each filing names at most one filing that is not stored, so a chain of half the limit or more may have been cut
  // off.
  if (chain.length < CHAIN_MAX / 2) {
    for (const { accession } of chain) {
      const at = amendments.indexOf(accession)
      known.set(accession, at < 0 ? amendments : amendments.slice(0, at))
    }
  }
  const of = await amendmentsOf(
    sql,
    formdAmended,
    [...chain, ...others].filter((one) => !known.has(one.accession)),
  )
  return (accession: string) => known.get(accession) ?? of(accession)
}

type Row = Detail['filing'] & {
  name_key: string
  name_words: string
  amendments: string[]
  other_filings: Detail['other_filings']
}
