/** Headings of brochures as firms write them; the firms are made up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../test/support/effort.ts'
import { itemsOf } from './parse-items.ts'

const TEXT = 'We say here what we do for our clients, and at what price. '.repeat(20)

function made(headings: readonly string[]) {
  let text = ''
  const found = headings.map((heading) => {
    const start = text.length
    text += `## ${heading}\n\n${TEXT}\n\n`
    return { level: 2 as const, text: heading, start }
  })
  return { text, headings: found, tables: 0, images: 0, problems: [] }
}
const ids = (...headings: string[]) => itemsOf(made(headings)).map(({ id }) => id)
/** The items, each with the number of headings that its text contains. */
const sizes = (...headings: string[]) => {
  const markdown = made(headings)
  return itemsOf(markdown).map(({ id, start, end }) => [id, markdown.text.slice(start, end).split('## ').length - 1])
}

test('an item is found however its number is written', () => {
  for (const [four, five] of [
    ['Item 4 – Advisory Business', 'Item 5 – Fees and Compensation'],
    ['ITEM 4: ADVISORY BUSINESS', 'ITEM 5: FEES AND COMPENSATION'],
    ['Item4 Advisory Business', 'Item5 Fees and Compensation'],
    ['Item #4 Advisory Business', 'Item # 5 Fees and Compensation'],
    ['Item No. 4 Advisory Business', 'Item Number 5 Fees and Compensation'],
    ['Item Four: Advisory Business', 'Item Five: Fees and Compensation'],
    ['Item IV - Advisory Business', 'Item V - Fees and Compensation'],
    ['4. Advisory Business', '5) Fees & Compensation'],
    ['4 – Advisory Business', '5 – Fees and Compensation'],
    ['Advisory Business (Item 4)', 'Fees and Compensation [Item 5]'],
    ['(Item 4) Advisory Business', 'B. Item 5: Fees and Compensation'],
    ['Section 4 – Advisory Business', 'Section 5: Fees and Compensation'],
    ['Advisory Business – Item 4', 'Fees and Compensation, Item 5'],
    ['Part 2A Item 4: Advisory Business', 'Form ADV Part 2A, Item 5: Our fees'],
    ['Item 4', 'Item 5'],
  ] as const)
    assert.deepEqual(ids(four, five), ['4', '5'], four)
  assert.deepEqual(ids('Item XVII: Voting Client Securities', 'Item Nineteen'), ['17', '19'])
})

test('a number without the word "Item" counts only with the title of the item', () => {
  assert.deepEqual(ids('Item 4: Advisory Business', '5. Our team', '5. Custody', 'Section 5: Our team'), ['4'])
})

test('a number that a filer gave to the wrong item stands as filed', () => {
  assert.deepEqual(ids('Item 2: Table of Contents', 'Item 3: Material Changes', 'Item 4'), ['2', '3', '4'])
})

test('titles without numbers are items if a brochure has three of them and no numbered item', () => {
  const titles = [
    'Advisory Business',
    'Fees and Compensation',
    'Methods of Analysis, Investment Strategies and Risk of Loss',
  ]
  assert.deepEqual(ids(...titles), ['4', '5', '8'])
  assert.deepEqual(ids(...titles.slice(0, 2)), [])
  assert.deepEqual(sizes('Item 4', ...titles), [['4', 4]])
})

test('an item of the supplement or of the wrap-fee brochure is not an item of Part 2A, and ends the item above', () => {
  const part = ['Item 4: Advisory Business', 'Item 5: Fees and Compensation']
  for (const other of [
    'Item 4: Other Business Activities',
    'Item 3: Disciplinary Information',
    'Item 6: Supervision',
    'Item 6 – Portfolio Manager Selection and Evaluation',
    'Items 6 and 7: Clients',
  ])
    assert.deepEqual(
      sizes(...part, other, 'Our persons'),
      [
        ['4', 1],
        ['5', 1],
      ],
      other,
    )
})

test('a second heading of an item right below the first is part of the item; of two headings that are apart, the one with more text counts', () => {
  assert.deepEqual(sizes('Item 4: Advisory Business', 'Item 4: Our firm', 'Item 5: Fees'), [
    ['4', 2],
    ['5', 1],
  ])
  const contents = [
    'Item 4: Advisory Business',
    'Item 5: Fees',
    'Item 4: Advisory Business',
    'Our firm',
    'Item 5: Fees',
    'Rates',
  ]
  assert.deepEqual(sizes(...contents), [
    ['4', 2],
    ['5', 2],
  ])
})

test('a number that no item has, and a letter after a number, are not headings of items', () => {
  assert.deepEqual(sizes('Item 4: Advisory Business', 'Item 22: X', 'Item 4A: Our firm', 'Item 0'), [['4', 4]])
})

test('headings of any length are read quickly', async () => {
  for (const part of ['item 4 ', '4. custody ', 'custody (item 15', ' .', '– ', ' '])
    for (const text of [part.repeat(50_000), `item 4 a${part.repeat(50_000)}b`])
      await assertQuick(part, () => void itemsOf({ ...made([]), headings: [{ level: 1, text, start: 0 }] }))
})
