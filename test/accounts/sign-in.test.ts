/** Sign-in at a real provider: accepted and refused answers of the provider. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SESSION_MS } from '../../src/accounts/sessions.ts'
import { freshDatabase } from '../support/database.ts'
import { TestBrowser, tokenOn } from '../support/sign-in/browser.ts'
import { CLIENT, signingKey, TOKEN_SECONDS } from '../support/sign-in/provider.ts'
import { type SignInWorld, signInWorld } from '../support/sign-in/world.ts'

const database = await freshDatabase({ after })
const world = await signInWorld({ after }, { database })
const { base, provider, time } = world
provider.people.set('ada', { name: 'Ada Lovelace', email: 'ada@example.org' })
const SESSION = 'openfilings_session'

/** Begins a sign-in. @returns the address at the provider */
async function begin(browser: TestBrowser, at = base, to = '/account'): Promise<URL> {
  const begun = await browser.open(`${at}/sign-in?to=${encodeURIComponent(to)}`)
  assert.equal(begun.status, 302, begun.text)
  return new URL(begun.location!)
}
const comeBack = (browser: TestBrowser, address: string) => browser.open(address, { site: 'cross-site' })

async function assertRefused(browser: TestBrowser, address: string, at: SignInWorld = world): Promise<void> {
  const refused = await comeBack(browser, address)
  assert.equal(refused.status, 400, refused.text)
  assert.match(refused.text, /the sign-in was not completed/)
  assert.equal(browser.cookies(at.base).has(SESSION), false)
  assert.equal(at.lines().at(-1)!.code, 'sign_in_failed')
}

test('a person signs in, and returns to the requested page', async () => {
  const browser = new TestBrowser()
  const back = await browser.signIn(base, 'ada', '/things?limit=5')
  assert.deepEqual([back.status, back.location], [303, `${base}/things?limit=5`], back.text)
  const page = await browser.open(`${base}/account`)
  assert.equal(page.status, 200)
  assert.match(page.text, /Signed in as <strong>Ada Lovelace<\/strong>/)
  assert.notEqual(tokenOn(page), '')
})

test('the request to the provider has a SHA-256 code challenge, a state and a nonce, and all three differ for each request', async () => {
  const browser = new TestBrowser()
  const [first, second] = [await begin(browser), await begin(browser)]
  assert.equal(first.searchParams.get('response_type'), 'code')
  assert.equal(first.searchParams.get('code_challenge_method'), 'S256')
  for (const name of ['code_challenge', 'state', 'nonce']) {
    assert.match(first.searchParams.get(name)!, /^[\w-]{43}$/)
    assert.notEqual(first.searchParams.get(name), second.searchParams.get(name))
  }
})

test('each sign-in begins a session with a new id, and never uses an id that was planted in the browser', async () => {
  const browser = new TestBrowser()
  const planted = 'p'.repeat(43)
  browser.plant(base, SESSION, planted)
  await browser.signIn(base, 'ada')
  const first = browser.cookies(base).get(SESSION)!.value
  assert.notEqual(first, planted)
  await browser.signIn(base, 'ada')
  assert.notEqual(browser.cookies(base).get(SESSION)!.value, first)
  const attacker = new TestBrowser()
  attacker.plant(base, SESSION, planted)
  assert.equal((await attacker.open(`${base}/account`)).status, 401)
})

test('a state works once, only in the browser that began the sign-in, and for ten minutes', async () => {
  const browser = new TestBrowser()
  const back = await browser.through((await begin(browser)).href, 'ada')
  const other = new TestBrowser()
  await begin(other)
  await assertRefused(other, back)
  await assertRefused(new TestBrowser(), back)
  assert.equal((await comeBack(browser, back)).status, 303)
  const again = await comeBack(browser, back)
  assert.equal(again.status, 400)
  assert.match(again.text, /was completed before/)

  const late = new TestBrowser()
  const tooLate = await late.through((await begin(late)).href, 'ada')
  time.offsetMs = 10 * 60_000 + 1_000
  await assertRefused(late, tooLate)
  time.offsetMs = 0
  for (const query of ['', '?code=x', '?code=x&state=', `?code=x&state=${'s'.repeat(43)}`])
    await assertRefused(late, `${base}/sign-in/callback${query}`)
})

test('an answer with the nonce of another sign-in is refused', async () => {
  const browser = new TestBrowser()
  const asked = await begin(browser)
  asked.searchParams.set('nonce', 'n'.repeat(43))
  await assertRefused(browser, await browser.through(asked.href, 'ada'))
  assert.match(world.logged(), /OAUTH_JWT_CLAIM_COMPARISON|OAUTH_INVALID_RESPONSE/)
})

