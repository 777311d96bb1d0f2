/** Periods, differences and restatements, with facts made for each trap. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, type Fact, sum } from './fact.ts'
import { dayAfter, days } from './periods.ts'
import { factorOf, shareChanges } from './splits.ts'
import { type Line, statement } from './statement.ts'

let number = 0
/** Returns a function that makes facts of one filing. */
function filing(form: string, filed: string, fy: number | null = null) {
  number += 1
  const accession = `9000000000-${filed.slice(2, 4)}-${String(number).padStart(6, '0')}`
  return (tag: string, [start, end]: readonly [string | null, string], value: number | string, unit = 'USD'): Fact => ({
    ...{ taxonomy: 'us-gaap', tag, unit, start, end, value: String(value) },
    ...{ accession, form, filed, fy, fp: null },
  })
}
const Y2023 = ['2023-01-01', '2023-12-31'] as const
const Y2024 = ['2024-01-01', '2024-12-31'] as const
const NINE = ['2024-01-01', '2024-09-30'] as const
const SIX = ['2024-01-01', '2024-06-30'] as const
const THREE = ['2024-01-01', '2024-03-31'] as const
const summary = (lines: readonly Line[]) =>
  lines.map(({ period_type, start_date, end_date }) => `${period_type} ${start_date} ${end_date}`)
const revenueAt = (facts: Fact[], end: string) =>
  statement(facts, { choice: 'quarter' }).history.find(({ end_date }) => end_date === end)?.figures.revenue

test('a transition period stands between two years and counts as neither a year nor a quarter', () => {
  const facts = [
    filing('10-K', '2023-08-20', 2023)('Revenues', ['2022-07-01', '2023-06-30'], 100),
    filing('10-KT', '2024-02-20', 2023)('Revenues', ['2023-07-01', '2023-12-31'], 60),
    filing('10-K', '2025-02-20', 2024)('Revenues', Y2024, 130),
  ]
  const { history } = statement(facts)
  assert.deepEqual(summary(history), [
    'annual 2024-01-01 2024-12-31',
    'transition 2023-07-01 2023-12-31',
    'annual 2022-07-01 2023-06-30',
  ])
  assert.deepEqual(
    history.map(({ fiscal_year }) => fiscal_year),
    [2024, null, 2023],
  )
  assert.deepEqual(statement(facts, { choice: 'quarter' }).history, [])
})

