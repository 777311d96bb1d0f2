/** Numbers in words and in Roman digits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numeralOf, wordsTo } from './numerals.ts'

test('reads numbers in words up to twenty, and in Roman digits up to 16, in capitals and small letters; 0 for other texts', () => {
  const known = ['one', 'Twelve', 'TWENTY', 'i', 'IV', 'xvi', 'xvii', 'first', '3', ''].map(numeralOf)
  assert.deepEqual(known, [1, 12, 20, 1, 4, 16, 0, 0, 0, 0])
})

test('the pattern of the words up to a number matches no word of a higher number', () => {
  assert.equal(wordsTo(3), 'one|two|three')
})
