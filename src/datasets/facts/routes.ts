import { BULK, SPINE } from '../../declare/catalog.ts'
import { choice, cik, security as cusip, day, get } from '../../declare/route.ts'
import { nothing } from '../../serve/loaded.ts'
import { ofCompany, ofSecurity } from './answers.ts'
import { financials, financialsOf, READ } from './financials.ts'
import { CHOICES } from './statement.ts'

const input = {
  period: choice(
    CHOICES,
    'annual: fiscal years. quarter: quarters, computed as differences if no report states them. all: both, and also sums of two and three quarters. The default is annual, or all if the company has not reported a year yet',
  ).optional(),
  as_of: day('Answers with what was known on this day: ignores filings that were filed later').optional(),
}

const ABOUT = `Figures come from the filings' XBRL. A period is identified by its first and last days. If several filings report a figure, the value of the last filing is shown, together with the value reported first if it differs. Each figure has its tag, its filing and a link. If no filing reports a figure, it is derived or computed by a rule that is given with it. Without such a rule it is null, and its reason says why. Figures in proxy statements are not used. Amounts are in the currency of the reports and never converted, and nothing is adjusted for splits.`

export const company = get('/facts/companies/{cik}/financials', {
  name: 'company_financials',
  summary: 'Show a company’s figures by year and quarter',
  description: `Revenue, income, cash flow and balance sheet of a company, each figure with its filing. ${ABOUT}`,
  tag: 'companies',
  reads: [BULK, 'companies'],
  leads: {
    found: {
      cik: {
        in: 'facts.company',
        by: 'cik',
        where: "exists (select from facts.fact f where f.cik = t.cik and f.taxonomy <> 'dei')",
      },
    },
  },
  input: { cik, ...input },
  examples: [{ cik: '320193' }, { cik: '320193', period: 'quarter', as_of: '2024-12-31' }],
  output: ofCompany,
  rows: 'history',
  run: async ({ cik, ...input }, { sql }) => {
    const found = await financials(sql, cik, input)
    return found ?? nothing(sql, READ)
  },
})

export const security = get('/adv/securities/{cusip}/financials', {
  name: 'security_financials',
  summary: 'Show figures of a security’s issuer',
  description: `Figures of the company that issued a security, by year and quarter, each with its filing. The company is the one whose CIK is believed to belong to the CUSIP: /adv/securities/{cusip}/identifiers says why. ${ABOUT}`,
  tag: 'securities',
  reads: [BULK, SPINE, 'identifiers'],
  leads: {
    found: {
      cusip: {
        in: 'identifiers.best',
        by: 'cusip',
        where: "exists (select from facts.fact f where f.cik = t.cik and f.taxonomy <> 'dei')",
      },
    },
  },
  input: { cusip, ...input },
  examples: [{ cusip: '037833100' }, { cusip: '037833100', period: 'quarter', as_of: '2025-12-31' }],
  output: ofSecurity,
  rows: 'history',
  run: ({ cusip, ...input }, { sql }) => financialsOf(sql, cusip, input),
})
