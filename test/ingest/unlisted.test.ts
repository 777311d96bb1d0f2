/** An index that lacks a known filing: when the filing is removed, and when it stays. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { loadIndex } from '../../src/ingest/spine.ts'
import { readIndex } from '../../src/read/master-index.ts'
import registry from '../../src/registry.ts'
import type { Sql } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { openWorld, temporaryFolder, writeIndex } from '../support/world.ts'

const DAY_MS = 86_400_000
const BEGUN = Date.now()
const FULL = '/Archives/edgar/full-index/2026/QTR3/master.idx'
const ALL = Array.from({ length: 30 }, (_, n) => n)

/** Filing `n` was filed on a day in August 2026. */
const accession = (n: number) => `0000000111-26-0000${10 + n}`
const line = (n: number, { form = 'EFFECT', day = `2026-08-${String(n + 1).padStart(2, '0')}` } = {}) =>
  `111|Alpha Inc|${form}|${day}|edgar/data/111/${accession(n)}.txt`

interface Edition {
  /**
   * Days from the first sight of the filings until the index was made, as the host's Last-Modified states it. Null
   * without this header.
   */
  made?: number | null
  /** Time after which the index is read, in days; by default, one hour after it was made. */
  read?: number
  /** `Last Data Received`. */
  through?: string
  source?: string
  host?: string
}

/** Loads an index. All stored filings count as first seen at about `BEGUN`. */
function load(
  sql: Sql,
  lines: readonly string[],
  { made = 0, read, through = 'September 30, 2026', source = FULL, host = 'https://host.example' }: Edition = {},
) {
  const at = (days: number) => new Date(BEGUN + days * DAY_MS)
  const [, year, quarter] = /(\d{4}).QTR(\d)/.exec(source)!.map(Number)
  const month = (n: number) => String(quarter! * 3 + n).padStart(2, '0')
  const day = /master\.(\d{4})(\d{2})(\d{2})\./.exec(source)?.slice(1).join('-')
  const text = [`Last Data Received: ${through}`, '-'.repeat(80), ...lines, ''].join('\n')
  async function* bytes() {
    yield Buffer.from(text)
  }
  return loadIndex(sql, registry, {
    ...{ url: `${host}${source}`, host, source, reader: readIndex(bytes()) },
    ...(day ? { through: day } : { through: `${year}-${month(0)}-30`, wholeFrom: `${year}-${month(-2)}-01` }),
    modifiedAt: made === null ? null : at(made).toISOString(),
    now: at(read ?? (made ?? 0) + 1 / 24),
  })
}

const without = (...gone: number[]) => ALL.filter((n) => !gone.includes(n)).map((n) => line(n))
const tombstones = async (sql: Sql) =>
  (await sql<{ accession: string }[]>`select accession from edgar.tombstone order by 1`).map((row) => row.accession)
const suspects = async (sql: Sql) =>
  (await sql<{ accession: string }[]>`select accession from edgar.unlisted order by 1`).map((row) => row.accession)
const eventsOf = async (sql: Sql, n: number) =>
  (await sql<{ what: string }[]>`select what from core.event where key = ${accession(n)} order by seq`).map(
    ({ what }) => what,
  )

const { sql: shared } = await freshDatabase({ after })

/** Returns the emptied shared database, because a new database for each test would take half a second. */
async function empty(): Promise<Sql> {
  for (const table of [
    'filing',
    'filer',
    'filer_name',
    'filer_search',
    'coverage',
    'tombstone',
    'watermark',
    'index_problem',
    'delay',
  ]) {
    await shared`delete from ${shared(`edgar.${table}`)}`
  }
  await shared`delete from core.event`
  return shared
}

/** Returns the same database after it has read the first edition. */
async function known(): Promise<Sql> {
  const sql = await empty()
  assert.equal((await load(sql, without(), { made: -1 })).added, 30)
  return sql
}

