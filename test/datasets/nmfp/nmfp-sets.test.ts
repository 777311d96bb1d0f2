/**
 * The SEC's data sets of Form N-MFP: a real filing gives the same rows from its submission as from lines that were
 * written from this submission.
 */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import nmfp from '../../../src/datasets/nmfp/index.ts'
import { parse } from '../../../src/datasets/nmfp/parse.ts'
import { monthlySets } from '../../../src/datasets/nmfp/sets.ts'
import { ingestSets } from '../../../src/ingest/sets/ingest.ts'
import { corpus } from '../../support/corpus.ts'
import { filingOf } from '../../support/filing-made.ts'
import { cargoSet } from '../../support/sets/cargo.ts'
import { linesOf } from '../../support/sets/nmfp.ts'
import { byTable, documentOf, rowsOfSet, Written, without } from '../../support/sets/written.ts'
import { openWorld } from '../../support/world.ts'

const REAL = [
  ['sec/Archives/edgar/data/3794/0001145549-16-009699.txt', 'N-MFP', '2016-04-07'],
  ['sec/Archives/edgar/data/3794/0001145549-16-017346.txt', 'N-MFP1', '2016-10-07'],
  ['sec/Archives/edgar/data/862021/0001145549-24-001106.txt', 'N-MFP2', '2024-01-08'],
  ['sec/Archives/edgar/data/862021/0001410368-26-090983.txt', 'N-MFP3', '2026-09-08'],
] as const

const accessionOf = (file: string) => /\d{10}-\d\d-\d{6}/.exec(file)?.[0] ?? '0000000071-26-000001'

/** Columns that no set has: see src/datasets/nmfp/sets/map.ts. */
const LACKING = ['report.is_paper_copy', 'report.registrant_name', 'report.name_key', 'report.name_words']

/** Documents by file: real ones, the SEC's samples, and the richest invented ones of each generation of the form. */
const documents = (): string[] => [
  ...(corpus.skip === false ? [...REAL.map(([file]) => path.join(corpus.folder, file)), ...globSync(SAMPLES)] : []),
  ...globSync(path.join(import.meta.dirname, '../../../src/datasets/nmfp/fixtures/*/primary_doc.xml')),
]
/** The SEC's samples, except those of N-MFP1, which are not well-formed. */
const SAMPLES = path.join(corpus.folder, 'schemas/sec_specs/*n-mfp[23]*/**/*.xml')

test('a submission and a set give the same rows of a filing, in each generation of the form', async (t) => {
  const met = new Map<string, number>()
  for (const file of documents()) {
    const document = documentOf(file)
    const form = document.text('headerData/submissionType') ?? document.text('submissionType')!
    const expected = byTable(parse(filingOf(document, { form })))
    const { rows, problems, unread } = await rowsOfSet(
      monthlySets,
      linesOf(documentOf(file), accessionOf(file), form, '2026-09-08'),
    )
    const found = byTable(rows)
    assert.deepEqual(Object.keys(found).sort(), Object.keys(expected).sort(), file)
    const firms = (expected.support ?? []).map(({ n, name }) => `${n} ${name}`)
    const isAmbiguous = new Set(firms).size < firms.length
    const lacking = [...(form.startsWith('N-MFP3') ? [] : LACKING), ...(isAmbiguous ? ['rating.support'] : [])]
    for (const [table, own] of Object.entries(without(expected, lacking))) {
      assert.deepEqual(without(found, lacking)[table], own, `${file} ${table}`)
      met.set(table, (met.get(table) ?? 0) + own.length)
    }
    assert.equal(problems.length, document.problems().length, file)
    assert.deepEqual(unread, [], file)
  }
  t.diagnostic([...met].map(([table, count]) => `${table} ${count}`).join(', '))
  assert.deepEqual(
    Object.keys(nmfp.tables).filter((table) => !met.has(table)),
    [],
  )
})

test('a set fills the tables with filings of every generation of the form, and skips a notice', async (t) => {
  const { sql, slices, store } = await openWorld(t)
  const all = new Written()
  const files = documents().filter((file) => /\d{10}-\d\d-\d{6}/.test(file) && !file.includes('corpus'))
  for (const file of files) {
    const document = documentOf(file)
    const form = document.text('headerData/submissionType') ?? document.text('submissionType')!
    for (const [member, lines] of linesOf(documentOf(file), accessionOf(file), form, '2026-09-08').members)
      for (const line of lines) all.add(member, line)
  }
  const notice = { ACCESSION_NUMBER: '0000000001-26-000001', SUBMISSIONTYPE: 'NT N-MFP3', FILING_DATE: '08-SEP-2026' }
  all.add('NMFP_SUBMISSION', notice)
  const file = await cargoSet(t, all.texts(monthlySets), '20260810-20260908_nmfp.zip')
  const [outcome] = await ingestSets({ sql, slices, store, dataset: nmfp, from: { files: [file] } })
  assert.deepEqual([outcome!.error, outcome!.found.refusals, [...outcome!.found.unread]], [null, [], []])
  assert.deepEqual(outcome!.result, { filings: files.length, loaded: files.length })
  const rows = await sql`
    select r.generation, r.filed_date, sum(holding_count)::int as said,
      (select count(*)::int from nmfp.holding where accession = any(array_agg(r.accession))) as stored
    from nmfp.report r group by 1, 2 order by 1`
  assert.deepEqual(
    rows.map(({ generation }) => generation),
    ['N-MFP', 'N-MFP1', 'N-MFP2', 'N-MFP3'],
  )
  for (const { said, stored, filed_date } of rows)
    assert.deepEqual([stored > 0, stored, filed_date], [true, said, '2026-09-08'])
})

test('the name of a set gives its days: a quarter, or a month that ends on any day', () => {
  const days = (name: string) => monthlySets.days(monthlySets.file.exec(name)!)
  assert.deepEqual(days('2013q4_nmfp.zip'), { from: '2013-10-01', to: '2013-12-31' })
  assert.deepEqual(days('20260409-20260507_nmfp.zip'), { from: '2026-04-09', to: '2026-05-07' })
  assert.throws(() => days('20260231-20260507_nmfp.zip'), /20260231 is not a valid day/)
})

test('a filing of a set without facts about its series is refused', async () => {
  const [file] = documents().toReversed()
  const written = linesOf(documentOf(file!), accessionOf(file!), 'N-MFP3', '2026-09-08')
  written.members.delete('NMFP_SERIESLEVELINFO')
  await assert.rejects(rowsOfSet(monthlySets, written), /^Error: has no line in NMFP_SERIESLEVELINFO$/)
})
