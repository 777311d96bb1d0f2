/** Finds the owner of a request's key in the database, and remembers the owner for a while. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { KeyContext } from '../declare/ports.ts'
import type { Sql } from '../store/db.ts'
import { digest, KEY, LIMIT_DEFAULT, type ListedKey } from './keys.ts'

/** How long a key is trusted without a query to the database: a revocation must take effect within 30 seconds. */
export const BELIEVED_MS = 30_000
/**
 * How long an unknown id is remembered. This time is short, so that a key that was tried too early works soon after it
 * is created.
 */
const UNKNOWN_MS = 5_000

interface Known {
  context: KeyContext
  secretHash: Buffer
  /** When the key expires, in milliseconds since 1970; Infinity if it never does. */
  expiresAt: number
}

/** The facts about a key id, and the time at which the query for these facts began. */
interface Reading {
  known: Known | null
  readAt: number
}

export interface Keyring {
  /**
   * Returns the owner of a key, given its text; null if the text is malformed, or the key is unknown, revoked or
   * expired. Returns a promise only if the database must be asked.
   *
   * @param believedMs maximum age of the remembered facts. If the database cannot answer, facts of the last 30 seconds
   *   are used
   * @throws the database's own error if it cannot answer and no such facts are remembered
   */
  find(text: string, believedMs?: number): KeyContext | null | Promise<KeyContext | null>
  /**
   * Returns the owner of a key, given its id; null if the key is unknown, revoked or expired. This method is for
   * callers that have verified the owner of the key in another way.
   */
  owner(keyId: string): Promise<KeyContext | null>
  /**
   * Signs a text for the owner of a key. A client with the signature may read the thing that the text names, with the
   * owner's rights, but does not learn the key. The signature becomes invalid when the key does. Returns null if the
   * key is unknown, revoked or expired.
   */
  signed(keyId: string, text: string): Promise<{ owner: KeyContext; signature: string } | null>
}

/**
 * A cache has at most 10,000 readings, which take about 4 MB. The cache is limited by size, since with `max` the
 * library allocates all entries in advance.
 */
const MOST = { maxSize: 10_000, sizeCalculation: () => 1 }

/** Makes a keyring. It remembers the facts about each id for at most 30 seconds of the clock `now`. */
export function keyring(sql: Sql, { now }: { now: () => Date }): Keyring {
  // There are two caches, so that many invented ids cannot evict real ids.
  const found = new LRUCache<string, Reading>(MOST)
  const unknown = new LRUCache<string, Reading>(MOST)
  const inFlight = new Map<string, Promise<Reading>>()

  async function query(keyId: string): Promise<Reading> {
    // The time is taken before the query, so a revocation that the query just missed is noticed within 30 seconds.
    const readAt = now().getTime()
    const reading = { known: await read(sql, keyId), readAt }
    found.delete(keyId)
    unknown.delete(keyId)
    ;(reading.known ? found : unknown).set(keyId, reading)
    return reading
  }

  function reading(keyId: string, at: number, believedMs: number): Reading | Promise<Reading> {
    // If the clock was set back, no reading is trusted.
    const isFresh = ({ readAt }: Reading, ms: number, at: number) => at >= readAt && at - readAt < ms
    const known = found.get(keyId)
    if (known && isFresh(known, believedMs, at)) return known
    const none = unknown.get(keyId)
    if (none && isFresh(none, UNKNOWN_MS, at)) return none
    let running = inFlight.get(keyId)
    if (!running) {
      running = query(keyId).finally(() => inFlight.delete(keyId))
      inFlight.set(keyId, running)
    }
    if (!known) return running
    return running.catch((error) => {
      if (isFresh(known, BELIEVED_MS, now().getTime())) return known
      throw error
    })
  }

  return {
    find(text, believedMs = BELIEVED_MS) {
      const [, keyId, secret] = KEY.exec(text) ?? []
      if (keyId === undefined || secret === undefined) return null
      const at = now().getTime()
      const read = reading(keyId, at, believedMs)
      return read instanceof Promise
        ? read.then(({ known }) => ownerOf(known, secret, now().getTime()))
        : ownerOf(read.known, secret, at)
    },
    async owner(keyId) {
      const { known } = await reading(keyId, now().getTime(), BELIEVED_MS)
      return known && now().getTime() < known.expiresAt ? known.context : null
    },
    async signed(keyId, text) {
      const { known } = await reading(keyId, now().getTime(), BELIEVED_MS)
      if (!known || now().getTime() >= known.expiresAt) return null
      return {
        owner: known.context,
        // The signature is in hex, so that the log recognises it as a secret.
        signature: createHmac('sha256', known.secretHash).update(text).digest('hex'),
      }
    },
  }
}

function ownerOf(known: Known | null, secret: string, at: number): KeyContext | null {
  if (!known || !timingSafeEqual(digest(secret), known.secretHash)) return null
  return at < known.expiresAt ? known.context : null
}

async function read(sql: Sql, keyId: string): Promise<Known | null> {
  const [row] = await sql<(Omit<ListedKey, 'created_at' | 'revoked_at'> & { secret_hash: Buffer })[]>`
    select key_id, account, secret_hash, scopes, search_limit, general_limit, self_serve, expires_at
    from core.key where key_id = ${keyId} and revoked_at is null`
  if (!row) return null
  return {
    context: {
      keyId: row.key_id,
      uid: row.account,
      scopes: row.scopes,
      limits: { search: row.search_limit ?? LIMIT_DEFAULT, general: row.general_limit ?? LIMIT_DEFAULT },
      selfServe: row.self_serve,
    },
    secretHash: row.secret_hash,
    expiresAt: row.expires_at === null ? Infinity : Date.parse(row.expires_at),
  }
}
