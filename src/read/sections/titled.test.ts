/** Sections of prospectuses that are bound together, and titles that are broken over two lines or set lower. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownOfHtml } from '../html.ts'
import { type Section, type SectionKind, sectionsOf } from '../sections.ts'

const text = (about: string) =>
  `${about}: ${'the company made pumps and sold them to mills and to towns. '.repeat(5).trim()}`
const LEGEND =
  'Neither the Securities and Exchange Commission nor any state securities commission has approved or disapproved of these securities.'

/** A heading by its level, a table by its rows, or text. */
type Block = [level: number, heading: string] | { rows: string[][] } | string

const htmlOf = (block: Block) => {
  if (typeof block === 'string') return `<p>${block}</p>`
  if (Array.isArray(block)) return `<h${block[0]}>${block[1]}</h${block[0]}>`
  const rows = block.rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  return `<table>${rows.join('')}</table>`
}

function read(kind: SectionKind, ...blocks: Block[]): (Section & { body: string })[] {
  const markdown = markdownOfHtml(`<html><body>${blocks.map(htmlOf).join('')}</body></html>`)
  return sectionsOf(markdown, kind).map((each) => ({ ...each, body: markdown.text.slice(each.start, each.end) }))
}

const idsOf = (sections: readonly Section[]) => sections.map(({ id }) => id)
const titlesOf = (sections: readonly Section[]) => sections.map(({ id, title }) => [id, title])
const one = (sections: ReturnType<typeof read>, id: string) => sections.find((each) => each.id === id)!
const cover = (...begin: Block[]): Block[] => [
  ...begin,
  [1, 'Specimen Pumps, Inc.'],
  LEGEND,
  'The date of this prospectus is March 28, 2025.',
]

test('a supplement has its own sections, and those of its base prospectus, although longer, have ids that end in -2', () => {
  const found = read(
    'prospectus',
    ...cover([2, 'PROSPECTUS SUPPLEMENT'], '(To Prospectus dated April 12, 2024)'),
    [2, 'TABLE OF CONTENTS'],
    [2, 'Prospectus'],
    {
      rows: [
        ['Use of Proceeds', '3'],
        ['Experts', '9'],
      ],
    },
    [2, 'PROSPECTUS SUPPLEMENT SUMMARY'],
    text('In brief'),
    [2, 'USE OF PROCEEDS'],
    text('Proceeds of this offering'),
    [2, 'LEGAL MATTERS'],
    text('Counsel of this offering'),
    ...cover([2, 'PROSPECTUS']),
    [2, 'TABLE OF CONTENTS'],
    {
      rows: [
        ['Use of Proceeds', '3'],
        ['Experts', '9'],
      ],
    },
    [2, 'USE OF PROCEEDS'],
    text('Proceeds of any offering'),
    text('More about proceeds of any offering'),
    [2, 'EXPERTS'],
    text('Auditors'),
  )
  assert.deepEqual(idsOf(found), ['summary', 'use-of-proceeds', 'legal-matters', 'use-of-proceeds-2', 'experts-2'])
  assert.match(one(found, 'use-of-proceeds').body, /Proceeds of this offering/)
  assert.match(one(found, 'use-of-proceeds-2').body, /Proceeds of any offering/)
  // The cover of the base prospectus is in no section of the supplement.
  assert.doesNotMatch(one(found, 'legal-matters').body, /disapproved/)
})

test('a base prospectus without the word on its cover begins at the line that names the rule of its filing', () => {
  const found = read(
    'prospectus',
    ...cover([2, 'Filed pursuant to Rule 424(b)(5)']),
    [2, 'EXPERTS'],
    text('Auditors of this offering'),
    [2, 'Filed pursuant to Rule 424(b)(1)'],
    [1, 'Specimen Pumps, Inc.'],
    LEGEND,
    [2, 'This prospectus is dated August 10, 2023'],
    [2, 'EXPERTS'],
    text('Auditors of any offering'),
  )
  assert.deepEqual(idsOf(found), ['experts', 'experts-2'])
})

test('the word “Prospectus” on a back cover, or far from a legend or a date, begins no second prospectus', () => {
  const pages = (count: number) => Array.from({ length: count }, (_, n) => text(`Page ${n}`))
  const afterCover = (...blocks: Block[]) =>
    read(
      'prospectus',
      ...cover([2, 'PROSPECTUS']),
      [2, 'EXPERTS'],
      text('Auditors'),
      ...blocks,
      [2, 'LEGAL MATTERS'],
      text('Counsel'),
      [2, 'PROSPECTUS'],
    )
  const date = 'The date of this prospectus is March 28, 2025.'
  for (const [name, blocks] of [
    ['far before the legend', [[2, 'PROSPECTUS'], ...pages(60), LEGEND, date]],
    ['far before the date', [[2, 'PROSPECTUS'], LEGEND, ...pages(40), date]],
    ['without a legend', [[2, 'PROSPECTUS'], date]],
    ['a legend without the word', [LEGEND, date]],
  ] satisfies [string, Block[]][])
    assert.deepEqual(idsOf(afterCover(...blocks)), ['experts', 'legal-matters'], name)
  assert.deepEqual(idsOf(afterCover([2, 'PROSPECTUS'], LEGEND, date)), ['experts', 'legal-matters-2'])
})

