/**
 * The queue and loads of indexes at the same time: neither fails because of the other.
 *
 * @server it holds locks in one session and queries which other sessions wait
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { SpineFiling } from '../../src/archive/submissions.ts'
import { request, retryFailed, takeUpSets } from '../../src/ingest/queue.ts'
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
