import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChartOf, drawingsOf } from './chart-of.ts'
import { figureOf } from './charts/figure.ts'
import { countsChart } from './counts-chart.ts'
import { CHARTS } from './declared-charts.ts'

const LINE: ChartOf = {
  title: 'Worth',
  ...{ draw: 'lines', rows: 'rows', by: 'day', every: 'quarter', unit: 'USD', values: { worth: 'Worth' } },
}
const draw = (chart: ChartOf, answer: Record<string, unknown>) => drawingsOf(chart, answer)
const svgOf = (chart: ChartOf, answer: Record<string, unknown>) =>
  figureOf(draw(chart, answer)[0]!, { id: 'c', page: null }).text

const GAPPED = {
  rows: [
    { day: '2024-03-31', worth: '1000000' },
    { day: '2024-06-30', worth: '2000000.50' },
    { day: '2024-09-30', worth: null },
    { day: '2025-03-31', worth: '3000000' },
  ],
}

test('a line ends at a gap, and what is missing and what is not stated are named apart', () => {
  const text = svgOf(LINE, GAPPED)
  const [, path] = /class="line l1" d="([^"]+)"/.exec(text)!
  // Two moves: one line of two points, and a point after the gap.
  assert.equal(path!.match(/M/g)?.length, 2)
  assert.match(text, /Missing: Dec 2024\./)
  assert.match(text, /Not stated: worth for Sep 2024\./)
})

test('the table under a drawing has the digits of the answer, and a dash for a gap', () => {
  const text = svgOf(LINE, GAPPED)
  assert.match(text, /<th scope="row">Jun 2024<\/th><td class="number">\$2,000,000\.50<\/td>/)
  assert.match(text, /<th scope="row">Dec 2024<\/th><td class="number">–<\/td>/)
  assert.match(text, /role="img" aria-labelledby="c-title c-says"/)
  assert.match(text, /<desc id="c-says">5 values, Mar 2024 to Mar 2025\. Worth: least \$1M, most \$3M, last \$3M\./)
  assert.doesNotMatch(text, /style=/)
})

test('one period alone, no value, and only zeros are not drawn', () => {
  for (const rows of [
    [],
    GAPPED.rows.slice(0, 1),
    GAPPED.rows.slice(2, 3),
    [
      { day: '2024-03-31', worth: 0 },
      { day: '2024-06-30', worth: 0 },
    ],
  ])
    assert.deepEqual(draw(LINE, { rows }), [])
  assert.deepEqual(draw(LINE, { rows: 'none' }), [])
  assert.deepEqual(draw(LINE, {}), [])
})

test('people who left are drawn below zero and read without a sign', () => {
  const [flows] = CHARTS.adviser_rep_flows!
  const [drawing] = draw(flows!, {
    byYear: [
      { year: 2025, gained: 2, lost: 3 },
      { year: 2024, gained: 0, lost: 1 },
    ],
  })
  assert.deepEqual(
    drawing!.series.map(({ values }) => values),
    [
      [0, 2],
      [-1, -3],
    ],
  )
  assert.deepEqual(
    drawing!.series.map(({ texts }) => texts),
    [
      ['0', '2'],
      ['1', '3'],
    ],
  )
})

test('the smallest of many parts are one part together, unless the answer may lack some', () => {
  const parts: ChartOf = { title: 'P', draw: 'parts', rows: 'rows', by: 'name', unit: 'count', values: { n: 'N' } }
  const rows = Array.from({ length: 12 }, (_, n) => ({ name: `part ${n}`, n: n + 1 }))
  const [drawing] = draw(parts, { rows })
  assert.deepEqual(drawing!.labels.slice(-2), ['part 5', '5 others'])
  assert.equal(drawing!.series[0]!.values.at(-1), 1 + 2 + 3 + 4 + 5)
  assert.equal(draw({ ...parts, isPart: true }, { rows })[0]!.labels.at(-1), 'part 4')
})

