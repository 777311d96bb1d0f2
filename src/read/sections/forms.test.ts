/** Sections of foreign issuers' reports, registrations, tender offers and proxy statements. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownOfHtml } from '../html.ts'
import { markdownOfText } from '../plain.ts'
import { type Section, type SectionKind, sectionKindOf, sectionsOf } from '../sections.ts'

const SENTENCE = `In brief: ${'the company made pumps in two plants, and sold them to mills and to towns. '.repeat(8).trim()}`
const WORDS = SENTENCE.length

/** A heading by its level, or text. */
type Block = [level: number, heading: string] | string

function read(kind: SectionKind, ...blocks: Block[]): (Section & { body: string })[] {
  const html = blocks.map((each) =>
    typeof each === 'string' ? `<p>${each}</p>` : `<h${each[0]}>${each[1]}</h${each[0]}>`,
  )
  const markdown = markdownOfHtml(`<html><body>${html.join('')}</body></html>`)
  return sectionsOf(markdown, kind).map((each) => ({ ...each, body: markdown.text.slice(each.start, each.end) }))
}
const idsOf = (sections: readonly Section[]) => sections.map(({ id }) => id)
const one = (sections: ReturnType<typeof read>, id: string) => sections.find((each) => each.id === id)!

test('a form is read with its own items or headings, and forms without a structure have no sections', () => {
  const kinds: [SectionKind | null, string][] = [
    ...['20-F', '20-F/A', '20FR12B', '20FR12G/A'].map((form): [SectionKind, string] => ['twentyf', form]),
    ...['40-F', '40FR12B'].map((form): [SectionKind, string] => ['fortyf', form]),
    ...['10-12B', '10-12G/A', '10SB12G'].map((form): [SectionKind, string] => ['class', form]),
    ...['DEF 14A', 'PRE 14A', 'DEFM14A', 'PREM14C', 'DEFR14A', 'DEFC14A', 'DEF 14C'].map(
      (form): [SectionKind, string] => ['proxy', form],
    ),
    ...['S-4', 'S-4/A', 'F-4 POS'].map((form): [SectionKind, string] => ['merger', form]),
    ...['S-3', 'S-3ASR', 'F-3/A', 'S-1'].map((form): [SectionKind, string] => ['prospectus', form]),
    ...['SC TO-T', 'SC TO-I/A'].map((form): [SectionKind, string] => ['tender', form]),
    ...['SC 13E3', 'SC 13E3/A'].map((form): [SectionKind, string] => ['goingprivate', form]),
    ['sixk', '6-K'],
    ['recommendation', 'SC 14D9/A'],
    ...['DEFA14A', '40-17G', '40-APP', 'N-14', '425', '20-FOO'].map((form): [null, string] => [null, form]),
  ]
  for (const [kind, form] of kinds) assert.equal(sectionKindOf(form), kind, form)
})

test('items of a 20-F have the letters of their parts, and items 16A to 16K are items of their own', () => {
  const found = read(
    'twentyf',
    [2, 'Item 3. Key Information'],
    [3, 'A. [Reserved]'],
    [3, 'B. Capitalization and Indebtedness'],
    SENTENCE,
    [3, 'C. Reasons for the Offer and Use of Proceeds'],
    SENTENCE,
    [3, 'D. Risk Factors'],
    SENTENCE,
    [4, 'A. Risks of pumps'],
    SENTENCE,
    [4, 'E. Risks of towns'],
    SENTENCE,
    [2, 'Item 4. Information on the Company'],
    [3, '4.A History and Development of the Company'],
    SENTENCE,
    [3, 'Item 4.B – Business Overview'],
    SENTENCE,
    [2, 'Item 4A. Unresolved Staff Comments'],
    'None.',
    [2, 'Item 16G. Corporate Governance'],
    SENTENCE,
    [2, 'Item 16K. Cybersecurity'],
    SENTENCE,
  )
  assert.deepEqual(idsOf(found), ['3', '3.A', '3.B', '3.C', '3.D', '4', '4.A', '4.B', '4A', '16G', '16K'])
  assert.equal(one(found, '3.D').body.split('In brief').length - 1, 3)
  assert.equal(one(found, '4.B').confidence, 1)
  assert.doesNotMatch(one(found, '4.B').body, /Unresolved/)
})

