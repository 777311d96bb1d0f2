/**
 * The feed of current filings is read back to known filings or to its end, even while entries move between pages. Gaps
 * are recorded.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { edgarClient } from '../../src/fetch/client.ts'
import { pollCurrent, settling } from '../../src/ingest/feed/current.ts'
import { areListed, isHoliday } from '../../src/ingest/feed/days.ts'
import { closeGaps, feedState } from '../../src/ingest/feed/gaps.ts'
import { loadIndex } from '../../src/ingest/spine.ts'
import { feedOf } from '../../src/products/status/answer.ts'
import { readIndex } from '../../src/read/master-index.ts'
import registry from '../../src/registry.ts'
import type { freshDatabase } from '../support/database.ts'
import { filings, startFeed } from '../support/feed-made.ts'
import { accession, type Listed } from '../support/follow/made.ts'
import { randomFor } from '../support/random.ts'
import { reusedDatabase } from '../support/reused.ts'

/** A Wednesday in winter; New York is five hours west of UTC. */
const DAY = '2026-02-11'
const at = (time: string, day = DAY) => `${day}T${time}:00-05:00`

type After = Parameters<typeof freshDatabase>[0]

const database = await reusedDatabase({ after })

async function place(t: After) {
  const { sql } = await database.emptied()
  const feed = await startFeed(t)
  // The limit is a tenth of EDGAR's limit.
  feed.limit = 500
  const client = edgarClient({ baseUrl: feed.url, userAgent: null, sleep: async () => {} })
  t.after(() => client.close())
  const own = { sql, feed, client, now: new Date(at('12:00', '2026-02-18')) }
  return {
    ...own,
    poll: (settled: string | null = null) => pollCurrent({ ...own, catalog: registry, settled }),
    async known() {
      const rows = await sql<{ accession: string }[]>`select accession from edgar.filing`
      return new Set(rows.map((row) => row.accession))
    },
    async index(day: string, lists: readonly Listed[], whole = false) {
      const quarter = `${day.slice(0, 4)}/QTR1`
      const name = whole ? 'master.idx' : `master.${day.replaceAll('-', '')}.idx`
      const lines = lists.map(
        ({ n, filed }) => `1968399|Model Issuer|D|${filed}|edgar/data/1968399/${accession(n)}.txt`,
      )
      const head = `Last Data Received:    ${new Date(`${day}T00:00:00Z`).toLocaleString('en-US', { dateStyle: 'long', timeZone: 'UTC' })}\n`
      const text = `${head}CIK|Company Name|Form Type|Date Filed|Filename\n${'-'.repeat(80)}\n${lines.join('\n')}\n`
      const source = `/Archives/edgar/${whole ? 'full' : 'daily'}-index/${quarter}/${name}`
      const reader = readIndex(
        (async function* () {
          yield Buffer.from(text)
        })(),
      )
      const range = whole ? { now: own.now, wholeFrom: `${day.slice(0, 4)}-01-01` } : { now: own.now }
      await loadIndex(sql, registry, { url: feed.url + source, reader, host: feed.url, source, through: day, ...range })
    },
  }
}

const missing = (all: readonly Listed[], known: ReadonlySet<string>) => all.filter(({ n }) => !known.has(accession(n)))

test('the first poll reads all 5,100 entries of the feed, of which the last page starts at 5,000; an ordinary poll reads one page', async (t) => {
  const { feed, poll, known, sql } = await place(t)
  feed.limit = 5_100
  feed.entries = filings(7_000, { newest: at('17:55'), seconds: 10 })
  const first = await poll()
  assert.deepEqual(missing(feed.entries.slice(0, 5_100), await known()), [])
  assert.deepEqual([first!.filings, Math.max(...feed.requested), first!.gap], [5_100, 5_000, null])
  const { reading } = await feedState(sql)
  assert.deepEqual(
    [reading!.newest_at, reading!.reached_at].map((one) => Date.parse(one)),
    [0, 5_099].map((n) => Date.parse(feed.entries[n]!.updated!)),
  )
  feed.entries.unshift(...filings(3, { newest: at('17:56'), first: 7_001 }))
  const second = await poll()
  assert.deepEqual(
    [second!.pages, second!.added, second!.gap],
    [2, 3, null],
    'a quarter of an hour has 90 entries and more',
  )
  const third = await poll(second!.newest)
  assert.deepEqual([third!.pages, third!.added], [1, 0])
})

