/**
 * Marks and refreshes: one transaction marks loaded rows, and another makes their rollups.
 *
 * @server it queries which sessions wait for locks of refreshes, and what is analyzed
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '../../src/declare/catalog.ts'
import type { Slice } from '../../src/declare/dataset.ts'
import type { Follow, Refresh } from '../../src/declare/refresh.ts'
import { sourcesOf } from '../../src/declare/sources.ts'
import { text } from '../../src/declare/table.ts'
import { view } from '../../src/declare/view.ts'
import { rebuildBulk } from '../../src/ingest/bulk/rebuild.ts'
import type { Refused } from '../../src/ingest/making.ts'
import { mark, markAll, marked } from '../../src/ingest/marks.ts'
import { holdRefresh } from '../../src/ingest/order.ts'
import { rebuildProduct } from '../../src/ingest/rebuild/product.ts'
import { refreshing } from '../../src/ingest/refresh.ts'
import { createKey } from '../../src/serve/keys.ts'
import { analyzeChanged } from '../../src/store/analyze.ts'
import { connect, type Sql, type Transaction } from '../../src/store/db.ts'
import { definitionOf, differences, migrate } from '../../src/store/schema.ts'
import { fleet, openHarbour } from '../support/bulk-world.ts'
import { beginHere, freePort, queried, sampledEnv, untilReady } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { codeOf } from '../support/error-codes.ts'
import { letters, lone } from '../support/letters.ts'
import { until } from '../support/until.ts'

const countingMake: Refresh['make'] = async (tx, keys) => {
  await tx`
    insert into row select k, 1 from unnest(${(keys ?? ['all']) as string[]}::text[]) k
    on conflict (key) do update set times = row.times + 1`
}

async function openLone(t: { after(fn: () => Promise<void>): void }, refresh: Refresh = { make: countingMake }) {
  const { sql } = await freshDatabase(t)
  const slice = lone(refresh)
  await migrate(sql, [slice])
  const marks = (...keys: string[]) => sql.begin((tx) => mark(tx, new Map([['lone', new Set(keys)]])))
  const rows = async () =>
    (await sql<{ key: string; times: number }[]>`select key, times from lone.row order by key`).map(
      ({ key, times }) => `${key} ${times}`,
    )
  return { sql, slice, slices: [slice] as readonly Slice[], marks, rows }
}

const nothing = async () => {}
const waitingOf = async (sql: Sql) => (await marked(sql)).map(({ slug, waiting, refused }) => [slug, waiting, refused])

test('marks of a killed run stay pending, are reported, and are refreshed by the next run, each key once', async (t) => {
  const { sql, slices, marks, rows } = await openLone(t)
  await marks('a', 'b')
  await marks('b', 'c')
  assert.deepEqual(await waitingOf(sql), [['lone', 3, 0]])
  await refreshing({ sql, slices }, nothing)
  assert.deepEqual(await rows(), ['a 1', 'b 1', 'c 1'])
  assert.deepEqual(await waitingOf(sql), [])
  await refreshing({ sql, slices }, nothing)
  assert.deepEqual(await rows(), ['a 1', 'b 1', 'c 1'], 'rows that are made are not made again')
})

test('the last refresh of a run reports the slice whose rollups it makes; a refresh during the loading does not', async (t) => {
  const { sql, slices, marks, rows } = await openLone(t)
  const failures: string[] = []
  const onMaking = (slug: string) => void failures.push(slug)
  await refreshing({ sql, slices, refreshMs: 0, onMaking }, async (loaded) => {
    await marks('a')
    loaded()
    await until('the row is made', async () => (await rows()).length === 1)
    assert.deepEqual(failures, [])
    await marks('b')
  })
  assert.deepEqual(failures, ['lone'])
})

test('tables that a load has changed, and no others, are analyzed once before the rollups are made', async (t) => {
  const estimates: number[] = []
  const make: Refresh['make'] = async (tx) => {
    const [row] = await tx<{ n: number }[]>`select reltuples::int as n from pg_class where oid = 'lone.row'::regclass`
    estimates.push(row!.n)
  }
  const { sql, slices } = await openLone(t, { make })
  const load = async (from: number, to: number) => {
    await sql.begin(async (tx) => {
      await tx`insert into lone.row select 'key of a row ' || n, 1 from generate_series(${from}::int, ${to}::int) n`
      await mark(tx, new Map([['lone', new Set(['a'])]]))
    })
  }
  await refreshing({ sql, slices }, () => load(1, 100))
  assert.deepEqual(estimates, [-1], 'a small table is not analyzed')
  await refreshing({ sql, slices }, () => load(101, 20_000))
  await refreshing({ sql, slices }, () => load(20_001, 20_100))
  assert.deepEqual(estimates.slice(1), [20_000, 20_000])
  await refreshing({ sql, slices }, () => load(20_101, 30_000))
  assert.deepEqual(estimates.slice(3), [30_000])
})

test('partitions are analyzed with their table, and a partition that another session has locked is skipped', async (t) => {
  const { sql, slices } = await openLone(t)
  await sql`create table lone.parted (n int) partition by list (n)`
  // This setting stops the server's autovacuum from analyzing the partition first; the code under test would then have
  // no reason to wait for it.
  await sql`create table lone.one partition of lone.parted for values in (1) with (autovacuum_enabled = false)`
  await sql`create table lone.two partition of lone.parted for values in (2)`
  // The code under test reads only the names of a rollup.
  const parted = [{ ...slices[0]!, rollups: { parted: { name: 'parted' } } }] as unknown as Slice[]
  const fill = () =>
    sql.begin(async (tx) => {
      await tx`select pg_stat_force_next_flush()`
      await tx`insert into lone.parted select 1 from generate_series(1, 3000)`
    })
  await fill()
  const held = await sql.reserve()
  await held`begin`
  await held`lock table lone.one in access exclusive mode`
  const estimates = async () => {
    const rows = await sql`select relname as name, reltuples::int as n from pg_class
      where oid in ('lone.one'::regclass, 'lone.parted'::regclass) order by 1`
    return rows.map(({ name, n }) => `${name} ${n}`)
  }
  assert.deepEqual(await analyzeChanged(sql, parted), ['lone.one', 'lone.parted'])
  assert.deepEqual(await estimates(), ['one -1', 'parted -1'], 'tables that others lock are not analyzed')
  await held`rollback`
  await analyzeChanged(sql, parted)
  assert.deepEqual(await estimates(), ['one 3000', 'parted 3000'])
  const [times] = await sql`
    select pg_stat_get_analyze_count('lone.one'::regclass)::int as one, pg_stat_get_analyze_count('lone.two'::regclass)::int as two,
      current_setting('server_version_num')::int < 180000 as with_all`
  assert.deepEqual([times!.one, times!.two], [1, times!.with_all ? 1 : 0], 'no partition is read twice')
  assert.deepEqual(await analyzeChanged(sql, parted), [], 'once')
  // Now a table disappears during the wait, as it does when a rebuild swaps tables.
  await fill()
  await held`begin`
  await held`drop table lone.one`
  // This wait is longer than the test. On a busy machine, the usual wait ended before the test saw it.
  const passed = analyzeChanged(sql, parted, 600_000)
  await until('the analysis waits for the table', async () => {
    const [row] = await sql`select exists (select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'analyze %') as waits`
    return row!.waits
  })
  await held`commit`
  held.release()
  assert.deepEqual(await passed, ['lone.one', 'lone.parted'])
})

test('two transactions that mark the same key do not wait for each other', async (t) => {
  const { sql, slices, marks, rows } = await openLone(t)
  const marked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const marking = sql.begin(async (tx) => {
    await mark(tx, new Map([['lone', new Set(['a'])]]))
    marked.resolve()
    await release.promise
  })
  await marked.promise
  await marks('a')
  await refreshing({ sql, slices }, nothing)
  assert.deepEqual(await rows(), ['a 1'])
  release.resolve()
  await marking
  await refreshing({ sql, slices }, nothing)
  assert.deepEqual(await rows(), ['a 2'], 'a subject that was marked later is made later')
})

test('a mark of the whole slice causes one refresh of all rows, even if single keys are marked too', async (t) => {
  const { sql, slice, slices, marks, rows } = await openLone(t)
  await marks('a', 'b')
  await sql.begin((tx) => markAll(tx, [slice]))
  await refreshing({ sql, slices }, nothing)
  assert.deepEqual(await rows(), ['all 1'])
  assert.deepEqual(await waitingOf(sql), [])
})

test('a long run refreshes while it loads, but not before its interval has passed', async (t) => {
  const { sql, slices, marks, rows } = await openLone(t)
  await refreshing({ sql, slices, refreshMs: 0 }, async (loaded) => {
    await marks('a')
    loaded()
    await until('the row is made', async () => (await rows()).length === 1)
  })
  await refreshing({ sql, slices }, async (loaded) => {
    await marks('b')
    loaded()
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.deepEqual(await rows(), ['a 1'])
  })
  assert.deepEqual(await rows(), ['a 1', 'b 1'])
})

test('a refresh during a run skips a slice that another process refreshes; the last refresh of the run waits for that process', async (t) => {
  const { sql, slices, marks, rows } = await openLone(t)
  const release = Promise.withResolvers<void>()
  let other: Promise<unknown> | undefined
  let ended = false
  const run = refreshing({ sql, slices, refreshMs: 0 }, async (loaded) => {
    await marks('a')
    const held = Promise.withResolvers<void>()
    other = sql.begin(async (tx) => {
      await holdRefresh(tx, 'lone')
      held.resolve()
      await release.promise
    })
    await held.promise
    loaded()
  }).then(() => {
    ended = true
  })
  await until('the run waits for the lock', async () => {
    const [row] = await sql`
      select exists (select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())) as waits`
    return row!.waits
  })
  assert.deepEqual([ended, await rows()], [false, []])
  release.resolve()
  await Promise.all([run, other])
  assert.deepEqual(await rows(), ['a 1'])
})

test('a refresh that the database aborts during a run is repeated at the end of the run', async (t) => {
  let tries = 0
  const { sql, slices, marks, rows } = await openLone(t, {
    async make(tx, keys) {
      if (++tries === 1) await tx`select pg_cancel_backend(pg_backend_pid()), pg_sleep(5)`
      await countingMake(tx, keys)
    },
  })
  await refreshing({ sql, slices, refreshMs: 0 }, async (loaded) => {
    await marks('a')
    loaded()
    await until('the refresh was tried once', async () => tries === 1)
  })
  assert.deepEqual([tries, await rows()], [2, ['a 1']])
})

test('a failing run still refreshes the rollups of its loaded rows, and reports its own failure even if the refresh fails too', async (t) => {
  const { sql, slices, marks, rows } = await openLone(t)
  const failing = async () => {
    await marks('a')
    throw new Error('EDGAR is out')
  }
  await assert.rejects(refreshing({ sql, slices }, failing), /EDGAR is out/)
  assert.deepEqual(await rows(), ['a 1'])
  await assert.rejects(
    refreshing({ sql, slices }, async () => {
      await sql`drop table lone.row`
      return failing()
    }),
    /EDGAR is out/,
  )
  assert.deepEqual(await waitingOf(sql), [['lone', 1, 0]])
  await assert.rejects(refreshing({ sql, slices }, nothing), /relation "row" does not exist/)
})

test('a run that is stopped leaves its marks to the next run', async (t) => {
  const { sql, slices, marks, rows } = await openLone(t)
  const stop = new AbortController()
  await refreshing({ sql, slices, signal: stop.signal }, async () => {
    await marks('a')
    stop.abort()
  })
  await assert.rejects(
    refreshing({ sql, slices, signal: stop.signal }, async () => {
      throw new Error('stopped')
    }),
    /stopped/,
  )
  assert.deepEqual(await rows(), [])
  await refreshing({ sql, slices }, nothing)
  assert.deepEqual(await rows(), ['a 1'])
})

test('rollups with another definition are left to a rebuild, and a slice whose tables are being swapped is skipped', async (t) => {
  const { sql, slice, slices, marks, rows } = await openLone(t)
  await marks('a')
  await sql`update core.dataset set ddl_hash = 'other'`
  await refreshing({ sql, slices }, nothing)
  assert.deepEqual([await rows(), await waitingOf(sql)], [[], [['lone', 1, 0]]])
  await sql`update core.dataset set ddl_hash = ${definitionOf(slice).ddlHash}`
  await sql.begin(async (tx) => {
    await tx`select from core.dataset where slug = 'lone' for update`
    await refreshing({ sql, slices }, nothing)
  })
  assert.deepEqual([await rows(), await waitingOf(sql)], [[], [['lone', 1, 0]]])
  await rebuildProduct({ sql, slices }, slice)
  assert.deepEqual([await rows(), await waitingOf(sql)], [['a 1', 'all 1'], []])
})

test('a key whose refresh failed is retried by the next run, or when it is marked again', async (t) => {
  let refuses = true
  const { sql, slices, marks, rows } = await openLone(t, {
    async make(tx, keys) {
      await countingMake(tx, keys)
      if (refuses && keys!.includes('b')) await tx`select 1 / 0`
    },
  })
  const refused: Refused[] = []
  const onRefused = (key: Refused) => refused.push(key)
  await marks('a', 'b', 'c')
  await refreshing({ sql, slices, refreshMs: 0, onRefused }, async (loaded) => {
    loaded()
    await until('the refresh of b is refused', async () => (await waitingOf(sql))[0]?.[2] === 1)
    assert.deepEqual(await rows(), ['a 1', 'c 1'])
    refuses = false
    loaded()
    await marks('b')
  })
  assert.deepEqual([await rows(), refused], [['a 1', 'b 1', 'c 1'], []])
  refuses = true
  await marks('b')
  await refreshing({ sql, slices, onRefused }, nothing)
  assert.deepEqual(refused, [{ slug: 'lone', key: 'b', reason: 'division by zero' }])
  refuses = false
  await refreshing({ sql, slices, onRefused }, nothing)
  assert.deepEqual([await rows(), await waitingOf(sql), refused.length], [['a 1', 'b 2', 'c 1'], [], 1])
})

const ship = (number: number, name: string) => `<Ship number="${number}" name="${name}"/>`

test('after random loads and rebuilds of a dataset and a product that follows it, the product’s rollup equals one made from scratch', async (t) => {
  const harbour = await openHarbour(t)
  const { sql } = harbour
  const follower = letters()
  const { slices } = catalog([fleet], [follower], [])
  assert.deepEqual(
    slices.map(({ slug }) => slug),
    ['fleet', 'letters'],
  )
  const rows = async () =>
    (await sql<{ letter: string; ships: number }[]>`select * from letters.letter order by 1`).map(
      ({ letter, ships }) => `${letter} ${ships}`,
    )
  await harbour.ships('2026-01-01', ship(1, 'Ann'), ship(2, 'Anton'), ship(3, 'Bess'))
  await harbour.ingest()
  // A product is added later. Its tables are made now, and the next run fills them.
  await migrate(sql, slices)
  assert.deepEqual(await rows(), [])
  await harbour.ingest({ slices })
  assert.deepEqual(await rows(), ['A 2', 'B 1'])
  await harbour.ships('2026-01-02', ship(1, 'Ann'), ship(2, 'Zeno'), ship(4, 'Bob'))
  await harbour.ingest({ slices })
  assert.deepEqual(await rows(), ['A 1', 'B 2', 'Z 1'], 'the ship that is gone keeps its last name')
  await sql`update letters.letter set ships = 100`
  await rebuildBulk({ ...harbour, slices }, fleet)
  assert.deepEqual(await waitingOf(sql), [['letters', 1, 0]])
  await refreshing({ sql, slices }, nothing)
  assert.deepEqual(await rows(), ['A 1', 'B 2', 'Z 1'])
  await sql`drop schema letters cascade`
  const { stale } = await differences(sql, slices)
  assert.deepEqual(
    stale.map(({ slug, reason, lacks }) => [slug, reason, ...lacks]),
    [['letters', 'missing', 'the schema letters']],
  )
  await rebuildProduct({ sql, slices }, follower)
  assert.deepEqual(await rows(), ['A 1', 'B 2', 'Z 1'])
})

test('keys that are refreshed while a rebuild of a product is interrupted are in the rows of the resumed rebuild', async (t) => {
  const harbour = await openHarbour(t)
  const { sql } = harbour
  const follower = letters()
  const { slices } = catalog([fleet], [follower], [])
  await migrate(sql, slices)
  await harbour.ships('2026-01-01', ship(1, 'Ann'))
  await harbour.ingest({ slices })
  const stop = new AbortController()
  const stopping = letters({
    async make(tx, keys) {
      await follower.refresh.make(tx, keys)
      stop.abort(new Error('stopped'))
    },
  })
  await assert.rejects(rebuildProduct({ sql, slices, signal: stop.signal }, stopping), /stopped/)
  assert.equal((await sql`select step from core.shadow`)[0]!.step, 'made')
  await harbour.ships('2026-01-02', ship(1, 'Bess'), ship(2, 'Zeno'))
  await harbour.ingest({ slices })
  await rebuildProduct({ sql, slices }, follower)
  const rows = await sql<{ letter: string; ships: number }[]>`select * from letters.letter order by 1`
  assert.deepEqual(
    rows.map(({ letter, ships }) => `${letter} ${ships}`),
    ['B 1', 'Z 1'],
  )
})

test('a rollup is refreshed after the rollup that it follows, for old and new keys, or completely if that rollup was made completely', async (t) => {
  const { sql } = await freshDatabase(t)
  const calls: string[] = []
  const recording = (slug: string, follows?: Record<string, Follow>) =>
    lone(
      {
        async make(_tx, keys) {
          calls.push(`${slug} ${keys ?? 'all'}`)
        },
        ...(follows ? { follows } : {}),
      },
      slug,
    )
  let counted = 0
  const first = recording('first')
  const third = recording('third', {
    second: (_tx: Transaction, keys: readonly string[]) => keys.map((key) => `${key}!`),
  })
  const second = recording('second', { first: (_tx, keys) => [...keys, `asked${++counted}`] })
  const { slices } = catalog([], [third, second, first], [])
  assert.deepEqual(
    slices.map(({ slug }) => slug),
    ['first', 'second', 'third'],
  )
  await migrate(sql, slices)
  await sql`delete from core.mark`
  await sql.begin((tx) => mark(tx, new Map([['first', new Set(['a'])]])))
  await refreshing({ sql, slices }, nothing)
  assert.deepEqual(
    calls.splice(0).map((call) => call.split(/[ ,]/).sort().join(' ')),
    ['a first', 'a asked1 asked2 second', 'a! asked1! asked2! third'],
  )
  await sql.begin((tx) => markAll(tx, [first]))
  await refreshing({ sql, slices }, nothing)
  assert.deepEqual(calls, ['first all', 'second all', 'third all'])
})

test('rollups wait for the rebuild of all slices that they directly or indirectly follow, and tables of another version are not queried for keys', async (t) => {
  const { sql } = await freshDatabase(t)
  const calls: string[] = []
  const recording = (slug: string, follows?: Record<string, Follow>) =>
    lone(
      {
        async make(_tx, keys) {
          calls.push(`${slug} ${keys ?? 'all'}`)
        },
        ...(follows ? { follows } : {}),
      },
      slug,
    )
  const keyRequests: string[] = []
  const keysOf = (slug: string) => (_tx: Transaction, keys: readonly string[]) => {
    keyRequests.push(slug)
    return keys
  }
  const { slices } = catalog(
    [],
    [
      recording('third', { second: keysOf('third') }),
      recording('second', { first: keysOf('second') }),
      recording('first'),
    ],
    [],
  )
  await migrate(sql, slices)
  await sql`delete from core.mark`
  const hashes = await sql<{ slug: string; ddl_hash: string }[]>`select slug, ddl_hash from core.dataset`
  const own = (slug: string) => hashes.find((row) => row.slug === slug)!.ddl_hash
  const become = (slug: string, hash: string) => sql`update core.dataset set ddl_hash = ${hash} where slug = ${slug}`
  await become('first', 'other')
  await sql.begin((tx) => mark(tx, new Map(slices.map(({ slug }) => [slug, new Set(['a'])]))))
  await refreshing({ sql, slices }, nothing)
  assert.deepEqual(calls, [])
  assert.equal((await sql`select from core.mark`).count, 3)
  await become('first', own('first'))
  await become('second', 'other')
  await refreshing({ sql, slices }, nothing)
  assert.deepEqual(calls.splice(0), ['first a'])
  assert.deepEqual(keyRequests, [])
  const waiting = await sql`select slug, key from core.mark order by slug, key`
  assert.deepEqual(
    waiting.map(({ slug, key }) => `${slug} ${key}`),
    ['second a', 'second null', 'third a'],
  )
  await become('second', own('second'))
  await refreshing({ sql, slices }, nothing)
  assert.deepEqual(calls, ['second all', 'third all'])
  await become('first', 'other')
  const [, , third] = slices
  await assert.rejects(
    rebuildProduct({ sql, slices }, third!),
    /third is made from first, whose tables were made by another version: run "openfilings rebuild first third"/,
  )
})

test('a slice is ordered after the slices whose views it reads or that its rollups follow', () => {
  const reads = (slug: string, sql: string) => {
    const one = view(`pub.${slug}_row`, 'One row per key', { key: text('Key') }, sql)
    return { ...lone({ make: nothing }, slug), views: [one] }
  }
  const a = reads('a', 'select key from pub.b_row join pub.c_row using (key)')
  const b = reads('b', 'select key from pub.c_row')
  const c = reads('c', 'select key from row')
  assert.deepEqual(
    catalog([], [a, b, c], []).slices.map(({ slug }) => slug),
    ['c', 'b', 'a'],
  )
  assert.deepEqual(sourcesOf([a, b, c], a), [b, c])
  assert.deepEqual(sourcesOf([a, b, c], c), [])
})

test('a cycle of slices that follow each other, and a slice that follows an unknown slice, are refused with their names', () => {
  const make = nothing
  const follows = (...slugs: string[]) => Object.fromEntries(slugs.map((slug) => [slug, () => []]))
  const a = lone({ make, follows: follows('c') }, 'a')
  const b = lone({ make, follows: follows('a') }, 'b')
  const c = lone({ make, follows: follows('b') }, 'c')
  assert.throws(() => catalog([], [a, b, c], []), /rollups follow each other in a circle: a → c → b → a/)
  assert.throws(() => catalog([], [a], []), /slice a follows a slice that does not exist: c/)
})

test('a starting service makes rollups that a killed load or a new version left pending; until then their routes answer 503', async (t) => {
  const env = await sampledEnv(t)
  const brokers = (sql: Sql) => sql`select cik from x17a5.broker order by cik`
  const before = await queried(env, async (sql) => [...(await brokers(sql))])
  await queried(env, async (sql) => {
    await sql`delete from x17a5.broker`
    await sql`insert into core.mark (slug) values ('x17a5')`
  })
  const own = connect({ target: env.DATABASE_URL!, max: 1 })
  t.after(() => own.end())
  await own`select pg_advisory_lock(4713006, hashtext('x17a5'))`
  const { key } = await createKey(own, { account: 'a', scopes: ['api'], selfServe: false, now: new Date() })
  const port = await freePort()
  const server = beginHere(t, ['serve', '--port', String(port)], env)
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${key}` } })
    return { status: answer.status, text: await answer.text() }
  }
  // Without the rollups a list would appear empty.
  await until('the server listens', () =>
    get('/healthz').then(
      () => true,
      () => false,
    ),
  )
  await until('the server makes the rollups', async () => /making rollups of x17a5/.test((await get('/readyz')).text))
  const refused = await get('/v1/brokers?limit=1')
  assert.equal(codeOf(refused.status, JSON.parse(refused.text)), 'rebuilding')
  assert.match(refused.text, /the rollups of x17a5 are being made; try again later/)
  assert.equal((await get('/v1/feed?type=formd&limit=1')).status, 200)
  await own`select pg_advisory_unlock(4713006, hashtext('x17a5'))`
  await untilReady(server)
  await until('the rollups are made', async () => (await queried(env, waitingOf)).length === 0)
  assert.equal((await get('/v1/brokers?limit=1')).status, 200)
  assert.deepEqual(await queried(env, async (sql) => [...(await brokers(sql))]), before)
  assert.equal(await server.end(), 0)
})