test('states are summed on the map, and what is not on it is named', () => {
  const [drawing] = draw(CHARTS.adv_adviser!.find(({ draw }) => draw === 'states')!, {
    branches: [{ state: 'TX' }, { state: 'TX' }, { state: 'GU' }, { state: null }],
  })
  assert.deepEqual(drawing!.labels, ['TX'])
  assert.deepEqual(drawing!.notes, ['Not on the map: GU 1, not stated 1.'])
})

test('filings are counted by kind, and by the time until they were here, in the order of the times', () => {
  const [kinds] = draw(CHARTS.filings_coverage![0]!, {
    families: [
      { label: 'A', filings: 2 },
      { label: 'B', filings: 7 },
    ],
  })
  assert.deepEqual(kinds!.labels, ['B', 'A'])
  const delays = ['1 minute', '5 minutes', 'more'].map((delay, n) => ({ delay, filing_count: 9 - n }))
  const [times] = draw(CHARTS.status![0]!, { delays })
  assert.deepEqual(times!.labels, ['1 minute', '5 minutes', 'more'])
  assert.deepEqual(draw(CHARTS.status![0]!, { delays: delays.map((each) => ({ ...each, filing_count: null })) }), [])
})

test('a quarter whose holders were not compared says nothing of who began', () => {
  const quarter = (period: string, not_compared_count: number) => ({
    period,
    counts: { holder_count: 3, new_count: 1, closed_count: 1, not_compared_count },
  })
  const quarters = [quarter('2025-12-31', 0), quarter('2025-09-30', 1), quarter('2025-06-30', 3)]
  const [drawing] = draw(CHARTS.security_holders![1]!, { quarters })
  assert.deepEqual(
    drawing!.series.map(({ values }) => values),
    [
      [null, 1, 1],
      [null, -1, -1],
    ],
  )
})

test('insiders’ trades are those at a price, and the oldest quarter of a list with more rows is left out', () => {
  const [chart] = CHARTS.insider_transactions!
  const trade = (transaction_date: string, code: string, price: string | null) => ({
    transaction_date,
    code,
    price,
    shares: '10',
  })
  const transactions = [
    trade('2026-05-06', 'S', '5.25'),
    trade('2026-04-01', 'P', '2'),
    trade('2026-05-07', 'M', '9'),
    trade('2026-05-07', 'S', null),
    trade('2026-02-01', 'P', '1'),
    trade('2025-11-30', 'S', '3'),
  ]
  const labels = (next_cursor: string | null) => draw(chart!, { transactions, next_cursor })[0]!.labels
  assert.deepEqual(labels(null), ['Dec 2025', 'Mar 2026', 'Jun 2026'])
  assert.deepEqual(labels('more'), ['Mar 2026', 'Jun 2026'])
  const [drawing] = draw(chart!, { transactions, next_cursor: null })
  assert.deepEqual(
    drawing!.series.map(({ values }) => values),
    [
      [0, 10, 20],
      [-30, 0, -53],
    ],
  )
})

test('rows that were counted are drawn by month, over a long time by year, and by state on the map', () => {
  const kindOf = (...values: (string | null)[]) => {
    const [chart] = countsChart({ value_counts: values.map((value) => ({ value, count: 2 })) }, 'Rows')
    return (
      chart && [chart.title, draw(chart, { value_counts: values.map((value) => ({ value, count: 2 })) })[0]?.labels]
    )
  }
  assert.deepEqual(kindOf('2026-02', '2025-12'), ['Rows by month', ['Dec 2025', 'Jan 2026', 'Feb 2026']])
  assert.deepEqual(kindOf('2026-02', '2019-12', '2019-11')?.[0], 'Rows by year')
  assert.deepEqual(kindOf('TX', null, 'NY'), ['Rows by state', ['TX', 'NY']])
  assert.equal(kindOf('10-K', '8-K'), undefined)
  assert.deepEqual(countsChart({}, 'Rows'), [])
})