test('“Dividends” is part of a description of stock above it, and a dividend policy only as a chapter of its own', () => {
  const found = read(
    'prospectus',
    [2, 'Dividends'],
    text('We never paid any'),
    [2, 'DESCRIPTION OF CAPITAL STOCK'],
    text('Stock'),
    [3, 'Dividends'],
    text('Holders share equally'),
    [3, 'Voting'],
    text('One vote for each share'),
    [2, 'EXPERTS'],
    text('Auditors'),
  )
  assert.deepEqual(idsOf(found), ['dividend-policy', 'capital-stock', 'experts'])
  assert.match(one(found, 'dividend-policy').body, /never paid/)
  assert.match(one(found, 'capital-stock').body, /One vote/)
})

test('“Our Business” within the summary and “Use of proceeds” within the offering do not end these chapters', () => {
  const found = read(
    'prospectus',
    [2, 'PROSPECTUS SUMMARY'],
    [3, 'Our Business'],
    text('Pumps'),
    [3, 'Corporate Information'],
    text('Our office'),
    [2, 'THE OFFERING'],
    text('Shares'),
    [3, 'Use of proceeds'],
    text('Working capital'),
    [3, 'Listing'],
    text('A stock exchange'),
    [2, 'USE OF PROCEEDS'],
    text('Working capital'),
    text('And plants'),
  )
  assert.deepEqual(idsOf(found), ['summary', 'business', 'offering', 'use-of-proceeds'])
  assert.match(one(found, 'summary').body, /Our office/)
  assert.match(one(found, 'offering').body, /A stock exchange/)
  assert.match(one(found, 'use-of-proceeds').body, /And plants/)
})

test('groups of risks whose headings are set like “Risk Factors” belong to that chapter, and the next chapter does not', () => {
  const found = read(
    'prospectus',
    [2, 'RISK FACTORS'],
    text('All of these matter'),
    [2, 'Structure-related Risks'],
    text('You may lose your money'),
    [2, 'Risks Related to Taxes'],
    text('The law may change'),
    // This chapter is set lower than the groups, and so is the next.
    [3, 'Hypothetical Examples'],
    text('A pump is sold'),
    [3, 'Use of Proceeds'],
    text('Plants'),
  )
  assert.deepEqual(idsOf(found), ['risk-factors', 'use-of-proceeds'])
  assert.match(one(found, 'risk-factors').body, /The law may change/)
  assert.doesNotMatch(one(found, 'risk-factors').body, /A pump is sold/)
  const parts = read(
    'prospectus',
    [2, 'RISK FACTORS'],
    [2, 'Risks Related to Pumps'],
    [3, 'Pumps may break'],
    text('They do'),
    [2, 'General Risk Factors'],
    [3, 'Towns may not pay'],
    text('They do'),
    [2, 'A HISTORY OF PUMPS'],
    text('Long'),
  )
  assert.match(parts[0]!.body, /Towns may not pay/)
  assert.doesNotMatch(parts[0]!.body, /HISTORY/)
  const single = read(
    'prospectus',
    [2, 'RISK FACTORS'],
    [2, 'Risks Related to Pumps'],
    [3, 'Pumps may break'],
    text('They do'),
    [3, 'Towns may not pay'],
    text('They do'),
    [2, 'A HISTORY OF PUMPS'],
    text('Long'),
  )
  assert.match(single[0]!.body, /Towns may not pay\n\nThey do/)
  assert.doesNotMatch(single[0]!.body, /HISTORY/)
})

test('a title broken over two headings is one title, even if only both together make a known title', () => {
  const found = read(
    'prospectus',
    [2, 'MANAGEMENT’S DISCUSSION AND ANALYSIS'],
    [2, 'OF FINANCIAL CONDITION AND RESULTS OF OPERATIONS'],
    text('Results'),
    [2, 'DESCRIPTION'],
    [2, 'OF CAPITAL STOCK'],
    text('Stock'),
    [2, 'EXPERTS'],
    text('Auditors'),
    // Text between both lines: the second one is another heading.
    [2, 'OF OTHER MATTERS'],
    text('Others'),
  )
  assert.deepEqual(titlesOf(found), [
    ['mda', 'MANAGEMENT’S DISCUSSION AND ANALYSIS OF FINANCIAL CONDITION AND RESULTS OF OPERATIONS'],
    ['capital-stock', 'DESCRIPTION OF CAPITAL STOCK'],
    ['experts', 'EXPERTS'],
  ])
  assert.doesNotMatch(one(found, 'experts').body, /Others/)
})

test('a title may be broken over three headings, but a list of headings is not one title', () => {
  const broken = (...lines: string[]) =>
    titlesOf(read('prospectus', ...lines.map((line): Block => [2, line]), text('Results')))
  const title = ['MANAGEMENT’S DISCUSSION', 'AND ANALYSIS OF FINANCIAL CONDITION', 'AND RESULTS OF OPERATIONS']
  assert.deepEqual(broken(...title), [['mda', title.join(' ')]])
  assert.deepEqual(broken(...title, ...Array.from({ length: 9 }, (_, n) => `AND RESULTS OF PUMPS OF PLANT ${n}`)), [])
})

