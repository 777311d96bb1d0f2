/** The operator page: who may open it, and what can be changed on it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { KEYS_MAX } from '../../src/accounts/operator.ts'
import { createKey } from '../../src/serve/keys.ts'
import { freshDatabase } from '../support/database.ts'
import { TestBrowser, tokenOn } from '../support/sign-in/browser.ts'
import { signInWorld } from '../support/sign-in/world.ts'

const database = await freshDatabase({ after })
const world = await signInWorld({ after }, { database })
const { base, provider, time } = world
const KEY = /of_\w{8}_\w{28}/
provider.people.set('olga', { name: 'Olga', groups: ['staff', 'filings-operators'] })
provider.people.set('ada', { name: 'Ada Lovelace', groups: ['staff'] })

async function person(login: string) {
  const browser = new TestBrowser()
  const back = await browser.signIn(base, login, '/operator')
  const open = (path: string) => browser.open(base + path)
  const send = async (path: string, form: Record<string, string | string[]>) =>
    browser.open(base + path, { form: { token: tokenOn(await open('/account')), ...form } })
  return { browser, back, open, send }
}
const operator = await person('olga')

/** Creates a key on the page. @returns its text and its id */
async function made(form: Record<string, string | string[]>): Promise<[key: string, keyId: string]> {
  const page = await operator.send('/operator/keys', { scope: 'api', ...form })
  assert.equal(page.status, 200, page.text)
  const [key] = KEY.exec(page.text)!
  return [key!, key!.split('_')[1]!]
}

test('a claim with the operator value opens the page; an absent claim or one of another type does not', async () => {
  assert.equal((await operator.open('/operator')).status, 200)
  const claims = [
    undefined,
    null,
    true,
    7,
    '',
    'filings-operators,staff',
    'Filings-Operators',
    ['staff'],
    [['filings-operators']],
    { 'filings-operators': true },
    [{ name: 'filings-operators' }],
  ]
  for (const groups of claims) {
    provider.people.set('mallory', groups === undefined ? {} : { groups })
    const { open, send } = await person('mallory')
    const page = await open('/operator')
    assert.equal(page.status, 403, JSON.stringify(groups))
    assert.equal(world.lines().at(-1)!.code, 'operators_only')
    assert.doesNotMatch((await open('/account')).text, /href="\/operator"/)
    for (const path of ['/operator/keys', '/operator/keys/limits', '/operator/keys/revoke', '/operator/accounts/close'])
      assert.equal((await send(path, { account: 'mallory', scope: 'api' })).status, 403, path)
  }
  provider.people.set('mallory', { groups: 'filings-operators' })
  assert.equal((await (await person('mallory')).open('/operator')).status, 200)
  assert.equal((await new TestBrowser().open(`${base}/operator`)).status, 401)
})

test('if no setting names the operator claim, nobody is an operator', async (t) => {
  const own = await signInWorld(t, { database, operator: null })
  own.provider.people.set('olga', { groups: ['filings-operators'] })
  const browser = new TestBrowser()
  await browser.signIn(own.base, 'olga')
  assert.equal((await browser.open(`${own.base}/operator`)).status, 403)
})

test('a key is created with scopes, limits and an end, and is shown once', async () => {
  const [key, keyId] = await made({
    ...{ account: 'a desk', scope: ['api', 'brochures'], search: '50', general: '', expires: '2099-01-01' },
  })
  const [row] = await world.sql`select * from core.key where key_id = ${keyId}`
  assert.deepEqual(
    [row!.account, row!.scopes, row!.search_limit, row!.general_limit, row!.self_serve],
    ['a desk', ['api', 'brochures'], 50, null, false],
  )
  assert.match(row!.expires_at, /^2099-01-01T00:00:00/)
  assert.equal((await world.as(key, '/v1/things')).headers['ratelimit-limit'], '50')
  const page = await operator.open('/operator?q=a%20desk')
  assert.match(page.text, new RegExp(keyId))
  assert.doesNotMatch(page.text, KEY)
})

test('an operator changes limits and revokes keys, and servers notice within 30 seconds', async () => {
  const [key, keyId] = await made({ account: 'changing' })
  assert.equal((await world.as(key, '/v1/things')).headers['ratelimit-limit'], '10')
  const changed = await operator.send('/operator/keys/limits', { key: keyId, search: '77', general: '88' })
  assert.deepEqual([changed.status, changed.location], [303, `${base}/operator`])
  time.offsetMs += 31_000
  assert.equal((await world.as(key, '/v1/things')).headers['ratelimit-limit'], '77')
  assert.equal((await world.as(key, '/v1/long')).headers['ratelimit-limit'], '88')
  await operator.send('/operator/keys/limits', { key: keyId, search: '', general: '' })
  time.offsetMs += 31_000
  assert.equal((await world.as(key, '/v1/things')).headers['ratelimit-limit'], '10')
  await operator.send('/operator/keys/revoke', { key: keyId })
  time.offsetMs += 31_000
  assert.equal((await world.as(key, '/v1/things')).status, 401)
  time.offsetMs = 0
})

