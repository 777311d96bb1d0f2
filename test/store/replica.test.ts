/**
 * Requests that read from a real replica: a streaming hot standby whose replay can be paused.
 *
 * @server it starts a standby of the server under test, with separate settings and replay
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { catalog } from '../../src/declare/catalog.ts'
import { get, whole } from '../../src/declare/route.ts'
import events from '../../src/products/events/index.ts'
import { described } from '../../src/serve/described.ts'
import { openLog } from '../../src/serve/http/log.ts'
import { createServer } from '../../src/serve/http.ts'
import { createKey, revokeKey } from '../../src/serve/keys.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { openReaders } from '../../src/serve/readers.ts'
import { dataChanged } from '../../src/store/meta.ts'
import { migrate } from '../../src/store/schema.ts'
import { logChange } from '../support/change-log.ts'
import { emptyArchive } from '../support/empty-archive.ts'
import { codeOf } from '../support/error-codes.ts'
import { ask } from '../support/scratch-server.ts'
import { noStandby, openStandby, type Standby } from '../support/standby.ts'
import { until } from '../support/until.ts'

const skip = (await noStandby()) ?? false

const common = { tag: 'filings' as const, reads: ['scratch'], summary: 'A route of the tests', input: {} }
const ROUTES = [
  get('/things', {
    ...common,
    name: 'things',
    output: z.object({ n: z.int() }),
    run: async (_, { sql }) => (await sql<[{ n: number }]>`select count(*)::int as n from public.thing`)[0],
  }),
  get('/elsewhere/{n}', {
    ...common,
    reads: ['elsewhere'],
    name: 'elsewhere',
    input: { n: whole({ describe: 'Any number' }) },
    output: z.object({ n: z.int() }),
    run: async (_, { sql }) => (await sql<[{ n: number }]>`select count(*)::int as n from public.doomed`)[0],
  }),
  get('/twice', {
    ...common,
    name: 'twice',
    output: z.array(z.int()),
    run: async (_, { sql }) => {
      const count = async () => (await sql<[{ n: number }]>`select count(*)::int as n from public.thing`)[0].n
      const first = await count()
      await sql`select pg_advisory_xact_lock(7)`
      return [first, await count()]
    },
  }),
  get('/apart', {
    ...common,
    name: 'apart',
    output: z.array(z.int()),
    run: async (_, { sql }) => {
      const count = async () => (await sql<[{ n: number }]>`select count(*)::int as n from public.thing`)[0].n
      const first = await count()
      await between?.()
      return [first, await count()]
    },
  }),
  get('/slow', {
    ...common,
    name: 'slow',
    cached: false,
    output: z.array(z.int()),
    run: async (_, { sql }) => {
      await sql`select pg_sleep(4) from public.doomed`
      return []
    },
  }),
  get('/writes', {
    ...common,
    name: 'writes',
    cached: false,
    output: z.array(z.int()),
    run: async (_, { sql }) => {
      await sql`insert into public.thing values (0)`
      return []
    },
  }),
]

let replica: Standby
let base: string
/** Action that /apart runs between its two reads. */
let between: (() => Promise<void>) | undefined
const clock = { now: new Date('2026-01-02T03:04:05Z') }
/** Cleanup steps that `after` runs, the newest first. */
const undo: (() => Promise<void>)[] = []

before(async () => {
  if (skip) return
  replica = await openStandby({ after: (fn) => undo.push(fn) }, async (sql) => {
    await migrate(sql, [])
    await sql`create table public.thing (n int)`
    await sql`create table public.doomed as select 1 as n`
  })
  const readers = openReaders({ target: replica.target, max: 4, snapshot: true })
  const served = catalog([], [ROUTES, events], [])
  const server = await createServer({
    catalog: served,
    sql: replica.primary,
    readers,
    submissions: emptyArchive(replica.primary),
    now: () => clock.now,
    log: openLog({ level: 'silent' }),
    selfServeClosed: [],
    isReady: async () => null,
    openapi: described('0.0.0', () => openapi(served, '0.0.0')),
  })
  undo.push(async () => {
    await server.close()
    await readers.end()
  })
  base = await server.listen({ host: '127.0.0.1', port: 0 })
})
after(async () => {
  for (const each of undo.reverse()) await each()
})

const newKey = async () => {
  const limit = { searchLimit: 100_000, generalLimit: 100_000 }
  return (await createKey(replica.primary, { account: 'a', scopes: ['api'], now: clock.now, ...limit })).key
}
const asking = (key: string, path: string) => ask(base, `/v1${path}`, { headers: { 'x-api-key': key } })
const addThing = () =>
  replica.primary.begin(async (tx) => {
    await tx`insert into public.thing values (1)`
    await dataChanged(tx, ['scratch'])
  })

async function runs(call: string): Promise<boolean> {
  const rows = await replica.standby`
    select 1 from pg_stat_activity where query like ${`%${call}%`} and state = 'active' and pid <> pg_backend_pid()`
  return rows.length > 0
}

async function metric(name: string): Promise<number> {
  const { text } = await ask(base, '/metrics')
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}
const hits = () => metric('openfilings_cache_answers_total{outcome="hit"}')

test('an answer from a lagging replica is not cached, and newer answers are seen at once', {
  skip,
}, async () => {
  const key = await newKey()
  await replica.caughtUp()
  const count = async () => (await asking(key, '/things')).json<{ n: number }>().n
  const old = await count()
  await until('an answer comes from memory', async () => {
    const before = await hits()
    await count()
    return (await hits()) > before
  })
  await replica.pause()
  const version = await metric('openfilings_data_version')
  await addThing()
  // The primary notifies the service of the change: polling alone would take ten seconds.
  await until('the service knows of the change', async () => (await metric('openfilings_data_version')) > version)
  const before = await hits()
  for (let i = 0; i < 50; i++) assert.equal(await count(), old)
  assert.equal(await hits(), before, 'an old answer was kept under the new version')
  await replica.resume()
  await replica.caughtUp()
  assert.equal(await count(), old + 1)
  assert.equal(await count(), old + 1)
  assert.ok((await hits()) > before)
})