test('a feed that ends before entry 5,100, with a 503 or an empty page, is read to its end', async (t) => {
  const { feed, poll, known } = await place(t)
  feed.entries = filings(700, { newest: at('17:55') })
  feed.limit = 450
  assert.equal((await poll())!.filings, 450)
  feed.limit = 500
  feed.entries.unshift(...filings(200, { newest: at('17:59'), first: 1_000, seconds: 1 }))
  feed.entries.splice(400)
  assert.equal((await poll())!.gap, null, 'the poll met known entries')
  assert.deepEqual(missing(feed.entries, await known()), [])
})

test('an outage during a poll stores nothing, and the next poll reads the whole feed', async (t) => {
  const { feed, poll, known } = await place(t)
  feed.limit = 5_100
  feed.entries = filings(1_000, { newest: at('17:55') })
  feed.before = (n) => {
    feed.isDown = n >= 5
  }
  await assert.rejects(poll(), { name: 'EdgarError', kind: 'unavailable' })
  assert.equal((await known()).size, 0)
  feed.before = () => {}
  feed.isDown = false
  assert.equal((await poll())!.filings, 1_000)
})

test('no entry is lost if entries are added or removed between the requests for two pages', async (t) => {
  const { feed, poll, known } = await place(t)
  const random = randomFor('moves')
  let next = 10_000
  feed.limit = 5_100
  feed.entries = filings(1_200, { newest: at('17:00') })
  feed.before = (n) => {
    if (n === 0) return
    const shift = Math.floor(random() * 130)
    if (n % 2) feed.entries.splice(0, shift)
    else feed.entries.unshift(...filings(shift, { newest: at('17:01'), first: next, seconds: 0 }))
    next += shift
  }
  const deep = feed.entries.slice(600)
  const result = await poll()
  assert.deepEqual(missing(deep, await known()), [])
  assert.ok(result!.pages < 180)
})

test('the next poll finds a filing that appears below known filings, up to a quarter of an hour after its acceptance', async (t) => {
  const { feed, poll, known } = await place(t)
  // The busiest quarter of an hour that was recorded has 440 entries.
  feed.limit = 5_100
  feed.entries = filings(900, { newest: at('17:55'), seconds: 2 })
  await poll()
  feed.requested = []
  const late = { ...filings(1, { newest: feed.entries[430]!.updated!, first: 9_000 })[0]! }
  feed.entries.splice(430, 0, late)
  feed.entries.unshift(...filings(1, { newest: at('17:56'), first: 9_001 }))
  await poll()
  assert.deepEqual(missing([late], await known()), [])
  assert.equal(feed.requested.length, 6)
})

test('a poll reads back to the newest entry of the last poll that was long enough ago, so a quiet feed costs one page', () => {
  let minutes = 0
  const feed = settling(() => minutes * 60_000)
  const reported: (string | null)[] = []
  for (const newest of ['a', 'b', 'c', 'd', 'd']) {
    feed.note(newest)
    reported.push(feed.settled())
    minutes += 10
  }
  // At minute 20 the poll of minute 0 is old enough. At minute 30 the poll of minute 10 is old enough.
  assert.deepEqual(reported, [null, null, 'a', 'b', 'c'])
})

