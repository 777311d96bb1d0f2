/** Tests the conversion of characters with positions to Markdown, without a PDF. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bookmark, Glyph, PageContent, Rule } from './content.ts'
import { laidPage } from './layout.ts'
import { markdownOfPages } from './markdown.ts'

interface Style {
  size?: number
  bold?: boolean
  italic?: boolean
}

/** The characters of a text, half as wide as high; blanks are gaps, as in a PDF. */
function at(x: number, y: number, text: string, { size = 10, bold = false, italic = false }: Style = {}): Glyph[] {
  const font = { name: 'Made', bold, italic }
  let blank = false
  return Array.from(text).flatMap((sign, i) => {
    const x0 = x + (i * size) / 2
    if (sign === ' ') {
      blank = true
      return []
    }
    const glyph = { text: sign, x0, x1: x0 + size / 2, y, size, font, blank }
    blank = false
    return [glyph]
  })
}

const page = (glyphs: Glyph[][], more: Partial<PageContent> = {}): PageContent => ({
  width: 600,
  height: 800,
  glyphs: glyphs.flat(),
  turned: [],
  rules: [],
  images: 0,
  pictured: false,
  ...more,
})
const read = (pages: PageContent[], bookmarks: Bookmark[] = []) => markdownOfPages(pages.map(laidPage), bookmarks)
/** Lines of a paragraph, each 80 letters wide from x = 50 to 450. */
const filled = (words: string) => words.padEnd(80, ' and so on with more').slice(0, 80)
const body = (y: number) => [
  at(50, y, filled('The text of the document goes on in lines like this one')),
  at(50, y + 12, filled('which are as long as the page is wide and say nothing')),
  at(50, y + 24, 'of importance.'),
]

test('lines of a paragraph are joined, and a paragraph ends at a line on which the next word would have fitted', () => {
  const { text } = read([
    page([
      at(50, 100, filled('First line')),
      at(50, 112, 'ends here.'),
      at(50, 124, filled('Second paragraph')),
      at(50, 136, 'it ends.'),
    ]),
  ])
  assert.deepEqual(
    text.split('\n\n').map((part) => part.slice(0, 16)),
    ['First line and s', 'Second paragraph'],
  )
  assert.match(text, / ends here\.\n\nSecond/)
})

test('a paragraph continues across pages, and lines at the same position on each page are left out', () => {
  const pages = [0, 1, 2, 3].map((i) =>
    page([
      at(50, 30, 'Firm Brochure of a Firm'),
      at(50, 100, i === 0 ? filled('It begins') : filled('and goes on')),
      at(50, 112, filled('without an end')),
      at(280, 770, `Page ${i + 1} of 4`),
    ]),
  )
  const { text } = read(pages)
  assert.deepEqual(text.match(/Firm Brochure|Page/g), ['Firm Brochure'])
  assert.equal(text.trim().split('\n\n').length, 2)
})

test('a running line at the beginning of the document is kept on the first page and left out of the second', () => {
  const { text } = read([0, 1].map((i) => page([at(50, 30, 'Kept Title'), ...body(100), at(290, 770, String(i + 1))])))
  assert.equal(text.match(/Kept Title/g)!.length, 1)
  assert.ok(text.startsWith('Kept Title') || text.startsWith('# Kept Title') || text.startsWith('## Kept Title'), text)
  assert.doesNotMatch(text, /^\d$/m)
})

test('a word divided at a line end is joined if the document has it whole elsewhere, and a compound keeps its hyphen', () => {
  const { text } = read([
    page([
      at(50, 100, 'The management of assets is our business here and long-term plans are made by us'),
      at(50, 112, 'for clients who want it, and all others find elsewhere a sort of other manage-'),
      at(50, 124, 'ment if they want one, while nobody is told to have a plan that is called long-'),
      at(50, 136, 'term by anybody.'),
    ]),
  ])
  assert.match(text, /other management if/)
  assert.match(text, /called long-term by/)
})

