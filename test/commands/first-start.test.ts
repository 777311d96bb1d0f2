/**
 * First starts: two servers at once, an empty database, a sample that is incomplete or of another version.
 *
 * @early it takes 24 s of the processor
 */
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { connect } from '../../src/store/db.ts'
import {
  begin,
  beginHere,
  emptyEnv,
  freePort,
  newEnv,
  queried,
  run,
  runApart,
  sampledEnv,
  untilReady,
} from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { keptCheckout } from '../support/small-checkout.ts'
import { overTcp } from '../support/tcp.ts'
import { until } from '../support/until.ts'
import { temporaryFolder } from '../support/world.ts'

/** Returns the answer of a server's /readyz, or null before the server listens. */
async function readiness(port: number): Promise<{ status: number; error?: string } | null> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
  if (!response) return null
  const { error } = (await response.json()) as { error?: string }
  return { status: response.status, ...(error ? { error } : {}) }
}

/** The first filing of the small sample. */
const FILING = {
  ...{ accession: '0000919574-09-006093', form_type: 'D', filed_date: '2009-03-16', cik: '0001456986' },
  ...{ company_name: 'HELD', name_key: 'held', filer_count: 1, path: 'edgar/data/1456986/0000919574-09-006093.txt' },
}

/** The lock of `src/ingest/origin.ts`. */
const SAMPLE_LOCK = 4_713_021
const WAITS = 'not ready: another process is loading the first data'
const LOADS = 'not ready: loading the bundled sample'

test('if two servers start together on an empty database, one loads the sample; the other reports that it is ready only after the load', async (t) => {
  const { target: DATABASE_URL } = await overTcp(t, await freshDatabase(t, { empty: true }))
  const env = { DATA_DIR: path.join(await temporaryFolder(t), 'data'), DATABASE_URL }
  const program = await keptCheckout()
  const sql = connect({ target: DATABASE_URL, max: 2 })
  t.after(() => sql.end({ timeout: 1 }))
  // The test must see both servers in each state. So both wait for this session, and then the server that loads waits
  // for the filing that the test inserts.
  const first = await sql.reserve()
  await first`select pg_advisory_lock(${SAMPLE_LOCK})`
  const ports = [await freePort(), await freePort()]
  const servers = ports.map((port) => begin(t, ['serve'], { ...env, PORT: String(port) }, { program }))
  const bothReport = (...reasons: string[]) =>
    until(
      `they say ${reasons}`,
      async () => {
        const states = await Promise.all(ports.map(readiness))
        return isDeepStrictEqual(states.map((each) => each?.error).sort(), reasons)
      },
      120_000,
    )
  await bothReport(WAITS, WAITS)
  const second = await sql.reserve()
  await second`begin`
  await second`insert into edgar.filing ${second(FILING)}`
  await first`select pg_advisory_unlock(${SAMPLE_LOCK})`
  first.release()
  await bothReport(WAITS, LOADS)
  await second`rollback`
  second.release()
  const ready = [false, false]
  const end = Date.now() + 300_000
  while (!ready.every(Boolean)) {
    assert.ok(Date.now() < end, 'at least one server never got ready')
    for (const [n, port] of ports.entries()) {
      const found = await readiness(port)
      if (found?.status === 200 && !ready[n]) {
        ready[n] = true
        const [row] = await sql`select exists (select from core.meta where name = 'sample') as whole`
        assert.equal(row!.whole, true, 'ready means that the whole sample is there')
      }
    }
    // Each round sends requests, which slow down the load.
    await sleep(200)
  }
  const texts = await Promise.all(servers.map(untilReady))
  const loads = texts.map((text) => /^sample: done/m.test(text))
  assert.deepEqual(loads.sort(), [false, true])
  const loaded = texts.map((text) => /^Loaded: .*$/m.exec(text)![0])
  assert.equal(loaded[0], loaded[1])
  for (const text of texts) assert.equal(text.match(/^ {2}curl/gm)?.length, texts[0]!.match(/^ {2}curl/gm)?.length)
  assert.match(
    servers.map(({ stderr }) => stderr()).join(''),
    /another process is loading the first data: waiting for it/,
  )
  for (const server of servers) assert.equal(await server.end(), 0)
})

