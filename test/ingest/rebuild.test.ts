/**
 * A rebuild fills a shadow schema, continues after a kill, catches up with other loads, and is swapped in while others
 * read.
 *
 * @server it swaps tables under locks, with readers and writers next to it
 * @early it takes 16 s of the processor
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import path from 'node:path'
import { after, before, describe, it, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { submissions } from '../../src/archive/submissions.ts'
import formd from '../../src/datasets/formd/index.ts'
import x17a5 from '../../src/datasets/x17a5/index.ts'
import { sourcesOf } from '../../src/declare/sources.ts'
import { rebuildBulk } from '../../src/ingest/bulk/rebuild.ts'
import { claimOrigin } from '../../src/ingest/origin.ts'
import { rebuildInShadow } from '../../src/ingest/rebuild/rebuilding.ts'
import { holdRebuild, journal } from '../../src/ingest/rebuild/shadow.ts'
import { dropLeftOld, dropOld, swap } from '../../src/ingest/rebuild/swap.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import registry from '../../src/registry.ts'
import { Run } from '../../src/serve/http/run.ts'
import { openReaders } from '../../src/serve/readers.ts'
import { connect, type Sql, type Transaction } from '../../src/store/db.ts'
import { within } from '../../src/store/path.ts'
import { fleet, openHarbour } from '../support/bulk-world.ts'
import { queried, run, sampledEnv } from '../support/command.ts'
import { copyOf } from '../support/copied.ts'
import { madeForms } from '../support/made-forms.ts'
import { randomFor } from '../support/random.ts'
import { openSampledWorld } from '../support/sampled.ts'
import { serveWorld } from '../support/served.ts'
import { often } from '../support/soak.ts'
import { until } from '../support/until.ts'
import { everyRow, madeLater, openWorld, temporaryFolder, type World } from '../support/world.ts'

/**
 * A swap blocks for at most 50 ms per attempt. The rest of the limit allows for a busy machine. `bench/rebuild.ts`
 * measures how long a swap blocks.
 */
const READ_MAX_MS = 5_000

const BROKER = { model: '9000000017/9000000017-19-000001.txt', form: 'X-17A-5' }
const ISSUER = { model: '1968399/0001968399-23-000002.txt', form: 'D' }
const days = { from: '2024-01-01', to: '2024-03-31' }

/** Every second report belongs to a separate broker. */
const ownBroker = (text: string, n: number) =>
  n % 2 ? text.replaceAll(/9000000017(?!-)/g, `91${String(n).padStart(8, '0')}`) : text

async function loaded(t: { after(fn: () => Promise<void>): void }, made: { root: string }): Promise<World> {
  const world = await openWorld(t, made)
  await world.crawl(days)
  const { failed } = await world.drain()
  assert.equal(failed, 0)
  return world
}

/** Opens a pool of connections that can be closed at once, as if its process were killed. */
async function killable(killer: Sql, { target }: World) {
  const [{ since } = { since: '' }] = await killer<{ since: string }[]>`select clock_timestamp() as since`
  const sql = connect({ target, max: 8 })
  async function kill(): Promise<void> {
    await killer`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and backend_start > ${since} and backend_type = 'client backend'`
    await sql.end({ timeout: 1 })
  }
  return { sql, kill }
}

