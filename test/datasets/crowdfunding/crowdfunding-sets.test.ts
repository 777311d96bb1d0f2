/**
 * The SEC's data sets of Form C: a filing gives the same rows from its document as from lines that were written from this
 * document.
 */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from '../../../src/datasets/crowdfunding/parse.ts'
import { quarterlySets } from '../../../src/datasets/crowdfunding/sets.ts'
import { corpus } from '../../support/corpus.ts'
import { linesOf } from '../../support/sets/crowdfunding.ts'
import { byTable, documentOf, flat, rowsOfSet, without } from '../../support/sets/written.ts'

const ACCESSION = '0000000083-26-000001'
const FIXTURES = path.join(import.meta.dirname, '../../../src/datasets/crowdfunding/fixtures')

const documents = (): string[] => [
  ...globSync(path.join(FIXTURES, '*/primary_doc.xml')),
  ...(corpus.skip === false ? globSync(path.join(corpus.folder!, 'documents/formc/*/*.xml')) : []),
]

/** Returns the rows that a set can state, without line ends in texts. */
const comparable = (rows: ReturnType<typeof byTable>): unknown =>
  JSON.parse(JSON.stringify(without(rows, ['co_issuer', 'submission.source'])), (_, value) =>
    typeof value === 'string' ? flat(value) : value,
  )

test('a document and a set give the same rows of a Form C, except co-issuers', async (t) => {
  const met = new Map<string, number>()
  for (const file of documents()) {
    const document = documentOf(file)
    const expected = byTable(parse({ documents: { form: document } }))
    const { rows, problems, unread } = await rowsOfSet(
      quarterlySets,
      linesOf(documentOf(file), ACCESSION, '2026-02-12'),
    )
    assert.deepEqual(comparable(byTable(rows)), comparable(expected), file)
    assert.equal(problems.length, document.problems().length, file)
    assert.deepEqual(unread, [], file)
    for (const [table, own] of Object.entries(expected)) met.set(table, (met.get(table) ?? 0) + own.length)
  }
  t.diagnostic([...met].map(([table, count]) => `${table} ${count}`).join(', '))
  assert.deepEqual([...met.keys()].sort(), ['co_issuer', 'financial', 'signature', 'submission'])
})

test('days of a set are read in each notation, and any other text is a problem', async () => {
  const [file] = globSync(path.join(FIXTURES, '9000000020-16-000001/primary_doc.xml'))
  for (const [text, expected] of [
    ['20161031', '2016-10-31'],
    ['31-OCT-2016', '2016-10-31'],
    ['2016-10-31 00:00:00.0', '2016-10-31'],
    ['10-31-2016', '2016-10-31'],
    ['soon', undefined],
  ] as const) {
    const written = linesOf(documentOf(file!), ACCESSION, '2026-02-12')
    written.members.get('FORM_C_DISCLOSURE')![0]!.DEADLINEDATE = text
    const { rows, problems } = await rowsOfSet(quarterlySets, written)
    assert.equal(byTable(rows).submission![0]!.deadline, expected, text)
    const reasons = problems.map(({ value, reason }) => [value, reason])
    assert.deepEqual(reasons, expected ? [] : [[text, 'not a day written as MM-DD-YYYY']])
  }
})

test('if a column of signatures has an unknown name in a set, only its values are lost', async () => {
  const [file] = globSync(path.join(FIXTURES, '9000000020-16-000001/primary_doc.xml'))
  const written = linesOf(documentOf(file!), ACCESSION, '2026-02-12')
  const [line] = written.members.get('FORM_C_ISSUER_SIGNATURE')!
  delete line!.ISSUERTITLE
  line!.TITLE = 'President'
  const { rows, unread } = await rowsOfSet(quarterlySets, written)
  assert.equal(byTable(rows).signature![0]!.title, undefined)
  assert.deepEqual(unread, ['FORM_C_ISSUER_SIGNATURE/TITLE'])
})

test('a line of signatures without a known column gives no row, and the other signatures stay', async () => {
  const [file] = globSync(path.join(FIXTURES, '9000000020-16-000001/primary_doc.xml'))
  const written = linesOf(documentOf(file!), ACCESSION, '2026-02-12')
  const persons = written.members.get('FORM_C_SIGNATURE')!.length
  const [{ ACCESSION_NUMBER }] = written.members.get('FORM_C_ISSUER_SIGNATURE')! as [Record<string, string>]
  const named = { SIGNER: 'Specimen Bakery', SIGNATURE: '/s/ Specimen' }
  written.members.set('FORM_C_ISSUER_SIGNATURE', [{ ACCESSION_NUMBER: ACCESSION_NUMBER!, ...named }])
  const { rows, unread } = await rowsOfSet(quarterlySets, written)
  const { signature } = byTable(rows)
  assert.equal(signature!.length, persons)
  assert.ok(signature!.every((row) => row.signature !== undefined && row.signed !== undefined))
  assert.deepEqual(unread, ['FORM_C_ISSUER_SIGNATURE/SIGNER', 'FORM_C_ISSUER_SIGNATURE/SIGNATURE'])
})

test('the name of a set gives its quarter', () => {
  const days = quarterlySets.days(quarterlySets.file.exec('2026q3_cf.zip')!)
  assert.deepEqual(days, { from: '2026-07-01', to: '2026-09-30' })
})
