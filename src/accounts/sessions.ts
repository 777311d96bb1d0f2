/**
 * Sessions of people who signed in. The database holds only the hash of each id, so nobody can use a session with a
 * copy of the database.
 */
import type { SignedIn } from '../declare/ports.ts'
import { digest } from '../serve/keys.ts'
import type { Sql } from '../store/db.ts'
import { newSecret } from './secrets.ts'

/**
 * Longest life of a session, however much it is used. The session stores whether the person is an operator, so a role
 * that is taken away lasts until the session ends.
 */
export const SESSION_MS = 12 * 60 * 60_000
/** A session ends when it was not used for this long. */
export const IDLE_MS = 2 * 60 * 60_000
/** Minimum time between two updates of the time of a session's last use in the database. */
const SEEN_MS = 60_000

export interface Session extends SignedIn {
  /** The name of the person, as shown on pages. */
  name: string
  isOperator: boolean
}

/** Begins a session under a new id, and removes sessions that have ended. @returns the id, for the cookie */
export async function beginSession(
  sql: Sql,
  { account, isOperator, now }: { account: string; isOperator: boolean; now: Date },
): Promise<string> {
  const id = newSecret()
  await sql`
    delete from core.session where created_at <= ${before(now, SESSION_MS)} or seen_at <= ${before(now, IDLE_MS)}`
  await sql`
    insert into core.session (session_hash, account, is_operator, created_at, seen_at)
    values (${digest(id)}, ${account}, ${isOperator}, ${now}, ${now})`
  return id
}

/**
 * Finds a session that has not ended and whose account is not closed, and records its use. Returns null if there is
 * none.
 */
export async function findSession(sql: Sql, id: string, now: Date): Promise<Session | null> {
  const [row] = await sql<
    { account: string; name: string; is_operator: boolean; key_id: string | null; is_due: boolean }[]
  >`
    select s.account, a.name, s.is_operator, s.seen_at <= ${before(now, SEEN_MS)} as is_due,
      (
        select k.key_id from core.key k
        where k.account = s.account and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
          and 'api' = any (k.scopes)
        -- A key that was arranged with the operator has higher limits.
        order by k.self_serve, k.created_at desc, k.key_id limit 1
      ) as key_id
    from core.session s join core.account a using (account)
    where s.session_hash = ${digest(id)} and a.closed_at is null
      and s.created_at > ${before(now, SESSION_MS)} and s.seen_at > ${before(now, IDLE_MS)}`
  if (!row) return null
  if (row.is_due) await sql`update core.session set seen_at = ${now} where session_hash = ${digest(id)}`
  return { account: row.account, name: row.name, isOperator: row.is_operator, keyId: row.key_id }
}

/** Ends a session. */
export async function endSession(sql: Sql, id: string): Promise<void> {
  await sql`delete from core.session where session_hash = ${digest(id)}`
}

/** Ends all sessions of an account, in every browser. */
export async function endSessions(sql: Sql, account: string): Promise<void> {
  await sql`delete from core.session where account = ${account}`
}

const before = (now: Date, ms: number) => new Date(now.getTime() - ms)
