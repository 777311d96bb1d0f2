/** Facts that company files add to the shared table of filings (the spine). */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { SpineFiling } from '../../../src/archive/submissions.ts'
import companies from '../../../src/datasets/companies/index.ts'
import { after as eventsAfter } from '../../../src/store/events.ts'
import { dataVersions, versionOf, versionsOf } from '../../../src/store/meta.ts'
import { openIndexedWorld } from '../../support/sampled.ts'
import { serveWorld } from '../../support/served.ts'
import { until } from '../../support/until.ts'
import { openWorld, temporaryFolder, type World } from '../../support/world.ts'

/**
 * Filings of the sample. The first filing's header states a period and a moment, the second filing's header only a
 * period.
 */
const TIMED = '0000919574-09-006093'
const PERIOD = '0001140361-23-013281'
const STRANGE = '0000000001-26-000001'

type SpineHint = readonly [accession: string, period: string, stamp: string]
type After = { after(fn: () => Promise<void>): void }

/**
 * A company file that lists these filings and another one at seven o'clock. The time of the latter shows that all
 * timestamps of the file are New York time.
 */
async function fileOf(t: After, cik: number, day: string, hints: readonly SpineHint[]): Promise<string> {
  const all: SpineHint[] = [...hints, ['0000000009-20-000009', '', '2020-03-02T07:00:00.000Z']]
  const column = (at: 0 | 1 | 2) => all.map((one) => one[at])
  const recent = { accessionNumber: column(0), reportDate: column(1), acceptanceDateTime: column(2) }
  const name = `CIK${String(cik).padStart(10, '0')}`
  const file = path.join(await temporaryFolder(t), `${name}_${day}.json`)
  await writeFile(file, JSON.stringify({ cik, name: 'Filer', filings: { recent, files: [] } }))
  return file
}

const load = async ({ bulk }: World, ...files: string[]) => {
  const outcomes = await bulk({ datasets: [companies], files })
  for (const { error } of outcomes) assert.equal(error, null)
  return outcomes
}

const factsOf = async ({ sql }: World, accession = TIMED) => {
  const [row] = await sql<{ period: string | null; accepted: Date | null }[]>`
    select period_of_report as period, accepted_at as accepted from edgar.filing where accession = ${accession}`
  return row && `${row.period} ${row.accepted && new Date(row.accepted).toISOString()}`
}

const version = async ({ sql }: World) => versionOf(versionsOf(await dataVersions(sql)), ['filings'])

/** Reads headers like ingest: a request that only looks up a filing changes nothing in the spine. */
async function readHeaders({ sql, submissions }: World, ...accessions: string[]): Promise<void> {
  const filings = await sql<SpineFiling[]>`
    select accession, form_type, filed_date, path from edgar.filing where accession = any(${accessions})`
  for (const filing of filings) {
    const submission = await submissions.obtain(filing)
    await sql.begin((tx) => submissions.record(tx, [{ filing, submission }]))
  }
}

const HINT: SpineHint = [TIMED, '2009-03-31', '2009-05-20T16:30:00.000Z']
/** 20:30 UTC is 16:30 in New York, which in May is four hours behind UTC. */
const FILLED = '2009-03-31 2009-05-20T20:30:00.000Z'

test('a company file fills unknown facts of the spine, whether it or the index is loaded first, and reports the change', async (t) => {
  const file = await fileOf(t, 1456986, '2026-07-01', [HINT])
  const indexFirst = await openIndexedWorld(t)
  assert.equal(await factsOf(indexFirst), 'null null')
  const before = await version(indexFirst)
  await load(indexFirst, file)
  assert.equal(await factsOf(indexFirst), FILLED)
  const after = await version(indexFirst)
  assert.equal(Number(after), Number(before) + 1)
  await load(indexFirst, file)
  assert.equal(await version(indexFirst), after, 'the same file says nothing new')

  const fileFirst = await openWorld(t)
  await load(fileFirst, file)
  await fileFirst.crawl({ from: '2009-01-01', to: '2009-03-31' })
  assert.equal(await factsOf(fileFirst), FILLED)
})

