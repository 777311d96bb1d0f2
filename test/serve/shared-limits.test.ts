/** Rate limits that several servers share through the database. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PostgresCounts } from '../../src/serve/limits/postgres.ts'
import { type Counted, type CountStore, type SharedOptions, sharedLimiter } from '../../src/serve/limits/shared.ts'
import type { Limiter } from '../../src/serve/limits.ts'
import { connect } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { databaseProxy } from '../support/database-proxy.ts'
import { serveWorld } from '../support/served.ts'
import { until } from '../support/until.ts'
import { openWorld } from '../support/world.ts'

const fresh = await freshDatabase({ after: (fn) => after(fn) })
const { sql } = fresh
const steady = () => performance.now()

/** Creates a store that counts its calls, and that a test can make fail. */
function watched(store: CountStore) {
  const seen = { asked: 0, fail: null as Error | null }
  const watching: CountStore = {
    name: store.name,
    async add(countedAs, bucket, amount) {
      seen.asked++
      if (seen.fail) throw seen.fail
      return store.add(countedAs, bucket, amount)
    },
    close: () => store.close(),
  }
  return Object.assign(seen, { store: watching })
}

/** Creates a store in memory, whose clock the test sets. */
function memory(clock: { now: number }): CountStore {
  const windows = new Map<string, Counted & { endsAt: number }>()
  return {
    name: 'memory',
    async add(countedAs, bucket, amount) {
      const name = `${bucket} ${countedAs}`
      const known = windows.get(name)
      const window = known && clock.now < known.endsAt ? known : { used: 0, msLeft: 0, endsAt: clock.now + 60_000 }
      window.used += amount
      if (amount > 0) windows.set(name, window)
      return { used: window.used, msLeft: windows.has(name) ? window.endsAt - clock.now : 0 }
    },
    async close() {},
  }
}

/** Creates the given number of limiters, one for each server; all share one database. */
const servers = (count: number, own: Partial<SharedOptions> = {}) =>
  Array.from({ length: count }, () => {
    const counting = watched(new PostgresCounts(sql, steady))
    // The long wait ensures that a slow machine does not look like a store that is not available.
    return { counting, limiter: sharedLimiter({ store: counting.store, steady, waitMs: 30_000, ...own }) }
  })

/**
 * Returns how many of these requests are allowed if they are sent to the servers in turn, some of them at the same
 * time.
 */
async function allowedOf(limiters: Limiter[], requests: number, limit: number, countedAs: string): Promise<number> {
  let allowed = 0
  const each = limiters.map(async (limiter) => {
    for (let left = requests / limiters.length; left > 0; left -= 10) {
      const taken = await Promise.all(
        Array.from({ length: Math.min(10, left) }, () => limiter.take(countedAs, 'search', limit)),
      )
      allowed += taken.filter((one) => one.allowed).length
    }
  })
  await Promise.all(each)
  return allowed
}

test('three servers together allow a small limit once, not three times', async () => {
  const limiters = servers(3).map(({ limiter }) => limiter)
  assert.equal(await allowedOf(limiters, 60, 10, 'small'), 10)
  for (const limiter of limiters) assert.equal((await limiter.take('small', 'search', 10)).allowed, false)
})

test('exactly as many concurrent requests are allowed as the limit states', async () => {
  const limiters = servers(3).map(({ limiter }) => limiter)
  const taken = await Promise.all(Array.from({ length: 60 }, (_, n) => limiters[n % 3]!.take('at once', 'search', 10)))
  assert.equal(taken.filter(({ allowed }) => allowed).length, 10)
})

test('three servers together allow at least 99 % of a large limit and never more than the limit, with about 300 calls of the store', async () => {
  const all = servers(3)
  const limit = 6_000
  const allowed = await allowedOf(
    all.map(({ limiter }) => limiter),
    9_000,
    limit,
    'large',
  )
  assert.ok(allowed <= limit && allowed >= limit * 0.99, `${allowed} of ${limit}`)
  const asked = all.reduce((sum, { counting }) => sum + counting.asked, 0)
  assert.ok(asked <= 310, `${asked} questions`)
})

test('a refused request does not call the store', async () => {
  const [{ limiter, counting }] = servers(1) as [ReturnType<typeof servers>[0]]
  for (let n = 0; n < 2; n++) await limiter.take('refused', 'general', 2)
  const refused = await Promise.all(Array.from({ length: 500 }, () => limiter.take('refused', 'general', 2)))
  assert.ok(refused.every(({ allowed, remaining }) => !allowed && remaining === 0))
  assert.ok(counting.asked <= 3, `${counting.asked} questions`)
})

