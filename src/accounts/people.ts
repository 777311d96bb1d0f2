/** Accounts of people, and the one free key of each. */
import { randomInt } from 'node:crypto'
import { UserError } from '../declare/errors.ts'
import { SCOPES } from '../declare/scopes.ts'
import { createKey, type ListedKey } from '../serve/keys.ts'
import type { Sql } from '../store/db.ts'
import type { Person } from './provider.ts'

/**
 * Maximum number of free keys that an account may create in a day. Requests are counted for each key, so a person who
 * could create keys without end would have no limit.
 */
export const KEYS_A_DAY = 5
const DAY_MS = 24 * 60 * 60_000

/** Digits and letters without 0, 1, l and o. */
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyz'

/**
 * Finds or makes the account of a person.
 *
 * @returns its id, and whether an operator has closed it
 */
export async function accountOf(sql: Sql, person: Person, now: Date): Promise<{ account: string; isClosed: boolean }> {
  const id = `person-${Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`
  const [row] = await sql<[{ account: string; is_closed: boolean }]>`
    insert into core.account (account, issuer, subject, name, created_at, signed_in_at)
    values (${id}, ${person.issuer}, ${person.subject}, ${person.name}, ${now}, ${now})
    on conflict (issuer, subject) do update set name = excluded.name, signed_in_at = excluded.signed_in_at
    returning account, closed_at is not null as is_closed`
  return { account: row.account, isClosed: row.is_closed }
}

/** The working keys of an account, with the free key last. */
export function keysOf(sql: Sql, account: string, now: Date): Promise<ListedKey[]> {
  return sql<ListedKey[]>`
    select key_id, account, scopes, search_limit, general_limit, self_serve, created_at, expires_at, revoked_at
    from core.key where account = ${account} and revoked_at is null and (expires_at is null or expires_at > ${now})
    order by self_serve, created_at desc, key_id`
}

/**
 * Creates the free key of an account. It has every scope: `SELF_SERVE_CLOSED` decides which paths free keys may use.
 *
 * @returns the text of the key, which is not stored and so cannot be read again
 * @throws UserError if the account is closed, already has a free key, or created `KEYS_A_DAY` keys within 24 hours
 */
export async function createOwnKey(sql: Sql, account: string, now: Date): Promise<string> {
  const since = new Date(now.getTime() - DAY_MS)
  const [row] = await sql<[{ made: number }]>`
    select count(*)::int as made from core.key where account = ${account} and self_serve and created_at > ${since}`
  if (row.made >= KEYS_A_DAY)
    throw new UserError(
      `this account has created ${KEYS_A_DAY} keys in 24 hours, which is the maximum; try again tomorrow`,
    )
  const { key, keyId } = await createKey(sql, { account, scopes: SCOPES, selfServe: true, now })
  if (await isClosed(sql, account)) {
    await revokeOwnKey(sql, account, keyId, now)
    throw new UserError('this account is closed')
  }
  return key
}

/**
 * Returns whether an operator has closed the account. Locks the row of the account, and so waits for a transaction that
 * is closing the account: that transaction may have begun before the new key existed, and then does not revoke it.
 */
function isClosed(sql: Sql, account: string): Promise<boolean> {
  return sql.begin(async (tx) => {
    const open = await tx`select from core.account where account = ${account} and closed_at is null for share`
    return open.length === 0
  })
}

/** Revokes the free key of an account. Does nothing if the key is not this account's free key. */
export async function revokeOwnKey(sql: Sql, account: string, keyId: string, now: Date): Promise<void> {
  await sql`
    update core.key set revoked_at = ${now}
    where key_id = ${keyId} and account = ${account} and self_serve and revoked_at is null`
}
