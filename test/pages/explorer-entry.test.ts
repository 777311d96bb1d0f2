/** Access to data pages: the key form, the cookie that stores the key, and visitors if pages are public. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as openSocket } from 'node:net'
import { after, test } from 'node:test'
import { apiError } from '../../src/declare/api-errors.ts'
import { revokeKey } from '../../src/serve/keys.ts'
import { freshDatabase } from '../support/database.ts'
import { ask, scratchServer } from '../support/scratch-server.ts'
import { until } from '../support/until.ts'

const database = await freshDatabase({ after })
const server = await scratchServer({ after }, { database })
const key = await server.key()
const HERE = { 'sec-fetch-site': 'same-origin' }

const open = (address: string, headers: Record<string, string> = {}, base = server.base) =>
  fetch(base + address, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })
const enter = (form: Record<string, string>, headers: Record<string, string> = HERE, base = server.base) =>
  fetch(`${base}/key`, { method: 'POST', headers, body: new URLSearchParams(form), redirect: 'manual' })
const cookieOf = (text: string) => ({ cookie: `other=1; openfilings_key=${text}` })

test('a page that is opened without a key asks for one, and the entered key leads to the requested page', async () => {
  const limited = await open('/long?limit=5')
  assert.equal(limited.status, 401)
  assert.equal(limited.headers.get('cache-control'), 'no-store')
  const page = await limited.text()
  assert.match(page, /<form class="entry" action="\/key" method="post"/)
  assert.match(page, /name="to" value="\/long\?limit=5"/)
  assert.doesNotMatch(page, /href="\/account"/, 'a service without sign-in has no accounts')
  const entered = await enter({ key, to: '/things?limit=5' })
  assert.equal(entered.status, 303)
  assert.equal(entered.headers.get('location'), '/things?limit=5')
  const [cookie] = entered.headers.getSetCookie()
  assert.match(cookie!, /^openfilings_key=of_\w+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Strict$/)
  assert.equal((await open('/things?limit=5', { cookie: cookie!.split(';')[0]! })).status, 200)
})

test('a wrong, revoked or missing key is not stored', async () => {
  const other = await server.key()
  await revokeKey(server.sql, other.split('_')[1]!, server.clock.now)
  for (const wrong of ['of_x', other, '', 'x'.repeat(9_000), 'x'.repeat(2_000_000)]) {
    const refused = await enter({ key: wrong, to: '/things' })
    assert.equal(refused.status, 401, wrong.slice(0, 20))
    assert.deepEqual(refused.headers.getSetCookie(), [])
    assert.match(await refused.text(), /role="alert"/)
  }
  const refused = await open('/things', cookieOf('of_x'))
  assert.equal(refused.status, 401)
  assert.match(await refused.text(), /the API key is not valid/)
  for (const [type, body] of [
    ['application/json', '{'],
    ['text/plain', 'x'.repeat(2_000_000)],
  ] as const) {
    const headers = { ...HERE, 'content-type': type }
    const reply = await fetch(`${server.base}/key`, { method: 'POST', headers, body }).catch(() => null)
    // A connection may close before a long body was sent.
    assert.ok(reply === null || reply.status === 401, `${type} ${reply?.status}`)
  }
})

test('a browser that disconnects while it sends a form does not crash the server', async () => {
  const socket = openSocket(Number(new URL(server.base).port), '127.0.0.1')
  const lines = ['POST /key HTTP/1.1', 'Host: localhost', 'Sec-Fetch-Site: same-origin', 'Content-Length: 500']
  const before = server.lines().length
  // The answer to Expect shows that the request has begun.
  socket.write([...lines, 'Expect: 100-continue', '', 'key=of'].join('\r\n'))
  await once(socket, 'data')
  socket.destroy()
  await until('the request is logged', () => server.lines().length > before)
  assert.equal((await enter({ key, to: '/things' })).status, 303)
})

test('a form on another site cannot enter a key, and no redirect leaves this service', async () => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    {},
  ]) {
    const refused = await enter({ key, to: '/things' }, headers as Record<string, string>)
    assert.equal(refused.status, 403, JSON.stringify(headers))
    assert.match(await refused.text(), new RegExp(apiError('foreign_form').message))
    assert.deepEqual(refused.headers.getSetCookie(), [])
  }
  assert.equal((await enter({ key, to: '/things' }, { origin: server.base })).status, 303)
  for (const to of [
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    'things',
    '/a\r\nb: c',
    '',
  ])
    assert.equal((await enter({ key, to })).headers.get('location'), '/', to)
})

test('a browser that comes from another site reloads the page, since only then does it send the cookie', async () => {
  const elsewhere = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  const page = await ask(server.base, '/things', { headers: elsewhere })
  assert.match(page.text, /<meta http-equiv="refresh" content="0">/)
  const again = await ask(server.base, '/things', { headers: { ...elsewhere, 'sec-fetch-site': 'same-origin' } })
  assert.equal(again.status, 401)
})

test('a browser forgets its key on request', async () => {
  const forget = (headers: Record<string, string>) =>
    fetch(`${server.base}/key/forget`, { method: 'POST', headers, redirect: 'manual' })
  assert.equal((await forget({ 'sec-fetch-site': 'cross-site' })).status, 403)
  const [cookie] = (await forget(HERE)).headers.getSetCookie()
  assert.match(cookie!, /^openfilings_key=; Path=\/; Max-Age=0/)
})

test('the cookie opens only pages: the API requires the key itself', async () => {
  assert.equal((await open('/v1/things', cookieOf(key))).status, 401)
})

test('requests for pages count against the limit of the key, and a page reports an exceeded limit', async () => {
  const few = await server.key({ generalLimit: 2 })
  const statuses = []
  for (let n = 0; n < 3; n++) statuses.push((await open('/long', cookieOf(few))).status)
  assert.deepEqual(statuses, [200, 200, 429])
  const refused = await open('/long', cookieOf(few))
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.match(await refused.text(), /Too many requests for now/)
})

test('a page reports a failure without internal details', async () => {
  const broken = await open('/breaks', cookieOf(key))
  assert.equal(broken.status, 500)
  const text = await broken.text()
  assert.match(text, /<h1>/)
  assert.doesNotMatch(text, /inner detail/)
  assert.match(server.logged(), /inner detail that no client may see/)
  const selfServe = await server.key({ selfServe: true })
  assert.equal((await open('/adv/rep/5/movements', cookieOf(selfServe))).status, 403)
  assert.equal((await open('/brochures/5', cookieOf(key))).status, 403)
})

test('no log contains the key of a cookie or of a form', () => {
  assert.doesNotMatch(server.logged(), new RegExp(key.split('_')[2]!))
})

test('attempts to guess keys are limited', async (t) => {
  const own = await scratchServer(t, { database })
  const statuses = []
  for (let n = 0; n < 21; n++) statuses.push((await enter({ key: 'of_x' }, HERE, own.base)).status)
  assert.deepEqual(statuses, [...Array<number>(20).fill(401), 429])
})

test('a cookie that was set over https is sent only over https', async (t) => {
  const own = await scratchServer(t, { database, trustProxy: true })
  const entered = await enter({ key }, { ...HERE, 'x-forwarded-proto': 'https' }, own.base)
  assert.match(entered.headers.getSetCookie()[0]!, /; SameSite=Strict; Secure$/)
})

test('public pages are open to everyone, and each address has its own limit', async (t) => {
  const own = await scratchServer(t, { database, publicPages: true, trustProxy: true })
  const from = (ip: string, address = '/things') => open(address, { 'x-forwarded-for': ip }, own.base)
  assert.equal((await from('192.0.2.1')).status, 200)
  assert.equal((await from('192.0.2.1', '/brochures/5')).status, 403)
  let refused = 0
  for (let n = 0; n < 62; n++) if ((await from(`2001:db8::${n.toString(16)}`)).status === 429) refused++
  // One network of IPv6 is one visitor: 60 searches a minute.
  assert.equal(refused, 2)
  assert.equal((await from('2001:db8:0:1::1')).status, 200)
  assert.equal((await open('/v1/things', {}, own.base)).status, 401)
})