test('keys and buckets are counted separately, and reading the state of a limit does not count as a request', async () => {
  const [one, two] = servers(2).map(({ limiter }) => limiter) as [Limiter, Limiter]
  assert.equal((await one.peek('look', 'search', 3)).remaining, 3)
  await one.take('look', 'search', 3)
  assert.equal((await two.peek('look', 'search', 3)).remaining, 2)
  assert.equal((await two.peek('look', 'search', 3)).remaining, 2)
  assert.equal((await two.peek('look', 'general', 3)).remaining, 3)
  assert.equal((await two.peek('other', 'search', 3)).remaining, 3)
})

test('a window ends by the clock of the database, and then the key is allowed again', async () => {
  const [one] = servers(1) as [ReturnType<typeof servers>[0]]
  const first = await one.limiter.take('window', 'search', 1)
  assert.deepEqual([first.allowed, first.remaining, first.resetSeconds], [true, 0, 60])
  // This is another server, which does not know the window that the first server has seen.
  const [two] = servers(1) as [ReturnType<typeof servers>[0]]
  assert.equal((await two.limiter.take('window', 'search', 1)).allowed, false)
  await sql`update core.allowance set ends_at = now() - interval '1 second' where counted_as = 'window'`
  const [three] = servers(1) as [ReturnType<typeof servers>[0]]
  assert.equal((await three.limiter.take('window', 'search', 1)).allowed, true)
})

test('if the clock of the database is set back by an hour, a reached limit ends within a minute', async () => {
  const store = new PostgresCounts(sql, steady)
  await store.add('set back', 'search', 7)
  await sql`update core.allowance set ends_at = ends_at + interval '1 hour' where counted_as = 'set back'`
  const { used, msLeft } = await store.add('set back', 'search', 1)
  assert.equal(used, 8)
  assert.ok(msLeft <= 60_000 && msLeft > 30_000, `${msLeft}`)
  const later = await store.add('set back', 'search', 1)
  assert.ok(later.msLeft <= msLeft, 'a further request does not lengthen the window')
})

test('a server that knows that a limit is reached allows requests again after the minute', async () => {
  const clock = { now: 5_000 }
  const limiter = sharedLimiter({ store: memory(clock), steady: () => clock.now })
  await limiter.take('key', 'search', 1)
  assert.equal((await limiter.take('key', 'search', 1)).allowed, false)
  clock.now += 59_000
  assert.deepEqual(
    [(await limiter.take('key', 'search', 1)).allowed, (await limiter.take('key', 'search', 1)).resetSeconds],
    [false, 1],
  )
  clock.now += 1_001
  assert.equal((await limiter.take('key', 'search', 1)).allowed, true)
})

test('requests that a server reserved and did not use expire with their window', async () => {
  const clock = { now: 0 }
  const limiter = sharedLimiter({ store: memory(clock), steady: () => clock.now })
  assert.equal((await limiter.take('key', 'search', 3_000)).remaining, 2_999)
  clock.now += 60_001
  assert.equal((await limiter.take('key', 'search', 3_000)).remaining, 2_999)
})

test('a lowered or raised limit applies at once', async () => {
  const clock = { now: 0 }
  const limiter = sharedLimiter({ store: memory(clock), steady: () => clock.now })
  for (let n = 0; n < 5; n++) await limiter.take('key', 'search', 3_000)
  assert.equal((await limiter.take('key', 'search', 3)).allowed, false)
  assert.equal((await limiter.take('key', 'search', 3_000)).remaining, 2_993)
})

test('while the store fails, a server counts alone from its last known state and reports this; afterwards it counts with the other servers again', async () => {
  const clock = { now: 0 }
  const changes: boolean[] = []
  const counting = watched(memory(clock))
  const limiter = sharedLimiter({
    store: counting.store,
    steady: () => clock.now,
    onChange: ({ away }) => changes.push(away),
  })
  await limiter.take('known', 'search', 4)
  counting.fail = new Error('connection refused')
  const left = await Promise.all(Array.from({ length: 6 }, () => limiter.take('known', 'search', 4)))
  assert.equal(left.filter(({ allowed }) => allowed).length, 3)
  assert.match(limiter.whyLocal()!, /^memory does not answer, so this server counts requests by itself$/)
  const fresh = await Promise.all(Array.from({ length: 6 }, () => limiter.take('fresh', 'search', 4)))
  assert.equal(fresh.filter(({ allowed }) => allowed).length, 4)
  const asked = counting.asked
  for (let n = 0; n < 50; n++) await limiter.take(`key ${n}`, 'search', 4)
  assert.equal(counting.asked, asked, 'an unavailable store is not called for each request')
  counting.fail = null
  clock.now += 1_001
  await limiter.take('later', 'search', 4)
  assert.equal(limiter.whyLocal(), null)
  assert.deepEqual(changes, [true, false])
})

