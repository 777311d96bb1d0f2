/**
 * Insiders: transactions by company, person and code, amendments and their originals, and the number of rows that a
 * page reads.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import ownership from '../../../src/datasets/ownership/index.ts'
import { parse } from '../../../src/datasets/ownership/parse.ts'
import { detail, person, search, transactions } from '../../../src/datasets/ownership/routes.ts'
import { load, type Parsed } from '../../../src/ingest/load.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import { connect } from '../../../src/store/db.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { filingOf } from '../../support/filing-made.ts'
import { byCursor, byOffset, type Listed, pageOf, type Query, readOf } from '../../support/list-walks.ts'
import { type Change, rowsRead } from '../../support/rows-read.ts'
import { listLoaded } from '../../support/spine-rows.ts'

const { sql, target } = await freshDatabase({ after })
const context = testContext(sql)

const document = readFileSync(
  new URL('../../../src/datasets/ownership/fixtures/0001127602-19-027011/form4.xml', import.meta.url),
  'utf8',
)
const [INTEL, OTHER] = ['0000050863', '0000000077']
const [SWAN, SPOUSE] = ['0001218363', '0000000088']

/** A second reporting owner, who files together with the first. */
const JOINT: Change = [
  '  <nonDerivativeTable>',
  `  <reportingOwner>
    <reportingOwnerId><rptOwnerCik>${SPOUSE}</rptOwnerCik><rptOwnerName>Specimen Spouse</rptOwnerName></reportingOwnerId>
    <reportingOwnerRelationship><isOther>1</isOther><otherText>Member of a group</otherText></reportingOwnerRelationship>
  </reportingOwner>
  <nonDerivativeTable>`,
]
const amends = (day: string): Change[] => [
  ['<documentType>4<', '<documentType>4/A<'],
  ['  <issuer>', `  <dateOfOriginalSubmission>${day}</dateOfOriginalSubmission>\n  <issuer>`],
]

interface Filed {
  accession: string
  filed: string
  changes?: readonly Change[]
}

const rowsOf = ({ filed, changes = [] }: Filed) => {
  const form = changes.some(([, by]) => by.includes('4/A')) ? '4/A' : '4'
  return rowsRead(parse, document, changes, { form, filedDate: filed, cik: SWAN })
}

const FILED: readonly Filed[] = [
  { accession: '0000000001-19-000001', filed: '2019-08-19' },
  { accession: '0000000001-19-000002', filed: '2019-08-20', changes: amends('2019-08-19') },
  // These two filings are of one day, so it is uncertain which of them the amendment means.
  { accession: '0000000001-19-000003', filed: '2019-09-02' },
  { accession: '0000000001-19-000004', filed: '2019-09-02' },
  { accession: '0000000001-19-000005', filed: '2019-09-05', changes: amends('2019-09-02') },
  { accession: '0000000001-19-000006', filed: '2019-09-06', changes: amends('2019-01-01') },
  { accession: '0000000001-19-000007', filed: '2019-09-07', changes: [['<documentType>4<', '<documentType>4/A<']] },
  // This form was filed on the day that the first amendment names, together with another owner.
  { accession: '0000000001-19-000008', filed: '2019-08-19', changes: [JOINT] },
  { accession: '0000000001-19-000009', filed: '2019-08-19', changes: [[INTEL, OTHER]] },
]

await sql.begin((tx) =>
  load(
    tx,
    ownership,
    FILED.map(
      (of): Parsed => ({ accession: of.accession, filedDate: of.filed, rows: rowsOf(of).rows as Parsed['rows'] }),
    ),
  ),
)
await listLoaded(sql, ownership)

type Detail = Record<'non_derivative' | 'derivative' | 'amendments', Record<string, unknown>[]> & {
  link: string
  amends: { accession: string } | null
}
const linkOf = (n: number) =>
  detail.run(
    detail.input.parse({ accession: `0000000001-19-${String(n).padStart(6, '0')}` }),
    context,
  ) as Promise<Detail>

