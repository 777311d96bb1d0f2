/** A real ingest process that loses its database, is stopped, or runs normally. */
import assert from 'node:assert/strict'
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../src/store/db.ts'
import { type Begun, begin, beginHere, madeFolder, type Run, run } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { noMount, smallDisk } from '../support/disk.ts'
import { type Host, startHost } from '../support/edgar-host.ts'
import { madeForms } from '../support/made-forms.ts'
import { overTcp, type Relay } from '../support/tcp.ts'
import { until } from '../support/until.ts'
import { sample, temporaryFolder, writeIndex } from '../support/world.ts'

type After = Parameters<typeof freshDatabase>[0]

interface Place {
  t: After
  env: Record<string, string>
  sql: Sql
  relay: Relay
  host: Host
}

/** Creates an EDGAR of one quarter with few filings, which suffice to show the result of a run. */
const edgar = async (t: After) =>
  (await madeForms(t, { model: '1968399/0001968399-23-000002.txt', form: 'D', count: 12 })).root

/** Creates a separate database that is reached through a relay, and an EDGAR on a faulty host. */
async function openPlace(t: After, faults = '', root?: string): Promise<Place> {
  root ??= await edgar(t)
  const database = await freshDatabase(t)
  const relay = await overTcp(t, database)
  const host = await startHost({ root, faults })
  t.after(() => host.close())
  const DATA_DIR = path.join(await temporaryFolder(t), 'data')
  return { t, env: { DATA_DIR, DATABASE_URL: relay.target }, sql: database.sql, relay, host }
}

const FORMD = ['ingest', 'formd', '--from', '2024-01-01', '--to', '2024-03-31']
type Parts = Omit<Place, 'sql' | 'relay'>

const ingest = ({ t, env, host }: Parts, args = FORMD): Begun => begin(t, [...args, '--base-url', host.url], env)
/** Begins the ingest in the process of the test. Another test shows that a separate process ends in the same way. */
const ingestNear = ({ t, env, host }: Parts, args = FORMD): Begun =>
  beginHere(t, [...args, '--base-url', host.url], env)
/** Runs the ingest to its end in the process of the test, for tests that need no separate process. */
const ingestHere = ({ env, host }: Parts, args = FORMD): Promise<Run> => run([...args, '--base-url', host.url], env)

async function endOf(run: Begun): Promise<Run> {
  const status = await run.ended
  return { status: Number(status), stdout: run.stdout(), stderr: run.stderr() }
}

const submissionsRequested = ({ requests }: Host) => requests.filter(({ path: at }) => at.includes('/data/')).length

/** Asserts exit status 1, a summary, a last line with the reason, and no error of our own code. */
function assertGone({ status, stdout, stderr }: Run, reason: RegExp): void {
  assert.equal(status, 1, stderr)
  assert.match(stdout, /: ended early, after /)
  // The line of the embedded server may come before or after the reason, since both processes see the end of the
  // connection at the same time.
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.endsWith(' broke: opening it again'))
  assert.match(lines.at(-1)!, reason)
  assert.doesNotMatch(stderr, /^ {4}at |TypeError|failed/m)
}

const states = async (sql: Sql) =>
  (await sql<{ state: string }[]>`select distinct state from edgar.task where dataset = 'formd'`).map(
    (row) => row.state,
  )

interface Loss {
  lose: (place: Place) => Promise<unknown>
  begun: typeof ingest
}

