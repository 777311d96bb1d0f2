/** Answers of the text search: rows with excerpts, totals and facets, filers and advisers; and expensive queries. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Random } from '../../../bench/random.ts'
import { generatedDocuments, wordAt } from '../../../bench/textsearch-documents.ts'
import { EFFORT } from '../../../src/products/textsearch/effort.ts'
import { answer } from '../../../src/products/textsearch/page.ts'
import { find, type SearchParams } from '../../../src/products/textsearch/search.ts'
import registry from '../../../src/registry.ts'
import { readQuery } from '../../../src/serve/search/typed.ts'
import { freshDatabase } from '../../support/database.ts'
import {
  type MadeDocument,
  makeIndexes,
  makeTables,
  storeBrochures,
  storeDocuments,
} from '../../support/textsearch-world.ts'

const { sql } = await freshDatabase({ after })

const filler = (count: number) => Array.from({ length: count }, (_, i) => `filler${i % 97}`).join(' ')
const document = (n: number, given: Partial<MadeDocument> & Pick<MadeDocument, 'text'>): MadeDocument => ({
  accession: `9000000001-24-${String(n).padStart(6, '0')}`,
  ...{ sequence: 1, corpus: 'tenx', form: '10-K', filed_date: `2024-01-${String(n).padStart(2, '0')}` },
  ...{ cik: '9000000001', company_name: 'Specimen Bakery Corp' },
  ...given,
})

/** The order is by relevance, not by date: the newest document has the words far apart. */
const documents = [
  document(1, {
    text: `${'The auditor found a material weakness. '.repeat(8)}${filler(300)}`,
    headings: ['Material weakness'],
  }),
  document(2, { text: `${filler(150)} One material weakness was found. ${filler(150)}` }),
  document(3, { text: `No weakness. ${filler(500)} Nothing material.` }),
  document(4, { text: `Tables & <b>more</b> | 1,234 | ${filler(20)} quixotic`, form: '8-K', corpus: 'eightk' }),
  document(5, { text: 'Press release about quixotic plans', sequence: 2, form: '8-K', corpus: 'exhibits' }),
]
await makeTables(sql)
await storeDocuments(sql, documents)
await storeDocuments(sql, generatedDocuments(1500))
await storeBrochures(sql, [
  { id: 999, crd: '999000001', firm_name: 'Specimen brochure', filing_date: '2023-03-01', text: 'Fees are quixotic.' },
])
await makeIndexes(sql)

const ask = (q: string, given: Partial<Parameters<typeof answer>[2]> = {}) =>
  answer(sql, registry, { q, sort: 'relevance', limit: 10, ...given })

test('a document about a phrase comes before a document that mentions it, and the latter comes before a document with separated words', async () => {
  const { rows, total, total_is } = await ask('material weaknesses')
  assert.deepEqual(
    rows.map(({ accession }) => accession?.slice(-1)),
    ['1', '2', '3'],
  )
  assert.deepEqual([total, total_is], [3, 'exact'])
  const phrase = await ask('"material weakness"')
  assert.deepEqual(
    phrase.rows.map(({ accession }) => accession?.slice(-1)),
    ['1', '2'],
  )
})

test('counts by form and year leave out documents in which the words of a phrase or of NEAR are too far apart', async () => {
  const found = { '"material weakness"': 2, 'material NEAR/3 weakness': 2, 'nothing NEAR/3 weakness': 0 }
  for (const [q, count] of Object.entries(found)) {
    const { total, total_is, document_counts } = await ask(q)
    const expected = count === 0 ? [[], []] : [[{ form: '10-K', count }], [{ year: 2024, count }]]
    assert.deepEqual([total, total_is], [count, 'exact'], q)
    assert.deepEqual([document_counts!.by_form, document_counts!.by_year], expected, q)
  }
})

test('a document has one row, with excerpts that state their position in its text', async () => {
  const { rows } = await ask('material weakness')
  for (const { accession, excerpts } of rows) {
    const { text } = documents.find((one) => one.accession === accession)!
    assert.ok(excerpts.length >= 1 && excerpts.length <= 3)
    for (const { html, offset, length } of excerpts) {
      assert.equal(html.replaceAll(/<\/?mark>/g, ''), text.slice(offset, offset + length))
    }
  }
  assert.match(rows[0]!.excerpts[0]!.html, /<mark>material<\/mark> <mark>weakness<\/mark>/)
})

test('filings, exhibits and brochures have their kind and the address of their text', async () => {
  const { rows, document_counts, total } = await ask('quixotic')
  const sources = rows.map(({ corpus, form, filed_date, url, crd, brochure }) => ({
    corpus,
    form,
    filed_date,
    url,
    crd,
    brochure,
  }))
  assert.equal(total, 3)
  assert.deepEqual(
    sources.find(({ corpus }) => corpus === 'exhibits')?.url,
    '/v1/doc-text/eightk/9000000001-24-000005?sequence=2',
  )
  assert.deepEqual(
    sources.find(({ corpus }) => corpus === 'brochures'),
    {
      corpus: 'brochures',
      form: 'ADV Part 2',
      filed_date: '2023-03-01',
      url: '/v1/brochures/999',
      crd: '999000001',
      brochure: '999',
    },
  )
  assert.deepEqual(document_counts, {
    by_form: [
      { form: '8-K', count: 2 },
      { form: 'ADV Part 2', count: 1 },
    ],
    by_year: [
      { year: 2024, count: 2 },
      { year: 2023, count: 1 },
    ],
  })
  assert.deepEqual((await ask('quixotic', { corpora: ['brochures'] })).rows.length, 1)
  assert.deepEqual((await ask('quixotic', { corpora: ['eightk', 'exhibits'] })).rows.length, 2)
})