test('the first file of a series is reported as one event; a later file reports each company and filing that it corrects', async (t) => {
  const world = await openIndexedWorld(t)
  await load(world, await fileOf(t, 1456986, '2026-07-01', [HINT]))
  const first = await eventsAfter(world.sql, 0, 10_000)
  const ofCompanies = first.filter(({ slug }) => slug === 'companies').map(({ key, what }) => [key, what])
  assert.deepEqual(ofCompanies, [[null, 'added']])
  const seen = first.at(-1)!.seq
  await load(world, await fileOf(t, 1456986, '2026-07-02', [[TIMED, '2009-04-30', HINT[2]]]))
  assert.equal(await factsOf(world), FILLED.replace('03-31', '04-30'))
  const events = (await eventsAfter(world.sql, seen, 100)).map(({ slug, key, what }) => `${slug} ${key} ${what}`)
  assert.deepEqual(events.sort(), ['companies SUBMISSIONS/0001456986 corrected', `filings ${TIMED} corrected`])
  await load(world, await fileOf(t, 1456986, '2026-07-01', [[TIMED, '2001-01-01', HINT[2]]]))
  assert.equal(await factsOf(world), FILLED.replace('03-31', '04-30'), 'an older file changes nothing')
})

test('a header wins over the company file, whichever of them is read first', async (t) => {
  const wrong: SpineHint[] = [HINT, [PERIOD, '1999-12-31', '']]
  const headers = await openIndexedWorld(t)
  await readHeaders(headers, TIMED, PERIOD)
  const [timed, period] = [await factsOf(headers), await factsOf(headers, PERIOD)]
  assert.notEqual(timed, FILLED)
  assert.equal(period, '2021-12-31 null')
  await load(headers, await fileOf(t, 1456986, '2026-07-01', wrong))
  assert.deepEqual([await factsOf(headers), await factsOf(headers, PERIOD)], [timed, period])

  const file = await openIndexedWorld(t)
  await load(file, await fileOf(t, 1456986, '2026-07-01', wrong))
  assert.equal(await factsOf(file, PERIOD), '1999-12-31 null')
  await readHeaders(file, TIMED, PERIOD)
  assert.deepEqual([await factsOf(file), await factsOf(file, PERIOD)], [timed, period])
})

test('filings that a company file lists, but no index, are counted and not added', async (t) => {
  const world = await openIndexedWorld(t)
  const [counted] = await world.sql<{ n: number }[]>`select count(*)::int as n from edgar.filing`
  const [outcome] = await load(world, await fileOf(t, 1456986, '2026-07-01', [HINT, [STRANGE, '2026-01-01', '']]))
  // The second one is the filing at seven o'clock that `fileOf` adds, which is in no index either.
  assert.equal(outcome!.result!.unlisted, 2)
  assert.deepEqual([...(await world.sql`select count(*)::int as n from edgar.filing`)], [counted])
})

test('facts about one filing that several files state do not depend on the order of the files', async (t) => {
  const issuer = await fileOf(t, 1456986, '2026-07-01', [HINT])
  const owner = await fileOf(t, 1461130, '2026-07-01', [[TIMED, '2009-06-30', '2009-05-20T17:00:00.000Z']])
  const orders = [
    [issuer, owner],
    [owner, issuer],
  ]
  const found: (string | undefined)[] = []
  for (const order of orders) {
    const world = await openIndexedWorld(t)
    for (const file of order) await load(world, file)
    found.push(await factsOf(world))
  }
  assert.deepEqual(found, [FILLED, FILLED])
})