const losses: Record<string, Loss> = {
  'its backends are terminated': {
    lose: async ({ sql }) =>
      sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name = 'openfilings'`,
    begun: ingestNear,
  },
  'its connections are reset': { lose: async ({ relay }) => relay.reset(), begun: ingest },
}

for (const [what, { lose, begun: begunIn }] of Object.entries(losses)) {
  test(`an ingest that loses its database (${what}) ends with one line and exit status 1, and no filing counts as failed`, async (t) => {
    const place = await openPlace(t, 'slow:ms=200,path=/data/')
    const begun = begunIn(place)
    await until('four filings are requested', () => submissionsRequested(place.host) > 3)
    await lose(place)
    assertGone(
      await endOf(begun),
      /^openfilings: the database went away: .*(CONNECTION_CLOSED|ECONNRESET|terminating connection)/,
    )
    assert.ok(!(await states(place.sql)).includes('failed'))
    place.host.setFaults('')
    assert.equal((await ingestHere(place)).status, 0)
    assert.deepEqual(await states(place.sql), ['done'])
  })
}

test('an ingest whose embedded server is stopped midway ends with the reason and exit status 1, and the next ingest does the rest', {
  skip: process.env.TEST_DATABASE_URL ? 'the server under test is not ours to stop' : false,
}, async (t) => {
  const host = await startHost({ root: await edgar(t), faults: 'slow:ms=200,path=/data/' })
  t.after(() => host.close())
  const place = { t, host, env: { DATA_DIR: await madeFolder(t) } }
  const begun = ingest(place)
  await until('four filings are requested', () => submissionsRequested(host) > 3)
  const pidFile = path.join(place.env.DATA_DIR, 'database/postmaster.pid')
  const pid = Number((await readFile(pidFile, 'utf8')).split('\n')[0])
  // SIGINT is a fast shutdown: the server notifies and closes every connection.
  process.kill(pid, 'SIGINT')
  assertGone(await endOf(begun), /^openfilings: the database went away: .*(CONNECTION_CLOSED|terminating connection)/)
  host.setFaults('')
  const { status, stdout } = await ingestHere(place)
  assert.equal(status, 0)
  assert.match(stdout, /, 0 failed/)
})

// Raises the server's own errors when rows are inserted. A really full disk, as in a test below, is not possible
// everywhere. Which name a new table gets cannot be foreseen, so no real file can be in its way.
for (const [what, code, message, reason] of [
  [
    'has no room left',
    '53100',
    'could not extend file "base/1/2": No space left on device',
    /^openfilings: the disk of the database at postgres\S+ is full: make room, then run .*No space left on device/,
  ],
  [
    'meets a file that a crash left',
    'duplicate_file',
    'could not create file "base/1/2": File exists',
    /^openfilings: a file that a crash .* is in the way: run the same .*File exists/,
  ],
] as const) {
  test(`an ingest whose database ${what} ends with one line and exit status 1, and the next ingest does the rest`, async (t) => {
    const place = await openPlace(t)
    await place.sql.unsafe(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception '${message}' using errcode = '${code}'; end $$;
      create trigger refuses before insert on formd.offering for each row execute function refuse()`)
    assertGone(await ingestHere(place), reason)
    assert.deepEqual(await states(place.sql), ['pending'])
    await place.sql`drop trigger refuses on formd.offering`
    assert.equal((await ingestHere(place)).status, 0)
  })
}

test('an ingest with a full database disk ends with one line and exit status 1, and the next ingest does the rest', {
  skip: noMount,
}, async (t) => {
  const disk = await smallDisk(t)
  const place = await openPlace(t)
  const { sql } = place
  const [server] = await sql<{ folder: string }[]>`select current_setting('data_directory') as folder`
  const owner = await stat(server!.folder).catch(() => null)
  if (!owner) return t.skip('the server under test is on another machine')
  await chown(disk.folder, owner.uid, owner.gid)
  const name = `full_${process.pid}`
  await sql.unsafe(`create tablespace ${name} location '${disk.folder}'`)
  try {
    await sql.unsafe(`alter table formd.offering set tablespace ${name}`)
    await disk.fill()
    assertGone(
      await ingestHere(place),
      /^openfilings: the disk of the database at postgres\S+ is full: make room, then run .*No space left on device/,
    )
    assert.deepEqual(await states(sql), ['pending'])
    await disk.free()
    const { status, stdout } = await ingestHere(place)
    assert.equal(status, 0)
    assert.match(stdout, /, 0 failed/)
    assert.deepEqual(await states(sql), ['done'])
  } finally {
    await sql`alter table formd.offering set tablespace pg_default`
    await sql.unsafe(`drop tablespace ${name}`)
  }
})

