/**
 * The queue and loads of indexes at the same time: neither fails because of the other.
 *
 * @server it holds locks in one session and queries which other sessions wait
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { SpineFiling } from '../../src/archive/submissions.ts'
import { holdIndex } from '../../src/ingest/order.ts'
import { request, retryDue, retryFailed, retryPassing, takeUpSets } from '../../src/ingest/queue.ts'
import { loadIndex } from '../../src/ingest/spine.ts'
import { readIndex } from '../../src/read/master-index.ts'
import registry from '../../src/registry.ts'
import type { Sql, Transaction } from '../../src/store/db.ts'
import { reusedDatabase } from '../support/reused.ts'
import { openIndexedWorld } from '../support/sampled.ts'
import { until } from '../support/until.ts'

const documents = registry.filings.find(({ slug }) => slug === 'documents')!
const database = await reusedDatabase({ after })

const DAY_MS = 86_400_000
const BEGUN = Date.now()
const NUMBERS = Array.from({ length: 12 }, (_, n) => n)
const accession = (n: number) => `0000000111-26-0000${10 + n}`
const line = (n: number, { form = '8-K', day = '2026-08-03' } = {}) =>
  `111|Alpha Inc|${form}|${day}|edgar/data/111/${accession(n)}.txt`

/** Loads the index of a quarter, which was made `made` days after the first load and read an hour later. */
function load(
  sql: Sql,
  lines: readonly string[],
  made: number,
  note: (tx: Transaction) => Promise<void> = async () => {},
) {
  const at = (days: number) => new Date(BEGUN + days * DAY_MS)
  const source = '/Archives/edgar/full-index/2026/QTR3/master.idx'
  const text = ['Last Data Received: September 30, 2026', '-'.repeat(80), ...lines, ''].join('\n')
  async function* bytes() {
    yield Buffer.from(text)
  }
  return loadIndex(sql, registry, {
    ...{ url: `https://host.example${source}`, host: 'https://host.example', source, reader: readIndex(bytes()), note },
    ...{ through: '2026-09-30', wholeFrom: '2026-07-01', modifiedAt: at(made).toISOString(), now: at(made + 1 / 24) },
  })
}

