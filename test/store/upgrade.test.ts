/**
 * Databases of released versions, upgraded by this one.
 *
 * @early it takes 30 s of processor time
 */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import registry from '../../src/registry.ts'
import { createKey } from '../../src/serve/keys.ts'
import type { Sql } from '../../src/store/db.ts'
import { begin, beginHere, freePort, run, untilReady } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { startHost } from '../support/edgar-host.ts'
import { randomFor } from '../support/random.ts'
import { openRelease, type Release, releases } from '../support/release/release.ts'
import { GONE } from '../support/release/site.ts'
import { often } from '../support/soak.ts'
import { overTcp } from '../support/tcp.ts'
import { until } from '../support/until.ts'
import { temporaryFolder } from '../support/world.ts'

type After = Parameters<typeof freshDatabase>[0]

const KILLS = often('kills of an upgrade', { usual: 1, soak: 12 })
const ROUNDS = often('upgrades that are killed', { usual: 1, soak: 4 })

/** Maximum number of writes that a start of this version makes until it is ready, before the database is converted. */
const WRITES = 1_500

/**
 * Columns that differ after a separate load: times, addresses, and numbers that are assigned in the order of arrival.
 */
const OWN: Record<string, string> = {
  'brochures.version': 'converted_at',
  // Older versions keep all files: the next load releases them.
  'bulk.edition': 'finished_at,released,rest',
  'bulk.filing_set': 'finished_at',
  'edgar.filer': 'name_id',
  'edgar.filer_name': 'name_id',
  'edgar.filer_search': 'name_id',
  'edgar.filing': 'first_seen_at',
  // The header depends on the version that fetched it: `confirmingCopy` was added later, and no code reads it.
  'edgar.submission': 'fetched_at,header,kept_sha256,dropped,originals',
  // A rebuild that reads an incomplete filing again counts as one more attempt.
  'edgar.task': 'finished_at,attempts',
  // Older versions did not store the time and state of an index reading.
  'edgar.watermark': 'moved_at,made_at,read_at',
}

/**
 * Data about the files of an edition that older versions do not store (the number of a zip's parts, its validators),
 * and the address of the test's host.
 */
const OF_FILES = /http:\/\/127\.0\.0\.1:\d+|"parts": \d+, |, "validators": \{[^}]*\}/g

/** A reason that an older version recorded when it loaded a file keeps the wording of that version. */
const REWORDED = /"no decimal number"/g

/**
 * Matches the kept data of a removed filing, and its form. No other filing has this form, and it depends on the
 * release.
 */
async function ofGone(sql: Sql): Promise<RegExp> {
  const forms = await sql<{ form: string }[]>`select form_type as form from edgar.tombstone where cik = ${GONE}`
  return new RegExp([GONE, ...forms.map(({ form }) => form)].map((value) => `"${value}"`).join('|'))
}