test('a chapter of stock, taxes or further information goes on after the title of one of its parts', () => {
  for (const [id, title, part] of [
    ['capital-stock', 'DESCRIPTION OF SECURITIES', 'Description of Debt Securities'],
    ['capital-stock', 'DESCRIPTION OF SECURITIES', 'Description of Warrants'],
    ['tax', 'TAXATION', 'U.S. Federal Income Tax Considerations'],
    ['more-information', 'WHERE YOU CAN FIND MORE INFORMATION', 'Incorporation by Reference'],
  ] as const) {
    const found = read('prospectus', [2, title], text('First'), [3, part], text('Part'), [3, 'Others'], text('Last'))
    assert.match(one(found, id).body, /First[\s\S]*Last/, part)
  }
})

test('a summary of the offering with a short text is in doubt, since a heading within it may have ended it', () => {
  const doubtOf = (...texts: string[]) => read('prospectus', [2, 'THE OFFERING'], ...texts)[0]!.doubt
  assert.notEqual(doubtOf(text('Shares')), null)
  assert.equal(doubtOf(text('Shares'), text('Proceeds'), text('Listing')), null)
})

test('chapters of prospectuses of notes, blank check companies and resales have the ids of their kind', () => {
  const titles = [
    ['summary', 'SUMMARY INFORMATION'],
    ['business', 'PROPOSED BUSINESS'],
    ['capital-stock', 'DESCRIPTION OF OUR SECURITIES TO BE REGISTERED'],
    ['debt-securities', 'DESCRIPTION OF DEBT SECURITIES AND GUARANTEES'],
    ['warrants', 'DESCRIPTION OF WARRANTS'],
    ['eligible-shares', 'SHARES ELIGIBLE FOR FUTURE SALE'],
    ['selling-holders', 'SELLING SECURITY HOLDERS'],
    ['tax', 'U.S. FEDERAL INCOME TAX SUMMARY'],
    ['underwriting', 'UNDERWRITING (CONFLICTS OF INTEREST)'],
    ['plan-of-distribution', 'SUPPLEMENT TO THE PLAN OF DISTRIBUTION; CONFLICTS OF INTEREST'],
    ['legal-matters', 'VALIDITY OF THE NOTES'],
    ['more-information', 'WHERE YOU CAN FIND MORE INFORMATION; INCORPORATION BY REFERENCE'],
    ['incorporation', 'INCORPORATION OF CERTAIN INFORMATION BY REFERENCE'],
  ] as const
  const found = read('prospectus', ...titles.flatMap(([id, title]): Block[] => [[2, title], text(id)]))
  assert.deepEqual(
    idsOf(found),
    titles.map(([id]) => id),
  )
})

test('a proposal whose number is in parentheses below its heading begins at that heading', () => {
  const found = read(
    'proxy',
    [2, 'ELECTION OF DIRECTORS'],
    '(Proposal No. 1)',
    text('Five nominees'),
    [2, 'REVERSE STOCK SPLIT'],
    '(Proposal No. 2)',
    text('One share for four'),
    [2, 'OTHER MATTERS'],
    text('None'),
    // Text is between the heading and the number, so it is a reference.
    '(Proposal No. 3)',
    text('Nothing'),
  )
  assert.deepEqual(titlesOf(found), [
    ['proposal-1', 'ELECTION OF DIRECTORS'],
    ['election', 'ELECTION OF DIRECTORS'],
    ['proposal-2', 'REVERSE STOCK SPLIT'],
    ['other-matters', 'OTHER MATTERS'],
  ])
  assert.equal(one(found, 'proposal-1').body, one(found, 'election').body)
  assert.match(one(found, 'proposal-2').body, /One share for four/)
})

test('a line with the number of a proposal below a heading that has a number does not begin a proposal', () => {
  for (const line of ['(Proposal No. 1)', '(Proposal No. 2)'])
    assert.deepEqual(titlesOf(read('proxy', [2, 'PROPOSAL 1'], line, text('Five nominees'))), [
      ['proposal-1', 'PROPOSAL 1'],
    ])
})

test('rows that only list the items that a report omits are no sections, but a row with text is a section', () => {
  const found = read(
    'tenk',
    'The following items have been omitted:',
    {
      rows: [
        ['Item 1.', 'Business.'],
        ['Item 1A.', 'Risk Factors.'],
        ['Item 2.', 'Properties.'],
      ],
    },
    [2, 'Item 1B. Unresolved Staff Comments'],
    'None.',
    {
      rows: [
        ['Item 3.', 'Legal Proceedings.'],
        ['Item 4.', 'Mine Safety Disclosures. None.'],
        ['Item 5.', 'Market for the Registrant’s Common Equity.'],
      ],
    },
    [2, 'Item 9B. Other Information'],
    text('A plan'),
  )
  assert.deepEqual(idsOf(found), ['1B', '4', '9B'])
})
