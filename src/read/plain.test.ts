import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownOfHtml } from './html.ts'
import { markdownOfText } from './plain.ts'

const lines = (...text: string[]) => text.join('\n')
const textOf = (...text: string[]) => markdownOfText(lines(...text)).text

test('joins the lines of a paragraph, and keeps the hyphen of a compound word that was divided at the end of a line', () => {
  assert.equal(
    textOf('The company makes computers and long-', 'term plans for', 'them.', '', 'It is in Cupertino.'),
    'The company makes computers and long-term plans for them.\n\nIt is in Cupertino.\n',
  )
})

test('an indented line begins a paragraph if a sentence ended on the line above', () => {
  assert.equal(
    textOf('One ends here.', '     Two begins', 'and goes on.'),
    'One ends here.\n\nTwo begins and goes on.\n',
  )
})

test('makes a table of text that has EDGAR’s marks of a table and of its columns, and removes the marks', () => {
  const { text, tables } = markdownOfText(
    lines(
      '<TABLE>',
      '<CAPTION>',
      '             1999    1998',
      '<S>          <C>     <C>',
      'Net sales    $1,558  $1,402',
      '</TABLE>',
    ),
  )
  assert.equal(text, '|  | 1999 | 1998 |\n| --- | ---: | ---: |\n| Net sales | $1,558 | $1,402 |\n')
  assert.equal(tables, 1)
})

test('keeps the layout of unmarked columns, and joins their parts into one table', () => {
  assert.equal(
    textOf('Cash            1,773', 'Inventories        13', '', 'Total assets    5,019', 'Other               7'),
    '```\nCash            1,773\nInventories        13\n\nTotal assets    5,019\nOther               7\n```\n',
  )
})

test('if a table has no end tag, all of the text after it belongs to the table', () => {
  assert.match(textOf('<TABLE>', 'Cash     5', 'And the text goes on.'), /Cash {5}5\nAnd the text goes on\./)
})

test('items, titles in capitals and underlined lines are headings', () => {
  const { headings } = markdownOfText(
    lines(
      'PART I',
      '',
      'Item 1.   Business',
      'We make computers.',
      '',
      'RISK FACTORS',
      '',
      'Our markets',
      '-----------',
      'They grow.',
    ),
  )
  assert.deepEqual(
    headings.map(({ text }) => text),
    ['PART I', 'Item 1. Business', 'RISK FACTORS', 'Our markets'],
  )
})

test('page numbers and headers repeated on each page are left out, and a sentence continues across them', () => {
  const pages = Array.from({ length: 6 }, (_, n) =>
    lines(
      'ACME CORPORATION QUARTERLY REPORT',
      '',
      `Sentence ${n} is long enough to be the text of a page, and it goes`,
      'on',
      '',
      `                 ${n + 1}`,
      '<PAGE>',
    ),
  )
  const { text } = markdownOfText(pages.join('\n'))
  assert.ok((text.match(/ACME/g)?.length ?? 0) <= 2, text)
  for (let n = 0; n < 6; n++) assert.match(text, new RegExp(`Sentence ${n} is`))
  assert.doesNotMatch(text, /^\s*\d\s*$/m)
})

test('decodes references as cp1252, and escapes characters that have a meaning in Markdown', () => {
  assert.equal(textOf('&#147;A&#148; costs 5&#162; &amp; *more*'), '“A” costs 5¢ & \\*more\\*\n')
  assert.doesNotMatch(textOf('<script>alert(1)</script> stays text'), /<script/)
})

test('empty input, blank lines and form feeds give an empty text', () => {
  for (const text of ['', '\n\n\n', '\f\f\f', '<PAGE>\n<PAGE>\n'])
    assert.equal(markdownOfText(text).text.trim(), '', text)
})

test('reads a line of 60 MB, ten million empty lines and a million table tags in bounded time', () => {
  const started = process.cpuUsage()
  assert.ok(markdownOfText('x'.repeat(60_000_000)).text.length >= 60_000_000)
  assert.equal(markdownOfText('\n'.repeat(10_000_000)).text, '')
  markdownOfText('<TABLE>\n'.repeat(300_000) + '</TABLE>\n'.repeat(300_000))
  markdownOfText(`${' '.repeat(2_000_000)}x${' '.repeat(2_000_000)}`)
  const { user, system } = process.cpuUsage(started)
  assert.ok((user + system) / 1e6 < 20, `${(user + system) / 1e6} s`)
})

