/** Material weaknesses in the texts of annual reports, compared with their covers. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import documents from '../../../src/datasets/documents/index.ts'
import type { BrokerDetail } from '../../../src/datasets/x17a5/answers.ts'
import x17a5 from '../../../src/datasets/x17a5/index.ts'
import { parse } from '../../../src/datasets/x17a5/parse.ts'
import { detail, search } from '../../../src/datasets/x17a5/routes.ts'
import type { Route } from '../../../src/declare/route.ts'
import { load, type Parsed } from '../../../src/ingest/load.ts'
import { documentName, lexemesOf } from '../../../src/read/lexemes.ts'
import { passagesOf } from '../../../src/read/passages.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { filingOf } from '../../support/filing-made.ts'
import { changing, remake } from '../../support/refreshed.ts'
import { listLoaded } from '../../support/spine-rows.ts'
import { SUBMISSION, withReport } from '../../support/x17a5-sample.ts'

const { sql } = await freshDatabase({ after })
const slices = [documents, x17a5]
const cover = new URL('../../../src/datasets/x17a5/fixtures/0000200403-20-000002/primary_doc.xml', import.meta.url)
const [[, model] = assert.fail('no row')] = [...parse(filingOf(parseXml(readFileSync(cover))))]

const accessionOf = (cik: number, n: number) => `${String(cik).padStart(10, '0')}-24-${String(n).padStart(6, '0')}`

/** Loads a report with its cover only. */
async function report(cik: number, n: number, end: string, flag: boolean | null): Promise<void> {
  const row = { ...model, cik: String(cik).padStart(10, '0'), period_end: end, material_weakness: flag }
  const filings: Parsed[] = [{ accession: accessionOf(cik, n), filedDate: '2024-03-01', rows: [['report', row]] }]
  await changing(sql, x17a5, { keys: [accessionOf(cik, n)] }, (tx) => load(tx, x17a5, filings), slices)
  await listLoaded(sql, x17a5)
}

/** Loads the text of a report's document, like dataset documents. */
async function read(cik: number, n: number, sequence: number, text: string): Promise<void> {
  const accession = accessionOf(cik, n)
  const passages = passagesOf({ text }, [])
  const described = { name: documentName(accession, sequence), corpus: 'x17', form: 'X-17A-5', filedDate: '2024-03-01' }
  const vectors = lexemesOf({ ...described, ciks: [], titles: [], headings: [] }, text, passages)
  const of = { corpus: 'x17', form: 'X-17A-5', cik: null, company_name: null }
  const document = { ...of, sequence, filed_date: '2024-03-01', type: 'FULL', format: 'markdown', length: text.length }
  const rows: Parsed['rows'] = [
    [
      'document',
      { ...document, filename: null, title: null, pages: 1, tables: 0, images: 0, search: vectors.document },
    ],
    ...passages.map(({ start, end, section }, at): Parsed['rows'][number] => [
      'passage',
      {
        sequence,
        n: at + 1,
        corpus: 'x17',
        section,
        start,
        text: text.slice(start, end),
        search: vectors.passages[at]!,
      },
    ]),
    [
      'filing',
      {
        form: 'X-17A-5',
        corpus: 'x17',
        cik: null,
        company_name: null,
        period: null,
        documents: 1,
        length: text.length,
      },
    ],
  ]
  await changing(
    sql,
    documents,
    { keys: [accession] },
    (tx) => load(tx, documents, [{ accession, filedDate: '2024-03-01', rows }]),
    slices,
  )
}

const ask = async <T>(route: Route, input: Record<string, string>) =>
  (await route.run(route.input.parse(input), testContext(sql))) as T
const brokerOf = (cik: number) => ask<BrokerDetail>(detail, { cik: String(cik) })
const weak = async () =>
  (await ask<{ brokers: { cik: string }[] }>(search, { weakness: 'true' })).brokers.map(({ cik }) => Number(cik)).sort()