test('"Item 4A" is part 4.A if it has the title of that part, and item 4A if it has the title of that item', () => {
  const found = read(
    'twentyf',
    [2, 'Item 4. Information on the Company'],
    [2, 'Item 4A. History and Development of the Company'],
    SENTENCE,
    [2, 'Item 4B. Business Overview'],
    SENTENCE,
    [2, 'Item 4A. Unresolved Staff Comments'],
    'None.',
    [2, 'Item 5. Operating and Financial Review and Prospects'],
    SENTENCE,
  )
  assert.deepEqual(idsOf(found), ['4', '4.A', '4.B', '4A', '5'])
  assert.equal(one(found, '4').body.split('In brief').length - 1, 2)
})

test('parts of a 20-F in plain text are found whatever signs stand between number, letter and title', () => {
  const headings = [
    'Item 3. Key Information',
    'A. Selected Financial Data',
    'D. Risk Factors',
    'Item 4. Information on the Company',
    'B. Business Overview',
  ]
  const wrapped = SENTENCE.replace(/(.{58}\S*) /g, '$1\n')
  const ids = (change: (heading: string) => string) =>
    idsOf(
      sectionsOf(
        markdownOfText(headings.map((each) => `${change(each).toUpperCase()}\n\n${wrapped}\n\n`).join('')),
        'twentyf',
      ),
    )
  const numbered = (each: string, before: string) =>
    /^[A-D]\./.test(each) ? `${before}${each[0] === 'B' ? 4 : 3}${each}` : each
  for (const change of [
    (each: string) => each,
    (each: string) => each.replace('. ', ': '),
    (each: string) => each.replace('. ', ' - '),
    (each: string) => each.replace(/^([A-D])\./, '($1)'),
    (each: string) => each.replace(/^(Item \d\.) /, '$1\n\n'),
    (each: string) => numbered(each, ''),
    (each: string) => numbered(each, 'Item '),
  ])
    assert.deepEqual(ids(change), ['3', '3.A', '3.D', '4', '4.B'], change('A. Title'))
})

test('if the letter of a part is missing or its title is different, the part is absent and ends the part before it', () => {
  const found = read(
    'twentyf',
    [2, 'Item 6. Directors, Senior Management and Employees'],
    [3, 'A. Directors and Senior Management'],
    SENTENCE,
    [3, 'Compensation'],
    SENTENCE,
    [3, 'C. Board Practices'],
    SENTENCE,
    [3, 'D. Something about pumps'],
    SENTENCE,
    [2, 'Item 7. Major Shareholders and Related Party Transactions'],
    [3, 'A. Major Shareholders'],
    SENTENCE,
    [3, 'C. Interests of Experts and Counsel'],
    SENTENCE,
    [2, 'Item 8. Financial Information'],
    SENTENCE,
  )
  assert.deepEqual(idsOf(found), ['6', '6.A', '6.B', '6.C', '7', '7.A', '7.C', '8'])
  // A title without its letter is less certain.
  assert.equal(one(found, '6.B').confidence, 0.75)
  assert.doesNotMatch(one(found, '6.C').body, /Something about/)
  assert.equal(one(found, '7.A').confidence, 0.9)
  assert.equal(one(found, '7.A').doubt, 'part 7.B was not found after it: that text may stand in it')
})

test('if two parts are missing, both are named, and the last part has the same doubt as its item', () => {
  const found = read(
    'twentyf',
    [2, 'Item 5. Operating and Financial Review and Prospects'],
    [3, 'A. Operating Results'],
    SENTENCE,
    [3, 'D. Trend Information'],
    SENTENCE,
    [2, 'Item 9. The Offer and Listing'],
    SENTENCE,
  )
  assert.equal(one(found, '5.A').doubt, 'parts 5.B, 5.C were not found after it: that text may stand in it')
  assert.equal(one(found, '5.D').doubt, one(found, '5').doubt)
  assert.match(one(found, '5').doubt!, /^items 6, 7, 8 were not found after it/)
  assert.ok(one(found, '5.D').confidence <= one(found, '5').confidence)
})

