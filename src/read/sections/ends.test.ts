/** Where items of periodic reports end, and which of several equal headings begins an item. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownOfHtml } from '../html.ts'
import { type SectionKind, sectionsOf } from '../sections.ts'

const SENTENCE = `In brief: ${'the company made pumps in two plants, and sold them to mills and to towns. '.repeat(8).trim()}`
const bold = (words: string) => `<p><b>${words}</b></p>`
const words = (...of: string[]) => of.map((each) => `<p>${each}</p>`).join('')
const EXHIBITS = `${bold('Item 15. Exhibits and Financial Statement Schedules')}${words(SENTENCE)}`
const SUMMARY = bold('Item 16. Form 10-K Summary')
const table = (...rows: string[][]) =>
  `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`
const link = (label: string) => `<a href="#start">${label}</a>`

function found(html: string, kind: SectionKind = 'tenk') {
  const markdown = markdownOfHtml(`<html><body>${html}</body></html>`)
  return new Map(
    sectionsOf(markdown, kind).map(({ id, start, end, confidence, doubt }) => [
      id,
      { text: markdown.text.slice(start, end).trimEnd(), confidence, doubt },
    ]),
  )
}

test('an item whose answer is "None." ends at the heading below the answer', () => {
  const statements = `${bold('INDEX TO FINANCIAL STATEMENTS')}${words(SENTENCE)}`
  for (const answer of [
    'None.',
    'Not applicable.',
    'Omitted at the registrant’s option.',
    'The company has elected not to include a summary.',
  ])
    assert.equal(
      found(`${EXHIBITS}${SUMMARY}${words(answer)}${statements}`).get('16')!.text,
      `## Item 16. Form 10-K Summary\n\n${answer}`,
    )
  // A line between the answer and the heading belongs to the item, and so does the text of an item with another answer.
  assert.match(
    found(`${EXHIBITS}${SUMMARY}${words('None.', 'Pumps')}${statements}`).get('16')!.text,
    /None\.\n\nPumps$/,
  )
  assert.match(found(`${EXHIBITS}${SUMMARY}${words('See below.')}${statements}`).get('16')!.text, /In brief/)
  const plans = `${bold('Item 9B. Other Information')}${words('None.')}${bold('Trading Plans')}${words(SENTENCE)}${EXHIBITS}`
  assert.match(found(plans).get('9B')!.text, /In brief/)
})

test('a long paragraph that begins with "None" does not answer its item, and a heading far below an answer does not end the item', () => {
  const last = `${bold('INDEX TO PUMPS')}${words('A pump.')}`
  const long = `None of these pumps is new. ${SENTENCE}`
  const lines = (count: number) => words('None.', ...Array.from({ length: count }, (_, i) => `Pump ${i}.`))
  const textOf = (html: string) => found(`${EXHIBITS}${SUMMARY}${html}${last}`).get('16')!.text
  for (const html of [words(long), lines(4)]) assert.match(textOf(html), /A pump\.$/)
  assert.match(textOf(lines(3)), /Pump 2\.$/)
})

test('the executive officers below item 4, with and without a number of their own, do not belong to item 4', () => {
  const head = `${bold('Item 3. Legal Proceedings')}${words(SENTENCE)}${bold('Item 4. Mine Safety Disclosures')}`
  const market = `${bold('Item 5. Market for Registrant’s Common Equity')}${words(SENTENCE)}`
  for (const [answer, caption] of [
    ['Not applicable.', 'Information About Our Executive Officers'],
    ['A mine is described in Exhibit 95.', 'Item 4A. Information About Our Executive Officers'],
  ] as const) {
    const { text } = found(`${head}${words(answer)}${bold(caption)}${words(SENTENCE)}${market}`).get('4')!
    assert.equal(text, `## Item 4. Mine Safety Disclosures\n\n${answer}`)
  }
})

test('an item begins at its first heading, although the heading is repeated above a longer text on the next page', () => {
  const cyber = bold('ITEM 1C. CYBERSECURITY')
  const html = `${bold('Item 1B. Unresolved Staff Comments')}${words('None.')}${bold('Item 1C. Cybersecurity')}${words('First page.', SENTENCE)}${cyber}${words(...Array.from({ length: 9 }, () => SENTENCE))}${bold('Item 2. Properties')}${words(SENTENCE)}`
  const items = found(html)
  assert.equal(items.get('1B')!.text, '## Item 1B. Unresolved Staff Comments\n\nNone.')
  assert.match(items.get('1C')!.text, /^## Item 1C\. Cybersecurity\n\nFirst page\./)
})

test('signatures without a heading end the last item', () => {
  const signed = words(
    'Pursuant to the requirements of Section 13 or 15(d) of the Securities Exchange Act of 1934, the registrant has duly caused this report to be signed.',
    'By: Ada Sample, Chief Accounting Officer',
  )
  assert.doesNotMatch(found(`${EXHIBITS}${signed}`).get('15')!.text, /Pursuant|Ada Sample/)
  const exhibits = `${bold('PART II. OTHER INFORMATION')}${bold('Item 6. Exhibits')}${words(SENTENCE)}`
  const exchange = signed.replace('Section 13 or 15(d) of ', '')
  assert.doesNotMatch(found(`${exhibits}${exchange}`, 'tenq').get('II-6')!.text, /Pursuant|Ada Sample/)
})

test('a linked sentence at the end of an item belongs to it, and a link back to the contents does not', () => {
  const link = (label: string) => `<p><a href="#toc">${label}</a></p>`
  const properties = (last: string) =>
    found(
      `<p id="toc">Contents</p>${bold('Item 2. Properties')}${words(SENTENCE)}${last}${bold('Item 3. Legal Proceedings')}${words(SENTENCE)}`,
    ).get('2')!.text
  const sentence =
    'See Note 18 of our Notes to Consolidated Financial Statements for further information on our leases.'
  assert.match(properties(link(sentence)), /on our leases\.\]\(#[^)]*\)$/)
  assert.match(properties(link('To the start')), /towns\.$/)
})

test('a title in unusual wording counts as the title of its item', () => {
  const confidence = (title: string) => [...found(`${bold(title)}${words(SENTENCE)}`).values()][0]!.confidence
  assert.equal(confidence('Item 15. Exhibit and Financial Statement Schedules'), 1)
  // 0.3 is subtracted since the items after these items were not found.
  assert.equal(confidence('Item 7. Management Discussion and Analysis of Financial Condition'), 0.7)
  assert.equal(confidence('Item 6. Intentionally Omitted'), 0.7)
})

test('rows of an index that refer to pages, and items listed as omitted, are no sections', () => {
  const index = table(
    ['Item 1A.', 'Risk Factors', '26-33'],
    ['Item 1B.', 'Unresolved Staff Comments', 'Not applicable'],
    ['', 'PART II', ''],
    ['Item 7.', 'Management’s Discussion and Analysis', '12, 40-45'],
    ['Item 8.', 'Financial Statements', '50-99'],
  )
  assert.deepEqual([...found(`${index}${words(SENTENCE)}`).keys()], ['1B'])
  const omitted = table(['Item 10.', 'Directors and Executive Officers'], ['Item 11.', 'Executive Compensation'])
  assert.deepEqual([...found(`${words('These items are omitted:')}${omitted}${EXHIBITS}`).keys()], ['15'])
  // Items whose text stands in the rows of a table are sections.
  const answers = table(
    ['Item 10.', 'Directors and Executive Officers', ''],
    ['', 'The directors are named in the proxy statement.', ''],
    ['Item 11.', 'Executive Compensation', ''],
    ['', 'The pay of the officers is stated there.', ''],
  )
  assert.deepEqual([...found(`${answers}${EXHIBITS}`).keys()], ['10', '11', '15'])
})

test('an answered row of an index ends with its row, and rows that refer to pages or notes are no sections', () => {
  const index = table(
    ['Item 1.', 'Business:', ''],
    ['', 'General development', `Pages ${link('3')}-${link('9')}, 20`],
    ['', 'Available information', 'Page 2 (a)'],
    ['Item 1A.', 'Risk Factors', '26-33'],
    ['Item 1B.', 'Unresolved Staff Comments', 'None'],
    ['Item 1C.', 'Cybersecurity', `Page ${link('65')}`],
    ['Item 4.', 'Mine Safety Disclosures', 'Not applicable'],
    ['PART II', '', ''],
    ['Item 5.', 'Market for the Registrant’s Common Equity', 'Pages 66-67'],
    ['Item 14.', 'Principal Accountant Fees and Services', '(a)'],
    ['PART IV', '', ''],
    ['Item 15.', 'Exhibits and Financial Statement Schedules', 'Pages 70-114, 116'],
    ['Item 16.', 'Form 10-K Summary', 'None'],
    ['Signatures', '', '122'],
  )
  const items = found(
    `<p id="start">Contents</p>${words(SENTENCE)}${index}${words('(a) Stated in the proxy statement.')}`,
  )
  assert.deepEqual(
    [...items].map(([id, { text, doubt }]) => [id, text, doubt]),
    [
      ['1B', '| Item 1B. | Unresolved Staff Comments | None |', null],
      ['4', '| Item 4. | Mine Safety Disclosures | Not applicable |', null],
      ['16', '| Item 16. | Form 10-K Summary | None |', null],
    ],
  )
})

test('a linked row of the contents is not the beginning of an item, also if the item has no other heading', () => {
  const contents = (first: string) =>
    `<p id="start">${bold('PART I. FINANCIAL INFORMATION')}</p>${table(
      [link(first), link('3')],
      [link('Statement of Earnings'), link('3')],
      [link('Balance Sheet'), link('4')],
    )}`
  const rest = `${bold('Item 2. Management’s Discussion and Analysis')}${words(SENTENCE)}`
  const ids = (html: string) =>
    [...found(html, 'tenq')].map(([id, { text }]) => [id, text.split('In brief').length - 1])
  const statements = 'Item 1. Financial Statements'
  assert.deepEqual(ids(`${contents(statements)}${words(SENTENCE)}${rest}`), [['I-2', 1]])
  // The last row has no linked row below it.
  const last = table([link('Balance Sheet'), link('4')], [link(statements), link('3')])
  assert.deepEqual(ids(`${contents('Statements')}${words('Pumps')}${last}${words(SENTENCE)}${rest}`), [['I-2', 1]])
  // A heading in a table that is a link to the contents begins its item.
  const heading = table([link('Item 1.'), link('Financial Statements')])
  assert.deepEqual(ids(`${contents('Statements')}${heading}${words(SENTENCE)}${rest}`).flat(), ['I-1', 1, 'I-2', 1])
  // The text of an item in the next row of the table may have a link.
  const text = table([link('Item 1.'), link('Financial Statements')], ['', `${link('Note 1')} ${SENTENCE}`], ['1', '2'])
  assert.deepEqual(ids(`${contents('Statements')}${words('Pumps')}${text}${rest}`).flat(), ['I-1', 1, 'I-2', 1])
  // A linked row that answers its item is the text of that item.
  const answered = table(
    [link('Item 3. Defaults Upon Senior Securities'), 'None'],
    [link('Item 6. Exhibits'), link('9')],
  )
  const other = `<p id="start">${bold('PART II. OTHER INFORMATION')}</p>`
  assert.deepEqual(ids(`${other}${answered}${bold('Item 6. Exhibits')}${words(SENTENCE)}`), [
    ['II-3', 0],
    ['II-6', 1],
  ])
  // So is a linked row with any text in another cell.
  const told = answered.replace('None', 'A loan was not repaid.')
  assert.deepEqual(ids(`${other}${told}${bold('Item 6. Exhibits')}${words(SENTENCE)}`), [
    ['II-3', 0],
    ['II-6', 1],
  ])
})

test('a heading with the whole title of the financial statements begins item 1 of a quarterly report', () => {
  for (const title of [
    'FINANCIAL STATEMENTS AND SUPPLEMENTARY DATA',
    'Condensed Consolidated Financial Statements (Unaudited)',
    'Unaudited Interim Financial Statements',
  ]) {
    const items = found(
      `${bold('PART I. FINANCIAL INFORMATION')}${bold(title)}${words(SENTENCE)}${bold('Item 2. Management’s Discussion and Analysis')}${words(SENTENCE)}`,
      'tenq',
    )
    assert.deepEqual([...items.keys()], ['I-1', 'I-2'], title)
    assert.equal(items.get('I-1')!.confidence, 0.75)
  }
})

test('"Other Items" and "Other Matters" are titles of item 5 of a quarterly report', () => {
  for (const title of ['Other Items', 'Other Matters', 'Other Information'])
    assert.equal(
      found(`${bold('PART II. OTHER INFORMATION')}${bold(`Item 5. ${title}`)}${words(SENTENCE)}`, 'tenq').get('II-5')!
        .confidence,
      1,
      title,
    )
})

test('an item before the first item of the form has a section, if its heading has a long text', () => {
  const long = words(...Array.from({ length: 12 }, () => SENTENCE))
  const discussion = bold('Item 2. Management’s Discussion and Analysis')
  const report = (before: string) =>
    found(
      `${bold('PART I. FINANCIAL INFORMATION')}${before}${bold('Item 1. Financial Statements')}${long}${bold('Item 3. Quantitative and Qualitative Disclosures about Market Risk')}${words(SENTENCE)}`,
      'tenq',
    )
  const items = report(`${discussion}${long}`)
  assert.deepEqual([...items.keys()], ['I-2', 'I-1', 'I-3'])
  assert.match(items.get('I-2')!.text, /^## Item 2\. Management’s Discussion and Analysis\n\n(?:In brief.*\n*){12}$/)
  assert.deepEqual([items.get('I-2')!.confidence, items.get('I-1')!.confidence], [0.9, 1])
  assert.deepEqual([items.get('I-2')!.doubt, items.get('I-1')!.doubt], [null, null])
  const later = `${bold('Item 1. Financial Statements')}${long}${discussion}${long}`
  assert.deepEqual(
    sectionsOf(markdownOfHtml(`<html><body>${discussion}${long}${later}</body></html>`), 'tenq').map(({ id }) => id),
    ['I-1', 'I-2'],
  )
  // A heading with a short text may be an entry of the contents. A sentence and another title begin no item.
  for (const before of [
    `${discussion}${words('Page 9')}`,
    `${words('Item 2. Management’s Discussion and Analysis is below.')}${long}`,
    `${bold('Item 2. Pumps')}${long}`,
  ])
    assert.deepEqual([...report(before).keys()], ['I-1', 'I-3'], before.slice(0, 60))
})

test('the first financial statement begins item 1 of a quarterly report that has no other heading for it', () => {
  const statements = [
    'Condensed Consolidated Statements of Income (Unaudited)',
    'Condensed Consolidated Balance Sheets (Unaudited)',
  ]
  const long = words(...Array.from({ length: 12 }, () => SENTENCE))
  const before = `${bold('PART I. FINANCIAL INFORMATION')}${words(statements[0]!, SENTENCE, statements[1]!)}${long}`
  const items = found(`${before}${bold('Item 2. Management’s Discussion and Analysis')}${words(SENTENCE)}`, 'tenq')
  assert.deepEqual([...items.keys()], ['I-1', 'I-2'])
  assert.equal(items.get('I-1')!.text.split('In brief').length - 1, 13)
  assert.equal(items.get('I-1')!.confidence, 0.5)
  // Rows of an index do not say where item 1 ends.
  const index = table(
    ['Item 2.', 'Management’s Discussion and Analysis:', ''],
    ['', 'Results of operations', 'Pages 9-12'],
    ['Item 4.', 'Controls and Procedures', '13'],
  )
  assert.deepEqual([...found(`${before}${bold('Index')}${index}`, 'tenq').keys()], [])
})

test('a row with a title and a text in another cell is the item, and only pages or a mark there are no text', () => {
  const read = (...cells: string[]) =>
    found(
      `${table(['Item 10.', 'Directors and Executive Officers', ...cells], ['Item 11.', 'Executive Compensation', 'Not required'])}${EXHIBITS}`,
    ).get('10')
  const row = '| Item 10. | Directors and Executive Officers |'
  for (const answer of ['Incorporated by reference to the proxy statement.', 'Not required', 'Omitted', 'Inapplicable'])
    assert.equal(read(answer)!.text, `${row} ${answer} |`)
  assert.equal(read('(a)', 'Stated elsewhere')!.text, `${row} (a) | Stated elsewhere |`)
  for (const cells of [[], ['']]) assert.equal(read(...cells), undefined)
  for (const mark of ['12', 'Page 12', 'pp. 3-9, 20', 'F-1', 'iii', '(a)', '*', 'X', '. . . . 7', '—', '(1) 26 to 33'])
    assert.equal(read(mark), undefined, mark)
  // The title may be in the cell of the number, and the number in a cell without the word.
  const inOne = table(
    ['Item 10. Directors', 'Stated elsewhere'],
    ['Item', '11.', 'Executive Compensation', 'Not given'],
  )
  assert.deepEqual([...found(`${inOne}${EXHIBITS}`).keys()], ['10', '11', '15'])
})

test('rows of figures below the row of an item are its text, and not rows of an index', () => {
  const selected = (...figures: string[]) =>
    found(
      `${table(['Item 6.', 'Selected Financial Data'], ['Net sales', ...figures], ['Item 8.', 'Financial Statements'], ['', 'Sales grew.'])}${EXHIBITS}`,
    )
      .get('6')
      ?.text.split('\n')
      .at(-1)
  assert.equal(selected('1,234'), '| Net sales | 1,234 |')
  assert.equal(selected('123', '110'), '| Net sales | 123 | 110 |')
  assert.equal(selected('12-14'), undefined)
})

test('a sentence about the Exchange Act within an item does not end the item as the signatures do', () => {
  const sentence =
    'Pursuant to the requirements of the Securities Exchange Act of 1934, we file annual and quarterly reports with the SEC.'
  const html = `${bold('Item 1. Business')}${words(SENTENCE, sentence, 'Pumps last.')}${bold('Item 2. Properties')}${words(SENTENCE)}`
  assert.match(found(html).get('1')!.text, /with the SEC\.\n\nPumps last\.$/)
})

test('an item without a number begins at its heading, and not at its entry in contents that have no pages', () => {
  const contents = words('BUSINESS', 'PROPERTIES', 'LEGAL PROCEEDINGS')
  const body = `${bold('BUSINESS')}${words(SENTENCE)}${bold('Item 2. Properties')}${words(SENTENCE)}`
  const items = found(`${contents}${words('Specimen Pumps, Inc.')}${body}`)
  assert.match(items.get('1')!.text, /^\*\*BUSINESS\*\*\n\nIn brief/)
})

test('a note with the title of the statements does not begin item 1 of a quarterly report', () => {
  for (const note of ['Note 1. Unaudited Interim Financial Statements', '1. Interim Financial Statements']) {
    const items = found(
      `${bold('PART I. FINANCIAL INFORMATION')}${bold('Condensed Balance Sheets')}${words(SENTENCE)}${bold(note)}${words(SENTENCE)}${bold('Item 2. Management’s Discussion and Analysis')}${words(SENTENCE)}`,
      'tenq',
    )
    assert.match(items.get('I-1')!.text, /^#* ?\**Condensed Balance Sheets/, note)
  }
})
