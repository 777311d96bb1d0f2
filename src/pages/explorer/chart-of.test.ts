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

test('a line ends at a gap, and missing periods are named separately from values that are not stated', () => {
  const text = svgOf(LINE, GAPPED)
  const [, path] = /class="line l1" d="([^"]+)"/.exec(text)!
  // The path has two M commands: a line of two points, and a point after the gap.
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

test('a single period, no values, or only zeros result in no drawing', () => {
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

test('people who left are drawn below zero, but their number has no minus sign', () => {
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

test('the smallest of many parts are combined into one, unless the answer may lack some parts', () => {
  const parts: ChartOf = { title: 'P', draw: 'parts', rows: 'rows', by: 'name', unit: 'count', values: { n: 'N' } }
  const rows = Array.from({ length: 12 }, (_, n) => ({ name: `part ${n}`, n: n + 1 }))
  const [drawing] = draw(parts, { rows })
  assert.deepEqual(drawing!.labels.slice(-2), ['part 5', '5 others'])
  assert.equal(drawing!.series[0]!.values.at(-1), 1 + 2 + 3 + 4 + 5)
  assert.equal(draw({ ...parts, isPart: true }, { rows })[0]!.labels.at(-1), 'part 4')
})

test('values of a state are summed on the map, and codes that are not on the map are named', () => {
  const [drawing] = draw(CHARTS.adv_adviser!.find(({ draw }) => draw === 'states')!, {
    branches: [{ state: 'TX' }, { state: 'TX' }, { state: 'GU' }, { state: null }],
  })
  assert.deepEqual(drawing!.labels, ['TX'])
  assert.deepEqual(drawing!.notes, ['Not on the map: GU 1, not stated 1.'])
})

test('filings are counted by kind, and by the time from acceptance to loading, shortest time first', () => {
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

test('a quarter whose holders were not compared shows neither new nor closed positions', () => {
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

test('only insiders’ trades with a price are drawn, and the oldest quarter is left out if the list has more rows', () => {
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

test('a trade that two filings report counts once', () => {
  const [chart] = CHARTS.insider_transactions!
  const trade = { code: 'P', price: '2', shares: '10' }
  const transactions = [
    { ...trade, accession: 'A', joint: ['B'], transaction_date: '2026-05-06' },
    { ...trade, accession: 'B', joint: ['A'], transaction_date: '2026-05-06' },
    { ...trade, accession: 'C', joint: ['D'], transaction_date: '2026-02-06' },
  ]
  assert.deepEqual(draw(chart!, { transactions, next_cursor: null })[0]!.series[0]!.values, [20, 20])
})

test('counted rows are drawn by month, by year if they cover a long time, and by state on the map', () => {
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

test('figures in a currency other than the dollar have the name of the currency, and no dollar sign', () => {
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

test('assets are drawn at the year of their filing, however many days are between filings', () => {
  const of = (...days: string[]) =>
    draw(CHARTS.adv_adviser![0]!, {
      filings: days.map((submitted_date) => ({ submitted_date, raum_discretionary: '5' })),
    })[0]!
  // The newest filings of two consecutive years may be 23 months apart. Filings with a whole year between them may be
  // only 13 months apart.
  const whole = of('2024-12-20', '2024-03-01', '2023-01-15')
  assert.deepEqual([whole.labels, whole.notes], [['2023', '2024'], []])
  const gapped = of('2025-01-10', '2023-12-20')
  assert.deepEqual([gapped.labels, gapped.notes], [['2023', '2024', '2025'], ['Missing: 2024.']])
})

test('a month without rows between counted months is reported as having no rows, not as missing data', () => {
  const answer = { value_counts: ['2024-10', '2025-01'].map((value) => ({ value, count: 2 })) }
  const [drawing] = countsChart(answer, 'Filings').flatMap((chart) => draw(chart, answer))
  assert.match(drawing!.notes.join(), /^No rows: Nov 2024/)
})

test('the map is drawn even if some rows are of other countries', () => {
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

test('values that are close together have distinct labels on the axis and in the description', () => {
  const rows = ['1.0001', '1.0002', '1.0003', '1.0005'].map((worth, n) => ({ day: `2016-07-0${n + 1}`, worth }))
  const { every: _, ...chart } = LINE
  const text = svgOf({ ...chart, unit: 'USD_per_share' }, { rows })
  const ticks = Array.from(text.matchAll(/text-anchor="end">([^<]+)</g), ([, tick]) => tick)
  assert.equal(new Set(ticks).size, ticks.length)
  assert.match(text, /least \$1\.0001, most \$1\.0005/)
})

test('each kind of compensation has a mark for each year of filing: filled, a ring, or none', () => {
  const ticks = CHARTS.adv_adviser!.find(({ draw }) => draw === 'ticks')!
  const filings = [
    { submitted_date: '2024-03-01', comp_hourly: false, comp_pct_aum: true, comp_fixed: null },
    { submitted_date: '2025-03-01', comp_hourly: true, comp_pct_aum: true, comp_fixed: null },
  ]
  const [drawing] = draw(ticks, { filings })
  assert.deepEqual(drawing!.labels, ['2024', '2025'])
  assert.deepEqual(
    drawing!.series.map(({ label, texts }) => [label, ...texts]),
    [
      ['A share of the assets', 'Yes', 'Yes'],
      ['By the hour', 'No', 'Yes'],
    ],
  )
  const text = svgOf(ticks, { filings })
  assert.equal(text.match(/<circle class="s1"/g)?.length, 3)
  assert.equal(text.match(/<circle class="ring"/g)?.length, 1)
  assert.match(text, /By the hour: No, Yes\./)
  // The drawing has the names, so it needs no legend.
  assert.doesNotMatch(text, /class="legend"/)
  assert.deepEqual(draw(ticks, { filings: filings.slice(1) }), [])
})

test('a money market fund has one bar for each month: the last filed of two reports counts, and other funds are left out', () => {
  const [months] = CHARTS.nmfp_detail!
  const report = (period: string, filed_date: string, net_assets: string, series_id = 'S1') => ({
    ...{ period, filed_date, net_assets, series_id },
  })
  const [drawing] = draw(months!, {
    filing: report('2026-01-31', '2026-02-06', '30'),
    other_filings: [
      report('2025-12-31', '2026-01-06', '10'),
      report('2025-12-31', '2026-01-20', '20'),
      report('2025-12-31', '2026-01-20', '99', 'S2'),
    ],
  })
  assert.deepEqual(drawing!.labels, ['Dec 2025', 'Jan 2026'])
  assert.deepEqual(drawing!.series[0]!.values, [20, 30])
})

test('for each kind of filing, the chart shows by how many days its newest filing is older than the newest of all kinds', () => {
  const [drawing] = draw(CHARTS.filings_coverage![1]!, {
    families: [
      { label: 'Form D', newest_filed_date: '2026-01-31' },
      { label: '8-K', newest_filed_date: '2026-01-01' },
      { label: 'N-CEN', newest_filed_date: '2025-12-31' },
      { label: 'Form 25', newest_filed_date: null },
    ],
  })
  assert.deepEqual(drawing!.labels, ['N-CEN', '8-K'])
  assert.deepEqual(drawing!.series[0]!.values, [31, 30])
})

test('separately managed accounts are drawn by kind of asset at the end of the year', () => {
  const chart = CHARTS.adv_adviser!.find(({ unit }) => unit === 'percent')!
  const details = { '5K(1)(a)(i)MID': '10', '5K(1)(a)(i)EOY': '60', '5K(1)(a)vi)EOY': '40', FilingID: '1' }
  const [drawing] = draw(chart, {
    sma: [
      { part: '5K3', details: null },
      { part: '5K1', details },
    ],
  })
  assert.deepEqual(drawing!.labels, ['Exchange-traded shares', 'Investment-grade bonds of companies'])
  assert.deepEqual(drawing!.series[0]!.texts, ['60%', '40%'])
})
