/** Databases of released versions, upgraded by this one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import registry from '../src/registry.ts'
import type { Sql } from '../src/store/db.ts'
import { begin, freePort, run, untilReady } from './command.ts'
import { freshDatabase } from './database.ts'
import { startHost } from './edgar-host.ts'
import { randomFor } from './random.ts'
import { openRelease, type Release, releases } from './release.ts'
import { often } from './soak.ts'
import { overTcp } from './tcp.ts'
import { until } from './until.ts'
import { temporaryFolder } from './world.ts'

type After = Parameters<typeof freshDatabase>[0]

const KILLS = often('kills of an upgrade', { usual: 1, soak: 12 })
const ROUNDS = often('upgrades that are killed', { usual: 1, soak: 4 })

/** What a start of this version writes to the server until it is ready, before the database is of its shape. */
const WRITES = 1_500

/** Of which columns a load of its own says otherwise: moments, addresses, and numbers that are given in the order of arrival. */
const OWN: Record<string, string> = {
  'bulk.edition': 'finished_at',
  'edgar.filer': 'name_id',
  'edgar.filer_name': 'name_id',
  'edgar.filer_search': 'name_id',
  'edgar.filing': 'first_seen_at',
  // The header is what the version read that fetched it: `confirmingCopy` came later, and nothing asks for it.
  'edgar.submission': 'fetched_at,header,kept_sha256,dropped,originals',
  // A rebuild that reads what was not read whole counts as one more.
  'edgar.task': 'finished_at,attempts',
  'edgar.watermark': 'moved_at',
}

/** Every row of every table but those of `core`: keys, runs, and what happened when. */
async function allRows(sql: Sql): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
    where nspname = any(${['edgar', 'bulk', ...registry.slices.map(({ slug }) => slug)]}) and relkind in ('r', 'p')
      and not relispartition
    order by 1`
  const each = tables.map(
    ({ name }) => `select '${name}' as name, (to_jsonb(t) - string_to_array('${OWN[name] ?? ''}', ','))::text as row from ${name} t`, // biome-ignore format: one line
  )
  const rows = Object.fromEntries(tables.map(({ name }) => [name, [] as string[]]))
  const found = await sql.unsafe<{ name: string; row: string }[]>(each.join(' union all '))
  for (const { name, row } of found) rows[name]!.push(row.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ''))
  for (const some of Object.values(rows)) some.sort()
  return rows
}

/** What this version makes of the same filings and files. */
async function loadedAnew(t: After, site: string): Promise<Record<string, string[]>> {
  const database = await freshDatabase(t, { empty: true })
  const { target: DATABASE_URL } = await overTcp(t, database)
  const host = await startHost({ root: site })
  t.after(() => host.close())
  const env = {
    ...{ DATABASE_URL, DATA_DIR: await temporaryFolder(t), SAMPLE: 'off', EDGAR_REQUESTS_PER_SECOND: '10' },
    ...{ EDGAR_BASE_URL: host.url, ADVISERINFO_BASE_URL: host.url },
  }
  const { status, stderr } = await run(['ingest', 'all', '--from', '1993-01-01'], env)
  assert.equal(status, 0, stderr)
  return allRows(database.sql)
}

/** Settings of `serve` on the database, and the relay that counts what is written to it. */
async function placeOf(t: After, { database, dataDir }: Release) {
  const relay = await overTcp(t, database)
  return { relay, env: { DATABASE_URL: relay.target, DATA_DIR: dataDir, SAMPLE: 'off', PORT: `${await freePort()}` } }
}

test('a database of every released version, with data of every dataset, killed at random moments of its upgrade, has every row of a fresh load at the end, and its keys', async (t) => {
  const names = await releases()
  assert.ok(names.includes('b37ac48'))
  for (const name of names) {
    const release = await openRelease(t, name)
    const { n: keys } = (await release.database.sql<{ n: number }[]>`select count(*)::int as n from core.key`)[0]!
    assert.ok(keys > 0)
    const expected = await loadedAnew(t, release.site)
    for (let round = 0; round < ROUNDS; round++) {
      const place = await release.again()
      const { sql } = place.database
      const { relay, env } = await placeOf(t, place)
      const random = randomFor(`kills of an upgrade of ${name}, ${round}`)
      for (let kill = 0; kill < KILLS; kill++) {
        const before = relay.writes
        const moment = Math.floor(random() * WRITES)
        const server = begin(t, ['serve'], env)
        await until(`write ${moment}`, () => relay.writes - before >= moment || /Try:/.test(server.stdout()))
        await server.end('SIGKILL')
      }
      const server = begin(t, ['serve'], env)
      await untilReady(server)
      assert.equal(await server.end(), 0)
      const rows = await allRows(sql)
      assert.deepEqual(Object.keys(rows), Object.keys(expected))
      for (const [table, some] of Object.entries(rows)) {
        const others = (ones: readonly string[], these: readonly string[]) => ones.filter((row) => !these.includes(row))
        const made = { upgraded: others(some, expected[table]!), fresh: others(expected[table]!, some) }
        assert.deepEqual(made, { upgraded: [], fresh: [] }, `${name}: ${table}`)
        assert.equal(some.length, expected[table]!.length, `${name}: ${table}`)
      }
      const left = await sql`
        select nspname from pg_namespace where nspname ~ '_(next|old)$' union all select slug from core.mark
        union all select slug from core.shadow`
      assert.deepEqual([...left], [])
      const [now] = await sql<{ n: number }[]>`select count(*)::int as n from core.key where account <> 'local'`
      assert.equal(now!.n, keys)
    }
  }
})
