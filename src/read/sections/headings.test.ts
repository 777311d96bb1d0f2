/** Headings of several items, and headings that are written in unusual ways. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownOfHtml } from '../html.ts'
import { markdownOfText } from '../plain.ts'
import { type SectionKind, sectionsOf } from '../sections.ts'

const SENTENCE = `In brief: ${'the company made pumps in two plants, and sold them to mills and to towns. '.repeat(8).trim()}`
const wrapped = SENTENCE.replace(/(.{58}\S*) /g, '$1\n')

const made = (headings: readonly string[], as: 'html' | 'text') =>
  as === 'html'
    ? markdownOfHtml(
        `<html><body>${headings.map((each) => `<p><b>${each}</b></p><p>${SENTENCE}</p>`).join('')}</body></html>`,
      )
    : markdownOfText(headings.map((each) => `${each.toUpperCase()}\n\n${wrapped}\n\n`).join(''))

/** Returns the ids of the sections that are found, each with the number of headings whose text is in the section. */
function read(headings: readonly string[], kind: SectionKind, as: 'html' | 'text' = 'html'): [string, number][] {
  const markdown = made(headings, as)
  return sectionsOf(markdown, kind).map(({ id, start, end }) => [
    id,
    markdown.text.slice(start, end).replace(/\s+/g, ' ').split('In brief:').length - 1,
  ])
}

const MDA = 'Management’s Discussion and Analysis of Financial Condition and Results of Operations'
const annual = (...between: string[]) => [
  'Item 3. Legal Proceedings',
  ...between,
  'Item 8. Financial Statements and Supplementary Data',
]

test('a heading after the label of its page begins its item, in HTML and in text, but only with the title of the item', () => {
  for (const as of ['html', 'text'] as const) {
    for (const label of ['-12-', '- 12 -', '12', 'Page 12', 'Page 12 of 60', 'F-3', '10-K 12', '(12)', 'p. 12', 'xii'])
      assert.deepEqual(read(annual(`${label} Item 7. ${MDA}`), 'tenk', as).flat(), ['3', 1, '7', 1, '8', 1], label)
  }
  assert.deepEqual(read(annual('12 Item 7. Plants and Mills'), 'tenk').flat(), ['3', 2, '8', 1])
  // A paragraph in which text follows the title is not a heading, as in 0000928385-01-500187.
  assert.deepEqual(read(annual(`12 Item 7. ${MDA} ${SENTENCE}`), 'tenk').flat(), ['3', 3, '8', 1])
  const current = ['Item 8.01 Other Events', '-2- Item 9.01 Financial Statements and Exhibits']
  assert.deepEqual(read(current, 'eightk').flat(), ['8.01', 1, '9.01', 1])
  assert.deepEqual(read(['Item 8.01 Other Events', '-2- Item 9.01 Mills'], 'eightk').flat(), ['8.01', 2])
})

test('a heading of several items counts for each of them, in any wording, in HTML and in text', () => {
  for (const as of ['html', 'text'] as const) {
    for (const numbers of [
      'Items 7 and 7A.',
      'Items 7 & 7A',
      'Item 7/7A.',
      'Items 7, 7A.',
      'Item 7. and Item 7A.',
      'PART II, ITEMS 7 AND 7A –',
      'Items: 7 & 7A',
      'Items 7, and 7A:',
      'Items 7-7A.',
      'Item 7A and 7',
      'Items Nos. 7 and 7A.',
      'Item(s) 7 and 7A.',
      'Items 7 + 7A.',
      'Item 7 (and 7A).',
      'Items (7) and (7A)',
      'Item 7 together with Item 7A.',
      'Items 7 and/or 7A.',
      '7 and 7A.',
      '7. & 7A.',
    ]) {
      assert.deepEqual(
        read(annual(`${numbers} ${MDA}`), 'tenk', as),
        [
          ['3', 1],
          ['7', 1],
          ['7A', 1],
          ['8', 1],
        ],
        `${as}: ${numbers}`,
      )
    }
    for (const numbers of [
      'Items 10 to 14.',
      'Items 10, 11, 12, 13 and 14.',
      'ITEMS 10-14',
      'Items 10 – 14.',
      'Items 10 through 14. Incorporated by reference',
      'Item 10 thru Item 14:',
      'Items 10/11/12/13/14',
      'Items X to XIV.',
      'Items ten through fourteen',
      'Items 10 through and including 14.',
      'Items 10 to 14 (inclusive).',
      'Items 10 . . . 14',
      'PART III (Items 10 through 14)',
    ]) {
      const ids = ['9', '10', '11', '12', '13', '14', '15'].map((id) => [id, 1])
      assert.deepEqual(
        read(['Item 9. Changes in and Disagreements with Accountants', numbers, 'Item 15. Exhibits'], 'tenk', as),
        ids,
        `${as}: ${numbers}`,
      )
    }
  }
  assert.deepEqual(
    read(
      [
        `Item 7. ${MDA}; 7A. Quantitative and Qualitative Disclosures About Market Risk`,
        'Item 8. Financial Statements and Supplementary Data',
      ],
      'tenk',
    ).map(([id]) => id),
    ['7', '7A', '8'],
  )
  assert.deepEqual(
    read([`Item 7. ${MDA}`, 'Items 8 and 15(a). Financial Statements', 'Item 9. Changes in Accountants'], 'tenk').map(
      ([id]) => id,
    ),
    ['7', '8', '9'],
  )
  assert.deepEqual(
    read(['Item 1. Business; Item 2. Properties', 'Item 3. Legal Proceedings'], 'tenk').map(([id]) => id),
    ['1', '2', '3'],
  )
  assert.deepEqual(
    read(['Items 9A, B and C. Controls and Procedures', 'Item 10. Directors'], 'tenk').map(([id]) => id),
    ['9A', '9B', '9C', '10'],
  )
})