test('while the replica lags, answers from unchanged data are still cached', { skip }, async () => {
  const key = await newKey()
  await replica.caughtUp()
  await asking(key, '/elsewhere/1')
  await replica.pause()
  try {
    const version = await metric('openfilings_data_version')
    await addThing()
    await until('the service knows of the change', async () => (await metric('openfilings_data_version')) > version)
    const before = await hits()
    assert.equal((await asking(key, '/elsewhere/1')).status, 200)
    assert.equal(await hits(), before + 1, 'the answer was cached before')
    for (let i = 0; i < 2; i++) assert.equal((await asking(key, '/elsewhere/2')).status, 200)
    assert.equal(await hits(), before + 2, 'the answer was made, and cached since')
    for (let i = 0; i < 2; i++) await asking(key, '/things')
    assert.equal(await hits(), before + 2)
  } finally {
    await replica.resume()
  }
})

test('all statements of a request see one snapshot, even if the replica advances between them', { skip }, async () => {
  const key = await newKey()
  // The test before leaves a change that the replica may not have yet.
  await replica.caughtUp()
  const holder = await replica.standby.reserve()
  await holder`select pg_advisory_lock(7)`
  const running = asking(key, '/twice')
  await until('the request is between its two reads', () => runs('pg_advisory_xact_lock(7)'))
  await addThing()
  await replica.caughtUp()
  await holder`select pg_advisory_unlock(7)`
  holder.release()
  const [first, second] = (await running).json<[number, number]>()
  assert.equal(first, second)
  // The snapshot of this answer is older than the current version.
  await until('a later request sees the next snapshot', async () => {
    const again = (await asking(key, '/twice')).json<[number, number]>()
    return isDeepStrictEqual(again, [first + 1, first + 1])
  })
})

test('an answer that was read from two snapshots is cached under neither version', { skip }, async () => {
  const key = await newKey()
  await replica.caughtUp()
  between = async () => {
    await addThing()
    await replica.caughtUp()
  }
  const [first, second] = (await asking(key, '/apart')).json<[number, number]>()
  between = undefined
  assert.equal(second, first + 1)
  const before = await hits()
  assert.deepEqual((await asking(key, '/apart')).json(), [second, second])
  assert.equal(await hits(), before)
})

test('keys are read from the primary, so a new or revoked key takes effect while the replica lags', {
  skip,
}, async () => {
  const old = await newKey()
  await replica.pause()
  try {
    const made = await newKey()
    assert.equal((await asking(made, '/things')).status, 200)
    assert.equal((await asking(old, '/things')).status, 200)
    await revokeKey(replica.primary, old, clock.now)
    clock.now = new Date(clock.now.getTime() + 30_000)
    assert.equal((await asking(old, '/things')).status, 401)
  } finally {
    await replica.resume()
  }
})

test('a request for an event number that the replica does not have yet waits; the number does not count as one of another log', {
  skip,
}, async () => {
  const key = await newKey()
  await logChange(replica.primary, { keys: ['0000000001-26-000001'] })
  await replica.caughtUp()
  await replica.pause()
  try {
    await logChange(replica.primary, { keys: ['0000000001-26-000002'] })
    const [row] = await replica.primary`select max(seq)::float8 as newest from core.event`
    const early = await asking(key, `/events?after=${row!.newest}`)
    assert.deepEqual([early.status, early.headers['retry-after']], [503, '1'])
    assert.equal(codeOf(early.status, early.json()), 'replica_behind')
    assert.match(early.json().error, /the database replica is behind, at event \d+; try again/)
    await replica.resume()
    await replica.caughtUp()
    assert.deepEqual((await asking(key, `/events?after=${row!.newest}`)).json<object>(), {
      ...{ events: [], next_after: row!.newest, is_end: true },
    })
  } finally {
    await replica.resume()
  }
})

test('a statement that the replica cancels because of its replay gets 503 with Retry-After, and the next request works', {
  skip,
}, async () => {
  const key = await newKey()
  const running = asking(key, '/slow')
  await until('the statement runs', () => runs('pg_sleep(4)'))
  await replica.primary`truncate public.doomed`
  const { status, headers, json } = await running
  assert.deepEqual([status, headers['retry-after']], [503, '1'])
  assert.equal(json().error, 'the database was busy changing the requested data; try again')
  assert.equal((await asking(key, '/things')).status, 200)
})

test('a write that reaches a read-only server gets 503 with Retry-After', { skip }, async () => {
  const { status, headers, json } = await asking(await newKey(), '/writes')
  assert.deepEqual([status, headers['retry-after']], [503, '5'])
  assert.equal(json().error, 'the database accepts no changes at the moment; try again soon')
})

test('requests get 503, also from /readyz, while the replica is unreachable, and work again when it is back', {
  skip,
}, async () => {
  const key = await newKey()
  await replica.standby`
    select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`
  assert.equal((await asking(key, '/things')).status, 200)
  assert.equal((await ask(base, '/readyz')).status, 200)
  await replica.stop()
  const { status, json } = await asking(key, '/slow')
  assert.deepEqual([status, json().error], [503, 'the database cannot be reached at the moment; try again soon'])
  assert.equal((await ask(base, '/readyz')).status, 503)
})
