/** Hostile documents: each is read in time proportional to its length, and yields no person. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { periodIn } from '../../../src/datasets/eightk/earnings.ts'
import { factsOf } from '../../../src/datasets/eightk/facts.ts'
import { headlinesOf } from '../../../src/datasets/eightk/headlines.ts'
import { officersOf } from '../../../src/datasets/eightk/officers.ts'
import { excerptOf, exhibitsIn, inMarkdown } from '../../../src/datasets/eightk/sections.ts'
import { assertQuick } from '../../support/effort.ts'

const MB = 1_000_000

const COVERS: Record<string, string> = {
  blanks: ' ',
  'empty lines': '\n',
  pipes: '|',
  digits: '7',
  'one word': 'appointed ',
  capitals: 'A',
  'capitalized words': 'Ada ',
  initials: 'A. ',
  names: 'Mr. John Smith, ',
  'names and verbs': 'Mr. John Smith resigned and ',
  titles: 'Chief Executive Officer and ',
  commas: 'X, ',
  possessives: 'Company’s ',
  items: 'Item 5.02 ',
  'lines of items': 'Item 5.02 Departure of Directors\n',
  'lines of items without end': 'Items 1.01, 1.02, 2.01 and 5.02\n',
  exhibits: 'Exhibit 99.1, ',
  amounts: 'net income of $1,000,000 ',
  rules: 'Nasdaq Listing Rule 5450(a)(1) notice ',
  days: 'On May 1, 2010, ',
  auditors: 'engaged Alpha & ',
  emphasis: '*',
  brackets: '(',
  denials: 'Mr. John Smith will not resign or be appointed as any director who was ',
  'things taken back': 'rejected the resignation of Mr. John Smith was not approved, ',
  'parts of a company': 'President of Alpha & Beta of the ',
  'compliance regained': 'if regained compliance ',
  petitions: 'On May 1, 2010 filed a chapter 11 ',
  losses: 'loss per diluted share ',
  firms: 'dismissed Alpha & Beta, LLP (“Alpha”), engaged ',
  'firms that resign': 'since Alpha LLP notified the Company ',
  degrees: 'Mr. John Smith, M.D., Ph.D., ',
  'terms that are defined': '(the “Board”) (“',
  'effective days': 'effective as of the close of business on ',
  successors: 'as President, succeeding Mr. John Smith, ',
  'letters of resignation': 'received notice from Mr. John Smith of his resignation, ',
  'employments that end': 'Mr. John Smith’s employment with the Company as ',
  'figures of periods': 'revenue for the first quarter of $1 million ',
  'signs of our own': '\uE0000\uE001 ',
}

for (const [name, unit] of Object.entries(COVERS)) {
  test(`a report of ten million signs of ${name} is read in time`, async () => {
    const cover = unit.repeat(Math.ceil((10 * MB) / unit.length))
    const text = `## Item 5.02 Departure of Directors\n\n${cover}`
    await assertQuick(name, () => {
      const sections = inMarkdown({ text, headings: [], tables: 0, images: 0, problems: [] }, 1)
      assert.ok(sections.length <= 34)
      const span = { start: 36, end: text.length }
      const { officers } = officersOf(text, span, 'Alpha Beta Gamma Inc', '2024-01-01')
      for (const item of ['1.03', '1.05', '3.01', '4.01', '4.02']) factsOf(item, text, span)
      periodIn(text, span)
      headlinesOf(text)
      exhibitsIn(text.slice(0, 20_000), true)
      excerptOf(text)
      assert.ok(officers.every(({ name }) => name === 'John Smith'))
    })
  })
}

test('ten thousand firms with names and terms of their own are read in time', async () => {
  const firm = (n: number) => `Board dismissed Alpha${n} Beta${n}, LLP (“Term${n}”) and engaged Term${n - 1}. `
  const text = Array.from({ length: 10_000 }, (_, n) => firm(n)).join('')
  await assertQuick('4.01', () => factsOf('4.01', text, { start: 0, end: text.length }))
})