/** Returns every row of every table except those of `core`: keys, runs, and times of events. */
async function allRows(sql: Sql): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
    where nspname = any(${['edgar', 'bulk', ...registry.slices.map(({ slug }) => slug)]}) and relkind in ('r', 'p')
      and not relispartition
    order by 1`
  const each = tables.map(
    ({ name }) =>
      `select '${name}' as name, (to_jsonb(t) - string_to_array('${OWN[name] ?? ''}', ','))::text as row from ${name} t`,
  )
  const rows = Object.fromEntries(tables.map(({ name }) => [name, [] as string[]]))
  const gone = await ofGone(sql)
  const found = await sql.unsafe<{ name: string; row: string }[]>(each.join(' union all '))
  for (const { name, row } of found)
    if (!gone.test(row)) rows[name]!.push(row.replaceAll(OF_FILES, '').replaceAll(REWORDED, '"not a decimal number"'))
  for (const some of Object.values(rows)) some.sort()
  return rows
}

/**
 * Returns for each table the rows that differ between an upgraded database and a fresh one. For the first of these rows
 * it also returns the columns that differ.
 */
function differing(upgraded: Record<string, string[]>, fresh: Record<string, string[]>): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const table of new Set([...Object.keys(upgraded), ...Object.keys(fresh)])) {
    const [ours, theirs] = [upgraded[table] ?? [], fresh[table] ?? []]
    const [more, lacks] = [without(ours, theirs), without(theirs, ours)]
    if (more.length + lacks.length === 0 && ours.length === theirs.length) continue
    const [one, other] = [more, lacks].map(([row]) => JSON.parse(row ?? '{}') as Record<string, unknown>)
    const columns = Object.keys({ ...one, ...other }).filter(
      (column) => JSON.stringify(one![column]) !== JSON.stringify(other![column]),
    )
    const shown = (row: Record<string, unknown>) => JSON.stringify(columns.map((column) => row[column])).slice(0, 300)
    found[table] = {
      rows: [ours.length, theirs.length],
      more: more.length,
      lacks: lacks.length,
      columns,
      upgraded: shown(one!),
      fresh: shown(other!),
    }
  }
  return found
}

const without = (rows: string[], others: string[]) => {
  const known = new Set(others)
  return rows.filter((row) => !known.has(row))
}

const slugOf = (table: string) => table.slice(0, table.indexOf('.'))

/** Returns the slices with tables that a database has: each has a schema of its own. */
async function slicesIn(sql: Sql): Promise<string[]> {
  const rows = await sql<{ slug: string }[]>`
    select distinct nspname as slug from pg_class c join pg_namespace n on n.oid = relnamespace
    where nspname = any(${registry.slices.map(({ slug }) => slug)}) and relkind in ('r', 'p')`
  return rows.map(({ slug }) => slug)
}

const hostsAt = (url: string) => ({
  ...{ EDGAR_BASE_URL: url, EDGAR_DATA_URL: url, ADVISERINFO_BASE_URL: url, ADVISERINFO_FILES_URL: url },
})

/** Loads the same filings and files with this version. */
async function reloaded(t: After, { site, loaded }: Release): Promise<Record<string, string[]>> {
  const database = await freshDatabase(t, { empty: true })
  const { target: DATABASE_URL } = await overTcp(t, database)
  const host = await startHost({ root: site })
  t.after(() => host.close())
  const env = {
    ...{ DATABASE_URL, DATA_DIR: await temporaryFolder(t), SAMPLE: 'off', EDGAR_REQUESTS_PER_SECOND: '10' },
    ...hostsAt(host.url),
  }
  for (const args of loaded) {
    const { status, stderr } = await run(args, env)
    assert.equal(status, 0, stderr)
  }
  return allRows(database.sql)
}

/** Settings of `serve` on the database, and the relay that counts what is written to it. */
async function placeOf(t: After, { database, dataDir }: Release) {
  const relay = await overTcp(t, database)
  return { relay, env: { DATABASE_URL: relay.target, DATA_DIR: dataDir, SAMPLE: 'off', PORT: `${await freePort()}` } }
}

/**
 * Starts two `serve` and an `ingest` at once while another session holds the lock of a rebuild; one `serve` has a
 * process of its own. Then releases the lock, and lets all three continue to the end.
 */
async function upgradedByThree(
  t: After,
  { database: { sql }, site }: Release,
  env: Record<string, string>,
): Promise<void> {
  const [row] = await sql<{ brought: boolean }[]>`select to_regclass('core.mark') is not null as brought`
  // The process was killed late, so this marks these slices as unfinished.
  if (row!.brought) {
    await sql`update core.dataset set ddl_hash = 'other' where slug in ('adv', 'reps')`
    await sql`delete from core.run`
    // A rebuild was killed between its swap and its end. The kill may have left the schema too.
    await sql`create schema if not exists formd_old`
  }
  const host = await startHost({ root: site })
  t.after(() => host.close())
  const { key } = await createKey(sql, { account: 'local', scopes: ['api'], selfServe: false, now: new Date() })
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${env.PORT}${path}`, { headers: { authorization: `Bearer ${key}` } })
    return { status: answer.status, text: await answer.text(), retryAfter: answer.headers.get('retry-after') }
  }
  const other = await sql.reserve()
  await other`select pg_advisory_lock(4713003, hashtext('adv'))`
  const server = begin(t, ['serve'], env)
  await server.until(/another process is rebuilding adv: waiting for it/)
  const second = beginHere(t, ['serve'], { ...env, PORT: `${await freePort()}` })
  const hosts = { EDGAR_BASE_URL: host.url, ADVISERINFO_BASE_URL: host.url }
  const ingest = run(['ingest', 'adv'], { ...env, ...hosts })
  await until('all three processes wait for the lock', async () => {
    const [row] = await sql<{ n: number }[]>`
      select count(distinct pid)::int as n from pg_locks where locktype = 'advisory' and not granted and classid = 4713003
        and database = (select oid from pg_database where datname = current_database())`
    return row!.n === 3
  })
  const ready = await get('/readyz')
  assert.equal(ready.status, 503)
  assert.match(ready.text, /another process is rebuilding adv/)
  const refused = await get('/v1/adv/advisers/list?limit=1')
  assert.deepEqual([refused.status, refused.retryAfter], [503, '30'])
  assert.match(refused.text, /the tables of adv were made by another version and are being rebuilt; try again later/)
  assert.equal((await get('/v1/feed?type=formd&limit=1')).status, 200)
  assert.match((await run(['status'], env)).stdout, /^to do .*rebuilds adv, reps\b.* from the archive$/m)
  await other`select pg_advisory_unlock(4713003, hashtext('adv'))`
  other.release()
  await untilReady(server)
  await untilReady(second)
  // A signal would also end an ingest in the process of the test.
  const { status, stderr } = await ingest
  assert.equal(status, 0, stderr)
  assert.equal(await second.end(), 0)
  for (const path of ['/readyz', '/v1/adv/advisers/list?limit=1', '/v1/adv/advisers/by-crd/106482/similar'])
    assert.equal((await get(path)).status, 200, path)
  const runs = await sql<{ what: string; n: number }[]>`
    select what, count(*) filter (where summary ? 'rebuilt')::int as n from core.run where command = 'rebuild' group by 1 order by 1`
  assert.ok(runs.length >= 2)
  assert.deepEqual(
    runs.filter(({ n }) => n !== 1),
    [],
  )
  assert.deepEqual([...(await sql`select command, what from core.run where outcome <> 'done'`)], [])
  assert.deepEqual([...(await sql`select nspname from pg_namespace where nspname ~ '_(next|old)$'`)], [])
  await sql`insert into core.migration (name) values ('999_later.sql')`
  const overtaken = await get('/readyz')
  await sql`delete from core.migration where name = '999_later.sql'`
  assert.equal(overtaken.status, 503)
  assert.match(
    overtaken.text,
    /another process brought the database to version \S+ \(999_later\) while this process ran: start it/,
  )
  assert.equal(await server.end(), 0)
}

