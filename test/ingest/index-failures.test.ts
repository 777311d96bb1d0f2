/** Indexes that are damaged, hostile, or from another host. */
import assert from 'node:assert/strict'
import { appendFile, readFile, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { edgarClient } from '../../src/fetch/client.ts'
import { crawl, resumeFrom } from '../../src/ingest/crawl.ts'
import { eveningOf } from '../../src/ingest/feed/days.ts'
import { listedThrough } from '../../src/ingest/feed/gaps.ts'
import registry from '../../src/registry.ts'
import { migrate } from '../../src/store/schema.ts'
import { emptyEnv, run } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { startHost } from '../support/edgar-host.ts'
import { bytesOf, randomFor } from '../support/random.ts'
import { madeLater, openWorld, temporaryFolder, type World, writeIndex } from '../support/world.ts'

const PERIOD = { from: '2026-07-01', to: '2026-09-30' }
const line = (n: number, fields: { cik?: string; name?: string; form?: string; date?: string; path?: string } = {}) => {
  const file = `edgar/data/111/0000000111-26-${String(n).padStart(6, '0')}.txt`
  const { cik = '111', name = 'Alpha Inc', form = 'D', date = '2026-08-01', path: at = file } = fields
  return [cik, name, form, date, at].join('|')
}
const source = randomFor('bytes')
const random = (length: number) => bytesOf(source, length).toString('base64').slice(0, length)

const problemsOf = ({ sql }: World) =>
  sql<{ line: number; content: string; reason: string }[]>`
    select line, content, reason from edgar.index_problem order by index_url, line`

test('each index line that the database refuses is reported with its place, and the others are loaded', async (t) => {
  const bad: [string, RegExp][] = [
    [line(2, { name: 'Al\0pha' }), /has NUL characters/],
    [line(3, { name: random(10_000) }), /longer than 4096/],
    [line(4, { name: random(3000) }), /name has 3000 characters/],
    [line(5, { name: '\ufdfa'.repeat(400) }), /2000 bytes as a search key/],
    [line(6, { form: 'X'.repeat(3000) }), /form type has 3000 characters/],
    [line(7, { date: '0000-01-01' }), /date "0000-01-01" is not a day/],
    [line(8, { date: '2026-8-1' }), /is not a day/],
    [line(9, { cik: '１１１' }), /CIK/],
    [line(10, { cik: '-111' }), /CIK/],
    [line(11, { cik: '0x6f' }), /CIK/],
    [line(12, { path: `edgar/data/${'1'.repeat(3000)}/0000000111-26-000012.txt` }), /path/],
    [line(13, { path: 'edgar/data/111/0000000111-26-000013.txt\0' }), /NUL/],
  ]
  const root = await temporaryFolder(t)
  await writeIndex(root, '2026/QTR3', [line(1), ...bad.map(([text]) => text), line(99)])
  const world = await openWorld(t, { root })
  const [result] = await world.crawl(PERIOD)
  assert.deepEqual([result!.filings, result!.problems], [2, bad.length])
  const problem = await problemsOf(world)
  assert.equal(problem.length, bad.length)
  for (const [n, [, reason]] of bad.entries()) assert.match(problem[n]!.reason, reason)
  assert.equal(problem[0]!.content, line(2, { name: 'Alpha' }), 'the NUL itself cannot be kept')
  assert.equal((await world.sql`select 1 from edgar.watermark`).length, 0)
})

test('the first run that reads a damaged line reports it, and later runs report only new damaged lines', async (t) => {
  const root = await temporaryFolder(t)
  const env = await emptyEnv(t)
  const ingest = async () => {
    const days = ['--from', '2026-07-01', '--to', '2026-09-30']
    const { status, stdout, stderr } = await run(['ingest', 'index', ...days, '--base-url', `file://${root}`], env)
    return { status, reported: stderr.match(/ line \d+ .*is not a day/g)?.length ?? 0, summary: stdout }
  }
  const bad = line(2, { date: '2026-8-1' })
  await writeIndex(root, '2026/QTR3', [line(1), bad])
  const first = await ingest()
  assert.deepEqual([first.status, first.reported], [1, 1])
  // The same line is further down, since the index has grown.
  await writeIndex(root, '2026/QTR3', [line(1), line(3), bad])
  const second = await ingest()
  assert.deepEqual([second.status, second.reported], [0, 0])
  assert.match(second.summary, /1 new, .*; 1 damaged\n.*next +the next run reads damaged indexes again/s)
  assert.match((await run(['status'], env)).stdout, /^Lines of indexes that cannot be read\n.*\n.*is not a day/m)
  await writeIndex(root, '2026/QTR3', [line(1), line(3), bad, line(4, { date: '2026-9-1' })])
  assert.deepEqual([(await ingest()).status, (await ingest()).status], [1, 0])
})

test('binary garbage at any place in an index is reported as problems, and does not crash', async (t) => {
  const root = await temporaryFolder(t)
  await writeIndex(root, '2026/QTR3', [line(1)])
  const file = path.join(root, 'Archives/edgar/full-index/2026/QTR3/master.idx')
  const good = await readFile(file)
  const world = await openWorld(t, { root })
  await appendFile(file, bytesOf(source, 200_000))
  const [appended] = await world.crawl(PERIOD)
  assert.ok(appended!.problems > 100 && appended!.added === 1)
  assert.ok((await problemsOf(world)).length <= 1000)
  for (const [what, bytes] of Object.entries({
    garbage: bytesOf(source, 100_000),
    zeros: Buffer.alloc(100_000),
    nothing: Buffer.alloc(0),
    'half a line': good.subarray(0, -30),
    'a header of the year 99999': Buffer.from(
      good.toString().replace(/Last Data Received:.*/, 'Last Data Received: January 1, 99999'),
    ),
    'a header of the year 0': Buffer.from(
      good.toString().replace(/Last Data Received:.*/, 'Last Data Received: January 1, 0000'),
    ),
  })) {
    await writeFile(file, bytes)
    const results = await world.crawl({ ...PERIOD, again: true })
    assert.equal(results.length > 0, true, what)
    const [mark] = await world.sql`select through from edgar.watermark where source like '%master.idx'`
    assert.ok(!mark || mark.through <= '2026-09-30', what)
  }
})

test('lines that the database refuses for an unforeseen reason are a problem of their index, and the next index is read', async (t) => {
  const root = await temporaryFolder(t)
  await writeIndex(root, '2026/QTR2', [line(1, { name: 'Forbidden', date: '2026-05-01' })])
  await writeIndex(root, '2026/QTR3', [line(2)])
  const world = await openWorld(t, { root })
  await world.sql`alter table edgar.filing add constraint never check (company_name <> 'Forbidden')`
  const results = await world.crawl({ from: '2026-04-01', to: '2026-09-30' })
  assert.deepEqual(
    results.map(({ problems, added }) => [problems, added]),
    [
      [1, 0],
      [0, 1],
    ],
  )
  const [problem] = await problemsOf(world)
  assert.deepEqual([problem!.line, problem!.content], [0, ''])
  assert.match(problem!.reason, /the database refuses it: .*"never"/)
})

test('a second host is read from its start, and removes no filing that only the first host listed', async (t) => {
  const [first, second] = [await temporaryFolder(t), await temporaryFolder(t)]
  await writeIndex(first, '2026/QTR3', [line(1), line(2), line(3)], { lastReceived: 'September 30, 2026' })
  await writeIndex(second, '2026/QTR3', [line(4), line(5)], { lastReceived: 'September 30, 2026' })
  const world = await openWorld(t, { root: first })
  await world.crawl(PERIOD)
  const host = await startHost({ root: second })
  t.after(() => host.close())
  const client = edgarClient({ baseUrl: `${host.url}/`, userAgent: null })
  t.after(() => client.close())
  const options = { sql: world.sql, catalog: registry, client, ...PERIOD, now: new Date('2026-11-21') }
  const [read] = await crawl(options)
  assert.deepEqual([read!.added, read!.removed], [2, 0])
  assert.equal((await world.sql`select 1 from edgar.filing`).length, 5)
  assert.deepEqual(await crawl(options), [], 'the second host has a watermark of its own')
  assert.deepEqual(await world.crawl(PERIOD), [])
  const hosts = await world.sql`select host from edgar.watermark order by 1`
  assert.deepEqual(hosts.map((row) => row.host).sort(), [world.client.baseUrl, host.url].sort())
  // From now on, filings that this index no longer lists count as removed.
  await writeIndex(second, '2026/QTR3', [line(1), line(2), line(3), line(4)], { lastReceived: 'September 30, 2026' })
  const again = async () => (await crawl({ ...options, again: true, now: await madeLater(second, '2026/QTR3') }))[0]!
  assert.deepEqual([(await again()).suspected, (await again()).removed], [1, 1])
})

test('a run without a first day resumes where the last run on the same host ended', async (t) => {
  const root = await temporaryFolder(t)
  await writeIndex(root, '2026/QTR3', [line(1)], { lastReceived: 'September 30, 2026' })
  const world = await openWorld(t, { root })
  await world.crawl(PERIOD)
  const now = new Date('2026-11-21T12:00:00Z')
  assert.equal(await resumeFrom(world.sql, world.client, now), '2026-07-01')
  const other = edgarClient({ baseUrl: 'https://mirror.example', userAgent: null })
  assert.equal(await resumeFrom(world.sql, other, now), '2026-10-01')
})

test('a watermark of a version that stored no hosts gets the host of the newest submission', async (t) => {
  for (const [source, expected] of [
    [null, 'https://www.sec.gov'],
    ['http://127.0.0.1:8090/mirror/Archives/edgar/data/1/x.txt', 'http://127.0.0.1:8090/mirror'],
  ] as const) {
    const { sql } = await freshDatabase(t)
    await sql`delete from core.migration where name = '003_ingest.sql'`
    await sql.unsafe(`
      alter table edgar.task drop column passing;
      alter table edgar.watermark drop column host;
      alter table edgar.watermark add primary key (source);
      insert into edgar.watermark (source, through) values ('/Archives/edgar/full-index/2026/QTR3/master.idx', '2026-09-30')`)
    if (source) {
      await sql`
        insert into edgar.filing (accession, form_type, filed_date, cik, company_name, name_key, path)
        values ('0000000111-26-000001', 'D', '2026-08-01', '0000000111', 'A', 'a', 'x')`
      await sql`
        insert into edgar.submission (accession, sha256, bytes, source_url, header, documents)
        values ('0000000111-26-000001', 'x', 1, ${source}, '{}', '[]')`
    }
    await migrate(sql, registry.slices)
    assert.deepEqual(
      [...(await sql`select host, through from edgar.watermark`)],
      [{ host: expected, through: '2026-09-30' }],
    )
  }
})

for (const [stated, lastReceived] of Object.entries({ nothing: '', 'a day in the future': 'September 30, 2026' })) {
  test(`the index of a running quarter that states ${stated} as its last day covers the days until it was made: later days are read`, async (t) => {
    const root = await temporaryFolder(t)
    await writeIndex(root, '2026/QTR3', [line(1, { date: '2026-08-10' })], { lastReceived })
    // The evening of August 10 in New York.
    const made = new Date('2026-08-11T02:05:00Z')
    await utimes(path.join(root, 'Archives/edgar/full-index/2026/QTR3/master.idx'), made, made)
    await writeIndex(root, '2026/QTR3/20260810', [line(2, { date: '2026-08-10' })], { lastReceived: 'Aug 10, 2026' })
    await writeIndex(root, '2026/QTR3/20260811', [line(3, { date: '2026-08-11' })], { lastReceived: 'Aug 11, 2026' })
    const world = await openWorld(t, { root })
    const now = new Date('2026-08-13T12:00:00Z')
    const results = await world.crawl({ ...PERIOD, now })
    assert.deepEqual(
      results.map(({ url, through }) => [url.slice(-12), through]),
      [
        ['3/master.idx', '2026-08-10'],
        ['20260811.idx', '2026-08-11'],
      ],
    )
    assert.equal(await listedThrough(world.sql, world.client.baseUrl, now), eveningOf('2026-08-11'))
  })
}

test('if the file of a quarterly index is dated before its quarter, the index covers the days until it was read', async (t) => {
  const root = await temporaryFolder(t)
  await writeIndex(root, '2026/QTR3', [line(1, { date: '2026-08-10' })])
  await utimes(path.join(root, 'Archives/edgar/full-index/2026/QTR3/master.idx'), 499_162_500, 499_162_500)
  const world = await openWorld(t, { root })
  const [result] = await world.crawl({ ...PERIOD, now: new Date('2026-08-13T12:00:00Z') })
  assert.equal(result!.through, '2026-08-13')
})

test('if a page of HTML is sent in place of the index of a quarter, the daily indexes after the former index are read', async (t) => {
  const root = await temporaryFolder(t)
  await writeIndex(root, '2026/QTR3', [line(1, { date: '2026-08-10' })], { lastReceived: 'August 10, 2026' })
  const world = await openWorld(t, { root })
  await world.crawl({ ...PERIOD, now: new Date('2026-08-11T12:00:00Z') })
  const whole = path.join(root, 'Archives/edgar/full-index/2026/QTR3/master.idx')
  await writeFile(whole, '<!DOCTYPE html><html>maintenance</html>')
  for (const [n, day] of ['20260810', '20260818'].entries())
    await writeIndex(root, `2026/QTR3/${day}`, [line(2 + n, { date: '2026-08-10' })])
  const results = await world.crawl({ ...PERIOD, now: new Date('2026-08-19T12:00:00Z') })
  assert.deepEqual(
    results.map(({ url, added, problems }) => [url.slice(-12), added, problems]),
    [
      ['3/master.idx', 0, 1],
      ['20260818.idx', 1, 0],
    ],
  )
})

test('an earlier day’s index under the name of a later day does not count as the later day’s index, which is requested again', async (t) => {
  const root = await temporaryFolder(t)
  await writeIndex(root, '2026/QTR3', [line(1, { date: '2026-08-10' })], { lastReceived: 'August 10, 2026' })
  const stale = { lastReceived: 'Aug 10, 2026' }
  await writeIndex(root, '2026/QTR3/20260811', [line(2, { date: '2026-08-10' })], stale)
  const world = await openWorld(t, { root })
  const now = new Date('2026-08-12T12:00:00Z')
  const read = async () => (await world.crawl({ ...PERIOD, now })).map(({ added, problems }) => [added, problems])
  assert.deepEqual(await read(), [
    [1, 0],
    [1, 1],
  ])
  const [{ reason } = { reason: '' }] = await problemsOf(world)
  assert.equal(reason, 'its data ends on 2026-08-10, so it is not the index of 2026-08-11')
  assert.equal(await listedThrough(world.sql, world.client.baseUrl, now), eveningOf('2026-08-10'))
  await writeIndex(root, '2026/QTR3/20260811', [line(3, { date: '2026-08-11' })], { lastReceived: 'Aug 11, 2026' })
  assert.deepEqual(await read(), [[1, 0]])
  assert.equal((await problemsOf(world)).length, 0)
  assert.deepEqual(await read(), [])
})