test('an amendment is linked to its original if only one filing can be the original, and otherwise states why not', async () => {
  const links = await Promise.all([1, 2, 3, 5, 6, 7].map(linkOf))
  assert.deepEqual(
    links.map(({ link, amends }) => [link, amends?.accession ?? null]),
    [
      ['original', null],
      ['held', '0000000001-19-000001'],
      ['original', null],
      ['ambiguous', null],
      ['not_held', null],
      ['not_stated', null],
    ],
  )
  assert.deepEqual(
    links.map(({ amendments }) => amendments.map(({ accession }) => accession)),
    [['0000000001-19-000002'], [], [], [], [], []],
  )
})

test('if a footnote replaces a price, the price is null and the footnote’s text is given', async () => {
  const { non_derivative, derivative } = await linkOf(1)
  const [exercised, withheld] = non_derivative
  assert.equal(exercised!.price, null)
  assert.deepEqual(exercised!.footnotes, [
    { column: 'price', id: 'F1', footnote: 'A vested unit is paid as one share of common stock.' },
  ])
  assert.deepEqual([withheld!.price, withheld!.footnotes], ['45.81', []])
  assert.deepEqual(
    (derivative[0]!.footnotes as { column: string; id: string }[]).map(({ column, id }) => `${column} ${id}`),
    ['exercise_price F1', 'price F1', 'exercise_date F2', 'expiration_date F2'],
  )
})

test('a reference to a missing footnote is reported as a problem and served without text', () => {
  const { of, problems } = rowsOf({
    accession: '',
    filed: '2019-08-19',
    changes: [['<footnote id="F1">', '<footnote id="F9">']],
  })
  assert.deepEqual(of('security')[0]!.footnote_refs, [{ column: 'price', ids: ['F1'] }])
  assert.equal(problems.filter(({ value, reason }) => value === 'F1' && /no such footnote/.test(reason)).length, 3)
})

test('if two footnotes share an id, both are stored without the id, and references to the id have no text', () => {
  const { of, problems } = rowsOf({
    accession: '',
    filed: '2019-08-19',
    changes: [['<footnote id="F1">', '<footnote id="F1">Another.</footnote><footnote id="F1">']],
  })
  const without = of('footnote').filter(({ id }) => id === null)
  assert.equal(without.length, 2)
  assert.equal(of('security')[0]!.footnote_refs !== null && of('footnote').some(({ id }) => id === 'F1'), false)
  assert.equal(problems.filter(({ value, reason }) => value === 'F1' && /several footnotes/.test(reason)).length, 2)
})

test('an invalid number, code or date is null with the reason, and an unknown element is reported', () => {
  const { of, unread, problems } = rowsOf({
    accession: '',
    filed: '2019-08-19',
    changes: [
      ['<value>1355</value>', '<value>about 1355</value>'],
      ['<transactionAcquiredDisposedCode><value>A<', '<transactionAcquiredDisposedCode><value>X<'],
      ['<signatureDate>2019-08-19<', '<signatureDate>2019-02-31<'],
      ['  <issuer>', '  <mood>bright</mood>\n  <issuer>'],
    ],
  })
  const [first, second] = of('security')
  assert.deepEqual([first!.acquired_disposed, second!.shares, of('signature')[0]!.signed], [null, null, null])
  assert.deepEqual(problems.map(({ value }) => value).sort(), ['2019-02-31', 'X', 'about 1355'])
  assert.deepEqual(unread, ['/ownershipDocument/mood'])
})

test('refuses a document of another form, and reports a document whose form differs from the form under which it was filed', () => {
  const about = { form: '3', filedDate: '2019-08-19', cik: null, period: null }
  assert.throws(() => [...parse(filingOf(parseXml('<edgarSubmission/>'), about))], /not a Form 3, 4 or 5/)
  const { problems } = rowsRead(parse, document, [], about)
  assert.deepEqual(
    problems.map(({ reason }) => reason),
    ['differs from the form of the filing, 3'],
  )
})

type Row = { accession: string; line: number; owners: { cik: string }[]; code: string; code_meaning: string | null }
const list: Listed = { route: transactions, context, idOf: (row) => `${row.accession} ${row.line}` }
const rows = async (query: Query) =>
  ((await transactions.run(transactions.input.parse(query), context)) as { transactions: Row[] }).transactions

