/** The key of a security's dictionary entry: a hash of 63 bits of the texts in a line about the security. */
import type { Holding } from '../parse/types.ts'

type SecurityTexts = Pick<Holding, 'cusip' | 'issuer' | 'title' | 'figi'>

/**
 * Returns the same key for the same four texts wherever they are read, so that no table is queried. Among three million
 * different securities, the probability that two share a key is one in two million.
 */
export function securityKey({ cusip, issuer, title, figi }: SecurityTexts): string {
  const text = `${cusip ?? ''}\u001f${issuer ?? ''}\u001f${title ?? ''}\u001f${figi ?? ''}`
  let one = 0xdeadbeef
  let two = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2654435761)
    two = Math.imul(two ^ code, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return String((BigInt(two >>> 1) << 32n) | BigInt(one >>> 0))
}
