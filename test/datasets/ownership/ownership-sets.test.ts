/**
 * The SEC's data sets of Forms 3, 4 and 5. A filing gives the same rows from its document as from lines that were
 * written from this document. Real lines are read whole.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from '../../../src/datasets/ownership/parse.ts'
import { quarterlySets } from '../../../src/datasets/ownership/sets.ts'
import { tsvValues } from '../../../src/read/tsv-lines.ts'
import { corpus } from '../../support/corpus.ts'
import { filingOf } from '../../support/filing-made.ts'
import { linesOf } from '../../support/sets/ownership.ts'
import {
  byTable,
  documentOf,
  flat,
  type Line,
  rowsOfSet,
  setAmount,
  Written,
  without,
} from '../../support/sets/written.ts'

const FILED = '2026-02-12'
const ACCESSION = '0000000081-26-000001'

/** Columns that no set has: see the meaning of `report.source`. */
const LACKING = [
  ...['report.source', 'report.schema_version', 'report.cik', 'report.foreign_ticker'],
  ...['owner.country', 'owner.state_description'],
]

const documents = (): string[] => [
  ...globSync(path.join(import.meta.dirname, '../../../src/datasets/ownership/fixtures/*/*.xml')),
  ...(corpus.skip === false
    ? globSync('documents/{3,4,4_A,5,ownership345/*}/*.xml', { cwd: corpus.folder! }).map((file) =>
        path.join(corpus.folder!, file),
      )
    : []),
]

type Tables = ReturnType<typeof byTable>

type Row = Record<string, unknown>

const AMOUNTS = [
  ...['shares', 'price', 'total_value', 'shares_after', 'value_after'],
  ...['exercise_price', 'underlying_shares', 'underlying_value'],
]

/** Returns a line with the amounts that a set can state: in cents, and without a price of 0. */
function rounded(row: Row): Row {
  const line: Row = { ...row }
  for (const column of AMOUNTS)
    if (typeof line[column] === 'string') line[column] = setAmount(line[column]).replace(/\.0$/, '')
  const free = line.code === 'G' ? ['exercise_price'] : ['exercise_price', 'price']
  const zero = free.filter((column) => line[column] === '0')
  for (const column of zero) delete line[column]
  return { ...line, rounded_to_zero: zero }
}

/** Sorts rows in the order of the rows of a set, and numbers them again. */
const inSetOrder = (rows: readonly Row[], columns: readonly string[]): Row[] =>
  rows
    .toSorted((a, b) => {
      const [one, other] = [a, b].map((row) => columns.map((column) => row[column] ?? null).join(' '))
      return one! < other! ? -1 : 1
    })
    .map((row, position) => ({ ...row, position }))

/** Returns the row of a filing without facts that depend on the order of its owners. */
function unordered({ owner_name, ...row }: Row): Row {
  if (row.owner_count === 1) return { ...row, owner_name }
  const sorted = (text: unknown) => String(text).replaceAll(/:\d+/g, '').split(/\s/).sort()
  return { ...row, owner_key: sorted(row.owner_key), owner_words: sorted(row.owner_words) }
}

/** Returns rows without line ends in texts, and without columns that no set has. */
const flattened = (rows: Tables): Tables =>
  JSON.parse(JSON.stringify(without(rows, LACKING)), (_, value) => (typeof value === 'string' ? flat(value) : value))

/** Returns rows of a document as a set can state them: without line ends in texts, and with transactions before holdings. */
function comparable(rows: Tables): Tables {
  const whole = Object.entries(flattened(rows)).map(([table, flatRows]) => {
    if (table === 'report') return [table, flatRows.map(unordered)] as const
    if (table === 'owner') return [table, inSetOrder(flatRows, ['cik', 'name'])] as const
    if (table === 'signature') return [table, inSetOrder(flatRows, ['signature', 'signed'])] as const
    if (table !== 'security' && table !== 'derivative') return [table, flatRows] as const
    const ordered = [false, true].flatMap((isHolding) => flatRows.filter((row) => row.is_holding === isHolding))
    return [table, ordered.map((row, at) => ({ ...rounded(row), line: at + 1 }))] as const
  })
  return Object.fromEntries(whole)
}

