import assert from 'node:assert/strict'
import { cp, readFile, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, it, test } from 'node:test'
import { filingTable } from '../../src/declare/dataset.ts'
import { edgarClient } from '../../src/fetch/client.ts'
import { crawl } from '../../src/ingest/crawl.ts'
import { retryFailed } from '../../src/ingest/queue.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import registry from '../../src/registry.ts'
import { startHost } from '../support/edgar-host.ts'
import { everyRow, openWorld, sample, temporaryFolder, type World, writeIndex } from '../support/world.ts'

const formd = registry.filings.find(({ slug }) => slug === 'formd')!

/** A quarter of the sample with four filings, all on Form D, which suffices for tests of one filing. */
const QUARTER = { from: '2009-01-01', to: '2009-03-31' }

describe('the whole sample, from a host that cuts each third answer short and refuses each fifth request for a while,', () => {
  const later: (() => Promise<unknown>)[] = []
  let world: World
  before(async () => {
    world = await openWorld({ after: (fn) => void later.unshift(fn) })
    world.host.setFaults('cut:every=3 unavailable:every=5')
  })
  after(async () => {
    for (const fn of later) await fn()
  })

  it('is ingested without a failure or an unread leaf, because faults of the host cost retries and no filings', async () => {
    const indexes = await world.crawl()
    assert.ok(indexes.length > 0 && indexes.every((index) => index.problems === 0))
    const { done, failed, unread } = await world.drain()
    assert.ok(done > 0)
    assert.deepEqual({ failed, unread }, { failed: 0, unread: 0 })
    assert.ok(world.host.requests.some(({ faults }) => faults.length > 0))
    for (const dataset of registry.filings.filter(({ family }) => family)) {
      const { slug } = dataset
      const [count] = await world.sql`
      select (select count(*) from ${world.sql(filingTable(dataset).id)})::int as rows,
        (select sum(extracted) from edgar.coverage where family = ${slug})::int as extracted`
      assert.equal(count!.rows, count!.extracted, slug)
      assert.ok(count!.rows > 0, slug)
    }
  })

  it('has the same rows after a second reading', async () => {
    world.host.setFaults('')
    const once = await everyRow(world.sql)
    const requests = world.host.requests.length
    await world.crawl({ again: true })
    assert.deepEqual(await world.drain(), { done: 0, failed: 0, unread: 0 })
    await world.sql`update edgar.task set state = 'pending'`
    await world.sql`update edgar.coverage set extracted = 0`
    await world.drain({ workers: 4 })
    assert.deepEqual(await everyRow(world.sql), once)
    const submissions = world.host.requests.slice(requests).filter(({ path }) => path.includes('/data/'))
    assert.deepEqual(submissions, [], 'a submission in the archive was fetched again')
  })
})

test('a bad filing fails alone, the error names document and reason, and the filing can be retried', async (t) => {
  const root = await copyOfQuarter(t)
  const [good, broken] = await submissionFiles(root)
  const text = await readFile(broken!, 'utf8')
  await writeFile(broken!, text.replace('<primaryIssuer>', '<primaryIssuer><oops>'))
  const world = await openWorld(t, { root })
  await world.crawl(QUARTER)
  const first = await world.drain()
  assert.equal(first.failed, 1)
  const [task] = await world.sql`select accession, error from edgar.task where state = 'failed'`
  assert.equal(task!.accession, accessionOf(broken!))
  assert.match(task!.error, /primary_doc\.xml: line \d+, column \d+ .*\/edgarSubmission\/primaryIssuer/)
  const [row] = await world.sql`select 1 from formd.offering where accession = ${accessionOf(good!)}`
  assert.ok(row, 'the other filings are loaded')
  // The archive holds the bytes that EDGAR served, so the filing can be read only after a new copy was fetched.
  await writeFile(broken!, text)
  await world.sql`delete from edgar.submission where accession = ${accessionOf(broken!)}`
  assert.equal(await retryFailed(world.sql, { datasets: ['formd'] }), 1)
  assert.deepEqual(await world.drain(), { done: 1, failed: 0, unread: 0 })
})

