/**
 * API keys: `of_<keyId>_<secret>`. The table holds a SHA-256 of the secret and nothing that leads back to it. A plain
 * hash is enough, unlike for passwords: the secret is 164 random bits, so there is nothing to guess from.
 */
import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { UserError } from '../declare/errors.ts'
import type { Bucket } from '../declare/route.ts'
import { SCOPES, type Scope } from '../declare/scopes.ts'
import type { Sql } from '../store/db.ts'

/** Requests a minute in a bucket, for a key without a limit of its own: the API contract, section 8. */
export const LIMIT_DEFAULT = 10

/** Who sends a request. */
export interface KeyContext {
  keyId: string
  /** The account that the key was made for. */
  uid: string
  scopes: readonly Scope[]
  /** Requests a minute. */
  limits: Readonly<Record<Bucket, number>>
  selfServe: boolean
}

export interface NewKey {
  account: string
  scopes: readonly string[]
  /** Requests a minute; left out for the default. */
  searchLimit?: number
  generalLimit?: number
  expiresAt?: Date
  selfServe?: boolean
  now: Date
}

/** A key as `keys list` shows it. Moments are ISO 8601 with offset. */
export interface ListedKey {
  key_id: string
  account: string
  scopes: Scope[]
  search_limit: number | null
  general_limit: number | null
  self_serve: boolean
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

// Base58: no 0 O I l, and no `_`, which separates the parts.
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const ID_LENGTH = 8
const SECRET_LENGTH = 28 // 28 × log2(58) = 164 bits
const KEY = new RegExp(`^of_([${ALPHABET}]{${ID_LENGTH}})_([${ALPHABET}]{${SECRET_LENGTH}})$`)
const KEY_ID = new RegExp(`^[${ALPHABET}]{${ID_LENGTH}}$`)

const random = (length: number) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
// By way of hex: it takes `hash` three times as long to give a Buffer (1.2 instead of 0.4 µs).
const digest = (secret: string) => Buffer.from(hash('sha256', secret, 'hex'), 'hex')

/**
 * Makes a key. Its text is returned once and cannot be had again.
 *
 * @throws UserError for an unknown scope, a limit below 1, an expiry that has passed, limits on a self-serve key, or an
 *   account that already has an active self-serve key
 */
export async function createKey(sql: Sql, wanted: NewKey): Promise<{ key: string; keyId: string }> {
  const { account, scopes, searchLimit, generalLimit, expiresAt, selfServe = false, now } = wanted
  assertSensible(wanted)
  const keyId = random(ID_LENGTH)
  const secret = random(SECRET_LENGTH)
  try {
    await sql.begin(async (tx) => {
      // The index knows no clock: without this an expired self-serve key would keep its account from getting a new one.
      if (selfServe) {
        await tx`
          update core.key set revoked_at = expires_at
          where account = ${account} and self_serve and revoked_at is null and expires_at <= ${now}`
      }
      await tx`
        insert into core.key
          (key_id, account, secret_hash, scopes, search_limit, general_limit, self_serve, created_at, expires_at)
        values (${keyId}, ${account}, ${digest(secret)}, ${[...new Set(scopes)]}, ${searchLimit ?? null},
          ${generalLimit ?? null}, ${selfServe}, ${now}, ${expiresAt ?? null})`
    })
  } catch (cause) {
    if ((cause as { constraint_name?: string }).constraint_name !== 'key_account_idx') throw cause
    throw new UserError(`account ${account} already has an active self-serve key; revoke it first (keys list shows it)`)
  }
  return { key: `of_${keyId}_${secret}`, keyId }
}

function assertSensible({ account, scopes, searchLimit, generalLimit, expiresAt, selfServe, now }: NewKey): void {
  if (!/^[^\x00-\x1f\x7f]{1,200}$/.test(account))
    throw new UserError('an account name is 1 to 200 printable characters')
  if (scopes.length === 0) throw new UserError(`a key needs a scope: ${SCOPES.join(', ')}`)
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope))
  if (unknown !== undefined) throw new UserError(`unknown scope ${unknown}; there are ${SCOPES.join(', ')}`)
  for (const [bucket, limit] of [
    ['search', searchLimit],
    ['general', generalLimit],
  ] as const) {
    if (limit === undefined) continue
    if (selfServe) throw new UserError(`a self-serve key has the default limits: no ${bucket} limit can be given`)
    if (!Number.isInteger(limit) || limit < 1 || limit > 1_000_000) {
      throw new UserError(`the ${bucket} limit is a whole number of requests a minute from 1 to 1000000`)
    }
  }
  if (expiresAt && Number.isNaN(expiresAt.getTime())) throw new UserError('the expiry is not a date')
  if (expiresAt && expiresAt <= now) throw new UserError(`the expiry ${expiresAt.toISOString()} has already passed`)
}