test('a figure reported only in an impossible unit is missing, and the reason says that reports have the figure', () => {
  const q = filing('10-Q', '2024-05-05', 2024)
  const facts = [
    q('Revenues', THREE, 30),
    q('EarningsPerShareDiluted', THREE, '0.99', 'shares'),
    q('NetIncomeLoss', THREE, 12, 'USD/shares'),
    q('Assets', [null, '2024-03-31'], 70, 'shares'),
    q('Liabilities', [null, '2024-03-31'], 40),
  ]
  const { figures } = statement(facts, { choice: 'quarter' }).history[0]!
  const { eps_diluted, net_income, assets } = figures
  for (const [figure, says] of [
    [
      eps_diluted,
      /^a report has it in a unit that is not an amount of money for one share: 0\.99 shares as EarningsPerShareDiluted \(9000000000-24-/,
    ],
    [net_income, /^a report has it in a unit that is not an amount in the currency of the report: 12 USD\/shares/],
    [assets, /^a report has it in a unit that is not an amount in the currency of the report: 70 shares/],
  ] as const) {
    assert.deepEqual([figure.value, figure.basis], [null, 'missing'])
    assert.match(figure.reason!, says)
  }
  assert.equal(figures.revenue.value, '30')
})

test('a period of twelve months that only a quarterly report states is not a fiscal year', () => {
  const q = filing('10-Q', '2024-05-05', 2024)
  const facts = [
    filing('10-K', '2024-02-20', 2023)('Revenues', Y2023, 100),
    q('Revenues', ['2023-04-01', '2024-03-31'], 104),
    q('Revenues', THREE, 30),
  ]
  assert.deepEqual(summary(statement(facts, { choice: 'all' }).history), [
    'quarter 2024-01-01 2024-03-31',
    'annual 2023-01-01 2023-12-31',
  ])
})

test('quarters of 12 and of 16 weeks are numbered 1 to 4, and the last is the year less the others', () => {
  // A warehouse club has quarters of 12, 12, 12 and 16 weeks.
  const [start, end] = ['2023-09-04', '2024-09-01']
  const q3 = filing('10-Q', '2024-06-05', 2024)
  const facts = [
    filing('10-Q', '2023-12-20', 2024)('Revenues', [start, '2023-11-26'], 57),
    filing('10-Q', '2024-03-13', 2024)('Revenues', ['2023-11-27', '2024-02-18'], 58),
    q3('Revenues', ['2024-02-19', '2024-05-12'], 59),
    q3('Revenues', [start, '2024-05-12'], 174),
    filing('10-K', '2024-10-09', 2024)('Revenues', [start, end], 254),
  ]
  const { history } = statement(facts, { choice: 'quarter' })
  assert.deepEqual(
    history.map(({ day_count, fiscal_quarter, figures }) => [day_count, fiscal_quarter, figures.revenue.value]),
    [
      [112, 4, '80'],
      [84, 3, '59'],
      [84, 2, '58'],
      [84, 1, '57'],
    ],
  )
})

test('a quarter without any figure stays missing', () => {
  const facts = [
    filing('10-Q', '2024-05-05', 2024)('Revenues', THREE, 30),
    filing('10-K', '2025-02-20', 2024)('Revenues', Y2024, 130),
  ]
  assert.deepEqual(summary(statement(facts, { choice: 'all' }).history), [
    'annual 2024-01-01 2024-12-31',
    'quarter 2024-01-01 2024-03-31',
  ])
})

test('sums from reports of one fiscal year are subtracted; sums on two accounting bases are not', () => {
  const nine = filing('10-Q', '2024-11-05', 2024)('Revenues', NINE, 90)
  const year = filing('10-K', '2025-02-20', 2024)('Revenues', Y2024, 130)
  const next = filing('10-Q', '2025-11-05', 2025)
  const nineAgain = [next('Revenues', NINE, 80), next('Revenues', ['2025-01-01', '2025-09-30'], 95)]
  const yearNow = ['2025-01-01', '2025-12-31'] as const
  const later = filing('10-K', '2026-02-20', 2025)
  assert.equal(revenueAt([nine, year], '2024-12-31')!.value, '40')
  // The nine months are recast and the year is not yet: 130 less 80 would mix two bases.
  assert.equal(revenueAt([nine, year, ...nineAgain], '2024-12-31')!.value, '40')
  const recast = [nine, year, ...nineAgain, later('Revenues', Y2024, 115), later('Revenues', yearNow, 140)]
  assert.equal(revenueAt(recast, '2024-12-31')!.value, '35')
  // An 8-K recasts only the year, on the accounting basis of the next year.
  const eightK = filing('8-K', '2025-06-01')('Revenues', Y2024, 115)
  assert.equal(revenueAt([nine, year, eightK], '2024-12-31')!.value, '40')
})

test('no quarter is derived from a year whose report was amended, unless only the rounding changed', () => {
  const nine = filing('10-Q', '2024-11-05', 2024)('Revenues', NINE, 90_000_000)
  const year = filing('10-K', '2025-02-20', 2024)('Revenues', Y2024, 130_400_000)
  const amended = (value: number) => [nine, year, filing('10-K/A', '2025-04-20', 2024)('Revenues', Y2024, value)]
  assert.equal(revenueAt(amended(130_000_000), '2024-12-31')!.value, '40400000')
  assert.match(revenueAt(amended(120_000_000), '2024-12-31')!.reason!, /amended separately/)
})

test('a quarter that was reported is not replaced by a difference', () => {
  const q = filing('10-Q', '2024-08-05', 2024)
  const facts = [
    filing('10-Q', '2024-05-05', 2024)('Revenues', THREE, 30),
    q('Revenues', SIX, 70),
    q('Revenues', ['2024-04-01', '2024-06-30'], 41),
    filing('10-K', '2025-02-20', 2024)('Revenues', Y2024, 130),
  ]
  const found = revenueAt(facts, '2024-06-30')!
  assert.deepEqual([found.value, found.basis], ['41', 'reported'])
})

test('among filings of one day, the one with the greatest accession counts', () => {
  const one = filing('10-K', '2025-02-20', 2024)('Revenues', Y2024, 1)
  const two = filing('10-K/A', '2025-02-20', 2024)('Revenues', Y2024, 2)
  for (const facts of [
    [one, two],
    [two, one],
  ]) {
    assert.equal(statement(facts).history[0]!.figures.revenue.value, '2')
  }
})

test('among tags with the same meaning, the last filed one counts, and a tag with another meaning never replaces it', () => {
  const old = filing('10-K', '2017-02-20', 2016)
  const now = filing('10-K', '2018-02-20', 2017)
  const day = [null, '2016-12-31'] as const
  const year = ['2016-01-01', '2016-12-31'] as const
  const { figures } = statement([
    old('SalesRevenueNet', year, 85),
    now('RevenueFromContractWithCustomerExcludingAssessedTax', year, 91),
    old('StockholdersEquity', day, 50),
    now('StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest', day, 55),
  ]).history[0]!
  assert.deepEqual([figures.revenue.value, figures.revenue.first!.value], ['91', '85'])
  assert.deepEqual([figures.equity.value, figures.equity.change], ['50', null])
})

test('fees are not the revenue of a bank or an insurer', () => {
  for (const other of ['NoninterestIncome', 'PremiumsEarnedNet']) {
    const report = filing('10-K', '2025-02-20', 2024)
    const facts = [report('RevenueFromContractWithCustomerExcludingAssessedTax', Y2024, 5), report(other, Y2024, 9)]
    assert.equal(statement(facts).history[0]!.figures.revenue.basis, 'missing', other)
  }
})

test('a company that has not reported a year yet is shown with its quarters', () => {
  const facts = [filing('10-Q', '2024-05-05', 2024)('Revenues', THREE, 30)]
  const found = statement(facts)
  assert.deepEqual([found.period, summary(found.history)], ['all', ['quarter 2024-01-01 2024-03-31']])
  assert.deepEqual(statement(facts, { choice: 'annual' }).history, [])
})

test('after a change of currency, each period is in the currency of the last report about it', () => {
  const facts = [
    filing('40-F', '2024-02-20', 2023)('Revenues', Y2023, 100, 'CAD'),
    filing('40-F', '2025-02-20', 2024)('Revenues', Y2024, 80, 'USD'),
  ]
  assert.deepEqual(
    statement(facts).history.map(({ currency, figures }) => [currency, figures.revenue.value]),
    [
      ['USD', '80'],
      ['CAD', '100'],
    ],
  )
})

test('a balance that no filing states is null with the reason', () => {
  const report = filing('10-K', '2025-02-20', 2024)
  const { figures } = statement([report('Revenues', Y2024, 1), report('Assets', [null, '2024-12-31'], 9)]).history[0]!
  assert.match(figures.liabilities.reason!, /no balance sheet of this day has a line/)
  assert.match(
    statement([report('Revenues', Y2024, 1)]).history[0]!.figures.assets.reason!,
    /there is no balance sheet/,
  )
})

test('sums are exact', () => {
  assert.equal(
    sum([
      { sign: 1, value: '0.3' },
      { sign: -1, value: '0.1' },
    ]),
    '0.2',
  )
  assert.equal(
    sum([
      { sign: 1, value: '9007199254740993' },
      { sign: 1, value: '0.05' },
    ]),
    '9007199254740993.05',
  )
  assert.equal(
    sum([
      { sign: 1, value: '0.05' },
      { sign: -1, value: '1' },
    ]),
    '-0.95',
  )
  assert.equal(
    sum([
      { sign: 1, value: '-1.50' },
      { sign: 1, value: '1.5' },
    ]),
    '0',
  )
})

const OTHERS = ['restated', 'rounded', 'restated', 'rescaled', 'rescaled', 'rescaled']

test('each change of a value has its kind: `rounded`, `rescaled`, `sign`, `share_change` or `restated`', () => {
  assert.deepEqual(
    [
      ['5', '5.0'],
      ['6168028000', '6168000000'],
      ['6168000000', '6168028000'],
      ['19209', '19209000000'],
      ['-0.06', '0.06'],
      ['3109000000', '3084000000'],
      ['0.6', '0.63'],
      // Rounding moves a value by at most half a step.
      ['2300000', '3000000'],
      ['2500000', '3000000'],
      ['6168928000', '6168000000'],
      ['120', '12'],
      ['0.12', '120000'],
      ['-35000', '-350'],
      ['9007199254740993', '9007199254740992'],
      ['9'.repeat(400), '8'.repeat(400)],
      [`${'9'.repeat(400)}.0`, '9'.repeat(400)],
    ].map(([first, latest]) => changeOf(first!, latest!)),
    [null, 'rounded', 'rounded', 'rescaled', 'sign', 'restated', 'restated', ...OTHERS, 'restated', 'restated', null],
  )
})

test('reports the factor of a share change if two periods show it, and reports it again if it recurs years later', () => {
  assert.deepEqual([factorOf('11.93', '1.19'), factorOf('0.5', '5'), factorOf('0.08', '0.04')], [10, 0.1, null])
  const eps = (filed: string, end: string, value: string) =>
    filing('10-K', filed)('EarningsPerShareDiluted', [`${end.slice(0, 4)}-01-01`, end], value, 'USD/shares')
  const before = [eps('2013-02-01', '2011-12-31', '4'), eps('2013-02-01', '2012-12-31', '6')]
  const once = [eps('2014-02-01', '2012-12-31', '3')]
  assert.deepEqual(shareChanges([...before, ...once]), [])
  const twice = [...before, ...once, eps('2014-02-01', '2011-12-31', '2')]
  assert.deepEqual(
    shareChanges(twice).map(({ factor, filed, periods }) => [factor, filed, periods]),
    [[2, '2014-02-01', 2]],
  )
  const later = [eps('2018-02-01', '2011-12-31', '1'), eps('2018-02-01', '2012-12-31', '1.5')]
  assert.deepEqual(
    shareChanges([...twice, ...later]).map(({ factor, filed }) => [factor, filed]),
    [
      [2, '2014-02-01'],
      [2, '2018-02-01'],
    ],
  )
})

test('among overlapping years, the one with more figures counts', () => {
  // This annual report also gives the calendar year, because the fiscal year was moved.
  const report = filing('10-K', '2024-08-20', 2024)
  const fiscal = ['2023-07-01', '2024-06-30'] as const
  const facts = [report('Revenues', fiscal, 10), report('NetIncomeLoss', fiscal, 1), report('Revenues', Y2023, 9)]
  assert.deepEqual(summary(statement(facts, { choice: 'all' }).history), ['annual 2023-07-01 2024-06-30'])
})

test('days are counted by the calendar, with leap years', () => {
  for (const [from, to] of [
    ['2024-02-28', '2024-03-01'],
    ['2023-12-31', '2024-12-31'],
    ['1999-12-31', '2000-02-29'],
    ['1900-02-28', '1900-03-01'],
    ['2024-03-01', '2024-02-28'],
    ['0201-12-31', '2024-01-01'],
  ] as const) {
    assert.equal(days(from, to), Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000), `${from} ${to}`)
    assert.equal(dayAfter(from, days(from, to)), to)
  }
})