test('a range contains the whole numbers between its ends, or the letters if both ends have the same number', () => {
  assert.deepEqual(
    read(['Items 5 through 8. Not yet', 'Item 9. Changes in Accountants'], 'tenk').map(([id]) => id),
    ['5', '6', '7', '8', '9'],
  )
  assert.deepEqual(
    read(['Items 9 to 9C. Various', 'Item 10. Directors'], 'tenk').map(([id]) => id),
    ['9', '9A', '9B', '9C', '10'],
  )
})

test('a range whose end has a letter also contains the item with the whole number of that end', () => {
  assert.deepEqual(
    read(['Items 4 through 7A. Combined', 'Item 8. Financial Statements'], 'tenk').map(([id]) => id),
    ['4', '5', '6', '7', '7A', '8'],
  )
  assert.deepEqual(
    read(['Items 9 to 9B. Various', 'Item 10. Directors'], 'tenk').map(([id]) => id),
    ['9', '9A', '9B', '10'],
  )
})

test('a letter in parentheses names a part of an item if the title is the title of the whole item', () => {
  assert.deepEqual(
    read(annual(`Item 7(a). ${MDA}`), 'tenk').map(([id]) => id),
    ['3', '7', '8'],
  )
  assert.deepEqual(
    read(annual('Item 7(a). Quantitative and Qualitative Disclosures About Market Risk'), 'tenk').map(([id]) => id),
    ['3', '7A', '8'],
  )
})

test('keeps the letter of an item that the form has, whatever title a filer gives the item', () => {
  for (const title of ['Risks Related to Our Business', 'Business Risks'])
    for (const number of ['1A', '1(a)'])
      assert.deepEqual(
        read(['Item 1. Business', `Item ${number}. ${title}`, 'Item 2. Properties'], 'tenk'),
        [
          ['1', 1],
          ['1A', 1],
          ['2', 1],
        ],
        `${number} ${title}`,
      )
  assert.deepEqual(
    read(['Item 9. Changes in and Disagreements with Accountants', 'Item 9A. Changes in Internal Control'], 'tenk').map(
      ([id]) => id,
    ),
    ['9', '9A'],
  )
})

test('a heading in plain text begins a paragraph without a blank line above or below it, however its number is written', () => {
  for (const number of [
    'Item 7.',
    'Item 7)',
    'Item Seven',
    'ITEM VII -',
    'I T E M  7 .',
    'Ite m 7.',
    'Item: 7',
    'Item-7:',
    'Item No. 7:',
    'Part II, Item 7',
    'Item 7/Item 7A',
    'Items 7 and 7A.',
  ]) {
    const markdown = markdownOfText(
      annual(`${number} ${MDA}`)
        .map((each) => `${each}\n${wrapped}\n`)
        .join(''),
    )
    const found = sectionsOf(markdown, 'tenk').map(({ id }) => id)
    assert.deepEqual(
      found.filter((id) => id !== '7A'),
      ['3', '7', '8'],
      number,
    )
  }
  const { text } = markdownOfText(`The plan was approved.\n(Item No. 4 on the card)\nIt ends in May.\n`)
  assert.equal(text.trim().split('\n\n').length, 1)
})

