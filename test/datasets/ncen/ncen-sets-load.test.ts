/**
 * Quarterly data sets of Form N-CEN in a database: loaded together with submissions of the same filings, interrupted,
 * damaged, and with reported faults.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { ProviderPage } from '../../../src/datasets/ncen/answers.ts'
import ncen from '../../../src/datasets/ncen/index.ts'
import type { Detail } from '../../../src/datasets/ncen/queries.ts'
import { detail, providers } from '../../../src/datasets/ncen/routes.ts'
import { quarterlySets } from '../../../src/datasets/ncen/sets.ts'
import type { Route } from '../../../src/declare/route.ts'
import { takeUpSets } from '../../../src/ingest/queue.ts'
import { rebuild } from '../../../src/ingest/rebuild.ts'
import { ingestSets, type SetsOptions } from '../../../src/ingest/sets/ingest.ts'
import { detail as lookup } from '../../../src/products/filings/lookup.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import registry from '../../../src/registry.ts'
import { testContext } from '../../support/context.ts'
import { xmlOf } from '../../support/ncen/made.ts'
import { cargoSet } from '../../support/sets/cargo.ts'
import { addAll, linesOf } from '../../support/sets/ncen.ts'
import { Written } from '../../support/sets/written.ts'
import { openWorld, sample } from '../../support/world.ts'

const world = await openWorld({ after })
const { sql, slices, store } = world

const load = async (file: string, more: Partial<SetsOptions> = {}) =>
  (await ingestSets({ sql, slices, store, dataset: ncen, from: { files: [file] }, ...more }))[0]

async function ask<T>(route: Route, query: Record<string, string>): Promise<T> {
  const answer = await route.run(
    route.input.parse(query) as Record<string, unknown>,
    testContext(sql, { catalog: registry }),
  )
  assert.deepEqual(route.output!.safeParse(answer).error?.issues ?? [], [])
  return answer as T
}

interface Lookup {
  header: { form_type: string; cik: string; company_name: string; filed_date: string }
  capabilities: { struct: boolean; bespoke: string | null }
  family_data: unknown
  documents_note?: string
}

const AB = '0001410368-26-010918'

/** Returns the real reports of the sample, read from their submissions. */
function sampled(): Written {
  const all = new Written()
  for (const file of globSync(path.join(sample, 'Archives/edgar/data/*/0001410368-26-0109*.txt'))) {
    const text = readFileSync(file, 'utf8')
    const filed = /FILED AS OF DATE:\s*(\d{4})(\d\d)(\d\d)/.exec(text)!.slice(1).join('-')
    addAll(all, linesOf(parseXml(/<XML>\s*([\s\S]*?)<\/XML>/.exec(text)![1]!), path.basename(file, '.txt'), filed))
  }
  return all
}

test('a filing in both a set and a submission is stored once, and the submission wins in either order', async (t) => {
  const all = sampled()
  const count = all.members.get('SUBMISSION')!.length
  // Funds of several filings are mixed.
  const funds = [...Map.groupBy(all.members.get('FUND_REPORTED_INFO')!, (line) => line.ACCESSION_NUMBER!).values()]
  all.members.set(
    'FUND_REPORTED_INFO',
    [0, 1, 2, 3].flatMap((at) => funds.flatMap((own) => own.slice(at, at + 1))),
  )
  const file = await cargoSet(t, all.texts(quarterlySets), '2026q1_ncen.zip')
  const outcome = await load(file)
  assert.deepEqual(
    [outcome!.error, outcome!.found.refusals, [...outcome!.found.unread], outcome!.found.problemCount],
    [null, [], [], 0],
  )
  assert.deepEqual(outcome!.result, { filings: count, loaded: count })
  const kept = async () => ({
    standing: await sql`select fund, period, accession, is_newest, ended_by from ncen.standing order by 1, 2`,
    funds: await sql`select accession, n, fund_name, is_etf, monthly_avg_net_assets from ncen.fund order by 1, 2`,
    advisers: await sql`select accession, n, role, name, crd, is_current from ncen.adviser order by 1, 2`,
  })
  const sources = () => sql`select source, count(*)::int as n from ncen.report group by 1`
  const ofSet = await kept()
  assert.deepEqual([...(await sources())], [{ source: 'set', n: count }])
  await rebuild(world, ncen)
  assert.deepEqual(await kept(), ofSet)
  // "Not known" is not "none": a set does not show the liquidity services.
  const params = { accession: AB, role: 'liquidity_service' }
  const unknown = await ask<ProviderPage>(providers, params)
  assert.deepEqual([unknown.total, unknown.not_loaded?.[0]?.source], [0, 'ncen'])
  assert.match(
    (await ask<Detail>(detail, { accession: AB })).not_loaded![0]!.note,
    /liquidity services .* is not known/,
  )
  // No index lists the filing yet, but answers name it.
  const { header, capabilities, family_data, documents_note } = await ask<Lookup>(lookup, { accession: AB })
  const { report } = family_data as { report: { cik: string; registrant_name: string; filed_date: string } }
  assert.deepEqual(
    [header.form_type, header.cik, header.company_name, header.filed_date],
    ['N-CEN', report.cik, report.registrant_name, report.filed_date],
  )
  assert.deepEqual([capabilities.struct, capabilities.bespoke], [true, `/v1/ncen/filings/by-accession/${AB}`])
  assert.match(documents_note!, /only a data set of the SEC has it/)
  await world.crawl({ from: '2026-02-01', to: '2026-02-28' })
  await takeUpSets(sql, { datasets: ['ncen'] })
  const { done, failed } = await world.drain({ datasets: ['ncen'] })
  assert.deepEqual([done, failed], [count, 0])
  assert.deepEqual([...(await sources())], [{ source: 'xml', n: count }])
  assert.deepEqual(await kept(), ofSet)
  const known = await ask<ProviderPage>(providers, params)
  assert.deepEqual([known.total > 0, known.not_loaded], [true, undefined])
  assert.equal((await ask<Detail>(detail, { accession: AB })).not_loaded, undefined)
  const again = await load(file, { again: true })
  assert.deepEqual(again!.result, { filings: count, loaded: 0 })
  assert.deepEqual([...(await sources())], [{ source: 'xml', n: count }])
})