test('a 20-F of the numbering before 2000 has the items of that numbering', () => {
  const found = read(
    'twentyf',
    [2, 'Item 1. Description of Business'],
    SENTENCE,
    [2, 'Item 4. Control of Registrant'],
    SENTENCE,
    [2, 'Item 5. Nature of Trading Market'],
    SENTENCE,
    [2, 'Item 9A. Quantitative and Qualitative Disclosures about Market Risk'],
    SENTENCE,
  )
  assert.deepEqual(idsOf(found), ['1', '4', '5', '9A'])
  assert.equal(one(found, '5').confidence, 0.7)
  assert.match(one(found, '1').doubt!, /^items 2, 3 were/)
})

test('a Form 10, a tender offer, a recommendation and a going-private statement have their own items', () => {
  const headings: [SectionKind, string[], string[]][] = [
    [
      'class',
      ['Item 1A. Risk Factors', 'Item 2. Financial Information', 'Item 10. Recent Sales of Unregistered Securities'],
      ['1A', '2', '10'],
    ],
    [
      'tender',
      ['Items 1 through 9 and Item 11.', 'Item 12. Exhibits.'],
      ['1', '2', '3', '4', '5', '6', '7', '8', '9', '11', '12'],
    ],
    ['recommendation', ['Item 4. The Solicitation or Recommendation.', 'Item 8. Additional Information.'], ['4', '8']],
    [
      'goingprivate',
      ['Item 8. Fairness of the Transaction', 'Item 9. Reports, Opinions, Appraisals and Negotiations'],
      ['8', '9'],
    ],
  ]
  for (const [kind, titles, ids] of headings) {
    const found = read(kind, ...titles.flatMap((title): Block[] => [[2, title], SENTENCE]))
    assert.deepEqual(idsOf(found), ids, kind)
  }
})

test('a 40-F has the headings that its form prescribes, and a 6-K only headings of one meaning', () => {
  const canadian = read(
    'fortyf',
    [2, 'Principal Documents'],
    SENTENCE,
    [2, 'Disclosure Controls and Procedures'],
    SENTENCE,
    [2, 'Our pumps'],
    SENTENCE,
    [2, 'Mine Safety Disclosure'],
    SENTENCE,
    [2, 'SIGNATURES'],
    SENTENCE,
  )
  assert.deepEqual(idsOf(canadian), ['annual-information-form', 'controls', 'mine-safety'])
  // A heading that the reader does not know ends the section above, and so do the signatures.
  for (const { id, body } of canadian) assert.equal(body.split('In brief').length - 1, 1, id)
  const furnished = read(
    'sixk',
    [2, 'News of Pumps'],
    SENTENCE,
    [2, 'EXHIBIT INDEX'],
    SENTENCE,
    [2, 'Other pumps'],
    SENTENCE,
  )
  assert.deepEqual(idsOf(furnished), ['exhibits'])
  assert.deepEqual(idsOf(read('sixk', 'A report without headings.', SENTENCE)), [])
})

test('proposals are numbered in any spelling, and share the text of a title below their number', () => {
  const found = read(
    'proxy',
    [2, 'PROPOSAL ONE'],
    [2, 'ELECTION OF DIRECTORS'],
    SENTENCE,
    [2, 'Proposal No. 2 – Ratification of the Appointment of'],
    [2, 'Our Auditors'],
    SENTENCE,
    [2, 'Item III. Approval of the Plan of Pumps'],
    SENTENCE,
    [2, 'Proposals of pumps'],
    SENTENCE,
  )
  assert.deepEqual(idsOf(found), ['proposal-1', 'election', 'proposal-2', 'proposal-3'])
  assert.equal(one(found, 'proposal-1').end, one(found, 'election').end)
  assert.match(one(found, 'proposal-2').body, /Our Auditors\n\nIn brief/)
  assert.doesNotMatch(one(found, 'proposal-3').body, /Proposals of/)
})

