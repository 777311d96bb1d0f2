/** Form 144: amended notices, notices without XML, and words that stand for a missing value. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import form144 from '../../../src/datasets/form144/index.ts'
import { parse, textOnly } from '../../../src/datasets/form144/parse.ts'
import { detail, search } from '../../../src/datasets/form144/routes.ts'
import { load, type Parsed } from '../../../src/ingest/load.ts'
import { connect } from '../../../src/store/db.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { byCursor, byOffset, type Listed, pageOf, type Query, readOf } from '../../support/list-walks.ts'
import { type Change, rowsRead } from '../../support/rows-read.ts'
import { listLoaded } from '../../support/spine-rows.ts'

const { sql, target } = await freshDatabase({ after })

const document = readFileSync(
  new URL('../../../src/datasets/form144/fixtures/9000000145-23-000001/primary_doc.xml', import.meta.url),
  'utf8',
)
const read = (form: string, changes: readonly Change[] = []) => rowsRead(parse, document, changes, { form })

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
] as Parsed[]
await sql.begin((tx) => load(tx, form144, FILINGS))
await listLoaded(sql, form144)

const problemsOf = async (accession: string) =>
  (await detail.run(detail.input.parse({ accession }), testContext(sql))) as {
    filing: Record<string, unknown>
    sales: unknown[]
    amended_by: { accession: string }[]
    other_filings: unknown[]
  }

test('a notice names its amendment, and an amendment names its original', async () => {
  const [first, second] = [await problemsOf('0000000003-23-000001'), await problemsOf('0000000003-23-000002')]
  assert.deepEqual(
    first.amended_by.map(({ accession }) => accession),
    ['0000000003-23-000002'],
  )
  assert.equal(first.filing.previous_accession, null)
  assert.equal(second.filing.previous_accession, '0000000003-23-000001')
  assert.deepEqual([second.amended_by.length, second.other_filings.length], [0, 1])
})

test('a notice without XML is marked as text, and has neither sales nor other notices of its unknown issuer', async () => {
  const { filing, sales, other_filings } = await problemsOf('0000000003-19-000003')
  assert.deepEqual([filing.source, filing.cik, filing.issuer_cik], ['text', '0000000077', null])
  assert.deepEqual([sales.length, other_filings.length], [0, 0])
})

test('leaves out an invalid date or accession with the reason, and refuses another form', () => {
  const { of, problems } = read('144', [
    ['>11/15/2022<', '>11/31/2022<'],
    [AMENDS[0], `${AMENDS[0]}<previousAccessionNumber>the last one</previousAccessionNumber>`],
  ])
  assert.deepEqual([of('plan')[0]!.adopted, of('notice')[0]!.previous_accession], [null, null])
  assert.deepEqual(problems.map(({ value }) => value).sort(), ['11/31/2022', 'the last one'])
  assert.throws(() => read('144', [[AMENDS[0], '<submissionType>D</submissionType>']]), /not a Form 144/)
  assert.deepEqual(
    read('144/A').problems.map(({ reason }) => reason),
    ['differs from the form of the filing, 144/A'],
  )
})

const list: Listed = {
  route: search,
  context: testContext(sql),
  idOf: ({ accession }) => String(accession),
}
const rows = async (query: Query) =>
  ((await search.run(search.input.parse(query), list.context)) as { rows: Record<string, unknown>[] }).rows

test('notices are found by company, seller and form, last filed first, each with the planned sales', async () => {
  const all = await rows({})
  assert.deepEqual(
    all.map(({ accession }) => accession),
    ['0000000003-23-000002', '0000000003-23-000001', '0000000003-19-000003'],
  )
  assert.deepEqual(all[1]!.sales, [
    {
      security_class: 'Common',
      units: '9000',
      market_value: '121401.5',
      sale_date: '2023-05-15',
      exchange: 'NASDAQ',
    },
  ])
  assert.deepEqual(all[2]!.sales, [])
  for (const [query, found] of [
    [{ q: 'specimen seller' }, 2],
    [{ q: 'seller' }, 2],
    [{ q: 'nobody' }, 0],
    [{ cik: '9000000144' }, 2],
    [{ person: '9000000145' }, 2],
    [{ person: '9000000144' }, 0],
    [{ form: '144/A' }, 1],
    [{ from: '2023-05-16' }, 1],
  ] as const)
    assert.equal((await rows(query)).length, found, JSON.stringify(query))
})

test('a page deep in a list of 6,000 notices reads about as much as the second page, in each order', async (t) => {
  await sql.unsafe(`
    insert into form144.notice select made.* from form144.notice r, generate_series(1, 6000) g,
      lateral jsonb_populate_record(r, jsonb_build_object('accession', '0000000004-24-' || lpad(g::text, 6, '0'),
        'filed_date', date '2024-01-01' + g / 20, 'issuer_cik', lpad((g % 20 + 1000)::text, 10, '0'),
        'seller_cik', lpad((g % 20 + 5000)::text, 10, '0'))) made
    where r.accession = '0000000003-23-000001';
    analyze form144.notice, form144.sale`)
  const one = connect({ target, max: 1 })
  t.after(() => one.end())
  const own = { ...list, context: testContext(one) }
  for (const [query, depth] of [
    [{}, 5_000],
    [{ cik: '1007' }, 250],
    [{ person: '5007' }, 250],
  ] as const) {
    const readAfter = async (skipped: number) => {
      const { next } = await pageOf(own, { ...query, paginate: 'cursor' }, { limit: skipped })
      return readOf(one, ['form144.notice'], async () => {
        assert.equal((await pageOf(own, { ...query, cursor: next!, limit: '10' })).ids.length, 10)
      })
    }
    const [second, deep] = [await readAfter(10), await readAfter(depth)]
    assert.ok(deep <= 2 * second + 100 && deep < 2_000, `${JSON.stringify(query)}: ${second} and ${deep}`)
  }
  const query = { cik: '1007', from: '2024-03-01', to: '2024-04-30' }
  assert.deepEqual(await byCursor(list, query, { limit: 7 }), await byOffset(list, query))
})