test('a filing is removed if it is missing from two indexes that were made after its first sight and read a day apart, and it can be restored', async () => {
  const sql = await known()
  const first = await load(sql, without(0), { made: 2 })
  assert.deepEqual([first.suspected, first.removed], [1, 0])
  assert.deepEqual(await suspects(sql), [accession(0)])
  const second = await load(sql, without(0), { made: 4 })
  assert.deepEqual([second.suspected, second.removed], [0, 1])
  assert.deepEqual(await tombstones(sql), [accession(0)])
  assert.deepEqual(await suspects(sql), [])
  const [coverage] = await sql`select filings::int from edgar.coverage where form_type = 'EFFECT'`
  assert.equal(coverage!.filings, 29)
  const third = await load(sql, without(), { made: 6 })
  assert.deepEqual([third.added, third.restored], [1, 1])
  assert.deepEqual(await tombstones(sql), [])
  assert.deepEqual(await eventsOf(sql, 0), ['removed', 'restored'])
  assert.equal((await sql`select 1 from edgar.filing`).length, 30)
})

test('an index does not count against filings that were first seen or accepted after it was made', async () => {
  const sql = await known()
  await sql`update edgar.filing set first_seen_at = now() + interval '3 days' where accession = ${accession(0)}`
  await sql`update edgar.filing set accepted_at = now() + interval '3 days' where accession = ${accession(1)}`
  const result = await load(sql, without(0, 1, 2), { made: 2 })
  assert.equal(result.suspected, 1)
  assert.deepEqual(await suspects(sql), [accession(2)])
  // A wrong clock may date an index later than its reading.
  await load(sql, without(0, 1, 2), { made: 400, read: 2.5 })
  assert.deepEqual(await suspects(sql), [accession(2)])
})

test('an index without Last-Modified counts as made at the start of its last day; without a last day it removes nothing and reports this', async () => {
  const sql = await known()
  await sql`update edgar.filing set first_seen_at = '2026-09-29T12:00:00-04:00' where accession <> ${accession(0)}`
  await sql`update edgar.filing set first_seen_at = '2026-09-30T12:00:00-04:00' where accession = ${accession(0)}`
  assert.equal((await load(sql, without(0, 1), { made: null, read: 2 })).suspected, 1)
  assert.deepEqual(await suspects(sql), [accession(1)])
  const silent = await load(sql, without(0, 1, 2), { made: null, read: 4, through: '' })
  assert.deepEqual([silent.suspected, silent.removed], [0, 0])
  assert.match(silent.withheld!, /does not state its last day/)
})

test('an index suspects missing filings of its last day only if it was made at least three days later', async () => {
  const sql = await known()
  await sql`update edgar.filing set first_seen_at = '2026-08-01'`
  const at = (day: string) => (Date.parse(day) - BEGUN) / DAY_MS
  await sql`update edgar.watermark set made_at = '2026-08-01'`
  await load(sql, without(28, 29), { made: at('2026-08-31T02:05:00Z'), through: 'August 30, 2026' })
  assert.deepEqual(await suspects(sql), [accession(28)])
  await load(sql, without(28, 29), { made: at('2026-09-05T02:05:00Z'), through: 'August 30, 2026' })
  assert.deepEqual(await suspects(sql), [accession(29)])
  assert.deepEqual(await tombstones(sql), [accession(28)])
})

test('several readings on one day, a repeated index, and a clock that jumps remove nothing', async () => {
  const sql = await known()
  await load(sql, without(0), { made: 2, read: 2.1 })
  for (const [what, edition] of Object.entries({
    'another index of the same day': { made: 2.5, read: 2.6 },
    'the same index ten days later': { made: 2, read: 12 },
    'a later index, when the clock has gone back': { made: 4, read: 1 },
  })) {
    const { removed } = await load(sql, without(0), edition)
    assert.equal(removed, 0, what)
    await sql`update edgar.watermark set made_at = null`
  }
  // After the clock was set back, its new time counts.
  assert.equal((await load(sql, without(0), { made: 5, read: 5 })).removed, 1)
})

test('an index that lists a suspected filing clears the suspicion, and a later suspicion starts from scratch', async () => {
  const sql = await known()
  await load(sql, without(0, 1), { made: 2 })
  await load(sql, without(1), { made: 4 })
  assert.deepEqual([await suspects(sql), await tombstones(sql)], [[], [accession(1)]])
  assert.equal((await load(sql, without(0, 1), { made: 6 })).removed, 0)
  assert.equal((await load(sql, without(0, 1), { made: 8 })).removed, 1)
})

