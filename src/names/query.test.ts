import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsQuery } from './query.ts'
import { plainReading } from './typed.ts'

/**
 * The query for a search: `counts` has the number of names with each word. No other word begins with any of these
 * words.
 */
const queryFor = (counts: Record<string, number>) =>
  wordsQuery(plainReading('meridian harbor lighthouse'), {
    counts: new Map(Object.entries({ 'lighthouse*': 0, ...counts })),
    beginnings: new Map([['lighthouse', ['lighthouse']]]),
    hasPlaces: false,
  })

test('a word that few names have is looked up alone, and the other words are tested', () => {
  assert.deepEqual(queryFor({ meridian: 5000, harbor: 90, lighthouse: 7000 }), {
    indexed: "'harbor'",
    tested: "'meridian' & 'lighthouse'",
  })
})

test('also looks up the second rarest word if hundreds of names have the rarest word', () => {
  assert.deepEqual(queryFor({ meridian: 5000, harbor: 900, lighthouse: 7000 }), {
    indexed: "'harbor' & 'meridian'",
    tested: "'lighthouse'",
  })
})

test('looks up all words if more names have the rarest word than can be tested, so that no name is missed', () => {
  const { indexed, tested } = queryFor({ meridian: 5000, harbor: 1100, lighthouse: 7000 })
  assert.deepEqual([indexed, tested], ["'harbor' & 'meridian' & 'lighthouse'", null])
})

test('looks up the next word in place of a prefix that very many words have', () => {
  const { indexed, tested } = wordsQuery(plainReading('meridian harbor li'), {
    counts: new Map(Object.entries({ meridian: 7500, harbor: 700, li: 20, 'li*': 7200 })),
    beginnings: new Map(),
    hasPlaces: false,
  })
  assert.deepEqual([indexed, tested], ["'harbor' & 'meridian'", "'li':*"])
})
