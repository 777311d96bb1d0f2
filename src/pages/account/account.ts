/** Sign-in, the page of an account and the page of operators, at their addresses. */
import type { FastifyInstance } from 'fastify'
import { type Accounts, RETURN_PATH } from '../../accounts/accounts.ts'
import { closeAccount, findKeys, openAccount } from '../../accounts/operator.ts'
import { createOwnKey, keysOf, revokeOwnKey } from '../../accounts/people.ts'
import { UserError } from '../../declare/errors.ts'
import { keyCookie, type PageRequests } from '../../serve/http/page-requests.ts'
import { changeLimits, createKey, LIMIT_DEFAULT, revokeKey } from '../../serve/keys.ts'
import { localAddress } from '../forms.ts'
import type { AccountPages } from '../pages.ts'
import { accountPage } from './account-page.ts'
import { operatorPage } from './operator-page.ts'
import { AccountRoutes, type SignedInRequest } from './routes.ts'

/** The pages of a server where people can sign in. */
export const accountPages = (accounts: Accounts): AccountPages => ({
  signInAt: (leadsTo) => accounts.signInAt(leadsTo),
  add(fastify: FastifyInstance, requests: PageRequests) {
    const routes = new AccountRoutes(fastify, requests, accounts)
    addSignIn(routes, requests, accounts)
    addAccount(routes, requests, accounts)
    addOperator(routes, accounts)
  },
})

function addSignIn(routes: AccountRoutes, requests: PageRequests, accounts: Accounts): void {
  routes.addStep('/sign-in', async (request, reply, query) => {
    await requests.countTry(request)
    const leadsTo = localAddress(new URLSearchParams(query).get('to') ?? '/account')
    const { location, setCookie } = await accounts.begin(request.headers.cookie, leadsTo)
    return reply.header('set-cookie', setCookie).redirect(location, 302)
  })
  routes.addStep(RETURN_PATH, async (request, reply, query) => {
    const { leadsTo, setCookie } = await accounts.finish(request.headers.cookie, query)
    // From now on, pages are read with the key of the account, not with a key that was typed in before.
    const forgotten = keyCookie(null, accounts.publicUrl.startsWith('https:'))
    return reply.header('set-cookie', [setCookie, forgotten]).redirect(leadsTo, 303)
  })
}

function addAccount(routes: AccountRoutes, requests: PageRequests, accounts: Accounts): void {
  const { sql, now } = accounts
  const page = async ({ session }: SignedInRequest, given: { newKey?: string; wrong?: string } = {}) => {
    const keys = await keysOf(sql, session.account, now())
    const used = keys.map(async (key) => {
      const { key_id: keyId, search_limit: search, general_limit: general } = key
      const limits = { search: search ?? LIMIT_DEFAULT, general: general ?? LIMIT_DEFAULT }
      return { key, allowances: await requests.allowances({ keyId, limits }) }
    })
    return accountPage({ ...given, session, keys: await Promise.all(used), closed: requests.selfServeClosed })
  }
  routes.addPage('/account', { make: page })
  routes.addForm('/account/key', {
    at: '/account',
    retry: page,
    act: async (signedIn) => page(signedIn, { newKey: await createOwnKey(sql, signedIn.session.account, now()) }),
  })
  routes.addForm('/account/key/revoke', {
    at: '/account',
    retry: page,
    act: ({ session, fields }) => revokeOwnKey(sql, session.account, fields.get('key') ?? '', now()),
  })
  const leave = (url: string, act: (signedIn: SignedInRequest) => Promise<string>) =>
    routes.addForm(url, {
      at: '/',
      retry: page,
      async act(signedIn) {
        signedIn.reply.header('set-cookie', await act(signedIn))
      },
    })
  leave('/account/sign-out', ({ request }) => accounts.signOut(request.headers.cookie))
  leave('/account/sign-out-everywhere', ({ session }) => accounts.signOutEverywhere(session.account))
}

function addOperator(routes: AccountRoutes, accounts: Accounts): void {
  const { sql, now } = accounts
  const page = async ({ session, query }: SignedInRequest, given: { newKey?: string; wrong?: string } = {}) => {
    const words = (query.get('q') ?? '').trim().slice(0, 200)
    return operatorPage({ ...given, session, words, now: now(), keys: await findKeys(sql, words, now()) })
  }
  routes.addPage('/operator', { make: page, isForOperators: true })
  const add = (url: string, act: (signedIn: SignedInRequest) => Promise<unknown>) =>
    routes.addForm(url, { at: '/operator', retry: page, act, isForOperators: true })

  add('/operator/keys', async (signedIn) => {
    const { session, fields } = signedIn
    const account = (fields.get('account') ?? '').trim()
    const { key, keyId } = await createKey(sql, {
      account,
      scopes: fields.getAll('scope'),
      now: now(),
      ...limitsIn(fields),
      ...expiryIn(fields),
    })
    accounts.record(session, 'an operator created a key', { keyId, account })
    return page(signedIn, { newKey: key })
  })
  add('/operator/keys/limits', async ({ session, fields }) => {
    const keyId = fields.get('key') ?? ''
    const { searchLimit: search, generalLimit: general } = limitsIn(fields)
    await changeLimits(sql, keyId, { search, general })
    accounts.record(session, 'an operator changed the limits of a key', { keyId })
  })
  add('/operator/keys/revoke', async ({ session, fields }) => {
    const keyId = await revokeKey(sql, fields.get('key') ?? '', now())
    accounts.record(session, 'an operator revoked a key', { keyId })
  })
  add('/operator/accounts/close', async ({ session, fields }) => {
    const account = fields.get('account') ?? ''
    if (account === session.account) throw new UserError('you cannot close your own account')
    await closeAccount(sql, account, now())
    accounts.record(session, 'an operator closed an account', { account })
  })
  add('/operator/accounts/open', async ({ session, fields }) => {
    const account = fields.get('account') ?? ''
    await openAccount(sql, account)
    accounts.record(session, 'an operator opened an account', { account })
  })
}

/** The limits of a form, in requests a minute; an empty field is the default. @throws UserError */
function limitsIn(fields: URLSearchParams): { searchLimit?: number; generalLimit?: number } {
  const limit = (name: string) => {
    const text = (fields.get(name) ?? '').trim()
    if (text !== '' && !/^\d{1,7}$/.test(text)) throw new UserError(`the ${name} limit must be a whole number`)
    return text === '' ? null : Number(text)
  }
  const [search, general] = [limit('search'), limit('general')]
  return { ...(search !== null && { searchLimit: search }), ...(general !== null && { generalLimit: general }) }
}

/** The day, in a field of the form, from which a key is refused. @throws UserError */
function expiryIn(fields: URLSearchParams): { expiresAt?: Date } {
  const day = (fields.get('expires') ?? '').trim()
  if (day === '') return {}
  const at = new Date(`${day}T00:00:00Z`)
  // `Date` reads 2099-02-29 as the first of March.
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day)
    throw new UserError('the expiry is not a day of the form YYYY-MM-DD')
  return { expiresAt: at }
}
