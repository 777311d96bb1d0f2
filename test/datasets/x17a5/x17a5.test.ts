/** Brokers from their annual reports: list, detail, and the selection of the newest report. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import x17a5 from '../../../src/datasets/x17a5/index.ts'
import { parse } from '../../../src/datasets/x17a5/parse.ts'
import { detail, search } from '../../../src/datasets/x17a5/routes.ts'
import { load, type Parsed } from '../../../src/ingest/load.ts'
import { storedName } from '../../../src/names.ts'
import { fold } from '../../../src/read/fold.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import { testContext } from '../../support/context.ts'
import { corpus } from '../../support/corpus.ts'
import { freshDatabase } from '../../support/database.ts'
import { filingOf } from '../../support/filing-made.ts'
import { changing, remake } from '../../support/refreshed.ts'
import { serveSample } from '../../support/served.ts'
import { listLoaded } from '../../support/spine-rows.ts'

const { sql } = await freshDatabase({ after })

const document = new URL('../../../src/datasets/x17a5/fixtures/0000200403-20-000002/primary_doc.xml', import.meta.url)
const [[, model] = assert.fail('no row')] = [...parse(filingOf(parseXml(readFileSync(document))))]

interface Report {
  cik: string | null
  /** Number of the filing among the filings of its filer. */
  n: number
  filed: string
  end: string | null
  name?: string
  state?: string | null
  auditor?: string | null
  weakness?: boolean | null
}

const at = ({ cik, n }: Pick<Report, 'cik' | 'n'>) => `${cik ?? '0000000000'}-24-${String(n).padStart(6, '0')}`

/** Loads reports like one batch of ingest. */
async function loadReports(reports: readonly Report[]): Promise<void> {
  const filings: Parsed[] = reports.map((report) => {
    const { cik, filed, end, name = 'Specimen', state = 'NY', auditor = 'Example LLP', weakness = false } = report
    const row = {
      ...model,
      cik,
      period_end: end,
      broker_name: name,
      name_key: fold(name),
      name_words: storedName(name).words,
      state,
      auditor,
      auditor_key: auditor && fold(auditor),
      auditor_words: auditor && storedName(auditor).words,
      material_weakness: weakness,
    }
    return { accession: at(report), filedDate: filed, rows: [['report', row]] }
  })
  const keys = filings.map(({ accession }) => accession)
  await changing(sql, x17a5, { keys }, (tx) => load(tx, x17a5, filings))
  await listLoaded(sql, x17a5)
}

type Page = { total: number; brokers: { cik: string; name: string; accession: string; filed_date: string }[] }
type Detail = {
  broker: Record<string, unknown>
  filings: { accession: string; is_newest: boolean }[]
}

const list = (query: Record<string, string> = {}) =>
  search.run(search.input.parse(query), testContext(sql)) as Promise<Page>
const broker = (cik: string) => detail.run(detail.input.parse({ cik }), testContext(sql)) as Promise<Detail | null>
/** Accession of the broker's newest report. */
const newest = async (cik: string) => (await broker(cik))?.broker.accession

const LISTED: Report[] = [
  { cik: '0000000001', n: 1, filed: '2024-02-28', end: '2023-12-31', name: 'Zeta Securities', state: 'NY' },
  {
    cik: '0000000002',
    n: 1,
    filed: '2024-02-28',
    end: '2023-12-31',
    name: 'Ångström 100% Brokers',
    auditor: 'BDO, P.C.',
  },
  {
    cik: '0000000003',
    n: 1,
    filed: '2024-03-01',
    end: '2023-12-31',
    name: 'alpha_one LLC',
    state: 'CA',
    weakness: true,
  },
  { cik: '0000000004', n: 1, filed: '2024-01-15', end: '2023-11-30', name: 'Beta LLC', state: null, auditor: null },
  { cik: '0000000005', n: 1, filed: '2024-02-01', end: '2023-11-30', name: 'beta llc', state: 'X0', weakness: null },
]

/** Last digits of the CIKs, in order. */
const order = async (query: Record<string, string> = {}) =>
  (await list(query)).brokers.map(({ cik }) => cik.slice(-1)).join('')

