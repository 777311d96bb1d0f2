/** Form 144: what a notice amends, notices without XML, and values that are none. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import form144 from '../src/datasets/form144/index.ts'
import { parse, textOnly } from '../src/datasets/form144/parse.ts'
import { detail } from '../src/datasets/form144/routes.ts'
import type { Context } from '../src/declare/route.ts'
import { load, type Parsed } from '../src/ingest/load.ts'
import { freshDatabase } from './database.ts'
import { type Change, rowsRead } from './rows-read.ts'
import { listLoaded } from './spine-rows.ts'

const { sql } = await freshDatabase({ after })

const document = readFileSync(
  new URL('../src/datasets/form144/fixtures/9000000145-23-000001/primary_doc.xml', import.meta.url),
  'utf8',
)
const read = (form: string, changes: readonly Change[] = []) =>
  rowsRead((doc) => parse(doc, { form, cik: null }), document, changes)

const AMENDS: Change = [
  '<submissionType>144</submissionType>',
  '<submissionType>144/A</submissionType><previousAccessionNumber>0000000003-23-000001</previousAccessionNumber>',
]

const FILINGS = [
  { accession: '0000000003-23-000001', filedDate: '2023-05-15', rows: read('144').rows },
  { accession: '0000000003-23-000002', filedDate: '2023-05-16', rows: read('144/A', [AMENDS]).rows },
  {
    accession: '0000000003-19-000003',
    filedDate: '2019-05-16',
    rows: [['notice', textOnly({ form: '144', cik: '0000000077' })]],
  },
] as unknown as Parsed[]
await sql.begin((tx) => load(tx, form144, FILINGS))
await listLoaded(sql, form144)

const told = async (accession: string) =>
  (await detail.run(detail.input.parse({ accession }), { sql } as unknown as Context)) as {
    filing: Record<string, unknown>
    sales: unknown[]
    amended_by: { accession: string }[]
    other_filings: unknown[]
  }

test('a notice names what amends it, and an amendment what it amends', async () => {
  const [first, second] = [await told('0000000003-23-000001'), await told('0000000003-23-000002')]
  assert.deepEqual(
    first.amended_by.map(({ accession }) => accession),
    ['0000000003-23-000002'],
  )
  assert.equal(first.filing.previous_accession, null)
  assert.equal(second.filing.previous_accession, '0000000003-23-000001')
  assert.deepEqual([second.amended_by.length, second.other_filings.length], [0, 1])
})

test('a notice without XML says text, and has neither sales nor others of an issuer that is not known', async () => {
  const { filing, sales, other_filings } = await told('0000000003-19-000003')
  assert.deepEqual([filing.source, filing.cik, filing.issuer_cik], ['text', '0000000077', null])
  assert.deepEqual([sales.length, other_filings.length], [0, 0])
})

test('what is no day or accession is left out with the reason, and another form is refused', () => {
  const { of, problems } = read('144', [
    ['>11/15/2022<', '>11/31/2022<'],
    [AMENDS[0], `${AMENDS[0]}<previousAccessionNumber>the last one</previousAccessionNumber>`],
  ])
  assert.deepEqual([of('plan')[0]!.adopted, of('notice')[0]!.previous_accession], [null, null])
  assert.deepEqual(problems.map(({ value }) => value).sort(), ['11/31/2022', 'the last one'])
  assert.throws(() => read('144', [[AMENDS[0], '<submissionType>D</submissionType>']]), /not a Form 144/)
  assert.deepEqual(
    read('144/A').problems.map(({ reason }) => reason),
    ['filed as 144/A'],
  )
})