test('the rollups of every slice are made in the shadow by the same code, and only from tables of the shadow', async (t) => {
  const world = await openSampledWorld(t)
  const { sql } = world
  for (const slice of registry.slices) {
    const { slug, refresh, rollups } = slice
    if (!refresh) continue
    const rowsOf = async (tx: Sql | Transaction, schema: string) => {
      const found: Record<string, unknown[]> = {}
      for (const name of Object.keys(rollups)) {
        found[name] = await tx.unsafe(`select to_jsonb(t)::text as row from ${schema}.${name} t order by 1`)
      }
      return found
    }
    const served = await rowsOf(sql, slug)
    const some = Object.keys(served).find((name) => served[name]!.length > 0)
    assert.ok(some, `${slug} has rollups`)
    await copyOf(sql, slice)
    const undone = new Error('undone, for those that follow')
    const making = sql.begin(async (tx) => {
      // The served rows now differ from the rows that a rebuild makes.
      await tx`delete from ${tx(`${slug}.${some}`)}`
      const before = await schemasTouched(tx)
      await within(tx, `${slug}_next`, () => refresh.make(tx, null))
      const touched = (await schemasTouched(tx)).filter((schema) => !before.includes(schema))
      const declared = sourcesOf(registry.slices, slice).map((source) => source.slug)
      const sources = touched.filter((schema) => registry.slice(schema) && schema !== slug)
      assert.deepEqual(
        sources.filter((schema) => !declared.includes(schema)),
        [],
        `${slug} is made from schemas that it does not declare`,
      )
      assert.deepEqual(await rowsOf(tx, `${slug}_next`), served, slug)
      assert.equal((await tx`select from ${tx(`${slug}.${some}`)}`).count, 0, slug)
      throw undone
    })
    await assert.rejects(making, (error) => {
      if (error !== undone) throw error
      return true
    })
  }
})

/** Returns the schemas of the relations that a transaction has touched so far. */
async function schemasTouched(tx: Sql | Transaction): Promise<string[]> {
  const rows = await tx<{ schema: string }[]>`
    select distinct nspname as schema from pg_locks l join pg_class c on c.oid = l.relation
    join pg_namespace n on n.oid = c.relnamespace where l.pid = pg_backend_pid() and l.locktype = 'relation'`
  return rows.map(({ schema }) => schema)
}

test('a rebuild that is killed at random moments resumes, and ends with the rows of an uninterrupted rebuild', async (t) => {
  const REPORTS = often('filings that are rebuilt', { usual: 120, soak: 600 })
  const KILLS = often('kills of a rebuild', { usual: 3, soak: 20 })
  const random = randomFor('kills')
  const made = await madeForms(t, { ...BROKER, count: REPORTS, change: ownBroker })
  const world = await loaded(t, made)
  const expected = await everyRow(world.sql)
  const began = performance.now()
  await rebuild(world, x17a5)
  const took = performance.now() - began
  assert.deepEqual(await everyRow(world.sql), expected)
  const killer = connect({ target: world.target, max: 1 })
  t.after(() => killer.end())
  await killer`update x17a5.broker set name_key = 'old'`
  let killed = 0
  for (let n = 0; n < KILLS; n++) {
    const { sql, kill } = await killable(killer, world)
    // The first run is killed after a tenth of the filings, so at least one run is killed on any machine.
    const { promise: tenth, resolve } = Promise.withResolvers<void>()
    const onProgress = (filings: number) => filings >= REPORTS / 10 && resolve()
    const ended = rebuild({ ...world, sql, submissions: submissions({ ...world, sql }), onProgress }, x17a5).then(
      () => 'done',
      () => 'killed',
    )
    await Promise.race([n === 0 ? tenth : sleep(random() * took), ended])
    await kill()
    if ((await ended) === 'killed') killed++
  }
  assert.ok(killed > 0)
  await rebuild(world, x17a5)
  assert.deepEqual(await everyRow(world.sql), expected)
  const left = await killer`select nspname from pg_namespace where nspname in ('x17a5_next', 'x17a5_old')`
  assert.deepEqual([...left], [])
})

