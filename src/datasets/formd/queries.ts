import { amendmentsOf } from '../../serve/amended.ts'
import { detailOf, facts, otherFilings, rowsIn, value } from '../../serve/details.ts'
import { rowsOf } from '../../serve/lists.ts'
import { assertStates } from '../../serve/states.ts'
import type { Sql } from '../../store/db.ts'
import { chain, company, row } from './answers.ts'
import { issuer, offering, person, recipient, signature } from './tables.ts'
import { formdAmended } from './views.ts'

export const rows = rowsOf({ of: offering, row, amended: formdAmended })

export const refuseStates = (sql: Sql, states: readonly string[]) => assertStates(sql, states, ['formd.offering'])

/**
 * Maximum number of filings followed in one chain: far above one amendment a year, so that only mistaken references
 * reach it.
 */
const CHAIN_MAX = 200

/**
 * The chain of `filing`, oldest first. It has the filings that `filing` amends or that amend it, directly or through
 * others. The limit also counts filings that others name but that are not stored. So a chain with at least half as many
 * stored filings as the limit may have been cut off: then `amended_by` is null, and `amendedBy` queries the view.
 */
const chainOf = (sql: Sql) => sql`(
  with recursive linked(accession) as (
    select filing.accession
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
      row_number() over chain = count(*) over () as is_effective,
      case
        when count(*) over () >= ${CHAIN_MAX / 2} then null
        when o.is_amendment then coalesce(array_agg(o.accession) filter (where o.is_amendment) over later, '{}')
        else coalesce(array_agg(o.accession) filter (where o.is_amendment) over newest, '{}')
      end as amended_by
    from (select accession from linked limit ${CHAIN_MAX}) reached
    join formd.offering o using (accession)
    left join formd.offering previous on previous.accession = o.previous_accession
    window chain as (order by o.filed_date, o.accession),
      newest as (order by o.filed_date desc, o.accession desc rows between unbounded preceding and unbounded following),
      later as (order by o.filed_date desc, o.accession desc rows between unbounded preceding and 1 preceding)
  )
  select json_agg(
    json_build_object(
      'accession', accession,
      'filed_date', filed_date,
      'submission_type', submission_type,
      'previous_accession', previous_accession,
      'amended_by', amended_by,
      'link', link,
      'total_offered', total_offered::text,
      'total_sold', total_sold::text,
      'is_effective', is_effective,
      'new_offered', trim_scale(case link when 'original' then total_offered when 'held' then total_offered - offered_before end)::text,
      'new_sold', trim_scale(case link when 'original' then total_sold when 'held' then total_sold - sold_before end)::text
    ) order by filed_date, accession)
  from member)`

export const detail = detailOf(
  offering,
  'FormDDetail',
  {
    filing: facts(offering, {
      id: 'FormDOffering',
      parts: {
        issuers: rowsIn(issuer, { id: 'FormDIssuer', says: 'The primary issuer, then co-issuers' }),
        persons: rowsIn(person, { id: 'FormDPerson', says: 'Related persons' }),
        recipients: rowsIn(recipient, { id: 'FormDRecipient', says: 'Recipients of sales compensation' }),
        signatures: rowsIn(signature, { id: 'FormDSignature' }),
        chain: value(chain, chainOf),
      },
    }),
    company,
    other_filings: otherFilings(offering, {
      id: 'FormDFilingRow',
      says: 'Up to 200 other Form D filings of the primary issuer, newest first',
      facts: ['submission_type', 'entity_name', 'industry', 'total_offered', 'total_offered_indefinite', 'total_sold'],
    }),
  },
  async (sql, { filing, other_filings }) => {
    const { position: _, ...company } = filing.issuers[0]!
    const amended = await amendedBy(sql, filing.chain, other_filings)
    const marked = <T extends Filing>(one: T) => ({ ...one, amended_by: amended(one.accession) })
    return {
      company,
      filing: { ...marked(filing), chain: filing.chain.map(marked) },
      other_filings: other_filings.map(marked),
    }
  },
)

interface Filing {
  accession: string
}

/**
 * Returns the filings that amend each filing, from the chain if the filing is in it, else from the view. The view
 * follows the chain again for each filing, which took 130 ms for a chain of 90. Even without a chain, starting the
 * recursion takes a third of the time that the rest of the answer takes.
 */
async function amendedBy(
  sql: Sql,
  chain: readonly (Filing & { amended_by: string[] | null })[],
  others: readonly Filing[],
): Promise<(accession: string) => string[]> {
  const known = new Map(chain.flatMap(({ accession, amended_by: by }) => (by === null ? [] : [[accession, by]])))
  const unknown = [...chain, ...others].filter(({ accession }) => !known.has(accession))
  const of = await amendmentsOf(sql, formdAmended, unknown)
  return (accession) => known.get(accession) ?? of(accession)
}
