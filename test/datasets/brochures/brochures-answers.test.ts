/** Answers about brochures: search of firms by text, versions of a firm, and one version with its whole text. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { submissions } from '../../../src/archive/submissions.ts'
import type { Brochure, BrochureSearchPage, BrochureVersions } from '../../../src/datasets/brochures/answers.ts'
import { detail, firm, search } from '../../../src/datasets/brochures/routes.ts'
import type { Route } from '../../../src/declare/route.ts'
import { openLibrary, pdfOf } from '../../support/brochures-made.ts'
import { testContext } from '../../support/context.ts'

const library = await openLibrary({ after })
const { sql, store, archive, parts } = library
const context = testContext(sql, { submissions: submissions({ sql, store, client: parts.client }) })
const ask = async <T>(route: Route, input: Record<string, string>) =>
  (await route.run(route.input.parse(input), context)) as T
const searched = (q: string, more: Record<string, string> = {}) => ask<BrochureSearchPage>(search, { q, ...more })

// Other datasets own this view; the tests replace it here. Firm 4 has no brochure, and firm 5 is unknown.
await sql`drop view pub.adv_adviser`
await sql`create table pub.adv_adviser (crd text collate "C" primary key, firm_name text, city text, state text)`
await sql`
  insert into pub.adv_adviser values ('1', 'Specimen One', 'Boston', 'MA'), ('2', 'Specimen Two', 'Reno', 'NV'),
    ('4', 'Specimen Four', null, null)`

const filler = (words: string) => `${words} ${'Nothing else of note stands in this paragraph. '.repeat(4)}`

test('an empty answer states that nothing is loaded, and an unknown number is 404 with the reason', async () => {
  const found = await searched('fees')
  assert.deepEqual([found.total, found.rows, found.not_loaded?.map(({ source }) => source)], [0, [], ['BROCHURES']])
  const versions = await ask<BrochureVersions>(firm, { crd: '4' })
  assert.deepEqual([versions.versions, versions.not_loaded?.map(({ source }) => source)], [[], ['BROCHURES']])
  await assert.rejects(ask(detail, { id: '999999999' }), { status: 404, message: /BROCHURES/ })
})

test('versions of a firm come newest first, with the firm’s data from the adviser tables', async () => {
  await library.zip('ADV_Brochures_2026_January.zip', {
    '1_70_1_20260105.pdf': pdfOf(
      '# Item 5 Fees and Compensation',
      filler('Old text: hourly fees of an abandoned kind.'),
    ),
    '1_71_1_20260110.pdf': pdfOf('# Wrap fee program', filler('The wrap fee covers everything.')),
    '2_80_1_20260107.pdf': pdfOf('# Item 5 Fees and Compensation', filler('Fees & <b>costs</b> are small.')),
    '3_90_1_20260107.pdf': 'no PDF',
  })
  await library.zip('ADV_Brochures_2026_February.zip', {
    '1_70_2_20260205.pdf': pdfOf(
      '# Item 4 Advisory Business',
      filler('We advise families.'),
      '# Item 5 Fees and Compensation',
      filler('We charge fees of one per cent of assets under management.'),
    ),
  })
  const { versions } = await ask<BrochureVersions>(firm, { crd: '1' })
  assert.deepEqual(
    versions.map(({ id, filing_date, is_newest }) => [id, filing_date, is_newest]),
    [
      ['1000000700002', '2026-02-05', true],
      ['1000000710001', '2026-01-10', true],
      ['1000000700001', '2026-01-05', false],
    ],
  )
  const { firm_name, city, state, brochure_number, filing_number, source_filename, archive_name } = versions[0]!
  assert.deepEqual(
    [firm_name, city, state, brochure_number, filing_number, source_filename, archive_name],
    ['Specimen One', 'Boston', 'MA', '70', '2', '1_70_2_20260205.pdf', 'ADV_Brochures_2026_February.zip'],
  )
})

test('an answer lists the loaded months for a firm without brochures, and the reason for a PDF without text', async () => {
  const none = await ask<BrochureVersions>(firm, { crd: '4' })
  assert.deepEqual(none.versions, [])
  assert.match(none.not_loaded![0]!.note, /2026-01-01 to 2026-02-28/)
  const { versions } = await ask<BrochureVersions>(firm, { crd: '3' })
  assert.deepEqual([versions[0]!.kind, versions[0]!.char_count, versions[0]!.firm_name], ['broken', 0, null])
  assert.match(versions[0]!.problem!, /not a PDF/)
  assert.equal(await ask(firm, { crd: '5' }).catch(({ status }) => status), null)
})

test('a search returns each firm once and reads only newest versions; excerpts are escaped, and found words are marked', async () => {
  const { total, is_total_exact, rows } = await searched('fees')
  assert.deepEqual([total, is_total_exact, rows.map(({ crd }) => crd).sort()], [2, true, ['1', '2']])
  const one = rows.find(({ crd }) => crd === '1')!
  assert.deepEqual([one.firm_name, one.city, one.state, one.passages], ['Specimen One', 'Boston', 'MA', 2])
  assert.deepEqual(new Set(one.excerpts.map(({ id }) => id)), new Set(['1000000700002', '1000000710001']))
  assert.equal(one.excerpts.find(({ id }) => id === '1000000700002')!.section_id, '5')
  for (const { html } of rows.flatMap(({ excerpts }) => excerpts)) {
    assert.match(html, /<mark>\w+<\/mark>/)
    assert.doesNotMatch(html.replace(/<\/?mark>/g, ''), /[<>]/)
  }
  const two = rows.find(({ crd }) => crd === '2')!
  assert.match(two.excerpts[0]!.html, /<mark>Fees<\/mark> &amp; &lt;b&gt;costs&lt;\/b&gt;/)
  assert.deepEqual((await searched('abandoned')).total, 0, 'only an older version has this word')
})

test('phrases, alternatives and exclusions select firms', async () => {
  const crds = async (q: string) => (await searched(q)).rows.map(({ crd }) => crd).sort()
  assert.deepEqual(await crds('"assets under management"'), ['1'])
  assert.deepEqual(await crds('"management under assets"'), [])
  assert.deepEqual(await crds('families OR costs'), ['1', '2'])
  assert.deepEqual(await crds('fees -cost'), ['1'])
  assert.deepEqual(await crds('famil*'), ['1'])
})

test('a firm and the days of filing restrict the brochures that are searched', async () => {
  const crds = async (more: Record<string, string>) => (await searched('fees', more)).rows.map(({ crd }) => crd).sort()
  assert.deepEqual(await crds({ crd: '2' }), ['2'])
  assert.deepEqual(await crds({ crd: '4' }), [])
  assert.deepEqual(await crds({ from: '2026-02-01' }), ['1'])
  assert.deepEqual(await crds({ to: '2026-01-07' }), ['2'])
  const after = await searched('fees', { crd: '2', to: '2026-01-07', page: '2' })
  assert.deepEqual([after.total, after.rows], [1, []])
})

test('each page continues after the previous one, and a page after the last still has the total', async () => {
  const first = await searched('fees', { size: '1' })
  const second = await searched('fees', { size: '1', page: '2' })
  const third = await searched('fees', { size: '1', page: '3' })
  assert.deepEqual([...first.rows, ...second.rows].map(({ crd }) => crd).sort(), ['1', '2'])
  assert.deepEqual([first.total, second.total, third.total, third.rows], [2, 2, 2, []])
})

test('a query that has no word, one character or 2,000 characters, and a page of 51 firms, are refused', async () => {
  for (const input of [
    {},
    { q: 'a' },
    { q: ' a ' },
    { q: 'fee', size: '51' },
    { q: 'x'.repeat(2_000) },
    { q: 'fee', page: '0' },
  ]) {
    assert.equal(search.input.safeParse(input).success, false, JSON.stringify(input))
  }
  for (const q of ['&&', '-fees', '"" OR']) await assert.rejects(searched(q), { status: 400, message: /^q: / })
})

test('a brochure has its whole Markdown with the stated length, even after its derived files were deleted', async () => {
  const found = await ask<Brochure>(detail, { id: '1000000700002' })
  assert.equal(found.markdown.length, found.charCount)
  const headings = found.markdown.split('\n').filter((line) => line.startsWith('#'))
  assert.deepEqual(
    headings.map((line) => line.replace(/^#+ /, '')),
    ['Item 4 Advisory Business', 'Item 5 Fees and Compensation'],
  )
  assert.deepEqual(
    [found.firmName, found.brochureNumber, found.filingNumber, found.filingDate, found.pageCount, found.imageCount],
    ['Specimen One', '70', '2', '2026-02-05', 1, 0],
  )
  const derived = await library.derivedOf(found.sha256)
  assert.equal(derived.length, 1)
  await rm(derived[0]!)
  assert.deepEqual(await ask<Brochure>(detail, { id: '1000000700002' }), found)
  assert.equal((await library.derivedOf(found.sha256)).length, 1)
})

test('a PDF without text has its version and the reason, but no text', async () => {
  const [row] = await sql<{ id: string }[]>`select id from brochures.version where kind = 'broken'`
  const found = await ask<Brochure>(detail, { id: row!.id })
  assert.deepEqual([found.kind, found.charCount, found.markdown, found.pageCount], ['broken', 0, '', null])
  assert.match(found.problem!, /\w/)
})

test('a document that the archive lost, or that can no longer be read, is 503 with the reason', async () => {
  const { sha256 } = await ask<Brochure>(detail, { id: '1000000710001' })
  const entry = path.join(archive, sha256.slice(0, 2), `${sha256}.zst`)
  for (const file of [...(await library.derivedOf(sha256)), entry]) await rm(file)
  await assert.rejects(ask(detail, { id: '1000000710001' }), {
    code: 'archive_damaged',
    message: /archive has lost this PDF/,
  })
  const [broken] = await sql<
    { id: string }[]
  >`update brochures.version set kind = 'text' where kind = 'broken' returning id`
  await assert.rejects(ask(detail, { id: broken!.id }), {
    code: 'document_unreadable',
    message: /cannot be read now: it is not a PDF/,
  })
})
