/** The stand-in for the real hosts serves days of real size. The feed reader and `ingest --follow` read them. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { edgarClient } from '../../src/fetch/client.ts'
import { crawl } from '../../src/ingest/crawl.ts'
import { pollCurrent } from '../../src/ingest/feed/current.ts'
import { closeGaps, feedState } from '../../src/ingest/feed/gaps.ts'
import registry from '../../src/registry.ts'
import { freshDatabase } from '../support/database.ts'
import { type Child, child, eventsOf } from '../support/follow/process.ts'
import { clockFile, noRealHost, type RealHost, startRealHost } from '../support/realhost.ts'
import { serveWorld } from '../support/served.ts'
import { often, soaking } from '../support/soak.ts'
import { overTcp } from '../support/tcp.ts'
import { until } from '../support/until.ts'
import { openWorld, temporaryFolder } from '../support/world.ts'

type After = Parameters<typeof freshDatabase>[0]

interface Listing {
  filings: { accession: string; listed: string }[]
}

interface State {
  today: string
  days_later: number
}

often('days of the stand-in', { usual: 0, soak: 6 })
const skip = noRealHost || (!soaking && 'days of their real size are for a soak')

async function place(t: After, scenario: object) {
  const { sql } = await freshDatabase(t)
  const host = await startRealHost(t, { user_agent: 'any', ...scenario })
  const client = edgarClient({ baseUrl: host.url, userAgent: null, sleep: async () => {} })
  t.after(() => client.close())
  const now = async () => new Date(Date.now() + (await host.hostState<State>('state')).days_later * 86_400_000)
  return {
    ...{ sql, host, client },
    async known() {
      const rows = await sql<{ accession: string }[]>`select accession from edgar.filing`
      return new Set(rows.map(({ accession }) => accession))
    },
    poll: async () => (await pollCurrent({ sql, catalog: registry, client, now: await now() }))!,
    crawl: async (from: string, to: string) => crawl({ sql, catalog: registry, client, now: await now(), from, to }),
    closeGaps: async () => closeGaps(sql, client.baseUrl, await now()),
  }
}

const lacking = ({ filings }: Listing, known: ReadonlySet<string>) =>
  filings.filter(({ accession }) => !known.has(accession)).map(({ accession }) => accession)

/** Filings that the daily index of a day lists. */
async function listedOn(host: RealHost, day: string): Promise<string[]> {
  const before = Array.from({ length: 6 }, (_, n) =>
    new Date(Date.parse(day) - n * 86_400_000).toISOString().slice(0, 10),
  )
  const all = await Promise.all(before.map((each) => host.hostState<Listing>(`filings?day=${each}&indexed=true`)))
  return all
    .flatMap(({ filings }) => filings.filter(({ listed }) => listed === day).map(({ accession }) => accession))
    .sort()
}

test('a poll at 18:03 of a real day reads the filings of all 51 pages, and the next poll reads one page', {
  skip,
}, async (t) => {
  const { host, poll, known } = await place(t, { feed: { until: '18:03' } })
  const { problems, gap } = await poll()
  assert.deepEqual([problems, gap], [0, null])
  assert.deepEqual(lacking(await host.hostState<Listing>('filings?in=feed'), await known()), [])
  assert.deepEqual(Object.keys((await host.hostState<{ statuses: object }>('counters')).statuses), ['200'])
  assert.equal((await poll()).pages, 1)
})

test('no filing is lost while the feed of a real day grows at a hundred times its real pace', { skip }, async (t) => {
  const { host, poll, known } = await place(t, { feed: { until: '17:00', per_minute: 6_000 } })
  for (let n = 0; n < 3; n++) await poll()
  const listing = await host.hostState<Listing>('filings?in=feed')
  assert.equal((await poll()).gap, null)
  assert.deepEqual(lacking(listing, await known()), [])
})

test('on a day of 7,196 entries, filings that left the feed unread are recorded as a gap, and are loaded the next morning', {
  skip,
}, async (t) => {
  const world = { full: ['2025-12-29'] }
  const { host, sql, poll, crawl, known, closeGaps } = await place(t, { world, today: 8 })
  const { today: day } = await host.hostState<State>('state')
  const from = `${day.slice(0, 4)}-10-01`
  await crawl(from, day)
  assert.ok((await poll()).gap)
  assert.equal((await feedState(sql)).open, 1)
  await host.scenario({ user_agent: 'any', world, today: 9, feed: { until: '00:20' } })
  await crawl(from, (await host.hostState<State>('state')).today)
  assert.equal((await closeGaps()).length, 1)
  const own = await listedOn(host, day)
  const there = await known()
  assert.ok(own.length > 5_000)
  assert.deepEqual(
    own.filter((accession) => !there.has(accession)),
    [],
  )
})