test('if the feed no longer has the last known entry, a gap is recorded; the daily indexes of all days of the gap close it', async (t) => {
  const { feed, poll, index, sql, client } = await place(t)
  const now = new Date(at('12:00', '2026-02-14'))
  await index('2026-02-10', [], true)
  feed.entries = filings(100, { newest: at('10:00'), seconds: 610 })
  assert.equal((await poll())!.gap, null, 'everything up to the evening before is in the index')
  const lost = filings(90, { newest: at('11:00', '2026-02-12'), first: 1_000 })
  feed.entries = [
    ...filings(500, { newest: at('17:00', '2026-02-12'), first: 2_000, seconds: 40 }),
    ...lost,
    ...feed.entries,
  ]
  const { gap } = (await poll())!
  const oldest = feed.entries[499]!.updated!
  assert.deepEqual(
    [gap!.after_at, gap!.before_at].map((one) => Date.parse(one)),
    [at('10:00'), oldest].map((one) => Date.parse(one)),
  )
  assert.equal((await poll())!.gap, null, 'the gap is recorded once')
  const state = async () => (await feedState(sql)).gaps.map(({ closed_at }) => closed_at !== null)
  assert.deepEqual(await closeGaps(sql, client.baseUrl, now), [])
  await index('2026-02-12', lost)
  assert.deepEqual(await closeGaps(sql, client.baseUrl, now), [], 'the first of its days is not read yet')
  await index('2026-02-11', [])
  assert.equal((await closeGaps(sql, 'http://another.host', now)).length, 0)
  assert.equal((await closeGaps(sql, client.baseUrl, now)).length, 1)
  assert.deepEqual(await state(), [true])
  const shown = feedOf(await feedState(sql))
  assert.deepEqual([shown.open_gap_count, shown.gaps.length, shown.gaps[0]!.closed_at !== null], [0, 1, true])
  assert.deepEqual(await closeGaps(sql, client.baseUrl, now), [], 'the gap is closed once')
})

test('if the first poll does not reach back to the evening of the last index, a gap is recorded', async (t) => {
  const { feed, poll, index, sql, client } = await place(t)
  await index('2026-02-10', [], true)
  feed.entries = filings(600, { newest: at('17:55'), seconds: 40 })
  const { gap } = (await poll())!
  assert.deepEqual(
    [Date.parse(gap!.after_at), Date.parse(gap!.before_at)],
    [at('17:30', '2026-02-10'), feed.entries[499]!.updated!].map((one) => Date.parse(one)),
  )
  await index(DAY, feed.entries)
  assert.equal((await closeGaps(sql, client.baseUrl, new Date(at('12:00', '2026-02-12')))).length, 1)
})

test('without any index the first poll records no gap; a quarterly index closes the gaps that it covers', async (t) => {
  const { feed, poll, index, sql, client } = await place(t)
  feed.entries = filings(600, { newest: at('17:55'), seconds: 40 })
  assert.equal((await poll())!.gap, null)
  feed.entries = filings(600, { newest: at('17:55', '2026-02-13'), seconds: 40, first: 10_000 })
  assert.ok((await poll())!.gap)
  await index('2026-02-13', feed.entries, true)
  assert.equal((await closeGaps(sql, client.baseUrl, new Date(at('12:00', '2026-02-14')))).length, 1)
})

test('the indexes that list filings accepted between two times are known, across evenings, weekends and holidays', () => {
  const cases: [after: string, before: string, read: string[], isListed: boolean][] = [
    [at('10:00'), at('11:00'), ['2026-02-11'], true],
    [at('10:00'), at('11:00'), ['2026-02-10', '2026-02-12'], false],
    // A filing that is accepted in the evening has the next business day.
    [at('10:00'), at('18:00'), ['2026-02-11'], false],
    [at('10:00'), at('18:00'), ['2026-02-11', '2026-02-12'], true],
    // The 13th is a Friday. The Monday after it, the 16th, is a holiday.
    [at('10:00', '2026-02-13'), at('18:00', '2026-02-13'), ['2026-02-13'], false],
    [at('10:00', '2026-02-13'), at('18:00', '2026-02-13'), ['2026-02-13', '2026-02-17'], true],
    [at('10:00', '2026-02-13'), at('09:00', '2026-02-17'), ['2026-02-13', '2026-02-17'], true],
    [at('10:00', '2026-02-13'), at('09:00', '2026-02-18'), ['2026-02-13', '2026-02-18'], false],
  ]
  for (const [after, before, read, expected] of cases) {
    assert.equal(
      areListed({ after, before }, (day) => read.includes(day), isHoliday),
      expected,
      `${after} ${before} ${read}`,
    )
  }
})