test('a resumed rebuild reads only filings that its shadow lacks or that were read meanwhile, and drops filings that were removed meanwhile', async (t) => {
  const made = await madeForms(t, { ...BROKER, count: 120, change: ownBroker })
  const world = await loaded(t, made)
  const { sql } = world
  const stop = new AbortController()
  const stopped = rebuild(
    { ...world, signal: stop.signal, onProgress: (filings) => filings >= 100 && stop.abort(new Error('stopped')) },
    x17a5,
  )
  await assert.rejects(stopped, /stopped/)
  const [{ through } = { through: '' }] = await sql<{ through: string }[]>`select through from core.shadow`
  assert.equal(through, made.accessions[99])
  const [removed, again] = [made.accessions[3]!, made.accessions[5]!]
  await made.list([removed])
  for (const _ of ['suspected', 'removed']) {
    await world.crawl({ ...days, again: true, now: await madeLater(made.root, '2024/QTR1') })
  }
  await sql`update edgar.task set state = 'pending' where accession = ${again}`
  await sql`update edgar.coverage set extracted = extracted - 1 where form_type = 'X-17A-5'`
  await world.drain()
  const expected = await everyRow(sql)
  assert.equal(expected['x17a5.report']!.length, 119)
  // Reads again the filings that the shadow lacks, and filings that were read meanwhile.
  assert.deepEqual(await rebuild(world, x17a5), { filings: 21, failed: 0 })
  assert.deepEqual(await everyRow(sql), expected)
  assert.equal((await sql`select from core.shadow_key`).count, 0)
})

test('a shadow schema that another version of the parser filled is made again from scratch', async (t) => {
  const made = await madeForms(t, { ...BROKER, count: 110 })
  const world = await loaded(t, made)
  const stop = new AbortController()
  const onProgress = (filings: number) => filings > 0 && stop.abort(new Error('stopped'))
  await assert.rejects(rebuild({ ...world, signal: stop.signal, onProgress }, x17a5), /stopped/)
  await world.sql`update core.shadow set parser_hash = 'other'`
  assert.deepEqual(await rebuild(world, x17a5), { filings: 110, failed: 0 })
})

describe('a rebuild during long reads', () => {
  const later: (() => Promise<unknown>)[] = []
  const t = { after: (fn: () => Promise<void>) => void later.unshift(fn) }
  let world: World
  before(async () => {
    world = await loaded(t, await madeForms(t, { ...ISSUER, count: 30 }))
  })
  after(async () => {
    for (const fn of later) await fn()
  })

  /** Keeps a transaction that ran `read` open until it is released. */
  async function reading(read: (sql: Transaction) => Promise<unknown>) {
    const sql = connect({ target: world.target, max: 1 })
    const end = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const ended = sql.begin(async (tx) => {
      await read(tx)
      begun.resolve()
      await end.promise
    })
    ended.catch(begun.reject)
    await begun.promise
    return async () => {
      end.resolve()
      await ended
      await sql.end()
    }
  }

  it('waits for a session that reads a view, and other readers of the view do not wait', async () => {
    const before = await everyRow(world.sql)
    const release = await reading((sql) => sql`select from pub.formd_feed`)
    let isDone = false
    const rebuilt = rebuild(world, formd).then(() => {
      isDone = true
    })
    await until('the rebuild tries to swap the tables', async () => {
      const [row] = await world.sql`
        select exists (select from pg_stat_activity where query like 'drop view%' and datname = current_database()) as tries`
      return row!.tries
    })
    let longest = 0
    for (let n = 0; n < 40; n++) {
      const began = performance.now()
      assert.equal((await world.sql`select from pub.formd_feed`).count, 30)
      longest = Math.max(longest, performance.now() - began)
      await sleep(25)
    }
    assert.ok(longest < READ_MAX_MS, `${Math.round(longest)} ms`)
    assert.equal(isDone, false)
    await release()
    await rebuilt
    assert.deepEqual(await everyRow(world.sql), before)
  })

  it('gives up the swap and changes nothing if a view is read without a pause', async () => {
    const release = await reading((sql) => sql`select from pub.formd_feed`)
    await assert.rejects(
      world.sql.begin((tx) => swap(tx, formd, { slices: [formd], tries: 2 })),
      { code: '55P03' },
    )
    await release()
    assert.equal((await world.sql`select from pub.formd_feed`).count, 30)
  })

  it('does not wait for a session that reads a table; the old tables are dropped after the session has ended, or by the next rebuild', async () => {
    const release = await reading((sql) => sql`select from formd.offering`)
    const slow = rebuild(world, formd)
    await until('the new tables are there', async () => {
      const found = await world.sql`select from pg_namespace where nspname = 'formd_old'`
      return found.count === 1
    })
    assert.equal((await world.sql`select from formd.offering`).count, 30)
    await release()
    await slow
    const old = async () => (await world.sql`select from pg_namespace where nspname = 'formd_old'`).count
    assert.equal(await old(), 0)
    await world.sql`create schema formd_old`
    await world.sql`create table formd_old.offering ()`
    const held = await reading((sql) => sql`select from formd_old.offering`)
    await dropOld(world.sql, formd, 2)
    assert.equal(await old(), 1)
    await held()
    await world.sql.begin(async (lock) => {
      await holdRebuild(lock, formd)
      await dropLeftOld(world.sql, [formd])
      assert.equal(await old(), 1)
    })
    await dropLeftOld(world.sql, [formd])
    assert.equal(await old(), 0)
    await world.sql`create schema formd_old`
    await rebuild(world, formd)
    assert.equal(await old(), 0)
  })

  it('views that other roles made over the tables and views of a slice survive its rebuild, and return the new rows', async () => {
    const { sql } = world
    await sql`create schema other`
    await sql`create view other.of_view as select accession, entity_name from pub.formd_feed`
    await sql`create view other.of_table as select o.accession, v.entity_name from formd.offering o join other.of_view v using (accession)`
    await sql`alter view other.of_view set (security_barrier)`
    await sql`comment on view other.of_view is 'It''s of a view'`
    await sql`comment on column other.of_view.accession is 'Number'`
    await sql`grant select on other.of_view to public`
    await sql`update formd.offering set entity_name = 'old'`
    await rebuild(world, formd)
    const [kept] = await sql`
      select obj_description(oid, 'pg_class') as view, col_description(oid, 1) as column, reloptions as options,
        has_table_privilege('pg_monitor', oid, 'select') as readable
      from pg_class where oid = 'other.of_view'::regclass`
    assert.deepEqual(
      { ...kept },
      { view: "It's of a view", column: 'Number', options: ['security_barrier=true'], readable: true },
    )
    const rows = await sql`select distinct entity_name from other.of_table`
    assert.equal(rows.length, 1)
    assert.notEqual(rows[0]!.entity_name, 'old')
    await sql`drop schema other cascade`
  })
})