test("last night's whole index removes none of the filings that were dated back into its days", { skip }, async (t) => {
  const { host, sql, poll, crawl, known } = await place(t, { feed: { until: '00:20' } })
  const { today: day } = await host.hostState<State>('state')
  await poll()
  const backdated = await host.hostState<Listing>('filings?in=feed&backdated=true')
  assert.ok(backdated.filings.length >= 40)
  for (let n = 0; n < 2; n++) {
    await crawl(`${day.slice(0, 4)}-10-01`, day)
    assert.deepEqual(lacking(backdated, await known()), [])
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from edgar.tombstone`
    assert.equal(row!.n, 0)
  }
})

test('if the quarterly indexes of two days lack a filing, it gets a tombstone; a changed form is stored, and other filings stay', {
  skip,
}, async (t) => {
  const { host, sql, crawl, known } = await place(t, { index: { through: -1 } })
  const { today: day } = await host.hostState<State>('state')
  const from = `${day.slice(0, 4)}-10-01`
  await crawl(from, day)
  const before = await known()
  const { filings } = await host.hostState<Listing>('filings?day=-2&form=4&limit=3')
  const [gone, changed] = filings.map(({ accession }) => accession) as [string, string]
  const scenario = { removed: [gone], changed: { [changed]: { form: '4/A' } } }
  // The whole index is read again a week after its last reading.
  for (const today of [6, 12]) {
    await host.scenario({ user_agent: 'any', today, index: { through: -1 }, ...scenario })
    await crawl(from, (await host.hostState<State>('state')).today)
  }
  const there = await known()
  assert.deepEqual(
    [...before].filter((accession) => !there.has(accession)),
    [gone],
  )
  const tombstones = await sql<{ accession: string }[]>`select accession from edgar.tombstone`
  assert.deepEqual(
    tombstones.map(({ accession }) => accession),
    [gone],
  )
  const [form] = await sql<{ form_type: string }[]>`select form_type from edgar.filing where accession = ${changed}`
  assert.equal(form!.form_type, '4/A')
})

test('a real day under --follow, with an outage, a throttle, a late index, a restart and two kills, ends with each of its filings once', {
  skip,
}, async (t) => {
  const database = await freshDatabase(t)
  const { sql } = database
  const relay = await overTcp(t, database)
  const archive = path.join(await temporaryFolder(t), 'archive')
  const base = { user_agent: 'any', world: { record: '2025-12-29', full: ['2025-12-29'] } }
  const host = await startRealHost(t, { ...base, feed: { until: '08:00' } })
  const { today: day } = await host.hostState<State>('state')
  const reported = ({ reported: all }: Child, name: string) => all.some(({ event }) => event === name)
  const count = async () =>
    (await sql<{ n: number }[]>`select count(*)::int as n from edgar.filing where filed_date = ${day}`)[0]!.n
  const follow = (env?: Record<string, string>) => child(t, [host.url, relay.target, archive, 'formd'], env)
  const first = follow()
  await until('filings of the morning are known', async () => (await count()) > 100)
  // The feed gets five thousand filings in less than a minute.
  const feed = { until: '08:00', per_minute: 12_000 }
  await host.scenario({ ...base, feed })
  await delay(3_000)
  await host.scenario({ ...base, feed, faults: [{ match: 'browse-edgar', status: 503, page: 'apology', times: 6 }] })
  await until('the outage is reported', () => reported(first, 'turn_failed'))
  await host.scenario({ ...base, feed, faults: [{ match: 'browse-edgar', status: 403, page: 'rate', times: 6 }] })
  await until('the block is reported', () => first.reported.some(({ reason }) => /rate exceeded/.test(String(reason))))
  await host.scenario({ ...base, feed })
  assert.equal(await first.end('SIGKILL'), 'SIGKILL')
  const second = follow()
  await until('the second run follows the feed', () => reported(second, 'following'))
  relay.close()
  relay.reset()
  await until('the loss of the database is reported', () => reported(second, 'database_away'))
  await delay(2_000)
  await relay.listen()
  await until('the return of the database is reported', () => reported(second, 'database_back'))
  await until('filings of the afternoon are known', async () => (await count()) > 3_000)
  assert.equal(await second.end('SIGKILL'), 'SIGKILL')
  await host.scenario({ ...base, today: 1, feed: { until: '00:20' }, index: { late: [-1], through: -2 } })
  const { days_later } = await host.hostState<State>('state')
  const third = follow({ REALHOST_LATER_DAYS: String(days_later), NODE_OPTIONS: `--import ${clockFile}` })
  await until('the third run follows the feed', () => reported(third, 'following'))
  await until('filings of the night are known', () => reported(third, 'current'))
  await host.scenario({ ...base, today: 1, feed: { until: '00:20' }, index: { through: -2 } })
  const wanted = await listedOn(host, day)
  assert.ok(wanted.length > 5_000)
  const known = async () =>
    new Set((await sql<{ accession: string }[]>`select accession from edgar.filing`).map(({ accession }) => accession))
  await until('all filings of the day are known', async () => {
    const there = await known()
    return wanted.every((accession) => there.has(accession))
  })
  await until('no gap is open', async () => (await feedState(sql)).open === 0)
  assert.equal(await third.end('SIGTERM'), 0)
  const served = await serveWorld(t, await openWorld(t, { database }))
  const added = (await eventsOf((at) => served.json(at))).filter((one) => one.startsWith('filings added '))
  const own = new Set(wanted)
  assert.deepEqual(
    added.map((one) => one.slice('filings added '.length)).filter((one) => own.has(one)),
    wanted,
  )
})