test('lines of a proxy card do not count as proposals, and annexes belong to no section', () => {
  const found = read(
    'proxy',
    [2, 'Proposal 1: The Merger of Pumps'],
    SENTENCE,
    [3, 'Annex A'],
    SENTENCE,
    [2, 'Item 2. In their discretion, to vote upon other matters'],
    SENTENCE,
  )
  assert.deepEqual(idsOf(found), ['proposal-1'])
  assert.doesNotMatch(one(found, 'proposal-1').body, /Annex/)
})

test('in a proxy statement, a part of a chapter with a lower heading does not end the chapter, but another section does', () => {
  const found = read(
    'proxy',
    [1, 'Executive Compensation'],
    SENTENCE.repeat(2),
    [2, 'Summary Compensation Table'],
    SENTENCE.repeat(2),
    [2, 'Pay Ratio'],
    SENTENCE,
    [2, 'Householding'],
    SENTENCE,
  )
  assert.deepEqual(idsOf(found), ['compensation', 'summary-compensation', 'pay-ratio', 'householding'])
  assert.equal(one(found, 'compensation').end, one(found, 'pay-ratio').end)
  assert.doesNotMatch(one(found, 'compensation').body, /Householding/)
})

test('all kinds of audit fees are one section, and headings of other fees elsewhere begin no section', () => {
  const found = read(
    'proxy',
    [2, 'Audit Fees'],
    SENTENCE,
    [2, 'Tax Fees'],
    SENTENCE,
    [2, 'Policies on pumps'],
    SENTENCE,
    [2, 'Other Matters'],
    SENTENCE,
    [2, 'Tax Fees'],
    SENTENCE,
  )
  assert.deepEqual(idsOf(found), ['audit-fees', 'other-matters'])
  assert.equal(one(found, 'audit-fees').body.split('In brief').length - 1, 2)
  assert.doesNotMatch(one(found, 'other-matters').body, /Tax Fees/)
})

test('the headings of a merger are sections of its proxy statement and of its registration statement', () => {
  const blocks: Block[] = [
    [2, 'The Merger'],
    SENTENCE,
    [3, 'Background of the Merger'],
    SENTENCE.repeat(4),
    [3, 'Opinion of Sample Advisors'],
    SENTENCE,
    [2, 'Appraisal Rights'],
    SENTENCE,
  ]
  const ids = ['the-merger', 'background', 'fairness-opinion', 'appraisal-rights']
  assert.deepEqual(idsOf(read('proxy', ...blocks)), ids)
  assert.deepEqual(idsOf(read('merger', ...blocks, [2, 'Use of Proceeds'], SENTENCE)), [...ids, 'use-of-proceeds'])
})

test('a section loses confidence if it is much longer or shorter than real ones', () => {
  const long = Math.ceil(6_500 / WORDS)
  const found = read(
    'proxy',
    [2, 'Compensation Discussion and Analysis'],
    SENTENCE,
    [2, 'Section 16(a) Reports'],
    ...Array.from({ length: long }, () => SENTENCE),
  )
  assert.deepEqual(
    found.map(({ confidence, doubt }) => [confidence, doubt]),
    [
      [0.7, 'shorter than usual: a heading in its text may have ended it'],
      [0.7, 'more than 3 times as long as usual: text of another section may stand in it'],
    ],
  )
  const annual = read(
    'tenk',
    [2, 'Item 1B. Unresolved Staff Comments'],
    ...Array.from({ length: Math.ceil(9_100 / WORDS) }, () => SENTENCE),
    [2, 'Item 2. Properties'],
    SENTENCE,
  )
  assert.equal(one(annual, '1B').confidence, 0.7)
  assert.match(one(annual, '1B').doubt!, /^more than 3 times/)
})

