/** `ingest --follow` against an EDGAR whose feed has wrong entries, drops entries, breaks off and refuses requests. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { edgarClient } from '../../src/fetch/client.ts'
import { pollCurrent } from '../../src/ingest/feed/current.ts'
import { firstSeen } from '../../src/products/status/answer.ts'
import registry from '../../src/registry.ts'
import { countDelays, delays, noteFollowed } from '../../src/store/delays.ts'
import { Overtaken } from '../../src/store/overtaken.ts'
import { begin, beginHere, emptyEnv, run } from '../support/command.ts'
import { startHost } from '../support/edgar-host.ts'
import { type Following, following } from '../support/follow/following.ts'
import { accession, daysAgo, type Edgar, entry, feedingEdgar, indexLine, page } from '../support/follow/made.ts'
import { serveWorld } from '../support/served.ts'
import { until } from '../support/until.ts'
import { openWorld, type World, writeIndex } from '../support/world.ts'

const ends: (() => Promise<void>)[] = []
const t = { after: (end: () => Promise<void>) => void ends.unshift(end) }
after(async () => {
  for (const end of ends) await end()
})

let edgar: Edgar
let world: World
let first: Following
let atFirst: ReturnType<typeof firstSeen>[]

/** Returns a day with its quarter: `2026/QTR4/20261120`. */
const periodOf = (day: string) =>
  `${day.slice(0, 4)}/QTR${Math.ceil(Number(day.slice(5, 7)) / 3)}/${day.replaceAll('-', '')}`

const isLoaded = async (...some: number[]) => {
  const [row] = await world.sql<{ n: number }[]>`
    select count(*)::int as n from formd.offering where accession = any(${some.map(accession)})`
  return row!.n === some.length
}

const requests = (n: number) => world.host.requests.filter(({ path: at }) => at.endsWith(`${accession(n)}.txt`)).length

before(async () => {
  edgar = await feedingEdgar(t)
  // The index of an earlier day makes the quarter known.
  await writeIndex(edgar.root, periodOf(daysAgo(4)), [indexLine({ n: 900, filed: daysAgo(4) })])
  await edgar.release(900)
  await edgar.release(1)
  await edgar.release(2)
  // A filing of two filers continues on the next page.
  const other = { n: 2, cik: 320193, name: 'Another Filer' }
  await edgar.publish([entry({ n: 1 }), entry({ n: 2 }), entry({ n: 2 }), entry(other)])
  await edgar.release(2, other.cik)
  world = await openWorld(t, { root: edgar.root })
  atFirst = [firstSeen(await delays(world.sql))]
  await noteFollowed(world.sql, daysAgo(0))
  atFirst.push(firstSeen(await delays(world.sql)))
  first = await following(t, world)
})

test('the filings of the feed and of the indexes are loaded, with all filers of a filing that occurs on two pages', async () => {
  await until('three filings are loaded', () => isLoaded(900, 1, 2))
  const [filing] = await world.sql`select filer_count, cik, path from edgar.filing where accession = ${accession(2)}`
  assert.deepEqual(filing, {
    filer_count: 2,
    cik: '0001968399',
    path: `edgar/data/1968399/${accession(2)}.txt`,
  })
})

test('a filing that appears in the feed during following is loaded once, at any position among known filings', async () => {
  await edgar.release(3)
  await edgar.publish([entry({ n: 2 }), entry({ n: 3 }), entry({ n: 1 }), entry({ n: 3 })])
  await until('the filing is loaded', () => isLoaded(3))
  assert.equal(requests(3), 1)
})

test('a filing that is announced before EDGAR serves it is requested again, and not lost', async () => {
  await edgar.publish([entry({ n: 4 }), entry({ n: 3 })])
  await until('the filing is requested twice', () => requests(4) > 1)
  const [task] = await world.sql`select passing from edgar.task where accession = ${accession(4)} and attempts > 0`
  assert.equal(task!.passing, true)
  await edgar.release(4)
  await until('the filing is loaded', () => isLoaded(4))
})

test('an old filing that EDGAR does not have fails permanently', async () => {
  await edgar.publish([entry({ n: 5, filed: daysAgo(4) })])
  const state = async () =>
    (await world.sql`select state, passing from edgar.task where accession = ${accession(5)}`)[0]
  await until('the task has failed', async () => (await state())?.state === 'failed')
  assert.equal((await state())!.passing, false)
})