test('a heading of several items in a quarterly report means items of the part that contains the heading', () => {
  const found = read(
    [
      'Part I. Financial Information',
      'Item 1. Financial Statements',
      `Items 2 and 3. ${MDA}`,
      'Item 4. Controls and Procedures',
      'Part II. Other Information',
      'Items 1 & 1A. Legal Proceedings and Risk Factors',
      'Items 2 through 5. Not applicable',
      'Item 6. Exhibits',
    ],
    'tenq',
  )
  assert.deepEqual(
    found.map(([id]) => id),
    ['I-1', 'I-2', 'I-3', 'I-4', 'II-1', 'II-1A', 'II-2', 'II-3', 'II-4', 'II-5', 'II-6'],
  )
})

test('if the last item of a list has its own heading, the list is the heading of the other items only', () => {
  assert.deepEqual(
    read(
      annual(`Items 7 and 7A. ${MDA}`, 'Item 7A. Quantitative and Qualitative Disclosures About Market Risk'),
      'tenk',
    ),
    [
      ['3', 1],
      ['7', 1],
      ['7A', 1],
      ['8', 1],
    ],
  )
})

test('neither a sentence about several items nor a number that the form lacks makes a heading of several items', () => {
  const markdown = markdownOfHtml(
    `<p><b>Item 3. Legal Proceedings</b></p><p>${SENTENCE}</p><p>Items 7 and 7A of the report of last year tell more.</p><p><b>Item 5. 2025 Market for Common Equity</b></p><p>${SENTENCE}</p>`,
  )
  assert.deepEqual(
    sectionsOf(markdown, 'tenk').map(({ id }) => id),
    ['3', '5'],
  )
})

test('finds an item whose number is written in an unusual way, and does not add its text to the item before', () => {
  for (const as of ['html', 'text'] as const) {
    for (const number of [
      'I tem 7.',
      'It em 7',
      'I T E M 7.',
      'ltem 7.',
      'Item VII.',
      'Item Seven:',
      'Item No. 7',
      'Item # 7',
      'Item7.',
      '7.',
      'VII.',
      '(7)',
      'Seven.',
      'Iterm 7.',
      'Itern 7.',
      'Item_7.',
      'Item [7].',
      'Item Vll.',
      '“Item 7.”',
      'Item 7 (continued).',
      'Section 7.',
      'Seventh.',
      'II-7.',
    ]) {
      assert.deepEqual(
        read(annual(`${number} ${MDA}`), 'tenk', as),
        [
          ['3', 1],
          ['7', 1],
          ['8', 1],
        ],
        `${as}: ${number}`,
      )
    }
  }
  assert.deepEqual(
    read(
      [
        'Item 9. Changes in Accountants',
        'Item 1 0. Directors and Executive Officers',
        'Item 11. Executive Compensation',
      ],
      'tenk',
    ).map(([id]) => id),
    ['9', '10', '11'],
  )
  for (const heading of [
    'Items Nos. 5.02 and 7.01',
    'Item 5.02 together with Item 7.01',
    'Item 5-02 Departure of Directors and Item 7.01. Regulation FD Disclosure',
    '“Item 5.02 + 7.01”',
  ])
    assert.deepEqual(
      read([heading, 'Item 9.01 Exhibits'], 'eightk').map(([id]) => id),
      ['5.02', '7.01', '9.01'],
      heading,
    )
  assert.deepEqual(read(['I tem 5.02 Departure of Directors', 'ltem 9.01 Exhibits'], 'eightk'), [
    ['5.02', 1],
    ['9.01', 1],
  ])
})

test('a title without its number is a heading, with less confidence, if its item was not found', () => {
  const [, mda] = sectionsOf(made(annual(MDA), 'html'), 'tenk')
  assert.deepEqual([mda?.id, mda?.confidence], ['7', 0.75])
  const [, bare] = sectionsOf(made(annual(`7. ${MDA}`), 'html'), 'tenk')
  assert.deepEqual([bare?.id, bare?.confidence], ['7', 0.9])
  const title = 'Departure of Directors or Certain Officers; Election of Directors'
  const report = sectionsOf(made(['Item 2.02 Results of Operations and Financial Condition', title], 'html'), 'eightk')
  assert.deepEqual(
    report.map(({ id, confidence }) => [id, confidence]),
    [
      ['2.02', 1],
      ['5.02', 0.75],
    ],
  )
  // If item 5.02 has its own heading, the title alone is the title of a part of another item.
  assert.deepEqual(read(['Item 2.02 Results of Operations', title, 'Item 5.02 Departure of Directors'], 'eightk'), [
    ['2.02', 2],
    ['5.02', 1],
  ])
  assert.deepEqual(
    read(['Item 1. Business', 'Properties', 'Item 2. Properties', 'Item 3. Legal Proceedings'], 'tenk').map(
      ([id]) => id,
    ),
    ['1', '2', '3'],
  )
})

