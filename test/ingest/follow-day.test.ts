/**
 * A day under `ingest --follow` with many faults ends with exactly the filings of the day, each once.
 */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import type { Sql } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { filings, startFeed } from '../support/feed-made.ts'
import { accession, daysAgo, type Listed } from '../support/follow/made.ts'
import { child, eventsOf } from '../support/follow/process.ts'
import { randomFor } from '../support/random.ts'
import { serveWorld } from '../support/served.ts'
import { often, soaking } from '../support/soak.ts'
import { overTcp } from '../support/tcp.ts'
import { until } from '../support/until.ts'
import { openWorld, temporaryFolder } from '../support/world.ts'

const FILINGS = often('filings of a day that is followed', { usual: 0, soak: 5_000 })
const skip = !soaking && 'three processes follow a day: ten seconds of the processor are for a soak'

const count = async (sql: Sql, table: string) =>
  (await sql<{ n: number }[]>`select count(*)::int as n from ${sql(table)}`)[0]!.n

test('a day with an outage, a throttle, a late index, a database restart and two kills ends with each of its filings once', {
  skip,
}, async (t) => {
  const database = await freshDatabase(t)
  const sql = database.sql
  const relay = await overTcp(t, database)
  const feed = await startFeed(t)
  const random = randomFor('a day')
  // The index of this day is due, but comes late.
  const day = daysAgo(2)
  const quarter = `${day.slice(0, 4)}/QTR${Math.ceil(Number(day.slice(5, 7)) / 3)}`
  const index = (lists: readonly Listed[]) =>
    [
      '',
      'CIK|Company Name|Form Type|Date Filed|File Name',
      '-'.repeat(80),
      ...lists.map(
        ({ n }) => `1968399|Model Issuer|D|${day.replaceAll('-', '')}|edgar/data/1968399/${accession(n)}.txt`,
      ),
      '',
    ].join('\n')
  // The filings of the day, newest first. The last filing of the day is accepted at 17:20.
  const all = filings(FILINGS, { newest: `${day}T17:20:00-05:00`, seconds: Math.floor(36_000 / FILINGS) }).map(
    (one) => ({ ...one, filed: day }),
  )
  // The feed has fewer entries than arrive while no process follows.
  feed.limit = Math.ceil(FILINGS / 6 / 10) * 10
  const come = (share: number) => {
    feed.entries = all.slice(Math.floor(FILINGS * (1 - share)))
  }
  const archive = path.join(await temporaryFolder(t), 'archive')
  const follow = () => child(t, [feed.url, relay.target, archive, 'formd'])
  const known = () => count(sql, 'edgar.filing')
  const loaded = () => count(sql, 'formd.offering')

  come(0.1)
  const first = follow()
  await until('the first filings are loaded', async () => (await loaded()) >= feed.limit * 0.5)
  feed.isDown = true
  come(0.2)
  await until('the outage is reported', () => first.reported.some(({ event }) => event === 'turn_failed'))
  feed.isDown = false
  await until('further filings are loaded', async () => (await loaded()) > FILINGS * 0.15)
  feed.isBlocked = true
  await until('the block is reported', () => first.reported.some(({ reason }) => /rate exceeded/.test(String(reason))))
  feed.isBlocked = false
  come(0.3)
  // The kill may come at any moment of a load.
  const some = Math.floor(FILINGS * (0.2 + random() * 0.05))
  await until('some filings are known', async () => (await known()) > some)
  assert.equal(await first.end('SIGKILL'), 'SIGKILL')
  come(0.6)
  const second = follow()
  await until('a gap is reported', () => second.reported.some(({ event }) => event === 'gap'))
  relay.close()
  relay.reset()
  come(0.7)
  await until('the loss of the database is reported', () =>
    second.reported.some(({ event }) => event === 'database_away'),
  )
  await relay.listen()
  await until('the return of the database is reported', () =>
    second.reported.some(({ event }) => event === 'database_back'),
  )
  const before = await known()
  come(0.8)
  await until('more filings are known', async () => (await known()) > before)
  assert.equal(await second.end('SIGKILL'), 'SIGKILL')
  const third = follow()
  come(0.9)
  await until('the third run follows the feed', () => third.reported.some(({ event }) => event === 'following'))
  await until('more filings are known', async () => (await known()) > before + FILINGS * 0.1)
  come(1)
  const newest = accession(all[0]!.n)
  await until(
    'the last filing is loaded',
    async () => (await sql`select from formd.offering where accession = ${newest}`).length > 0,
  )
  assert.ok((await known()) < FILINGS, 'some filings were lost')
  const gaps = async () => sql<{ closed_at: string | null }[]>`select closed_at from edgar.feed_gap`
  assert.deepEqual([...new Set((await gaps()).map(({ closed_at }) => closed_at))], [null])
  feed.files.set(`/Archives/edgar/daily-index/${quarter}/master.${day.replaceAll('-', '')}.idx`, index(all))
  await until('all filings are loaded', async () => (await loaded()) === FILINGS)
  await until('the gaps are closed', async () => (await gaps()).every(({ closed_at }) => closed_at !== null))
  assert.equal(await third.end('SIGTERM'), 0)

  const accessions = all.map(({ n }) => accession(n)).sort()
  const spine = await sql<{ accession: string }[]>`select accession from edgar.filing order by 1`
  assert.deepEqual(
    spine.map((row) => row.accession),
    accessions,
  )
  assert.deepEqual([...(await sql`select from edgar.task where state <> 'done'`)], [])
  const world = await openWorld(t, { database })
  const served = await serveWorld(t, world)
  const logged = await eventsOf((at) => served.json(at))
  assert.deepEqual(
    logged,
    ['filings', 'formd'].flatMap((source) => accessions.map((one) => `${source} added ${one}`)).sort(),
  )
})