test('a database of each released version, upgraded by killed and by parallel processes, ends with its keys and all rows of a fresh load; a slice answers 503 while it is outdated', async (t) => {
  const names = await releases()
  // The first database contains its sample, the second some data of every dataset.
  assert.deepEqual(
    ['b37ac48', 'bad192e6'].filter((name) => !names.includes(name)),
    [],
  )
  for (const name of names) {
    const release = await openRelease(t, name)
    const { n: keys } = (
      await release.database.sql<{ n: number }[]>`select count(*)::int as n from core.key where account <> 'local'`
    )[0]!
    assert.ok(keys > 0)
    const expected = await reloaded(t, release)
    // A slice that was added after the release has the rows of a fresh load, or no rows.
    const held = await slicesIn(release.database.sql)
    const filled = new Set(Object.keys(expected).flatMap((table) => (expected[table]!.length ? slugOf(table) : [])))
    assert.deepEqual(
      held.filter((slug) => !filled.has(slug)),
      [],
      name,
    )
    for (let round = 0; round < ROUNDS; round++) {
      const place = await release.again()
      const { sql } = place.database
      const { relay, env } = await placeOf(t, place)
      const random = randomFor(`kills of an upgrade of ${name}, ${round}`)
      for (let kill = 0; kill < KILLS; kill++) {
        const before = relay.writes
        const moment = Math.floor(random() * WRITES)
        const server = begin(t, ['serve'], env)
        await until(
          `the server has made ${moment} writes or is ready`,
          () => relay.writes - before >= moment || /Try:/.test(server.stdout()),
        )
        await server.end('SIGKILL')
      }
      const before = await keptIn(sql)
      for (const [what, some] of Object.entries(before))
        if (name !== 'b37ac48') assert.ok(some.length > 0, `${name} has ${what}`)
      await upgradedByThree(t, place, env)
      const upgraded = await allRows(sql)
      assert.deepEqual(Object.keys(upgraded), Object.keys(expected), name)
      assert.deepEqual(differing(upgraded, expected), {}, name)
      for (const [what, some] of Object.entries(await keptIn(sql)))
        assert.deepEqual(some.slice(0, before[what]!.length), before[what], `${name}: ${what}`)
      const left = await sql`
        select nspname from pg_namespace where nspname ~ '_(next|old)$' union all select slug from core.mark
        union all select slug from core.shadow`
      assert.deepEqual([...left], [])
      const [now] = await sql<{ n: number }[]>`select count(*)::int as n from core.key where account <> 'local'`
      assert.equal(now!.n, keys)
    }
  }
})