test('a database that does not answer delays only one request, by at most a quarter of a second', async (t) => {
  const proxy = await databaseProxy(t, fresh.target)
  const through = connect({ target: proxy.target, max: 1 })
  t.after(() => through.end({ timeout: 0 }))
  const limiter = sharedLimiter({ store: new PostgresCounts(through, steady), steady, restMs: 100_000 })
  assert.equal((await limiter.take('frozen', 'search', 5)).allowed, true)
  proxy.freeze()
  assert.equal((await limiter.take('frozen', 'search', 5)).allowed, true)
  assert.match(limiter.whyLocal()!, /^PostgreSQL does not answer/)
  const begun = steady()
  for (let n = 0; n < 20; n++) assert.equal((await limiter.take(`frozen ${n}`, 'search', 5)).allowed, true)
  assert.ok(steady() - begun < 20 * 250, 'only the first request waited')
})

test('rows of expired windows are deleted', async () => {
  let at = 0
  const store = new PostgresCounts(sql, () => at)
  await store.add('visitor 192.0.2.0', 'search', 1)
  await sql`update core.allowance set ends_at = now() - interval '2 minutes' where counted_as = 'visitor 192.0.2.0'`
  at += 60_001
  await store.add('visitor 198.51.100.0', 'search', 1)
  await until('the row is gone', async () => {
    const rows = await sql`select from core.allowance where counted_as = 'visitor 192.0.2.0'`
    return rows.length === 0
  })
})

test('a count stops at the largest integer', async () => {
  const store = new PostgresCounts(sql, steady)
  await store.add('many', 'search', 2_000_000_000)
  assert.equal((await store.add('many', 'search', 2_000_000_000)).used, 2_147_483_647)
})

test('three HTTP servers over one database together allow a key its limit, and /readyz reports a server that counts alone', async (t) => {
  const world = await openWorld(t)
  const failing = watched(new PostgresCounts(world.sql, steady))
  const limiterOf = (store: CountStore) => sharedLimiter({ store, steady, waitMs: 30_000, restMs: 0 })
  const served = [
    await serveWorld(t, world, { limiter: limiterOf(failing.store) }),
    await serveWorld(t, world, { limiter: limiterOf(new PostgresCounts(world.sql, steady)) }),
    await serveWorld(t, world, { limiter: limiterOf(new PostgresCounts(world.sql, steady)) }),
  ]
  const key = served[0]!.keys.limited
  const answers: Response[] = []
  for (let n = 0; n < 24; n++) answers.push(await served[n % 3]!.get('/me', { 'x-api-key': key }))
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(statuses, [...Array(10).fill(200), ...Array(14).fill(429)])
  assert.deepEqual(
    answers.slice(0, 10).map(({ headers }) => headers.get('ratelimit-remaining')),
    ['9', '8', '7', '6', '5', '4', '3', '2', '1', '0'],
  )
  await Promise.all(answers.map((answer) => answer.arrayBuffer()))

  const ready = async () => (await fetch(`${served[0]!.origin}/readyz`)).json()
  assert.deepEqual(await ready(), { status: 'ready' })
  failing.fail = new Error('gone')
  await (await served[0]!.get('/me', { 'x-api-key': served[0]!.keys.api })).arrayBuffer()
  assert.deepEqual(await ready(), {
    status: 'ready',
    limits: 'PostgreSQL does not answer, so this server counts requests by itself',
  })
  failing.fail = null
  await (await served[0]!.get('/me', { 'x-api-key': served[1]!.keys.api })).arrayBuffer()
  assert.deepEqual(await ready(), { status: 'ready' })
})

test('a failure to delete old rows fails no request', async (t) => {
  const { sql: own } = await freshDatabase(t)
  await own`create sequence core.refused`
  await own`
    create function core.refuse() returns trigger language plpgsql as $$
    begin perform nextval('core.refused'); raise 'refused'; end $$`
  await own`create trigger refuse before delete on core.allowance for each statement execute function core.refuse()`
  const store = new PostgresCounts(own, steady)
  assert.equal((await store.add('key', 'search', 1)).used, 1)
  await until('the deletion was refused', async () => {
    const [{ is_called }] = await own<[{ is_called: boolean }]>`select is_called from core.refused`
    return is_called
  })
  assert.equal((await store.add('key', 'search', 1)).used, 2)
})