/** Texts of the statements that wait for a lock. */
const waiting = async (sql: Sql) =>
  (
    await sql<{ query: string }[]>`
      select query from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
  ).map(({ query }) => query)

test('a request for tasks while an index removes a filing does not fail, and gives the tasks of the filings that stay', async () => {
  const { sql } = await database.emptied()
  await load(
    sql,
    NUMBERS.map((n) => line(n)),
    -1,
  )
  const others = NUMBERS.slice(1).map((n) => line(n))
  await load(sql, others, 2)
  let requesting: Promise<number> | undefined
  const { removed } = await load(sql, others, 4, async () => {
    requesting = request(sql, documents, { from: '2026-01-01' })
    requesting.catch(() => {})
    await until('the request waits for the index', async () => (await waiting(sql)).length > 0)
  })
  assert.equal(removed, 1)
  assert.equal(await requesting, NUMBERS.length - 1)
})

for (const [what, state, takeUp] of [
  ['failed tasks', 'failed', (sql: Sql) => retryFailed(sql, { datasets: ['eightk'] })],
  ['filings of sets', 'set', (sql: Sql) => takeUpSets(sql, { datasets: ['eightk'] })],
] as const) {
  test(`${what} can be taken up, without a deadlock, while an index corrects and removes filings`, async () => {
    const { sql } = await database.emptied()
    await load(
      sql,
      NUMBERS.map((n) => line(n)),
      -1,
    )
    // The index removes the first filing, and corrects the others before it does that.
    const corrected = NUMBERS.slice(1).map((n) => line(n, { day: '2026-08-04' }))
    await load(sql, [...NUMBERS.slice(1).map((n) => line(n))], 2)
    await sql`update edgar.task set state = ${state} where accession <> ${accession(6)}`
    const worker = await sql.reserve()
    await worker`begin`
    await worker`select from edgar.task where accession = ${accession(6)} for update`
    const loading = load(sql, corrected, 4)
    await until('the index waits for the worker', async () => (await waiting(sql)).length > 0)
    const taking = takeUp(sql)
    taking.catch(() => {})
    await until('the tasks wait too', async () => (await waiting(sql)).length > 1)
    await worker`commit`
    worker.release()
    const { changed, removed } = await loading
    await taking
    assert.deepEqual([changed, removed], [NUMBERS.length - 1, 1])
    const states = await sql<{ state: string }[]>`select distinct state from edgar.task`
    assert.deepEqual(
      states.map((row) => row.state),
      ['pending'],
    )
  })
}

test('two batches that record the same submissions in opposite orders do not wait for each other forever', async (t) => {
  const { sql, submissions } = await openIndexedWorld(t)
  const filings = await sql<SpineFiling[]>`
    select accession, form_type, filed_date, path from edgar.filing where form_type = 'D' order by accession limit 2`
  const obtained = await Promise.all(
    filings.map(async (filing) => ({ filing, submission: await submissions.obtain(filing) })),
  )
  const [first, second] = [obtained.slice(0, 1), obtained.slice(1)]
  let other: Promise<unknown> | undefined
  await sql.begin(async (tx) => {
    await submissions.record(tx, first)
    other = sql.begin((own) => submissions.record(own, obtained.toReversed()))
    other.catch(() => {})
    await until('the other batch waits', async () => (await waiting(sql)).length > 0)
    await submissions.record(tx, second)
  })
  await other
  const [count] = await sql`select count(*)::int as n from edgar.submission`
  assert.equal(count!.n, 2)
})

const EIGHTK = { datasets: ['eightk'] }

for (const [what, state, act] of [
  ['a request for tasks', 'pending', (sql, signal) => request(sql, documents, {}, signal)],
  ['taking up failed tasks', 'failed', (sql, signal) => retryFailed(sql, EIGHTK, signal)],
  ['taking up tasks that failed for a while', 'failed', (sql, signal) => retryPassing(sql, EIGHTK, signal)],
  ['taking up tasks that are due', 'failed', (sql, signal) => retryDue(sql, EIGHTK, 1, signal)],
  ['taking up filings of sets', 'set', (sql, signal) => takeUpSets(sql, EIGHTK, signal)],
] as const satisfies [string, string, (sql: Sql, signal: AbortSignal) => Promise<unknown>][]) {
  test(`a stop ends the wait of ${what} for an index at once, and changes no task`, async () => {
    const { sql } = await database.emptied()
    await load(
      sql,
      NUMBERS.map((n) => line(n)),
      -1,
    )
    await sql`update edgar.task set state = ${state}, passing = true, attempts = 1, finished_at = now() - interval '1 day'`
    const states = () => sql`select accession, dataset, state from edgar.task order by 1, 2`
    const before = await states()
    await assertStopped(sql, (signal) => act(sql, signal))
    assert.deepEqual(await states(), before)
  })
}

test('a stop ends the wait of an ingest for an index at once', async (t) => {
  const world = await openIndexedWorld(t)
  await world.sql`update edgar.task set state = 'failed', passing = true`
  await assertStopped(world.sql, (signal) => world.drain({ signal }))
})

/** Lets the work wait for the lock of indexes, and asserts that a stop ends it while the lock is still held. */
async function assertStopped(sql: Sql, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = sql.begin(async (tx) => {
    await holdIndex(tx)
    held.resolve()
    await release.promise
  })
  const stop = new AbortController()
  const reason = new Error('stopped')
  let ended: unknown
  try {
    await Promise.race([held.promise, holding])
    const working = work(stop.signal).catch((error) => {
      ended = error
    })
    await until('the work waits', async () => (await waiting(sql)).length > 0)
    stop.abort(reason)
    await until('the work has ended', () => ended !== undefined)
    await working
  } finally {
    release.resolve()
    await holding
  }
  assert.equal(ended, reason)
}

/** Opens a world with four pending filings. The database refuses the submission of the first of them. */
async function openRefusing(t: Parameters<typeof openIndexedWorld>[0]) {
  const world = await openIndexedWorld(t)
  const { sql } = world
  const filings = await sql<SpineFiling[]>`
    select accession, form_type, filed_date, path from edgar.filing where form_type = 'D' order by accession limit 4`
  await sql`update edgar.task set state = 'done' where accession <> all(${filings.map(({ accession }) => accession)})`
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as 'begin raise exception using errcode = ''22000''; end';
    create trigger refuses before insert on edgar.submission for each row
      when (new.accession = '${filings[0]!.accession}') execute function refuse()`)
  return { world, sql, submissions: world.submissions, filings }
}

test('a batch with a refused submission still locks submissions in the order of other batches', async (t) => {
  const { world, sql, submissions, filings } = await openRefusing(t)
  // The batch reads the filings in the opposite order.
  await sql`update edgar.task set filed_date = '2026-01-01' where state = 'pending'`
  const [second, third] = await Promise.all(
    filings.slice(1, 3).map(async (filing) => [{ filing, submission: await submissions.obtain(filing) }]),
  )
  let draining: ReturnType<typeof world.drain> | undefined
  await sql.begin(async (tx) => {
    await submissions.record(tx, second!)
    draining = world.drain({ datasets: ['formd'], workers: 1 })
    draining.catch(() => {})
    await until('the batch waits', async () => (await waiting(sql)).length > 0)
    await submissions.record(tx, third!)
  })
  assert.deepEqual(await draining, { done: 3, failed: 1, unread: 0 })
})

test('a batch that is recorded in parts and a whole batch meet no deadlock if both have archived and new submissions', async (t) => {
  const { world, sql, submissions, filings } = await openRefusing(t)
  const [second, third] = await Promise.all(
    filings.slice(1, 3).map(async (filing) => ({ filing, submission: await submissions.obtain(filing) })),
  )
  await sql.begin((tx) => submissions.record(tx, [second!]))
  let draining: ReturnType<typeof world.drain> | undefined
  let whole: Promise<unknown> | undefined
  // Both batches wait for a row that one of them has locked before: the order of their further locks then counts.
  await sql.begin(async (tx) => {
    await tx`select from edgar.submission where accession = ${second!.filing.accession} for update`
    draining = world.drain({ datasets: ['formd'], workers: 1 })
    draining.catch(() => {})
    await until('the batch waits', async () => (await waiting(sql)).length > 0)
    whole = sql.begin((other) => submissions.record(other, [second!, third!]))
    whole.catch(() => {})
    await until('both wait', async () => (await waiting(sql)).length > 1)
  })
  await Promise.all([draining, whole])
})
