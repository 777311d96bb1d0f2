/** The account page: one free key, its usage, and the end of the session. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeAccount } from '../../src/accounts/operator.ts'
import { accountOf, createOwnKey, keysOf } from '../../src/accounts/people.ts'
import { IDLE_MS, SESSION_MS } from '../../src/accounts/sessions.ts'
import { apiError } from '../../src/declare/api-errors.ts'
import { freshDatabase } from '../support/database.ts'
import { type Shown, TestBrowser, tokenOn } from '../support/sign-in/browser.ts'
import { type SignInWorld, signInWorld } from '../support/sign-in/world.ts'

const database = await freshDatabase({ after })
const world = await signInWorld({ after }, { database })
const { base, time } = world
const KEY = /of_\w{8}_\w{28}/

let people = 0
/** Signs a new person in. */
async function person(at: SignInWorld = world) {
  const login = `person ${++people}`
  const browser = new TestBrowser()
  const back = await browser.signIn(at.base, login)
  assert.equal(back.status, 303, back.text)
  const open = (path: string) => browser.open(at.base + path)
  const send = async (path: string, form: Record<string, string> = {}): Promise<Shown> =>
    browser.open(at.base + path, { form: { token: tokenOn(await open('/account')), ...form } })
  return { browser, login, open, send }
}

test('without a session the page offers to sign in, and the sign-in leads back to the page', async () => {
  const page = await new TestBrowser().open(`${base}/account`)
  assert.equal(page.status, 401)
  assert.match(page.text, new RegExp(`href="${base}/sign-in\\?to=%2Faccount"`))
  assert.equal(page.headers['cache-control'], 'no-store')
  assert.equal(world.lines().at(-1)!.code, 'sign_in_needed')
})

test('a browser that comes from the provider loads the page twice, since only the second request has the session cookie', async () => {
  const { browser } = await person()
  const first = await browser.open(`${base}/account`, { site: 'cross-site' })
  assert.match(first.text, /<meta http-equiv="refresh" content="0">/)
  assert.equal((await browser.open(`${base}/account`)).status, 200)
})

test('the header of every page about data links to the account, and on the account page it is the current link', async () => {
  const { open } = await person()
  const link = '<a href="/account"'
  for (const path of ['/browse', '/things']) assert.ok((await open(path)).text.includes(`${link}>`), path)
  assert.ok((await open('/account')).text.includes(`${link} aria-current="true">`))
})

test('a free key is created once, shown once, works for the API, and is revoked', async () => {
  const { open, send } = await person()
  assert.match((await open('/account')).text, /The account has no free key/)
  const created = await send('/account/key')
  assert.equal(created.status, 200)
  assert.equal(created.headers['cache-control'], 'no-store')
  const [key] = KEY.exec(created.text)!
  assert.equal(created.text.split(key!.split('_')[2]!).length, 2, 'the page has the key once')
  const me = await world.as(key!, '/v1/things')
  assert.equal(me.status, 200)
  assert.equal(me.headers['ratelimit-limit'], '10')
  const later = await open('/account')
  assert.doesNotMatch(later.text, KEY)
  const [, keyId] = key!.split('_')
  assert.match(later.text, new RegExp(`<code>${keyId}</code>`))

  const second = await send('/account/key')
  assert.equal(second.status, 400)
  assert.match(second.text, /already has an active self-serve key/)
  assert.doesNotMatch(second.text, KEY)

  const revoked = await send('/account/key/revoke', { key: keyId! })
  assert.deepEqual([revoked.status, revoked.location], [303, `${base}/account`])
  time.offsetMs += 31_000
  assert.equal((await world.as(key!, '/v1/things')).status, 401)
  time.offsetMs = 0
  assert.match((await open('/account')).text, /The account has no free key/)
})

test('two simultaneous requests for a free key create only one key', async () => {
  const { send } = await person()
  const both = await Promise.all([send('/account/key'), send('/account/key')])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
})