test('a start with the sample already loaded says so and loads nothing, its printed curl lines return rows, and its key works until revoked', async (t) => {
  const env = await sampledEnv(t)
  const first = begin(t, ['serve', '--port', '0'], env)
  const text = await untilReady(first)
  assert.match(
    text,
    /^Loaded: +the bundled sample: \d+ filings, the newest of \d{4}-\d\d-\d\d; \d+ advisers, as of \d{4}-/m,
  )
  const curls = [...text.matchAll(/curl -H 'Authorization: (Bearer of_\w+)' '([^']+)'/g)]
  assert.ok(curls.length >= 5, text)
  assert.ok(
    curls.some(([, , url]) => url!.includes('/thirteenf/managers/by-cik/0001067983/holdings?')),
    text,
  )
  const answers = new Map<string, string>()
  for (const [, authorization, url] of curls) {
    const response = await fetch(url!, { headers: { authorization: authorization! } })
    assert.equal(response.status, 200, url!)
    if (url!.includes('format=csv')) {
      assert.match(await response.text(), /^source,.*\r\n(.+\r\n)+# rows: [1-9]\d*\r\n$/)
      continue
    }
    const { rows, ...other } = (await response.json()) as { rows?: unknown[] }
    assert.ok(rows === undefined || rows.length > 0, url!)
    answers.set(new URL(url!).pathname.replace(/\/\d.*/, ''), JSON.stringify(other))
  }
  const profile = answers.get('/v1/adv/advisers/by-crd')!
  assert.ok(
    (profile.match(/:null/g)?.length ?? 0) < profile.split('":').length / 2,
    'more facts of the adviser are known than unknown',
  )
  assert.equal((await fetch(`${new URL(curls[0]![2]!).origin}/readyz`)).status, 200)
  assert.equal(await first.end(), 0)
  // The second start has the operator's own corrections, and the third start runs without them.
  const COMPANY_ALIASES = path.join(await temporaryFolder(t), 'aliases.tsv')
  await writeFile(
    COMPANY_ALIASES,
    'action\tname\tto\treason\tdate\nrename\tAnthropic PBC\tRenamed Assistants\tfor a test\t2026-11-22\n',
  )
  const anthropic = async (pattern: string) => {
    const [, key, origin] = /Bearer (of_\w+)' '(http:\/\/[^/]+)/.exec(pattern)!
    const { company_name } = (await (
      await fetch(`${origin}/v1/adv/securities/name~${Buffer.from('anthropic pbc').toString('base64url')}/aliases`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).json()) as { company_name: string }
    return company_name
  }
  const second = beginHere(t, ['serve', '--port', '0'], { ...env, COMPANY_ALIASES })
  const again = await untilReady(second)
  assert.equal(await anthropic(again), 'Renamed Assistants')
  assert.doesNotMatch(again, /^sample:/m)
  assert.equal(/of_\w+/.exec(again)?.[0], /of_\w+/.exec(text)?.[0])
  assert.equal(await second.end(), 0)
  const old = /of_\w+/.exec(text)![0]
  assert.equal((await run(['keys', 'revoke', old], env)).status, 0)
  const third = beginHere(t, ['serve', '--port', '0'], env)
  const last = await untilReady(third)
  assert.notEqual(/of_\w+/.exec(last)?.[0], old)
  assert.equal(await anthropic(last), 'Anthropic PBC.')
  assert.equal(await third.end(), 0)
})

const NOTHING =
  'nothing is loaded; "openfilings ingest" loads real filings, and "openfilings sample" loads the bundled sample'

test('a start on an empty database, or on a part of the sample, says so and how to load the sample, and is ready after the load', async (t) => {
  const env = await emptyEnv(t)
  const program = await keptCheckout()
  const start = (args: string[], more: Record<string, string> = {}) => begin(t, args, { ...env, ...more }, { program })
  // This is the state that a refused ingest of an older version left. A user who ingests must not get the sample
  // unasked.
  await queried(env, (sql) => sql`insert into core.meta values ('origin', 'edgar')`)
  const port = await freePort()
  const server = start(['serve'], { PORT: String(port) })
  const text = await server.until(/OpenFilings listens at .*\n/)
  assert.ok(text.includes(`, but ${NOTHING}.\n`), text)
  assert.doesNotMatch(text, /curl|is ready/)
  assert.deepEqual(await readiness(port), { status: 503, error: `not ready: ${NOTHING}` })
  await t.test(
    'the command "sample" reloads the sample; if it is stopped, the server reports that only a part is loaded',
    async () => {
      const sample = await queried(env, async (sql) => {
        const session = await sql.reserve()
        // The load of the sample waits when it inserts this filing, until this transaction ends.
        await session`begin`
        await session`insert into edgar.filing ${session(FILING)}`
        const sample = start(['sample'])
        const isHeld = async () =>
          (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
            .length > 0
        await until('the load has begun', isHeld, 120_000)
        const ended = sample.end('SIGTERM')
        await session`rollback`
        session.release()
        assert.equal(await ended, 143)
        return sample
      })
      assert.match(sample.stdout(), /^sample: stopped/m)
      await server.until(/but only a part of the bundled sample is loaded; "openfilings sample" loads the rest\./)
      assert.equal((await readiness(port))!.status, 503)
    },
  )
  await t.test('the next start loads the sample from scratch, and then both servers are ready', async () => {
    const next = start(['serve', '--port', '0'])
    assert.match(await untilReady(next), /^sample: done(.*\n)*Loaded: +the bundled sample: \d+ filings, the newest of/m)
    assert.match(await untilReady(server), /OpenFilings is ready at/)
    assert.deepEqual(await readiness(port), { status: 200 })
    const again = await runApart(['sample'], env, { program })
    assert.deepEqual([again.status, again.stdout], [0, 'the bundled sample is already loaded\n'])
    for (const each of [server, next]) assert.equal(await each.end(), 0)
  })
  await t.test(
    'an older version’s sample is served with SAMPLE=off, and else replaced, even if its tables have another definition',
    async () => {
      await queried(env, async (sql) => {
        await sql`update core.meta set value = 'an older one' where name = 'sample'`
        await sql`update core.dataset set parser_hash = 'older' where slug in ('formd', 'adv')`
      })
      const without = beginHere(t, ['serve', '--port', '0'], { ...env, SAMPLE: 'off' })
      assert.match(await untilReady(without), /^Loaded: +the bundled sample of another version: \d+ filings/m)
      assert.equal(await without.end(), 0)
      await queried(env, (sql) => sql`update core.dataset set ddl_hash = 'older' where slug = 'rega'`)
      const next = start(['serve', '--port', '0'])
      assert.match(await untilReady(next), /^Loaded: +the bundled sample: \d+ filings/m)
      assert.equal(await next.end(), 0)
    },
  )
})

test('commands that need an existing database create none, and name the folder in which they looked', async (t) => {
  const env = await newEnv(t)
  const DATA_DIR = env.DATA_DIR!
  const folder = path.dirname(DATA_DIR)
  const where = new RegExp(
    `there is no OpenFilings database in the data folder ${DATA_DIR}: .*serve.*ingest.*sample.*DATA_DIR.*DATABASE_URL`,
  )
  for (const args of [['status'], ['keys', 'list'], ['keys', 'create', '--account', 'a'], ['rebuild', 'formd']]) {
    const { status, stderr } = await run(args, { DATA_DIR })
    assert.equal(status, 1)
    assert.match(stderr, where)
    assert.equal(stderr.split('\n').length, 2, stderr)
  }
  const doctor = await run(['doctor'], { DATA_DIR, EDGAR_BASE_URL: 'file:///', ADVISERINFO_BASE_URL: 'file:///' })
  assert.match(doctor.stdout, new RegExp(`^ok +database: none in ${DATA_DIR} yet`, 'm'))
  assert.equal((await run(['ingest', '--help'], { DATA_DIR })).status, 0)
  assert.deepEqual(await readdir(folder), [])
  await t.test('without settings, `status` looks in the current folder, and creates nothing there', async () => {
    const { status, stderr } = await runApart(['status'], {}, { cwd: folder })
    assert.equal(status, 1)
    assert.ok(stderr.includes(`in the data folder ${folder}/data:`), stderr)
    assert.deepEqual(await readdir(folder), [])
  })
})
