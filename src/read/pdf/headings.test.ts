import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Text } from './blocks.ts'
import { styleOf } from './headings.ts'

const block = (text: string, more: Partial<Text> = {}): Text => ({
  ...{ kind: 'text', text, mark: null, x0: 72, size: 10, lines: 1, page: 1 },
  ...{ bold: false, italic: false, underlined: false },
  ...more,
})
const TEXT = block('Text of a paragraph that is long enough to be one, as those that stand after headings are.')

const explained = (own: Text, marked: string[] = []) => {
  const { style, signals } = styleOf(own, { next: TEXT, body: 10, marked: new Set(marked) })
  return [style, ...signals.map(({ name, weight }) => `${name} ${weight}`)]
}

test('the style of a heading is computed from the signals that explain it', () => {
  assert.deepEqual(explained(block('Item 4 Business')), [
    '000 0.5',
    'item of the form, in a line of its own 1',
    'size 0',
    'upright 0.5',
  ])
  assert.deepEqual(explained(block('FEES', { size: 14, bold: true })), [
    '014 6.5',
    'larger than the text 1',
    'size 14',
    'bold 4',
    'capitals 2',
    'upright 0.5',
  ])
  assert.deepEqual(explained(block('What we do', { italic: true }), ['whatwedo']), [
    '000 0.0',
    'named by a bookmark 1',
    'size 0',
  ])
  assert.deepEqual(explained(block('Our people', { bold: true })), [
    '000 4.5',
    'bold before text 1',
    'size 0',
    'bold 4',
    'upright 0.5',
  ])
})

test('names the sign that shows that a paragraph is text and not a heading', () => {
  assert.deepEqual(explained(block('Our people')), [null, 'nothing sets it apart 0'])
  assert.deepEqual(explained(block('and our people', { bold: true })), [null, 'begins within a sentence 0'])
  assert.deepEqual(explained(block('1 Main Street, Springfield', { bold: true })), [
    null,
    'address, date or number to call 0',
  ])
})
