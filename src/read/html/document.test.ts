import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block } from './block.ts'
import { DocumentReader } from './document.ts'
import { LIMITS, type Limits } from './limits.ts'
import { readTokens } from './tokens.ts'

function read(html: string, limits: Partial<Limits> = {}) {
  const written: Block[] = []
  const reader = new DocumentReader({ ...LIMITS, ...limits }, (blocks) => written.push(...blocks))
  readTokens(html, reader)
  return { reader, blocks: [...written, ...reader.end()] }
}

const plain = (blocks: Block[]) => blocks.map((block) => (block.kind === 'paragraph' ? block.plain : block.kind))

test('tags that are nested too deep are ignored and listed once, and the text after them is not deeper', () => {
  const { reader, blocks } = read('<div><div><p>A</p><p>B</p></div></div><p>C</p>', { depth: 2 })
  assert.deepEqual(plain(blocks), ['A', 'B', 'C'])
  assert.deepEqual(reader.problems, [{ place: 'character 12', reason: 'elements are nested deeper than 2' }])
})

test('an item has the depth of its list and its own number, and a second paragraph of the item has no number', () => {
  const { blocks } = read('<ol start="3"><li><p>A</p><p>B</p><ul><li>C</li></ul></li><li>D</li></ol><p>E</p>')
  assert.deepEqual(
    blocks.map((block) => block.kind === 'paragraph' && block.item),
    [{ depth: 0, marker: '3.' }, { depth: 0, marker: '' }, { depth: 1, marker: '-' }, { depth: 0, marker: '4.' }, null],
  )
})

test('a floating number begins the block after it, and floating words are a separate block', () => {
  const float = (text: string) => `<div style="float:left">${text}</div><div>Risks</div>`
  assert.deepEqual(plain(read(float('1.')).blocks), ['1. Risks'])
  assert.deepEqual(plain(read(float('Some words')).blocks), ['Some words', 'Risks'])
})

test('collects the anchors of the same document to which the links read so far lead', () => {
  const { reader } = read('<a href="#item1">Item 1</a><a href="https://example.com/#x">elsewhere</a>')
  assert.deepEqual([...reader.linked], ['item1'])
})
