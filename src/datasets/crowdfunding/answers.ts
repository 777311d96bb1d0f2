/** Shapes of answers. */
import { z } from 'zod'
import { financial, submission } from './tables.ts'

const s = submission.columns
const f = financial.columns

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

export const intermediary = z
  .object({
    name: s.intermediary_name,
    cik: s.intermediary_cik,
    file_number: s.intermediary_file_number,
    crd: s.intermediary_crd,
    compensation: s.compensation,
    financial_interest: s.financial_interest,
  })
  .describe('Funding portal or broker')
  .meta({ id: 'FormCIntermediary' })

export const financials = z
  .object({
    most_recent: year.describe('Most recent fiscal year, US dollars'),
    prior: year.describe('Fiscal year before the most recent one, US dollars'),
  })
  .meta({ id: 'FormCFinancials' })
  .nullable()
  .describe('Most recent and prior fiscal year; null in forms that report no figures (C-TR, withdrawals)')
