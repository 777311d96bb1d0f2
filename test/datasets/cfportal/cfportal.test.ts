/** /cfportal: one row per portal, tested on rows as the loader stores them; and every real document of the form. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Page } from '../../../src/datasets/cfportal/answers.ts'
import cfportal from '../../../src/datasets/cfportal/index.ts'
import { parse } from '../../../src/datasets/cfportal/parse.ts'
import * as queries from '../../../src/datasets/cfportal/queries.ts'
import { portals } from '../../../src/datasets/cfportal/routes.ts'
import { load, type Parsed } from '../../../src/ingest/load.ts'
import { wordsOfNames } from '../../../src/names.ts'
import { fold } from '../../../src/read/fold.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import { testContext } from '../../support/context.ts'
import { corpus } from '../../support/corpus.ts'
import { freshDatabase } from '../../support/database.ts'
import { filingOf } from '../../support/filing-made.ts'
import { listLoaded } from '../../support/spine-rows.ts'
import { openWorld } from '../../support/world.ts'

interface Filing {
  /** Last digits of the accession: the number of the portal, then the number of the filing. */
  at: `${string}-${number}`
  filed: string
  form?: 'CFPORTAL' | 'CFPORTAL/A' | 'CFPORTAL-W'
  name: string
  website?: string | null
  state?: string | null
}

const filings: Filing[] = [
  { at: '1-1', filed: '2018-05-02', name: 'Zeta Portal LLC', website: 'zeta.example', state: 'MI' },
  { at: '1-2', filed: '2020-01-10', form: 'CFPORTAL/A', name: 'Ångström 100% Crowd', website: null, state: 'CA' },
  {
    at: '1-3',
    filed: '2022-07-01',
    form: 'CFPORTAL/A',
    name: 'Ångström 100% Crowd',
    website: 'ang.example',
    state: 'CA',
  },
  // This portal withdrew, and amended its form within the 30 days before the withdrawal took effect.
  { at: '2-1', filed: '2019-03-01', name: 'beta_portal', state: 'TX' },
  { at: '2-2', filed: '2024-05-01', form: 'CFPORTAL-W', name: 'beta_portal', state: 'TX' },
  { at: '2-3', filed: '2024-05-20', form: 'CFPORTAL/A', name: 'beta_portal', state: 'TX' },
  // This portal withdrew and registered again.
  { at: '3-1', filed: '2017-01-01', name: 'Gamma Inc.', state: 'NY' },
  { at: '3-2', filed: '2018-01-01', form: 'CFPORTAL-W', name: 'Gamma Inc.', state: 'NY' },
  { at: '3-3', filed: '2023-01-01', name: 'Gamma Inc.', state: null },
  // A portal with only a withdrawal.
  { at: '4-1', filed: '2025-06-24', form: 'CFPORTAL-W', name: 'Delta', state: 'CA' },
  // A portal with only an amendment, filed on the same day as another portal's newest filing.
  { at: '5-1', filed: '2024-05-20', form: 'CFPORTAL/A', name: 'alpha', state: 'Z4' },
]

const cikOf = (at: string) => at.split('-')[0]!.padStart(10, '0')
const accession = (at: string) => `${cikOf(at)}-20-${at.split('-')[1]!.padStart(6, '0')}`

const { sql } = await freshDatabase({ after })
const document = readFileSync(
  new URL('../../../src/datasets/cfportal/fixtures/0001951877-22-000001/primary_doc.xml', import.meta.url),
)
const rows = [...parse(filingOf(parseXml(document)))] as Parsed['rows']
await sql.begin((tx) => load(tx, cfportal, filings.map(parsed)))
await listLoaded(sql, cfportal)

function parsed({ at, filed, form = 'CFPORTAL', name, website = null, state = null }: Filing): Parsed {
  const changes = {
    ...{ submission_type: form, cik: cikOf(at), name, name_key: fold(name), website, state },
    search_key: [name, website ?? []].flat().map(fold).join('\n'),
    name_words: wordsOfNames([name]),
  }
  return {
    accession: accession(at),
    filedDate: filed,
    rows: rows.map(([table, row]) => [table, table === 'filing' ? { ...row, ...changes } : row]),
  }
}

