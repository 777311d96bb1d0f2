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

test('proposals in one paragraph are as many as its marks, whatever they are', () => {
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

test('points with letters, bullets and nothing before them are proposals, one a line', () => {
  const lines = (marks: readonly string[]) => REQUESTS.map((each, i) => `<p>${marks[i]} ${each};</p>`)
  for (const marks of [
    ['(a)', '(b)', '(c)'],
    ['A.', 'B.', 'C.'],
    ['i.', 'ii.', 'iii.'],
    ['•', '•', '•'],
    ['–', '–', '–'],
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

test('marks that no words of a vote introduce, and points that ask nothing, are not proposals', () => {
  const marked = inOne(['(1)', '(2)', '(3)'], '; ')
  assert.deepEqual(read(markdownOfHtml(`<p>The report tells of this:</p>${marked}`).text).proposals, [])
  assert.deepEqual(titles('<p>(1) the blue hall; (2) the red hall; (3) the yard.</p>'), [])
})

test('leaves out the one paragraph whose proposals cannot be separated, by name, and never one proposal', () => {
  const { proposals, leftOut } = read(`${BEGINS}\n\n(1) To elect four directors; (2) the red hall.`)
  assert.deepEqual([proposals, leftOut], [[], ['proposal']])
})

test('a list of proposals has the place of each in the text', () => {
  const text = `${BEGINS} (1) ${REQUESTS[0]}; (2) ${REQUESTS[1]}.`
  for (const { title } of read(text).proposals) assert.ok(text.slice(title.start, title.end).startsWith(title.value))
})

test('other business in the last point is cut from it, and takes no proposal with it', () => {
  const other = '; and to transact such other business as may properly come before the meeting.'
  for (const marks of [['(1)', '(2)', '(3)'], ['a.', 'b.', 'c.'], ['first,', 'second,', 'third,']]) // biome-ignore format: a table
    assert.deepEqual(titles(inOne(marks, '; ', other)), REQUESTS, marks[0]!)
  assert.deepEqual(titles(...REQUESTS.map((each, i) => `<p>${i + 1}. ${each}${i === 2 ? other : ';'}</p>`)), REQUESTS)
})

test('points in cells, a mark in one and its words in the next, are proposals', () => {
  for (const marks of [
    ['(a)', '(b)', '(c)'],
    ['•', '•', '•'],
    ['', '', ''],
  ]) {
    const rows = REQUESTS.map((each, i) => `<tr><td>${marks[i]}</td><td>${each};</td></tr>`)
    assert.deepEqual(titles(`<table>${rows.join('')}</table>`), REQUESTS, marks[0]!)
  }
})