test('a block by EDGAR ends the poll, and no request is sent before the next poll', async () => {
  const before = first.reported.length
  world.host.setFaults('rate-page')
  await until('the failed turns are reported', () => first.reported.length > before + 1)
  world.host.setFaults('')
  const failed = first.reported.slice(before).filter(({ event }) => event === 'turn_failed')
  // A failed turn has at most two refused requests. The pause after each failed turn grows: about 30, 60 and 120 ms by
  // the clock of the test.
  const refusals = world.host.requests.filter(({ faults }) => faults.includes('rate-page')).length
  assert.ok(refusals <= 2 * failed.length, `${refusals} requests in ${failed.length} turns`)
})

test('a page that arrives byte by byte causes a time-out', async (t) => {
  const host = await startHost({ root: edgar.root, faults: 'drip:ms=20,path=getcurrent' })
  t.after(() => host.close())
  const client = edgarClient({ baseUrl: host.url, userAgent: null, attempts: 1 })
  const began = performance.now()
  const polled = pollCurrent({ sql: world.sql, catalog: registry, client, now: new Date(), pageMs: 300 })
  await assert.rejects(polled, { name: 'EdgarError', kind: 'timeout' })
  assert.ok(performance.now() - began < 5_000)
})

let n = 10
for (const fault of ['unavailable', 'rate-page', 'too-many', 'reset', 'cut', 'cut-gzip', 'stall', 'access-denied']) {
  test(`after ${fault} on the feed the follower continues, and the next filing is loaded`, async () => {
    const earlier = first.reported.length
    n++
    await edgar.release(n)
    world.host.setFaults(`${fault}:path=getcurrent`)
    await edgar.publish([entry({ n })])
    await until('the failure is reported', () =>
      first.reported.slice(earlier).some(({ event }) => event === 'turn_failed'),
    )
    assert.equal(await isLoaded(n), false)
    world.host.setFaults('')
    await until('the filing is loaded', () => isLoaded(n))
  })
}

const strange = {
  'that is no XML': ['<feed><entry>', /line 1/],
  'that is no feed': ['<html><body>Down for maintenance</body></html>', /<html> is not a feed/],
  'of which no entry can be read': [
    page([entry({ n: 34 }).replaceAll('Filed:', 'Day:')]),
    /none of the feed.s entries can be read/,
  ],
} as const
for (const [at, [what, [text, reason]]] of Object.entries(strange).entries()) {
  test(`a page ${what} makes the turn fail, which \`status\` reports until a turn succeeds, and the next page is read`, async () => {
    await edgar.release(30 + at)
    const earlier = first.reported.length
    await edgar.publishText(text)
    await until('the failure is reported with its reason', () =>
      first.reported.slice(earlier).some((one) => one.event === 'turn_failed' && reason.test(String(one.reason))),
    )
    const { followed_at, failing } = first.summary
    assert.match(failing!.reason, reason)
    assert.ok(failing!.since > followed_at!)
    await edgar.publish([entry({ n: 30 + at })])
    await until('the filing is loaded', () => isLoaded(30 + at))
    await until('a turn succeeds', () => first.summary.failing === undefined)
    assert.ok(first.summary.followed_at! > followed_at!)
  })
}

test('an entry that cannot be read is reported once and stored, and the others are loaded', async () => {
  await edgar.release(33)
  const earlier = first.reported.length
  await edgar.publish([entry({ n: 35 }).replace('Filed:', 'Fixed:'), entry({ n: 33 })])
  await until('the other filing is loaded', () => isLoaded(33))
  const news = () => first.reported.slice(earlier).filter(({ event }) => event === 'unread_entries')
  await until('the missing filing is reported', () => news().length > 0)
  const before = world.host.requests.length
  await until('the feed is polled again', () => world.host.requests.length > before + 4)
  assert.equal(news().length, 1)
  const [row] = await world.sql`select reason from edgar.index_problem where index_url like '%getcurrent'`
  assert.match(row!.reason, /no filing date/)
})

test('filings that the feed dropped are loaded from the daily index, which changes no facts from the feed', async () => {
  await edgar.publish([entry({ n: 33 })])
  await edgar.release(40)
  await edgar.release(41)
  const filed = daysAgo(3)
  await edgar.publish([entry({ n: 41, filed })])
  await until('the filing that the feed kept is loaded', () => isLoaded(41))
  await writeIndex(edgar.root, periodOf(filed), [indexLine({ n: 40, filed }), indexLine({ n: 41, filed })])
  await until('the filing that the feed dropped is loaded', () => isLoaded(40, 41))
  const index = first.reported.findLast(({ event, added }) => event === 'index' && added === 1)
  assert.deepEqual([index?.filings, index?.changed, index?.removed], [2, 0, 0])
  assert.equal(requests(41), 1)
})