test('requests during rebuilds get the same answers as before, and no request waits for a rebuild', async (t) => {
  const world = await loaded(t, await madeForms(t, { ...ISSUER, count: 40 }))
  const served = await serveWorld(t, world, { cacheBytes: 1 })
  const paths = ['/feed?limit=20', '/filings?family=formd&limit=20', '/formd/filings/by-accession/0001968399-24-000007']
  const expected = await Promise.all(paths.map((path) => served.json(path)))
  let isOver = false
  let longest = 0
  const watched = (async () => {
    while (!isOver) {
      const [row] = await world.sql<{ ms: number }[]>`
        select coalesce(max(extract(epoch from clock_timestamp() - waitstart) * 1000), 0)::float8 as ms from pg_locks
        where not granted and database = (select oid from pg_database where datname = current_database())
          and mode = 'AccessShareLock'`
      longest = Math.max(longest, row!.ms)
      await sleep(10)
    }
  })()
  const requests: Promise<void>[] = []
  const timer = setInterval(() => {
    const at = requests.length % paths.length
    requests.push(served.json(paths[at]!).then((answer) => assert.deepEqual(answer, expected[at])))
  }, 50)
  // On a quick machine, three rebuilds take less than a second, so more rebuilds may be needed.
  for (let n = 0; n < 3 || requests.length <= 20; n++) await rebuild(world, formd)
  clearInterval(timer)
  await Promise.all(requests)
  isOver = true
  await watched
  assert.ok(requests.length > 20)
  assert.ok(longest < READ_MAX_MS, `${Math.round(longest)} ms`)
})