test('a section loses confidence if it contains, as a heading, the title of an item that was not found', () => {
  const found = read(
    'tenk',
    [2, 'Item 7. Management’s Discussion and Analysis'],
    SENTENCE,
    [3, 'Legal Proceedings'],
    SENTENCE,
    [2, 'Item 8. Financial Statements and Supplementary Data'],
    SENTENCE,
  )
  assert.equal(one(found, '7').confidence, 0.7)
  assert.equal(one(found, '7').doubt, 'the heading "Legal Proceedings" stands in it, out of the order of the form')
})

test('an item begins at its first heading and not where a later page continues it', () => {
  const found = read(
    'tenk',
    [2, 'Item 2. Properties'],
    SENTENCE,
    [2, 'Item 3. Legal Proceedings'],
    'A word.',
    [2, 'Item 3. Legal Proceedings (Continued)'],
    SENTENCE,
  )
  assert.match(one(found, '3').body, /A word/)
  assert.doesNotMatch(one(found, '2').body, /A word/)
})

test('a heading with an item number that a current report does not have ends the item above and begins no item', () => {
  const found = read('eightk', [2, 'Item 8.01 Other Events'], SENTENCE, [2, 'Item 8.07 News of Pumps'], SENTENCE)
  assert.deepEqual(idsOf(found), ['8.01'])
  assert.doesNotMatch(found[0]!.body, /News of Pumps/)
  // A reference in the text ends nothing.
  const referring = read('eightk', [2, 'Item 8.01 Other Events'], SENTENCE, 'Item 8.07 News of pumps is no item.')
  assert.match(referring[0]!.body, /is no item/)
})

test('a section whose title is only bold ends at the next bold line', () => {
  const html = (line: string) => `<p>${SENTENCE}</p><p><b>${line}</b></p><p>${SENTENCE}</p>`
  const markdown = markdownOfHtml(`<html><body>${html('USE OF PROCEEDS')}${html('A WORD ON PUMPS')}</body></html>`)
  const [section] = sectionsOf(markdown, 'prospectus')
  assert.equal(section!.id, 'use-of-proceeds')
  assert.doesNotMatch(markdown.text.slice(section!.start, section!.end), /A WORD ON/)
})

test('items 16G, 17 and 18 of a 20-F without the word "Item" need their number, since other headings have the same titles', () => {
  const found = read(
    'twentyf',
    [2, '16F. Change in Registrant’s Certifying Accountant'],
    SENTENCE,
    [2, '16G. Corporate Governance'],
    SENTENCE,
    [2, '17. Financial Statements'],
    'This report answers item 18 in place of this item.',
    [2, '18. Consolidated Financial Statements.'],
    SENTENCE,
    [3, '17. Financial statements of two plants'],
    SENTENCE,
    [2, '19. Exhibits'],
    SENTENCE,
  )
  assert.deepEqual(idsOf(found), ['16F', '16G', '17', '18', '19'])
  assert.equal(one(found, '18').body.split('In brief').length - 1, 2)
  const other = read(
    'twentyf',
    [2, 'Item 8. Financial Information'],
    [3, 'Financial Statements'],
    SENTENCE,
    [3, '18. Financial instruments'],
    SENTENCE,
    [2, 'Item 16F. Change in Registrant’s Certifying Accountant'],
    [3, 'Corporate Governance'],
    SENTENCE,
    [2, 'Item 19. Exhibits'],
    SENTENCE,
  )
  assert.deepEqual(idsOf(other), ['8', '16F', '19'])
})

test('items of a 20-F that share a heading share its text', () => {
  for (const [heading, ids] of [
    ['Items 16A to 16G', ['16A', '16B', '16C', '16D', '16E', '16F', '16G']],
    ['Items 16A – 16C. Not applicable', ['16A', '16B', '16C']],
    ['Items 13 through 14', ['13', '14']],
    ['Item 17 and 18. Financial Statements', ['17', '18']],
  ] as const)
    assert.deepEqual(idsOf(read('twentyf', [2, heading], SENTENCE)), ids, heading)
})