test('an index that fails in every poll is retried and reported less and less often, and the feed is read as often as before', async () => {
  const earlier = first.reported.length
  const begun = world.host.requests.length
  world.host.setFaults('unavailable:path=-index/')
  const failed = () =>
    first.reported.slice(earlier).filter(({ event, part }) => event === 'turn_failed' && part === 'the indexes')
  const polls = () => world.host.requests.slice(begun).filter(({ path: at }) => at.includes('getcurrent')).length
  await until(
    'the indexes failed twice, and the feed was polled twenty times',
    () => failed().length > 1 && polls() >= 20,
  )
  assert.ok(failed().length <= 10, `${failed().length} times`)
  await edgar.release(60)
  await edgar.publish([entry({ n: 60 })])
  await until('the filing is loaded', () => isLoaded(60))
  const { followed_at, failing } = first.summary
  assert.match(failing!.reason, /^the indexes: .* answered 503$/)
  assert.ok(followed_at! < failing!.since)
  world.host.setFaults('')
  await until('a turn succeeds', () => first.summary.failing === undefined)
})

test('two followers share the work: each filing is fetched once', async () => {
  const second = await following(t, world)
  const some = Array.from({ length: 30 }, (_, at) => 100 + at)
  for (const one of some) await edgar.release(one)
  await edgar.publish(some.map((one) => entry({ n: one })))
  await until('all filings are loaded', () => isLoaded(...some))
  assert.deepEqual(
    some.map(requests),
    some.map(() => 1),
  )
  await second.stop()
})

test('the delay count in /status is null before any following, zero on a day without new filings, and otherwise the number of new filings', async () => {
  assert.deepEqual(
    atFirst.map(({ followed_day_count, delays }) => [
      followed_day_count,
      ...delays.map(({ filing_count }) => filing_count),
    ]),
    [
      [0, null, null, null, null, null, null, null],
      [1, 0, 0, 0, 0, 0, 0, 0],
    ],
  )
  const served = await serveWorld(t, world)
  const {
    day_count,
    followed_day_count,
    delays: seen,
  } = await served.json<{ day_count: number } & (typeof atFirst)[number]>('/status')
  assert.deepEqual([day_count, followed_day_count], [14, 1])
  const [row] = await world.sql<{ n: number }[]>`select sum(filings)::int as n from edgar.delay`
  assert.equal(
    seen.reduce((sum, { filing_count }) => sum + filing_count!, 0),
    row!.n,
  )
  assert.equal((await served.get(`/formd/filings/by-accession/${accession(1)}`)).status, 200)
})

test('new filings are counted by the delay between acceptance and first sight, which is unknown for filings that no feed announced', async () => {
  const counted = async () => (await delays(world.sql))[0]?.filings
  const before = await counted()
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString().replace(/\.\d+/, '')
  const ages = [5, 100, 600, 3_000, 80_000, 90_000, -20, -7_200]
  await edgar.publish([
    ...ages.map((seconds, at) => entry({ n: 200 + at, updated: ago(seconds) })),
    entry({ n: 300, updated: 'soon' }),
  ])
  await until('the filings are known', async () => {
    const rows =
      await world.sql`select from edgar.filing where accession between ${accession(200)} and ${accession(300)}`
    return rows.length === ages.length + 1
  })
  const now = await counted()
  const earlier: Record<string, number> = before!
  const more = Object.entries(now!).map(([word, filings]) => [word, filings - earlier[word]!])
  assert.deepEqual(Object.fromEntries(more), {
    '1 minute': 2,
    '5 minutes': 1,
    '15 minutes': 1,
    '1 hour': 1,
    '1 day': 1,
    more: 1,
    'not known': 2,
  })
})

test('filings from recent daily indexes are counted with an unknown delay, and a backlog is not counted', async () => {
  const [row] = await world.sql<{ n: number }[]>`select sum(filings)::int as n from edgar.delay`
  const [spine] = await world.sql<{ n: number }[]>`select count(*)::int as n from edgar.filing`
  assert.equal(row!.n, spine!.n)
  const added = { accession: accession(900), at: daysAgo(30) }
  await world.sql.begin(async (tx) => {
    await tx`create temporary table added on commit drop as select ${added.accession}::text as accession`
    await countDelays(tx, { accepted: null, through: added.at })
  })
  const [after] = await world.sql<{ n: number }[]>`select sum(filings)::int as n from edgar.delay`
  assert.equal(after!.n, row!.n)
})

