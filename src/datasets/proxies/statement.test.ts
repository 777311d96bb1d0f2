/**
 * Tests of sentences in proxy statements that are easily misread, such as a vote "FOR" in the advice of another party.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementOf } from './statement.ts'

const FILED = '2020-04-15'
const LIST = [
  'The holders will be asked to vote on these proposals:',
  '1. Election of directors',
  '2. Ratification of the appointment of the independent auditors',
  '3. Shareholder proposal on proxy access',
]

const meeting = (text: string) => {
  const { facts, leftOut } = statementOf(text, { filedDate: FILED })
  return { facts: facts.filter(({ name }) => name === 'meeting_date').map(({ value }) => value), leftOut }
}

const recommended = (text: string) =>
  statementOf([...LIST, text].join('\n\n'), { filedDate: FILED }).proposals.flatMap(({ number, recommendation }) =>
    recommendation ? [[number, recommendation.value]] : [],
  )

test('the original day of a meeting that was moved or cancelled is not read as the day of the meeting', () => {
  for (const sentence of [
    'The annual meeting of shareholders originally scheduled for May 1, 2020 has been postponed to June 12, 2020.',
    'The annual meeting scheduled for May 1, 2020 has been cancelled.',
    'The annual meeting of shareholders, to be held on May 1, 2020, was adjourned until May 15, 2020.',
  ]) {
    assert.deepEqual(meeting(sentence), { facts: [], leftOut: [] }, sentence)
  }
  const both =
    'The annual meeting originally scheduled for May 1, 2020 has been postponed. The annual meeting will be held on June 12, 2020.'
  assert.deepEqual(meeting(both), { facts: ['2020-06-12'], leftOut: [] })
})

test('recommendations of other parties, and statements that withhold one, are not read as the board’s recommendation', () => {
  for (const sentence of [
    'The Board does not recommend that you vote FOR Proposal 3.',
    'The Board recommends that you do not vote FOR Proposal 3.',
    'The Board recommends against voting FOR Proposal 3.',
    'The Board makes no recommendation to vote FOR or AGAINST Proposal 3.',
    'ISS has recommended that shareholders vote FOR Proposal 3.',
    'Glass Lewis recommends a vote AGAINST Proposal 2; the Board disagrees.',
    'The dissident recommends a vote AGAINST the ratification of the auditors.',
  ]) {
    assert.deepEqual(recommended(sentence), [], sentence)
  }
})

test('reads the board’s recommendation next to that of another party', () => {
  const sentences =
    'The proponent recommends that you vote FOR Proposal 3. The Board recommends a vote AGAINST Proposal 3.'
  assert.deepEqual(recommended(sentences), [[3, 'against']])
  assert.deepEqual(recommended('The Board recommends a vote FOR Proposals 1 and 2 and AGAINST Proposal 3.'), [
    [1, 'for'],
    [2, 'for'],
    [3, 'against'],
  ])
  const after = 'ISS agrees with the Board, and the Board recommends that you vote FOR Proposal 1.'
  assert.deepEqual(recommended(after), [[1, 'for']])
})

test('recommendations of other parties do not count in the section of a proposal either', () => {
  const section = (number: number, says: string) =>
    [`Proposal ${number}`, `${'The proposal is told of at length. '.repeat(8)}${says}`].join('\n\n')
  const sentences = [
    section(1, 'The Board recommends a vote “for” each nominee.'),
    section(2, 'ISS recommends a vote “against” the auditors.'),
    section(3, 'The Board recommends a vote “against” it.'),
  ].join('\n\n')
  assert.deepEqual(recommended(sentences), [
    [1, 'for'],
    [3, 'against'],
  ])
})

test('words about counting votes, or about what holders may choose, are not a recommendation', () => {
  for (const sentence of [
    'The Board recommends on each of them. Abstentions will have the same effect as a vote AGAINST Proposal 2.',
    '- Abstentions have the effect of a vote AGAINST Proposal 2.',
    '- You may vote FOR Proposal 2, or abstain.',
    'The Board makes its recommendation below. Broker non-votes are treated as votes AGAINST Proposal 2.',
  ])
    assert.deepEqual(recommended(sentence), [], sentence)
  const both = 'The Board recommends a vote FOR Proposal 2. Abstentions count as votes AGAINST Proposal 2.'
  assert.deepEqual(recommended(both), [[2, 'for']])
  const counted = 'Although abstentions are not counted, the Board recommends that you vote FOR Proposal 2.'
  assert.deepEqual(recommended(counted), [[2, 'for']])
})

test('in the section of a holder’s proposal, a recommendation is read only if its sentence says that it is the board’s', () => {
  const section = (number: number, ...says: string[]) =>
    [`## Proposal ${number}`, `${'The proposal is told of at length. '.repeat(8)}`, ...says].join('\n\n')
  const own = [1, 2].map((number) => section(number, 'The Board recommends a vote FOR it.'))
  const third = (...says: string[]) => recommended([...own, section(3, ...says)].join('\n\n')).slice(2)
  const wish = 'We recommend that shareholders vote FOR this proposal.'
  assert.deepEqual(third(wish, 'The Board urges you to vote AGAINST it.'), [])
  assert.deepEqual(third(wish, 'The Board recommends that you vote AGAINST it.'), [[3, 'against']])
  assert.deepEqual(third('The Board of Directors recommends that you vote FOR it.'), [[3, 'for']])
})

test('a recommendation on all proposals counts for each proposal that is not a holder’s, unless the recommendation excepts it', () => {
  const notice =
    'The annual meeting of holders will be held for the following purposes: (1) to elect directors; (2) to ratify the auditors; (3) a stockholder proposal on paper.'
  const votes = (says: string) =>
    statementOf(`${notice}\n\n${says}`, { filedDate: FILED }).proposals.map(
      ({ recommendation }) => recommendation?.value ?? null,
    )
  assert.deepEqual(votes('The Board recommends a vote FOR each of the proposals.'), ['for', 'for', null])
  assert.deepEqual(votes('The Board recommends that you vote “FOR” all of the foregoing matters.'), [
    'for',
    'for',
    null,
  ])
  const none = [null, null, null]
  assert.deepEqual(votes('The Board recommends a vote FOR all proposals except for the second.'), none)
  assert.deepEqual(votes('The Board recommends a vote FOR each of the nominees.'), ['for', null, null])
  assert.deepEqual(votes('Your proxy votes FOR each of the proposals if you do not choose.'), none)
  assert.deepEqual(votes('The Board does not recommend a vote FOR all proposals.'), none)
})

test('recommendations on proposals with Roman numbers, or with numbers in words with capitals, are read', () => {
  const notice =
    'The annual meeting will be held for the following purposes:\n\nI. Election of directors\n\nII. Advisory vote on pay\n\nIII. Stockholder proposal on paper'
  const votes = (says: string) =>
    statementOf(`${notice}\n\n${says}`, { filedDate: FILED }).proposals.map(
      ({ recommendation }) => recommendation?.value ?? null,
    )
  const read = ['for', 'for', 'against']
  assert.deepEqual(votes('The Board recommends a vote “FOR” Items I and II and “AGAINST” Item III.'), read)
  assert.deepEqual(votes('The Board recommends a vote FOR Proposals One and Two and AGAINST Proposal Three.'), read)
})

test('if the purposes of a meeting are not read as proposals, proposals are named as left out', () => {
  const leftOf = (text: string) => statementOf(text, { filedDate: FILED }).leftOut
  assert.deepEqual(leftOf('The annual meeting will be held on May 14, 2020 for these purposes, in short.'), [
    'proposal',
  ])
  assert.deepEqual(leftOf('The meeting will be held on May 14, 2020 for the purposes set out below.'), ['proposal'])
  const meeting = 'The annual meeting will be held on May 14, 2020 at 9:00 a.m.'
  assert.deepEqual(leftOf(`${meeting}, for the purpose of electing directors and approving the plan.`), ['proposal'])
  assert.deepEqual(leftOf(`${meeting} The purpose of this letter is to thank you.`), [])
})
