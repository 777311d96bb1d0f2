import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Line } from './lines.ts'
import { explainScore, scoreOf } from './score.ts'
import { confidenceOf, explainConfidence } from './section.ts'

type Seen = Parameters<typeof scoreOf>[0]

/** The score of a line, with the signals that give it. */
function explained(plain: string, set: Partial<Line> = {}, seen: Partial<Seen> = {}) {
  const line = { ...{ start: 0, next: 0, plain, isHeading: false, isBold: false, isRow: false, isLink: false }, ...set }
  const about = { isEnded: false, isTitled: false, isOwn: false, isOther: false, body: 6_000, items: 1 }
  const all = { line, numbers: ['1'], rest: plain.replace(/^\S+ \S+ ?/, ''), ...about, ...seen }
  const signals = explainScore(all)
  const sum = signals.reduce((total, { weight }) => total + weight, 0)
  assert.equal(sum, scoreOf(all))
  return [sum, ...signals.map(({ name, weight }) => `${name} ${weight}`)]
}

test('the score of a line that may begin an item is the sum of the signals that explain it', () => {
  const begins = 'begins with an item 1'
  const body = 'text after it 2'
  assert.deepEqual(explained('Item 1. Business', { isHeading: true }, { isTitled: true, isOwn: true }), [
    9.5,
    ...[begins, 'heading 2', 'title of the item 3', body, 'in the part of the item 1.5'],
  ])
  assert.deepEqual(explained('Item 1. Business 12', { isRow: true, isLink: true }, { body: 20, isTitled: true }), [
    -2.5,
    ...[begins, 'title of the item 3', 'row of a table -1.5', 'link -2', 'page number -2', 'text after it -1'],
  ])
  assert.deepEqual(explained('ITEM 1. Other', {}, { isOther: true }), [
    0.5,
    ...[begins, 'bold or in capitals 1', 'other text -1.5', body, 'in another part -2'],
  ])
  assert.deepEqual(explained('Items 10 to 14', {}, { numbers: ['10', '14'], rest: '', items: 2 }), [
    4.5,
    ...[begins, body, 'further items 1.5'],
  ])
  assert.deepEqual(explained(`Item 1. ${'We make things. '.repeat(20)}`), [
    -1.5,
    ...[begins, 'other text -1.5', body, 'paragraph -3'],
  ])
})

test('the confidence of a section is the sum of the points that explain it', () => {
  const named = (...of: Parameters<typeof explainConfidence>) =>
    explainConfidence(...of).map(({ name, weight }) => `${name} ${weight}`)
  const whole = { isSet: true, isTitled: true, length: 5_000 }
  assert.equal(confidenceOf(whole), 1)
  assert.deepEqual(named(whole), [
    'position in the order of the form 35',
    'set as a heading 25',
    'title that the form prescribes 30',
    'text of some length 10',
  ])
  assert.equal(confidenceOf({ isSet: false, isTitled: false, length: 10 }), 0.35)
})
