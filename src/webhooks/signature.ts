/**
 * Signs deliveries by the scheme of Standard Webhooks (standardwebhooks.com), version 1, for which every language has a
 * library.
 */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** A new secret: 256 random bits. */
export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64')

/**
 * Headers that prove who sent a body and when. They also prove that the body is complete.
 *
 * @param id of the delivery, the same at each try
 */
export function signed(secret: string, id: string, body: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
