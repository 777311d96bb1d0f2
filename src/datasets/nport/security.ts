/** The key of a row of `security`: a hash of 63 bits over everything that a line states about the security. */
import type { Line } from './parse/types.ts'

/**
 * Returns the same key for the same texts from any report, so that the parser need not query a table for the key. Among
 * three million different securities, the probability that two share a key is one in two million.
 */
export function securityKey(security: Line['security']): string {
  let one = 0xdeadbeef
  let two = 0x41c6ce57
  for (const name of COLUMNS) {
    const text = security[name] ?? ''
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      one = Math.imul(one ^ code, 2654435761)
      two = Math.imul(two ^ code, 1597334677)
    }
    one = Math.imul(one ^ 0x1f, 2654435761)
    two = Math.imul(two ^ 0x1f, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return String((BigInt(two >>> 1) << 32n) | BigInt(one >>> 0))
}

const COLUMNS = [
  ...(['cusip', 'isin', 'ticker', 'lei', 'issuer_name', 'title_of_class', 'asset_cat', 'asset_description'] as const),
  ...(['issuer_cat', 'issuer_description', 'country', 'risk_country'] as const),
]