test('a load waits for a process that reads the header of one of the filings, and this header then wins', async (t) => {
  const world = await openIndexedWorld(t)
  const reading = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const worker = world.sql.begin(async (tx) => {
    await tx`select from edgar.task where accession = ${TIMED} for update`
    held.resolve()
    await reading.promise
    await tx`
      insert into edgar.submission (accession, sha256, bytes, source_url, header, documents)
      values (${TIMED}, 'x', 1, 'x', '{}', '[]')`
    await tx`update edgar.filing set period_of_report = '2009-01-01' where accession = ${TIMED}`
  })
  await held.promise
  let isLoaded = false
  const loading = load(world, await fileOf(t, 1456986, '2026-07-01', [HINT])).finally(() => {
    isLoaded = true
  })
  const waits = async () =>
    (
      await world.sql`
        select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
    ).count > 0
  await until('the load waits for the lock, or is over', async () => isLoaded || (await waits()))
  assert.equal(isLoaded, false)
  reading.resolve()
  await worker
  await loading
  assert.equal(await factsOf(world), '2009-01-01 null')
})

test('a ticker that the newest list lacks still finds its company, as a former ticker, but the company does not show it', async (t) => {
  const world = await openWorld(t)
  const served = await serveWorld(t, world)
  const folder = await temporaryFolder(t)
  const list = async (day: string, ...lines: [cik: number, ticker: string, title: string][]) => {
    const file = path.join(folder, `company_tickers_${day}.json`)
    const all = lines.map(([cik_str, ticker, title], at) => [at, { cik_str, ticker, title }])
    await writeFile(file, JSON.stringify(Object.fromEntries(all)))
    await load(world, file)
  }
  const other = [8, 'ELSE', 'Elsewhere Specimen Corp'] as [number, string, string]
  await list('2026-07-01', [7, 'GONE', 'Delisted Specimen Corp'], other)
  const hinted = async () => {
    const [found] = (await served.json<{ rows: { tickers: string[] }[] }>('/companies?q=delisted')).rows
    const byTicker = (await served.json<{ rows: { cik: string; found_by: string }[] }>('/companies?q=gone')).rows
    const profile = await served.json<{ name: string; tickers: string[] }>('/companies/7')
    const [weight] = await world.sql`select weight from companies.search_name where cik = '0000000007'`
    return [
      found?.tickers,
      byTicker.map(({ cik, found_by }) => `${cik} ${found_by}`),
      profile.tickers,
      Number(weight!.weight),
    ]
  }
  assert.deepEqual(await hinted(), [['GONE'], ['0000000007 ticker'], ['GONE'], 100])
  await list('2026-07-02', other)
  // A notice of the database tells the service of the load, a moment later.
  await until('the ticker is a former one', async () =>
    isDeepStrictEqual(await hinted(), [[], ['0000000007 former_ticker'], [], 1]),
  )
})

test('a ticker belongs to the companies that the newest list gives it, even if it moved, is shared or is listed twice', async (t) => {
  const world = await openWorld(t)
  const served = await serveWorld(t, world)
  const folder = await temporaryFolder(t)
  const list = async (day: string, ...lines: [cik: number, ticker: string, title: string][]) => {
    const file = path.join(folder, `company_tickers_${day}.json`)
    const all = lines.map(([cik_str, ticker, title], at) => [at, { cik_str, ticker, title }])
    await writeFile(file, JSON.stringify(Object.fromEntries(all)))
    await load(world, file)
  }
  const of = async (cik: number) => {
    const { name, tickers } = await served.json<{ name: string; tickers: string[] }>(`/companies/${cik}`)
    return `${name}: ${tickers}`
  }
  const found = async (q: string) =>
    (await served.json<{ rows: { cik: string; found_by: string }[] }>(`/companies?q=${q}`)).rows.map(
      ({ cik, found_by }) => `${Number(cik)} ${found_by}`,
    )
  await list('2026-07-01', [7, 'MOVE', 'Target Specimen Corp'], [8, 'TWIN', 'First Specimen Corp'])
  assert.deepEqual(await found('move'), ['7 ticker'])
  // Company 9 takes over company 7. The ticker of company 8 is listed twice, under two names, and for company 10 too.
  await list(
    '2026-07-02',
    [9, 'MOVE', 'Acquirer Specimen Corp'],
    [8, 'TWIN', 'Renamed Specimen Corp'],
    [8, 'TWIN', 'First Specimen Corp'],
    [10, 'TWIN', 'Tenth Specimen Corp'],
  )
  await until('the new list is served', async () => (await found('move'))[0] === '9 ticker')
  assert.deepEqual(await found('move'), ['9 ticker', '7 former_ticker'])
  assert.deepEqual((await found('twin')).sort(), ['10 ticker', '8 ticker'])
  assert.deepEqual(
    [await of(7), await of(8), await of(9), await of(10)],
    [
      // No list names company 7 any more, and its own file was never loaded.
      'null: ',
      'Renamed Specimen Corp: TWIN',
      'Acquirer Specimen Corp: MOVE',
      'Tenth Specimen Corp: TWIN',
    ],
  )
  const [edition] = await world.sql`select refusals from bulk.edition where series = 'TICKERS' order by to_day desc`
  assert.match(JSON.stringify(edition!.refusals), /0000000008\/TWIN/)
  // The next list takes both changes back.
  await list('2026-07-03', [7, 'MOVE', 'Target Specimen Corp'], [8, 'TWIN', 'First Specimen Corp'])
  await until('the corrected list is served', async () => (await found('move'))[0] === '7 ticker')
  assert.deepEqual([await of(7), await of(9)], ['Target Specimen Corp: MOVE', 'null: '])
})