test('an account creates at most five keys in a day, so new keys do not raise its number of requests', async () => {
  const { open, send } = await person()
  for (let n = 0; n < 5; n++) {
    const [, keyId] = KEY.exec((await send('/account/key')).text)![0]!.split('_')
    await send('/account/key/revoke', { key: keyId! })
  }
  const refused = await send('/account/key')
  assert.equal(refused.status, 400)
  assert.match(refused.text, /5 keys in 24 hours/)
  assert.match((await open('/account')).text, /The account has no free key/)
})

test('a person can revoke only the free key of their own account', async () => {
  const [ada, eve] = [await person(), await person()]
  const key = KEY.exec((await ada.send('/account/key')).text)![0]!
  await eve.send('/account/key/revoke', { key: key.split('_')[1]! })
  const arranged = await world.key({ account: 'someone' })
  await eve.send('/account/key/revoke', { key: arranged.split('_')[1]! })
  time.offsetMs += 31_000
  for (const each of [key, arranged]) assert.equal((await world.as(each, '/v1/things')).status, 200)
  time.offsetMs = 0
})

test('data pages open with the key of the account, within its limit, and the account page shows the usage', async () => {
  const { open, send } = await person()
  const before = await open('/things')
  assert.equal(before.status, 401)
  assert.match(before.text, new RegExp(apiError('account_without_key').message))
  assert.match(before.text, /href="\/account"/)
  assert.equal(world.lines().at(-1)!.code, 'account_without_key')
  const keyId = KEY.exec((await send('/account/key')).text)![0]!.split('_')[1]!
  const statuses = []
  for (let n = 0; n < 11; n++) statuses.push((await open(`/things?limit=${n + 1}`)).status)
  assert.deepEqual(statuses, [...Array<number>(10).fill(200), 429])
  assert.equal(world.lines().at(-1)!.keyId, keyId)
  const use = (await open('/account')).text
  assert.match(use, /Searches<\/td><td class="number">10<\/td><td class="number">10<\/td><td class="number">\d+ s</)
  assert.match(
    use,
    /Other requests<\/td><td class="number">0<\/td><td class="number">10<\/td><td class="number">not begun</,
  )
})

test('SELF_SERVE_CLOSED is honoured by the API and by pages, and stated on the account page', async () => {
  const { open, send } = await person()
  assert.match((await open('/account')).text, /closed these paths to free keys: <code>\/adv\/rep\/\*<\/code>/)
  const key = KEY.exec((await send('/account/key')).text)![0]!
  const refused = await world.as(key, '/v1/adv/rep/5/movements')
  assert.equal(refused.json<{ code: string }>().code, 'endpoint_closed')
  assert.equal((await open('/adv/rep/5/movements')).status, 403)
  assert.equal((await world.as(key, '/v1/brochures/5')).status, 200)
})

test('pages prefer a key that was arranged with the operator to the free key of the account', async () => {
  const { open, send } = await person()
  await send('/account/key')
  const [row] = await world.sql<{ account: string }[]>`
    select account from core.account order by created_at desc limit 1`
  const arranged = await world.key({ account: row!.account, searchLimit: 100 })
  assert.match((await open('/account')).text, /Keys by arrangement/)
  await open('/things')
  assert.equal(world.lines().at(-1)!.keyId, arranged.split('_')[1])
})

test('the latest action decides the key that pages use: signing in replaces a typed key, and a key typed later replaces the session', async () => {
  const { browser, open, send } = await person()
  const own = KEY.exec((await send('/account/key')).text)![0]!.split('_')[1]!
  const typed = await world.key()
  const entered = await browser.open(`${base}/key`, { form: { key: typed, to: '/things' } })
  assert.equal(entered.status, 303)
  await open('/things')
  assert.equal(world.lines().at(-1)!.keyId, typed.split('_')[1])
  await browser.signIn(base, `person ${people}`)
  await open('/things')
  assert.equal(world.lines().at(-1)!.keyId, own)
})

