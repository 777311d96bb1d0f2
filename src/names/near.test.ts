import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../bench/random.ts'
import { nearKeys, WRONG_MIN, wrongAtBeginning, wrongLetters, wrongMax } from './near.ts'

const LETTERS = 'abcde'

const some = (random: Random, length: number) =>
  Array.from({ length }, () => LETTERS[random.below(LETTERS.length)]).join('')

/** Returns the word with one letter at this place left out, inserted, changed, or swapped with the next. */
function spoiled(word: string, at: number, random: Random): string {
  const [before, letter, after] = [word.slice(0, at), word[at] ?? '', word.slice(at + 1)]
  return [
    before + after,
    `${before}${some(random, 1)}${letter}${after}`,
    before + some(random, 1) + after,
    before + after.slice(0, 1) + letter + after.slice(1),
  ][random.below(4)]!
}

const shareKey = (a: string, b: string) => {
  const keys = new Set(nearKeys(a))
  return nearKeys(b).some((key) => keys.has(key))
}

/** Counts wrong letters in the simple way: with the whole table and without a bound. */
function counted(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j))
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const turned = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      table[i]![j] = Math.min(
        table[i - 1]![j]! + 1,
        table[i]![j - 1]! + 1,
        table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        turned ? table[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
  return table[a.length]![b.length]!
}

test('a word with one wrong letter, wherever it is, shares a key with the word that was meant', () => {
  const random = new Random(1)
  for (let n = 0; n < 5000; n++) {
    const word = some(random, WRONG_MIN + random.below(12))
    const typed = spoiled(word, random.below(word.length), random)
    assert.ok(shareKey(typed, word), `${typed} for ${word}`)
  }
})

test('a long word with a wrong letter in each half shares a key with the word that was meant', () => {
  const random = new Random(2)
  for (let n = 0; n < 5000; n++) {
    const word = some(random, 14 + random.below(8))
    const half = word.length >> 1
    const typed =
      spoiled(word.slice(0, half), random.below(half - 1), random) +
      spoiled(word.slice(half), 1 + random.below(half - 1), random)
    assert.ok(shareKey(typed, word), `${typed} for ${word}`)
  }
})

test('unrelated words share no key, and a short word is never taken for another word', () => {
  assert.equal(shareKey('holdings', 'partners'), false)
  assert.equal(shareKey('capitol', 'capstan'), false)
  assert.deepEqual(nearKeys('ab'), [])
  assert.deepEqual(nearKeys('𝔊𝔬𝔩𝔡'), [], 'a letter beyond 16 bits would be cut in two')
})

test('forgives no wrong letter in a word of three letters, one wrong letter from four letters on, and two from eight on', () => {
  assert.deepEqual([3, 4, 7, 8, 30].map(wrongMax), [0, 1, 1, 2, 2])
})

test('gives the same number of wrong letters as a count with the whole table, up to the given maximum', () => {
  const random = new Random(3)
  for (let n = 0; n < 5000; n++) {
    const a = some(random, random.below(10))
    const b =
      random.below(3) > 0 && a !== ''
        ? spoiled(spoiled(a, random.below(a.length), random), 0, random)
        : some(random, random.below(10))
    for (const max of [1, 2])
      assert.equal(wrongLetters(a, b, max), Math.min(counted(a, b), max + 1), `${a} ${b} ${max}`)
  }
})

test('the wrong letters of an unfinished word are counted against the beginning of the meant word that matches best', () => {
  const random = new Random(4)
  for (let n = 0; n < 2000; n++) {
    const word = some(random, 6 + random.below(6))
    const beginning = word.slice(0, 4 + random.below(word.length - 4))
    const typed = spoiled(beginning, random.below(beginning.length), random)
    assert.ok(wrongAtBeginning(typed, word, 2) <= 1, `${typed} for ${word}`)
  }
})
