/** Brochures from zips and PDFs: their records, failures that stay isolated, and interrupted loads. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import brochures from '../../../src/datasets/brochures/index.ts'
import { BROCHURES } from '../../../src/datasets/brochures/parse.ts'
import { editionOf } from '../../../src/declare/series.ts'
import { ingestBulk } from '../../../src/ingest/bulk/ingest.ts'
import { rebuildBulk } from '../../../src/ingest/bulk/rebuild.ts'
import { openLibrary, pdfOf, slices } from '../../support/brochures-made.ts'
import { writeZip } from '../../support/bulk-world.ts'

const FEES = pdfOf('# Item 5 Fees and Compensation', 'We charge a fee of one per cent a year. '.repeat(4))
const ZIP = 'ADV_Brochures_2026_March_1_of_2.zip'

test('zips and PDFs are recognized by the publishers’ file names, each with its dates', () => {
  const days = (name: string) => {
    const found = editionOf('BROCHURES', BROCHURES, name)
    return found && [found.edition.name === name, found.edition.from, found.edition.to]
  }
  assert.deepEqual(days('ADV_Brochures_2026_January.zip'), [true, '2026-01-01', '2026-01-31'])
  assert.deepEqual(days('ADV_Brochures_2026_March_1_of_2.zip'), [true, '2026-03-01', '2026-03-31'])
  assert.deepEqual(days('ADV_Brochures_2026_March_2_of_2.zip'), [true, '2026-03-01', '2026-03-31'])
  assert.deepEqual(days('adv-brochures-2024-december.zip'), [true, '2024-12-01', '2024-12-31'])
  assert.deepEqual(days('adv_brochures_2024_mar_10_of_10.zip'), [true, '2024-03-01', '2024-03-31'])
  assert.deepEqual(days('adv_brochures_2024_feb.zip'), [true, '2024-02-01', '2024-02-29'])
  assert.deepEqual(days('part2adv_brochures_2022_oct-dec.zip'), [true, '2022-10-01', '2022-12-31'])
  assert.deepEqual(days('173129_357943_13_20260223.pdf'), [true, '2026-02-23', '2026-02-23'])
  assert.deepEqual(days('108102_1032747_20260331.pdf'), [true, '2026-03-31', '2026-03-31'])
  // A name may state a day that does not exist: the file is still an edition.
  assert.deepEqual(days('173129_357943_13_20260631.pdf'), [true, '2026-07-01', '2026-07-01'])
  for (const name of ['ADV_Filing_Data_20260301_20260331.zip', 'adv_brochures_2024_xyz.zip', '1_2.pdf', 'a_b_c.pdf']) {
    assert.equal(days(name), null, name)
  }
})

test('each PDF of a zip is a version with its text in passages, and the archive stores its bytes by digest', async (t) => {
  const { zip, versions, store, sql } = await openLibrary(t)
  const mapping =
    'FirmName,SECNumber,CRDNumber,FilingID,BrochureName,BrochureID,BrochureVersion,DateFiled,PDFFileName\r\n' +
    'SPECIMEN CAPITAL,801-999,999000001,1875501,WRAP FEE BROCHURE,357943,13,03/23/2026,999000001_357943_13_20260323.pdf\r\n'
  const [outcome] = await zip(ZIP, {
    'ADV_Brochure_Mapping_20260301_20260331.csv': mapping,
    'pdf/999000001_357943_13_20260323.pdf': FEES,
    '999000002_400001_1_20260302.pdf': pdfOf('# About us', 'A firm of two.'),
  })
  assert.deepEqual([outcome!.error, outcome!.result!.added, outcome!.result!.refused], [null, 2, 0])
  const [first, second] = await versions()
  const { converted_at, sha256, size, search, char_count, ...row } = first!
  assert.deepEqual(row, {
    id: '1003579430013',
    crd: '999000001',
    brochure_number: '357943',
    filing_number: '13',
    filing_date: '2026-03-23',
    brochure_name: 'WRAP FEE BROCHURE',
    filing_id: '1875501',
    kind: 'text',
    problem: null,
    page_count: 1,
    image_count: 0,
    table_count: 0,
    source_filename: '999000001_357943_13_20260323.pdf',
    archive_name: ZIP,
  })
  assert.match(String(converted_at), /^\d{4}-\d\d-\d\dT/)
  assert.match(String(search), /'#crd:999000001'.*'fee~\d'/)
  assert.equal(size, FEES.length)
  assert.deepEqual(Buffer.concat(await Array.fromAsync(store.read(String(sha256)))), FEES)
  assert.deepEqual(
    [second!.brochure_name, second!.filing_id],
    [null, null],
    'the mapping has no line for this brochure',
  )
  const passages = await sql`select crd, n, section, start, text from brochures.passage where id = ${String(first!.id)}`
  assert.deepEqual([passages.length, passages[0]!.section, passages[0]!.start], [1, '5', 0])
  assert.ok(Number(char_count) >= String(passages[0]!.text).length)
})

test('an invalid PDF is a version that is marked as invalid, and is tried again on request', async (t) => {
  const { zip, ingest, folder, versions } = await openLibrary(t)
  const [outcome] = await zip(ZIP, {
    '999000001_1_1_20260301.pdf': 'no PDF at all',
    '999000001_2_1_20260301.pdf': FEES,
    'notes.txt': 'what is this',
  })
  assert.deepEqual([outcome!.error, outcome!.result!.added, outcome!.result!.refused], [null, 2, 0])
  assert.deepEqual([...outcome!.result!.notes.unread], [`${ZIP}/notes.txt`])
  const kinds = async () => (await versions()).map(({ kind, char_count }) => [kind, Number(char_count) > 0])
  assert.deepEqual(await kinds(), [
    ['broken', false],
    ['text', true],
  ])
  const [broken, whole] = await versions()
  assert.match(String(broken!.problem), /\w/)
  const file = path.join(folder, ZIP)
  assert.deepEqual(await ingest([file]), [], 'the zip is known')
  const [again] = await ingest([file], { retry: true })
  assert.deepEqual([again!.error, again!.result!.records, again!.result!.changed], [null, 2, 1])
  const after = await versions()
  assert.notEqual(after[0]!.converted_at, broken!.converted_at)
  assert.equal(after[1]!.converted_at, whole!.converted_at, 'a brochure that has its text is not read again')
})

test('a search reads only the newest filing of a brochure, and loading an older month does not change that', async (t) => {
  const { zip, sql } = await openLibrary(t)
  const newest = async () =>
    (await sql`select brochure, id, filing_date from brochures.brochure order by brochure`).map(Object.values)
  await zip('ADV_Brochures_2026_March.zip', {
    '999000001_7_3_20260331.pdf': FEES,
    '999000001_8_1_20260331.pdf': FEES,
  })
  await zip('ADV_Brochures_2026_January.zip', { '999000001_7_2_20260105.pdf': FEES })
  assert.deepEqual(await newest(), [
    ['7', '1000000070003', '2026-03-31'],
    ['8', '1000000080001', '2026-03-31'],
  ])
  await zip('ADV_Brochures_2026_April.zip', { '999000001_7_10_20260401.pdf': FEES, '999000001_7_9_20260401.pdf': FEES })
  assert.deepEqual((await newest())[0], ['7', '1000000070010', '2026-04-01'], 'version 10 is newer than version 9')
})

test('a single PDF of IAPD is a version, identified by IAPD’s number', async (t) => {
  const { ingest, write, versions } = await openLibrary(t)
  const [outcome] = await ingest([await write('108102_1032747_20260331.pdf', FEES)])
  assert.equal(outcome!.error, null)
  const [version] = await versions()
  const { id, crd, brochure_number, filing_number, filing_date, archive_name } = version!
  assert.deepEqual(
    [id, crd, brochure_number, filing_number, filing_date, archive_name],
    ['1032747', '108102', null, null, '2026-03-31', '108102_1032747_20260331.pdf'],
  )
})

test('a name with an impossible date takes the date from the mapping; without a mapping the date is unknown', async (t) => {
  const { zip, versions } = await openLibrary(t)
  await zip(ZIP, {
    'ADV_Brochure_Mapping_1_2.csv': 'DateFiled,PDFFileName\n06/30/2026,999000001_1_1_20260631.PDF\n',
    '999000001_1_1_20260631.pdf': FEES,
    '999000001_2_1_20260631.pdf': FEES,
  })
  assert.deepEqual(
    (await versions()).map(({ filing_date }) => filing_date),
    ['2026-06-30', null],
  )
})

test('reports mapping lines without a PDF, of another firm, or with an extra column', async (t) => {
  const { zip } = await openLibrary(t)
  const [outcome] = await zip(ZIP, {
    'adv-brochure-mapping-202603.csv': 'PDFFileName,CRDNumber,Extra\n1_1_1_20260301.pdf,2,x\n9_9_9_20260301.pdf,9,x\n',
    '1_1_1_20260301.pdf': FEES,
  })
  const { unread, problems } = outcome!.result!.notes
  assert.deepEqual([...unread], ['adv-brochure-mapping-202603.csv/Extra'])
  assert.deepEqual(
    problems.map(({ path: at, value, reason }) => `${at} ${value} ${reason}`),
    [
      'adv-brochure-mapping-202603.csv:2 9_9_9_20260301.pdf the zip has no PDF of this name',
      'adv-brochure-mapping-202603.csv:1/CRDNumber 2 is not the firm of 1_1_1_20260301.pdf',
    ],
  )
  const [lacking] = await zip('ADV_Brochures_2026_May.zip', {
    'adv_brochure_mapping.csv': 'Name\nx\n',
    '1_2_1_20260501.pdf': FEES,
  })
  assert.match(lacking!.error!, /adv_brochure_mapping\.csv lacks the column PDFFileName/)
})

test('loads the first of two PDFs with one number in a zip and refuses the second', async (t) => {
  const { zip, versions } = await openLibrary(t)
  const [outcome] = await zip(ZIP, {
    'a/999000001_1_1_20260301.pdf': FEES,
    'b/999000001_1_1_20260301.pdf': pdfOf('# Another'),
  })
  assert.deepEqual([outcome!.result!.added, outcome!.result!.refused], [1, 1])
  assert.deepEqual(
    (await versions()).map(({ size }) => size),
    [FEES.length],
  )
})

test('two simultaneous loads of one zip store each version once, with all of its passages', async (t) => {
  const { parts, folder, sql, versions } = await openLibrary(t)
  const members = Object.fromEntries(
    Array.from({ length: 45 }, (_, at) => [
      `999000001_${at + 1}_1_20260301.pdf`,
      pdfOf(`# Brochure ${at}`, 'Text of it.'),
    ]),
  )
  const file = path.join(folder, ZIP)
  await writeZip(file, members)
  const outcomes = (await Promise.all([1, 2].map(() => ingestBulk({ ...parts, files: [file] })))).flat()
  assert.deepEqual(
    outcomes.map(({ error }) => error),
    [null, null],
  )
  assert.equal((await versions()).length, 45)
  const [passages] = await sql`select count(*)::int as n, count(distinct id)::int as ids from brochures.passage`
  assert.deepEqual(passages, { n: 45, ids: 45 })
})

test('a stopped load resumes after its last batch, and reads no PDF twice', async (t) => {
  const { zip, ingest, folder, versions, sql } = await openLibrary(t)
  const members = Object.fromEntries(
    Array.from({ length: 70 }, (_, at) => [`999000001_${at + 1}_1_20260301.pdf`, pdfOf(`# Brochure ${at}`, 'Text.')]),
  )
  const stop = new AbortController()
  const interval = setInterval(async () => {
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from brochures.version`
    if (row!.n > 0) stop.abort(new Error('stopped'))
  }, 5)
  await zip(ZIP, members, { signal: stop.signal })
  clearInterval(interval)
  const before = await versions()
  assert.ok(before.length >= 20 && before.length < 70, `${before.length} of 70`)
  const [edition] = await sql`select state from bulk.edition where name = ${ZIP}`
  assert.equal(edition!.state, 'failed', 'the edition is not whole')
  const [outcome] = await ingest([path.join(folder, ZIP)])
  assert.deepEqual([outcome!.error, outcome!.result!.added], [null, 70 - before.length])
  const after = new Map((await versions()).map((row) => [row.id, row.converted_at]))
  for (const { id, converted_at } of before) assert.equal(after.get(id), converted_at)
})

test('a rebuild makes the same rows from the archive, without the zips', async (t) => {
  const { zip, sql, store, versions, folder } = await openLibrary(t)
  await zip(ZIP, { '999000001_1_1_20260301.pdf': FEES, '999000001_2_1_20260301.pdf': 'broken' })
  await writeZip(path.join(folder, ZIP), {})
  const strip = (rows: Record<string, unknown>[]) => rows.map(({ converted_at: _, ...row }) => row)
  const passages = async () => [...(await sql`select * from brochures.passage order by id, n`)]
  const before = [strip(await versions()), await passages()]
  const result = await rebuildBulk({ sql, slices, store }, brochures)
  assert.deepEqual(result, { editions: 1, records: 2, lost: 0 })
  assert.deepEqual([strip(await versions()), await passages()], before)
  assert.ok((await readFile(path.join(folder, ZIP))).length < 100)
})