test('a file that is sent while tables are swapped has each filing once: old rows before the swap, new rows after it', async (t) => {
  const world = await loaded(t, await madeForms(t, { ...ISSUER, count: 1 }))
  const { sql } = world
  const ROWS = 4200
  // The rows are wide, so that a client that reads nothing makes the service wait.
  await sql`
    insert into formd.offering
    select made.* from formd.offering o, generate_series(1, ${ROWS - 1}) n, lateral jsonb_populate_record(o, jsonb_build_object(
      'accession', '0000000001-24-' || lpad(n::text, 6, '0'), 'entity_name', 'old', 'street1', repeat('x', 6000))) made`
  const served = await serveWorld(t, world)
  const url = new URL('/v1/feed?type=formd&format=ndjson', served.origin)
  const sent = request(url, { headers: { 'x-api-key': served.keys.full }, agent: false })
  const [came] = (await once(sent.end(), 'response')) as [IncomingMessage]
  const metricsOf = async () => (await fetch(`${served.origin}/metrics`)).text()
  await until('no page is being read', async () => /places_running\{class="heavy"\} 0$/m.test(await metricsOf()))
  await copyOf(sql, formd)
  await sql`update formd_next.offering set entity_name = 'new'`
  await sql.begin((tx) => swap(tx, formd, { slices: [formd] }))
  await dropOld(sql, formd)
  let text = ''
  for await (const chunk of came.setEncoding('utf8')) text += chunk
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(lines.pop(), { _end: { rows: ROWS } })
  assert.equal(new Set(lines.map(({ accession }) => accession)).size, ROWS)
  const names = lines.map(({ entity_name }) => entity_name).filter((name) => name === 'old' || name === 'new')
  const old = names.lastIndexOf('old') + 1
  assert.ok(old > 0 && old < ROWS - 1 && names.indexOf('new') === old, `${old} of ${names.length} are old`)
})

test('an answer from a snapshot that is older than the swap is made again', async (t) => {
  const world = await loaded(t, await madeForms(t, { ...ISSUER, count: 10 }))
  const readers = openReaders({ target: world.target, max: 2, snapshot: true })
  t.after(() => readers.end())
  const free = { timeMs: 60_000, release() {} }
  const ticket = { slot: Promise.resolve(free), withdraw() {}, join() {}, leave() {} }
  const run = new Run(readers, () => ticket)
  run.join('key')
  const LOCK = 1
  const holder = connect({ target: world.target, max: 1 })
  t.after(() => holder.end())
  await holder`select pg_advisory_lock(${LOCK})`
  const seen: number[] = []
  const answer = run.answer(async () => {
    // Keeps the snapshot until the tables are swapped. When the answer is computed again, the lock is free.
    const [, rows] = await Promise.all([
      run.sql`select pg_advisory_xact_lock_shared(${LOCK})`,
      run.sql`select count(*)::int as n from formd.offering`,
    ])
    seen.push(rows[0]!.n)
    return rows[0]!.n
  })
  await until('the snapshot is taken', async () => {
    const [row] = await world.sql`
      select exists (select from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted
        and database = (select oid from pg_database where datname = current_database())) as waits`
    return row!.waits
  })
  await rebuild(world, formd)
  await holder`select pg_advisory_unlock(${LOCK})`
  assert.equal(await answer, 10)
  assert.deepEqual(seen, [0, 10])
})

test('loads continue while the shadow is filled, and the shadow gets their rows too', async (t) => {
  const made = await madeForms(t, { ...BROKER, count: 150, change: ownBroker })
  await made.list(made.accessions.slice(110))
  const world = await loaded(t, made)
  await made.list([])
  await world.crawl({ ...days, again: true })
  let ingested: Promise<unknown> | undefined
  await rebuild(
    {
      ...world,
      onProgress(filings) {
        if (filings > 0) ingested ??= world.drain()
      },
    },
    x17a5,
  )
  await ingested
  const rows = await everyRow(world.sql)
  assert.equal(rows['x17a5.report']!.length, 150)
  await rebuild(world, x17a5)
  assert.deepEqual(await everyRow(world.sql), rows)
})

