/** If the clock of this machine or of the database is set forwards or back, no work stops and no limit disappears. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClientEvent, edgarClient } from '../../src/fetch/client.ts'
import { retryDue } from '../../src/ingest/queue.ts'
import { sharedPace } from '../../src/store/pace.ts'
import { freshDatabase } from '../support/database.ts'
import { serving, text } from '../support/loopback.ts'
import { loadFilings } from '../support/spine-rows.ts'

const HOUR = 3_600_000

test('setting the clock of this machine changes neither the pace nor a pause, and the end of a pause is reported as a time of day', async (t) => {
  const at: number[] = []
  const url = await serving(t, (_, response) => {
    at.push(performance.now())
    if (at.length === 2) response.writeHead(403).end('<title>Request Rate Threshold Exceeded</title>')
    else response.end('fine')
  })
  let jump = 0
  const timeOfDay = () => Date.now() + jump
  const events: ClientEvent[] = []
  const log = (event: ClientEvent) => {
    events.push(event)
    jump = 2 * HOUR
  }
  const client = edgarClient({
    ...{ baseUrl: url, userAgent: null, perSecond: 10, paceLoopback: true, pauseMs: 400 },
    timeOfDay,
    log,
  })
  t.after(() => client.close())
  await client.get('/', text)
  jump = -HOUR
  // If the client used times of day, its turn would be an hour away, and the change of the clock would end the pause.
  assert.equal(await client.get('/', text), 'fine')
  assert.ok(at[2]! - at[1]! >= 390, `${at[2]! - at[1]!}`)
  const [pause] = events as Extract<ClientEvent, { event: 'edgar.pause' }>[]
  assert.ok(Math.abs(pause!.until - (Date.now() - HOUR)) < 60_000)
  assert.ok(Math.abs(client.stats().pausedUntil - timeOfDay()) < 60_000)
  assert.ok(Math.abs(client.stats().aheadMs! + 2 * HOUR) < 60_000)
})

test('if the database’s clock is set back during a pause, a process that has seen the pause does not wait longer', async (t) => {
  const { sql } = await freshDatabase(t)
  let now = 0
  const own = sharedPace(sql, { now: () => now })
  await own.pause(600_000, 'refused')
  const first = (await own.take(110))!.pausedMs
  assert.ok(first > 500_000)
  // By our clock nine minutes have passed, and by the database's clock no time has passed.
  now = 540_000
  assert.ok((await own.take(110))!.pausedMs <= first - 540_000)
  now = 601_000
  assert.equal((await own.take(110))!.pausedMs, 0)
  await sql`update core.pace set paused_at = clock_timestamp(), paused_until = clock_timestamp() + interval '5 minutes'`
  assert.ok((await own.take(110))!.pausedMs > 200_000, 'a second pause is independent of the first')
})

test('if the database’s clock is set back during a pause, a process that starts later waits at most as long as the host demanded', async (t) => {
  const { sql } = await freshDatabase(t)
  const setBack = (by: string) => sql`
    update core.pace set paused_at = paused_at + ${by}::interval, paused_until = paused_until + ${by}::interval`
  const left = async () => (await sharedPace(sql).take(110))!.pausedMs
  await sharedPace(sql).pause(600_000, 'refused')
  await setBack('3 hours')
  assert.ok((await left()) <= 600_000)
  const [row] = await sql<{ ends: boolean }[]>`
    select paused_until <= clock_timestamp() + interval '10 minutes' as ends from core.pace`
  assert.ok(row!.ends, 'the pause continues from the present time of the clock')
  await setBack('2 days')
  assert.ok((await left()) <= 600_000)
  await setBack('3 hours')
  await sharedPace(sql).pause(1_000, 'asked to wait')
  assert.ok((await left()) <= 600_000)
  // An older version did not store when a pause began.
  await sql`update core.pace set paused_at = null, paused_until = clock_timestamp() + interval '5 minutes'`
  assert.ok((await left()) > 200_000)
})

test('a task whose failure has a time in the future is retried', async (t) => {
  const { sql } = await freshDatabase(t)
  const accessionOf = (n: number) => `0000000001-25-00000${n}`
  const filings = [1, 2].map((n) => ({
    accession: accessionOf(n),
    form: 'D',
    filed: '2025-11-03',
    filers: [['1', 'ALPHA CORP']] as [string, string][],
  }))
  await loadFilings(sql, filings)
  await sql`
    insert into edgar.task (accession, dataset, filed_date) select accession, 'formd', filed_date from edgar.filing
    on conflict do nothing`
  await sql`
    update edgar.task set state = 'failed', passing = true, attempts = 5, error = 'x',
      finished_at = now() + case accession when ${accessionOf(1)} then interval '3 hours' else interval '0' end`
  assert.equal(await retryDue(sql, { datasets: ['formd'] }, 60_000), 1)
  const [left] = await sql<{ accession: string }[]>`select accession from edgar.task where state = 'failed'`
  assert.equal(left!.accession, accessionOf(2))
})
