import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amendmentsOf } from './amendments.ts'
import type { Relative } from './queries.ts'

/** Parses `10-K 2020-03-01 2019-12-31` into a filing; without a third part the period is unknown. */
const filings = (...lines: string[]): Relative[] =>
  lines.map((line, i) => {
    const [form, filed, period] = line.split(' ')
    return {
      accession: String(i),
      form_type: form!,
      filed_date: filed!,
      period_of_report: period ?? null,
      accepted_at: null,
    }
  })

/** Returns, for each filing, the numbers of the filings that belong with it. */
const groups = (all: Relative[]) =>
  all.map((one) =>
    amendmentsOf(one, all)
      .map(({ accession }) => accession)
      .join(''),
  )

test('with known periods an original and its amendments belong together, even if an amendment is years late', () => {
  const all = filings(
    '10-K 2020-03-01 2019-12-31',
    '10-K 2021-03-01 2020-12-31',
    '10-K/A 2021-06-01 2019-12-31',
    '10-K/A 2021-07-01 2020-12-31',
  )
  assert.deepEqual(groups(all), ['2', '3', '0', '1'])
})

test('with unknown periods an amendment belongs to the original before it', () => {
  assert.deepEqual(
    groups(filings('D 2020-01-01', 'D/A 2020-02-01', 'D/A 2020-03-01', 'D 2020-04-01', 'D/A 2020-05-01')),
    ['12', '02', '01', '4', '3'],
  )
})

test('two originals never belong together, even for one period', () => {
  assert.deepEqual(groups(filings('8-K 2020-01-01 2020-01-01', '8-K 2020-01-02 2020-01-01')), ['', ''])
})

test('an amendment whose original is not loaded belongs only with the other amendments', () => {
  assert.deepEqual(groups(filings('D/A 2020-01-01', 'D/A 2020-02-01', 'D 2020-03-01')), ['1', '0', ''])
})

test('if only one of two filings has a known period, the order of filing decides', () => {
  assert.deepEqual(groups(filings('10-Q 2020-05-01 2020-03-31', '10-Q/A 2020-06-01', '10-Q 2020-08-01 2020-06-30')), [
    '1',
    '0',
    '',
  ])
})