test('a submission that EDGAR serves truncated is archived with a note, fails at the truncated document, and is fetched again by a retry', async (t) => {
  const root = await copyOfQuarter(t)
  const [file] = await submissionFiles(root)
  const whole = await readFile(file!)
  const accession = accessionOf(file!)
  await truncate(file!, Math.floor(whole.length * 0.7))
  const world = await openWorld(t, { root })
  await world.crawl(QUARTER)
  assert.equal((await world.drain()).failed, 1)
  const task = async () =>
    (await world.sql`select state, error, passing from edgar.task where accession = ${accession}`)[0]
  const cutOff = new RegExp(
    `primary_doc.xml: the submission is cut off in document 1, at byte ${Math.floor(whole.length * 0.7)}$`,
  )
  assert.match((await task())!.error, cutOff)
  assert.equal(
    (await task())!.passing,
    false,
    'EDGAR itself serves the cut-off file, so requests for it would never end',
  )
  const [stored] = await world.sql`select header, documents from edgar.submission where accession = ${accession}`
  assert.equal(stored!.documents[0].cutOff, true)
  assert.match(stored!.header.problems[0], /cut off in document 1/)
  const requests = () => world.host.requests.filter(({ path: at }) => at.includes(accession)).length
  assert.equal(requests(), 1)
  await writeFile(file!, whole)
  assert.deepEqual(await world.drain(), { done: 0, failed: 0, unread: 0 })
  await retryFailed(world.sql, { datasets: ['formd'] })
  assert.equal((await world.drain()).done, 1)
  assert.equal(requests(), 2)
})

test('an interrupted download is not taken for a truncated file: it is retried at once and by the next run', async (t) => {
  const root = await copyOfQuarter(t)
  const [file] = await submissionFiles(root)
  const accession = accessionOf(file!)
  const world = await openWorld(t, { root })
  await world.crawl(QUARTER)
  world.host.setFaults(`cut:path=${accession}`)
  assert.equal((await world.drain()).failed, 1)
  const [task] = await world.sql`select error, passing from edgar.task where accession = ${accession}`
  assert.match(task!.error, /broke off after/)
  assert.equal(task!.passing, true)
  assert.equal((await world.sql`select 1 from edgar.submission where accession = ${accession}`).length, 0)
  world.host.setFaults('')
  assert.deepEqual(await world.drain(), { done: 1, failed: 0, unread: 0 })
})

test('a document of another form fails its task and gives no rows', async (t) => {
  const root = await copyOfQuarter(t)
  const [file] = await submissionFiles(root)
  const text = await readFile(file!, 'utf8')
  await writeFile(
    file!,
    text.replace(/<edgarSubmission[\s\S]*<\/edgarSubmission>/, '<informationTable><x>1</x></informationTable>'),
  )
  const world = await openWorld(t, { root })
  await world.crawl(QUARTER)
  assert.equal((await world.drain()).failed, 1)
  const [task] = await world.sql`select error from edgar.task where accession = ${accessionOf(file!)}`
  assert.match(task!.error, /informationTable/)
})

test('a corrupt archive entry is reported by name, moved to another folder, and fetched again on retry', async (t) => {
  const world = await openWorld(t)
  await world.crawl(QUARTER)
  await world.drain()
  const [stored] = await world.sql`
    select s.accession, s.sha256 from edgar.submission s join formd.offering using (accession) limit 1`
  const file = path.join(world.archive, stored!.sha256.slice(0, 2), `${stored!.sha256}.zst`)
  await writeFile(file, 'garbage')
  await world.sql`update edgar.task set state = 'pending' where accession = ${stored!.accession}`
  assert.equal((await world.drain()).failed, 1)
  const [task] = await world.sql`select error from edgar.task where accession = ${stored!.accession}`
  assert.match(task!.error, new RegExp(stored!.sha256))
  await world.sql`update edgar.task set state = 'pending' where accession = ${stored!.accession}`
  assert.equal((await world.drain()).done, 1)
})