test('a document and a set give the same rows of a Form 3, 4 or 5, except the columns that sets lack', async (t) => {
  const met = new Map<string, number>()
  for (const file of documents()) {
    const document = documentOf(file)
    const form = document.text('documentType')!
    const expected = comparable(byTable(parse(filingOf(document, { form, filedDate: FILED }))))
    const { rows, problems, unread } = await rowsOfSet(quarterlySets, linesOf(documentOf(file), ACCESSION, FILED))
    const found = flattened(byTable(rows))
    found.report = found.report!.map(unordered)
    assert.deepEqual(Object.keys(found).sort(), Object.keys(expected).sort(), file)
    for (const [table, own] of Object.entries(expected)) {
      assert.deepEqual(found[table], own, `${file} ${table}`)
      met.set(table, (met.get(table) ?? 0) + own.length)
    }
    assert.equal(problems.length, document.problems().length, file)
    assert.deepEqual(unread, [], file)
  }
  t.diagnostic([...met].map(([table, count]) => `${table} ${count}`).join(', '))
  for (const table of ['report', 'owner', 'security', 'derivative', 'footnote', 'signature'])
    assert.ok((met.get(table) ?? 0) > 0, table)
})

/** A filing of a set, without transactions. */
function madeFiling(owner: Line = {}): Written {
  const written = new Written()
  const of = { ACCESSION_NUMBER: ACCESSION }
  written.add('SUBMISSION', {
    ...{ ...of, FILING_DATE: '12-FEB-2026', PERIOD_OF_REPORT: '10-FEB-2026', DOCUMENT_TYPE: '4' },
    ...{ ISSUERCIK: '0000000900', ISSUERNAME: 'Specimen Corp', ISSUERTRADINGSYMBOL: 'NONE', AFF10B5ONE: 'true' },
  })
  const known = { RPTOWNERCIK: '0000000901', RPTOWNERNAME: 'Specimen Ann', RPTOWNER_RELATIONSHIP: 'Director,Officer' }
  written.add('REPORTINGOWNER', { ...of, ...known, ...owner })
  return written
}

test('an owner that a set lists once for each file number is one owner, and words of a relationship are read even without commas between them', async () => {
  const written = madeFiling({ RPTOWNER_RELATIONSHIP: 'TenPercentOwnerOther', FILE_NUMBER: '001-00001' })
  const [line] = written.members.get('REPORTINGOWNER')!
  written.add('REPORTINGOWNER', { ...line, FILE_NUMBER: '001-00002' })
  const { rows, problems, unread } = await rowsOfSet(quarterlySets, written)
  const { report, owner } = byTable(rows)
  assert.deepEqual([problems, unread, owner!.length], [[], [], 1])
  const { is_director, is_officer, is_ten_percent_owner, is_other } = owner![0]!
  assert.deepEqual([is_director, is_officer, is_ten_percent_owner, is_other], [false, false, true, true])
  const { source, owner_count, plan_10b5_1, ticker, period } = report![0]!
  assert.deepEqual([source, owner_count, plan_10b5_1, ticker, period], ['set', 1, true, undefined, '2026-02-10'])
})