test('an older edition of an index, as from a cache, removes, restores and changes nothing', async () => {
  const sql = await known()
  const changed = [line(1, { form: '4/A' }), ...without(0, 1)]
  await load(sql, changed, { made: 2 })
  await load(sql, changed, { made: 4 })
  assert.deepEqual(await tombstones(sql), [accession(0)])
  for (const edition of [
    { made: 3, read: 5 },
    { made: null, read: 5, through: 'September 1, 2026' },
  ]) {
    const old = await load(sql, without(2), edition)
    assert.deepEqual([old.isOlder, old.restored, old.changed, old.suspected], [true, 0, 0, 0])
  }
  assert.deepEqual(await tombstones(sql), [accession(0)])
  const [filing] = await sql`select form_type from edgar.filing where accession = ${accession(1)}`
  assert.equal(filing!.form_type, '4/A')
  const [mark] = await sql`select made_at > now() + interval '3 days' as kept from edgar.watermark`
  assert.equal(mark!.kept, true)
})

test('an index that is truncated, or has lines without a readable accession, removes and suspects nothing, and its filings are loaded', async () => {
  const sql = await known()
  const cut = await load(sql, [...without().slice(0, 15), line(30, { day: '2026-08-31' })], { made: 2 })
  assert.deepEqual([cut.suspected, cut.removed, cut.added, cut.problems], [0, 0, 1, 1])
  assert.match(cut.withheld!, /lists 16 filings and lacks 15 known ones: it may be cut short/)
  const [problem] = await sql`select line, reason from edgar.index_problem`
  assert.deepEqual([problem!.line, /cut short/.test(problem!.reason)], [0, true])
  const [mark] = await sql`select made_at < now() as unmoved from edgar.watermark`
  assert.equal(mark!.unmoved, true)
  const broken = await load(sql, [...without(0), line(30), '111|Alpha Inc|EFF'], { made: 4 })
  assert.match(broken.withheld!, /lines that cannot be read/)
  assert.deepEqual(await suspects(sql), [])
  // A line that names its filing lists it.
  await load(sql, [...without(0, 1), line(30), line(0, { day: 'never' })], { made: 6 })
  assert.deepEqual(await suspects(sql), [accession(1)])
})

test('a daily index or feed that still lists a removed filing restores it only if it is newer than the removal', async () => {
  const sql = await known()
  for (const made of [2, 4]) await load(sql, without(0), { made })
  const daily = '/Archives/edgar/daily-index/2026/QTR3/master.20260801.idx'
  assert.equal((await load(sql, [line(0)], { made: 1, read: 5, source: daily, through: 'August 1, 2026' })).restored, 0)
  async function* entries() {
    yield [
      {
        cik: '0000000111',
        companyName: 'Alpha Inc',
        formType: 'EFFECT',
        filedDate: '2026-08-01',
        accession: accession(0),
        path: `edgar/data/111/${accession(0)}.txt`,
      },
    ]
  }
  const reading = { problems: [], problemCount: 0, lastReceived: null, begun: true, mentioned: new Set<string>(), unplaced: 0 } // biome-ignore format: a table
  const feed = (at: number) =>
    loadIndex(sql, registry, {
      ...{ url: 'feed', host: 'https://host.example', source: 'feed', through: '2026-08-01', now: new Date(BEGUN) },
      reader: { entries: entries(), ...reading },
      current: new Map([[accession(0), new Date(BEGUN + at * DAY_MS).toISOString()]]),
    })
  assert.equal((await feed(1)).restored, 0)
  assert.deepEqual(await tombstones(sql), [accession(0)])
  assert.equal((await feed(5)).restored, 1)
  for (const made of [7, 9]) await load(sql, without(0), { made })
  assert.equal((await load(sql, [line(0)], { made: 10, source: daily, through: 'August 1, 2026' })).restored, 1)
  assert.deepEqual(await eventsOf(sql, 0), ['removed', 'restored', 'removed', 'restored'])
})

