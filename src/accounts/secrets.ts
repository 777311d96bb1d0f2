/** Secrets of sign-in, and values that are derived from them. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, as 43 characters of base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Derives a secret for one purpose from another secret. The result does not reveal that other secret. */
export const derived = (secret: string, purpose: string): string =>
  createHmac('sha256', secret).update(purpose).digest('base64url')

/** Compares two secrets in a time that does not depend on them. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