test('brokers are sorted by the date of their newest report or by name, ties by CIK', async () => {
  await loadReports(LISTED)
  assert.equal(await order(), '32154')
  assert.equal(await order({ dir: 'asc' }), '45123')
  assert.equal(await order({ sort: 'name', dir: 'asc' }), '32451')
  assert.equal(await order({ sort: 'name' }), '15423')
  const answer = await list()
  assert.equal(answer.total, 5)
  const declared = search.output!.safeParse(answer)
  assert.deepEqual(declared.error?.issues ?? [], [])
  assert.deepEqual(Object.keys(await list({ count: 'exact' })), ['total', 'total_is', 'brokers', 'next_cursor'])
  assert.deepEqual(Object.keys(answer.brokers[0]!), Object.keys((declared.data as Page).brokers[0]!))
})

test('names and accountants are found by any part, ignoring case and accents; % and _ are not wildcards', async () => {
  assert.equal(await order({ q: 'ANGSTROM' }), '2')
  assert.equal(await order({ q: '100%' }), '2')
  assert.equal(await order({ q: 'a_one' }), '3')
  assert.equal(await order({ q: 'a_' }), '32', 'a word begins with this letter')
  assert.equal(await order({ auditor: 'bdo' }), '2')
  assert.equal(await order({ auditor: 'EXAMPLE' }), '315')
})

test('a filter by several states finds brokers in any of them; `weakness=true` lists only disclosures, `weakness=false` all brokers', async () => {
  assert.equal(await order({ state: 'ca,x0' }), '35')
  assert.equal(await order({ weakness: 'true' }), '3')
  assert.equal(await order({ weakness: 'false' }), '32154')
  assert.equal((await list({ state: 'NY', q: 'e' })).total, 2)
})

test('pages follow each other without a gap, and the total covers all pages, also on a page beyond the end', async () => {
  const pages = await Promise.all([0, 2, 4, 6].map((offset) => list({ limit: '2', offset: String(offset) })))
  assert.deepEqual(
    pages.map(({ total }) => total),
    [5, 5, 5, 5],
  )
  assert.equal(pages.flatMap(({ brokers }) => brokers.map(({ cik }) => cik.slice(-1))).join(''), '32154')
  assert.equal(search.input.safeParse({ limit: '101' }).success, false)
  assert.equal(search.input.safeParse({ sort: 'size' }).success, false)
})

test('a late amendment of an older year joins the history and does not hide the newer report', async () => {
  const cik = '0000000011'
  await loadReports([
    { cik, n: 1, filed: '2023-02-27', end: '2022-12-31', name: 'Before LLC' },
    { cik, n: 2, filed: '2024-02-28', end: '2023-12-31', name: 'After LLC', weakness: true },
  ])
  await loadReports([{ cik, n: 3, filed: '2024-05-15', end: '2022-12-31', name: 'Before LLC' }])
  const found = await broker(cik)
  assert.equal(found!.broker.name, 'After LLC')
  assert.deepEqual(
    found!.filings.map(({ accession, is_newest }) => [Number(accession.slice(-1)), is_newest]),
    [
      [3, false],
      [2, true],
      [1, false],
    ],
  )
  assert.deepEqual(detail.output!.safeParse(found).error?.issues ?? [], [])
})

test('an amendment of the newest year replaces the report, even on the same day', async () => {
  const cik = '0000000012'
  await loadReports([
    { cik, n: 1, filed: '2020-01-02', end: '2019-10-31' },
    { cik, n: 2, filed: '2020-01-02', end: '2019-10-31' },
  ])
  assert.equal(await newest(cik), at({ cik, n: 2 }))
})

test('the newest report stays current if older reports arrive later', async () => {
  const cik = '0000000013'
  await loadReports([{ cik, n: 2, filed: '2024-02-28', end: '2023-12-31' }])
  await loadReports([{ cik, n: 1, filed: '2023-02-28', end: '2022-12-31' }])
  assert.equal(await newest(cik), at({ cik, n: 2 }))
})

test('a report with an unreadable or future year is stored and hides no later report', async () => {
  const cik = '0000000014'
  await loadReports([
    { cik, n: 1, filed: '2023-02-28', end: '2202-12-31' },
    { cik, n: 2, filed: '2024-02-28', end: '2023-12-31' },
  ])
  assert.equal(await newest(cik), at({ cik, n: 2 }))
  await loadReports([{ cik, n: 3, filed: '2025-02-28', end: null }])
  assert.equal(await newest(cik), at({ cik, n: 3 }))
})

