/** Waiting and failed work with its reasons, and the age of the data, as `status` and `/metrics` show them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusText } from '../../src/commands/status-text.ts'
import * as backlog from '../../src/ingest/backlog.ts'
import { beginRun, lastReads, lastSuccesses, latestRuns } from '../../src/ingest/runs.ts'
import { pendingOf } from '../../src/ingest/waiting.ts'
import { status } from '../../src/products/status/routes.ts'
import registry from '../../src/registry.ts'
import { testContext } from '../support/context.ts'
import { endHolder, freshDatabase } from '../support/database.ts'
import { ask, scratchServer } from '../support/scratch-server.ts'
import { loadFilings } from '../support/spine-rows.ts'

const ERRORS = [
  'primary_doc.xml: byte 1812: not closed <offeringData>',
  'primary_doc.xml: byte 77: not closed <offeringData>',
  'EDGAR has no submission at edgar/data/1/0000000001-24-000003.txt',
  'primary_doc.xml: /edgarSubmission/x: "12/2024" is not a date',
  'primary_doc.xml: /edgarSubmission/x: "13/2025" is not a date',
  'primary_doc.xml: /edgarSubmission/x: "" is not a date',
]

test('failures are grouped by reason, ignoring numbers, accessions and values in it; the most frequent come first, with their newest ones as examples', async (t) => {
  const { sql } = await freshDatabase(t)
  const accession = (n: number) => `0000000001-24-${String(n).padStart(6, '0')}`
  for (const [n, error] of ERRORS.entries()) {
    await loadFilings(sql, [{ accession: accession(n), form: 'D', filed: `2024-01-0${n + 1}`, filers: [['1', 'A']] }])
    await sql`
      insert into edgar.task (accession, dataset, state, filed_date, error)
      values (${accession(n)}, 'formd', 'failed', ${`2024-01-0${n + 1}`}, ${error})`
  }
  await loadFilings(sql, [{ accession: accession(9), form: 'D', filed: '2024-02-01', filers: [['1', 'A']] }])
  await sql`insert into edgar.task (accession, dataset, filed_date) values (${accession(9)}, 'formd', '2024-02-01')`
  const found = await backlog.failures(sql, 10)
  assert.deepEqual(
    found.map(({ dataset, reason, filings }) => [dataset, reason, filings]),
    [
      ['formd', 'primary_doc.xml: /edgarSubmission/x: "…" is not a date', 3],
      ['formd', 'primary_doc.xml: byte #: not closed <offeringData>', 2],
      ['formd', 'EDGAR has no submission at edgar/data/#/<accession>.txt', 1],
    ],
  )
  assert.deepEqual(found[1]!.examples, [
    { accession: accession(1), error: ERRORS[1] },
    { accession: accession(0), error: ERRORS[0] },
  ])
  const among = await backlog.failures(sql, 10, 4)
  assert.deepEqual(
    among.map(({ filings }) => filings),
    [3, 1],
  )
  assert.deepEqual([...(await backlog.backlog(sql))], [{ dataset: 'formd', pending: 1, failed: 6, of_sets: 0 }])
  const answer = await status.run({}, testContext(sql, { catalog: registry }))
  // `parse` checks the shape, which is known only at run time.
  const { work, failures } = status.output!.parse(answer) as { work: unknown; failures: unknown[] }
  assert.deepEqual(work, [{ dataset: 'formd', waiting_count: 1, failed_count: 6, of_sets_count: 0 }])
  assert.deepEqual(failures[1], {
    ...{ dataset: 'formd', reason: found[1]!.reason, filing_count: 2 },
    ...{ accession: accession(1), error: ERRORS[1] },
  })
  assert.equal(await pendingOf(sql, { datasets: ['formd', 'rega'], from: '2024-02-01', to: '2024-02-01' }), 1)
  assert.equal(await pendingOf(sql, { datasets: ['formd'], from: '2024-02-02' }), 0)
  assert.deepEqual([...(await backlog.newestOfFamilies(sql))], [{ family: 'formd', filed: '2024-02-01' }])
})

test('a run is shown as running while its process lives, then as killed or with its results', async (t) => {
  const { sql } = await freshDatabase(t)
  const who = { pid: 7, host: 'here' }
  const first = await beginRun(sql, { command: 'ingest', what: 'formd', ...who })
  const second = await beginRun(sql, { command: 'ingest', what: 'all', ...who })
  await sql`insert into core.run (command, what, pid, host) values ('rebuild', 'rega', 7, 'here')`
  const outcomes = async () => (await latestRuns(sql, 10)).map(({ what, outcome }) => `${what} ${outcome}`)
  assert.deepEqual(await outcomes(), ['rega killed', 'all running', 'formd running'])
  const filings = {
    read: 3,
    failed: 1,
    unread: 0,
    pending: 0,
    by: { formd: { read: 3, failed: 0 }, rega: { read: 0, failed: 1 } },
  }
  await first.note({ filings })
  await first.end('done', { filings })
  await first.note({})
  await second.end('problems', { skipped: [{ part: 'adviser files', reason: 'no list' }] })
  assert.deepEqual(await outcomes(), ['rega killed', 'all problems', 'formd done'])
  const [, , done] = await latestRuns(sql, 10)
  assert.deepEqual(done!.summary, { filings })
  assert.deepEqual(
    (await lastSuccesses(sql)).map(({ command, what }) => [command, what]),
    [['ingest', 'formd']],
  )
  assert.deepEqual(
    (await lastReads(sql)).map(({ dataset }) => dataset),
    ['formd'],
  )
  // A run with --follow began long before this reading.
  const read_at = '2027-01-01T00:00:00+00:00'
  const following = await beginRun(sql, { command: 'ingest', what: 'all --follow', ...who })
  await following.note({ filings: { ...filings, by: { formd: { read: 1, failed: 0, read_at } } } })
  assert.deepEqual([...(await lastReads(sql))], [{ dataset: 'formd', read_at: '2027-01-01T00:00:00.000+00:00' }])
  await following.end('stopped', {})
})

test('a run whose database session was terminated is recorded as ended normally, and the next run can use the connection', async (t) => {
  const { sql } = await freshDatabase(t)
  const who = { pid: 7, host: 'here' }
  const run = await beginRun(sql, { command: 'ingest', what: 'formd', ...who })
  await endHolder(sql, { first: 4_713_020 })
  await run.end('done', {})
  for (let again = 0; again < 2; again++) {
    const next = await beginRun(sql, { command: 'ingest', what: 'rega', ...who })
    await next.end('done', {})
  }
  assert.deepEqual(
    (await latestRuns(sql, 10)).map(({ what, outcome }) => `${what} ${outcome}`),
    ['rega done', 'rega done', 'formd done'],
  )
})

test('the oldest of more than a thousand runs are forgotten, except a running one, which is listed with the latest', async (t) => {
  const { sql } = await freshDatabase(t)
  const long = await beginRun(sql, { command: 'ingest', what: 'all --follow', pid: 7, host: 'here' })
  await sql`insert into core.run (command, what, pid, host) select 'ingest', 'all', 7, 'here' from generate_series(1, 1005)`
  await (await beginRun(sql, { command: 'ingest', what: 'all', pid: 7, host: 'here' })).end('done', {})
  const [row] = await sql`select count(*)::int as runs, max(run_id) as last from core.run`
  assert.deepEqual(row, { runs: 1001, last: 1007 })
  assert.deepEqual(
    (await latestRuns(sql, 2)).map(({ what, outcome }) => `${what} ${outcome}`),
    ['all done', 'all killed', 'all --follow running'],
  )
  await long.end('stopped', {})
})

test('/metrics shows pending and failed work, the age of each family and series and the last success of commands, with one read for many scrapes', async (t) => {
  const server = await scratchServer(t)
  const { sql } = server
  await sql`
    insert into edgar.filing (accession, form_type, family, filed_date, cik, company_name, name_key, path)
    values ('0000000001-24-000001', 'D', 'listed', '2024-01-02', '0000000001', 'A', 'a', 'edgar/data/1/x.txt'),
      ('0000000001-24-000002', 'D', 'listed', '2024-01-03', '0000000001', 'A', 'a', 'edgar/data/1/y.txt'),
      ('0000000001-24-000003', 'D', 'listed', '2024-01-03', '0000000001', 'A', 'a', 'edgar/data/1/z.txt')`
  await sql`
    insert into edgar.task (accession, dataset, state, filed_date)
    values ('0000000001-24-000001', 'formd', 'failed', '2024-01-02'), ('0000000001-24-000002', 'formd', 'pending', '2024-01-03'),
      ('0000000001-24-000003', 'formd', 'set', '2024-01-03')`
  await sql`
    insert into edgar.coverage (form_type, family, task, filings) values ('D', 'listed', 'formd', 3), ('C', 'other', 'crowdfunding', 3)`
  await sql`insert into edgar.watermark (host, source, through) values ('https://www.sec.gov', '/x/master.idx', '2026-01-01')`
  await sql`
    insert into bulk.edition (series, name, from_day, to_day, state, files)
    values ('IA_FIRM_SEC', 'a.gz', '2025-12-31', '2025-12-31', 'done', '[]'), ('IA_FIRM_SEC', 'b.gz', '2026-01-01', '2026-01-01', 'failed', '[]')`
  await sql`
    insert into core.run (command, what, pid, host, ended_at, outcome)
    values ('ingest', 'all', 7, 'here', '2026-01-02T03:00:00Z', 'done'), ('ingest', 'all', 7, 'here', '2026-01-02T03:01:00Z', 'failed')`
  const { text } = await ask(server.base, '/metrics')
  const seconds = (moment: string) => Date.parse(moment) / 1000
  for (const line of [
    'openfilings_filings_pending{dataset="formd"} 1',
    'openfilings_filings_failed{dataset="formd"} 1',
    // A dataset without waiting work has a line with 0. Without this line, an alert could not distinguish it from a
    // dataset that is not watched.
    'openfilings_filings_pending{dataset="crowdfunding"} 0',
    'openfilings_filings_failed{dataset="crowdfunding"} 0',
    'openfilings_filings_of_sets{dataset="formd"} 1',
    'openfilings_filings_of_sets{dataset="crowdfunding"} 0',
    `openfilings_newest_filing_timestamp_seconds{family="listed"} ${seconds('2024-01-03')}`,
    `openfilings_last_success_timestamp_seconds{command="ingest",what="all"} ${seconds('2026-01-02T03:00:00Z')}`,
    // The clock of this server stands at 03:04:05 on 2 January 2026.
    `openfilings_data_lag_seconds{source="filings"} ${3 * 3600 + 4 * 60 + 5}`,
    `openfilings_data_lag_seconds{source="IA_FIRM_SEC"} ${27 * 3600 + 4 * 60 + 5}`,
  ]) {
    assert.ok(
      text.includes(`${line}\n`),
      `${line}\n${text.match(/^openfilings_(filings|newest|last|data_lag).*$/gm)?.join('\n')}`,
    )
  }
  await sql`update edgar.task set state = 'failed' where state = 'pending'`
  const again = await ask(server.base, '/metrics')
  assert.match(again.text, /^openfilings_filings_failed{dataset="formd"} 1$/m)
})

test('/metrics answers without these figures if the database is unreachable', async (t) => {
  const server = await scratchServer(t)
  await server.sql.end()
  const { status, text } = await ask(server.base, '/metrics')
  assert.equal(status, 200)
  assert.match(text, /^openfilings_cache_bytes /m)
  assert.doesNotMatch(text, /^openfilings_filings_pending{/m)
})

test('status prints a table for each kind of entry that exists, and no empty tables', () => {
  const none = {
    database: { address: 'postgresql://x', bytes: 12_000_000 },
    archive: { url: null, folder: '/data/archive', bytes: 0, isWhole: false, max: null, former: null },
    version: { code: '0.2.0', database: { version: '0.1.0', migration: '021_x.sql' }, next: [] as string[] },
    spine: { filings: 0, forms: 0, newest: null, through: null, origin: null },
    ...{
      runs: [],
      tasks: [],
      unread: [],
      marks: [],
      failures: [],
      families: [],
      series: [],
      editions: [],
      sets: [],
      delays: [],
      feed: { reading: null, gaps: [], open: 0, unread: 0 },
      watermarks: [],
      chosen: null,
    },
    ...{
      indexProblems: [],
      indexesRead: 0,
      stale: [],
      unlisted: { filings: 0, newest: [] },
      rebuilds: [],
      unknown: [],
    },
  }
  assert.equal(
    statusText(none, 0),
    'database  postgresql://x (12 MB)\narchive   /data/archive (about 0 bytes)\nfilings   0 on 0 forms, newest -\nversion   0.2.0; the database is of version 0.1.0 (021_x)',
  )
  const started_at = '2026-11-20T06:00:00.123+00:00'
  const run = { run_id: 1, command: 'ingest', what: 'all', started_at, ended_at: null, pid: 1, host: 'x' }
  const text = statusText(
    {
      ...none,
      runs: [
        {
          ...run,
          outcome: 'running',
          summary: { indexes: { read: 3, damaged: 0, filings: 1, added: 1, changed: 0, removed: 0 } },
        },
        { ...run, outcome: 'killed', summary: {} },
        {
          ...run,
          what: 'all --follow',
          outcome: 'running',
          summary: { followed_at: '2026-11-20T05:00:00.000Z', failing: { since: started_at, reason: 'no answer' } },
        },
        { ...run, outcome: 'failed', ended_at: '2026-11-20T06:01:00+00:00', summary: { error: 'no disk' } },
      ],
      tasks: [{ dataset: 'formd', read: 1234, of_sets: 77, pending: 5, failed: 0 }],
      unlisted: {
        filings: 21,
        newest: [
          {
            accession: '0000000111-26-000010',
            form_type: 'EFFECT',
            company_name: 'Alpha Inc',
            index_url: 'x',
            made_at: started_at,
            read_at: started_at,
          },
        ],
      },
      version: { ...none.version, next: ['applies the migration 022_y', 'rebuilds rega from the archive'] },
      stale: [
        { dataset: 'formd', reason: 'parser' },
        { dataset: 'rega', reason: 'definition' },
        { dataset: 'reps', reason: 'missing' },
      ],
      rebuilds: [{ slug: 'rega', step: 'make', through: '0000000001-24-000001' }],
      marks: null,
      unknown: ['marks'],
      delays: [
        {
          day: '2026-11-21',
          followed: true,
          filings: {
            '1 minute': 1204,
            '5 minutes': 7,
            '15 minutes': 0,
            '1 hour': 0,
            '1 day': 0,
            more: 3,
            'not known': 0,
          },
        },
      ],
      watermarks: [{ host: 'https://x', source: '/master.idx', through: '2026-09-30', moved_at: started_at }],
      indexesRead: 1001,
    },
    Date.parse('2026-11-20T06:00:42Z'),
  )
  assert.match(text, /^outdated {2}formd \(parser\), reps \(missing\): run "openfilings rebuild formd reps"$/m)
  assert.match(
    text,
    /^to do {5}the next "openfilings serve" or "openfilings ingest" applies the migration 022_y, rebuilds rega from the archive$/m,
  )
  assert.match(text, /^unknown {3}marks: known after the next "openfilings serve" or "openfilings ingest"$/m)
  assert.match(text, /^ {2}rega {3}makes rollups {2}0000000001-24-000001$/m)
  assert.match(text, /^ {2}2026-11-20 06:00 +ingest all +running +42 s +3 indexes$/m)
  assert.match(text, /^ {2}2026-11-20 06:00 +ingest all +killed +- +-$/m)
  assert.match(
    text,
    / ingest all --follow +running +42 s +followed until 2026-11-20 05:00, failing since 2026-11-20 06:00: no answer$/m,
  )
  assert.match(text, /^ {2}2026-11-20 06:00 +ingest all +failed +1 min 0 s +no disk$/m)
  assert.match(text, /^ {2}dataset +read +of sets +pending +failed\n {2}formd +1,234 +77 +5 +0$/m)
  assert.match(text, /^Indexes read\n.*\n {2}https:\/\/x\/master\.idx +2026-09-30\n {2}and 1,000 more$/m)
  assert.doesNotMatch(text, /Failures|Newest data|Bulk files/)
})