test('headings are found by size, weight and the form’s items, and each has its level and position', () => {
  const markdown = read([
    page([
      at(50, 60, 'Some Adviser', { size: 24, bold: true }),
      at(50, 100, 'Item 4 Advisory Business', { size: 14, bold: true }),
      ...body(130),
      at(50, 180, 'Our Services', { bold: true }),
      ...body(200),
      at(50, 260, 'Item 5 Fees and Compensation', { size: 14, bold: true }),
      ...body(290),
    ]),
    page(body(100)),
  ])
  assert.deepEqual(
    markdown.headings.map(({ level, text }) => [level, text]),
    [
      [1, 'Some Adviser'],
      [2, 'Item 4 Advisory Business'],
      [3, 'Our Services'],
      [2, 'Item 5 Fees and Compensation'],
    ],
  )
  for (const { level, text, start } of markdown.headings) {
    assert.ok(markdown.text.startsWith(`${'#'.repeat(level)} ${text}\n`, start))
  }
})

test('a line that looks like text is a heading if a bookmark has the same words', () => {
  const pages = [page(body(100)), page([at(50, 100, 'Proxy Voting'), ...body(120)])]
  assert.deepEqual(read(pages).headings, [])
  assert.deepEqual(
    read(pages, [{ title: 'Proxy voting', depth: 1, page: 1 }]).headings.map(({ text }) => text),
    ['Proxy Voting'],
  )
})

test('the lines of a table of contents do not become headings', () => {
  const entries = [
    'Item 1 Cover Page',
    'Item 2 Material Changes',
    'Item 3 Table of Contents',
    'Item 4 Advisory Business',
  ]
  const { headings, text } = read([
    page(
      entries.map((entry, i) =>
        at(50, 100 + 14 * i, `${entry} ${'.'.repeat(60 - entry.length)} ${i + 1}`, { bold: true }),
      ),
    ),
    page(body(100)),
  ])
  assert.deepEqual(headings, [])
  assert.match(text, /^- Item 3 Table of Contents … 3\n- Item 4 Advisory Business … 4$/m)
})

test('bullets become list items: inner items are indented, and hanging lines join their item', () => {
  const { text } = read([
    page([
      at(60, 100, '•'),
      at(78, 100, filled('first item that is longer than one line').slice(0, 74)),
      at(78, 112, 'and goes on here'),
      at(60, 124, '•'),
      at(78, 124, 'second item'),
      at(96, 136, 'o'),
      at(114, 136, 'inner item'),
      at(60, 148, '▪'),
      at(78, 148, 'last item'),
      at(50, 400, filled('A paragraph')),
    ]),
  ])
  assert.match(text, /^- first item .* and goes on here\n- second item\n {2}- inner item\n- last item\n/)
})

test('columns of figures become a table, and a currency sign joins its number', () => {
  const row = (y: number, label: string, first: string, second: string) => [
    at(50, y, label),
    at(300, y, '$'),
    at(350 - first.length * 5, y, first),
    at(450 - second.length * 5, y, second),
  ]
  const markdown = read([
    page([
      ...body(50),
      [...at(320, 100, '2024'), ...at(425, 100, '2023')],
      ...row(114, 'Cash', '1,000', '900'),
      at(50, 128, 'Receivables:'),
      ...row(142, 'Customers', '20', '(3)'),
      ...row(156, 'Total', '1,020', '897'),
      ...body(200),
    ]),
  ])
  assert.equal(markdown.tables, 1)
  assert.match(
    markdown.text,
    /\|\s+\| 2024 \| 2023 \|\n\| --- \| --- \| --- \|\n\| Cash \| \$1,000 \| 900 \|\n\| Receivables: \| {2}\| {2}\|\n\| Customers \| \$20 \| \(3\) \|\n\| Total \| \$1,020 \| 897 \|\n/,
  )
})

test('a table with drawn borders keeps several lines of a cell together', () => {
  const lines = [100, 120, 160].map((y): Rule => ({ x0: 50, x1: 450, y0: y, y1: y }))
  const walls = [50, 200, 450].map((x): Rule => ({ x0: x, x1: x, y0: 100, y1: 160 }))
  const markdown = read([
    page(
      [
        at(55, 114, 'Service'),
        at(205, 114, 'Fee'),
        at(55, 134, 'Planning'),
        at(205, 134, 'One percent a year of'),
        at(205, 146, 'what is managed'),
      ],
      { rules: [...lines, ...walls] },
    ),
  ])
  assert.equal(
    markdown.text,
    '| Service | Fee |\n| --- | --- |\n| Planning | One percent a year of what is managed |\n',
  )
})