test('a rebuild ends even if loads add filings as fast as the rebuild catches up', async (t) => {
  const { sql, slices } = await openWorld(t)
  const keys = Array.from({ length: 60 }, (_, n) => String(n))
  let rounds = 0
  await rebuildInShadow({ sql, slices }, x17a5, {
    fill: () => sql.begin((tx) => journal(tx, x17a5, 'record', keys)),
    async again(_tx, _schema, records) {
      assert.equal(records.length, 60)
      rounds++
      // The other transaction changes rows, like a load.
      if (rounds < 3) await sql.begin((other) => journal(other, x17a5, 'record', keys))
      return []
    },
  })
  assert.equal(rounds, 3, 'two rounds next to the loads, and one while they pause')
  assert.equal((await sql`select from core.shadow`).count, 0)
})

test('a shadow of the bundled sample is discarded once real filings have replaced the sample', async (t) => {
  const world = await loaded(t, await madeForms(t, { ...BROKER, count: 110 }))
  await world.sql.begin((tx) => claimOrigin(tx, registry.slices, 'sample'))
  const stop = new AbortController()
  const onProgress = (filings: number) => filings > 0 && stop.abort(new Error('stopped'))
  await assert.rejects(rebuild({ ...world, signal: stop.signal, onProgress }, x17a5), /stopped/)
  await world.sql.begin((tx) => claimOrigin(tx, registry.slices, 'edgar'))
  await rebuild(world, x17a5)
  assert.equal((await world.sql`select from x17a5.report`).count, 0)
})

test('a load first rebuilds tables of an older version; if this is impossible, the load is refused by name and the old rows stay', async (t) => {
  const env = await sampledEnv(t)
  const linksOf = (sql: Sql) => sql`select to_jsonb(l)::text as row from links.link l order by 1`
  const before = await queried(env, async (sql) => {
    await sql`update core.dataset set ddl_hash = 'other' where slug in ('links', 'cfportal')`
    await sql`update core.dataset set views_hash = 'other' where slug = 'formd'`
    await sql`drop view pub.formd_amended`
    await sql`create function refuse() returns event_trigger language plpgsql as $$
      begin if tg_tag = 'CREATE SCHEMA' and to_regnamespace('links_next') is not null then raise undefined_column; end if; end $$`
    await sql`create event trigger refusing on ddl_command_end execute function refuse()`
    return [...(await linksOf(sql))]
  })
  const file = path.join(await temporaryFolder(t), 'IA_FIRM_SEC_Feed_01_02_2026.xml.gz')
  await writeFile(file, '')
  const { status, stdout, stderr } = await run(['ingest', 'adv', file], env)
  assert.equal(status, 1)
  assert.match(stdout + stderr, /the views of formd changed: replacing them/)
  assert.doesNotMatch(stdout + stderr, /rebuild(?:ing)? formd/)
  assert.match(stderr, /links could not be rebuilt, its old rows are kept/)
  assert.match(stderr, /the tables of links are outdated: run "openfilings rebuild links"/)
  await queried(env, async (sql) => {
    assert.deepEqual([...(await linksOf(sql))], before)
    const [{ hash } = { hash: '' }] = await sql<
      { hash: string }[]
    >`select ddl_hash as hash from core.dataset where slug = 'cfportal'`
    assert.notEqual(hash, 'other', 'the others are rebuilt')
    await sql`select from pub.formd_amended`
    assert.equal((await sql`select from core.run where what = 'formd' and command = 'rebuild'`).count, 0)
    await sql`drop event trigger refusing`
  })
  const again = await run(['ingest', 'adv', file], env)
  assert.match(again.stdout, /rebuild links: done/)
  assert.deepEqual(await queried(env, async (sql) => [...(await linksOf(sql))]), before)
})

