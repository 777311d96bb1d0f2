/**
 * Slow requests of one key do not starve the requests of other keys. The tests use a real server and a real database.
 */
import assert from 'node:assert/strict'
import { type ClientRequest, request } from 'node:http'
import { after, test } from 'node:test'
import { openReaders } from '../../src/serve/readers.ts'
import { freshDatabase } from '../support/database.ts'
import { databaseProxy } from '../support/database-proxy.ts'
import { codeOf } from '../support/error-codes.ts'
import { ask, type Reply, type Scratch, scratchServer } from '../support/scratch-server.ts'
import { until } from '../support/until.ts'

const server = await scratchServer({ after })

/** Number of the next request. Each request has another number, so that no two requests share an answer. */
let n = 0
const slow = (seconds: string) => `/v1/sleeps/${seconds}?n=${n++}`

async function metric(server: Scratch, name: string, labels: string): Promise<number> {
  const { text } = await ask(server.base, '/metrics')
  return Number(new RegExp(`^openfilings_places_${name}\\{${labels}\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}
const running = (server: Scratch, cost = 'list') => metric(server, 'running', `class="${cost}"`)
const waiting = (server: Scratch, cost = 'list') => metric(server, 'waiting', `class="${cost}"`)

const shared = async () => /outcome="shared"} (\d+)/.exec((await ask(server.base, '/metrics')).text)?.[1] ?? '0'

/** Counts the running statements of requests in the database. */
async function sleeping(server: Scratch): Promise<number> {
  const [row] = await server.sql<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%pg_sleep(%' and pid <> pg_backend_pid()`
  return row!.n
}

/** Sends a request whose connection the test can close. */
function hangable(server: Scratch, key: string, path: string): ClientRequest {
  const url = new URL(server.base)
  const sent = request({ host: url.hostname, port: url.port, path, agent: false, headers: { 'x-api-key': key } })
  sent.on('error', () => {}).end()
  return sent
}

test('twenty slow requests of one key occupy at most half of the connections, and another key is answered at once', async () => {
  const [greedy, other] = [await server.key(), await server.key()]
  const all = Array.from({ length: 20 }, () => hangable(server, greedy, slow('60')))
  await until('the greedy key uses its share of the slots', async () => (await sleeping(server)) === 5)
  assert.equal(await waiting(server), 15)
  for (let i = 0; i < 20; i++) assert.equal((await server.as(other, '/v1/reads')).status, 200)
  assert.equal(await sleeping(server), 5)
  assert.equal(await waiting(server), 15)
  for (const each of all) each.destroy()
})

test('a key without a free slot still gets cached answers, and its equal requests share one computation', async () => {
  const key = await server.key()
  await server.as(key, '/v1/sleeps/0')
  const before = server.runs.sleeps!
  const all = Array.from({ length: 8 }, () => hangable(server, key, slow('60')))
  await until('three requests are in the queue', async () => (await waiting(server)) === 3)
  assert.equal((await server.as(key, '/v1/sleeps/0')).status, 200)
  const equal = Array.from({ length: 30 }, () => server.as(key, '/v1/sleeps/0.2'))
  await until('one more request waits', async () => (await waiting(server)) === 4)
  for (const each of all) each.destroy()
  assert.deepEqual([...new Set((await Promise.all(equal)).map(({ status }) => status))], [200])
  assert.equal(server.runs.sleeps, before + 8 + 1)
})

test('a request that waits too long for a slot, or finds the queue full, gets 503 with Retry-After; metrics count both', async (t) => {
  // The wait is longer than the time that it takes to send the requests that fill the queue.
  const server = await scratchServer(t, { slotWaitMs: 4000 })
  const key = await server.key()
  const held = Array.from({ length: 5 }, () => hangable(server, key, slow('60')))
  await until('the key uses its share of the slots', async () => (await sleeping(server)) === 5)
  const replies = await Promise.all(Array.from({ length: 200 }, () => server.as(key, slow('0'))))
  const of = (error: RegExp) => replies.filter((reply) => reply.status === 503 && error.test(reply.json().error))
  const late = of(/^the service was busy with other requests for 4 seconds; try again later$/)
  const full = of(/^the queue of waiting requests is full; send fewer requests at a time$/)
  assert.equal(late.length + full.length, 200)
  assert.ok(late.every((reply) => codeOf(503, reply.json()) === 'waited_too_long'))
  assert.ok(full.every((reply) => codeOf(503, reply.json()) === 'too_many_waiting'))
  assert.ok(late.length >= 128 && full.length > 0, `${late.length} waited and ${full.length} found the queue full`)
  for (const { headers } of late) assert.equal(headers['retry-after'], '2')
  for (const { headers } of full) assert.equal(headers['retry-after'], '1')
  assert.equal(await metric(server, 'refused_total', 'class="list",reason="late"'), late.length)
  assert.equal(await metric(server, 'refused_total', 'class="list",reason="full"'), full.length)
  assert.equal(await waiting(server), 0)
  for (const each of held) each.destroy()
  await until('no request runs', async () => (await running(server)) === 0)
})

test('if a client disconnects, its slot is released and its statement is cancelled', async () => {
  const key = await server.key()
  const all = [slow('60'), slow('60'), '/v1/reads?seconds=60'].map((path) => hangable(server, key, path))
  await until('three statements run', async () => (await sleeping(server)) === 3)
  for (const each of all) each.destroy()
  await until('the statements have ended', async () => (await sleeping(server)) === 0)
  await until('the slots are free', async () => (await running(server)) + (await running(server, 'point')) === 0)
  // Each connection still works as before.
  for (let i = 0; i < 10; i++)
    assert.equal((await server.as(key, '/v1/reads')).json<{ name: string }[]>()[0]!.name, '4')
  const gone = server.lines().filter(({ keyId, status }) => keyId === key.split('_')[1] && status === 499)
  assert.deepEqual(
    gone.map(({ ip }) => ip),
    ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
  )
  assert.equal(server.lines().filter(({ level }) => (level as number) > 30).length, 0)
})

test('if a client disconnects while it waits for a slot, its request leaves the queue', async () => {
  const key = await server.key()
  const all = Array.from({ length: 12 }, () => hangable(server, key, slow('60')))
  await until('five statements run', async () => (await sleeping(server)) === 5)
  assert.equal(await waiting(server), 7)
  for (const each of all.slice(5)) each.destroy()
  await until('no request waits', async () => (await waiting(server)) === 0)
  assert.equal(await sleeping(server), 5)
  for (const each of all) each.destroy()
  await until('no request runs', async () => (await running(server)) === 0)
})

test('a shared computation continues while a request waits for it, and is cancelled when the last waiting request leaves', async () => {
  const [one, other] = [await server.key(), await server.key()]
  const path = slow('1')
  const [before, runs] = [Number(await shared()), server.runs.sleeps!]
  const first = hangable(server, one, path)
  await until('the statement runs', async () => (await sleeping(server)) === 1)
  const second = server.as(other, path)
  await until('the second request shares the answer', async () => Number(await shared()) === before + 1)
  first.destroy()
  assert.equal((await second).status, 200)
  assert.equal(server.runs.sleeps, runs + 1)
  const both = [one, other].map((key) => hangable(server, key, '/v1/sleeps/60'))
  await until('the next two requests share an answer', async () => Number(await shared()) === before + 2)
  for (const each of both) each.destroy()
  await until('the statement has ended', async () => (await sleeping(server)) === 0)
})

test('a request that waits for a slot of its key does not delay the same request of another key, and shares its answer', async () => {
  const [greedy, other] = [await server.key(), await server.key()]
  const runs = server.runs.sleeps!
  const all = Array.from({ length: 5 }, () => hangable(server, greedy, slow('60')))
  await until('the key uses its share of the slots', async () => (await running(server)) === 5)
  const path = slow('0.2')
  const queued = server.as(greedy, path)
  await until('the next request waits', async () => (await waiting(server)) === 1)
  const replies: Reply[] = await Promise.all([server.as(other, path), queued])
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200],
  )
  assert.equal(server.runs.sleeps, runs + 6)
  assert.equal(await running(server), 5)
  for (const each of all) each.destroy()
})

