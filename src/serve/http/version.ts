/** Follows the data versions. A data version changes whenever data changes that answers may show. */
import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { messageOf } from '../../declare/errors.ts'
import { originOf } from '../../ingest/origin.ts'
import type { Sql } from '../../store/db.ts'
import { DATA_CHANNEL, dataVersions, type Versions, versionOf, versionsOf } from '../../store/meta.ts'

/**
 * The versions are also read at this interval. Through a connection pooler in transaction mode, LISTEN does not work,
 * so only these readings show changes. With LISTEN, these readings make up for notifications that were lost when the
 * connection was lost.
 */
const REREAD_MS = 10_000

/** Tells waiting code that the data has changed. */
export interface Changes {
  /** The number of data changes so far, as last read; 0 before the first reading. */
  count(): number
  /** Resolves when the count differs from `seen`. @throws AbortError when the signal aborts */
  next(seen: number, signal: AbortSignal): Promise<void>
}

export interface DataVersions extends Changes {
  /** Version of answers that are made from these slices, as last read; null before the first reading. */
  of(slugs: readonly string[]): string | null
  /** The number of data changes so far, as last read. */
  total(): number | null
  /** Whether the data is the bundled sample or a part of it, as last read. */
  isSample(): boolean
  close(): void
}

/**
 * Follows the data versions. Long: reading and listening share the known versions.
 *
 * @param sql connection to the primary: a hot standby cannot LISTEN, and receives a change later
 * @returns the versions. The promise resolves after the first reading, successful or not
 */
export async function followDataVersions(sql: Sql, log: Logger): Promise<DataVersions> {
  let versions: Versions | null = null
  let isSample = false
  /** Results of `of` for the last reading, by its argument: each route passes the same array at every request. */
  let known = new Map<readonly string[], string>()
  const news = new EventEmitter().setMaxListeners(0)
  let closed = false
  let failing = false
  let reading: Promise<void> | undefined
  let again = false

  const total = () => versions && [...versions.values()].reduce((sum, version) => sum + Number(version), 0)
  const count = () => total() ?? 0

  async function readOnce(): Promise<void> {
    try {
      const before = total()
      const [rows, origin] = await Promise.all([dataVersions(sql), originOf(sql)])
      versions = versionsOf(rows)
      isSample = origin === 'sample'
      known = new Map()
      if (total() !== before) news.emit('change')
      failing = false
    } catch (error) {
      // The last known versions remain in use. Without the database no data can be read, and keys are refused after 30
      // seconds.
      if (!failing && !closed) log.warn({ reason: messageOf(error) }, 'the data versions cannot be read')
      failing = true
    }
  }

  /** Reads again after a running reading, which may have begun before the change. */
  function reread(): Promise<void> {
    if (closed) return Promise.resolve()
    if (reading) {
      again = true
      return reading
    }
    reading = (async () => {
      do {
        again = false
        await readOnce()
      } while (again && !closed)
      reading = undefined
    })()
    return reading
  }

  // postgres.js listens again by itself after a lost connection, and then calls the third argument, which reads again.
  const listen = () =>
    sql.listen(DATA_CHANNEL, reread, reread).catch((error) => {
      if (!closed) log.info({ reason: messageOf(error) }, `no notifications; data is checked every ${REREAD_MS} ms`)
    })

  await reread()
  void listen()
  const timer = setInterval(reread, REREAD_MS).unref()
  return {
    of(slugs) {
      if (!versions) return null
      const before = known.get(slugs)
      if (before !== undefined) return before
      const version = versionOf(versions, slugs)
      known.set(slugs, version)
      return version
    },
    total,
    count,
    isSample: () => isSample,
    async next(seen, signal) {
      while (count() === seen) await once(news, 'change', { signal })
    },
    close() {
      closed = true
      clearInterval(timer)
    },
  }
}

/** Wraps `Changes` so that code that waits for the next change also wakes after `ms`, to check again. */
export const lookedAgain = ({ count, next }: Changes, ms: number): Changes => ({
  count,
  async next(seen, signal) {
    const over = new AbortController()
    const either = AbortSignal.any([signal, over.signal])
    try {
      await Promise.race([next(seen, either), sleep(ms, undefined, { signal: either })])
    } finally {
      // Without this abort, the wait that lost the race would continue, and each check would leave another such wait.
      over.abort()
    }
  },
})