/**
 * Revokes a key, named by its id or its whole text. Servers notice within 30 seconds.
 *
 * @returns the id; revoking twice keeps the first moment
 * @throws UserError when there is no such key
 */
export async function revokeKey(sql: Sql, keyOrId: string, now: Date): Promise<string> {
  const keyId = KEY.exec(keyOrId)?.[1] ?? keyOrId
  // The text is not repeated in the message: it may be a key with a typing error.
  if (!KEY_ID.test(keyId)) throw new UserError('neither a key nor a key id; keys list shows the ids')
  const rows = await sql`
    update core.key set revoked_at = coalesce(revoked_at, ${now}) where key_id = ${keyId} returning key_id`
  if (rows.length === 0) throw new UserError(`there is no key ${keyId}; keys list shows the ids`)
  return keyId
}

/** Every key, oldest first, without its hash. */
export function listKeys(sql: Sql): Promise<ListedKey[]> {
  return sql<ListedKey[]>`
    select key_id, account, scopes, search_limit, general_limit, self_serve, created_at, expires_at, revoked_at
    from core.key order by created_at, key_id`
}

/** How long a key is believed without asking the database: revocation must work within 30 seconds. */
export const BELIEVED_MS = 30_000
/** An unknown id is forgotten sooner, so that a new key that was tried too early soon works. */
const UNKNOWN_MS = 5_000

interface Known {
  context: KeyContext
  secretHash: Buffer
  /** When it expires, in milliseconds; infinite for never. */
  expiresAt: number
}

/** What was read about an id, and when that reading began. */
interface Reading {
  known: Known | null
  readAt: number
}

export interface Keyring {
  /**
   * The owner of a key's text; null when the text is malformed, or the key unknown, revoked or expired. A promise only
   * where the database has to be asked.
   *
   * @param believedMs how old what is known of the key may be, unless the database cannot answer: then 30 seconds
   * @throws the database's own error when it cannot answer
   */
  find(text: string, believedMs?: number): KeyContext | null | Promise<KeyContext | null>
}

/** Looks keys up, and remembers each id for at most 30 seconds of the clock that is passed in. */
export function keyring(sql: Sql, { now }: { now: () => Date }): Keyring {
  // Two memories, so that a flood of made-up ids cannot push out the real ones. 10,000 readings take about 4 MB.
  const found = new LRUCache<string, Reading>({ max: 10_000 })
  const unknown = new LRUCache<string, Reading>({ max: 10_000 })
  const asked = new Map<string, Promise<Reading>>()

  async function ask(keyId: string): Promise<Reading> {
    // The moment before the query: a revocation that the query just missed is noticed 30 seconds after that, not later.
    const readAt = now().getTime()
    const reading = { known: await read(sql, keyId), readAt }
    found.delete(keyId)
    unknown.delete(keyId)
    ;(reading.known ? found : unknown).set(keyId, reading)
    return reading
  }

  function reading(keyId: string, at: number, believedMs: number): Reading | Promise<Reading> {
    // If the clock was set back every reading is suspect.
    const isFresh = ({ readAt }: Reading, ms: number, at: number) => at >= readAt && at - readAt < ms
    const known = found.get(keyId)
    if (known && isFresh(known, believedMs, at)) return known
    const none = unknown.get(keyId)
    if (none && isFresh(none, UNKNOWN_MS, at)) return none
    let running = asked.get(keyId)
    if (!running) {
      running = ask(keyId).finally(() => asked.delete(keyId))
      asked.set(keyId, running)
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
