/**
 * API keys. The format of a key is `of_<keyId>_<secret>`. This module makes, changes, lists and revokes keys;
 * keyring.ts looks them up. The table has only a SHA-256 of the secret. A plain hash is enough, unlike for passwords:
 * the secret is 164 random bits, so it cannot be found from the hash.
 */
import { hash, randomInt } from 'node:crypto'
import { UserError } from '../declare/errors.ts'
import { SCOPES, type Scope } from '../declare/scopes.ts'
import type { Sql } from '../store/db.ts'

/** Requests a minute in a bucket, for a key that has no limit of its own (API contract, section 8). */
export const LIMIT_DEFAULT = 10

export interface NewKey {
  account: string
  scopes: readonly string[]
  /** Requests a minute; the default if absent. */
  searchLimit?: number
  generalLimit?: number
  expiresAt?: Date
  selfServe?: boolean
  now: Date
}

/** A key, as the command `keys list` shows it. Moments are ISO 8601 with offset. */
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
/** Matches the text of a key. Its groups are the id and the secret. */
export const KEY = new RegExp(`^of_([${ALPHABET}]{${ID_LENGTH}})_([${ALPHABET}]{${SECRET_LENGTH}})$`)
const KEY_ID = new RegExp(`^[${ALPHABET}]{${ID_LENGTH}}$`)

const random = (length: number) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
/** Returns the stored form of a secret. */
// Converted through hex, since `hash` takes three times as long to return a Buffer (1.2 instead of 0.4 µs).
export const digest = (secret: string) => Buffer.from(hash('sha256', secret, 'hex'), 'hex')

/**
 * Makes a key. The text of the key is returned only here and cannot be read again.
 *
 * @throws UserError in these cases: the account name is not valid; there is no scope or an unknown scope; a limit is
 * not allowed; the expiry is not a date or has passed; a self-serve key has limits; the account already has an active
 * self-serve key
 */
export async function createKey(sql: Sql, wanted: NewKey): Promise<{ key: string; keyId: string }> {
  const { account, scopes, searchLimit, generalLimit, expiresAt, selfServe = false, now } = wanted
  assertSensible(wanted)
  const keyId = random(ID_LENGTH)
  const secret = random(SECRET_LENGTH)
  try {
    await sql.begin(async (tx) => {
      // The unique index does not know whether a key has expired. Without this statement, an expired self-serve key
      // would prevent its account from getting a new one.
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
    throw new UserError('the account name must have 1 to 200 printable characters')
  if (scopes.length === 0) throw new UserError(`a key needs at least one scope; available: ${SCOPES.join(', ')}`)
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope))
  if (unknown !== undefined) throw new UserError(`unknown scope ${unknown}; available: ${SCOPES.join(', ')}`)
  assertLimits({ search: searchLimit, general: generalLimit }, selfServe ?? false)
  if (expiresAt && Number.isNaN(expiresAt.getTime())) throw new UserError('the expiry is not a date')
  if (expiresAt && expiresAt <= now) throw new UserError(`the expiry ${expiresAt.toISOString()} has already passed`)
}

function assertLimits(limits: Record<'search' | 'general', number | undefined>, selfServe: boolean): void {
  for (const [bucket, limit] of Object.entries(limits)) {
    if (limit === undefined) continue
    if (selfServe) throw new UserError(`a self-serve key always has the default limits: leave out the ${bucket} limit`)
    if (!Number.isInteger(limit) || limit < 1 || limit > 1_000_000) {
      throw new UserError(`the ${bucket} limit must be a whole number of requests a minute from 1 to 1000000`)
    }
  }
}

/**
 * Changes the limits of a key, in requests a minute. A limit that is undefined becomes the default. Servers notice
 * within 30 seconds.
 *
 * @throws UserError if a limit is not allowed, the key is unknown or revoked, or the key is a self-serve key
 */
export async function changeLimits(
  sql: Sql,
  keyId: string,
  limits: { search: number | undefined; general: number | undefined },
): Promise<void> {
  assertLimits(limits, false)
  const [key] = await sql<{ self_serve: boolean }[]>`
    select self_serve from core.key where key_id = ${keyId} and revoked_at is null`
  if (!key) throw new UserError('no key has this id, or the key is already revoked')
  assertLimits(limits, key.self_serve)
  await sql`
    update core.key set search_limit = ${limits.search ?? null}, general_limit = ${limits.general ?? null}
    where key_id = ${keyId}`
}

/**
 * Revokes a key, named by its id or its whole text. Servers notice within 30 seconds.
 *
 * @returns the id; a second revocation keeps the time of the first
 * @throws UserError if there is no such key
 */
export async function revokeKey(sql: Sql, keyOrId: string, now: Date): Promise<string> {
  const keyId = KEY.exec(keyOrId)?.[1] ?? keyOrId
  // The message does not repeat the text, which may be a mistyped key.
  if (!KEY_ID.test(keyId))
    throw new UserError('this is neither a key nor the id of a key; "openfilings keys list" shows the ids')
  const rows = await sql`
    update core.key set revoked_at = coalesce(revoked_at, ${now}) where key_id = ${keyId} returning key_id`
  if (rows.length === 0) throw new UserError(`unknown key ${keyId}; "openfilings keys list" shows the ids`)
  return keyId
}

/** All keys, oldest first, without their hashes. */
export function listKeys(sql: Sql): Promise<ListedKey[]> {
  return sql<ListedKey[]>`
    select key_id, account, scopes, search_limit, general_limit, self_serve, created_at, expires_at, revoked_at
    from core.key order by created_at, key_id`
}
