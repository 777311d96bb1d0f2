/** A client of one host, with the pace and the User-Agent that the operator set. */
import type { Config } from './config.ts'
import { type ClientEvent, type EdgarClient, edgarClient } from './fetch/client.ts'
import type { SharedPace } from './fetch/pace.ts'

/** @param shared where the pace of all processes is kept */
export function clientOf(
  config: Config,
  baseUrl: string,
  { log, shared }: { log?: ((event: ClientEvent) => void) | undefined; shared?: SharedPace | undefined } = {},
): EdgarClient {
  return edgarClient({
    baseUrl,
    userAgent: config.EDGAR_USER_AGENT,
    perSecond: config.EDGAR_REQUESTS_PER_SECOND,
    pauseMs: config.EDGAR_PAUSE_SECONDS * 1000,
    paceLoopback: config.EDGAR_PACE_LOOPBACK,
    shared,
    ...(log ? { log } : {}),
  })
}
