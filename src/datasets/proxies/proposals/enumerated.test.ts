/** Lists of proposals without numbered lines, as notices write them; companies and proposals are made up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownOfHtml } from '../../../read/html.ts'
import { markdownOfText } from '../../../read/plain.ts'
import { statementOf } from '../statement.ts'

const BEGINS = 'The annual meeting of stockholders will be held on May 14, 2026, for the following purposes:'
const REQUESTS: readonly string[] = ['To elect four directors', 'to ratify the choice of Specimen LLP as auditor', 'to approve the 2026 plan of options'] // biome-ignore format: a table
const OTHER = 'to transact such other business as may properly come before the meeting.'

const read = (text: string) => statementOf(text, { filedDate: '2026-04-01' })
const titles = (...html: string[]) =>
  read(markdownOfHtml(`<html><body><p>${BEGINS}</p>${html.join('')}</body></html>`).text).proposals.map(
    ({ title }) => title.value,
  )
const inOne = (marks: readonly string[], joined: string, last = '.') =>
  `<p>${REQUESTS.map((each, i) => `${marks[i]} ${each}`).join(joined)}${last}</p>`

test('a paragraph has one proposal for each list mark, such as (1), 1. or (a)', () => {
  for (const marks of [
    ['(1)', '(2)', '(3)'],
    ['1.', '2.', '3.'],
    ['1)', '2)', '3)'],
    ['(a)', '(b)', '(c)'],
    ['(i)', '(ii)', '(iii)'],
    ['a.', 'b.', 'c.'],
    ['first,', 'second,', 'third,'],
    ['[1]', '[2]', '[3]'],
    ['(1.)', '(2.)', '(3.)'],
    ['1:', '2:', '3:'],
    ['1.)', '2.)', '3.)'],
    ['1 –', '2 –', '3 –'],
    ['1st', '2nd', '3rd'],
    ['One.', 'Two.', 'Three.'],
    ['Proposal 1:', 'Proposal 2:', 'Proposal 3:'],
  ]) {
    assert.deepEqual(titles(inOne(marks, '; ')), REQUESTS, marks[0]!)
    assert.deepEqual(
      titles(inOne(marks, ', and ', ', all as this statement says. Only holders of record have a vote.')).length,
      3,
      marks[0]!,
    )
    assert.deepEqual(titles(inOne(marks, ';<br>')), REQUESTS, `${marks[0]}, lines`)
  }
  assert.deepEqual(titles(inOne(['(1)', '(2)', '(3)'], '; ', `; and (4) ${OTHER}`)), REQUESTS)
})

test('proposals are read after words that ask holders to vote, even without the words "for the following purposes" of a notice', () => {
  for (const asked of ['holders will be asked', 'you are being asked', 'you will be asked to vote on these:'])
    assert.deepEqual(
      read(
        `We will hold the annual meeting on May 14, 2026 at which ${asked} ${REQUESTS.map((each, i) => `(${i + 1}) ${each}`).join(', ')}.`,
      ).proposals.map(({ title }) => title.value),
      REQUESTS,
      asked,
    )
})

test('a list of proposals follows any words that say what holders will vote on', () => {
  const meeting = 'The annual meeting of shareholders will be held on May 14, 2026'
  for (const words of [
    ' for these purposes:',
    ' for the purposes listed below:',
    ' for the purposes set forth below:',
    '. Shareholders will:',
    '. We will ask shareholders to:',
    '. Matters to be voted on:',
    '. The business of the meeting is:',
    '. Business to be conducted:',
    '. Voting items',
    '. What you are voting on:',
  ]) {
    const list = `<ul>${REQUESTS.map((each) => `<li>${each};</li>`).join('')}</ul>`
    const { proposals } = read(markdownOfHtml(`<p>${meeting}${words}</p>${list}`).text)
    assert.deepEqual(
      proposals.map(({ title }) => title.value),
      REQUESTS,
      words,
    )
  }
  const { proposals } = read(
    markdownOfHtml(
      `<p>${meeting}. The items that we sent are these papers.</p><ul><li>A letter</li><li>A card</li></ul>`,
    ).text,
  )
  assert.deepEqual(proposals, [])
})

test('points after letters, after bullets, or after no mark are proposals, one per line', () => {
  const lines = (marks: readonly string[]) => REQUESTS.map((each, i) => `<p>${marks[i]} ${each};</p>`)
  for (const marks of [
    ['(a)', '(b)', '(c)'],
    ['A.', 'B.', 'C.'],
    ['i.', 'ii.', 'iii.'],
    ['No. 1.', 'No. 2.', 'No. 3.'],
    ['•', '•', '•'],
    ['–', '–', '–'],
    ['--', '--', '--'],
    ['►', '►', '►'],
    ['o', 'o', 'o'],
    ['', '', ''],
  ]) {
    assert.deepEqual(titles(...lines(marks), '<p>Only holders of record have a vote.</p>'), REQUESTS, marks[0]!)
  }
  assert.deepEqual(
    titles(`<ul>${REQUESTS.map((each) => `<li>${each};</li>`).join('')}<li>${OTHER}</li></ul>`),
    REQUESTS,
  )
  assert.deepEqual(titles(`<p>${REQUESTS.join(';<br>')}; and<br>${OTHER}</p>`), REQUESTS)
  const plain = markdownOfText(
    `${BEGINS}\n\n${REQUESTS.map((each, i) => `    (${'abc'[i]})  ${each};`).join('\n\n')}\n`,
  ).text
  assert.deepEqual(
    read(plain).proposals.map(({ title }) => title.value),
    REQUESTS,
  )
})

test('points of a list that have no blank lines between them are one proposal each, with any list mark', () => {
  for (const marks of [
    ['(a)', '(b)', '(c)'],
    ['1.', '2.', '3.'],
    ['(i)', '(ii)', '(iii)'],
  ]) {
    const list = REQUESTS.map((each, i) => `     ${marks[i]}  ${each}${[';', '; and', '.'][i]}`).join('\n')
    const found = read(markdownOfText(`${BEGINS}\n\n${list}\n\nOnly holders of record have a vote.\n`).text)
    assert.deepEqual(
      found.proposals.map(({ title }) => title.value),
      REQUESTS,
      marks[0]!,
    )
  }
})

test('list marks without words about a vote before them, and points that ask for nothing, are not proposals', () => {
  const marked = inOne(['(1)', '(2)', '(3)'], '; ')
  assert.deepEqual(read(markdownOfHtml(`<p>The report tells of this:</p>${marked}`).text).proposals, [])
  assert.deepEqual(titles('<p>(1) the blue hall; (2) the red hall; (3) the yard.</p>'), [])
})

test('a paragraph whose proposals cannot be separated is left out whole, and `left_out` names it', () => {
  const { proposals, leftOut } = read(`${BEGINS}\n\n(1) To elect four directors; (2) the red hall.`)
  assert.deepEqual([proposals, leftOut], [[], ['proposal']])
})

test('each proposal of a list has its place in the text', () => {
  const text = `${BEGINS} (1) ${REQUESTS[0]}; (2) ${REQUESTS[1]}.`
  for (const { title } of read(text).proposals) assert.ok(text.slice(title.start, title.end).startsWith(title.value))
})

test('other business is cut from the last point, and the proposal before it stays', () => {
  const other = '; and to transact such other business as may properly come before the meeting.'
  for (const marks of [['(1)', '(2)', '(3)'], ['a.', 'b.', 'c.'], ['first,', 'second,', 'third,']]) // biome-ignore format: a table
    assert.deepEqual(titles(inOne(marks, '; ', other)), REQUESTS, marks[0]!)
  assert.deepEqual(titles(...REQUESTS.map((each, i) => `<p>${i + 1}. ${each}${i === 2 ? other : ';'}</p>`)), REQUESTS)
})

test('points in table cells are proposals, with the mark in one cell and the words in the next', () => {
  for (const marks of [
    ['(a)', '(b)', '(c)'],
    ['•', '•', '•'],
    ['', '', ''],
  ]) {
    const rows = REQUESTS.map((each, i) => `<tr><td>${marks[i]}</td><td>${each};</td></tr>`)
    assert.deepEqual(titles(`<table>${rows.join('')}</table>`), REQUESTS, marks[0]!)
  }
})

test('requests in sequence without marks are proposals, but not further requests within a marked point', () => {
  assert.deepEqual(titles(`<p>${REQUESTS.join('; ')}.</p>`), REQUESTS)
  assert.deepEqual(titles(`<p>${REQUESTS.slice(0, 2).join('; ')}; and ${REQUESTS[2]}; and ${OTHER}</p>`), REQUESTS)
  const sentence = `The annual meeting will be held on May 14, 2026, ${REQUESTS[0]!.toLowerCase()}, ${REQUESTS[1]}, and ${REQUESTS[2]}.`
  assert.deepEqual(
    read(sentence).proposals.map(({ title }) => title.value),
    [REQUESTS[0]!.toLowerCase(), ...REQUESTS.slice(1)],
  )
  const marked =
    '<p>(1) To approve a plan, to amend the charter for it, and to adopt new bylaws; (2) to elect directors.</p>'
  assert.equal(titles(marked).length, 2)
  assert.deepEqual(read('The board wishes to elect a chair, to approve a budget, and to adopt a code.').proposals, [])
})

test('requests that may be aims of one proposal, or concern the vote itself, are not proposals', () => {
  for (const requests of [
    'to consider and vote on a proposal to adopt the merger agreement, to approve the merger, and to authorize the officers to close it',
    'to consider a resolution to merge, to elect a board, and to adopt new bylaws',
    'to approve an amendment of the charter to increase the shares, to change the name of the company, and to adopt a new form of charter',
    'to amend the charter to increase the shares, to adopt a new name, and to elect directors',
    'to elect directors, to vote your shares please sign the card, and to change your vote write to us',
    'to approve the merger by which holders receive cash, to elect to receive shares, or to vote against it',
  ])
    assert.deepEqual(read(`The meeting will be held on May 14, 2026, ${requests}.`).proposals, [], requests)
  const amended = [
    'to elect directors',
    'to approve an amendment of the charter to increase the shares',
    'to ratify the choice of auditor',
  ]
  assert.deepEqual(
    read(`The meeting will be held on May 14, 2026, ${amended.join('; ')}.`).proposals.map(({ title }) => title.value),
    amended,
  )
})

test('a sentence about the board or the vote that follows the last point is not part of its title', () => {
  const points = (...after: string[]) => titles(`<p>1. ${REQUESTS[0]};</p><p>2. ${REQUESTS[1]}.${after.join('')}</p>`)
  for (const after of [
    '<br>The Board of Directors has fixed March 16, 2026 as the record date. Only holders of record may vote.',
    ' The Board recommends a vote FOR this proposal.',
    ' Only stockholders of record on March 16, 2026 may vote.',
    ' You may vote by mail.',
  ])
    assert.deepEqual(points(after), REQUESTS.slice(0, 2), after)
  for (const after of [' The term of each ends in 2029', ' This vote is advisory'])
    assert.deepEqual(points(`${after}.`), [REQUESTS[0], `${REQUESTS[1]}.${after}`], after)
})

const HELD = '<p>The annual meeting of stockholders will be held on May 14, 2026.</p>'
const below = (...html: string[]) =>
  read(markdownOfHtml(`<html><body>${HELD}${html.join('')}</body></html>`).text).proposals.map(
    ({ title }) => title.value,
  )

test('a line that has only the name of a list introduces the proposals below it', () => {
  const numbered = REQUESTS.map((each, i) => `<p>${i + 1}. ${each};</p>`).join('')
  const bulleted = `<ul>${REQUESTS.map((each) => `<li>${each};</li>`).join('')}</ul>`
  for (const name of [
    'Proposals:',
    'PROPOSALS',
    'Items of business:',
    'Agenda:',
    'The proposals are:',
    'Matters to be acted upon at the annual meeting:',
  ])
    for (const line of [`<p>${name}</p>`, `<p><b>${name}</b></p>`])
      for (const list of [numbered, bulleted]) assert.deepEqual(below(line, list), REQUESTS, line + list)
  assert.deepEqual(below(inOne(['Proposals: (1)', '(2)', '(3)'], '; ')), REQUESTS)
  assert.deepEqual(below('<p>Agenda:</p>', '<ul><li>Elect a board</li><li>Hold an advisory vote on pay</li></ul>'), [
    'Elect a board',
    'Hold an advisory vote on pay',
  ])
})

test('a cell that has only the name of a list introduces the proposals in its row and in the rows below', () => {
  const table = (...rows: string[][]) =>
    `<table>${[['Place:', 'Specimen Hall'], ...rows].map((row) => `<tr><td>${row.join('</td><td>')}</td></tr>`).join('')}</table>`
  const rows = REQUESTS.map((each, i) => [i === 0 ? 'Proposals:' : '', `${i + 1}. ${each.replace('to', 'To')};`])
  const capitals = REQUESTS.map((each) => each.replace('to', 'To'))
  assert.deepEqual(below(table(...rows)), capitals)
  const whole = REQUESTS.map((each, i) => `(${i + 1}) ${each}`).join('; ')
  assert.deepEqual(below(table(['Items of business:', `${whole}.`])), REQUESTS)
})

test('a list that cannot be separated within a cell is left out whole, and `left_out` names it', () => {
  const { proposals, leftOut } = read(`${BEGINS}\n\n| (1) To elect four directors; (2) the red hall. |\n| --- |`)
  assert.deepEqual([proposals, leftOut], [[], ['proposal']])
})

test('rules for proposals of holders, the agenda of a committee, and a section about the business are not proposals', () => {
  for (const [line, list] of [
    [
      'Proposals:',
      '<p>1. Must come by January 4, 2027 to be put to a vote.</p><p>2. Should name the policy in 500 words.</p>',
    ],
    ['Stockholder proposals:', '<p>1. A vote needs 500 words.</p><p>2. A policy needs a reason.</p>'],
    ['The agenda of the audit committee was:', '<ul><li>approve the fees</li><li>consider the report</li></ul>'],
    ['The agenda for our board:', '<ul><li>approve the fees</li><li>consider the report</li></ul>'],
    ['Business:', '<ul><li>approve loans of shops</li><li>consider mergers of banks</li></ul>'],
  ] as const)
    assert.deepEqual(below(`<p>${line}</p>`, list), [], line)
})

test('points below the words that introduce them are proposals, with line breaks between them and any mark', () => {
  const broken = (marks: readonly string[]) =>
    read(
      markdownOfHtml(
        `<html><body><p>${BEGINS}<br>${REQUESTS.map((each, at) => `${marks[at]}${each}`).join('<br>')}</p></body></html>`,
      ).text,
    ).proposals.map(({ title }) => title.value)
  for (const marks of [
    ['', '', ''],
    ['#1 ', '#2 ', '#3 '],
    ['1 ', '2 ', '3 '],
    ['① ', '② ', '③ '],
    ['❶', '❷', '❸'],
    ['1.) ', '2.) ', '3.) '],
  ])
    assert.deepEqual(
      broken(marks).map((title) => title.toLowerCase()),
      REQUESTS.map((each) => each.toLowerCase()),
      marks[0]!,
    )
  // A line of an address or of a sentence is not a point.
  assert.deepEqual(titles('<p>The meeting is at 1 Hill Road<br>1 To the left of the gate<br>2 Across the yard</p>'), [])
})