test('an unknown relationship, an invalid day and a footnote that the filing lacks are reported as problems', async () => {
  const written = madeFiling({ RPTOWNER_RELATIONSHIP: 'Director,Janitor' })
  written.add('NONDERIV_TRANS', {
    ...{ ACCESSION_NUMBER: ACCESSION, NONDERIV_TRANS_SK: '7', SECURITY_TITLE: 'Common Stock' },
    ...{ TRANS_DATE: '31-FEB-2026', TRANS_SHARES: '100.0', TRANS_SHARES_FN: 'F1, F2' },
  })
  written.add('FOOTNOTES', { ACCESSION_NUMBER: ACCESSION, FOOTNOTE_ID: 'F1', FOOTNOTE_TXT: 'In shares' })
  const { rows, problems } = await rowsOfSet(quarterlySets, written)
  const [line] = byTable(rows).security!
  assert.deepEqual(
    [line!.shares, line!.transaction_date, line!.footnote_refs],
    ['100', undefined, [{ column: 'shares', ids: ['F1', 'F2'] }]],
  )
  assert.deepEqual(
    problems.map(({ value, reason }) => [value, reason]).sort(),
    [
      ['31-FEB-2026', 'not a day written as YYYY-MM-DD'],
      ['Director,Janitor', 'is not a list of TenPercentOwner, Director, Officer, Other'],
      ['F2', 'the filing has no such footnote'],
    ].sort(),
  )
})

test('a set does not say which of several owners is the first, so the report names none; the order of lines does not matter', async () => {
  const written = madeFiling({ RPTOWNERCIK: '0000000902', RPTOWNERNAME: 'Specimen Bea' })
  const of = { ACCESSION_NUMBER: ACCESSION }
  const [first] = written.members.get('REPORTINGOWNER')!
  written.add('REPORTINGOWNER', { ...first!, RPTOWNERCIK: '0000000901', RPTOWNERNAME: 'Specimen Cy' })
  for (const [name, day] of [
    ['/s/ Cy', '12-FEB-2026'],
    ['/s/ Bea', '12-FEB-2026'],
    ['/s/ Bea', '11-FEB-2026'],
  ] as const)
    written.add('OWNER_SIGNATURE', { ...of, OWNERSIGNATURENAME: name, OWNERSIGNATUREDATE: day })
  const forth = byTable((await rowsOfSet(quarterlySets, written)).rows)
  for (const [member, lines] of written.members) written.members.set(member, lines.toReversed())
  assert.deepEqual(byTable((await rowsOfSet(quarterlySets, written)).rows), forth)
  assert.deepEqual([forth.report![0]!.owner_name, forth.report![0]!.owner_count], [undefined, 2])
  assert.deepEqual(
    forth.owner!.map(({ position, cik, name }) => [position, cik, name]),
    [
      [0, '0000000901', 'Specimen Cy'],
      [1, '0000000902', 'Specimen Bea'],
    ],
  )
  assert.deepEqual(
    forth.signature!.map(({ position, signature, signed }) => [position, signature, signed]),
    [
      [0, '/s/ Bea', '2026-02-11'],
      [1, '/s/ Bea', '2026-02-12'],
      [2, '/s/ Cy', '2026-02-12'],
    ],
  )
})

test('a price that a set rounds to 0 is null and the line says so; the price of a gift and other amounts are 0', async () => {
  const written = madeFiling()
  const of = { ACCESSION_NUMBER: ACCESSION, SECURITY_TITLE: 'Common Stock', SHRS_OWND_FOLWNG_TRANS: '0.0' }
  for (const [at, line] of [
    { TRANS_CODE: 'S', TRANS_PRICEPERSHARE: '0.0' },
    { TRANS_CODE: 'G', TRANS_PRICEPERSHARE: '0.0' },
    { TRANS_CODE: 'S', TRANS_PRICEPERSHARE: '0.01' },
    { TRANS_CODE: 'J' },
  ].entries())
    written.add('NONDERIV_TRANS', { ...of, ...line, NONDERIV_TRANS_SK: String(at) })
  const terms = { DERIV_TRANS_SK: '1', TRANS_CODE: 'G', CONV_EXERCISE_PRICE: '0.0', TRANS_PRICEPERSHARE: '0.0' }
  written.add('DERIV_TRANS', { ...of, ...terms })
  const { rows, problems } = await rowsOfSet(quarterlySets, written)
  const { security, derivative } = byTable(rows)
  assert.deepEqual(
    security!.map(({ price, rounded_to_zero, shares_after }) => [price, rounded_to_zero, shares_after]),
    [
      [undefined, ['price'], '0'],
      ['0', [], '0'],
      ['0.01', [], '0'],
      [undefined, [], '0'],
    ],
  )
  const { price, exercise_price, rounded_to_zero } = derivative![0]!
  assert.deepEqual([price, exercise_price, rounded_to_zero, problems], ['0', undefined, ['exercise_price'], []])
})