test('the heading of an item begins a paragraph without an empty line above it, whether a page label, a name or a sentence comes before it', () => {
  const lines = (...texts: string[]) =>
    textOf(texts.join('\n'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/^[#*\s]+|[*\s]+$/g, ''))
  const text = 'The mill stood still in the first week of the year, and was sold'
  assert.deepEqual(
    lines('Page 7', 'PART II', 'ITEM 5. OTHER EVENTS', text, 'to a buyer in May.', 'Item 7. Exhibits', '(c) None.'),
    ['Page 7', 'PART II', 'ITEM 5. OTHER EVENTS', `${text} to a buyer in May.`, 'Item 7. Exhibits', '(c) None.'],
  )
  assert.deepEqual(
    lines('SPECIMEN MILLS CORP', 'ITEM 2. PROPERTIES', `${text} in May, with all that belongs to it.`).slice(0, 2),
    ['SPECIMEN MILLS CORP', 'ITEM 2. PROPERTIES'],
  )
  for (const label of ['-7-', 'Page 7', '10-K 7', 'F-7'])
    assert.deepEqual(
      lines(`${text} in May.`, `     ${label}   ITEM 2. PROPERTIES`, `${text} in June, with all that belongs to it.`),
      [`${text} in May.`, label, 'ITEM 2. PROPERTIES', `${text} in June, with all that belongs to it.`],
    )
  // Two texts are not split: a sentence with a line break before the word "Item", and a table of contents.
  assert.equal(lines(`${text} as is described in`, 'Item 5. of the report of last year.').length, 1)
  assert.equal(
    lines(
      'The mill tells more of the sale, and of the buyer of it, with reasons',
      'ITEM 5. of this report has them, as far as they are known to the owner.',
    ).length,
    1,
  )
  assert.match(
    textOf('PART I\nItem 1. Business        2\nItem 2. Properties      9'),
    /```[^`]*Item 1\.[^`]*Item 2\.[^`]*```/,
  )
})

test('a company name is part of the title if it is above a financial statement, and is a running header if it is above prose', () => {
  const page = (title: string, n: number) =>
    `<p align=center><b>SPECIMEN MILLS INC. AND SUBSIDIARIES</b></p>${title}<table><tr><td>Sales</td><td>${n}</td></tr><tr><td>Costs</td><td>${n + 7}</td></tr></table><p align=center>${50 + n}</p><hr>`
  const count = (titles: string[]) =>
    markdownOfHtml(`<html><body>${titles.map(page).join('')}</body></html>`).text.split('SPECIMEN MILLS').length - 1
  const titles = ['BALANCE SHEETS', 'STATEMENTS OF INCOME', 'STATEMENTS OF CASH FLOWS', 'STATEMENTS OF EQUITY'].map(
    (each) => `<p align=center><b>CONSOLIDATED ${each}</b></p>`,
  )
  assert.equal(count(titles), 4)
  assert.equal(count(titles.map((_, n) => `<p>This is what the company says of its year ${n}, in some words.</p>`)), 2)
  assert.equal(count(titles.map(() => '<p align=center><b>NOTES TO THE STATEMENTS</b></p>')), 2)
})

test('an item heading in capitals begins a paragraph below a line without a full stop, unless the sentence of that line continues in the heading', () => {
  const above = (words: string) =>
    markdownOfText(`ITEM 1. BUSINESS\n\n${words}\nITEM 2. PROPERTIES\nThe company owns two mills.\n`).text
  assert.match(
    above('The mills made paper in the year, and all of it was sold in three states'),
    /\n\n## ITEM 2\. PROPERTIES\n/,
  )
  assert.match(
    above('The mills made paper in the year, all of which is told of in detail under'),
    /under ITEM 2\. PROPERTIES/,
  )
})