test('a filing that is read again with another CIK moves from its old broker to the new one', async () => {
  const [old, right] = ['0000000015', '0000000016']
  const report = { cik: old, n: 1, filed: '2024-02-28', end: '2023-12-31' }
  await loadReports([report])
  await changing(
    sql,
    x17a5,
    { keys: [at(report)] },
    (tx) => tx`update x17a5.report set cik = ${right} where accession = ${at(report)}`,
  )
  assert.equal(await broker(old), null)
  assert.equal(await newest(right), at(report))
})

test('if a filing’s rows are deleted, the previous report becomes current; without any report the broker is deleted', async () => {
  const cik = '0000000017'
  const reports = [1, 2].map((n) => ({ cik, n, filed: `202${n}-02-28`, end: `202${n - 1}-12-31` }))
  await loadReports(reports)
  for (const expected of [at(reports[0]!), undefined]) {
    const gone = (await newest(cik)) as string
    await changing(sql, x17a5, { keys: [gone] }, (tx) => tx`delete from x17a5.report where accession = ${gone}`)
    assert.equal(await newest(cik), expected)
  }
})

test('a full refresh gives the same rows as refreshes filing by filing, and omits reports that name no filer', async () => {
  await loadReports([{ cik: null, n: 1, filed: '2024-02-28', end: '2023-12-31' }])
  const rows = () => sql`select * from x17a5.broker order by cik`
  const before = await rows()
  await remake(sql, x17a5)
  assert.deepEqual([...(await rows())], [...before])
  const [count] = await sql`select count(distinct cik)::int as n from x17a5.report where cik is not null`
  assert.equal(count!.n, before.length)
})

test('a CIK is found with and without leading zeros; an unknown one is null', async () => {
  await loadReports(LISTED)
  assert.deepEqual(await broker('1'), await broker('0000000001'))
  assert.notEqual(await broker('1'), null)
  assert.equal(await broker('9999999999'), null)
  assert.equal(detail.input.safeParse({ cik: 'abc' }).success, false)
})

test('the sample’s brokers have the file number of the header, or that of the cover if the header has none', async (t) => {
  const served = await serveSample(t)
  const specimen = await served.json<Detail>('/brokers/9000000017')
  assert.deepEqual(
    [specimen.broker.file_number, specimen.broker.material_weakness, specimen.broker.period_end],
    ['008-99917', true, '2018-12-31'],
  )
  assert.equal(specimen.filings.length, 3)
  assert.equal((await served.json<Detail>('/brokers/200403')).broker.file_number, null)
  assert.equal((await served.json<Page>('/brokers?weakness=true')).total, 1)
  await served.sql`update edgar.submission set header = jsonb_set(header, '{filers,0,fileNumber}', 'null')`
  await served.sql`update x17a5.report set file_numbers = '{008-99918,026-99918}' where cik = '9000000017'`
  await remake(served.sql, x17a5)
  const [row] = await served.sql`select file_number from x17a5.broker where cik = '9000000017'`
  assert.equal(row!.file_number, '008-99918')
})

test('every X-17A-5 of the corpus, and each SEC sample, is read completely', { skip: corpus.skip }, (t) => {
  const filings = globSync('sec/Archives/edgar/data/*/*.txt', { cwd: corpus.folder })
    .map((file) => readFileSync(path.join(corpus.folder, file), 'latin1'))
    .filter((text) => /^<TYPE>X-17A-5/m.test(text))
    .map((text) => /<XML>([\s\S]*?)<\/XML>/.exec(text)![1]!)
  const samples = globSync('schemas/sec_specs/form-x-17a-5-xml-*/**/*Samples/*.xml', { cwd: corpus.folder }).map(
    (file) => readFileSync(path.join(corpus.folder, file), 'utf8'),
  )
  assert.deepEqual([filings.length, samples.length], [10, 3])
  for (const text of [...filings, ...samples]) {
    const doc = parseXml(text)
    const [[, row] = assert.fail('no row')] = [...parse(filingOf(doc))]
    assert.deepEqual([doc.unread(), doc.problems()], [[], []])
    x17a5.tables.report!.parsed.strict().parse(row)
    t.diagnostic(`${row.cik} ${row.broker_name} ${row.period_end}`)
  }
})
