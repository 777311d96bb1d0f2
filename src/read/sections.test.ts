import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Markdown } from './made-markdown.ts'
import { type SectionKind, sectionKindOf, sectionsOf } from './sections.ts'

/** Joins the blocks to Markdown, and lists the headings among its lines. */
function markdown(...blocks: string[]): Markdown {
  const text = `${blocks.join('\n\n')}\n`
  const headings = [...text.matchAll(/^(#{1,6}) (.*)$/gm)].map((found) => ({
    level: found[1]!.length as 1,
    text: found[2]!,
    start: found.index,
  }))
  return { text, headings, tables: 0, images: 0, problems: [] }
}

const LONG = 'This text says something about the item. '.repeat(10).trim()

const idsOf = (made: Markdown, kind: SectionKind) => sectionsOf(made, kind).map(({ id }) => id)
const bodyOf = (made: Markdown, kind: SectionKind, id: string) => {
  const { start, end } = sectionsOf(made, kind).find((section) => section.id === id)!
  return made.text.slice(start, end)
}

test('items begin at their headings and not at their entries in a table of contents', () => {
  const made = markdown(
    '| Item 1. | Business | 3 |\n| --- | --- | --- |\n| Item 1A. | Risk Factors | 9 |\n| Item 7. | Management’s Discussion | 20 |',
    '## Item 1. Business',
    LONG,
    '## Item 1A. Risk Factors',
    LONG,
    '# PART II',
    '## Item 7. Management’s Discussion and Analysis',
    LONG,
    '## SIGNATURES',
    'Signed.',
  )
  assert.deepEqual(idsOf(made, 'tenk'), ['1', '1A', '7'])
  assert.match(bodyOf(made, 'tenk', '1'), /^## Item 1\. Business/)
  assert.doesNotMatch(bodyOf(made, 'tenk', '1A'), /PART II/)
  assert.doesNotMatch(bodyOf(made, 'tenk', '7'), /SIGNATURES/)
})

test('neither a reference to an item nor an item of another form begins a section', () => {
  const made = markdown(
    '## Item 7. Management’s Discussion and Analysis',
    'Item 8 of this Form 10-K has the statements.',
    LONG,
    '## Item 1119 of Regulation AB. Affiliations',
    LONG,
    '## Item 8. Financial Statements',
    LONG,
  )
  assert.deepEqual(idsOf(made, 'tenk'), ['7', '8'])
  assert.doesNotMatch(bodyOf(made, 'tenk', '7'), /1119/)
  assert.match(bodyOf(made, 'tenk', '8'), /^## Item 8\. Financial/)
})

test('distinguishes items of a quarterly report by their part', () => {
  const made = markdown(
    '# PART I. FINANCIAL INFORMATION',
    '## Item 1. Financial Statements',
    LONG,
    '## Item 2. Management’s Discussion',
    LONG,
    '# PART II. OTHER INFORMATION',
    '## Item 1. Legal Proceedings',
    LONG,
    '## Item 6. Exhibits',
    LONG,
  )
  assert.deepEqual(idsOf(made, 'tenq'), ['I-1', 'I-2', 'II-1', 'II-6'])
})

test('finds items of a current report by the numbers in use before and since 2004-08-23', () => {
  const now = markdown(
    '**Item 5.02 Departure of Directors.**',
    LONG,
    '**Item 9.01 Exhibits.**',
    LONG,
    'SIGNATURES',
    'Signed.',
  )
  assert.deepEqual(idsOf(now, 'eightk'), ['5.02', '9.01'])
  assert.doesNotMatch(bodyOf(now, 'eightk', '9.01'), /Signed/)
  assert.deepEqual(idsOf(markdown('## Item 5. Other Events', LONG, '## Item 7. Exhibits', LONG), 'eightk'), ['5', '7'])
})

test('finds items of a current report only after its cover and table of contents, and before its signatures', () => {
  const made = markdown(
    '## ITEM 8.01 OTHER EVENTS',
    'FORM 8-K',
    '(Former name or former address, if changed since last report)',
    'Item 8.01 Other Events 2',
    'Item 9.01 Financial Statements and Exhibits 3',
    'SIGNATURES 4',
    '## Item 8.01 Other Events',
    LONG,
    '## Item 9.01 Financial Statements and Exhibits',
    'A press release.',
    '## SIGNATURES',
    '## Item 4.02 Non-Reliance on Previously Issued Financial Statements',
    LONG,
  )
  assert.deepEqual(idsOf(made, 'eightk'), ['8.01', '9.01'])
  assert.match(bodyOf(made, 'eightk', '8.01'), /^## Item 8\.01 Other Events\n\nThis text/)
  const unheaded = markdown(
    '## Item 5. Other Events',
    LONG,
    '## Item 8. Change in Fiscal Year',
    'Not applicable.',
    'Pursuant to the requirements of the Securities Exchange Act of 1934 it is signed.',
    'By: Ada Sample',
  )
  assert.deepEqual(idsOf(unheaded, 'eightk'), ['5'])
})

test('items of a current report share one text if they have one heading or if their headings follow each other directly', () => {
  const one = markdown('**Items 1.01(a) and 5.02(e) Amendment of an Agreement**', LONG, 'SIGNATURES')
  assert.deepEqual(idsOf(one, 'eightk'), ['1.01', '5.02'])
  assert.equal(bodyOf(one, 'eightk', '1.01'), bodyOf(one, 'eightk', '5.02'))
  const two = markdown(
    'Item 1.01 Entry into an Agreement;',
    'Item 2.03 Creation of an Obligation.',
    LONG,
    '## SIGNATURE',
  )
  assert.deepEqual(idsOf(two, 'eightk'), ['1.01', '2.03'])
  for (const id of ['1.01', '2.03']) assert.match(bodyOf(two, 'eightk', id), /This text/)
})

test('leaves out items of a current report that are not applicable, or that belong to another form or numbering', () => {
  const none = markdown(
    '**Items 1 through 4, 6 and 8 Not Applicable.**',
    '## Item 5. Other Events',
    LONG,
    '## Item 6. Resignations',
    'None.',
  )
  assert.deepEqual(idsOf(none, 'eightk'), ['5'])
  const quoted = markdown(
    '## Item 8.01 Other Events',
    LONG,
    '## Item 7. Management’s Discussion',
    LONG,
    '## Item 8.99 X',
    LONG,
  )
  assert.deepEqual(idsOf(quoted, 'eightk'), ['8.01'])
})

test('if a prospectus has two equal headings, the heading with text begins the section, and each fund series has its own sections', () => {
  const made = markdown('## RISK FACTORS', '## USE OF PROCEEDS', '## RISK FACTORS', LONG, '## USE OF PROCEEDS', LONG)
  assert.deepEqual(idsOf(made, 'prospectus'), ['risk-factors', 'use-of-proceeds'])
  assert.match(bodyOf(made, 'prospectus', 'risk-factors'), /This text/)
  const fund = markdown('# Fund A', '## Investment Objective', LONG, '# Fund B', '## Investment Objective', LONG)
  assert.deepEqual(idsOf(fund, 'fund'), ['objective', 'objective'])
})

test('does not return a missing section, and the confidence is the sum of its documented points', () => {
  assert.deepEqual(idsOf(markdown(LONG), 'tenk'), [])
  assert.deepEqual(idsOf(markdown(''), 'ncsr'), [])
  const [section] = sectionsOf(markdown('## Item 15. Exhibits', LONG), 'tenk')
  assert.equal(section!.confidence, 1)
  const [weak] = sectionsOf(markdown('Item 1. Overview of what there is', LONG, LONG), 'tenk')
  // The section gains 0.1 for its length and 0.35 for its order, and loses 0.3 because the items after it were not
  // found.
  assert.equal(weak?.confidence ?? 0.15, 0.15)
})

test('forms have the sections of their kind', () => {
  const kinds = ['10-K', '10-K405/A', '10-KSB', '10-Q', '8-K/A', 'S-1', '424B4', '485BPOS', '497K', 'N-CSRS', '4'].map(
    sectionKindOf,
  )
  assert.deepEqual(kinds, [
    'tenk',
    'tenk',
    'tenk',
    'tenq',
    'eightk',
    'prospectus',
    'prospectus',
    'fund',
    'fund',
    'ncsr',
    null,
  ])
})

test('reads a hundred thousand lines that begin with Item in bounded time', () => {
  const started = process.cpuUsage()
  const made = markdown(...Array.from({ length: 100_000 }, (_, n) => `## Item ${(n % 16) + 1}. Business`))
  for (const kind of ['tenk', 'tenq', 'eightk', 'ncsr'] as const) sectionsOf(made, kind)
  sectionsOf(markdown(...Array.from({ length: 50_000 }, () => '## Risk Factors')), 'prospectus')
  const { user, system } = process.cpuUsage(started)
  assert.ok((user + system) / 1e6 < 10, `${(user + system) / 1e6} s`)
})
