/** Excerpts: escaped text, with marks around the searched words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerptOf } from './excerpt.ts'
import { readQuery } from './typed.ts'

const html = (text: string, q: string) => excerptOf(text, readQuery(q)).html

test('words are marked as written; a phrase gets one mark, and its words are marked only where they form the phrase', () => {
  assert.equal(
    html('Material weaknesses; a material fact. The MATERIAL WEAKNESS was a weakness.', '"material weakness" fact'),
    '<mark>Material weaknesses</mark>; a material <mark>fact</mark>. The <mark>MATERIAL WEAKNESS</mark> was a weakness.',
  )
  assert.equal(html('They restated what was stated.', 'restat*'), 'They <mark>restated</mark> what was stated.')
  assert.equal(
    html('Fees and assets, fees, funds', 'fees NEAR/2 assets -funds'),
    '<mark>Fees</mark> and <mark>assets</mark>, <mark>fees</mark>, funds',
  )
})

test('no text of a document becomes markup', () => {
  const text = '<mark>x</mark> <script>alert("fees")</script> &amp; <img onerror=\'fees\'> &lt;b&gt; AT&T'
  const shown = html(text, '"fees" script mark t amp b')
  assert.equal(shown.replaceAll(/<\/?mark>/g, '').match(/[<>"']/), null)
  const read = shown
    .replaceAll(/<\/?mark>/g, '')
    .replace(
      /&(lt|gt|quot|#39|amp);/g,
      (_, name) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name as 'lt'],
    )
  assert.equal(read, text)
  const marks = [...shown.matchAll(/<(\/?)mark>/g)].map(([, end]) => end)
  assert.deepEqual(
    marks,
    marks.map((_, i) => (i % 2 ? '/' : '')),
  )
})

test('an excerpt is cut around the words, at blanks, and has its position in the passage', () => {
  const text = `${'before '.repeat(200)}the going concern doubt ${'after '.repeat(200)}`
  const { html, start, end } = excerptOf(text, readQuery('"going concern"'))
  assert.ok(html.includes('the <mark>going concern</mark> doubt after'))
  assert.ok(html.startsWith('before ') && html.endsWith('after'))
  assert.ok(end - start <= 320)
  assert.equal(text.slice(start, end), html.replaceAll(/<\/?mark>/g, ''))
})

test('if several words are searched, an excerpt shows the place where most of them are', () => {
  const filler = 'nothing here '.repeat(60)
  const text = `cash ${filler} cash and debt of the company ${filler} debt`
  assert.match(excerptOf(text, readQuery('cash debt')).html, /<mark>cash<\/mark> and <mark>debt<\/mark>/)
})

test('text without a word of the query is shown from its beginning, and no character is cut in two', () => {
  const text = `${'a'.repeat(319)}😀 end`
  assert.deepEqual(excerptOf(text, readQuery('xylem')), { html: 'a'.repeat(319), start: 0, end: 319 })
})

test('the targets of links are not shown', () => {
  assert.equal(html('see [Item 1A.](#item-1a) Risk', 'risk'), 'see [Item 1A.] <mark>Risk</mark>')
})

test('signs of Markdown are left out: headings, tables, emphasis, escapes', () => {
  assert.equal(
    html('# Item 5\n\n| Assets | Fee |\n| --- | --- |\n| up to \\$1 | **1%** |\n\n- a fee', 'fee'),
    'Item 5 Assets <mark>Fee</mark> up to $1 1% a <mark>fee</mark>',
  )
  assert.equal(html('- fee-based advice', 'fee'), '<mark>fee</mark>-based advice')
})
