import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CsvHeader, CsvRow } from './csv.ts'
import { heldLines, Lines, Made, namedDayOf, sortedBy, sortNumbered } from './made.ts'

const header = new CsvHeader('PERSON.tsv', ['NUMBER', 'NAME'])
const rowsOf = (...lines: string[]) => lines.map((line, at) => new CsvRow(header, line.split(' '), at + 1))
const namesOf = (rows: readonly CsvRow[]) => rows.map((row) => row.text('NAME')).join('')

test('a text is added as a new element or as an attribute of a new element, and null adds nothing', () => {
  const made = Made.root('testRoot')
  for (const text of ['a', null, 'b']) {
    made.add('list/item', text)
    made.add('list/other/@value', text)
    made.add('empty/item', null)
  }
  const element = made.element()
  assert.deepEqual(element.texts('list/item'), ['a', 'b'])
  assert.deepEqual(element.texts('list/other/@value'), ['a', 'b'])
  assert.equal(element.maybe('empty'), null)
})

test('lines are sorted by a number; lines without a number come first, and an unreadable number is reported once', () => {
  const rows = rowsOf('3 c', 'x b', '1 d', ' a', '2 e')
  const lines = sortNumbered(new Map([['PERSON', rows]]), { PERSON: 'NUMBER', ABSENT: 'NUMBER' })
  assert.equal(namesOf(lines.get('PERSON')!), 'badec')
  assert.deepEqual(lines.get('ABSENT'), [])
  assert.deepEqual(
    rows.flatMap((row) => row.problems().map(({ path, reason }) => [path, reason])),
    [['PERSON.tsv:2/NUMBER', 'not an integer']],
  )
})

test('lines with the same key keep their order', () => {
  const rows = rowsOf('1 b', '2 a', '3 b', '4 a')
  const sorted = sortedBy(rows, (row) => row.text('NAME')!)
  assert.deepEqual(
    sorted.map((row) => row.integer('NUMBER')),
    [2, 4, 1, 3],
  )
})

test('lines of records are found next to the other lines, whether the records come at once, in pages, or not at all', async () => {
  const rows = rowsOf('1 a', '2 b')
  const records = rows.map((row) => ({ row }))
  async function* paged() {
    yield* records
  }
  const head = rowsOf('9 head')
  for (const [from, expected] of [
    [records, 'ab'],
    [paged(), 'ab'],
    [null, ''],
  ] as const) {
    const own = new Lines(await heldLines(new Map([['HEAD', head]]), from, 'PERSON'))
    assert.equal(namesOf(own.of('PERSON')), expected)
    assert.equal(own.one('HEAD'), head[0])
  }
})

test('a day that does not exist is a problem of its line, whether it is written as DD-MON-YYYY or YYYY-MM-DD', () => {
  const rows = rowsOf('31-MAR-2026 a', '2026-03-31 b', '31-FEB-2026 c', '2026-02-31 d')
  assert.deepEqual(
    rows.map((row) => namedDayOf(row, 'NUMBER')),
    ['2026-03-31', '2026-03-31', null, null],
  )
  const reason = 'not a day written as DD-MON-YYYY or YYYY-MM-DD'
  assert.deepEqual(
    rows.flatMap((row) => row.problems().map((problem) => [problem.path, problem.reason])),
    [3, 4].map((line) => [`PERSON.tsv:${line}/NUMBER`, reason]),
  )
})