test('recognizes a title that is set as a heading despite blanks within its words, and in the wordings of filers', () => {
  for (const title of [
    'M anagement’s Discus sion and Ana lysis of Financial Condition',
    'Management’s Discussion & Analysis',
    'Management Discussion and Analysis',
    'Operating and Financial Review',
  ]) {
    for (const as of ['html', 'text'] as const) {
      assert.deepEqual(
        read(annual(title), 'tenk', as),
        [
          ['3', 1],
          ['7', 1],
          ['8', 1],
        ],
        `${as}: ${title}`,
      )
    }
  }
  // If a text has no number at all, its titles begin sections if several of them are in the order of the form.
  assert.deepEqual(
    read(['Business', 'Properties', 'Legal Proceedings', MDA], 'tenk').map(([id]) => id),
    ['1', '2', '3', '7'],
  )
  assert.deepEqual(read(['Our history', 'Properties', 'Our people'], 'tenk'), [])
})

test('a line that says that items are not applicable is the heading of these items', () => {
  const items = ['Part II. Other Information', 'Item 1. Legal Proceedings', 'Items 2 to 5 are not applicable.', 'Item 6. Exhibits'] // biome-ignore format: a table
  assert.deepEqual(
    read(items, 'tenq').map(([id]) => id),
    ['II-1', 'II-2', 'II-3', 'II-4', 'II-5', 'II-6'],
  )
})

test('in reports older than item 1A, a heading of risk factors is part of item 1', () => {
  assert.deepEqual(read(['Item 1. Business', 'Risk Factors', 'Item 2. Properties'], 'tenk'), [
    ['1', 2],
    ['2', 1],
  ])
  assert.deepEqual(
    read(['Item 1. Business', 'Risk Factors', 'Item 1B. Unresolved Staff Comments', 'Item 2. Properties'], 'tenk').map(
      ([id]) => id,
    ),
    ['1', '1A', '1B', '2'],
  )
})

test('a section that may contain the text of a missing item states this doubt, and has less confidence', () => {
  const [missing] = sectionsOf(made(annual('Of our year'), 'html'), 'tenk')
  assert.equal(missing?.confidence, 0.7)
  assert.match(missing.doubt ?? '', /^items 4, 5, 7 were not found after it/)
  const long = markdownOfHtml(
    `<p><b>Item 3. Legal Proceedings</b></p>${`<p>${SENTENCE}</p>`.repeat(90)}<p><b>Item 8. Financial Statements</b></p><p>${SENTENCE}</p>`,
  )
  const [first] = sectionsOf(long, 'tenk')
  assert.equal(first?.confidence, 0.6)
  assert.match(first.doubt ?? '', /^longer than usual/)
  const stray = made(
    [
      'Item 7. Management’s Discussion and Analysis',
      'Item 8. Financial Statements and Supplementary Data',
      'Item 3. Legal Proceedings',
      'Item 9. Changes in and Disagreements with Accountants',
    ],
    'html',
  )
  const out = sectionsOf(stray, 'tenk').find(({ id }) => id === '8')
  assert.match(out?.doubt ?? '', /the heading "Item 3\. Legal Proceedings" stands in it/)
  assert.ok(out!.confidence <= 0.7)
  const [none] = sectionsOf(
    made(['Item 7. Management’s Discussion and Analysis', 'Item 8. Financial Statements'], 'html'),
    'tenk',
  )
  assert.equal(none?.doubt, null)
})

test('the name of a part before an item does not hide the item', () => {
  const headings = (dash: string) => [
    `Part I. Financial Information ${dash} Item 1. Financial Statements`,
    `Item 2. ${MDA}`,
    `Part II: Other Information${dash} Item 1. Legal Proceedings`,
    'Item 6. Exhibits',
  ]
  for (const dash of ['—', '-', ':', ','])
    assert.deepEqual(
      read(headings(dash), 'tenq'),
      [
        ['I-1', 1],
        ['I-2', 1],
        ['II-1', 1],
        ['II-6', 1],
      ],
      dash,
    )
})