test('if EDGAR refuses all requests, the run ends and every task stays pending', async (t) => {
  const world = await openWorld(t)
  await world.crawl(QUARTER)
  world.host.setFaults('rate-page')
  await assert.rejects(world.drain(), { kind: 'throttled' })
  const states = await world.sql`select distinct state from edgar.task`
  assert.deepEqual([...states], [{ state: 'pending' }])
})

test('parallel workers read each filing once', async (t) => {
  const world = await openWorld(t)
  await world.crawl({ from: '2025-01-01' })
  const results = await Promise.all([world.drain({ workers: 3 }), world.drain({ workers: 3 })])
  const [count] = await world.sql`select count(*)::int as n, max(attempts) as attempts from edgar.task`
  assert.equal(results[0]!.done + results[1]!.done, count!.n)
  assert.equal(count!.attempts, 1)
})

test('a worker uses one connection, because it looks up filings in its own transaction', async (t) => {
  const world = await openWorld(t)
  await world.crawl(QUARTER)
  const { done } = await world.drain({ datasets: ['formd'], workers: 2 })
  assert.equal(done, 4)
  const open = await world.sql`select from pg_stat_activity where datname = current_database()`
  assert.ok(open.length <= 2, `${open.length} connections`)
})

test('a daily index with duplicate lines and co-filers adds each filing that the quarterly index lacked, once', async (t) => {
  const root = await temporaryFolder(t)
  const line = (cik: number, name: string, form: string, date: string, n: number) =>
    `${cik}|${name}|${form}|${date}|edgar/data/${cik}/0000000${cik}-26-00000${n}.txt`
  await writeIndex(root, '2026/QTR4', [line(111, 'Alpha Inc', '10-Q', '2026-11-02', 1)], {
    lastReceived: 'November 17, 2026',
  })
  const shared = 'edgar/data/111/0000000111-26-000002.txt'
  await writeIndex(root, '2026/QTR4/20261118', [
    `111|Alpha Inc|4|20261118|${shared}`,
    `222|Beta Person|4|20261118|${shared}`,
    `222|Beta Person|4|20261118|${shared}`,
  ])
  const world = await openWorld(t, { root })
  const results = await world.crawl({ from: '2026-11-01', to: '2026-11-20' })
  assert.deepEqual(
    results.map(({ added }) => added),
    [1, 1],
  )
  const filers = await world.sql`select cik from edgar.filer where accession = '0000000111-26-000002' order by cik`
  assert.deepEqual(
    filers.map(({ cik }) => cik),
    ['0000000111', '0000000222'],
  )
  const dailies = world.host.requests.filter(({ path }) => path.includes('daily-index'))
  assert.deepEqual(
    dailies.map(({ status }) => status),
    [200, 403, 403],
    'a missing daily index is not an error',
  )
  assert.deepEqual(await world.crawl({ from: '2026-11-01', to: '2026-11-20' }), [], 'no index is read twice')
})

test('an index whose header has a day after its quarter removes no filings of later quarters', async (t) => {
  const root = await temporaryFolder(t)
  const line = (day: string, n: number) => `111|Alpha Inc|D|${day}|edgar/data/111/0000000111-26-00001${n}.txt`
  await writeIndex(root, '2026/QTR1', [line('2026-02-01', 1)], { lastReceived: 'June 30, 2026' })
  await writeIndex(root, '2026/QTR2', [line('2026-05-01', 2)], { lastReceived: 'June 30, 2026' })
  const world = await openWorld(t, { root })
  for (const again of [false, true]) {
    const results = await world.crawl({ from: '2026-01-01', to: '2026-06-30', again })
    assert.deepEqual(
      results.map(({ removed }) => removed),
      [0, 0],
    )
  }
})