test('an ingest with a full archive disk ends with one line and exit status 1, and the next ingest does the rest', {
  skip: noMount,
}, async (t) => {
  const disk = await smallDisk(t)
  const place = await openPlace(t)
  place.env.DATA_DIR = disk.folder
  await disk.fill()
  assertGone(
    await ingestHere(place),
    /^openfilings: the archive \S+ cannot be written: its disk is full: make room \(ENOSPC: no space left on device/,
  )
  assert.deepEqual(await states(place.sql), ['pending'])
  await disk.free()
  assert.equal((await ingestHere(place)).status, 0)
  assert.deepEqual(await states(place.sql), ['done'])
})

test('an archive that is not writable ends the run with one line, and every filing stays pending', async (t) => {
  const place = await openPlace(t)
  await mkdir(place.env.DATA_DIR!, { recursive: true })
  // A file takes the place of the archive's folder. So the system refuses every write, like a full or read-only disk.
  await writeFile(path.join(place.env.DATA_DIR!, 'archive'), '')
  assertGone(await ingestHere(place), /ENOTDIR|EEXIST/)
  assert.deepEqual(await states(place.sql), ['pending'])
})

/** Things that an ingest may wait for, each with a test of whether the ingest waits. */
const waits: Record<string, { faults: string; isWaiting: (host: Host) => boolean; begun?: typeof ingest }> = {
  'an index that drips': {
    faults: 'drip:ms=100,path=master.idx',
    isWaiting: ({ requests }) => requests.length > 0,
  },
  'a filing that stalls': {
    faults: 'stall:path=/data/',
    isWaiting: (host) => submissionsRequested(host) > 1,
    // This case uses a separate process, to show that the signal reaches it.
    begun: ingest,
  },
  'the end of the pause after the rate page': {
    faults: 'rate-page:path=/data/',
    isWaiting: (host) => submissionsRequested(host) > 0,
  },
  'another try': { faults: 'too-many:after=60,path=/data/', isWaiting: (host) => submissionsRequested(host) > 0 },
}

/**
 * Time that a busy machine may take to end a process. Under load, 0.13 s was measured. Each of the waits would last 30
 * s or more.
 */
const ENDS_MS = 10_000

for (const [what, { faults, isWaiting, begun: begunIn = ingestNear }] of Object.entries(waits)) {
  test(`SIGTERM ends the wait for ${what}, and nothing counts as a failure`, async (t) => {
    const place = await openPlace(t, faults)
    const begun = begunIn(place)
    await until('the ingest waits', () => isWaiting(place.host))
    await delay(200)
    const noticedAt = performance.now()
    void begun.end('SIGTERM')
    const { status, stdout, stderr } = await endOf(begun)
    const tookMs = performance.now() - noticedAt
    t.diagnostic(`${Math.round(tookMs)} ms`)
    assert.equal(status, 143, stderr)
    assert.match(stdout, /^ingest formd: stopped; /m)
    assert.doesNotMatch(stderr, /failed|^ {4}at /m)
    assert.ok(!(await states(place.sql)).includes('failed'))
    assert.ok(tookMs < ENDS_MS, `${tookMs} ms`)
  })
}

test('SIGTERM ends the wait for adviser files, and no edition counts as failed', async (t) => {
  for (const faults of ['drip:ms=100,path=manifest', 'stall:path=IA_FIRM_SEC']) {
    const place = await openPlace(t, faults, sample)
    const begun = ingestNear(place, ['ingest', 'adv'])
    await until('the host causes a fault', () => place.host.requests.some((request) => request.faults.length > 0))
    const noticedAt = performance.now()
    void begun.end('SIGTERM')
    const { status, stderr } = await endOf(begun)
    assert.equal(status, 143, stderr)
    assert.ok(performance.now() - noticedAt < ENDS_MS)
    assert.deepEqual([...(await place.sql`select name, error from bulk.edition where state = 'failed'`)], [])
  }
})

test('an ingest of everything reads the headers that a family needs; an ingest of one dataset does not read these headers', async (t) => {
  const root = await temporaryFolder(t)
  const now = new Date()
  const [year, month] = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(now).split('-')
  const accession = `0000000111-${year!.slice(2)}-000001`
  const file = `edgar/data/111/${accession}.txt`
  await mkdir(path.join(root, 'Archives/edgar/data/111'), { recursive: true })
  await writeFile(
    path.join(root, 'Archives', file),
    `<SEC-DOCUMENT>${accession}.txt : ${year}0102\n<SEC-HEADER>x\nACCESSION NUMBER:\t\t${accession}\n` +
      'CONFORMED SUBMISSION TYPE:\t8-K\nITEM INFORMATION:\t\tResults of Operations and Financial Condition\n</SEC-HEADER>\n' +
      '<DOCUMENT>\n<TYPE>8-K\n<SEQUENCE>1\n<FILENAME>a.htm\n<TEXT>\nhello\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n',
  )
  const quarter = Math.ceil(Number(month) / 3)
  const first = `${year}-${String(quarter * 3 - 2).padStart(2, '0')}-01`
  await writeIndex(root, `${year}/QTR${quarter}`, [`111|Alpha Inc|8-K|${first}|${file}`])
  const place = await openPlace(t, '', root)
  const items = async () => (await place.sql`select item from edgar.filing_item`).map((row) => row.item)
  assert.equal((await ingestHere(place, ['ingest', 'formd'])).status, 0)
  assert.deepEqual(await items(), [])
  // The host has no adviser files, which is reported; filings come first.
  await ingestHere(place, ['ingest'])
  assert.deepEqual(await items(), ['2.02'])
})
