import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asked } from './asked.ts'
import { excerptOf } from './excerpt.ts'

const excerpt = (passage: string, q: string) => excerptOf(passage, asked(q)!.phrases)

test('words found are marked as they stand, in any form, and a phrase is one mark', () => {
  assert.equal(
    excerpt('We bill fees. A Fee is due; soft dollars are not.', 'fee "soft dollar"'),
    'We bill <mark>fees</mark>. A <mark>Fee</mark> is due; <mark>soft dollars</mark> are not.',
  )
})

test('nothing of a document becomes an element: signs of HTML are escaped, also within a mark', () => {
  const html = excerpt('a <script>alert("fee & more")</script> <mark>fee</mark>', '"fee more" fee')
  assert.equal(
    html,
    'a &lt;script&gt;alert(&quot;<mark>fee &amp; more</mark>&quot;)&lt;/script&gt; &lt;mark&gt;<mark>fee</mark>&lt;/mark&gt;',
  )
})

test('signs of Markdown are left out: headings, tables, emphasis, escapes', () => {
  assert.equal(
    excerpt('# Item 5\n\n| Assets | Fee |\n| --- | --- |\n| up to \\$1 | **1%** |\n\n- a fee', 'fee'),
    'Item 5 Assets <mark>Fee</mark> up to $1 1% a <mark>fee</mark>',
  )
})

test('of a long passage the part with the most of it is shown, with a few words before it', () => {
  const passage = `fee ${'word '.repeat(100)}one two three wrap fee and fee again ${'end '.repeat(100)}`
  const html = excerpt(passage, 'wrap fee')
  assert.ok(
    html.startsWith('… word word word word word one two three <mark>wrap fee</mark> and <mark>fee</mark> again end'),
    html,
  )
  assert.ok(html.endsWith('end …'), html)
  assert.equal(
    html
      .replace(/<\/?mark>|…/g, '')
      .trim()
      .split(' ').length,
    40,
  )
})
