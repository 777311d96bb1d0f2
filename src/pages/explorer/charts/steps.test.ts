import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSteps, type Step } from './steps.ts'

const steps = (days: readonly string[], step: Step, most = 60) => inSteps(days, (day) => day, step, most)

test('a quarter without a row leaves a gap and is named', () => {
  const found = steps(['2025-12-31', '2024-12-31', '2025-03-31'], 'quarter')
  assert.deepEqual(found.rows, ['2024-12-31', '2025-03-31', null, null, '2025-12-31'])
  assert.deepEqual(found.labels, ['Dec 2024', 'Mar 2025', 'Jun 2025', 'Sep 2025', 'Dec 2025'])
  assert.deepEqual(found.missing, ['Jun 2025 to Sep 2025'])
  assert.equal(found.earlier, 0)
})

test('fiscal quarters and years of 52 or 53 weeks have no gaps', () => {
  // Quarters of Apple, whose ends move between two months.
  const quarters = ['2022-12-31', '2023-04-01', '2023-07-01', '2023-09-30', '2023-12-30', '2024-03-30']
  assert.deepEqual(steps(quarters, 'quarter').missing, [])
  assert.deepEqual(steps(['2022-09-24', '2023-09-30', '2024-09-28'], 'year').missing, [])
})

test('years without rows are named, and rows before the shown periods are counted', () => {
  const { missing, labels, earlier } = steps(['1999', '2001', '2004', '2005'], 'year', 3)
  assert.deepEqual(labels, ['2004', '2005'])
  assert.deepEqual(missing, [])
  assert.equal(earlier, 2)
  assert.deepEqual(steps(['1999', '2001', '2004'], 'year').missing, ['2000', '2002 to 2003'])
})

test('months continue after the end of a year, and a long time without rows is not filled with periods', () => {
  assert.deepEqual(steps(['2023-11', '2024-02'], 'month').labels, ['Nov 2023', 'Dec 2023', 'Jan 2024', 'Feb 2024'])
  assert.deepEqual(steps(['0001-01', '9999-12'], 'month').labels, ['Dec 9999'])
  assert.deepEqual(steps([], 'month'), { rows: [], labels: [], missing: [], earlier: 0 })
})

test('two rows of one day share a period; rows of two days in one period stay separate, with distinct labels', () => {
  assert.deepEqual(steps(['2024-12-31', '2024-12-31'], 'year').rows, ['2024-12-31'])
  const two = steps(['2023-06-30', '2024-06-30', '2024-09-30'], 'year')
  assert.equal(two.rows.length, 3)
  assert.deepEqual(two.labels, ['2023', 'Jun 2024', 'Sep 2024'])
  assert.deepEqual(steps(['2024-06-01', '2024-06-30'], 'quarter').labels, ['2024-06-01', '2024-06-30'])
})
