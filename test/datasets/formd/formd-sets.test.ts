/**
 * The SEC's data sets of Form D: a notice gives the same rows from its document as from lines that were written from
 * this document.
 */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from '../../../src/datasets/formd/parse.ts'
import { quarterlySets } from '../../../src/datasets/formd/sets.ts'
import { corpus } from '../../support/corpus.ts'
import { linesOf } from '../../support/sets/formd.ts'
import { byTable, documentOf, flat, rowsOfSet } from '../../support/sets/written.ts'

const ACCESSION = '0000000082-26-000001'
const FIXTURES = path.join(import.meta.dirname, '../../../src/datasets/formd/fixtures')

const documents = (): string[] => [
  ...globSync(path.join(FIXTURES, '*/primary_doc.xml')),
  ...(corpus.skip === false ? globSync(path.join(corpus.folder!, 'documents/{D,formd/*}/*.xml')) : []),
]

/** Returns rows without line ends in texts, which a set cannot have. */
const flattened = (rows: ReturnType<typeof byTable>): unknown =>
  JSON.parse(JSON.stringify(rows), (_, value) => (typeof value === 'string' ? flat(value) : value))

test('a document and a set give the same rows of a Form D, in every table', async (t) => {
  const met = new Map<string, number>()
  for (const file of documents()) {
    const document = documentOf(file)
    const expected = byTable(parse({ documents: { form: document } }))
    const { rows, problems, unread } = await rowsOfSet(
      quarterlySets,
      linesOf(documentOf(file), ACCESSION, '2026-02-12'),
    )
    assert.deepEqual(flattened(byTable(rows)), flattened(expected), file)
    assert.equal(problems.length, document.problems().length, file)
    assert.deepEqual(unread, [], file)
    for (const [table, own] of Object.entries(expected)) met.set(table, (met.get(table) ?? 0) + own.length)
  }
  t.diagnostic([...met].map(([table, count]) => `${table} ${count}`).join(', '))
  assert.deepEqual([...met.keys()].sort(), ['issuer', 'offering', 'person', 'recipient', 'signature'])
})

test('unknown words of a set are problems with their place, and their values are null', async () => {
  const [file] = globSync(path.join(FIXTURES, '9000000001-09-000001/primary_doc.xml'))
  const written = linesOf(documentOf(file!), ACCESSION, '2026-02-12')
  const [offering] = written.members.get('OFFERING')!
  const issuer = written.members.get('ISSUERS')!.find((line) => line.IS_PRIMARYISSUER_FLAG === 'YES')!
  issuer.YEAROFINC_TIMESPAN_CHOICE = 'lately'
  offering!.TOTALAMOUNTSOLD = 'plenty'
  const { rows, problems } = await rowsOfSet(quarterlySets, written)
  const found = byTable(rows)
  assert.deepEqual([found.offering![0]!.total_sold, found.issuer![0]!.incorporated], [undefined, undefined])
  assert.deepEqual(
    problems.map(({ value, reason }) => [value, reason]),
    [
      ['plenty', 'not a decimal number'],
      ['lately', 'is not one of withinFiveYears, overFiveYears, yetToBeFormed'],
    ],
  )
})

test('the name of a set gives its quarter, also with a number after it', () => {
  const days = (name: string) => quarterlySets.days(quarterlySets.file.exec(name)!)
  assert.deepEqual(days('2026q3_d.zip'), { from: '2026-07-01', to: '2026-09-30' })
  assert.deepEqual(days('2012q1_d_0.zip'), { from: '2012-01-01', to: '2012-03-31' })
})