test('Tables I and II are separate lists, and neither contains holdings', async () => {
  const [first, second] = [await rows({ cik: INTEL }), await rows({ cik: INTEL, derivative: 'true' })]
  assert.deepEqual([first.length, second.length], [16, 16])
  assert.deepEqual([...new Set(first.map(({ code }) => code))], ['M', 'F'])
  assert.deepEqual([...new Set(second.map(({ code }) => code))], ['M', 'A'])
  assert.ok([...first, ...second].every(({ code_meaning }) => code_meaning !== null))
})

test('`amended=latest` leaves out the lines of an amended filing and keeps those of the amendment, by company and by person', async () => {
  for (const by of [{ cik: INTEL }, { person: SWAN }]) {
    const all = new Set((await rows(by)).map(({ accession }) => accession))
    const kept = new Set((await rows({ ...by, amended: 'latest' })).map(({ accession }) => accession))
    assert.deepEqual([...all.difference(kept)], ['0000000001-19-000001'])
    assert.ok(kept.has('0000000001-19-000002'))
  }
})

test('a joint filing is found by each of its owners, and its transactions come once, each with both owners', async () => {
  const [joint, ...more] = await rows({ person: SPOUSE })
  assert.deepEqual(
    [joint!.accession, joint!.owners.map(({ cik }) => cik), more.length],
    ['0000000001-19-000008', [SWAN, SPOUSE], 1],
  )
  const all = await rows({ person: SWAN })
  assert.equal(new Set(all.map(({ accession, line }) => `${accession} ${line}`)).size, all.length)
  assert.equal(all.length, 18)
})

test('a person has the companies of their filings, each with the data of the last filing about this company', async () => {
  const found = (await person.run(person.input.parse({ cik: '1218363' }), context)) as {
    names: string[]
    companies: { issuer_cik: string; officer_title: string; accession: string }[]
    filings: unknown[]
  }
  assert.deepEqual(found.names, ['SWAN ROBERT HOLMES'])
  assert.deepEqual(
    found.companies.map(({ issuer_cik, accession }) => [issuer_cik, accession]),
    [
      [INTEL, '0000000001-19-000007'],
      [OTHER, '0000000001-19-000009'],
    ],
  )
  assert.equal(found.filings.length, FILED.length)
})

interface Filing {
  accession: string
  submission_type: string
  owners: { cik: string; name: string; officer_title: string | null }[]
}
const filings: Listed = { route: search, context, idOf: ({ accession }) => String(accession) }
const filed = async (query: Query) =>
  ((await search.run(search.input.parse(query), context)) as { rows: Filing[] }).rows

test('filings are found by names of the company and of each owner as people type them, and each filing comes once', async () => {
  for (const [q, found] of [
    ['intel', 9],
    ['Intel Corp', 9],
    ['robert swan', 9],
    ['swan', 9],
    ['spouse specimen', 1],
    ['swan intel', 0],
    ['nobody', 0],
  ] as const) {
    const rows = await filed({ q })
    assert.deepEqual([q, rows.length, new Set(rows.map(({ accession }) => accession)).size], [q, found, found])
  }
  const [joint] = await filed({ person: SPOUSE })
  assert.deepEqual(
    joint!.owners.map(({ cik, name }) => [cik, name]),
    [
      [SWAN, 'SWAN ROBERT HOLMES'],
      [SPOUSE, 'Specimen Spouse'],
    ],
  )
  assert.deepEqual(
    (await filed({ form: '4/A' })).map(({ accession }) => accession.slice(-1)),
    ['7', '6', '5', '2'],
  )
  assert.deepEqual((await filed({ cik: OTHER })).length, 1)
})

test('a filing that names an owner twice lists this owner once', async (t) => {
  const twice = rowsOf({ accession: '', filed: '2019-09-08', changes: [JOINT, [SPOUSE, SWAN]] })
  const parsed: Parsed = {
    accession: '0000000001-19-000010',
    filedDate: '2019-09-08',
    rows: twice.rows as Parsed['rows'],
  }
  await sql.begin((tx) => load(tx, ownership, [parsed]))
  t.after(() => sql.begin((tx) => load(tx, ownership, [{ ...parsed, rows: [] }])))
  const [first, second] = await filed({ person: SWAN, limit: '2' })
  assert.deepEqual([first!.accession, first!.owners.length], ['0000000001-19-000010', 2])
  assert.equal(second!.accession, '0000000001-19-000007')
})

