/** Hostile documents: each is read in time proportional to its length, and yields no person. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsOf } from '../../../src/datasets/eightk/facts.ts'
import { noticesOf } from '../../../src/datasets/eightk/notices.ts'
import { officersOf } from '../../../src/datasets/eightk/officers.ts'
import { periodIn } from '../../../src/datasets/eightk/results/earnings.ts'
import { headlinesOf } from '../../../src/datasets/eightk/results/headlines.ts'
import { excerptOf, exhibitsIn, inMarkdown } from '../../../src/datasets/eightk/sections.ts'
import { assertQuick } from '../../support/effort.ts'
import { often } from '../../support/soak.ts'

/** Length of a report, in millions of characters. */
const SIZE = often('millions of characters of a hostile report', { usual: 2, soak: 10 })
const LENGTH = SIZE * 1_000_000
/**
 * Measured for two million characters on a busy machine: at most 500 ms, part of it for compiling. A function that reads
 * each character again and again would take minutes.
 */
const LIMIT_MS = 1_000 + 200 * SIZE

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
  agreements: 'the Company entered into a Loan Agreement with Alpha Bank, N.A. and ',
  'agreements of many parties': 'entered into an Agreement (the “Term”) by and among Alpha, Inc. (“Alpha”), ',
  'agreements that end': 'The Company terminated the Loan Agreement on May 1, 2010. ',
  deals: 'the Company completed its acquisition of Alpha, Inc. from Beta LLC for $5 million, ',
  'amendments of papers': 'the Board approved the amendment of the Bylaws, effective ',
  'repurchases of shares': 'authorized the repurchase of up to $5 million of shares, ',
  'sales of securities': 'the Company sold 1,000 shares of common stock for $5 million and ',
  'costs of exits': 'approved a plan and expects charges of $5 million to $6 million, ',
  'numbers of agreements': 'it entered into No. No. ',
  'subjects of acts': 'the Company and its subsidiary, Alpha LLC, also sold ',
  'prices of one share': 'each share is converted into $5 to $7, ',
  'amounts of two currencies': '€5 million (approximately ',
  'amounts in words': 'forty million dollars (',
  'currencies that are declared': 'unless otherwise in Canadian ',
  'lists of agreements': 'it entered into (i) a Loan Agreement with Alpha Bank, N.A., (ii) a ',
  'figures of periods': 'revenue for the first quarter of $1 million ',
  'signs of our own': '\uE0000\uE001 ',
}

for (const [name, unit] of Object.entries(COVERS)) {
  test(`a report of millions of characters of ${name} is read in time`, async () => {
    const cover = unit.repeat(Math.ceil(LENGTH / unit.length))
    const text = `## Item 5.02 Departure of Directors\n\n${cover}`
    await assertQuick(
      name,
      () => {
        const sections = inMarkdown({ text, headings: [], tables: 0, images: 0, problems: [] }, 1)
        assert.ok(sections.length <= 34)
        const span = { start: 36, end: text.length }
        const { officers } = officersOf(text, span, 'Alpha Beta Gamma Inc', '2024-01-01')
        for (const item of ['1.03', '1.05', '3.01', '4.01', '4.02']) factsOf(item, text, span)
        for (const item of ['1.01', '1.02', '2.01', '2.05', '3.02', '5.03', '8.01'])
          noticesOf(item, text, span, 'Acme Inc')
        periodIn(text, span)
        headlinesOf(text)
        exhibitsIn(text.slice(0, 20_000), true)
        excerptOf(text)
        assert.ok(officers.every(({ name }) => name === 'John Smith'))
      },
      LIMIT_MS,
    )
  })
}

test('an excerpt begins with words, and not with the line that is drawn below a heading', () => {
  assert.equal(excerptOf('-------------------\n\nThe Company opened a plant.\n______\n'), 'The Company opened a plant.')
  assert.equal(excerptOf('A well-known -- and old -- plant, 2009-10'), 'A well-known -- and old -- plant, 2009-10')
})

test('ten thousand firms that define names and terms are read in time', async () => {
  const firm = (n: number) => `Board dismissed Alpha${n} Beta${n}, LLP (“Term${n}”) and engaged Term${n - 1}. `
  const text = Array.from({ length: 10_000 }, (_, n) => firm(n)).join('')
  await assertQuick('4.01', () => factsOf('4.01', text, { start: 0, end: text.length }))
})