test('a code for another challenge or from another sign-in is refused', async () => {
  const browser = new TestBrowser()
  const asked = await begin(browser)
  asked.searchParams.set('code_challenge', 'c'.repeat(43))
  await assertRefused(browser, await browser.through(asked.href, 'ada'))

  const attacker = new TestBrowser()
  const stolen = new URL(await attacker.through((await begin(attacker)).href, 'mallory')).searchParams.get('code')!
  const own = new URL(await browser.through((await begin(browser)).href, 'ada'))
  own.searchParams.set('code', stolen)
  await assertRefused(browser, own.href)
})

test('an answer that names another issuer is refused', async () => {
  const browser = new TestBrowser()
  const back = new URL(await browser.through((await begin(browser)).href, 'ada'))
  assert.equal(back.searchParams.get('iss'), provider.issuer)
  back.searchParams.set('iss', 'https://elsewhere.example')
  await assertRefused(browser, back.href)
})

test('clocks may differ by a minute: beyond a minute a token is refused as expired, or as issued in the future', async () => {
  const at = async (offsetSeconds: number) => {
    time.offsetMs = offsetSeconds * 1000
    const browser = new TestBrowser()
    return browser.signIn(base, 'ada')
  }
  assert.equal((await at(TOKEN_SECONDS + 30)).status, 303)
  assert.equal((await at(TOKEN_SECONDS + 65)).status, 400)
  assert.equal((await at(-50)).status, 303)
  assert.equal((await at(-80)).status, 400)
  time.offsetMs = 0
  assert.match(world.logged(), /JWT timestamp claim value failed validation/)
  assert.match(world.logged(), /issued in the future: compare the clocks/)
})

test('a token that another key has signed is refused', async (t) => {
  const { d, p, q, dp, dq, qi, ...publicKey } = signingKey('own') as Record<string, unknown>
  provider.instead.set('/jwks', (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [publicKey] }))
  })
  t.after(() => provider.instead.delete('/jwks'))
  const browser = new TestBrowser()
  await assertRefused(browser, await browser.through((await begin(browser)).href, 'ada'))
})

test('a person who declines at the provider sees a refusal, and no session begins', async () => {
  const browser = new TestBrowser()
  const asked = await begin(browser)
  const { issuer } = provider
  const state = asked.searchParams.get('state')!
  const declined = new URLSearchParams({ error: 'access_denied', state, iss: issuer })
  await assertRefused(browser, `${base}/sign-in/callback?${declined}`)
  assert.match(world.logged(), /access_denied/)
})

test('a sign-in redirects only to paths of this service', async () => {
  for (const to of [
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/\t/elsewhere.example',
    'javascript:alert(1)',
    '/sign-in?to=/account',
    '/sign-in/callback?x',
    '',
  ]) {
    const back = await new TestBrowser().signIn(base, 'ada', to)
    assert.deepEqual([back.status, new URL(back.location!).href], [303, `${base}/`], to)
  }
})

test('two tabs of one browser sign in at once, each to its own page', async () => {
  const browser = new TestBrowser()
  const [first, second] = [await begin(browser, base, '/things'), await begin(browser, base, '/long')]
  const backs = [await browser.through(first.href, 'ada'), await browser.through(second.href, 'ada')]
  const shown = [await comeBack(browser, backs[1]!), await comeBack(browser, backs[0]!)]
  assert.deepEqual(
    shown.map(({ location }) => location),
    [`${base}/long`, `${base}/things`],
  )
  assert.equal((await browser.open(`${base}/account`)).status, 200)
})

test('a person has one account, identified by the provider’s permanent id and not by the name', async () => {
  const accountIn = async (login: string) => {
    const browser = new TestBrowser()
    await browser.signIn(base, login)
    return /account <code>(person-\w+)</.exec((await browser.open(`${base}/account`)).text)![1]
  }
  const ada = await accountIn('ada')
  provider.people.set('eve', { name: 'Ada Lovelace', email: 'ada@example.org' })
  assert.notEqual(await accountIn('eve'), ada)
  provider.people.set('ada', { name: 'Ada King\u0007\n<b>' })
  assert.equal(await accountIn('ada'), ada)
  const [row] = await world.sql`select name from core.account where account = ${ada!}`
  assert.equal(row!.name, 'Ada King  <b>')
  provider.people.set('ada', { name: 'Ada Lovelace', email: 'ada@example.org' })
})

test('claims that the token lacks are requested from the provider, and the sign-in fails if this request fails', async (t) => {
  const own = await signInWorld(t, { database, inToken: false })
  own.provider.people.set('ada', { name: 'Ada Lovelace', groups: ['filings-operators'] })
  const browser = new TestBrowser()
  assert.equal((await browser.signIn(own.base, 'ada')).status, 303)
  assert.match((await browser.open(`${own.base}/account`)).text, /Ada Lovelace.*You are an operator/s)
  own.provider.instead.set('/me', (_request, response) => response.writeHead(500).end())
  assert.equal((await new TestBrowser().signIn(own.base, 'ada')).status, 503)
})

