/** Data that operators see and change: keys, their limits, and accounts. */
import { UserError } from '../declare/errors.ts'
import type { ListedKey } from '../serve/keys.ts'
import type { Sql } from '../store/db.ts'

/** Maximum number of keys on one page. */
export const KEYS_MAX = 100

/** A key, and the person whose account it belongs to. */
export interface OperatorKey extends ListedKey {
  /** The name of the person. Null if the account belongs to no person: an operator made up its id for a key. */
  name: string | null
  /** When the account was closed; null if it is open. */
  closed_at: string | null
}

/**
 * Finds keys: working keys first, and the newest first among them. Returns `KEYS_MAX` + 1 keys if there are more than
 * `KEYS_MAX`.
 *
 * @param words a part of the account's id or of the person's name, or the whole id of a key. If empty, all keys are
 *   found
 */
export function findKeys(sql: Sql, words: string, now: Date): Promise<OperatorKey[]> {
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`
  return sql<OperatorKey[]>`
    select k.key_id, k.account, k.scopes, k.search_limit, k.general_limit, k.self_serve, k.created_at, k.expires_at,
      k.revoked_at, a.name, a.closed_at
    from core.key k left join core.account a using (account)
    where ${words} = '' or k.key_id = ${words} or k.account ilike ${pattern} or a.name ilike ${pattern}
    order by k.revoked_at is not null or coalesce(k.expires_at <= ${now}, false), k.created_at desc, k.key_id
    limit ${KEYS_MAX + 1}`
}

/**
 * Closes an account: its sessions end, its keys are revoked, and the person can no longer sign in.
 *
 * @throws UserError
 */
export async function closeAccount(sql: Sql, account: string, now: Date): Promise<void> {
  await sql.begin(async (tx) => {
    const closed = await tx`
      update core.account set closed_at = coalesce(closed_at, ${now}) where account = ${account} returning account`
    if (closed.length === 0) throw new UserError('this account does not exist')
    await tx`delete from core.session where account = ${account}`
    await tx`update core.key set revoked_at = ${now} where account = ${account} and revoked_at is null`
  })
}

/** Opens a closed account again. Its keys stay revoked. @throws UserError */
export async function openAccount(sql: Sql, account: string): Promise<void> {
  const opened = await sql`update core.account set closed_at = null where account = ${account} returning account`
  if (opened.length === 0) throw new UserError('this account does not exist')
}
