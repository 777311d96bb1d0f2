/** Sentences as filers write them, with invented names, and a person's reading of each. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { factsOf } from '../../../src/datasets/eightk/facts.ts'
import { EXAMPLES as AGREEMENTS, kindOf } from '../../../src/datasets/eightk/notices/kinds.ts'
import { EXAMPLES as SECURITIES, securityKindIn } from '../../../src/datasets/eightk/notices/sales.ts'
import { noticesOf } from '../../../src/datasets/eightk/notices.ts'
import { explain, rowsIn } from '../../support/eightk/explain.ts'
import { casesIn, type SentenceCase } from '../../support/eightk/sentence-cases.ts'

const casesOf = (file: string) =>
  casesIn(readFileSync(new URL(`eightk-sentences/${file}.txt`, import.meta.url), 'utf8'))

/** @throws AssertionError with an explanation of the reading, if it differs from the typed rows */
function assertRead(one: SentenceCase, isPay = false): void {
  const read = rowsIn(one).filter((row) => row.includes(' | compensation | ') === isPay)
  const [got, typed] = [read.sort().join('\n'), one.rows.toSorted().join('\n')]
  if (got !== typed) assert.equal(got, typed, `${one.text}\n\ntyped:\n${typed || 'nothing'}\n\n${explain(one)}\n`)
}

const GUARANTEES = {
  coming: 'who is appointed, elected, hired or promoted is read with the office and its days',
  going: 'who resigns, retires, leaves or is removed, and who follows, is read with the office and its days',
  persons: 'lists of persons, pronouns, vacancies, deaths and days that have a name are read as a person reads them',
  nothing: 'what holders repeat, committees, other firms, conditions, history and plans are no event',
}

for (const [file, guarantee] of Object.entries(GUARANTEES)) {
  test(guarantee, () => {
    const cases = casesOf(file)
    assert.ok(cases.length >= 30, `${cases.length}`)
    for (const one of cases) assertRead(one)
  })
}

test('pay is read with the office and the day that the sentences around it state, and only if they state them', () => {
  for (const one of casesOf('pay')) assertRead(one, true)
})

test('a case that is not read as typed fails with an explanation that names statements and vetoes', () => {
  const [one] = casesIn(
    'ACME INC: On May 3, 2024, Jane Doe resigned as Treasurer. Mr. John Roe may resign as President.',
  )
  assert.throws(
    () => assertRead(one!),
    ({ message }: Error) =>
      [
        ...['typed:\nnothing', 'person: Jane Doe: given name', 'days: 2024-05-03'],
        ...['statement: resigned: Jane Doe: Treasurer: "resigned', 'dropped by possible: "resign as President."'],
        'read:\n  Jane Doe | Treasurer | resigned | 2024-05-03 | -',
      ].every((line) => message.includes(line)),
  )
})

test('auditors, notices of exchanges, unreliable periods, petitions and incidents are read, each with its day', () => {
  for (const { of, text, rows } of casesOf('facts')) {
    const read = factsOf(of, text, { start: 0, end: text.length }).map(({ name, value }) => `${name} | ${value}`)
    assert.deepEqual(read.sort(), rows.toSorted(), text)
  }
})

test('agreements, deals, exit costs, sales, amendments and repurchases are read; uncertain values are left out with a reason', () => {
  const cases = casesOf('notices')
  assert.ok(cases.length >= 50, `${cases.length}`)
  for (const { of, text, rows } of cases) {
    const { facts, leftOut } = noticesOf(of, text, { start: 0, end: text.length }, 'ACME INC')
    for (const { start, end } of facts) assert.ok(start >= 0 && start < end && end <= text.length, text)
    const read = [
      ...facts.map(({ name, value }) => `${name} | ${value}`),
      ...leftOut.map(({ name, reason }) => `left out | ${name} | ${reason}`),
    ]
    assert.deepEqual(read.sort(), rows.toSorted(), text)
  }
})

test('the example of each pattern of agreements and securities is read as the kind of that pattern', () => {
  for (const [title, kind] of AGREEMENTS) assert.equal(kindOf(title), kind, title)
  for (const [words, kind] of SECURITIES) assert.equal(securityKindIn(words), kind, words)
})