const accessionOf = (n: number) => `0000000700-19-${String(n).padStart(6, '0')}`

/** Makes reports of a quarter, each by another registrant. */
function made(count: number): Written {
  const all = new Written()
  for (let n = 1; n <= count; n++) {
    const advisers = [{ name: `Adviser ${n}`, crd: String(n) }]
    const funds = [{ series: `S${String(n).padStart(9, '0')}`, advisers }]
    const report = {
      accession: accessionOf(n),
      filed: '2019-03-01',
      cik: String(70_000 + n).padStart(10, '0'),
      period: '2018-12-31',
      funds,
    }
    addAll(all, linesOf(parseXml(xmlOf(report)), report.accession, report.filed))
  }
  return all
}

const stored = async () => (await sql`select accession from ncen.report where filed_date = '2019-03-01'`).length

test('a set load that stopped between two batches resumes after the first', async (t) => {
  const file = await cargoSet(t, made(60).texts(quarterlySets), '2019q1_ncen.zip')
  const stop = new AbortController()
  assert.equal(await load(file, { signal: stop.signal, onStored: () => stop.abort() }), undefined)
  assert.equal(await stored(), 50)
  assert.deepEqual((await load(file))!.result, { filings: 60, loaded: 10 })
  assert.equal(await stored(), 60)
})

test('a set that lacks a column or a required member fails, the error names what is missing, and nothing is stored', async (t) => {
  const texts = made(61).texts(quarterlySets)
  const bad = { ...texts, 'ADVISER.tsv': texts['ADVISER.tsv']!.replace('CRD_NUM', 'CRDNUM') }
  const outcome = await load(await cargoSet(t, bad, '2019q2_ncen.zip'))
  assert.equal(outcome!.error, 'ADVISER.tsv lacks the column CRD_NUM')
  const { 'CUSTODIAN.tsv': _, ...lacking } = texts
  assert.equal((await load(await cargoSet(t, lacking, '2019q3_ncen.zip')))!.error, 'lacks CUSTODIAN.tsv')
  assert.equal(await stored(), 60)
})

test('reports content of a set that is in no row: an unknown member or column, and a notice that is called N-CEN', async (t) => {
  const all = made(62)
  for (const [member, lines] of all.members) all.members.set(member, lines.slice(-1))
  const notice = '0000000700-19-000099'
  const [submission, registrant] = ['SUBMISSION', 'REGISTRANT'].map((member) => all.members.get(member)![0]!)
  all.add('SUBMISSION', { ...submission, ACCESSION_NUMBER: notice })
  all.add('REGISTRANT', { ...registrant, ACCESSION_NUMBER: notice })
  all.add('SUBMISSION', { ...submission!, ACCESSION_NUMBER: '0000000700-19-000098', SUBMISSION_TYPE: 'NT N-CEN' })
  all.members.get('FUND_REPORTED_INFO')![0]!.IS_NEW = 'Y'
  // Every real quarter lacks rare members, and one from before 2024 lacks this column of ETF.
  const { 'DIVESTMENT.tsv': _, 'BROKER.tsv': __, ...texts } = all.texts(quarterlySets)
  assert.doesNotMatch(texts['ETF.tsv']!, /REDEEMED_SHARES_PER_CREATION_UNIT/)
  const file = await cargoSet(t, { ...texts, 'LIQUIDITY_SERVICE.tsv': 'FUND_ID\tNAME\n' }, '2019q4_ncen.zip')
  const outcome = await load(file)
  assert.deepEqual(outcome!.result, { filings: 2, loaded: 1 })
  assert.deepEqual(outcome!.found.refusals, [
    { place: 'SUBMISSION.tsv:2', key: notice, reason: 'has neither a fund nor a trust' },
  ])
  assert.deepEqual([...outcome!.found.unread], ['LIQUIDITY_SERVICE.tsv', 'FUND_REPORTED_INFO.tsv/IS_NEW'])
})
