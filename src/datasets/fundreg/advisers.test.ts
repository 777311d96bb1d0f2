/** Who advises a fund, and who is only said to advise another. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advisersOf } from './advisers.ts'

const read = (text: string) => advisersOf(text).map(({ role, name }) => [role, name])

test('a firm that serves the fund is its adviser, by its place in the text', () => {
  const text =
    'Sample Advisers, LLC serves as the Fund’s investment adviser. Other Sample Inc. acts as sub-adviser of the Fund.'
  assert.deepEqual(read(text), [
    ['adviser', 'Sample Advisers, LLC'],
    ['subadviser', 'Other Sample Inc.'],
  ])
  const [first] = advisersOf(text)
  assert.match(text.slice(first!.start, first!.end), /^Sample Advisers, LLC serves as/)
})

test('who manages other funds, or the funds in which this one invests, is no adviser of it', () => {
  for (const text of [
    'Sample Advisers, LLC serves as investment adviser to the underlying funds.',
    'Sample Advisers, LLC is a manager of hedge funds.',
    'Sample Advisers, LLC is the adviser to more than 20 other registered funds.',
  ]) {
    assert.deepEqual(read(text), [], text)
  }
})
