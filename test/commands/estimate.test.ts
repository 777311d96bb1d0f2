/** A run estimates its cost before it begins, and the estimate is right. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { cheaper, confirmed, type Estimate, estimate, estimateText, isLong } from '../../src/commands/cost/estimate.ts'
import { confirmFiles, filesCost } from '../../src/commands/cost/files.ts'
import { confirmCost } from '../../src/commands/ingest/filings.ts'
import type { Reporter } from '../../src/commands/progress/reporter.ts'
import { emptyEnv, QUIET, run } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { startHost } from '../support/edgar-host.ts'
import { madeForms } from '../support/made-forms.ts'
import { loadFilings } from '../support/spine-rows.ts'

const cost = (part: Partial<Estimate>): Estimate => ({
  ...{ filings: 0, requests: 0, bytes: 0, kept_bytes: 0, seconds: 0, by: {}, in_sets: 0 },
  archives: { requests: 0, filings: 0, bytes: 0 },
  ...part,
})

/** Returns a reporter that collects only the lines of facts. */
const reporterTo = (facts: string[]): Reporter => ({ ...QUIET, fact: (_, line) => void facts.push(line) })

test('a run costs as much as it estimated, and the second run estimates by the sizes that the first one measured', async (t) => {
  const { root } = await madeForms(t, { model: '1968399/0001968399-23-000002.txt', form: 'D', count: 60 })
  const host = await startHost({ root })
  t.after(() => host.close())
  const env = { ...(await emptyEnv(t)), EDGAR_PACE_LOOPBACK: 'on', EDGAR_REQUESTS_PER_SECOND: '10' }
  const ingest = async (to: string) => {
    const began = host.requests.length
    const { stdout } = await run(
      ['ingest', 'formd', '--from', '2024-01-01', '--to', to, '--base-url', host.url, '--json', '--yes'],
      env,
    )
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const printed = events.find(({ event }) => event === 'estimate') as Estimate & { time: string }
    const { time, filings } = events.find(({ event }) => event === 'summary')
    const requests = host.requests.slice(began).filter(({ path }) => path.includes('/data/'))
    return { printed, requests, read: filings.read, tookSeconds: (Date.parse(time) - Date.parse(printed.time)) / 1000 }
  }
  const { printed, requests, read, tookSeconds } = await ingest('2024-03-31')
  assert.deepEqual([printed.filings, printed.requests], [read, requests.length])
  assert.deepEqual([read, printed.by.formd!.requests], [60, 60])
  // 7 seconds are 60 requests at 8.3 a second. A slow machine may take longer, but no machine sends faster than the
  // rate.
  assert.equal(printed.seconds, 7)
  assert.ok(tookSeconds >= 6.5, `${tookSeconds}`)
})

