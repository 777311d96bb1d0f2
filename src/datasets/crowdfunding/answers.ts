/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { filingWith } from '../../serve/filings-of.ts'
import { co_issuer, financial, signature, submission } from './tables.ts'

const { accession: own, filed_date } = submission.row.shape
const s = submission.columns
const f = financial.columns

const otherFiling = filingWith({
  submission_type: s.submission_type,
  file_number: s.file_number,
  entity_name: s.entity_name,
  target_amount: s.target_amount,
  maximum_amount: s.maximum_amount,
  raised: s.raised,
  deadline: s.deadline,
}).meta({ id: 'FormCFilingRow' })

/** The figures of one fiscal year. */
const year = z
  .object({
    total_assets: f.total_assets.describe('Total assets'),
    cash: f.cash.describe('Cash and cash equivalents'),
    accounts_receivable: f.accounts_receivable.describe('Accounts receivable'),
    short_term_debt: f.short_term_debt.describe('Short-term debt'),
    long_term_debt: f.long_term_debt.describe('Long-term debt'),
    revenue: f.revenue.describe('Revenues or sales'),
    cost_of_goods_sold: f.cost_of_goods_sold.describe('Cost of goods sold'),
    taxes_paid: f.taxes_paid.describe('Taxes paid'),
    net_income: f.net_income.describe('Net income'),
  })
  .meta({ id: 'FormCFiscalYear' })

export const answer = z
  .object({
    submission: z
      .object({
        accession: own,
        filed_date,
        submission_type: s.submission_type,
        file_number: s.file_number,
        period: s.period,
        material_amendment: s.material_amendment,
        amendment_note: s.amendment_note,
        progress: s.progress,
        raised: s.raised,
        amended_by: amendedBy,
        signatures: z.array(signature.parsed.meta({ id: 'FormCSignature' })),
        other_filings: z
          .array(otherFiling)
          .describe(
            'Up to 200 other Form C filings of the issuer, newest first; those of one file number are of one offering, and its newest terms hold',
          ),
      })
      .meta({ id: 'FormCSubmission' }),
    issuer: z
      .object({
        cik: s.cik,
        entity_name: s.entity_name,
        legal_form: s.legal_form,
        legal_form_other: s.legal_form_other,
        jurisdiction: s.jurisdiction,
        incorporated: s.incorporated,
        street1: s.street1,
        street2: s.street2,
        city: s.city,
        state: s.state,
        zip: s.zip,
        website: s.website,
        current_employees: f.current_employees,
        has_co_issuers: s.has_co_issuers,
        co_issuers: z.array(co_issuer.parsed.meta({ id: 'FormCCoIssuer' })),
      })
      .meta({ id: 'FormCIssuer' }),
    offering: z
      .object({
        intermediary: z
          .object({
            name: s.intermediary_name,
            cik: s.intermediary_cik,
            file_number: s.intermediary_file_number,
            crd: s.intermediary_crd,
            compensation: s.compensation,
            financial_interest: s.financial_interest,
          })
          .describe('Funding portal or broker')
          .meta({ id: 'FormCIntermediary' }),
        security_type: s.security_type,
        security_other: s.security_other,
        security_count: s.security_count,
        price: s.price,
        price_method: s.price_method,
        target_amount: s.target_amount,
        maximum_amount: s.maximum_amount,
        over_subscription_accepted: s.over_subscription_accepted,
        over_subscription_allocation: s.over_subscription_allocation,
        over_subscription_note: s.over_subscription_note,
        deadline: s.deadline,
        jurisdictions: s.jurisdictions,
        financials: z
          .object({
            most_recent: year.describe('Most recent fiscal year, US dollars'),
            prior: year.describe('Fiscal year before it, US dollars'),
          })
          .meta({ id: 'FormCFinancials' })
          .nullable()
          .describe('Most recent and prior fiscal year; null in forms that report no figures (C-TR, withdrawals)'),
      })
      .meta({ id: 'FormCOffering' }),
  })
  .meta({ id: 'FormCDetail' })

export type Detail = z.infer<typeof answer>