test('figures in another currency than the dollar have its name, and no dollar sign', () => {
  const history = [
    { end_date: '2025-03-31', currency: 'JPY', assets: '300', equity: '100' },
    { end_date: '2024-03-31', currency: 'JPY', assets: '200', equity: null },
    { end_date: '2023-03-31', currency: 'USD', assets: '7', equity: '3' },
  ]
  const assets = CHARTS.company_financials!.find(({ title }) => title === 'Assets and equity')!
  const [drawing] = draw(assets, { period: 'annual', history })
  assert.equal(drawing!.title, 'Assets and equity, by year, in JPY')
  assert.deepEqual(drawing!.series[0]!.texts, ['200', '300'])
  assert.doesNotMatch(svgOf(assets, { period: 'annual', history }), /\$|US dollars/)
  const dollars = history.map((row) => ({ ...row, currency: 'USD' }))
  assert.match(svgOf(assets, { period: 'annual', history: dollars }), /\$300/)
})

test('assets stand at the year of their filing, however many days lie between filings', () => {
  const of = (...days: string[]) =>
    draw(CHARTS.adv_adviser![0]!, {
      filings: days.map((submitted_date) => ({ submitted_date, raum_discretionary: '5' })),
    })[0]!
  // 23 months between the newest filings of two years, and 13 months with a year between them.
  const whole = of('2024-12-20', '2024-03-01', '2023-01-15')
  assert.deepEqual([whole.labels, whole.notes], [['2023', '2024'], []])
  const gapped = of('2025-01-10', '2023-12-20')
  assert.deepEqual([gapped.labels, gapped.notes], [['2023', '2024', '2025'], ['Missing: 2024.']])
})

test('a month without rows between counted months has none, and data does not lack there', () => {
  const answer = { value_counts: ['2024-10', '2025-01'].map((value) => ({ value, count: 2 })) }
  const [drawing] = countsChart(answer, 'Filings').flatMap((chart) => draw(chart, answer))
  assert.match(drawing!.notes.join(), /^No rows: Nov 2024/)
})

test('rows of other countries do not take the map away', () => {
  const answer = {
    value_counts: [
      { value: 'TX', count: 3 },
      { value: 'E9', count: 2 },
      { value: null, count: 1 },
    ],
  }
  const [drawing] = countsChart(answer, 'Filings').flatMap((chart) => draw(chart, answer))
  assert.deepEqual([drawing!.kind, drawing!.labels], ['states', ['TX']])
  assert.deepEqual(drawing!.notes, ['Not on the map: E9 2, not stated 1.'])
})

test('a quarter in which nobody holds a security is not drawn as zero, unless somebody sold it then', () => {
  const quarter = (period: string, holder_count: number, closed_count: number) => ({
    ...{ period, counts: { holder_count, closed_count } },
  })
  const quarters = [quarter('2025-03-31', 0, 0), quarter('2025-06-30', 2, 0), quarter('2025-09-30', 0, 2)]
  const [drawing] = draw(CHARTS.security_holders![0]!, { quarters })
  assert.deepEqual(drawing!.series[0]!.values, [null, 2, 0])
  assert.deepEqual(drawing!.notes, ['Not stated: managers for Mar 2025.'])
})

test('values that lie close together read otherwise on the axis and in the description', () => {
  const rows = ['1.0001', '1.0002', '1.0003', '1.0005'].map((worth, n) => ({ day: `2016-07-0${n + 1}`, worth }))
  const { every: _, ...chart } = LINE
  const text = svgOf({ ...chart, unit: 'USD_per_share' }, { rows })
  const ticks = Array.from(text.matchAll(/text-anchor="end">([^<]+)</g), ([, tick]) => tick)
  assert.equal(new Set(ticks).size, ticks.length)
  assert.match(text, /least \$1\.0001, most \$1\.0005/)
})