/** Returns the data that no load can restore: webhooks and their unsent events, removed filings, the event log. */
async function keptIn(sql: Sql): Promise<Record<string, unknown[]>> {
  const rowsOf = async (table: string, query: string) => {
    const [row] = await sql<{ made: boolean }[]>`select to_regclass(${table}) is not null as made`
    return row!.made ? [...(await sql.unsafe(query))] : []
  }
  return {
    webhooks: await rowsOf(
      'core.webhook',
      'select webhook_id, url, secret, filters, state from core.webhook order by 1',
    ),
    dead: await rowsOf('core.webhook_dead', 'select * from core.webhook_dead order by 1, 3'),
    tombstones: await rowsOf('edgar.tombstone', 'select accession, removed_at from edgar.tombstone order by 1'),
    events: await rowsOf('core.event', 'select seq, slug, key, what, at from core.event order by 1'),
  }
}

/**
 * Returns names of tables with their columns and numbers of rows, and the applied migrations: a command that only reads
 * leaves these unchanged.
 */
async function shapeIn(sql: Sql): Promise<unknown[]> {
  const rows = await sql`
    select format('%s.%s', table_schema, table_name) as name, string_agg(column_name, ' ' order by ordinal_position) as columns,
      (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I.%I', table_schema, table_name), true, true, '')))[1]::text as rows
    from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema') group by 1, table_schema, table_name
    order by 1`
  return [...rows]
}

test('a full disk during the migrations ends a start with one line that says so, and leaves the database unchanged', async (t) => {
  const place = await openRelease(t, 'b37ac48')
  const { sql } = place.database
  const { env } = await placeOf(t, place)
  const before = await shapeIn(sql)
  await sql`create function public.fill() returns event_trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`
  for (const tag of ['CREATE INDEX', 'CREATE VIEW', 'COMMENT']) {
    await sql`create event trigger full_disk on ddl_command_end when tag in (${sql.unsafe(`'${tag}'`)}) execute function public.fill()`
    for (const command of [['serve'], ['ingest', 'formd', '--from', '2026-01-01']]) {
      const { status, stderr } = await run(command, { ...env, EDGAR_BASE_URL: 'http://127.0.0.1:1' })
      assert.equal(status, 1, stderr)
      assert.match(stderr, /^openfilings: .*No space left on device.*\n$/)
      assert.doesNotMatch(stderr, /\n {4}at /)
    }
    await sql`drop event trigger full_disk`
    assert.deepEqual(await shapeIn(sql), before, tag)
  }
})