test('a cell as long as a page is read as part of the page, not as a cell', () => {
  const lines = [50, 80, 700].map((y): Rule => ({ x0: 40, x1: 560, y0: y, y1: y }))
  const walls = [40, 100, 560].map((x): Rule => ({ x0: x, x1: x, y0: 50, y1: 700 }))
  const long = Array.from({ length: 30 }, (_, i) => at(110, 100 + 12 * i, filled('A line of a long cell')))
  const markdown = read([page([at(45, 65, 'Side'), at(110, 65, 'Head'), ...long], { rules: [...lines, ...walls] })])
  assert.equal(markdown.tables, 0)
  assert.match(markdown.text, /^Side\n\nHead\n\nA line of a long cell /)
})

test('two columns of prose are read one after the other', () => {
  const column = (x: number, name: string) =>
    Array.from({ length: 8 }, (_, i) => at(x, 100 + 12 * i, `${name} ${i} is a line of text of a column`.slice(0, 40)))
  const { text } = read([page([...column(50, 'left').map((line, i) => [...line, ...column(300, 'right')[i]!])])])
  assert.ok(text.indexOf('left 7') < text.indexOf('right 0'), text)
  assert.ok(text.indexOf('right 0') < text.indexOf('right 7'))
})

test('titles in a column next to their text are placed before this text', () => {
  const { text } = read([
    page([
      ...[0, 1, 2, 3].map((i) => at(200, 100 + 12 * i, `answer one line ${i} which is quite a long line of text`)),
      ...[0, 1, 2, 3].map((i) => at(200, 160 + 12 * i, `answer two line ${i} which is quite a long line of text`)),
      at(50, 100, 'What fees', { bold: true }),
      at(50, 112, 'will I pay?', { bold: true }),
      at(50, 160, 'Who is it?', { bold: true }),
    ]),
  ])
  assert.match(text, /What fees will I pay\?\n\nanswer one .*\n\n.*Who is it\?\n\nanswer two/s)
})

test('a note number is raised and adds no digit to an amount, and rotated text comes last', () => {
  const note = at(50 + 7 * 5, 96, '1', { size: 6 })
  const { text } = read([
    page([at(50, 100, '$12,340'), note, at(50, 150, 'The end.')], { turned: [at(20, 20, 'sideways'), [], []] }),
  ])
  assert.equal(text, '$12,340¹\n\nThe end.\n\nsideways\n')
})

test('text that looks like Markdown or HTML stays text', () => {
  const signs = ['# no heading', '- no item x', '1986. A year', '<b>&amp; *x* `y` ~z~', '[a](b) \\ _c_ snake_case']
  const { text } = read([page([...signs.map((sign, i) => at(50, 100 + 40 * i, sign)), at(50, 400, 'last')])])
  assert.match(text, /^\\# no heading$/m)
  assert.match(text, /^\\<b>\\&amp; \\\*x\\\* \\`y\\` \\~z\\~$/m)
  assert.match(text, /^\[a\\\]\(b\) \\\\ \\_c\\_ snake_case$/m)
  assert.match(text, /^1986\\\. A year$/m)
})

test('words of a scan that are far apart do not make a table unless the scan has figures', () => {
  const words = [0, 1, 2, 3].map((i) =>
    [at(50, 100 + 14 * i, 'some words'), at(250, 100 + 14 * i, 'and others')].flat(),
  )
  assert.equal(read([page(words, { pictured: true, images: 1 })]).tables, 0)
  assert.equal(read([page(words)]).tables, 1)
  const figures = [0, 1, 2, 3].map((i) =>
    [at(50, 100 + 14 * i, 'an account'), at(250, 100 + 14 * i, `1,00${i}`)].flat(),
  )
  assert.equal(read([page(figures, { pictured: true, images: 1 })]).tables, 1)
})

test('empty pages give an empty text', () => {
  assert.deepEqual(read([page([]), page([])]), { text: '', headings: [], tables: 0, images: 0, problems: [] })
})