test('federal holidays agree with the calendar, and are observed on Friday or Monday if they fall on a weekend', () => {
  const of2026 = ['01-01', '01-19', '02-16', '05-25', '06-19', '07-03', '09-07', '10-12', '11-11', '11-26', '12-25']
  const days = Array.from({ length: 365 }, (_, n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10))
  const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())
  assert.deepEqual(
    days.filter((day) => isHoliday(day) && !isWeekend(day)).map((day) => day.slice(5)),
    of2026,
  )
  // A holiday on a Sunday is observed on Monday. The first of January 2028 is a Saturday, so it is observed on the day
  // before.
  assert.deepEqual(['2027-07-05', '2027-12-31', '2027-12-24', '2027-06-18'].map(isHoliday), [true, true, true, true])
})

test('closing a gap needs the index of a holiday if a filing has the date of the holiday', async (t) => {
  const { feed, poll, index, sql, client } = await place(t)
  await index('2026-02-13', [], true)
  feed.entries = filings(10, { newest: at('10:00', '2026-02-16') })
  await poll()
  feed.entries = filings(600, { newest: at('17:00', '2026-02-17'), seconds: 40, first: 1_000 })
  await poll()
  const now = new Date(at('12:00', '2026-02-18'))
  await index('2026-02-17', [])
  assert.deepEqual(await closeGaps(sql, client.baseUrl, now), [])
  await index('2026-02-16', [])
  assert.equal((await closeGaps(sql, client.baseUrl, now)).length, 2)
})

test('an impossible acceptance time does not shrink a gap', async (t) => {
  const { feed, poll, index } = await place(t)
  await index('2026-02-10', [], true)
  feed.entries = filings(50, { newest: at('10:00') })
  feed.entries.unshift({ n: 900, filed: DAY, updated: '2031-01-01T10:00:00-05:00' })
  feed.entries.push({ n: 901, filed: DAY, updated: '1999-01-01T10:00:00-05:00' })
  await poll()
  feed.entries = filings(600, { newest: at('17:00', '2026-02-13'), seconds: 40, first: 1_000 })
  feed.entries[470]!.updated = '1999-01-01T10:00:00-05:00'
  const { gap } = (await poll())!
  assert.equal(Date.parse(gap!.after_at), Date.parse(at('10:00')))
  assert.equal(Date.parse(gap!.before_at), Date.parse(feed.entries[499]!.updated!))
})

test('a malformed or unreadable entry is stored as a problem, counted once, and deleted when an index lists its filing', async (t) => {
  const { feed, poll, index, sql, client, known } = await place(t)
  await index('2026-02-10', [], true)
  feed.entries = filings(30, { newest: at('17:55') })
  const [odd, broken, bare, ...rest] = feed.entries
  feed.change = (text, { n }) => {
    if (n === odd!.n) return text.replace('Filed:', 'Fixed:')
    if (n === broken!.n) return text.replace('Model Issuer', 'Model & Issuer <b')
    return n === bare!.n ? text.replaceAll(accession(n), 'none') : text
  }
  const first = (await poll())!
  assert.deepEqual([first.filings, first.problems, first.unseen], [27, 3, 3])
  assert.deepEqual(missing(rest, await known()), [])
  feed.entries.unshift(...filings(1, { newest: at('17:56'), first: 500 }))
  assert.equal((await poll())!.unseen, 0)
  feed.entries = filings(40, { newest: at('17:57'), first: 600, seconds: 60 })
  await poll()
  const unread = async () =>
    (await sql<{ content: string }[]>`select content from edgar.index_problem order by line`).map(
      ({ content }) => content,
    )
  assert.equal((await unread()).length, 3, 'unread entries are kept when the feed no longer has them')
  assert.equal((await feedState(sql)).unread, 3)
  // The index of that day lists one of the three filings, and filings that were read before.
  await index(DAY, [odd!, ...rest])
  await closeGaps(sql, client.baseUrl, new Date())
  assert.deepEqual(
    (await unread()).map((content) => content.slice(0, 20)).sort(),
    [accession(broken!.n), 'D - Model Issuer (00'].map((one) => one.slice(0, 20)).sort(),
  )
  await sql`update edgar.index_problem set seen_at = ${at('17:55')}`
  await index('2026-02-12', [])
  await closeGaps(sql, client.baseUrl, new Date(at('12:00', '2026-02-13')))
  assert.deepEqual(await unread(), [], 'the indexes of their days have listed whatever they were')
})