const ask = async (query: Record<string, string> = {}) => {
  const page = (await portals.run(portals.input.parse(query), testContext(sql))) as Page
  assert.deepEqual(portals.output!.safeParse(page).error?.issues ?? [], [])
  return page
}
/** Returns the last digits of the CIKs, in the order of the rows. */
const order = async (query: Record<string, string> = {}) =>
  (await ask(query)).rows.map(({ cik }) => cik.at(-1)).join('')

test('a portal is one row with its counts, its first and latest filing, and the data of the latest filing', async () => {
  const { rows } = await ask({ q: 'angstrom' })
  assert.deepEqual(rows, [
    {
      cik: '0000000001',
      name: 'Ångström 100% Crowd',
      website: 'ang.example',
      city: 'DALLAS',
      state: 'CA',
      status: 'active',
      filing_count: 3,
      registration_count: 1,
      amendment_count: 2,
      withdrawal_count: 0,
      first_filing: { accession: accession('1-1'), filed_date: '2018-05-02', submission_type: 'CFPORTAL' },
      latest_filing: { accession: accession('1-3'), filed_date: '2022-07-01', submission_type: 'CFPORTAL/A' },
    },
  ])
})

test('a withdrawal counts until the portal registers again; an amendment after the withdrawal changes nothing', async () => {
  const { rows } = await ask({ sort: 'name', dir: 'asc' })
  assert.deepEqual(
    rows.map(({ cik, status }) => [cik.at(-1), status]),
    [
      ['5', 'active'],
      ['1', 'active'],
      ['2', 'withdrawn'],
      ['4', 'withdrawn'],
      ['3', 'active'],
    ],
  )
  assert.equal(await order({ status: 'active' }), '531')
  assert.equal(await order({ status: 'withdrawn' }), '42')
})

test('portals are sorted by the date of their latest filing, newest first; ties are sorted by CIK', async () => {
  assert.equal(await order(), '45231')
  assert.equal(await order({ dir: 'asc' }), '13254')
})

test('portals can be sorted by name (ignoring case and accents), by first filing and by number of filings', async () => {
  assert.equal(await order({ sort: 'name', dir: 'asc' }), '51243')
  assert.equal(await order({ sort: 'name' }), '34215')
  assert.equal(await order({ sort: 'first', dir: 'asc' }), '31254')
  assert.equal(await order({ sort: 'first' }), '45213')
  assert.equal(await order({ sort: 'filings' }), '23145')
  assert.equal(await order({ sort: 'filings', dir: 'asc' }), '45231')
})

test('a portal is found by any part of a current or former name or website; % and _ are not wildcards', async () => {
  assert.equal(await order({ q: 'zeta portal' }), '1')
  assert.equal(await order({ q: 'ZETA.example' }), '1')
  assert.equal(await order({ q: '100%' }), '1')
  assert.equal(await order({ q: 'beta_p' }), '2')
  assert.equal(await order({ q: 'beta%p' }), '2', 'signs separate words')
  assert.equal(await order({ q: 'l_ta' }), '')
  assert.equal(await order({ q: 'ta' }), '421')
})

test('the state is that of the latest filing; a list of states, in capitals or small letters, means any of them', async () => {
  assert.equal(await order({ state: 'ca' }), '41')
  assert.equal(await order({ state: 'MI' }), '')
  assert.equal(await order({ state: 'NY' }), '')
  assert.equal(await order({ state: 'TX, z4' }), '52')
})

test('`cik` selects one portal with all of its filings, and `from` and `to` limit the date of the latest filing', async () => {
  const { rows } = await ask({ cik: '1' })
  assert.deepEqual(
    rows.map(({ cik, filing_count }) => [cik, filing_count]),
    [['0000000001', 3]],
  )
  assert.equal(await order({ from: '2024-05-20' }), '452')
  assert.equal(await order({ from: '2023-01-01', to: '2024-05-20', dir: 'asc' }), '325')
  assert.equal(await order({ cik: '1', from: '2022-07-02' }), '')
})

test('portals are counted by state, status and month of the latest filing, on the first page only', async () => {
  const counts = async (query: Record<string, string>) => {
    const { total, value_counts } = await ask({ ...query, limit: '1' })
    return [total, value_counts?.map(({ value, count }) => `${value} ${count}`)]
  }
  assert.deepEqual(await counts({ count: 'status' }), [5, ['active 3', 'withdrawn 2']])
  assert.deepEqual(await counts({ count: 'state', status: 'active' }), [3, ['CA 1', 'Z4 1', 'null 1']])
  assert.deepEqual(await counts({ count: 'month', from: '2024-01-01' }), [3, ['2025-06 1', '2024-05 2']])
  const { next_cursor } = await ask({ count: 'status', limit: '1', paginate: 'cursor' })
  assert.deepEqual(await counts({ count: 'status', cursor: next_cursor! }), [5, undefined])
})

