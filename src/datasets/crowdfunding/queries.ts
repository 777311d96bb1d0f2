import type { DetailParams } from '../../declare/details.ts'
import { amends, detailOf, object, otherFilings, rowsIn, value } from '../../serve/details.ts'
import { notInSets, notLoaded } from '../../serve/loaded.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import * as answers from './answers.ts'
import { co_issuer, financial, signature, submission } from './tables.ts'
import { crowdfundingAmended } from './views.ts'

const { accession, filed_date } = submission.row.shape
const s = submission.columns

const stated = rowsIn(co_issuer, { id: 'FormCCoIssuer' })
const coIssuers = {
  type: stated.type
    .nullable()
    .describe('Co-issuers; null if `source` is `set`, since the quarterly data sets do not state them'),
  sql: (sql: Sql, params: DetailParams): Fragment =>
    sql`(case when filing.source = 'set' then null else ${stated.sql(sql, params)} end)`,
}

export const detail = detailOf(
  submission,
  'FormCDetail',
  {
    submission: object('FormCSubmission', {
      ...{ accession, filed_date, submission_type: s.submission_type, source: s.source, file_number: s.file_number },
      period: s.period,
      ...{ material_amendment: s.material_amendment, amendment_note: s.amendment_note, progress: s.progress },
      ...{ raised: s.raised, amended_by: amends(crowdfundingAmended) },
      signatures: rowsIn(signature, { id: 'FormCSignature' }),
      other_filings: otherFilings(submission, {
        id: 'FormCFilingRow',
        says: 'Up to 200 other Form C filings of the issuer, newest first. Filings with the same file number are about one offering; the newest of them has the terms that apply',
        facts: [
          ...(['submission_type', 'file_number', 'entity_name', 'target_amount', 'maximum_amount'] as const),
          ...(['raised', 'deadline'] as const),
        ],
        amended: crowdfundingAmended,
      }),
    }),
    issuer: object('FormCIssuer', {
      ...{ cik: s.cik, entity_name: s.entity_name, legal_form: s.legal_form, legal_form_other: s.legal_form_other },
      ...{ jurisdiction: s.jurisdiction, incorporated: s.incorporated, street1: s.street1, street2: s.street2 },
      ...{ city: s.city, state: s.state, zip: s.zip, website: s.website },
      current_employees: value(financial.columns.current_employees, (sql) =>
        ofFinancial(sql, sql`f.current_employees::text`),
      ),
      has_co_issuers: s.has_co_issuers,
      co_issuers: coIssuers,
    }),
    offering: object('FormCOffering', {
      intermediary: value(
        answers.intermediary,
        (sql) => sql`
        json_build_object('name', filing.intermediary_name, 'cik', filing.intermediary_cik,
          'file_number', filing.intermediary_file_number, 'crd', filing.intermediary_crd,
          'compensation', filing.compensation, 'financial_interest', filing.financial_interest)`,
      ),
      ...{ security_type: s.security_type, security_other: s.security_other, security_count: s.security_count },
      ...{ price: s.price, price_method: s.price_method, target_amount: s.target_amount },
      ...{ maximum_amount: s.maximum_amount, over_subscription_accepted: s.over_subscription_accepted },
      over_subscription_allocation: s.over_subscription_allocation,
      ...{ over_subscription_note: s.over_subscription_note, deadline: s.deadline, jurisdictions: s.jurisdictions },
      financials: value(answers.financials, (sql) =>
        ofFinancial(
          sql,
          sql`json_build_object('most_recent', ${figuresOf(sql, '')}, 'prior', ${figuresOf(sql, '_prior')})`,
        ),
      ),
    }),
    ...notLoaded,
  },
  async (_, { submission: { source } }) => notInSets('crowdfunding', source, 'its co-issuers are not known'),
)

const ofFinancial = (sql: Sql, selected: Fragment): Fragment =>
  sql`(select ${selected} from crowdfunding.financial f where f.accession = filing.accession)`

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

/** Selects the figures of a fiscal year as an object; columns of the newest year have no suffix. */
const figuresOf = (sql: Sql, suffix: '' | '_prior'): Fragment =>
  sql`json_build_object(${sql.unsafe(FIGURES.map((name) => `'${name}', f.${name}${suffix}::text`).join(', '))})`