test('a cursor of another search, a damaged cursor and a forged cursor are refused', async () => {
  const { next_cursor } = await ask(wordAt(2), { limit: 1 })
  assert.ok(next_cursor)
  await ask(wordAt(2), { limit: 5, cursor: next_cursor })
  const refused = { code: 'invalid_cursor', message: /^cursor: / }
  await assert.rejects(ask(wordAt(3), { cursor: next_cursor }), refused)
  await assert.rejects(ask(wordAt(2), { cursor: next_cursor, form: ['10-K'] }), refused)
  await assert.rejects(ask(wordAt(2), { cursor: `${next_cursor}A` }), refused)
})

test('a search that matches no document is empty, whatever the filters', async () => {
  assert.equal((await ask('xylemic')).total, 0)
  assert.equal((await ask('material', { from: '2090-01-01' })).total, 0)
  assert.equal((await ask('material', { to: '1990-01-01' })).total, 0)
  assert.equal((await ask('material', { from: '1000-01-01', to: '9999-12-31' })).rows.length, 3)
  assert.equal((await ask('material', { form: ["10-K' | '8-K"] })).total, 0)
})

test('maliciously expensive queries are answered or refused at once', async () => {
  const many = (make: (i: number) => string, count: number, joined: string) =>
    Array.from({ length: count }, (_, i) => make(i)).join(joined)
  const queries = [
    many(wordAt, 60, ' '),
    many(wordAt, 60, ' OR '),
    many((i) => `"${wordAt(i)} ${wordAt(i + 1)}"`, 30, ' OR '),
    many((i) => `-${wordAt(i)}`, 40, ' ') + ` ${wordAt(50)}`,
    `"${many(() => wordAt(0), 25, ' ')}"`,
    `"${wordAt(0)} ${wordAt(0)}" NEAR/20 "${wordAt(1)} ${wordAt(1)}"`,
    many((i) => `${wordAt(i)} NEAR/24 ${wordAt(i + 1)}`, 4, ' OR '),
    many((i) => `${wordAt(i * 50).slice(0, 3)}*`, 60, ' OR '),
    `${'('.repeat(19)}${wordAt(0)}${')'.repeat(19)}`,
    "'::tsquery; drop table documents.document; --",
    "it's \\ a' | 'b & !c:* <-> d",
    '\ud800 surrogate \udfff',
  ]
  for (const q of queries) {
    const started = performance.now()
    await ask(q, { limit: 50 }).catch((error) =>
      assert.equal(error.code, 'invalid_search', `${q.slice(0, 80)}: ${error.message}`),
    )
    assert.ok(performance.now() - started < 60_000, `${q.slice(0, 60)}: ${performance.now() - started} ms`)
  }
  const [row] = await sql<[{ there: boolean }]>`select exists (select from documents.document) as there`
  assert.ok(row.there)
})

test('a common word is counted in a sample, and pages state the date since which documents are ranked together', async () => {
  const effort = { ...EFFORT, sample: 64, block: 400, newest: 100, counted: 50, rowsMax: 50, itemsMax: 100 }
  const params: SearchParams = {
    ...{ q: wordAt(1), corpora: null, forms: null, cik: null, from: null, to: null },
    ...{ sort: 'relevance', limit: 50, cursor: null },
  }
  const { counts } = await find(sql, readQuery(params.q), params, { ...EFFORT, counted: 10_000, itemsMax: 10_000 })
  assert.equal(counts?.is, 'exact')
  const all = counts.total
  const seen: string[] = []
  let since: string | null = null
  let cursor: string | null = null
  for (let page = 0; page === 0 || cursor; page++) {
    const found = await find(sql, readQuery(params.q), { ...params, cursor }, effort)
    if (page === 0) {
      assert.equal(found.counts?.is, 'about')
      assert.ok(Math.abs(found.counts.total - all) < all * 0.3, `${found.counts.total} of ${all}`)
    } else assert.equal(found.counts, null)
    seen.push(...found.documents.map(({ name }) => name))
    since = found.ranked_since ?? since
    cursor = found.next_cursor
  }
  assert.match(since ?? '', /^20/)
  assert.equal(new Set(seen).size, seen.length)
  assert.equal(seen.length, all)
})

test('a row that arrives between two pages does not shift other rows: pages return each document once', async () => {
  const random = new Random(3)
  const q = wordAt(40)
  const first = await ask(q, { limit: 20, sort: 'date' })
  const newer = [...generatedDocuments(40, { seed: 77 })].map((one, i) => ({
    ...one,
    accession: `9000000002-${one.accession.slice(11, 13)}-${String(i).padStart(6, '0')}`,
    text: `${q} ${one.text.slice(0, 20 + random.below(100))}`,
    sections: [],
  }))
  await storeDocuments(sql, newer)
  const seen = first.rows.map(({ accession }) => accession)
  for (let cursor = first.next_cursor; cursor; ) {
    const page = await ask(q, { limit: 20, sort: 'date', cursor })
    seen.push(...page.rows.map(({ accession }) => accession))
    cursor = page.next_cursor
  }
  assert.equal(new Set(seen).size, seen.length)
  const { total, total_is } = await ask(q, { sort: 'date' })
  assert.equal(total_is, 'exact')
  assert.ok(seen.length >= total! - newer.length && seen.length <= total!)
})
