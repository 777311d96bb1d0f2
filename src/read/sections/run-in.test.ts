/** Headings that continue as text, tables of contents, and numbers without the word "Item", in current reports. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inMarkdown } from '../../datasets/eightk/sections.ts'
import { markdownOfHtml } from '../html.ts'

const read = (html: string): [item: string, heading: string, text: string][] =>
  inMarkdown(markdownOfHtml(`<html><body>${html}</body></html>`), 1).map((section) => [
    section.item,
    section.heading,
    section.markdown.slice(section.textStart, section.stop).trim(),
  ])

const SENTENCE = 'On May 1, 2020, a director of the company resigned.'

test('text that follows a heading in its line is text of the section, whether the heading is set apart or not', () => {
  for (const line of [
    `<b>Item 5.02 Departure of Directors.</b> ${SENTENCE}`,
    `<b>Item 5.02</b> <b><i>Departure of Directors.</i></b> ${SENTENCE}`,
    `<u>Item 5.02</u>. <u>Departure of Directors or Certain Officers; Election of Directors</u>. ${SENTENCE}`,
    `Item 5.02. Departure of Directors. ${SENTENCE}`,
  ]) {
    const [first] = read(`<p>${line}</p><p>More of it.</p>`)
    assert.equal(first?.[0], '5.02', line)
    assert.equal(first[2], `${SENTENCE}\n\nMore of it.`, line)
    assert.match(first[1], /^Item 5\.02\.? Departure of Directors/, line)
  }
})

test('a heading alone, however long, is not text', () => {
  const title =
    'Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; Compensatory Arrangements of Certain Officers'
  assert.deepEqual(read(`<p><b>Item 5.02 ${title}.</b></p><p>${SENTENCE}</p>`), [
    ['5.02', `Item 5.02 ${title}.`, SENTENCE],
  ])
})

test('finds the items after a table of contents that has a line for the signatures', () => {
  const contents = '<p>Item 5. Other Events.</p><p>Not of any form</p><p>Item 7. Exhibits</p><p>SIGNATURE</p>'
  const own = `<h2>Item 5. Other Events.</h2><p>${SENTENCE} It was not due to a disagreement.</p><h2>Item 7. Exhibits</h2><p>99.1 Release</p><h2>SIGNATURE</h2><p>Pursuant to the requirements of the Securities Exchange Act of 1934 it is signed.</p>`
  assert.deepEqual(
    read(contents + own).map(([item, , text]) => [item, text.slice(0, 12)]),
    [
      ['5', SENTENCE.slice(0, 12)],
      ['7', '99.1 Release'],
    ],
  )
})

test('a number without the word "Item" begins an item only with the title of that item', () => {
  const bare = read(
    `<p><b>5.02 Departure of Directors or Certain Officers</b></p><p>${SENTENCE}</p><p><b>Item 9.01 Exhibits</b></p><p>99.1 Release</p>`,
  )
  assert.deepEqual(
    bare.map(([item]) => item),
    ['5.02', '9.01'],
  )
  const other = read(
    `<p><b>Item 8.01 Other Events</b></p><p>The ratio was:</p><p><b>5.02 Ratio of the quarter</b></p><p>More.</p>`,
  )
  assert.deepEqual(
    other.map(([item]) => item),
    ['8.01'],
  )
})

test('recognizes headings in cells, over several lines, in capitals, without blanks and out of the order of the form', () => {
  const items = (html: string) => read(html).map(([item]) => item)
  assert.deepEqual(
    items(
      '<table><tr><td>Item</td><td>5.02</td><td>Departure of Directors</td></tr></table><p>Text.</p><p><b>Item<br>9.01</b></p><p>Exhibits</p><p>(d) 99.1</p>',
    ),
    ['5.02', '9.01'],
  )
  assert.deepEqual(items('<p>ITEM9.01EXHIBITS</p><p>99.1</p><p>ITEM #5.02. DEPARTURE OF DIRECTORS</p><p>TEXT.</p>'), [
    '9.01',
    '5.02',
  ])
  assert.deepEqual(
    items('<p><b>Items 2.02 and 7.01. Results of Operations; Regulation FD Disclosure</b></p><p>Text.</p>'),
    ['2.02', '7.01'],
  )
  assert.deepEqual(items('<p><b>Item\u20095.02(b)\u2003\u2013\u2003Departure of Directors</b></p><p>Text.</p>'), [
    '5.02',
  ])
})