const QUESTIONS: Query[] = [
  {},
  { cik: INTEL },
  { person: SWAN },
  { code: 'M' },
  { person: SWAN, derivative: 'true', acquired_disposed: 'D' },
  { cik: INTEL, from: '2019-08-20', to: '2019-09-05' },
]

test('cursor pages return every transaction and filing once, in the order of offset pages, last filed first', async () => {
  for (const query of QUESTIONS) {
    const whole = await byOffset(list, query)
    assert.ok(whole.length >= 5 && new Set(whole).size === whole.length, JSON.stringify(query))
    for (const limit of [1, 3, 50]) assert.deepEqual(await byCursor(list, query, { limit }), whole)
  }
  for (const query of [{}, { cik: INTEL }, { person: SWAN }, { q: 'swan' }, { form: '4', to: '2019-09-02' }]) {
    const whole = await byOffset(filings, query as Query)
    assert.ok(whole.length >= 5 && new Set(whole).size === whole.length, JSON.stringify(query))
    for (const limit of [1, 3, 50]) assert.deepEqual(await byCursor(filings, query as Query, { limit }), whole)
  }
})

test('a page deep in a list of 6,000 filings reads no more than an early page, by company, person and code', async (t) => {
  // 6,000 filings of 20 companies and 20 persons, two transactions in each.
  await sql.unsafe(`
    insert into ownership.report select made.* from ownership.report r, generate_series(1, 6000) g,
      lateral jsonb_populate_record(r, jsonb_build_object('accession', '0000000002-20-' || lpad(g::text, 6, '0'),
        'filed_date', date '2020-01-01' + g / 20, 'issuer_cik', lpad((g % 20 + 1000)::text, 10, '0'))) made
    where r.accession = '0000000001-19-000001';
    insert into ownership.owner select made.* from ownership.owner r, generate_series(1, 6000) g,
      lateral jsonb_populate_record(r, jsonb_build_object('accession', '0000000002-20-' || lpad(g::text, 6, '0'),
        'filed_date', date '2020-01-01' + g / 20, 'cik', lpad((g % 20 + 5000)::text, 10, '0'))) made
    where r.accession = '0000000001-19-000001';
    insert into ownership.security select made.* from ownership.security r, generate_series(1, 6000) g,
      lateral jsonb_populate_record(r, jsonb_build_object('accession', '0000000002-20-' || lpad(g::text, 6, '0'),
        'filed_date', date '2020-01-01' + g / 20, 'issuer_cik', lpad((g % 20 + 1000)::text, 10, '0'))) made
    where r.accession = '0000000001-19-000001' and not r.is_holding;
    analyze ownership.report, ownership.owner, ownership.security`)
  const one = connect({ target, max: 1 })
  t.after(() => one.end())
  const [lines, reports] = [list, filings].map((own) => ({ ...own, context: testContext(one) }))
  const tables = ['ownership.security', 'ownership.owner', 'ownership.report']
  for (const [connected, query, depth] of [
    [lines!, {}, 5_000],
    [lines!, { cik: '1007' }, 500],
    [lines!, { person: '5007' }, 500],
    [lines!, { code: 'F' }, 5_000],
    [reports!, {}, 5_000],
    [reports!, { cik: '1007' }, 250],
    [reports!, { person: '5007' }, 250],
  ] as const) {
    const readAfter = async (skipped: number) => {
      const { next } = await pageOf(connected, { ...query, paginate: 'cursor' }, { limit: skipped })
      return readOf(one, tables, async () => {
        assert.equal((await pageOf(connected, { ...query, cursor: next!, limit: '10' })).ids.length, 10)
      })
    }
    const [second, deep] = [await readAfter(10), await readAfter(depth)]
    assert.ok(deep <= 2 * second + 100 && deep < 2_000, `${JSON.stringify(query)}: ${second} and ${deep}`)
  }
})