test('each class of routes has a time limit; a longer request is cancelled in the database and answered 503', async (t) => {
  const server = await scratchServer(t, { statementTimeoutMs: 6000 })
  const key = await server.key()
  const timed = async (path: string) => {
    const begun = performance.now()
    const { status, json, headers } = await server.as(key, path)
    assert.deepEqual([status, headers['retry-after']], [503, '30'], path)
    assert.match(json().error, /^the query was too expensive and was stopped/)
    return performance.now() - begun
  }
  const [point, list] = await Promise.all([timed('/v1/reads?seconds=60'), timed('/v1/sleeps/60')])
  assert.ok(point > 1990 && list > 3990, `${point} ${list}`)
  assert.ok(point < list)
  assert.equal(await sleeping(server), 0)
  await until('the slots are free', async () => (await running(server)) + (await running(server, 'point')) === 0)
})

test('if the database closes a connection, its request gets 503, and the next request has a new connection', async () => {
  const key = await server.key()
  const request = server.as(key, slow('60'))
  await until('the statement runs', async () => (await sleeping(server)) === 1)
  await server.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where state = 'active' and query like '%pg_sleep(%' and pid <> pg_backend_pid()
      and datname = current_database()`
  const { status, json } = await request
  assert.deepEqual([status, json().error], [503, 'the database cannot be reached at the moment; try again soon'])
  assert.equal((await server.as(key, slow('0'))).status, 200, server.logged())
})

/** A server whose two connections a test can disturb. */
async function disturbed(t: { after(fn: () => Promise<void>): void }) {
  const later: (() => Promise<void>)[] = []
  const database = await freshDatabase({ after: (fn) => later.push(fn) })
  const proxy = await databaseProxy(t, database.target)
  const readers = openReaders({ target: proxy.target, max: 2 })
  t.after(async () => {
    await readers.end()
    for (const close of later) await close()
  })
  // The statements of a list may take two thirds of this limit.
  return { proxy, server: await scratchServer(t, { database, readers, statementTimeoutMs: 2100 }) }
}
const disturbable = await disturbed({ after })

test('a statement to a database that no longer answers is abandoned, and its slot is released', async () => {
  const { proxy, server } = disturbable
  const key = await server.key()
  assert.equal((await server.as(key, slow('0'))).status, 200)
  proxy.freeze()
  const { status } = await server.as(key, slow('0'))
  assert.equal(status, 503)
  await until('the slot is free', async () => (await running(server)) === 0)
  proxy.thaw()
  assert.equal((await server.as(key, slow('0'))).status, 200)
})

for (const [what, ms] of [
  ['that comes late does not end a statement of the next user of the connection', 700],
  ['that never comes is waited for only up to a time limit', 600_000],
] as const) {
  test(`a cancellation ${what}`, async () => {
    const { proxy, server } = disturbable
    const key = await server.key()
    await server.as(key, slow('0'))
    proxy.delayCancellations(ms)
    const gone = hangable(server, key, slow('0.2'))
    await until('the request runs', async () => (await running(server)) === 1)
    gone.destroy()
    // One key may use one of two slots.
    assert.equal((await server.as(key, slow('1'))).status, 200)
    proxy.delayCancellations(0)
  })
}