test('a bad index line is stored with its reason, the other lines are loaded, and the watermark does not advance', async (t) => {
  const root = await temporaryFolder(t)
  const good = '111|Alpha Inc|D|2026-08-01|edgar/data/111/0000000111-26-000010.txt'
  await writeIndex(root, '2026/QTR3', [good, '222|Beta|D|yesterday|edgar/data/222/0000000222-26-000010.txt'])
  const world = await openWorld(t, { root })
  const [result] = await world.crawl({ from: '2026-07-01', to: '2026-09-30' })
  assert.equal(result!.problems, 1)
  const [problem] = await world.sql`select line, reason from edgar.index_problem`
  assert.match(problem!.reason, /yesterday/)
  assert.equal((await world.sql`select 1 from edgar.filing`).length, 1)
  assert.equal((await world.sql`select 1 from edgar.watermark`).length, 0)
})

test('if an index corrects the date or form of a filing, the filing is parsed again', async (t) => {
  const world = await openWorld(t)
  await world.crawl(QUARTER)
  await world.drain()
  const [before] =
    await world.sql`select accession, filed_date, path, cik, company_name from edgar.filing where form_type = 'D' limit 1`
  const { accession, path: file, cik, company_name } = before!
  const root = await copyOfQuarter(t)
  await writeIndex(root, '2026/QTR2', [`${cik}|${company_name}|D|2026-04-01|${file}`])
  const host = await startHost({ root })
  t.after(() => host.close())
  const client = edgarClient({ baseUrl: host.url, userAgent: null })
  await crawl({
    sql: world.sql,
    catalog: registry,
    client,
    from: '2026-04-01',
    to: '2026-06-30',
    now: new Date('2026-11-21'),
    again: true,
  })
  assert.equal((await world.drain()).done, 1)
  const [after] = await world.sql`select filed_date from formd.offering where accession = ${accession}`
  assert.equal(after!.filed_date, '2026-04-01')
  const [coverage] =
    await world.sql`select sum(filings)::int as filings, sum(extracted)::int as extracted from edgar.coverage where family = 'formd'`
  assert.equal(coverage!.filings, coverage!.extracted)
})

test('a rebuild reads the archive into shadow tables, which are swapped in and have the same rows', async (t) => {
  const world = await openWorld(t)
  await world.crawl(QUARTER)
  await world.drain()
  const before = await everyRow(world.sql)
  await world.sql`update formd.offering set entity_name = 'damaged'`
  world.host.setFaults('unavailable')
  const { filings, failed } = await rebuild(world, formd)
  assert.ok(filings > 0)
  assert.equal(failed, 0)
  assert.deepEqual(await everyRow(world.sql), before)
  assert.equal((await world.sql`select 1 from pg_namespace where nspname = 'formd_next'`).length, 0)
  assert.ok((await world.sql`select 1 from pub.formd_feed`).length > 0, 'views see the new tables')
})

/** Copies the index and the filings of QUARTER. A test may damage the copy. */
async function copyOfQuarter(t: Parameters<typeof temporaryFolder>[0]): Promise<string> {
  const root = await temporaryFolder(t)
  const copied = (file: string) => cp(path.join(sample, file), path.join(root, file), { recursive: true })
  await copied('Archives/edgar/full-index/2009/QTR1')
  for (const file of await submissionFiles(sample)) await copied(path.relative(sample, file))
  return root
}

/** Returns the files of the filings of QUARTER. */
async function submissionFiles(root: string): Promise<string[]> {
  const index = await readFile(path.join(root, 'Archives/edgar/full-index/2009/QTR1/master.idx'), 'utf8')
  const paths = [...index.matchAll(/\|D(?:\/A)?\|.*\|(edgar\/\S+\.txt)$/gm)].map(([, file]) => file!)
  assert.equal(paths.length, 4)
  return paths.map((file) => path.join(root, 'Archives', file))
}

const accessionOf = (file: string) => path.basename(file, '.txt')