test('a full disk ends an upgrade with an error that states this, the old rows stay, and the next start resumes the upgrade', async (t) => {
  const env = await sampledEnv(t)
  const brokersOf = (sql: Sql) => sql`select to_jsonb(b)::text as row from x17a5.broker b order by 1`
  const before = await queried(env, async (sql) => {
    await sql`update core.dataset set ddl_hash = 'other' where slug in ('x17a5', 'links')`
    await sql`create function fill() returns event_trigger language plpgsql as $$
      begin if to_regnamespace('x17a5_next') is not null then
        raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end if; end $$`
    await sql`create event trigger full_disk on ddl_command_end when tag in ('CREATE INDEX') execute function fill()`
    return [...(await brokersOf(sql))]
  })
  const file = path.join(await temporaryFolder(t), 'IA_FIRM_SEC_Feed_01_02_2026.xml.gz')
  await writeFile(file, '')
  const { status, stderr } = await run(['ingest', 'adv', file], env)
  assert.equal(status, 1)
  assert.match(
    stderr,
    /the disk of the database .+ is full: x17a5 could not be rebuilt, and its old rows are as they were; make room/,
  )
  assert.doesNotMatch(stderr, /\n {4}at /)
  await queried(env, async (sql) => {
    assert.deepEqual([...(await brokersOf(sql))], before)
    const [shadow] = await sql`select step from core.shadow where slug = 'x17a5'`
    assert.equal(shadow!.step, 'fill')
    await sql`drop event trigger full_disk`
  })
  assert.match((await run(['ingest', 'adv', file], env)).stdout, /rebuild x17a5: done.*rebuild links: done/s)
  assert.deepEqual(await queried(env, async (sql) => [...(await brokersOf(sql))]), before)
})

test('a process that waits for another process’s rebuild ends on request, and is not starved by loads', async (t) => {
  const { sql } = await openWorld(t)
  const other = await sql.reserve()
  await other`select pg_advisory_lock(4713003, hashtext('x17a5'))`
  const stop = new AbortController()
  const waits: string[] = []
  const waiting = sql.begin((tx) => holdRebuild(tx, x17a5, { signal: stop.signal, onWait: () => waits.push('waits') }))
  await until('the load waits', () => waits.length > 0)
  stop.abort(new Error('stopped'))
  await assert.rejects(waiting, /stopped/)
  let isHeld = false
  const held = sql.begin(async (tx) => {
    await holdRebuild(tx, x17a5)
    isHeld = true
    const [row] = await tx<{ timeout: string }[]>`select current_setting('lock_timeout') as timeout`
    assert.equal(row!.timeout, '0')
  })
  await until('the rebuild waits for the lock', async () => {
    const rows = await sql`
      select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`
    return rows.length === 1
  })
  assert.equal(isHeld, false)
  await other`select pg_advisory_unlock(4713003, hashtext('x17a5'))`
  other.release()
  await held
  assert.equal(isHeld, true)
})

test('a rebuild of bulk files reads file after file: a stopped rebuild resumes after the last file, and a load makes it start from scratch', async (t) => {
  const harbour = await openHarbour(t)
  const { sql } = harbour
  const ship = (n: number) => `<Ship number="${n}" name="Ship ${n}"/>`
  for (const n of [1, 2, 3]) {
    await harbour.voyages(`2026-0${n}-28`, {
      [`Voyage_${n}.csv`]: `VoyageID,Port\n${n},Here\n`,
      [`Load_${n}.csv`]: `VoyageID,What,Value\n${n},Salt,1\n`,
    })
  }
  await harbour.ships('2026-06-01', ship(1))
  await harbour.ingest()
  const rows = () => everyRow(sql, { slices: [fleet] })
  const expected = await rows()
  const stopped = async () => {
    const stop = new AbortController()
    const onProgress = (done: number) => done === 2 && stop.abort(new Error('stopped'))
    await assert.rejects(rebuildBulk({ ...harbour, signal: stop.signal, onProgress }, fleet), /stopped/)
  }
  await stopped()
  assert.equal((await rebuildBulk(harbour, fleet)).editions, 1)
  // The rollup of this dataset counts how often it was made.
  const plain = ({ 'fleet.tally': _, ...others }: Record<string, unknown[]>) => others
  assert.deepEqual(plain(await rows()), plain(expected))
  await stopped()
  await harbour.ships('2026-06-02', ship(1), ship(2))
  await harbour.ingest()
  // The newer list of ships replaces the older one, whose file is released.
  assert.equal((await rebuildBulk(harbour, fleet)).editions, 4)
  assert.equal((await sql`select from fleet.ship`).count, 2)
})