test('a database of an older version stays unchanged: `status` and `doctor` report its version and what the next start will do, `keys list` works, and other commands refuse', async (t) => {
  const { database, dataDir } = await openRelease(t, 'b37ac48')
  const { sql } = database
  const { target: DATABASE_URL } = await overTcp(t, database)
  const env = { DATABASE_URL, DATA_DIR: dataDir }
  const before = await shapeIn(sql)
  const next =
    /applies \d+ migrations, 003_ingest to \w+, makes the tables of [\w, ]+, rebuilds formd, .*adv.* from the archive/
  const older = /a version that was not recorded \(002_bulk\)/
  const status = await run(['status'], env)
  assert.equal(status.status, 0, status.stderr)
  assert.match(status.stdout, older)
  assert.match(status.stdout, next)
  assert.match(status.stdout, /^filings {3}55 on 17 forms/m)
  assert.match(
    status.stdout,
    /^unknown {3}.*\bruns\b.*: known after the next "openfilings serve" or "openfilings ingest"$/m,
  )
  const report = JSON.parse((await run(['status', '--json'], env)).stdout)
  assert.deepEqual(report.version.database, { version: null, migration: '002_bulk.sql' })
  assert.equal(report.runs, null)
  assert.equal(report.spine.filings, 55)
  const doctor = await run(['doctor'], env)
  assert.match(
    doctor.stdout,
    /^warn {2}shape: the database is of a version that was not recorded \(002_bulk\), and this is version .*applies/m,
  )
  const keys = await run(['keys', 'list'], env)
  assert.equal(keys.status, 0, keys.stderr)
  assert.match(keys.stdout, /acme/)
  for (const args of [
    ['export', 'formd', path.join(dataDir, 'formd.csv')],
    ['export', 'eightk', path.join(dataDir, 'eightk.csv')],
    ['export', '--list'],
    ['webhooks', 'list'],
    ['keys', 'create', '--account', 'alice'],
    ['webhooks', 'create', '--url', 'https://example.org/hook'],
    ['analyst', 'create', 'somebody'],
    ['prune'],
    ['prune', '--yes'],
    ['mcp'],
  ]) {
    const refused = await run(args, env)
    assert.equal(refused.status, 1, args.join(' '))
    assert.match(refused.stderr, /the next "openfilings serve" or "openfilings ingest"/, args.join(' '))
    assert.doesNotMatch(refused.stderr, /\n {4}at /, args.join(' '))
  }
  assert.deepEqual(await shapeIn(sql), before)
  assert.deepEqual(await readdir(dataDir), ['archive'])
})

test('a database of a newer version is refused by every command, which names both versions and changes nothing', async (t) => {
  const { sql, ...database } = await freshDatabase(t)
  const { target: DATABASE_URL } = await overTcp(t, database)
  const env = {
    DATABASE_URL,
    DATA_DIR: await temporaryFolder(t),
    PORT: `${await freePort()}`,
    EDGAR_BASE_URL: 'http://127.0.0.1:9',
    ADVISERINFO_BASE_URL: 'http://127.0.0.1:9',
  }
  await sql`insert into core.migration (name) values ('999_later.sql')`
  await sql`insert into core.meta values ('version', '9.8.7') on conflict (name) do update set value = excluded.value`
  const before = await shapeIn(sql)
  for (const args of [
    ['serve'],
    ['ingest', 'formd', '--from', '2026-01-01'],
    ['sample'],
    ['rebuild', 'formd'],
    ['status'],
    ['keys', 'list'],
    ['keys', 'create', '--account', 'alice'],
    ['webhooks', 'list'],
    ['analyst', 'list'],
    ['export', 'formd', path.join(env.DATA_DIR, 'formd.csv')],
    ['export', '--list'],
  ]) {
    const { status, stderr } = await run(args, env)
    assert.equal(status, 1, args.join(' '))
    assert.match(
      stderr,
      /version 9\.8\.7 \(999_later\), and this is version \d+\.\d+\.\d+; .*999_later\.sql, which this version lacks: run a newer OpenFilings/,
      args.join(' '),
    )
  }
  const doctor = await run(['doctor'], env)
  assert.equal(doctor.status, 1)
  assert.match(
    doctor.stdout,
    /^FAIL {2}shape: the database is of version 9\.8\.7 \(999_later\), which is newer than this version/m,
  )
  assert.deepEqual(await shapeIn(sql), before)
})

test('a command that only reads while another process changes the schema waits briefly, then reports that process', async (t) => {
  const { sql, ...database } = await freshDatabase(t)
  const { target: DATABASE_URL } = await overTcp(t, database)
  const held = await sql.reserve()
  await held`select pg_advisory_lock(4713001)`
  const { status, stderr } = await run(['status'], { DATABASE_URL, DATA_DIR: await temporaryFolder(t) })
  await held`select pg_advisory_unlock(4713001)`
  held.release()
  assert.equal(status, 1)
  assert.match(
    stderr,
    /another process is bringing the tables to a new version at the moment: try again when it is done/,
  )
})
