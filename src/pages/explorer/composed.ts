/** Declares which links of a thing are requested, for pages whose charts come from several answers. */
import type { Row } from './chart-of.ts'
import { isObject } from './shape.ts'

export interface Followed {
  /**
   * The name of a link of the answer, `self`, or an address of the API. If the answer has no such link, no request is
   * sent.
   */
  link: string
  /** Parameters that are added to the parameters of the link. */
  query?: Readonly<Record<string, string>>
  /**
   * Sends one request for each of these quarters, the last quarter first. The answers become the rows `quarters` of one
   * answer.
   */
  quarters?: (answer: Row) => readonly string[]
  /** Whether the page does not wait for the answer, although its route is not heavy. */
  isLater?: boolean
}

/** Requests by the operation of the page. A page sends at most twelve requests. */
export const COMPOSED: Readonly<Record<string, readonly Followed[]>> = {
  company: [
    // When the page waited for these four answers, they took more than half of its time.
    { link: 'company_financials', query: { period: 'annual' }, isLater: true },
    { link: 'company_financials', query: { period: 'quarter' }, isLater: true },
    { link: 'insider_transactions', query: { limit: '200', joint: 'once' }, isLater: true },
    { link: 'filings', query: { count: 'month', limit: '1' }, isLater: true },
  ],
  adv_adviser: [
    { link: 'adviser_rep_flows', isLater: true },
    { link: 'adviser_headcount', isLater: true },
    { link: 'adv_holdings_13f', query: { changes: 'true', limit: '10' }, isLater: true },
  ],
  security: [
    { link: 'security_price_history', isLater: true },
    { link: 'security_financials', isLater: true },
    { link: 'security_holders', query: { source: 'f13', sort: 'bought', limit: '8' }, isLater: true },
    { link: 'security_holders', query: { source: 'f13', sort: 'sold', limit: '8' }, isLater: true },
    { link: 'security_holders', query: { limit: '1', source: 'f13' }, quarters: holderQuarters, isLater: true },
  ],
  thirteenf_holdings: [{ link: 'self', query: { changes: 'true', limit: '1' } }],
  status: [{ link: '/v1/filings/coverage' }],
  insider: [{ link: 'insider_transactions_by_person', query: { limit: '200', joint: 'once' } }],
  fund_holdings: [{ link: 'self', query: { limit: '1' }, quarters: reported }],
}

/** Maximum number of quarters that a page requests. */
const QUARTERS = 6

/** The quarters for which managers have reported the security; none if the first of these quarters is unknown. */
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