test('an estimate uses sizes from the archive, else from the feed, and counts no fetch for archived submissions', async (t) => {
  const { sql } = await freshDatabase(t)
  const filings = Array.from({ length: 30 }, (_, i) => ({
    accession: `0000000001-25-${String(i).padStart(6, '0')}`,
    form: i < 25 ? 'D' : 'D/A',
    filed: '2025-11-03',
    filers: [['1', 'ALPHA CAPITAL CORP']] as [string, string][],
  }))
  await loadFilings(sql, filings)
  await sql`insert into edgar.task (accession, dataset, filed_date) select accession, 'formd', filed_date from edgar.filing on conflict do nothing`
  const selection = { datasets: ['formd'] }
  const paced = { perSecond: 5, originals: false }
  const before = await estimate(sql, selection, paced)
  assert.deepEqual([before.filings, before.requests, before.seconds], [30, 30, 7])
  assert.ok(before.bytes > 30 * 1_000 && before.bytes < 30 * 100_000 && before.kept_bytes < before.bytes)
  await sql`
    insert into edgar.submission (accession, sha256, bytes, source_url, header, documents)
    select accession, accession, 50000, '', '{}', '[]' from edgar.filing where form_type = 'D' and accession < '0000000001-25-000022'`
  const after = await estimate(sql, selection, paced)
  assert.deepEqual([after.filings, after.requests], [30, 8])
  // The sizes of three notices are estimated from the mean of the 22 in the archive, and those of five amendments from
  // the feed.
  const amendments = before.by.formd!.bytes - 25 * ((before.bytes - (after.bytes - 3 * 50_000)) / 25)
  assert.equal(after.bytes, 3 * 50_000 + amendments)
  const unpaced = await estimate(sql, selection, { perSecond: null, originals: true })
  assert.deepEqual([unpaced.seconds, unpaced.kept_bytes], [null, unpaced.bytes])
  await sql`
    insert into bulk.set_filing (dataset, accession, name, to_day, sha256)
    select 'formd', accession, '2025q4_d.zip', '2025-12-31', 'a' from edgar.filing where form_type = 'D/A'`
  const { in_sets, ...others } = await estimate(sql, selection, paced)
  assert.deepEqual([in_sets, others.filings, others.requests, others.by.formd!.in_sets], [5, 30, 8, 5])
  assert.match(
    estimateText({ ...others, in_sets }, {}),
    /; 5 of the requests are for filings that already have rows from quarterly sets$/,
  )
  // All notices have rows from the set too, and those in the archive need no request.
  await sql`
    insert into bulk.set_filing (dataset, accession, name, to_day, sha256)
    select 'formd', accession, '2025q4_d.zip', '2025-12-31', 'a' from edgar.filing where form_type = 'D'`
  assert.equal((await estimate(sql, selection, paced)).in_sets, 8)
  const none = await estimate(sql, { ...selection, from: '2025-11-04' }, paced)
  assert.deepEqual([none.filings, none.requests, none.bytes], [0, 0, 0])
})

