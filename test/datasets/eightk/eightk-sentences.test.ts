/** Sentences as filers write them, with invented names, and a person's reading of each. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { factsOf } from '../../../src/datasets/eightk/facts.ts'
import { officersOf } from '../../../src/datasets/eightk/officers.ts'

interface Case {
  /** Filer, or item. */
  of: string
  text: string
  rows: string[]
}

/**
 * A case is a line `FILER: text`, and for each event a line that is indented: name, title, event, its day, effective day; or a
 * line `ITEM: text`, and for each fact its name and value. `\\n` separates the lines of a text.
 */
function casesOf(file: string): Case[] {
  const cases: Case[] = []
  const whole = readFileSync(new URL(`eightk-sentences/${file}.txt`, import.meta.url), 'utf8')
  for (const line of whole.split('\n').filter((one) => one !== '')) {
    const [, of = '', text = ''] = /^([A-Z ]+|[\d.]+): (.*)$/.exec(line) ?? []
    if (line.startsWith('  ')) cases.at(-1)!.rows.push(line.trim())
    else cases.push({ of, text: text.replaceAll('\\n', '\n'), rows: [] })
  }
  return cases
}

function readIn({ text, of }: Case): string[] {
  return officersOf(text, { start: 0, end: text.length }, of)
    .officers.filter(({ event }) => event !== 'compensation')
    .map(({ name, title, event, event_date, effective_date }) =>
      [name, title, event, event_date, effective_date].map((value) => value ?? '-').join(' | '),
    )
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
    for (const one of cases) assert.deepEqual(readIn(one).sort(), one.rows.toSorted(), one.text)
  })
}

test('auditors, notices of exchanges, periods not to be relied on, petitions and incidents are read, each with its day', () => {
  for (const { of, text, rows } of casesOf('facts')) {
    const read = factsOf(of, text, { start: 0, end: text.length }).map(({ name, value }) => `${name} | ${value}`)
    assert.deepEqual(read.sort(), rows.toSorted(), text)
  }
})
