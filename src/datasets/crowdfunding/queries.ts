import { amendedIn } from '../../serve/amended.ts'
import { otherFilings } from '../../serve/filings-of.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import type { Detail } from './answers.ts'
import { crowdfundingAmended } from './views.ts'

/**
 * Returns one filing with all its data and the issuer's other filings; null if unknown. Long: it is one statement of
 * SQL.
 */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const [row] = await sql<[Detail?]>`
    select
      json_build_object(
        'accession', s.accession,
        'filed_date', s.filed_date,
        'submission_type', s.submission_type,
        'file_number', s.file_number,
        'period', s.period,
        'material_amendment', s.material_amendment,
        'amendment_note', s.amendment_note,
        'progress', s.progress,
        'raised', s.raised::text,
        'amended_by', ${amendedIn(sql, crowdfundingAmended, 's')},
        'signatures', (
          select coalesce(json_agg(to_jsonb(g) - 'accession' order by position), '[]')
          from crowdfunding.signature g where g.accession = s.accession),
        'other_filings', ${otherFilings(sql, 's', {
          slug: 'crowdfunding',
          table: 'crowdfunding.submission',
          amended: crowdfundingAmended,
          facts: sql`t.submission_type, t.file_number, t.entity_name, t.target_amount::text as target_amount,
              t.maximum_amount::text as maximum_amount, t.raised::text as raised, t.deadline`,
        })}
      ) as submission,
      json_build_object(
        'cik', s.cik,
        'entity_name', s.entity_name,
        'legal_form', s.legal_form,
        'legal_form_other', s.legal_form_other,
        'jurisdiction', s.jurisdiction,
        'incorporated', s.incorporated,
        'street1', s.street1,
        'street2', s.street2,
        'city', s.city,
        'state', s.state,
        'zip', s.zip,
        'website', s.website,
        'current_employees', f.current_employees::text,
        'has_co_issuers', s.has_co_issuers,
        'co_issuers', (
          select coalesce(json_agg(to_jsonb(c) - 'accession' order by position), '[]')
          from crowdfunding.co_issuer c where c.accession = s.accession)
      ) as issuer,
      json_build_object(
        'intermediary', json_build_object(
          'name', s.intermediary_name,
          'cik', s.intermediary_cik,
          'file_number', s.intermediary_file_number,
          'crd', s.intermediary_crd,
          'compensation', s.compensation,
          'financial_interest', s.financial_interest),
        'security_type', s.security_type,
        'security_other', s.security_other,
        'security_count', s.security_count::text,
        'price', s.price::text,
        'price_method', s.price_method,
        'target_amount', s.target_amount::text,
        'maximum_amount', s.maximum_amount::text,
        'over_subscription_accepted', s.over_subscription_accepted,
        'over_subscription_allocation', s.over_subscription_allocation,
        'over_subscription_note', s.over_subscription_note,
        'deadline', s.deadline,
        'jurisdictions', s.jurisdictions,
        'financials', case when f.accession is not null then json_build_object(
          'most_recent', ${figuresOf(sql, '')},
          'prior', ${figuresOf(sql, '_prior')}
        ) end
      ) as offering
    from crowdfunding.submission s
    left join crowdfunding.financial f using (accession)
    where s.accession = ${accession}`
  return row ?? null
}

const FIGURES = [
  'total_assets',
  'cash',
  'accounts_receivable',
  'short_term_debt',
  'long_term_debt',
  'revenue',
  'cost_of_goods_sold',
  'taxes_paid',
  'net_income',
]

/** The figures of a fiscal year as an object: columns of the newest year have no suffix. */
const figuresOf = (sql: Sql, suffix: '' | '_prior'): Fragment =>
  sql`json_build_object(${sql.unsafe(FIGURES.map((name) => `'${name}', f.${name}${suffix}::text`).join(', '))})`