test('a filing of a set that has no owner is refused', async () => {
  const written = madeFiling()
  written.members.delete('REPORTINGOWNER')
  await assert.rejects(rowsOfSet(quarterlySets, written), /^Error: has no line in REPORTINGOWNER$/)
})

test('the name of a set gives its quarter', () => {
  const days = (name: string) => quarterlySets.days(quarterlySets.file.exec(name)!)
  assert.deepEqual(days('2026q2_form345.zip'), { from: '2026-04-01', to: '2026-06-30' })
  assert.deepEqual(days('2006q1_form345_0.zip'), { from: '2006-01-01', to: '2006-03-31' })
  assert.equal(quarterlySets.file.test('2026q2_form345.zip.txt'), false)
})

/**
 * Number of real filings that are read: the first of the file, in addition to all filings with a quotation mark in
 * their line.
 */
const REAL = 150

test('the real lines of 2024 Q3 are read whole, except footnotes and owners, which the corpus lacks', {
  skip: corpus.skip,
}, async () => {
  const folder = path.join(corpus.folder!, 'bulk/insider-transactions')
  const filings = new Map<string, Written>()
  for (const member of ['SUBMISSION', 'NONDERIV_HOLDING', 'DERIV_TRANS', 'DERIV_HOLDING', 'OWNER_SIGNATURE']) {
    const [head, ...lines] = readFileSync(path.join(folder, `${member}.tsv`), 'utf8')
      .trimEnd()
      .split('\n')
    const columns = head!.split('\t')
    assert.deepEqual(
      quarterlySets.members[member]!.filter((column) => !columns.includes(column)),
      [],
      member,
    )
    for (const line of lines) {
      const ACCESSION_NUMBER = line.slice(0, 20)
      if (member === 'SUBMISSION' && (filings.size < REAL || line.includes('"'))) {
        filings.set(ACCESSION_NUMBER, new Written())
        filings.get(ACCESSION_NUMBER)!.add('REPORTINGOWNER', { ACCESSION_NUMBER, RPTOWNERCIK: '0000000901' })
      }
      const values = filings.has(ACCESSION_NUMBER) ? tsvValues(line, true) : []
      const own = values.map((value, at) => [columns[at]!, value] as const)
      if (own.length > 0) filings.get(ACCESSION_NUMBER)!.add(member, Object.fromEntries(own))
    }
  }
  let lines = 0
  const texts = new Map<string, string>()
  for (const [accession, written] of filings) {
    const { rows, problems, unread } = await rowsOfSet(quarterlySets, written)
    lines += rows.length
    const others = problems.filter(({ reason }) => reason !== 'the filing has no such footnote')
    assert.deepEqual([others, unread], [[], []], accession)
    const { remarks } = byTable(rows).report![0]!
    if (typeof remarks === 'string') texts.set(accession, remarks)
  }
  const withQuotes = [...texts.values()].filter((text) => text.includes('"'))
  assert.ok(withQuotes.length > REAL, `${withQuotes.length} remarks with quotes`)
  assert.deepEqual(
    withQuotes.filter((text) => text.includes('""')),
    [],
  )
  assert.match(texts.get('0001225208-24-008881')!, /^This Form 4\/A .* \("Original Form 4"\) .* a trust\.$/)
  assert.ok(lines > 3 * REAL, `${lines} rows`)
})
