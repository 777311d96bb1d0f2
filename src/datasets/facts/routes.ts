import { BULK } from '../../declare/catalog.ts'
import { choice, cik, day, get } from '../../declare/route.ts'
import { nothing } from '../../serve/loaded.ts'
import { ofCompany } from './answers.ts'
import { financials } from './financials.ts'
import { CHOICES } from './statement.ts'

const READ = { series: { COMPANY_FACTS: 'figures of companies are not known' } }

const asked = {
  period: choice(
    CHOICES,
    'annual: fiscal years; quarter: quarters, those that no report has as differences; all: both, and sums of two and three quarters. Without it annual, or all where a company has reported no year yet',
  ).optional(),
  as_of: day('What was known on that day: filings filed later do not count').optional(),
}

const ABOUT = `Figures come from the filings' XBRL. Periods are decided by their first and last days. A figure reported again counts as the filing has it that was filed last, and the value reported first stands beside it. Each figure has its tag, its filing and a link; one that no filing reports is derived or computed only by the rule told beside it, or null with the reason. Proxy statements do not count. Amounts are in the currency of the reports and never converted, and nothing is adjusted for splits.`

export const company = get('/facts/companies/{cik}/financials', {
  name: 'company_financials',
  summary: 'Revenue, income, cash flow and balance sheet of a company by year and quarter, each figure with its filing',
  description: ABOUT,
  tag: 'companies',
  reads: [BULK],
  input: { cik, ...asked },
  examples: [{ cik: '320193' }, { cik: '320193', period: 'quarter', as_of: '2024-12-31' }],
  output: ofCompany,
  rows: 'history',
  run: async ({ cik, ...input }, { sql }) => (await financials(sql, cik, input)) ?? nothing(sql, READ),
})