test('filters are combined with AND', async () => {
  assert.equal(await order({ state: 'CA', status: 'withdrawn', q: 'del' }), '4')
  assert.equal(await order({ state: 'CA', status: 'active', q: 'del' }), '')
})

test('the total covers the rows of all pages, and a page after the last row states it too', async () => {
  const pages = await Promise.all(['0', '2', '4', '6'].map((offset) => ask({ limit: '2', offset })))
  assert.deepEqual(
    pages.map(({ rows, total, limit, offset }) => [rows.length, total, limit, offset]),
    [
      [2, 5, 2, 0],
      [2, 5, 2, 2],
      [1, 5, 2, 4],
      [0, 5, 2, 6],
    ],
  )
  assert.equal(pages.flatMap(({ rows }) => rows.map(({ cik }) => cik.at(-1))).join(''), '45231')
  assert.equal((await ask({ status: 'withdrawn', limit: '1' })).total, 2)
})

test('a page of more than 100 and an unknown status, order or state are refused', () => {
  for (const query of [
    { limit: '101' },
    { limit: '0' },
    { status: 'x' },
    { sort: 'state' },
    { dir: 'up' },
    { state: 'Texas' },
  ])
    assert.equal(portals.input.safeParse(query).success, false, JSON.stringify(query))
})

test('a filing shows its portal and all filings of this portal, newest first', async () => {
  const { filing, portal, filings } = (await queries.detail(sql, { accession: accession('2-1') }))!
  assert.equal(filing.submission_type, 'CFPORTAL')
  assert.deepEqual(
    [portal.status, portal.filing_count, portal.latest_filing.accession],
    ['withdrawn', 3, accession('2-3')],
  )
  assert.deepEqual(
    filings.map((own) => own.accession),
    ['2-3', '2-2', '2-1'].map(accession),
  )
  assert.equal(await queries.detail(sql, { accession: accession('2-9') }), null)
})

/** The quarters of the corpus with a filing of the form. */
const QUARTERS = [
  ['2018-01-01', '2018-03-31'],
  ['2021-04-01', '2021-09-30'],
  ['2025-04-01', '2025-06-30'],
] as const

test('every corpus filing of the form is ingested completely', { skip: corpus.skip }, async (t) => {
  const world = await openWorld(t, { root: path.join(corpus.folder, 'sec') })
  // test/project/corpus.test.ts reads all indexes of the corpus, and finds the same four filings.
  for (const [from, to] of QUARTERS) await world.crawl({ from, to })
  assert.deepEqual(await world.drain({ datasets: ['cfportal'] }), { done: 4, failed: 0, unread: 0 })
  const found = await world.sql`
    select f.name, f.submission_type, jsonb_array_length(t.problems) as problems
    from cfportal.filing f join edgar.task t using (accession) order by 1, f.filed_date`
  assert.deepEqual(
    found.map((row) => Object.values(row)),
    [
      ['Equifund Crowd Funding Portal Inc.', 'CFPORTAL/A', 0],
      ['Equifund Crowd Funding Portal Inc.', 'CFPORTAL/A', 0],
      ['Invown Funding Portal LLC', 'CFPORTAL', 0],
      ['Seed At The Table', 'CFPORTAL-W', 0],
    ],
  )
})

test('the SEC’s three sample documents are read completely', { skip: corpus.skip }, () => {
  const files = globSync('schemas/sec_specs/form-cf-portal-*/EDGAR_Form_CFPortal_Samples/*.xml', { cwd: corpus.folder })
  assert.equal(files.length, 3)
  for (const file of files) {
    const doc = parseXml(readFileSync(path.join(corpus.folder, file)))
    const rows = [...parse(filingOf(doc))] as Parsed['rows']
    for (const [table, row] of rows) cfportal.tables[table]!.parsed.strict().parse(row)
    assert.deepEqual([doc.unread(), doc.problems()], [[], []], file)
  }
})
