/**
 * Sign-ins between their beginning and the browser's return from the provider. Each sign-in has a state, which works
 * once. A sign-in belongs to one browser: nonce and PKCE verifier are derived from the state and from a secret in the
 * browser's cookie, and the database has only hashes of the state and of this secret. Several tabs of one browser may
 * sign in at once.
 */
import { digest } from '../serve/keys.ts'
import type { Sql } from '../store/db.ts'
import { derived, newSecret } from './secrets.ts'

/** How long a person may take at the provider. */
export const SIGN_IN_MS = 10 * 60_000

/**
 * The values of one sign-in. The provider must repeat `state` and `nonce`. `verifier` proves to the provider that the
 * code is used by the service that requested it.
 */
export interface Challenge {
  state: string
  nonce: string
  verifier: string
}

/**
 * Begins a sign-in, and removes sign-ins that have expired.
 *
 * @param leadsTo path of the page that is opened afterwards
 */
export async function beginSignIn(
  sql: Sql,
  { browser, leadsTo, now }: { browser: string; leadsTo: string; now: Date },
): Promise<Challenge> {
  const state = newSecret()
  await sql`delete from core.sign_in where begun_at <= ${new Date(now.getTime() - SIGN_IN_MS)}`
  await sql`
    insert into core.sign_in (state_hash, browser_hash, leads_to, begun_at)
    values (${digest(state)}, ${digest(browser)}, ${leadsTo}, ${now})`
  return challengeOf(browser, state)
}

/** Ends a sign-in of this browser, so that its state cannot be used again. Returns null if there is no such sign-in. */
export async function takeSignIn(
  sql: Sql,
  { browser, state, now }: { browser: string; state: string; now: Date },
): Promise<{ challenge: Challenge; leadsTo: string } | null> {
  const [row] = await sql<{ leads_to: string }[]>`
    delete from core.sign_in
    where state_hash = ${digest(state)} and browser_hash = ${digest(browser)}
      and begun_at > ${new Date(now.getTime() - SIGN_IN_MS)}
    returning leads_to`
  return row ? { challenge: challengeOf(browser, state), leadsTo: row.leads_to } : null
}

const challengeOf = (browser: string, state: string): Challenge => ({
  state,
  nonce: derived(browser, `nonce ${state}`),
  verifier: derived(browser, `verifier ${state}`),
})