test('a filing whose date is corrected to the next quarter is never removed, in either order of reading the two indexes', async () => {
  const sql = await empty()
  const next = FULL.replace('QTR3', 'QTR4')
  const moved = (day: string) => `111|Alpha Inc|EFFECT|${day}|edgar/data/111/0000000111-26-000099.txt`
  await load(sql, [...without(), moved('2026-09-30')], { made: -1 })
  await load(sql, [line(31, { day: '2026-10-02' })], { made: -1, source: next, through: 'October 2, 2026' })
  await load(sql, without(), { made: 2 })
  // The index of the next quarter has not been read again, so it is unknown whether the filing moved there.
  assert.deepEqual([(await load(sql, without(), { made: 4 })).removed, (await suspects(sql)).length], [0, 1])
  const lines = [line(31, { day: '2026-10-02' }), moved('2026-10-01')]
  assert.equal((await load(sql, lines, { made: 5, source: next, through: 'October 9, 2026' })).changed, 1)
  assert.deepEqual([await suspects(sql), await tombstones(sql)], [[], []])
  assert.equal((await load(sql, without(), { made: 6 })).suspected, 0)
})

test('while the quarterly index is refused, the daily indexes of its days are not read again', async (t) => {
  const root = await temporaryFolder(t)
  await writeIndex(root, '2026/QTR3', [line(0)], { lastReceived: 'September 28, 2026' })
  await writeIndex(root, '2026/QTR3/20260801', [line(0, { form: '4' })])
  const world = await openWorld(t, { root })
  const period = { from: '2026-07-01', to: '2026-09-30', again: true }
  await world.crawl(period)
  world.host.setFaults('access-denied:path=full-index')
  const before = world.host.requests.length
  await world.crawl(period)
  const requested = world.host.requests.slice(before).map(({ path }) => path.replace(/.*\//, ''))
  assert.deepEqual(requested, ['master.idx', 'master.20260929.idx', 'master.20260930.idx'])
  assert.equal((await world.sql`select from edgar.filing where form_type = 'EFFECT'`).length, 1)
})

test('if a corrected index lists fewer filers of a filing, the other filers keep the filing under its new day, and each is counted once', async () => {
  const sql = await known()
  const both = (form: string, day: string) => [
    line(0, { form, day }),
    line(0, { form, day }).replace('111|Alpha', '222|Beta'),
  ]
  const others = without(0)
  const state = async () => {
    const [filing] =
      await sql`select form_type, filed_date, filer_count from edgar.filing where accession = ${accession(0)}`
    const filers = await sql`select cik, filed_date from edgar.filer where accession = ${accession(0)} order by cik`
    return { ...filing, filers: filers.map(({ cik, filed_date }) => `${Number(cik)} ${filed_date}`) }
  }
  const expected = (form_type: string, day: string) => ({
    ...{ form_type, filed_date: day, filer_count: 2 },
    filers: [`111 ${day}`, `222 ${day}`],
  })
  await load(sql, [...both('D', '2026-08-03'), ...others], { made: 1 })
  assert.deepEqual(await state(), expected('D', '2026-08-03'))
  // The index is corrected twice, and the second correction takes back the first.
  await load(sql, [line(0, { form: 'D/A', day: '2026-08-05' }), ...others], { made: 2 })
  assert.deepEqual(await state(), expected('D/A', '2026-08-05'))
  await load(sql, [both('D', '2026-08-03')[1]!, ...others], { made: 3 })
  assert.deepEqual(await state(), expected('D', '2026-08-03'))
  const forms = await sql`select form_type, filings::int from edgar.coverage where filings > 0 order by 1`
  assert.deepEqual(
    forms.map(({ form_type, filings }) => `${form_type} ${filings}`),
    ['D 1', 'EFFECT 29'],
  )
  assert.deepEqual(
    (await sql`select dataset, state from edgar.task where accession = ${accession(0)}`).map((row) => ({ ...row })),
    [{ dataset: 'formd', state: 'pending' }],
  )
  assert.equal((await sql`select from edgar.tombstone`).length, 0)
})
