import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressIn, boundsOf, cutAfter, hitsIn, MARGIN, PART, partAt } from './parts.ts'

test('parts begin with sections, short sections share one part, and long sections have several parts', () => {
  assert.deepEqual(boundsOf(500, [0, 100, 200]), [{ at: 0, isExact: true }])
  const bounds = boundsOf(12_000_000, [10_000, 10_500, 40_000])
  assert.deepEqual(bounds.slice(0, 4), [
    { at: 0, isExact: true },
    { at: 10_000, isExact: true },
    { at: 40_000, isExact: true },
    { at: 40_000 + PART, isExact: false },
  ])
  for (const [n, { at }] of bounds.entries()) assert.ok((bounds[n + 1]?.at ?? 12_000_000) - at <= PART * 1.25)
  for (const [n, bound] of bounds.entries()) assert.equal(partAt(bounds, addressIn(bound)), n)
  assert.equal(partAt(bounds, 39_999), 1)
})

test('a part ends at the end of a paragraph, else at the end of a line, else between characters', () => {
  assert.equal(cutAfter('one\n\ntwo', 1), 5)
  assert.equal(cutAfter('one\ntwo', 1), 4)
  assert.equal(cutAfter('a\u{1f600}b', 2), 3)
  assert.equal(cutAfter(`${'a'.repeat(MARGIN * 2)}\n\n`, 10), 10)
  assert.equal(cutAfter('abc', 5), 3)
})

test('words are found in upper or lower case and across Markdown signs, and only as typed', () => {
  assert.deepEqual(hitsIn('The **Chief** Executive. chief\nexecutive', 'chief executive').hits, [
    { from: 6, to: 23 },
    { from: 25, to: 40 },
  ])
  assert.deepEqual(hitsIn('a.c abc', 'a.c').hits, [{ from: 0, to: 3 }])
  assert.deepEqual(hitsIn('aaa', 'a', 2), {
    hits: [
      { from: 0, to: 1 },
      { from: 1, to: 2 },
    ],
    isCut: true,
  })
  assert.deepEqual(hitsIn('abc', '  ').hits, [])
  assert.equal(hitsIn('(a+)+$'.repeat(3), '(a+)+$').hits.length, 3)
  assert.deepEqual(hitsIn('Form 10-K, non\\_gaap', '10-k').hits, [{ from: 5, to: 9 }])
  assert.deepEqual(hitsIn('Form 10-K, non\\_gaap', 'non_gaap').hits, [{ from: 11, to: 20 }])
})

test('search time does not grow with the number of signs between words', () => {
  const begun = performance.now()
  assert.deepEqual(hitsIn(`By: ${'_'.repeat(10_000)} Name`, '_ _ _ * * | _ _ _ _ _ x').hits, [])
  assert.ok(performance.now() - begun < 2_000)
})
