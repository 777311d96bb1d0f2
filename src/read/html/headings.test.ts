import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Paragraph } from './block.ts'
import { headingOf, type Setting, weightOf } from './headings.ts'
import { type ComputedStyle, PLAIN } from './style.ts'

const SETTING: Setting = { bodySize: 10, linked: new Set(['risks']), cover: false }

const paragraph = (plain: string, computed: Partial<ComputedStyle> = {}, more: Partial<Paragraph> = {}): Paragraph => ({
  kind: 'paragraph',
  plain,
  spans: [{ start: 0, computed: { ...PLAIN, size: 10, inner: new Map(), ...computed } }],
  ...{ links: [], images: [], level: 0, item: null, laid: false, anchors: [] },
  ...more,
})

const explained = (...of: Parameters<typeof paragraph>) => {
  const { weight, signals } = headingOf(paragraph(...of), SETTING)
  assert.equal(weight, weightOf(paragraph(...of), SETTING))
  return [weight, ...signals.map((signal) => `${signal.name} ${signal.weight}`)]
}

test('the weight of a heading is the sum of the signals that explain it', () => {
  assert.deepEqual(explained('RISK FACTORS', { bold: true, align: 'center' }), [
    93,
    'bold 0',
    '10 points 80',
    'capitals 6',
    'bold 4',
    'centered 3',
  ])
  assert.deepEqual(explained('Item 7A. Risk', { underline: true }), [
    81,
    'numbered, underlined, centered or with an anchor 0',
    '10 points 80',
    'underlined 1',
  ])
  assert.deepEqual(explained('Our business', {}, { anchors: ['risks'] }), [
    80,
    'the table of contents leads to it 0',
    '10 points 80',
  ])
  assert.deepEqual(explained('Our business', {}, { level: 2 }), [998, 'h2 998'])
  assert.deepEqual(explained('Our business', { underline: true }), [1, 'underlined line of text 1'])
})

test('names the sign that shows that a paragraph is text and not a heading', () => {
  assert.deepEqual(explained('Our business'), [0, 'nothing sets it apart 0'])
  assert.deepEqual(explained('May 4, 2026', { bold: true }), [0, 'address, date or number to call 0'])
  assert.deepEqual(explained('We may not find anybody who buys what we make and sell.', { bold: true }), [
    0,
    'sentence 0',
  ])
  assert.deepEqual(explained('Our business', { bold: true }, { laid: true }), [0, 'note of a table 0'])
})
