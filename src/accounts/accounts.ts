/** Sign-in and sessions, for the pages of accounts and for the server. */

import type { Logger } from 'pino'
import { apiError } from '../declare/api-errors.ts'
import { messageOf } from '../declare/errors.ts'
import type { FindSignedIn } from '../declare/ports.ts'
import type { Sql } from '../store/db.ts'
import { cookies } from './cookies.ts'
import { accountOf } from './people.ts'
import { Provider, ProviderAway, type ProviderOptions, SignInRefused } from './provider.ts'
import { derived, isSame, newSecret } from './secrets.ts'
import { beginSession, endSession, endSessions, findSession, SESSION_MS, type Session } from './sessions.ts'
import { beginSignIn, SIGN_IN_MS, takeSignIn } from './sign-ins.ts'

export interface AccountsOptions extends Omit<ProviderOptions, 'returnTo'> {
  /** Scheme, name and port under which people reach the service. */
  publicUrl: string
  sql: Sql
  log: Logger
}

/** The path to which the provider sends browsers back. */
export const RETURN_PATH = '/sign-in/callback'

/** The session to which a request belongs, with the token that forms of this session contain. */
export interface OpenSession extends Session {
  /**
   * A secret text that each form on this session's pages contains. A form with the text of an earlier session has no
   * effect.
   */
  formToken: string
}

/** Whether the token of a form is the token of this session. */
export const isOwnForm = ({ formToken }: OpenSession, token: string): boolean => isSame(formToken, token)

export class Accounts {
  readonly sql: Sql
  readonly now: () => Date
  readonly publicUrl: string
  readonly #log: Logger
  readonly #provider: Provider
  readonly #cookies: ReturnType<typeof cookies>

  constructor({ publicUrl, sql, log, ...provider }: AccountsOptions) {
    this.sql = sql
    this.now = provider.now
    this.publicUrl = publicUrl
    this.#log = log
    this.#provider = new Provider({ ...provider, returnTo: publicUrl + RETURN_PATH })
    this.#cookies = cookies(publicUrl.startsWith('https:'))
  }

  /** Finds the person who is signed in, for the pages that show data. */
  readonly find: FindSignedIn = async (header) => this.sessionOf(header)

  /** Returns the address that begins a sign-in. After the sign-in, the browser is sent to the page `leadsTo`. */
  signInAt(leadsTo: string): string {
    return `${this.publicUrl}/sign-in?to=${encodeURIComponent(leadsTo)}`
  }

  async sessionOf(header: string | undefined): Promise<OpenSession | null> {
    const id = this.#cookies.session(header)
    const session = id === null ? null : await findSession(this.sql, id, this.now())
    return session && { ...session, formToken: derived(id!, 'forms') }
  }

  /**
   * Begins a sign-in.
   *
   * @returns the address at the provider, and the header Set-Cookie that binds the sign-in to this browser
   * @throws HttpError 503 if the provider does not answer
   */
  async begin(header: string | undefined, leadsTo: string): Promise<{ location: string; setCookie: string }> {
    const browser = this.#cookies.signIn(header) ?? newSecret()
    return this.#reported(async () => {
      const challenge = await beginSignIn(this.sql, { browser, leadsTo, now: this.now() })
      const location = await this.#provider.begin(challenge)
      return { location, setCookie: this.#cookies.keepSignIn(browser, SIGN_IN_MS / 1000) }
    })
  }

  /**
   * Ends a sign-in, and begins a session under a new id.
   *
   * @param query the query of the address with which the browser came back
   * @throws HttpError 400, 403 or 503
   */
  async finish(header: string | undefined, query: string): Promise<{ leadsTo: string; setCookie: string }> {
    const now = this.now()
    const browser = this.#cookies.signIn(header)
    const state = new URLSearchParams(query).get('state')
    const taken = browser && state ? await takeSignIn(this.sql, { browser, state, now }) : null
    if (!taken) {
      const reason = 'it began in another browser, took more than ten minutes, or was completed before'
      throw apiError('sign_in_failed', { reason })
    }
    const person = await this.#reported(() => this.#provider.finish(query, taken.challenge))
    const { account, isClosed } = await accountOf(this.sql, person, now)
    if (isClosed) throw apiError('account_closed')
    const id = await beginSession(this.sql, { account, isOperator: person.isOperator, now })
    this.#log.info({ account, operator: person.isOperator }, 'signed in')
    return { leadsTo: taken.leadsTo, setCookie: this.#cookies.keepSession(id, SESSION_MS / 1000) }
  }

  /** Ends the session of a request. @returns the header Set-Cookie that removes the session from this browser */
  async signOut(header: string | undefined): Promise<string> {
    const id = this.#cookies.session(header)
    if (id !== null) await endSession(this.sql, id)
    return this.#cookies.keepSession('', 0)
  }

  /** Ends all sessions of an account. @returns the header Set-Cookie that removes the session from this browser */
  async signOutEverywhere(account: string): Promise<string> {
    await endSessions(this.sql, account)
    return this.#cookies.keepSession('', 0)
  }

  /** Logs a change that an operator made. */
  record(operator: OpenSession, change: string, of: Readonly<Record<string, string>>): void {
    this.#log.info({ operator: operator.account, ...of }, change)
  }

  /** Turns errors of the provider into errors of the API. The reasons of these errors are logged, and not shown. */
  async #reported<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ProviderAway) && !(error instanceof SignInRefused)) throw error
      this.#log.warn({ reason: messageOf(error) }, 'a sign-in failed')
      if (error instanceof ProviderAway) throw apiError('sign_in_unavailable')
      throw apiError('sign_in_failed', { reason: 'the provider refused it, or its answer is not valid' })
    }
  }
}