test('a poll that finds nothing new writes nothing', async () => {
  const changes = async () => (await world.sql`select max(seq) as seq, count(*) as n from core.event`)[0]
  const before = await changes()
  const polls = () => world.host.requests.filter(({ path: at }) => at.includes('getcurrent')).length
  const first = polls()
  await until('the feed is polled five more times', () => polls() > first + 5)
  assert.deepEqual(await changes(), before)
})

test('the results of earlier polls stay reported during a poll', async () => {
  const { read } = first.summary.filings!
  assert.ok(read > 15)
  const stalls = world.host.requests.length
  world.host.setFaults('stall:path=getcurrent')
  await until('the run waits for the feed', () =>
    world.host.requests.slice(stalls).some(({ faults }) => faults.includes('stall')),
  )
  assert.equal(first.summary.filings?.read, read)
  world.host.setFaults('')
})

test('the follower sums up the results of its polls, and ends at once on request', async () => {
  assert.ok((await first.stop()) < 2_000)
  const { filings, indexes } = first.summary
  assert.ok(filings!.read > 15 && filings!.by.formd!.read === filings!.read, JSON.stringify(filings))
  assert.equal(indexes!.read, 2)
  assert.equal(filings!.pending, 0)
  assert.ok(filings!.by.formd!.read_at! <= new Date().toISOString())
})

test('if another process upgrades the database or rebuilds tables with another definition, the follower ends, says what to do, and writes nothing more', async () => {
  const { sql } = world
  const changes = [
    {
      n: 160,
      change: sql`insert into core.migration (name) values ('999_later.sql')`,
      back: sql`delete from core.migration where name = '999_later.sql'`,
      words: /brought the database to .* \(999_later\) while this process ran: start it again with that version/,
    },
    {
      n: 161,
      change: sql`update core.dataset set ddl_hash = 'other' where slug = 'formd'`,
      back: sql`select`,
      words: /another process has rebuilt the tables of formd in another version .*: start this command again/,
    },
  ]
  for (const { n, change, back, words } of changes) {
    const own = await following(t, world)
    const turns = world.host.requests.length
    await until('a turn is over', () => world.host.requests.length > turns + 3)
    await change
    await edgar.release(n)
    await edgar.publish([entry({ n })])
    await assert.rejects(own.ended, (error) => error instanceof Overtaken && words.test(error.message))
    assert.equal(await isLoaded(n), false)
    await back
  }
})

test('a follower that is killed and restarted loads every filing, and SIGTERM ends it between two filings', async (t) => {
  const own = await feedingEdgar(t)
  const some = Array.from({ length: 12 }, (_, at) => at + 1)
  for (const one of some) await own.release(one)
  await own.publish(some.map((one) => entry({ n: one })))
  const host = await startHost({ root: own.root, faults: 'slow:ms=60,path=/data/' })
  t.after(() => host.close())
  const env = { ...(await emptyEnv(t)), FOLLOW_SECONDS: '1' }
  const args = ['ingest', 'formd', '--follow', '--from', daysAgo(2), '--json', '--base-url', host.url]
  const killed = begin(t, args, env)
  await until(
    'three filings are requested',
    () => host.requests.filter(({ path: at }) => at.includes('/data/')).length > 2,
  )
  assert.equal(await killed.end('SIGKILL'), 'SIGKILL')
  const again = beginHere(t, args, env)
  const tasks = async () =>
    JSON.parse((await run(['status', '--json'], env)).stdout).tasks.filter(({ read }: { read: number }) => read > 0)
  await until('all are loaded', () => host.requests.filter(({ path: at }) => at.includes('getcurrent')).length > 5)
  assert.equal(await again.end(), 143)
  assert.deepEqual(await tasks(), [{ dataset: 'formd', read: 12, of_sets: 0, pending: 0, failed: 0 }])
})

test('--follow refuses a limited range of days, and sources that are not filings', async () => {
  for (const [args, reason] of [
    [['ingest', '--follow', '--to', '2026-01-01'], /--to cannot be used with --follow/],
    [['ingest', 'adv', '--follow'], /--follow can be used only with filings/],
  ] as const) {
    const { status, stderr } = await run([...args], {})
    assert.equal(status, 1)
    assert.match(stderr, reason)
  }
})
