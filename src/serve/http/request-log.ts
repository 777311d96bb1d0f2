/**
 * Writes a line of the log for each request. Requests beyond a key's limit are only counted: a client in a loop must not
 * fill the disk.
 */
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { loggable } from './log.ts'

/** What is logged of a request besides what it says itself. */
interface Ended {
  route: string
  status: number
  ms: number
}

export interface RequestLog {
  add(request: FastifyRequest, ended: Ended): void
  /** Writes the counts that are not written yet. */
  close(): void
}

const TOO_MANY = 429
/** With a line each, the 595,000 refusals of one minute were 174 MB. */
const COUNTED_MS = 1_000

/**
 * Logs the first refusal (429) of a key like any request. The refusals of the second after it become one line with their
 * number; then the next one is the first again.
 */
export function requestLog(log: Logger): RequestLog {
  const refused = new Map<string, { more: number; timer: NodeJS.Timeout }>()

  function tell(keyId: string): void {
    const { more, timer } = refused.get(keyId)!
    refused.delete(keyId)
    clearTimeout(timer)
    if (more > 0) log.info({ keyId, status: TOO_MANY, requests: more }, 'more requests')
  }

  return {
    add(request, { route, status, ms }) {
      const { keyId } = request
      if (status === TOO_MANY && keyId !== undefined) {
        const known = refused.get(keyId)
        if (known) {
          known.more++
          return
        }
        refused.set(keyId, { more: 0, timer: setTimeout(() => tell(keyId), COUNTED_MS).unref() })
      }
      log.info(
        {
          reqId: request.id,
          method: request.method,
          url: loggable(request.url),
          route,
          status,
          ms: Math.round(ms * 10) / 10,
          keyId,
          // Behind a proxy this is what somebody wrote into X-Forwarded-For.
          ip: request.ip === request.socket.remoteAddress || isIP(request.ip) > 0 ? request.ip : null,
        },
        'request',
      )
    },
    close() {
      for (const keyId of [...refused.keys()]) tell(keyId)
    },
  }
}
