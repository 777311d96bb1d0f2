/**
 * Lists of a company's filings in different answers: all come from the spine, have one shape, and include filings that
 * are not read.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { FilingsDataset } from '../../src/declare/dataset.ts'
import type { Route } from '../../src/declare/route.ts'
import { load, type Parsed } from '../../src/ingest/load.ts'
import { detail as lookup } from '../../src/products/filings/lookup.ts'
import { parse as parseXml } from '../../src/read/xml.ts'
import registry from '../../src/registry.ts'
import { filingRow } from '../../src/serve/filings-of.ts'
import { testContext } from '../support/context.ts'
import { freshDatabase } from '../support/database.ts'
import { filingOf } from '../support/filing-made.ts'
import { changing } from '../support/refreshed.ts'
import { listLoaded, loadFilings } from '../support/spine-rows.ts'

const { sql } = await freshDatabase({ after })

/** A fixture of each dataset, and the place in the detail of the fixture that lists the company's filings. */
const CASES: Record<string, { fixture: string; by: 'accession' | 'cik'; at: string[]; own: boolean }> = {
  formd: { fixture: '9000000001-09-000001', by: 'accession', at: ['other_filings'], own: false },
  rega: { fixture: '9000000101-16-000001', by: 'accession', at: ['other_filings'], own: false },
  crowdfunding: { fixture: '9000000020-16-000001', by: 'accession', at: ['submission', 'other_filings'], own: false },
  cfportal: { fixture: '9000000030-24-000001', by: 'accession', at: ['filings'], own: true },
  x17a5: { fixture: '9000000017-24-000001', by: 'cik', at: ['filings'], own: true },
}

type Row = Record<string, unknown>

async function loadFixture(dataset: FilingsDataset, accession: string): Promise<void> {
  const file = `../../src/datasets/${dataset.slug}/fixtures/${accession}/primary_doc.xml`
  const document = parseXml(readFileSync(new URL(file, import.meta.url)))
  const rows = [...(dataset.source.parse(filingOf(document)) as Iterable<Parsed['rows'][number]>)]
  await changing(sql, dataset, { keys: [accession] }, (tx) =>
    load(tx, dataset, [{ accession, filedDate: '2024-01-02', rows }]),
  )
  await listLoaded(sql, dataset)
}

async function listed(slug: string): Promise<Row[]> {
  const { fixture, by, at } = CASES[slug]!
  const route = registry.family(slug)!.dataset!.routes.find(({ path }) => path.includes(`{${by}}`)) as Route
  const [{ cik } = { cik: '' }] = await sql<
    { cik: string }[]
  >`select cik from edgar.filing where accession = ${fixture}`
  const answer = await route.run(route.input.parse({ [by]: by === 'cik' ? cik : fixture }), testContext(sql))
  assert.deepEqual(route.output!.safeParse(answer).error?.issues ?? [], [], slug)
  return at.reduce<unknown>((part, name) => (part as Row)[name], answer) as Row[]
}

for (const [slug, { fixture, own }] of Object.entries(CASES)) {
  const dataset = registry.filings.find((one) => one.slug === slug)!
  test(`${slug}: a company's filings come from the spine in the common shape, and an unread filing is marked as such`, async () => {
    await loadFixture(dataset, fixture)
    const [filing] = await sql`select cik, company_name from edgar.filing where accession = ${fixture}`
    const unread = `0000000009-25-${String(Object.keys(CASES).indexOf(slug)).padStart(6, '0')}`
    await loadFilings(sql, [
      { accession: unread, form: dataset.source.forms[0]!, filed: '2025-05-05', filers: [[filing!.cik, 'New Name']], period: '2025-03-31' },
      { accession: unread.replace('-25-', '-26-'), form: '8-K', filed: '2025-06-06', filers: [[filing!.cik, 'New Name']] },
    ]) // biome-ignore format: a row a line
    const rows = await listed(slug)
    assert.deepEqual(
      rows.map(({ accession, is_read }) => [accession, is_read]),
      [[unread, false], ...(own ? [[fixture, true]] : [])],
    )
    const [first] = rows
    const shape = Object.keys(filingRow.shape)
    assert.deepEqual(Object.keys(first!).slice(0, shape.length + 1), [...shape, 'is_read'])
    assert.deepEqual(filingRow.parse(first), {
      accession: unread,
      cik: filing!.cik,
      company_name: 'New Name',
      form_type: dataset.source.forms[0],
      filed_date: '2025-05-05',
      period_of_report: '2025-03-31',
      accepted_at: null,
      has_text: false,
      family: slug,
    })
    const { is_newest, amended_by, ...facts } = Object.fromEntries(Object.entries(first!).slice(shape.length + 1))
    assert.ok(is_newest === undefined || is_newest === false)
    assert.deepEqual([...new Set(Object.values(facts)), amended_by], [null, []])
  })
}

test('the timeline of a filing has rows of the same shape for all forms', async () => {
  const context = testContext(sql, { catalog: registry })
  const { fixture } = CASES.formd!
  const answer = (await lookup.run(lookup.input.parse({ accession: fixture }), context)) as { timeline: Row[] }
  assert.deepEqual(
    answer.timeline.map(({ form_type }) => form_type),
    ['8-K', 'D', 'D'],
  )
  for (const row of answer.timeline) assert.deepEqual(Object.keys(row), Object.keys(filingRow.shape))
})

test('a route that reads the catalog fails with a hint if its test passed no catalog', async () => {
  const answer = lookup.run(lookup.input.parse({ accession: CASES.formd!.fixture }), testContext(sql))
  await assert.rejects(answer, /the route reads the catalog: give it to testContext/)
})

test('the read filings of a company are listed, even if many unread filings came after them', async () => {
  const [filing] = await sql`select cik from edgar.filing where accession = '9000000001-09-000001'`
  await loadFixture(registry.family('formd')!.dataset!, '9000000001-09-000002')
  await sql`
    insert into edgar.filing (accession, form_type, family, filed_date, cik, company_name, name_key, path)
    select '0000000008-26-' || lpad(n::text, 6, '0'), '424B2', 'prospectuses', '2026-01-01', ${filing!.cik}, 'A', 'a', 'x'
    from generate_series(1, 20001) n`
  await sql`
    insert into edgar.filer (accession, cik, name_id, filed_date)
    select accession, cik, 1, filed_date from edgar.filing where form_type = '424B2'`
  await sql`analyze edgar.filer, edgar.filing`
  const rows = await listed('formd')
  assert.deepEqual(
    rows.map(({ accession, is_read }) => [accession, is_read]),
    [['9000000001-09-000002', true]],
  )
})
