/** A client of one host, with the manners that the operator set. */
import type { Config } from './config.ts'
import { type ClientEvent, type EdgarClient, edgarClient } from './fetch/client.ts'

export function clientOf(config: Config, baseUrl: string, log?: (event: ClientEvent) => void): EdgarClient {
  return edgarClient({
    baseUrl,
    userAgent: config.EDGAR_USER_AGENT,
    perSecond: config.EDGAR_REQUESTS_PER_SECOND,
    ...(log ? { log } : {}),
  })
}