test('an invalid value is refused with the reason, and changes nothing', async () => {
  const [, keyId] = await made({ account: 'steady' })
  const free = await createKey(world.sql, { account: 'free', scopes: ['api'], selfServe: true, now: new Date() })
  const cases: [path: string, form: Record<string, string | string[]>, reason: RegExp][] = [
    ['/operator/keys', { account: '', scope: 'api' }, /account name/],
    ['/operator/keys', { account: 'x' }, /needs at least one scope/],
    ['/operator/keys', { account: 'x', scope: 'all' }, /unknown scope/],
    ['/operator/keys', { account: 'x', scope: 'api', search: '0' }, /search limit/],
    ['/operator/keys', { account: 'x', scope: 'api', general: '1e3' }, /general limit/],
    ['/operator/keys', { account: 'x', scope: 'api', expires: '2020-01-01' }, /already passed/],
    ['/operator/keys', { account: 'x', scope: 'api', expires: 'soon' }, /not a day/],
    ['/operator/keys', { account: 'x', scope: 'api', expires: '2099-02-29' }, /not a day/],
    ['/operator/keys/limits', { key: keyId, search: '1000001' }, /search limit/],
    ['/operator/keys/limits', { key: free.keyId, search: '100' }, /default limits/],
    ['/operator/keys/limits', { key: 'x' }, /no key has this id/],
    ['/operator/keys/revoke', { key: '<script>' }, /neither a key nor the id of a key/],
    ['/operator/accounts/close', { account: 'nobody' }, /does not exist/],
    ['/operator/accounts/open', { account: 'nobody' }, /does not exist/],
  ]
  const keys = async () => JSON.stringify([...(await world.sql`select * from core.key order by key_id`)])
  const before = await keys()
  for (const [path, form, reason] of cases) {
    const refused = await operator.send(path, form)
    assert.equal(refused.status, 400, `${path} ${JSON.stringify(form)}`)
    assert.match(refused.text, reason)
    assert.equal(world.lines().at(-1)!.code, 'change_refused')
  }
  assert.equal(await keys(), before)
})

test('a NUL character in the search or in a form is refused with the name of the field', async () => {
  const [search, form] = [
    await operator.open('/operator?q=a%00b'),
    await operator.send('/operator/accounts/close', { account: 'a\0b' }),
  ]
  for (const [name, { status, text }] of Object.entries({ q: search, account: form })) {
    assert.equal(status, 400)
    assert.match(text, new RegExp(`${name}.*must not contain NUL characters`))
  }
})

test('a closed account loses its keys and sessions, cannot sign in, and can be opened again', async () => {
  const ada = await person('ada')
  const key = KEY.exec((await ada.send('/account/key', {})).text)![0]!
  const [row] = await world.sql<{ account: string }[]>`select account from core.account where subject = 'ada'`
  const { account } = row!
  assert.match((await operator.open('/operator?q=Lovelace')).text, new RegExp(account))
  assert.equal((await operator.send('/operator/accounts/close', { account })).status, 303)
  assert.equal((await ada.open('/account')).status, 401)
  time.offsetMs += 31_000
  assert.equal((await world.as(key, '/v1/things')).status, 401)
  time.offsetMs = 0
  const { back } = await person('ada')
  assert.equal(back.status, 403)
  assert.match(back.text, /an operator closed this account/)
  assert.equal(world.lines().at(-1)!.code, 'account_closed')
  await operator.send('/operator/accounts/open', { account })
  assert.equal((await person('ada')).back.status, 303)
  const [own] = await world.sql<{ account: string }[]>`select account from core.account where subject = 'olga'`
  assert.match((await operator.send('/operator/accounts/close', own!)).text, /cannot close your own account/)
})

test('every change by an operator is logged, without the key', async () => {
  const [key, keyId] = await made({ account: 'logged' })
  await operator.send('/operator/keys/revoke', { key: keyId })
  const lines = world.lines().filter(({ operator }) => typeof operator === 'string')
  assert.deepEqual(
    lines.slice(-2).map(({ keyId, msg }) => [keyId, msg]),
    [
      [keyId, 'an operator created a key'],
      [keyId, 'an operator revoked a key'],
    ],
  )
  assert.ok(!world.logged().includes(key.split('_')[2]!))
})

test('a form without the session’s token, or from another site, changes nothing', async () => {
  const form = { account: 'forged', scope: 'api' }
  const token = tokenOn(await operator.open('/operator'))
  for (const attempt of [
    { form },
    { form: { ...form, token: 'x' } },
    { form: { ...form, token }, site: 'cross-site' as const },
    { form: { ...form, token }, headers: { 'sec-fetch-site': 'same-site' } },
  ])
    assert.equal((await operator.browser.open(`${base}/operator/keys`, attempt)).status, 403)
  assert.equal((await world.sql`select from core.key where account = 'forged'`).count, 0)
})

test('names are escaped in HTML, searches match % and _ literally, and a long list says that there are more keys', async () => {
  await world.key({ account: '<img src=x>' })
  await world.key({ account: 'a_b%c' })
  const found = async (words: string) => (await operator.open(`/operator?q=${encodeURIComponent(words)}`)).text
  assert.match(await found('<img'), /&lt;img src=x&gt;/)
  assert.match(await found('_b%'), /a_b%c/)
  assert.doesNotMatch(await found('a_c'), /a_b%c/)
  assert.match(await found("'; drop table core.key; --"), /No key matches/)
  for (let n = 0; n <= KEYS_MAX; n++) await world.key({ account: 'many' })
  assert.match(await found('many'), /There are more keys than these 100/)
})
