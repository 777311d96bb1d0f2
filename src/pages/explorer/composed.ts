/** Pages whose charts come from several answers: which links of a thing are followed for them. */
import type { Row } from './chart-of.ts'
import { isObject } from './shape.ts'

export interface Followed {
  /** The name of a link of the answer, `self`, or an address of the API. Without such a link no request is made. */
  link: string
  /** Parameters besides those of the link. */
  query?: Readonly<Record<string, string>>
  /** Sends one request for each of these quarters, the last quarter first. The answers are the rows `quarters`. */
  quarters?: (answer: Row) => readonly string[]
}

/** By the operation of the page. Together they send at most twelve requests. */
export const COMPOSED: Readonly<Record<string, readonly Followed[]>> = {
  company: [
    { link: 'company_financials', query: { period: 'annual' } },
    { link: 'company_financials', query: { period: 'quarter' } },
    { link: 'insider_transactions', query: { limit: '200' } },
    { link: 'filings', query: { count: 'month', limit: '1' } },
  ],
  adv_adviser: [
    { link: 'adviser_rep_flows' },
    { link: 'adviser_headcount' },
    { link: 'adv_holdings_13f', query: { changes: 'true', limit: '10' } },
  ],
  security: [
    { link: 'security_price_history' },
    { link: 'security_financials' },
    { link: 'security_holders', query: { limit: '1', source: 'f13' }, quarters: holderQuarters },
  ],
  thirteenf_holdings: [{ link: 'self', query: { changes: 'true', limit: '1' } }],
  status: [{ link: '/v1/filings/coverage' }],
  insider: [{ link: 'insider_transactions_by_person', query: { limit: '200' } }],
  fund_holdings: [{ link: 'self', query: { limit: '1' }, quarters: reported }],
}

/** Quarters for which a page asks at most. */
const QUARTERS = 6

/** Quarters that managers have reported the security for, as far as it is known since when. */
function holderQuarters({ f13 }: Row): readonly string[] {
  if (!isObject(f13)) return []
  const { newest_period: newest, since } = f13
  if (typeof newest !== 'string' || typeof since !== 'string') return []
  const quarters: string[] = []
  for (let at = newest; at >= since && quarters.length < QUARTERS; at = quarterBefore(at)) quarters.push(at)
  return quarters
}

function quarterBefore(day: string): string {
  const [year, month] = day.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month - 3, 0)).toISOString().slice(0, 10)
}

function reported({ periods }: Row): readonly string[] {
  return Array.isArray(periods) ? periods.map(String).sort().reverse().slice(0, QUARTERS) : []
}
