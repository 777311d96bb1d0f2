/** Titles of offices in prose. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSeat, titleAt, titleBefore, titleFrom } from './titles.ts'

const read = (text: string) => titleAt(text, 0)?.title ?? null

test('a title continues after "and" and commas as long as offices or fields follow', () => {
  assert.equal(
    read('Executive Vice President, Corporate Controller and Chief Accounting Officer of the Company'),
    'Executive Vice President, Corporate Controller and Chief Accounting Officer',
  )
  assert.equal(read('Senior Vice President, Floor Products, effective today'), 'Senior Vice President, Floor Products')
  assert.equal(read('chief financial officer, and the Board met'), 'chief financial officer')
})

test('a title includes its division of the company, and an office at another company is marked', () => {
  assert.equal(read('CEO of the Consumer Banking division, effective today'), 'CEO of the Consumer Banking division')
  assert.equal(titleAt('President of Delta Industries, Inc.', 0)?.isElsewhere, true)
  assert.equal(titleAt('President of the Company', 0)?.isElsewhere, false)
})

test('words that are not an office give no title', () => {
  for (const text of ['The Board met', 'January 3', 'Harbor Steel', 'he resigned']) assert.equal(read(text), null, text)
})

test('an article or a possessive before a title is skipped', () => {
  assert.equal(titleFrom('the Company’s current Chief Financial Officer', 0)?.title, 'Chief Financial Officer')
  assert.equal(titleFrom('a new Treasurer', 0)?.title, 'Treasurer')
  assert.equal(titleFrom('walked to the door', 0), null)
})

test('a title that a comma separates from the name after it counts only with a possessive or an article', () => {
  const before = (text: string) => titleBefore(text, text.length)
  assert.equal(before('the Board thanked Chief Financial Officer '), 'Chief Financial Officer')
  assert.equal(before('the Board thanked its President, '), 'President')
  assert.equal(before('it thanked Ben Sample, President, '), null)
  assert.equal(before('it thanked directors '), 'director')
  assert.equal(before('it thanked board member '), 'director')
})

test('a seat on the board is distinguished from an act of the board', () => {
  assert.ok(isSeat('as a member of the Board'))
  assert.ok(isSeat('as a Class I director'))
  assert.ok(isSeat('to the Board of Directors, effective'))
  assert.ok(!isSeat('the Board appointed'))
  assert.ok(!isSeat('to the Audit Committee'))
})
