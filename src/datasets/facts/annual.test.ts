/** Figures typed by hand from annual reports of six companies, compared with the figures computed from their facts. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseJson } from '../../read/json.ts'
import type { Fact } from './fact.ts'
import { rows } from './parse.ts'
import { FIGURES, ofDay } from './parse-tags.ts'
import { statement } from './statement.ts'

interface Typed {
  unit: number
  end: string
  figures: (string | null)[]
}

const folder = new URL('fixtures/annual-reports/', import.meta.url)
const truth: Record<string, Typed> = JSON.parse(readFileSync(new URL('truth.json', folder), 'utf8'))

const factsOf = (name: string): Fact[] => {
  const document = parseJson(readFileSync(new URL(`${name}.json`, folder)))
  const facts = [...rows(document, document.cik('cik')!)].flatMap(([table, row]) =>
    table === 'fact' ? [{ ...row, start: row.start_date, end: row.end_date, filed: row.filed_date } as Fact] : [],
  )
  assert.deepEqual([document.unread(), document.problems()], [[], []])
  return facts
}
const inUnit = (value: string, unit: number) => String(BigInt(value) * BigInt(unit))

for (const [name, { unit, end, figures }] of Object.entries(truth).filter(([key]) => key !== 'note')) {
  test(`the eight figures of ${name} are those printed in its annual report`, () => {
    const [line] = statement(factsOf(name)).history
    assert.equal(line!.end_date, end)
    for (const [at, figure] of FIGURES.entries()) {
      const typed = figures[at]!
      if (typed === null) continue
      const expected = figure === 'eps_diluted' ? typed : inUnit(typed, unit)
      assert.equal(line!.figures[figure].value, expected, figure)
      assert.equal(line!.figures[figure].basis, 'reported', figure)
    }
  })
}

test('computes liabilities if the balance sheet has no total, like Coca-Cola’s, and shows their parts', () => {
  const { liabilities } = statement(factsOf('KO')).history[0]!.figures
  assert.deepEqual(
    [liabilities.basis, liabilities.value, liabilities.parts.map(({ sign, fact }) => [sign, fact.tag, fact.value])],
    [
      'computed',
      '74177000000',
      [
        [1, 'LiabilitiesAndStockholdersEquity', '100549000000'],
        [-1, 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest', '26372000000'],
      ],
    ],
  )
})

test('subtracts a line between liabilities and equity only once, even if it has two tags', () => {
  // Without its total, Tesla’s liabilities are the remainder: the total 122070 less equity of 72913 and the two lines
  // in between, 704 and 63.
  const facts = factsOf('TSLA').filter(({ tag }) => tag !== 'Liabilities')
  assert.equal(statement(facts).history[0]!.figures.liabilities.value, '48390000000')
})

test('a period of 53 weeks, with 371 days, is a year', () => {
  const [line] = statement(factsOf('GME')).history
  assert.deepEqual([line!.period_type, line!.day_count, line!.fiscal_year], ['annual', 371, 2023])
})

test('balances are read as of the last day of the period', () => {
  for (const figure of ofDay) {
    const { fact, parts } = statement(factsOf('KO')).history[0]!.figures[figure]
    for (const of of fact ? [fact] : parts.map(({ fact: part }) => part)) {
      assert.deepEqual([of.start, of.end], [null, '2024-12-31'], figure)
    }
  }
})