test('a form from another site, without a token, or from an earlier session changes nothing', async () => {
  const { browser, login, open } = await person()
  const token = tokenOn(await open('/account'))
  const attempts = [
    { site: 'cross-site' as const, form: { token } },
    { form: { token }, headers: { 'sec-fetch-site': 'same-site' } },
    { form: { token: '' } },
    { form: { token: 'x'.repeat(43) } },
    { form: {} },
  ]
  for (const attempt of attempts) {
    const refused = await browser.open(`${base}/account/key`, attempt)
    assert.equal(refused.status, 403, JSON.stringify(attempt))
    assert.equal(world.lines().at(-1)!.code, 'foreign_form')
  }
  await browser.signIn(base, login)
  assert.equal((await browser.open(`${base}/account/key`, { form: { token } })).status, 403)
  assert.match((await open('/account')).text, /The account has no free key/)
  // A GET of the address, as from a link, changes nothing.
  assert.equal((await open('/account/key')).status, 405)
})

test('signing out ends the session on the server, in this browser or in all browsers of the person', async () => {
  const { browser, login, send } = await person()
  const name = 'openfilings_session'
  const id = browser.cookies(base).get(name)!.value
  const left = await send('/account/sign-out')
  assert.deepEqual([left.status, left.location], [303, `${base}/`])
  assert.equal(browser.cookies(base).has(name), false)
  browser.plant(base, name, id)
  assert.equal((await browser.open(`${base}/account`)).status, 401)

  const other = new TestBrowser()
  for (const each of [browser, other]) await each.signIn(base, login)
  await send('/account/sign-out-everywhere')
  assert.equal((await other.open(`${base}/account`)).status, 401)
})

test('a session ends after two hours without a request, and after twelve hours even with requests', async () => {
  const idle = await person()
  time.offsetMs = IDLE_MS - 60_000
  assert.equal((await idle.open('/account')).status, 200)
  time.offsetMs = 2 * IDLE_MS - 120_000
  assert.equal((await idle.open('/account')).status, 200, 'a use prolongs the session')
  time.offsetMs = 3 * IDLE_MS
  assert.equal((await idle.open('/account')).status, 401)
  time.offsetMs = 0

  const busy = await person()
  for (let at = 0; at < SESSION_MS; at += IDLE_MS / 2) {
    time.offsetMs = at
    assert.equal((await busy.open('/account')).status, 200)
  }
  time.offsetMs = SESSION_MS
  assert.equal((await busy.open('/account')).status, 401)
  time.offsetMs = 0
})

test('the API does not accept a session: it requires the key', async () => {
  const { open, send } = await person()
  await send('/account/key')
  assert.equal((await open('/v1/things')).status, 401)
})

test('the database stores neither the id of a session nor the secret of a sign-in', async () => {
  const { browser } = await person()
  const [stored] = await world.sql<[{ text: string }]>`
    select string_agg(t::text, '') as text from (
      select s::text as t from core.session s union all select i::text from core.sign_in i
      union all select a::text from core.account a) x`
  for (const { value } of browser.cookies(base).values()) {
    assert.ok(!stored.text.includes(value))
    assert.ok(!stored.text.includes(Buffer.from(value).toString('hex')))
  }
})

test('the account page reports a database that does not answer', async (t) => {
  const own = await signInWorld(t, { database: await freshDatabase(t) })
  const { open } = await person(own)
  await own.sql.end()
  const page = await open('/account')
  assert.equal(page.status, 503)
  assert.match(page.text, /role="alert"/)
})

test('an account that an operator has closed gets no new key, even from a page that was opened before', async () => {
  const { account } = await accountOf(
    database.sql,
    { issuer: 'https://login.example.org', subject: 'closing', name: 'Closing', isOperator: false },
    new Date(),
  )
  // A page of the account that was opened before can still send a request to create a key.
  await closeAccount(database.sql, account, new Date())
  await assert.rejects(createOwnKey(database.sql, account, new Date()), /this account is closed/)
  assert.equal((await keysOf(database.sql, account, new Date())).length, 0)
})
