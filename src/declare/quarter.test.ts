import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_QUARTER, partNamed, partOf, storedQuarter } from './quarter.ts'
import { date, integer, table } from './table.ts'

test('a day is stored under the last day of its quarter, an impossible day under no quarter', () => {
  const stored = ['2023-12-31', '2023-10-01', '2024-02-29', '2000-05-15', '1990-01-01', '2099-09-30'].map(storedQuarter)
  assert.deepEqual(stored, ['2023-12-31', '2023-12-31', '2024-03-31', '2000-06-30', '1990-03-31', '2099-09-30'])
  for (const day of [null, '1989-12-31', '0201-12-31', '2100-01-01']) assert.equal(storedQuarter(day), NO_QUARTER)
})

test('partitions follow each other without a gap, and each is found by its name', () => {
  let end = '1990-01-01'
  assert.equal(partOf(NO_QUARTER).bounds, `from (minvalue) to ('${end}')`)
  for (let month = 0; month < 440; month++) {
    const day = new Date(Date.UTC(1990, 3 * month, 1)).toISOString().slice(0, 10)
    const part = partOf(storedQuarter(day))
    if (day > '2100') {
      assert.equal(part.name, 'rest')
      continue
    }
    const [, from, to] = /^from \('(.*)'\) to \('(.*)'\)$/.exec(part.bounds)!
    assert.deepEqual([from, from], [end, day])
    assert.deepEqual(partNamed(part.name), part)
    end = to!
  }
  assert.deepEqual(partNamed('rest'), partOf(NO_QUARTER))
  assert.equal(partNamed('2023q5'), undefined)
  assert.equal(partNamed('quality'), undefined)
})

test('a table that is partitioned by quarter needs a column `quarter` that is a date and never null', () => {
  const of = (columns: Parameters<typeof table>[3]) => () =>
    table('test.line', 'One row per line', ['n'], columns, { partition: 'quarter' })
  const n = integer('Number')
  assert.throws(of({ n }), /test\.line is partitioned by quarter, so it needs a column quarter/)
  assert.throws(of({ n, quarter: date('Quarter').nullable() }), /never null/)
  assert.throws(of({ n, quarter: integer('Quarter') }), /never null/)
  assert.deepEqual(of({ n, quarter: date('Quarter') })().primaryKey, ['accession', 'n', 'quarter'])
})
