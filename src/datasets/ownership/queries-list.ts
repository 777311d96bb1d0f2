/** Lists Forms 3, 4 and 5. */
import { meets } from '../../names.ts'
import { withAmended } from '../../serve/amended.ts'
import { newestFilings, type Wanted } from '../../serve/newest.ts'
import type { Sql } from '../../store/db.ts'
import type { Filings } from './answers.ts'
import { firstOf } from './queries-lines.ts'
import { ownershipAmended } from './views.ts'

interface Search extends Wanted {
  /** Name of the issuer, or of an owner. */
  q?: string | undefined
  /** CIK of the issuer. */
  cik?: string | undefined
  /** CIK of a reporting owner. */
  person?: string | undefined
  form?: string | undefined
}

type Row = Omit<Filings['rows'][number], 'amended_by'>

/**
 * Returns a page of filings, newest first: of all, of an issuer, or of an owner, each in the order of its own index.
 */
export async function filings(sql: Sql, wanted: Search): Promise<Omit<Filings, 'not_loaded'>> {
  const { q, cik, person, form } = wanted
  const page = await newestFilings<Row>(sql, wanted, {
    list: 'insider_filings',
    columns: sql`
      r.accession, r.filed_date, r.submission_type, r.is_amendment, r.source, r.period, r.issuer_cik, r.issuer_name, r.ticker,
      r.plan_10b5_1, (select coalesce(jsonb_agg(jsonb_build_object('cik', o.cik, 'name', o.name,
        'is_director', o.is_director, 'is_officer', o.is_officer, 'is_ten_percent_owner', o.is_ten_percent_owner,
        'is_other', o.is_other, 'officer_title', o.officer_title, 'other_relationship', o.other_relationship)
        order by o.position), '[]') from ownership.owner o where o.accession = r.accession) as owners`,
    // `offset 0` keeps the planner from reading all filings of a person to sort them.
    source: person
      ? sql`ownership.owner o cross join lateral (select * from ownership.report own where own.accession = o.accession offset 0) r`
      : sql`ownership.report r`,
    of: person ? 'o.' : 'r.',
    conditions: [
      ...(person ? [sql`o.cik = ${person} and o.position = ${firstOf(sql)}`] : []),
      ...(cik ? [sql`r.issuer_cik = ${cik}`] : []),
      ...(form ? [sql`r.submission_type = ${form}`] : []),
      ...(q ? [sql`(${named(sql, q, 'name')} or ${named(sql, q, 'owner')})`] : []),
    ],
  })
  return withAmended(sql, ownershipAmended, page)
}

const named = (sql: Sql, q: string, whose: 'name' | 'owner') =>
  meets(sql, q, { words: sql`r.${sql(`${whose}_words`)}`, folded: sql`r.${sql(`${whose}_key`)}` })