const filler = `${'The accompanying notes are an integral part of the statement. '.repeat(60)}\n\n`
const DISCLOSES = 'In May the Company identified a material weakness in its reserve computation.'
const DENIES = 'We did not identify any deficiencies in internal control that we consider to be material weaknesses.'
const DEFINES = 'A material weakness is a deficiency, or a combination of deficiencies, in internal control.'

test('if a sentence discloses a weakness that the cover denies, the answer has both statements, and the sentence’s position', async () => {
  await report(1, 1, '2023-12-31', false)
  assert.deepEqual(await weak(), [])
  const text = `# Report\n\n${filler}${DEFINES}\n\n${filler}${DISCLOSES} ${DENIES}`
  await read(1, 1, 2, text)
  const { broker, filings, material_weakness_sentences } = await brokerOf(1)
  assert.deepEqual(
    [broker.material_weakness, broker.material_weakness_source, broker.material_weakness_text],
    [false, 'cover', true],
  )
  assert.deepEqual(
    filings.map((one) => one.material_weakness_text),
    [true],
  )
  assert.deepEqual(material_weakness_sentences, [
    { accession: accessionOf(1, 1), amended_by: [], filed_date: '2024-03-01', reading: 'disclosed', evidence: { sequence: 2, offset: text.indexOf(DISCLOSES), length: DISCLOSES.length, sentence: DISCLOSES } },
    { accession: accessionOf(1, 1), amended_by: [], filed_date: '2024-03-01', reading: 'denied', evidence: { sequence: 2, offset: text.indexOf(DENIES), length: DENIES.length, sentence: DENIES } },
  ]) // biome-ignore format: one sentence a line
  assert.deepEqual(await weak(), [1])
})

test('a text that denies a weakness, or only defines the term, discloses none, whatever the cover states', async () => {
  await report(2, 1, '2023-12-31', true)
  await read(2, 1, 2, `${filler}${DENIES}`)
  await report(3, 1, '2023-12-31', null)
  await read(3, 1, 2, `${filler}${DEFINES}`)
  const of = async (cik: number) => {
    const { broker } = await brokerOf(cik)
    return [broker.material_weakness, broker.material_weakness_text]
  }
  assert.deepEqual(
    [await of(2), await of(3)],
    [
      [true, false],
      [null, null],
    ],
  )
  assert.deepEqual(await weak(), [1, 2])
})

test('the list shows the newest report of a broker; a weakness of the previous year is shown only with the report of that year', async () => {
  await report(1, 2, '2024-12-31', false)
  const { broker, filings, material_weakness_sentences } = await brokerOf(1)
  assert.deepEqual([broker.accession, broker.material_weakness_text], [accessionOf(1, 2), null])
  assert.deepEqual(
    filings.map((one) => one.material_weakness_text),
    [null, true],
  )
  assert.equal(material_weakness_sentences.length, 2)
  assert.deepEqual(await weak(), [2])
})

test('a sentence in two overlapping passages is listed once, and rereading a text removes its old sentences', async () => {
  await report(4, 1, '2023-12-31', false)
  // A paragraph of 1,500 characters ends a passage, and the next begins with the sentence.
  await read(4, 1, 2, `${'x '.repeat(760)}end.\n\n${DISCLOSES}\n\n${filler}`)
  assert.equal((await brokerOf(4)).material_weakness_sentences.length, 1)
  await read(4, 1, 2, `${filler}Nothing of that kind.`)
  assert.deepEqual((await brokerOf(4)).material_weakness_sentences, [])
})

test('sentences from a partial refresh equal those from a full one', async () => {
  const all = async () => [
    ...(await sql`select * from x17a5.weakness order by accession, sequence, start`),
    ...(await sql`select * from x17a5.broker order by cik`),
  ]
  const before = await all()
  assert.ok(before.length > 6)
  await sql`update x17a5.weakness set reading = 'former'`
  await remake(sql, x17a5)
  assert.deepEqual(await all(), before)
})

test('the committed report of the sample equals the output of `node test/support/x17a5-sample.ts`', async () => {
  const committed = await readFile(SUBMISSION, 'utf8')
  assert.equal(withReport(committed), committed)
})
