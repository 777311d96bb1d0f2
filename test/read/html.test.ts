/** HTML of filings as Markdown, guarantee by guarantee. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownOfHtml } from '../../src/read/html.ts'

const text = (html: string) => markdownOfHtml(html).text

test('a heading is found by its tag and by its style, and the list of headings has the position of its line', () => {
  const { text, headings } = markdownOfHtml(
    '<h1>Annual Report</h1><p>Some words.</p><p style="font-weight:bold">Our Business</p><p>More words follow here.</p>',
  )
  assert.equal(text, '# Annual Report\n\nSome words.\n\n## Our Business\n\nMore words follow here.\n')
  assert.deepEqual(
    headings.map(({ level, text: heading, start }) => [level, heading, text.slice(start, start + 5)]),
    [
      [1, 'Annual Report', '# Ann'],
      [2, 'Our Business', '## Ou'],
    ],
  )
})

test('a currency sign, its number and the closing parenthesis become one cell, and spacer columns are removed', () => {
  assert.equal(
    text(`<table>
      <tr><td colspan="3"></td><td colspan="3">2024</td><td></td><td colspan="3">2023</td></tr>
      <tr><td colspan="3">Net sales</td><td>$</td><td>1,234</td><td></td><td></td><td>$</td><td>987</td><td></td></tr>
      <tr><td colspan="3">Net loss</td><td></td><td>(56</td><td>)</td><td></td><td></td><td>(7</td><td>)</td></tr>
      <tr><td colspan="3">Margin</td><td colspan="2">4.5</td><td>%</td><td></td><td colspan="2">3</td><td>%</td></tr></table>`),
    '|  | 2024 | 2023 |\n| --- | ---: | ---: |\n| Net sales | $1,234 | $987 |\n| Net loss | (56) | (7) |\n| Margin | 4.5% | 3% |\n',
  )
})

test('a title over two columns is not repeated in both columns if other rows fill the columns separately', () => {
  assert.equal(
    text(`<table>
      <tr><td></td><td colspan="2">December 31,</td></tr>
      <tr><td></td><td>2024</td><td>2023</td></tr>
      <tr><td>Sales</td><td>1</td><td>2</td></tr></table>`),
    '| December 31, | 2024 | 2023 |\n| --- | ---: | ---: |\n| Sales | 1 | 2 |\n',
  )
})

test('inline XBRL becomes its visible text, and hidden elements are left out', () => {
  assert.equal(
    text(
      '<html><head><title>No</title></head><body><div style="display:none"><ix:header><ix:hidden>no</ix:hidden></ix:header></div>' +
        '<p>Sales of <ix:nonFraction name="a" contextRef="b" scale="6">1,<b>234</b></ix:nonFraction> units.</p><script>no()</script></body></html>',
    ),
    'Sales of 1,234 units.\n',
  )
})

test('character references become their visible characters: named references, numeric references, and references to code points of cp1252', () => {
  assert.equal(
    text('<p>&#145;A&#146; &#147;B&#148; &#150; &#151; &amp; &sect;&nbsp;5 &#8364;</p>'),
    '‘A’ “B” – — & § 5 €\n',
  )
})

test('text with its own font size is shown in a cell of font size zero, and white text of one point after a picture is kept', () => {
  assert.equal(
    text('<table><tr><td style="font-size:0">no<p style="font-size:9pt">Before you invest</p></td></tr></table>'),
    'Before you invest\n',
  )
  assert.equal(
    text('<div><img src="slide1.jpg" alt="Slide"><font style="font-size:1pt;color:white">Revenue 5,123</font></div>'),
    '![Slide](slide1.jpg) Revenue 5,123\n',
  )
})

test('a superscript mark does not become part of the number before it', () => {
  assert.equal(
    text('<p>0.67<sup>1</sup> and 0.5<sup>(2)</sup>, 66<sup>2</sup>/<sub>3</sub> and NM<sup>(1)</sup></p>'),
    '0.67^1 and 0.5 (2), 66 2/3 and NM(1)\n',
  )
})

test('lines repeated on each page are left out after the first, and a sentence split by a page break is joined', () => {
  const sentence =
    'This sentence has more words than a header or a footer has, and it goes on from one page to the next'
  const ends = ['and is red.', 'and is green.', 'and is blue.']
  const pages = ends.map(
    (end, at) => `<p>${sentence}</p><p>Made Company | ${at + 1}</p><hr style="page-break-after:always"><p>${end}</p>`,
  )
  assert.equal(
    text(pages.join('')),
    `${sentence}\n\nMade Company | 1\n\nand is red.\n\n${sentence} and is green.\n\n${sentence} and is blue.\n`,
  )
})

test('the period or unit above each table is content, however often pages repeat it, but a page header that pages repeat is not', () => {
  const table = '<table><tr><td>Sales</td><td>1</td><td>2</td></tr><tr><td>Costs</td><td>3</td><td>4</td></tr></table>'
  const end = '<hr style="page-break-after:always">'
  for (const caption of ['Three Months Ended March 31, 2026', '(In thousands)'])
    assert.equal(text(`<p>${caption}</p>${table}${end}`.repeat(4)).split(caption).length - 1, 4, caption)
  for (const head of ['SPECIMEN FUND SCHEDULE OF INVESTMENTS (UNAUDITED)', 'Specimen Trust as of May 31, 2026'])
    assert.ok(text(`<p>${head}</p>${table}${end}`.repeat(5)).split(head).length - 1 <= 2, head)
  const head = 'Report for the year ended 2025'
  const pages = [table, '<p>Prose of this page, and more of it than a head has.</p>', table, table]
  assert.ok(text(pages.map((page) => `<p>${head}</p>${page}${end}`).join('')).split(head).length - 1 < 4)
})

test('checkboxes of a form and their labels are content, however often pages repeat them', () => {
  const page = '<p>2. Check the appropriate box ☐</p><p>SIGNATURE</p><hr style="page-break-after:always">'
  assert.equal(text(page.repeat(5)).match(/Check the appropriate box/g)!.length, 5)
  assert.equal(text(page.repeat(5)).match(/SIGNATURE/g)!.length, 5)
})

test('letters of picture fonts become the boxes and bullets that they show', () => {
  assert.equal(
    text('<p><font face="Wingdings">x</font> Annual report <span style="font-family:Wingdings">o</span></p>'),
    '☒ Annual report ☐\n',
  )
  assert.equal(text('<p><font face="Symbol">&#183;</font> A point</p>'), '- A point\n')
})

test('a heading with the same text as the links back to it stays, also at the edge of a page', () => {
  const back = '<h5><a href="#toc">Table of Contents</a></h5>'
  const long = 'This paragraph of the report has more words than any header or footer of a page is known to have.'
  const page = (heading: string) => `${back}${heading}<p>${long}</p><hr style="page-break-after:always">`
  const heading = '# TABLE OF CONTENTS'
  assert.equal(
    text(`<p>1</p>${page('')}${page('<p id="toc"><b>TABLE OF CONTENTS</b></p>')}${page('')}${page('')}`),
    `${[long, heading, long, long, long].join('\n\n')}\n`,
  )
})

test('a bullet or number that floats next to text begins the line of this text; a bullet or number alone stays unchanged', () => {
  const floating = (sign: string) => `<div style="float:left;width:5pt">${sign}</div>`
  const floated = (words: string) => `<div style="float:left;margin-left:11pt">${words}</div>`
  assert.equal(
    text(`${floating('•')}${floated('a point')}${floating('•')}${floated('another')}`),
    '- a point\n- another\n',
  )
  assert.equal(
    text(`${floating('1')}${floated('Restated to current rates.')}${floating('2')}${floated('Until May 1.')}`),
    '1 Restated to current rates.\n\n2 Until May 1.\n',
  )
  assert.equal(text(`${floating('Fees')}${floated('are low.')}`), 'Fees\n\nare low.\n')
  assert.equal(text(`<p>Words.</p>${floating('*')}`), 'Words.\n\n\\*\n')
})

test('numbers of consecutive notes are not taken for page numbers, and page numbers are left out', () => {
  const words = '<p>Some words of this page, and some more of them.</p>'
  assert.equal(text('<p>1</p><p>A note.</p><p>2</p><p>Another.</p>'), '1\n\nA note.\n\n2\n\nAnother.\n')
  assert.doesNotMatch(text(`${words.repeat(4)}<p>1</p>${words.repeat(4)}<p>2</p>`), /\d/)
  assert.match(text('<p>EX-23</p><p>Consent</p><p>EX-24</p><p>Powers</p>'), /EX-23[\s\S]*EX-24/)
})

test('a link to an anchor above the header of a page leads to the heading below the header', () => {
  const long = 'This paragraph of the report has more words than any header or footer of a page is known to have.'
  const page = (name: string, title: string) =>
    `<div id="${name}"></div><hr style="page-break-after:always"><p>Pump Works Inc.</p><p>${title}</p><p>${long}</p>`
  const { text, headings } = markdownOfHtml(
    `<p><a href="#a4">Item 9A</a> and <a href="#a5">Pumps</a></p>${['a1', 'a2', 'a3'].map((name) => page(name, 'More')).join('')}${page('a4', 'Item 9A. Controls and Procedures')}${page('a5', 'Pumps and Valves')}`,
  )
  assert.match(text, /^\[Item 9A\]\(#item-9a-controls-and-procedures\) and \[Pumps\]\(#pumps-and-valves\)\n/)
  assert.deepEqual(
    headings.map((heading) => heading.text),
    ['Item 9A. Controls and Procedures', 'Pumps and Valves'],
  )
})

test('a heading with the words of the running head above it stays, and the running head is left out', () => {
  const long = 'This paragraph of the report has more words than any header or footer of a page is known to have.'
  const page = (heading: string) =>
    `<hr style="page-break-after:always"><p>PART I</p><p>ITEM 2. PROPERTIES</p>${heading}<p>${long}</p>`
  const contents = `<hr style="page-break-after:always"><p>PART I</p><p>Item 2. Properties</p><p>${long}</p>`
  const made = text(`${contents}${page('<p><b>Item 2. Properties</b></p>')}${page('')}${page('')}`)
  assert.equal(made.split('## Item 2. Properties').length - 1, 1)
  assert.doesNotMatch(made, /ITEM 2/)
})

test('a logo that stands next to each page number is left out with the number, and a picture that occurs once stays', () => {
  const page = (foot: string) =>
    `<p>Some words of this page, and some more of them.</p><p>${foot}</p><hr style="page-break-after:always">`
  const logo = (number: number) => page(`<b>${number}</b><img src="logo.jpg" alt="Pump Works">`)
  assert.doesNotMatch(text([16, 17, 18].map(logo).join('')), /logo|\d/)
  assert.match(text([1, 2, 3].map((n) => page(`${n}<img src="plan${n}.jpg">`)).join('')), /plan1\.jpg.*plan2\.jpg/s)
  // Embedded pictures have no names, so that they may be different pictures.
  const embedded = (n: number) => `<img src="data:image/png;base64,AAA${n}" alt="Plan ${n}">`
  const plans = text([1, 2, 3].map((n) => page(`${n}${embedded(n)}`)).join(''))
  for (const n of [1, 2, 3]) assert.match(plans, new RegExp(`Plan ${n}`))
  const charts = [1, 2, 3, 4].map((n) => page(`Sales by plant ${embedded(n)}`)).join('')
  assert.equal(text(charts).split('Sales by plant').length - 1, 4)
})

test('a year above two columns is the title of the first of them, and an amount stays in the column of its title', () => {
  assert.equal(
    text(`<table>
      <tr><td>(in millions)</td><td colspan="2">2024</td><td colspan="2">2023</td></tr>
      <tr><td>Statutory rate</td><td>$4,215</td><td>21.0%</td><td>$6,114</td><td>20.5%</td></tr>
      <tr><td>State taxes</td><td>343</td><td>1.7</td><td>567</td><td>2.0</td></tr></table>`),
    '| (in millions) | 2024 |  | 2023 |  |\n| --- | ---: | ---: | ---: | ---: |\n' +
      '| Statutory rate | $4,215 | 21.0% | $6,114 | 20.5% |\n| State taxes | 343 | 1.7 | 567 | 2.0 |\n',
  )
  assert.equal(
    text(`<table>
      <tr><td>Lessee</td><td>Equipment</td><td>Term</td><td colspan="2">Purchase price</td></tr>
      <tr><td>Mill A</td><td>Printers</td><td colspan="2">36</td><td>$13,555</td></tr>
      <tr><td>Mill B</td><td>Servers</td><td colspan="2">48</td><td>$9,120</td></tr></table>`),
    '| Lessee | Equipment | Term | Purchase price |\n| --- | --- | ---: | ---: |\n' +
      '| Mill A | Printers | 36 | $13,555 |\n| Mill B | Servers | 48 | $9,120 |\n',
  )
})

test('years with marks of notes are titles, as years without marks are', () => {
  for (const year of ['2024(1)', '2024 (a)', '2024*', '2024'])
    assert.equal(
      text(`<table><tr><td>Year Ended June 30</td><td>${year}</td><td>2023</td></tr>
        <tr><td>Pumps</td><td>120</td><td>100</td></tr><tr><td>Mills</td><td>20</td><td>5</td></tr></table>`),
      `| Year Ended June 30 | ${year.replace('*', '\\*')} | 2023 |\n| --- | ---: | ---: |\n| Pumps | 120 | 100 |\n| Mills | 20 | 5 |\n`,
    )
})

test('a box within a line separates the words on both sides of it, and a bullet in such a box begins an item', () => {
  const tab = '<span style="display:inline-block;width:18.4pt"></span>'
  assert.equal(text(`<p>Grants${tab}Price${tab}Value</p>`), 'Grants Price Value\n')
  const item = (words: string) =>
    `<div style="display:flex"><span style="min-width:3.5%;display:inline-flex">o</span><div style="display:inline">${words}</div></div>`
  assert.equal(text(`${item('cloud revenue')}${item('license revenue')}`), '- cloud revenue\n- license revenue\n')
  for (const width of ['width:0.25in', 'width:5mm', 'min-width:1em'])
    assert.equal(text(`<p>Form<span style="display:inline-block;${width}"></span>A</p>`), 'Form A\n')
  for (const width of ['border-width:2px', 'max-width:20pt', 'width:1pt'])
    assert.equal(text(`<p>Form<span style="display:inline-block;${width}">s</span></p>`), 'Forms\n')
  // A box without a width is not wider than its letters.
  assert.equal(text('<p>Form<span style="display:inline-block">s</span></p>'), 'Forms\n')
})

test('a picture font that is set together with its size shows its boxes and ticks, until another font is set', () => {
  assert.equal(
    text(
      '<p style="font:10pt Wingdings">&#168; <font style="font:10pt Times New Roman">YES</font> <span style="font:bold 10pt/12pt Wingdings 2">T</span></p>',
    ),
    '☐ YES **☒**\n',
  )
  assert.equal(
    text('<p><span style="font-family:\'Wingdings 3\'">q</span> Return this part</p>'),
    '▼ Return this part\n',
  )
  assert.equal(text('<p><font face="Wingdings">t</font> The first term</p>'), '- The first term\n')
})

test('a rule of stars does not become part of the heading below it', () => {
  assert.equal(
    text('<p>****************</p><p><b>Item 8. Statements</b></p>'),
    `${'\\*'.repeat(16)}\n\n## Item 8. Statements\n`,
  )
  assert.equal(text('<p>**</p><p>The note of the table.</p>'), '\\*\\* The note of the table.\n')
})

test('a header of several lines, and a header with a logo, are left out after the first page', () => {
  const words = '<p>Some words of this page, and some more of them than a header has, so that they are a paragraph.</p>'
  const page = (head: string) => `${head}${words}<hr style="page-break-after:always">`
  const lines = `<p>PUMP WORKS INC.<br>NOTES TO THE STATEMENTS<br>For the years ended November 30, 2020 and 2019<br>(EXPRESSED IN CANADIAN DOLLARS)</p>`
  const before = '<hr style="page-break-after:always">'
  assert.equal(text(before + page(lines).repeat(4)).split('PUMP WORKS').length - 1, 1)
  // More lines, and a long line, are content.
  for (const more of ['<br>PUMPS<br>MILLS</p>', `<br>${'pumps '.repeat(16)}</p>`, `<br>${'p'.repeat(151)}</p>`])
    assert.equal(text(before + page(lines.replace('</p>', more)).repeat(4)).split('PUMP WORKS').length - 1, 4, more)
  const logo = (number: number) => `<p>Fiscal 2024 Form 10-K ${number} <img src="logo.jpg"></p>`
  assert.equal(text(before + [1, 2, 3, 4].map((n) => page(logo(n))).join('')).split('Fiscal 2024').length - 1, 1)
  // Different pictures below the same words are content.
  const chart = (number: number) => `<p>Sales by plant <img src="chart${number}.jpg"></p>`
  assert.equal(text(before + [1, 2, 3, 4].map((n) => page(chart(n))).join('')).split('Sales by plant').length - 1, 4)
})

test('signatures of joint filers stay on each page, also if one person signs for all of them', () => {
  const words = '<p>Some words of this page, and some more of them than a header has, so that they are a paragraph.</p>'
  const sign = `<p>By: Omega GP LLC,<br>its general partner<br>By: /s/ Ada Sample<br>Name: Ada Sample<br>Title: Managing Member</p>`
  const page = (name: string) => `${words}<p>${name}</p>${sign}<hr style="page-break-after:always">`
  const made = text(['Alpha Fund LP', 'Beta Fund LP', 'Gamma Fund LP'].map(page).join(''))
  assert.equal(made.split('/s/ Ada Sample').length - 1, 3)
})

test('page numbers such as “4.” and “Page F-1 of F-9” are left out, and the numbers of a list stay', () => {
  const half = 'This sentence has more words than a header or a footer has, and it goes on from one page to'
  const words = '<p>Some words of this page.</p>'.repeat(8)
  const ENDS = ['the plant in the north.', 'a mill of the town.', 'its third owner.']
  const page = (number: string, at: number) =>
    `${words}<p>${half}</p><p>${number}</p><hr style="page-break-after:always"><p>${ENDS[at]}</p>`
  for (const numbers of [
    ['4.', '5.', '6.'],
    ['Page F-1 of F-9', 'Page F-2 of F-9', 'Page F-3 of F-9'],
  ]) {
    const made = text(numbers.map(page).join(''))
    for (const end of ENDS) assert.match(made, new RegExp(`${half} ${end}`), numbers.join())
  }
  const list = ['1.', '2.', '3.'].map((number) => `<p>${number}</p><p>A plant.</p>`).join('')
  assert.match(text(`${words}${list}<hr style="page-break-after:always">${words}`), /1\\\.[\s\S]*2\\\.[\s\S]*3\\\./)
})

test('a title above only some of the columns stays above these columns', () => {
  assert.equal(
    text(`<table>
      <tr><td></td><td></td><td></td><td colspan="2">Percent change</td></tr>
      <tr><td>Sales of</td><td>2024</td><td>2023</td><td>2024</td><td>2023</td></tr>
      <tr><td>Pumps</td><td>120</td><td>100</td><td>20%</td><td>5%</td></tr></table>`),
    '|  |  |  | Percent change |  |\n| --- | ---: | ---: | ---: | ---: |\n| Sales of | 2024 | 2023 | 2024 | 2023 |\n| Pumps | 120 | 100 | 20% | 5% |\n',
  )
})
