import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prose } from './prose.ts'

const made = (text: string) => prose(text).text.trim()

test('an item of a list may have several lines, which are indented', () => {
  assert.equal(
    made('- One.\n  Its `second` line.\n- Two.'),
    '<ul><li>One. Its <code>second</code> line.</li><li>Two.</li></ul>',
  )
  assert.equal(made('1. One.\n   Its second line.\n2. Two.'), '<ol><li>One. Its second line.</li><li>Two.</li></ol>')
})

test('lines that are not a list stay a paragraph', () => {
  for (const text of [
    'Words\n- no item',
    '- One.\nnot indented',
    '1. One.\n- Two.',
    '  indented',
    '2026. A year\nends.',
  ])
    assert.equal(made(text), `<p>${text.split('\n').join(' ').trim()}</p>`)
})

test('headings of one text have different anchors, also if they have the same words', () => {
  assert.equal(
    made('### Tables\n\n## Tables\n\n## Tables!'),
    '<h3 id="tables">Tables</h3>\n<h2 id="tables-2">Tables</h2>\n<h2 id="tables-3">Tables!</h2>',
  )
})
