import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Flow } from './flow.ts'
import { openComputedStyles } from './style.ts'

const { root, inside } = openComputedStyles(100)
const raised = inside(root, { raised: true })
const bold = inside(root, { bold: true })
const lines = inside(root, { pre: true })

test('after a paragraph is taken, only an open link continues in the next paragraph', () => {
  const flow = new Flow()
  flow.anchor('one')
  flow.image({ alt: 'a', name: 'a.jpg' }, root)
  flow.link('https://example.com/')
  flow.append('here', bold)
  const first = flow.take(2, null)!
  assert.deepEqual([first.anchors, first.images.length, first.level], [['one'], 1, 2])
  assert.deepEqual(first.links, [{ start: 2, end: 6, address: 'https://example.com/' }])
  assert.equal(flow.length, 0)
  assert.equal(flow.take(0, null), null)
  flow.append('and on', root)
  const { plain, links, images, anchors, spans } = flow.take(0, null)!
  assert.deepEqual([plain, images, anchors, spans], ['and on', [], [], [{ start: 0, computed: root }]])
  assert.deepEqual(links, [{ start: 0, end: 6, address: 'https://example.com/' }])
})

test('blanks between pieces become one blank, and no line begins with a blank', () => {
  const flow = new Flow()
  flow.gap()
  flow.append(' A ', root)
  flow.gap()
  flow.append(' B', root)
  assert.equal(flow.lineBreak(), false)
  flow.append(' C', root)
  assert.equal(flow.take(0, null)?.plain, 'A B\nC')
})

test('a second line break ends a paragraph, and a line break before any text is dropped', () => {
  const flow = new Flow()
  assert.equal(flow.lineBreak(), false)
  assert.equal(flow.length, 0)
  flow.append('A', root)
  assert.deepEqual([flow.lineBreak(), flow.lineBreak()], [false, true])
})

test('a superscript mark does not become part of the number before it, and a raised fraction is a fraction', () => {
  const flow = new Flow()
  flow.append('1,234', root)
  flow.append('2', raised)
  assert.equal(flow.take(0, null)?.plain, '1,234^2')
  flow.append('66', root)
  flow.append('2', raised)
  flow.append('/3 %', root)
  assert.equal(flow.take(0, null)?.plain, '66 2/3 %')
})

test('a bullet, a list number or a letter alone belongs to the text after it, but a word alone does not', () => {
  const pointsTo = (text: string) => {
    const flow = new Flow()
    flow.append(text, root)
    return flow.isPointer
  }
  assert.deepEqual(['•', '(a)', '12.', 'iv)', 'No', '1,234'].map(pointsTo), [true, true, true, true, false, false])
})

test('preformatted lines stay unchanged, and are returned once', () => {
  const flow = new Flow()
  flow.append('a   b\n  c', lines)
  assert.equal(flow.takeLines(), 'a   b\n  c')
  assert.equal(flow.takeLines(), '')
})
