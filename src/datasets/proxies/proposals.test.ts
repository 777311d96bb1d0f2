/** Proposals as real statements name them; companies and proposals are made up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementOf } from './statement.ts'

const FILED = '2024-04-15'
const PROSE = 'The holders are told of it at length, and of what it would change for the company and for them. '.repeat(
  3,
)

const of = (...paragraphs: string[]) => statementOf(paragraphs.join('\n\n'), { filedDate: FILED })
const titles = (...paragraphs: string[]) => of(...paragraphs).proposals.map(({ title }) => title.value)
const votes = (...paragraphs: string[]) =>
  of(...paragraphs).proposals.map(({ recommendation }) => recommendation?.value ?? null)

const CONTENTS =
  '| Proposal 1: Election of Directors | 4 |\n| --- | --- |\n| Fees | 9 |\n| Proposal 2: Ratification of Auditors | 12 |'
const section = (name: string, ...paragraphs: string[]) => [`## ${name}`, PROSE, ...paragraphs].join('\n\n')

test('reads proposals that a statement names by number, and prefers the titles of the summary to those of the table of contents', () => {
  assert.deepEqual(
    titles(
      CONTENTS,
      '### Proposal 1: Election of two directors',
      '### Proposal 2: Ratification of Specimen LLP',
      section('PROPOSAL 1', 'x'),
      section('PROPOSAL 2', 'y'),
    ),
    ['Election of two directors', 'Ratification of Specimen LLP'],
  )
  assert.deepEqual(titles(CONTENTS), ['Election of Directors', 'Ratification of Auditors'])
})

test('points of a list that have no blank lines between them are one proposal each, also after "; and"', () => {
  const first = 'The meeting is for the following purposes:\n\n1. To elect directors;\n\n'
  assert.deepEqual(titles(`${first}2. To ratify Specimen LLP; and 3. To approve the plan.`), [
    'To elect directors',
    'To ratify Specimen LLP',
    'To approve the plan',
  ])
  assert.deepEqual(titles(`${first}2. To ratify Specimen LLP, 3. to approve the plan, and 4. to adjourn.`).length, 4)
  const { proposals } = of(`${first}2. To ratify Specimen LLP; and 3. To approve the plan.`)
  assert.ok(proposals.every(({ title }, at) => at === 0 || title.start >= proposals[at - 1]!.title.end))
  // A number that is not the next one is part of the title.
  const stated = `${first}2. To ratify Specimen LLP; and 5. of the notes.`
  assert.deepEqual(titles(stated)[1], 'To ratify Specimen LLP; and 5. of the notes')
})

test('the names of holders’ proposals replace a single point of the agenda that stands for several of them', () => {
  const points = ['The meeting is for the following purposes:', '1. To elect directors;', '2. To vote on two shareholder proposals.'] // biome-ignore format: a table
  assert.deepEqual(titles(...points), ['To elect directors', 'To vote on two shareholder proposals'])
  const names = ['Item 1. Election of directors', 'Item 2. Shareholder Proposal on Paper', 'Item 3. Shareholder Proposal on Ink'] // biome-ignore format: a table
  assert.deepEqual(titles(...points, ...names), [
    'Election of directors',
    'Shareholder Proposal on Paper',
    'Shareholder Proposal on Ink',
  ])
})

test('reads numbers of proposals as digits, words or Roman, before the name, in brackets after it, or alone above it', () => {
  const named = ['Election of directors', 'Approval of the 2024 plan']
  assert.deepEqual(titles('PROPOSAL ONE — Election of directors', 'PROPOSAL TWO — Approval of the 2024 plan'), named)
  assert.deepEqual(titles('Proposal I: Election of directors', 'Proposal II: Approval of the 2024 plan'), named)
  assert.deepEqual(
    titles('Election of directors (Item No. 1 on Proxy Card)', 'Approval of the 2024 plan (Item No. 2 on Proxy Card);'),
    named,
  )
  assert.deepEqual(
    titles('## Proposal No. 1', '## Election of directors', '## Proposal No. 2', '## Approval of the 2024 plan'),
    named,
  )
  assert.deepEqual(
    titles('Proxy Item No. 1: Election of directors', 'Proxy Item No. 2: Approval of the 2024 plan'),
    named,
  )
  const fourteen = Array.from(
    { length: 14 },
    (_, i) =>
      `Proposal ${['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve', 'Thirteen', 'Fourteen'][i]}: Report on matter ${i + 1}`,
  )
  assert.equal(titles(...fourteen).length, 14)
})

test('a sentence about a proposal, other business and the lines of a card are not read as proposals', () => {
  const names = ['Proposal 1: Election of directors', 'Proposal 2: Ratification of the auditors']
  const text = [
    'Proposal 3 requires the affirmative vote of a majority of the shares.',
    'Proposal 3: The affirmative vote of a majority of the votes cast is required.',
    'Item 3. In their discretion, upon other matters that properly come before the meeting.',
    'Shareholder Proposal 3: A report on paper',
    'Proposal 1: Election of directors [ ] FOR [ ] AGAINST [ ] ABSTAIN',
  ]
  assert.deepEqual(titles(...names, ...text), ['Election of directors', 'Ratification of the auditors'])
  assert.deepEqual(votes(...names, ...text), [null, null])
})

test('the items of an annual report that is sent along, or of Schedule 14A, are not read as proposals', () => {
  assert.deepEqual(titles('Item 1. Business', 'Item 2. Properties', 'Item 3. Legal Proceedings'), [])
  assert.deepEqual(titles('Item 1. Date, Time and Place Information', 'Item 2. Revocability of Proxy'), [])
  assert.deepEqual(
    titles('Proposal 1: Election of directors', 'Item 2. Approval of policies', 'Item 3. Executive Compensation'),
    ['Election of directors'],
  )
})

test('returns no list if two things share a number, as in the joint statement of two companies', () => {
  const { proposals } = of(
    'Proposal 1: Approval of the merger',
    'Proposal 2: Adjournment',
    'Proposal 1: Election of directors',
    'Proposal 2: Say on pay',
  )
  assert.deepEqual(proposals, [])
})

test('leaves out a list that has some proposals only as a range such as 3-5, and reports this in `left_out`', () => {
  const named = ['Item 1. Election of directors', 'Item 2. Ratification of the auditors']
  for (const more of [
    'Items 3-5. Shareholder proposals',
    '| 3-5 | Shareholder proposals |',
    '| Items 3 through 5 | Shareholder proposals |',
  ]) {
    const { proposals, leftOut } = of(...named, more)
    assert.deepEqual([proposals, leftOut], [[], ['proposal']], more)
  }
  const whole = of(...named, 'Items 3-4. Shareholder proposals', 'Proposal 3: Paper policy', 'Proposal 4: Ink policy')
  assert.deepEqual([whole.proposals.length, whole.leftOut], [4, []])
})

const TABLE = (head: string, ...rows: string[]) => [head, head.replace(/[^|]+/g, ' --- '), ...rows].join('\n')
const VOTED = TABLE(
  '| Proposal | Board recommendation | Page |',
  '| Proposal 1 Election of directors | FOR each nominee | 4 |',
  '| Proposal 2 Shareholder proposal on paper | ✘ AGAINST | 9 |',
)

test('a vote in the row of a proposal is the board’s recommendation, unless its column says how votes are counted', () => {
  assert.deepEqual(votes(VOTED), ['for', 'against'])
  const counted = TABLE(
    '| Proposal | Effect of abstentions |',
    '| Proposal 1 Election of directors | Against |',
    '| Proposal 2 Approval of the plan | AGAINST |',
  )
  assert.deepEqual(votes(counted), [null, null])
  const both = TABLE(
    '| No. | Proposal | Board Recommendation | Votes Required | Effect of Abstentions |',
    '| 1 | Election of directors | For | “FOR” votes of a majority | Against |',
    '| 2 | Approval of the plan | For | a majority | Against |',
  )
  assert.deepEqual(votes(both), ['for', 'for'])
  const small = ['| Proposal 1: | Election of directors | For |', '| Proposal 2: | Approval of the plan | Against |']
  assert.deepEqual(votes(...small), [null, null])
  assert.deepEqual(votes('Proposals and the board’s recommendations', small.join('\n')), ['for', 'against'])
  const choice = TABLE(
    '| Proposal | Choices | The board recommends |',
    '| Proposal 1 Election of directors | FOR, AGAINST, or ABSTAIN | FOR |',
    '| Proposal 2 Frequency of the vote on pay | 1, 2 or 3 YEARS | 1 YEAR |',
  )
  assert.deepEqual(votes(choice), ['for', '1 year'])
})

test('a vote on the line below a proposal is the board’s recommendation, but the choices of a card are not', () => {
  assert.deepEqual(votes('### Proposal 1: Election of directors', '### FOR', PROSE), ['for'])
  assert.deepEqual(votes('Proposal 1: Election of directors', 'FOR', 'AGAINST', 'ABSTAIN'), [null])
})

const board = (vote: string) => `Our Board of Directors recommends that you vote “${vote}” this proposal.`

test('the section of a proposal ends at the next proposal, at the proposals of holders, or at a card', () => {
  const first = section(
    'Proposal 1: Election of directors',
    board('FOR'),
    '## Proposal 1: Election of directors',
    PROSE,
  )
  const second = section('Proposal 2: Ratification of the auditors', board('FOR'))
  assert.deepEqual(votes(first, second), ['for', 'for'])
  assert.deepEqual(votes(first, second, '## Shareholder proposals', board('AGAINST')), ['for', 'for'])
  assert.deepEqual(votes(first, second, 'The board recommends a vote AGAINST each shareholder proposal.'), [
    'for',
    'for',
  ])
  const third = section('Proposal 3: A policy on paper', board('AGAINST'))
  const card = 'The board recommends a vote FOR all nominees. The board recommends a vote “for” Proposals 1 and 2.'
  assert.deepEqual(votes(first, second, third, card), ['for', 'for', 'against'])
})

test('a number in brackets alone below a heading begins the section of that proposal', () => {
  const under = (heading: string, number: string, vote: string) =>
    [`# ${heading}`, number, PROSE, `**THE BOARD RECOMMENDS THAT YOU VOTE “${vote}” THIS PROPOSAL.**`].join('\n\n')
  const notice = [
    'The meeting will be held for the following purposes:',
    '1. To elect two directors;',
    '2. To approve the new mills;',
  ]
  assert.deepEqual(
    votes(
      ...notice,
      under('ELECTION OF DIRECTORS', '(Proposal No. 1)', 'FOR'),
      under('MILLS', '(Proposal No. 2)', 'FOR'),
    ),
    ['for', 'for'],
  )
  const [one, two] = [
    under('Our two directors', '**(Item One)**', 'FOR'),
    under('Approval of our mills', '(Item Two)', 'AGAINST'),
  ]
  assert.deepEqual(votes(...notice, one, two), ['for', 'against'])
  assert.deepEqual(titles(one, two), ['Our two directors', 'Approval of our mills'])
  // Without the number, the proposal of the section is unknown. A sentence above the number is not a title.
  assert.deepEqual(votes(...notice, one, two.replace('(Item Two)', '(of two)')), [null, null])
  assert.deepEqual(
    titles('They are ours. We join them.', '(Proposal 1)', 'So it is. We keep them.', '(Proposal 2)'),
    [],
  )
})

test('distinguishes a board that recommends nothing from a recommendation that is not read', () => {
  const first = section('Proposal 1: Election of directors', board('FOR'))
  const none = section(
    'Proposal 2: Shareholder proposal on paper',
    'The Board makes no recommendation on this shareholder proposal.',
  )
  assert.deepEqual(votes(first, none), ['for', 'none'])
  assert.deepEqual(votes(first, section('Proposal 2: Shareholder proposal on paper')), ['for', null])
})

test('a summary without numbers is read if each row has one vote; otherwise it is reported as unread', () => {
  const summary = (head: string, ...rows: string[]) =>
    of(
      'The annual meeting will be held on June 12, 2024 for the following purposes.',
      `| ${head} |\n| --- | --- |\n${rows.map((row) => `| ${row} |`).join('\n')}`,
    )
  const rows = [
    'A. Election of directors | FOR each nominee',
    'B. Auditors | FOR',
    'C. Holder proposal on an independent chair | AGAINST',
    'D. Frequency of the advisory vote on pay | ONE YEAR',
  ]
  for (const marked of [rows, rows.map((row) => row.slice(3)), rows.map((row) => row.replace('|', '| 12 |'))]) {
    const { proposals, leftOut } = summary('Proposal | Board recommendation', ...marked)
    assert.deepEqual(
      proposals.map(({ title, recommendation }) => [title.value, recommendation?.value]),
      [
        ['Election of directors', 'for'],
        ['Auditors', 'for'],
        ['Holder proposal on an independent chair', 'against'],
        ['Frequency of the advisory vote on pay', '1 year'],
      ],
    )
    assert.deepEqual(leftOut, [])
  }
  for (const unread of [
    summary('Proposal | Vote required', ...rows),
    summary('Committee | Board recommendation', ...rows),
    summary('Proposal | Board recommendation', ...rows, 'Adjournment of the meeting | see page 9'),
    summary('Proposal | Board recommendation', rows[0]!),
    summary('Proposal | Board recommendation', rows[0]!, 'Our history | FOR'),
  ])
    assert.deepEqual([unread.proposals, unread.leftOut], [[], ['proposal']])
})

test('reads the frequency that the board recommends, and not one of the choices', () => {
  const frequency = (...paragraphs: string[]) =>
    votes(section('Proposal 1: Frequency of the vote on pay', ...paragraphs))
  assert.deepEqual(frequency('The board recommends a vote for holding it EVERY YEAR.'), ['1 year'])
  assert.deepEqual(frequency('The board recommends a vote every other year.'), ['2 years'])
  assert.deepEqual(frequency('While the board recommends one, holders may vote for one, two years or three years.'), [
    null,
  ])
})