test('a wrong client secret is reported in the log, and the person sees a refusal', async (t) => {
  const own = await signInWorld(t, { database, clientSecret: 'not-the-secret-of-this-client' })
  assert.equal((await new TestBrowser().signIn(own.base, 'ada')).status, 400)
  assert.match(own.logged(), /refuses OIDC_CLIENT_ID or its secret/)
  assert.doesNotMatch(own.logged(), /not-the-secret/)
})

test('cookies are restricted to this host, hidden from scripts, and Secure if the service is reached by https', async (t) => {
  const plain = new TestBrowser()
  await plain.signIn(base, 'ada')
  const attributesOf = (browser: TestBrowser, at: string) =>
    Object.fromEntries([...browser.cookies(at)].map(([name, { attributes }]) => [name, attributes.trim()]))
  const seconds = SESSION_MS / 1000
  assert.deepEqual(attributesOf(plain, base), {
    openfilings_sign_in: 'Path=/; Max-Age=600; HttpOnly; SameSite=Lax',
    openfilings_session: `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`,
  })
  const own = await signInWorld(t, { database, publicHost: 'https://filings.example.org' })
  const browser = new TestBrowser()
  const back = new URL(await browser.through((await begin(browser, own.base)).href, 'ada'))
  assert.equal(back.origin, 'https://filings.example.org')
  await comeBack(browser, own.base + back.pathname + back.search)
  assert.deepEqual(attributesOf(browser, own.base), {
    '__Host-openfilings_sign_in': 'Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure',
    '__Host-openfilings_session': `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict; Secure`,
  })
})

test('one address can begin only 20 sign-ins before it gets 429', async (t) => {
  const own = await signInWorld(t, { database })
  const statuses = []
  for (let n = 0; n < 21; n++) statuses.push((await new TestBrowser('192.0.2.1').open(`${own.base}/sign-in`)).status)
  assert.deepEqual(statuses, [...Array<number>(20).fill(302), 429])
  assert.equal((await new TestBrowser().open(`${own.base}/sign-in`)).status, 302)
})

test('expired sign-ins and sessions are removed', async (t) => {
  const own = await signInWorld(t, { database: await freshDatabase(t) })
  await begin(new TestBrowser(), own.base)
  await new TestBrowser().signIn(own.base, 'ada')
  own.time.offsetMs = SESSION_MS
  const counts = async () =>
    [
      ...(await own.sql`select (select count(*)::int from core.sign_in) as begun, (select count(*)::int from core.session) as sessions`),
    ][0]
  assert.deepEqual(await counts(), { begun: 1, sessions: 1 })
  const asked = await begin(new TestBrowser(), own.base)
  assert.equal(asked.origin, own.provider.issuer)
  own.time.offsetMs = 0
  await new TestBrowser().signIn(own.base, 'ada')
  assert.equal((await counts())!.sessions, 2)
})

test('the log never contains a code, a state, a nonce, a token, the client secret or the id of a session', async (t) => {
  const own = await signInWorld(t, { database })
  const browser = new TestBrowser()
  const asked = await begin(browser, own.base)
  const back = await browser.through(asked.href, 'ada')
  await comeBack(browser, back)
  await comeBack(browser, back)
  await browser.open(`${own.base}/account`)
  // Requests with other spellings, or that are refused before the sign-in reads them.
  const refused = [
    await browser.open(back, { headers: { host: 'other.example' } }),
    await browser.open(back, { form: {} }),
    await browser.open(back.replace('?', '/?')),
    await browser.open(back.replace('/sign-in', '/%73ign%2Din')),
    await browser.open(back.replace('/sign-in', '/sign-in%zz')),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [421, 405, 404, 400, 400],
  )
  const params = new URL(back).searchParams
  const secrets = [
    ...['state', 'nonce', 'code_challenge'].map((name) => asked.searchParams.get(name)!),
    ...['code', 'state'].map((name) => params.get(name)!),
    ...Array.from(browser.cookies(own.base).values(), ({ value }) => value),
    CLIENT.secret,
  ]
  const logged = own.logged()
  assert.match(logged, /"url":"\/sign-in\/callback"/)
  assert.doesNotMatch(logged, /"url":"[^"]*\?(?:.*&)?state=/)
  for (const secret of secrets) {
    // Not even eight characters of the secret are logged.
    for (let at = 0; at + 8 <= secret.length; at += 4) assert.ok(!logged.includes(secret.slice(at, at + 8)), secret)
  }
})