test('the estimate of a long run lists its parts and cheaper alternatives', () => {
  const part = (requests: number, bytes: number, seconds: number, in_sets = 0) => ({
    ...{ filings: requests, requests, bytes, seconds, in_sets },
    kept_bytes: bytes / 10,
  })
  const by = { thirteenf: part(5_000, 6e8, 1200), formd: part(60, 1e6, 14) }
  const long = cost({ ...part(5_060, 6.01e8, 1214), by })
  assert.ok(isLong(long))
  assert.ok(isLong(cost({ seconds: null, bytes: 3e9 })))
  assert.ok(!isLong(cost({ seconds: 600, bytes: 1e9 })))
  assert.deepEqual(cheaper(long, { from: '2026-01-01' }).slice(0, 3), [
    '"openfilings ingest thirteenf --sets --from 2026-01-01" fetches whole periods of thirteenf, with one request for each period',
    '"openfilings ingest formd --sets --from 2026-01-01" fetches whole periods of formd, with one request for each period',
    '"openfilings ingest formd --from 2026-01-01" reads only formd, in 60 requests; each dataset can be read alone',
  ])
  const ofSets = (in_sets: number) =>
    cheaper(cost({ by: { ...by, thirteenf: part(5_000, 6e8, 1200, in_sets) } }), {}).filter((line) =>
      line.includes('thirteenf --sets'),
    ).length
  assert.deepEqual([ofSets(4_980), ofSets(4_981), ofSets(5_000)], [1, 0, 0], 'loaded sets are not suggested again')
  const text = estimateText(long, { from: '2026-01-01' })
  assert.match(
    text,
    /^reading 5,060 filings takes 5,060 requests, about 20 min 14 s, 601 MB to fetch, 60 MB of it kept\n {2}thirteenf {2}5,000 requests/,
  )
  assert.match(text, /\n {2}cheaper: "openfilings ingest thirteenf --sets/)
  assert.doesNotMatch(estimateText(cost({ requests: 30 }), {}), /\n/)
})

test('the estimate for large filings depends on the bandwidth; a long run asks for consent on a terminal, and only reports its length elsewhere', async (t) => {
  const { sql } = await freshDatabase(t)
  await loadFilings(
    sql,
    Array.from({ length: 25 }, (_, i) => ({
      accession: `0000000001-25-${String(i).padStart(6, '0')}`,
      form: 'C',
      filed: '2025-11-03',
      filers: [['1', 'ALPHA CAPITAL CORP']] as [string, string][],
    })),
  )
  await sql`insert into edgar.task (accession, dataset, filed_date) select accession, 'crowdfunding', filed_date from edgar.filing on conflict do nothing`
  const { seconds, bytes } = await estimate(sql, { datasets: ['crowdfunding'] }, { perSecond: 5, originals: false })
  assert.equal(seconds, Math.round(bytes / 12_500_000))
  const facts: string[] = []
  const questions: string[] = []
  const reporter = reporterTo(facts)
  const app = { sql, client: { perSecond: 0.01 }, keeping: {} }
  const isConfirmed = (confirm?: (question: string) => Promise<boolean>) =>
    // An estimate uses no other members of an app.
    confirmCost({ app, reporter, signal: new AbortController().signal } as never, {
      datasets: ['crowdfunding'],
      confirm,
    })
  assert.equal(await isConfirmed(), true)
  for (const answer of [true, false]) {
    const confirm = async (question: string) => {
      questions.push(question)
      return answer
    }
    assert.equal(await isConfirmed(confirm), answer)
  }
  assert.equal(facts.length, 3)
  assert.equal(questions.length, 2)
})

test('a run begins only after the answer yes, not after the end of the input or a signal', async () => {
  for (const [typed, begins] of [
    ['y\n', true],
    ['YES\n', true],
    ['\n', false],
    ['no\n', false],
    ['yesterday\n', false],
    [null, false],
  ] as const) {
    const input = new PassThrough()
    const asking = confirmed('read them?', { input, output: new PassThrough(), signal: new AbortController().signal })
    if (typed === null) input.end()
    else input.write(typed)
    assert.equal(await asking, begins, String(typed))
  }
  const stop = new AbortController()
  const asking = confirmed('read them?', { input: new PassThrough(), output: new PassThrough(), signal: stop.signal })
  stop.abort()
  assert.equal(await asking, false)
})

test('before its fetch, a bulk file is estimated by the size in its list, else by sizes of similar files; a long run asks first', async () => {
  const listed = (size: unknown) => ({ name: 'a.zip', as: JSON.stringify({ size, date: '07/23/2026' }) })
  const files = [
    listed(9_057_014),
    listed('78 MB'),
    { name: 'companyfacts.zip', as: null },
    { name: 'b.zip', as: 'odd' },
  ]
  const cost = filesCost({ files, mean: null, perSecond: 5 })
  assert.deepEqual(cost, { requests: 4, bytes: 1_387_057_014, seconds: 111, unsized: 1 })
  assert.deepEqual(filesCost({ files: files.slice(3), mean: 5e6, perSecond: null }), {
    requests: 1,
    bytes: 5e6,
    seconds: null,
    unsized: 0,
  })
  const facts: string[] = []
  const work = { reporter: reporterTo(facts), signal: new AbortController().signal }
  const wanted = { what: 'files of companies', mean: null, perSecond: 5, cheaper: ['--cik fetches some'] }
  const no = async () => false
  assert.equal(
    await confirmFiles(work, { ...wanted, files: files.slice(0, 1), confirm: no }),
    true,
    'a small cost is not printed',
  )
  assert.equal(await confirmFiles(work, { ...wanted, files, confirm: no }), true, 'a short load needs no confirmation')
  assert.equal(await confirmFiles(work, { ...wanted, files: [...files, listed('1.5 GB')], confirm: no }), false)
  assert.equal(
    await confirmFiles(work, { ...wanted, files: [...files, listed('1.5 GB')] }),
    true,
    'nobody can be asked',
  )
  assert.match(
    facts[0]!,
    /^fetching 4 files of companies takes 4 requests, about 1 min 51 s, 1\.4 GB to fetch, 1 file of unknown size$/,
  )
  assert.match(facts[1]!, /\n {2}cheaper: --cik fetches some$/)
})
