/** Headline figures of releases in the wording of filers; the releases are made up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../../test/support/effort.ts'
import { type Period, periodIn, spanIn } from './earnings.ts'
import { headlinesOf } from './headlines.ts'

const read = (text: string, period: Period | null = 'quarter', end: string | null = null) =>
  Object.fromEntries(headlinesOf(text, { period, periodEnd: end }).map(({ name, value }) => [name, value]))

const SAID: [text: string, figures: Record<string, string>][] = [
  ['For the first quarter of 2007 revenues were $15.3 million, the highest in its history.', { revenue: '15300000' }],
  ['Net sales were $21.1 million in the quarter, a decrease of $2.2 million.', { revenue: '21100000' }],
  ['- Total quarterly revenue of $104.8 million, up 16%', { revenue: '104800000' }],
  ['Acme reported revenue of $1.25 billion and net income of $96 million, or $0.41 per diluted share, for the second quarter.', { revenue: '1250000000', net_income: '96000000', eps_diluted: '0.41' }],
  ['Net income and basic and diluted earnings per share for the first quarter were $0.5 million and $0.01, respectively.', { net_income: '500000', eps_diluted: '0.01' }],
  ['Net income and basic and diluted earnings per share for the third quarter were $6.2 million and $0.09, respectively.', { net_income: '6200000', eps_diluted: '0.09' }],
  ['Net loss for the third quarter was $2.3 million, or $0.04 per share on a basic and diluted basis.', { net_income: '-2300000', eps_diluted: '-0.04' }],
  ['# Acme Reports Revenue of $25.9 Million', { revenue: '25900000' }],
  ['Third-quarter net sales were US$12,345,678.', { revenue: '12345678' }],
] // biome-ignore format: a table

test('figures that a release states in words are read in whole dollars', () => {
  for (const [text, figures] of SAID) assert.deepEqual(read(text), figures, text)
})

test('a figure for a period other than the release’s own is not read', () => {
  assert.deepEqual(read('Revenues for the first half of 2009 were $46.4 million.'), {})
  assert.deepEqual(read('Full year revenue of $420 million, up 22%.'), {})
  assert.deepEqual(read('Revenue for 2006 was a record $67.7 million.'), {})
  assert.deepEqual(read('Revenue for 2006 was a record $67.7 million.', 'year'), { revenue: '67700000' })
  const both = 'Revenues for the second quarter were $21.8 million. Revenues for the first half were $46.4 million.'
  assert.deepEqual(read(both), { revenue: '21800000' })
})

test('a figure of a part of the company, of another kind, or a forecast is not read', () => {
  for (const text of [
    'International revenue was $24 million.',
    'Cloud segment revenue was $26 million.',
    'The Paper division had net income of $4.4 million.',
    'Its Canadian subsidiary earned net income of $4.4 million.',
    'Non-GAAP net income was $5.0 million, or $0.20 per diluted share.',
    'The company expects revenue of $480 million.',
    'The new product generated $3.7 million of sales during the quarter.',
    'Revenue was $15.3.',
  ]) {
    assert.deepEqual(read(text), {}, text)
  }
})

test('a figure that moved "from" one amount "to" another is the second if the sentence gives it the release’s period', () => {
  const year = (text: string) => read(text, 'year', '2024-12-31')
  assert.deepEqual(
    year(
      'Net loss attributable to Specimen narrowed from $7.7 million in 2023 to $4.9 million in 2024. ' +
        'Basic and diluted loss per share improved significantly from $(1.80) to $(0.42).',
    ),
    { net_income: '-4900000', eps_diluted: '-0.42' },
  )
  assert.deepEqual(year('Net sales grew from $18.2 million in 2023 to $21.5 million in 2024.'), { revenue: '21500000' })
  assert.deepEqual(read('Net sales grew from $18.2 million in 2023 to $21.5 million in 2024.'), {}, 'of another period')
  assert.deepEqual(
    read('Revenue rose from $4.1 million in the second quarter of 2023 to $5 million in the second quarter of 2024.'),
    { revenue: '5000000' },
  )
  for (const text of [
    'Adjusted net income grew from $1.1 million in 2023 to $2.2 million in 2024.',
    'Net income is expected to grow from $1.1 million in 2024 to $2.2 million in 2025.',
    'Revenue of the Paper division grew from $1.1 million in 2023 to $2.2 million in 2024.',
    'Revenue of the fund grew from 2023 to 2024.',
  ]) {
    assert.deepEqual(year(text), {}, text)
  }
})

test('a figure in the text takes precedence over the rounded figure in the title', () => {
  const text = '# Acme Reports Revenue of $105 million\n\nTotal revenue was $104.8 million in the third quarter.'
  assert.deepEqual(read(text), { revenue: '104800000' })
})

test('a figure that follows a comparison and "with" is read only if it is said to grow, since it may otherwise be the old one', () => {
  const fell = 'For the quarter, net income was $4.6 million, compared to $3.7 million in the same quarter last year'
  assert.deepEqual(read(`${fell}, with earnings per diluted share growing 24% to $0.46.`), {
    net_income: '4600000',
    eps_diluted: '0.46',
  })
  assert.deepEqual(read(`${fell}, with earnings per diluted share of $0.37.`), { net_income: '4600000' })
})

test('a date that follows the number of a fiscal year is the last day of the quarter', () => {
  const period = (text: string) => periodIn(text, { start: 0, end: text.length }).map(({ value }) => value)
  assert.deepEqual(
    period('Acme announced results for its second quarter of its fiscal year 2018, ended March 31, 2018.'),
    ['quarter', '2018-03-31'],
  )
  assert.deepEqual(period('Acme announced results for its second quarter of its fiscal year, and a plan.'), [])
})

test('a release that names no day gives only the kind of its period', () => {
  const span = (text: string) => spanIn(text, { start: 0, end: text.length }).map(({ name, value }) => [name, value])
  assert.deepEqual(span('Acme today announced financial results for the third quarter of 2010.'), [
    ['period', 'quarter'],
  ])
  assert.deepEqual(span('# Acme Announces Full-Year Results'), [['period', 'year']])
  assert.deepEqual(span('Acme announced a new product.'), [])
})

/** Each text is a whole release: lists, lines without a verb, cents, and losses in parentheses. */
const AS_WRITTEN: [text: string, figures: Record<string, string>][] = [
  ['- Revenue was $1.3 billion, up 4%\n- Net income of $96 million, or $0.42 per diluted share', { revenue: '1300000000', net_income: '96000000', eps_diluted: '0.42' }],
  ['| • | Sales of $715 million, up 3% |\n| --- | --- |', { revenue: '715000000' }],
  ['o Total revenues for the quarter ended April 30, 2011 were $31.6 million', { revenue: '31600000' }],
  ['Acme announced the following results:\n\n- Revenue was $24.7 million and grew 5%\n- Net income was $2.0 million', { revenue: '24700000', net_income: '2000000' }],
  ['- Revenue: $511 million, up 2% from the second quarter of 2018\n- Diluted EPS: $0.61', { revenue: '511000000', eps_diluted: '0.61' }],
  ['Net income was $6.0 million, or $0.09 per share (diluted).', { net_income: '6000000', eps_diluted: '0.09' }],
  ['Acme reported diluted earnings of $1.12 a share.', { eps_diluted: '1.12' }],
  ['Profit per share – diluted was $3.15 in the quarter.', { eps_diluted: '3.15' }],
  ['Diluted earnings per share (“EPS”) rose 5 percent to $.38.', { eps_diluted: '0.38' }],
  ['Net profit was $21 million, or 34 cents per diluted share.', { net_income: '21000000', eps_diluted: '0.34' }],
  ['Net income of $21.3 million, or $0.74 cents per diluted share.', { net_income: '21300000', eps_diluted: '0.74' }],
  ['Net income was $3.8 million or $0.20 per share – diluted.', { net_income: '3800000', eps_diluted: '0.20' }],
  ['GAAP loss per share was $0.19 on a diluted basis.', { eps_diluted: '-0.19' }],
  ['Operating revenue for the 2nd Quarter rose 6.0% to $84.2 million.', { revenue: '84200000' }],
  ['# ACME THIRD QUARTER RESULTS\n\nPRO FORMA NET INCOME UP 12%\n\nNet sales were $59.7 million.', { revenue: '59700000' }],
  ['Net loss was ($2.5) million, or ($0.13) per diluted share.', { net_income: '-2500000', eps_diluted: '-0.13' }],
  ['Net income (loss) was $(2.5) million.', { net_income: '-2500000' }],
  ['Net income (loss) was $2.5 million, or $0.10 per diluted share.', { net_income: '2500000', eps_diluted: '0.10' }],
  ['Net earnings were $5.0 million, or $0.26 and $0.25 per basic and diluted share, respectively.', { net_income: '5000000', eps_diluted: '0.25' }],
  ['Revenues were up 4% in dollars and up 9% in constant currency to $14.8 million.', { revenue: '14800000' }],
  ['Revenue decreased $2.0 million, or 5%, to $38 million. Net loss narrowed to $1.5 million.', { revenue: '38000000', net_income: '-1500000' }],
  ['Acme reported third quarter earnings of $104.5 million, or 17 cents a share.', { net_income: '104500000' }],
  ['Net income available to common stockholders was $4 million. Net income was $5 million.', { net_income: '5000000' }],
  ['Net income available to common stockholders was $4 million.', { net_income: '4000000' }],
] // biome-ignore format: a table

test('lists, lines without a verb, cents, losses in parentheses and profit per share are read', () => {
  for (const [text, figures] of AS_WRITTEN) assert.deepEqual(read(text), figures, text)
})

test('a figure without a period of its own has the period of its heading, of its paragraph or of the line before its list', () => {
  for (const text of [
    'Full Year 2023 Highlights:\n\n- Revenue of $420 million\n- Net income of $20 million',
    '## Full Year Results\n\nRevenue was $420 million.',
    'For the nine months ended September 30, expenses were $40.5 million. Revenue was $100 million.',
    'Acme today announced results for the fourth quarter and year ended December 31, 2023.\n\nRevenue was $420 million.',
    'In the year-ago quarter, revenue was $42 million.',
    'A year ago, Acme reported revenue of $42 million.',
  ]) {
    assert.deepEqual(read(text), {}, text)
  }
  const both =
    'Acme today announced results for the fourth quarter and year ended December 31, 2023.\n\nFourth quarter revenue was $120 million.'
  assert.deepEqual(read(both), { revenue: '120000000' })
})

test('a figure of a quarter of an earlier year is not read, unless that year may be the name of the fiscal year', () => {
  const earlier = 'In the first quarter of 2006, Acme reported revenue of $90 million.'
  assert.deepEqual(read(earlier, 'quarter', '2007-03-31'), {})
  assert.deepEqual(read(earlier.replace('2006', '2007'), 'quarter', '2007-03-31'), { revenue: '90000000' })
  assert.deepEqual(read('In the fourth quarter of fiscal 2006, revenue was $90 million.', 'quarter', '2007-02-03'), {
    revenue: '90000000',
  })
})

test('forecasts, adjusted figures, continuing operations, other currencies and parts of the company are not read, even in lists', () => {
  for (const text of [
    '## Outlook\n\n- Revenue of $480 million\n- Diluted earnings per share of $1.10',
    'For the second quarter Acme expects:\n\n- Revenue of $480 million\n- Net income of $20 million',
    '## Non-GAAP Results\n\n- Net income of $21 million\n- Diluted EPS of $0.52',
    'Income from continuing operations was $35 million, or $0.45 per diluted share.',
    'Funds from operations were $43.6 million, or $0.61 per diluted share.',
    'The quarter included a charge of $5 million, or $0.10 per diluted share.',
    'Net earnings included a tax benefit of $3 million, or $0.10 per diluted share.',
    'Earnings per diluted share before items of $1.05 rose.',
    'Normalized diluted EPS was $1.10. Operating net income was $5 million.',
    'Revenue in Europe for the quarter was $5 million. U.S. sales were $15 million.',
    'In Europe, sales were $42 million. For the Widget segment, revenue was $42 million.',
    'Widget Group: Sales were $42 million. Revenue was $12 million from the Widget line.',
    '## Widgets\n\nSales were $42 million.',
    'Revenue increased 5% due to $3 million of orders. Revenues were $3 million higher.',
    'Net income was $5.0 million lower.',
    'Total revenue was CAD $9 million. Sales were C$12 million. Net income was $3 million Canadian.',
    'Total revenue was TWD $9 million. Net income was $3 million MXN.',
    'All amounts are in Canadian dollars.\n\nRevenue was $9 million.',
  ]) {
    assert.deepEqual(read(text), {}, text)
  }
  const years = 'Net income was $5 million and $4 million, or $0.50 and $0.40 per diluted share, respectively.'
  assert.deepEqual(read(years), { net_income: '5000000' })
})

test('“quarter of the year ended” and a day mean a quarter, and the day counts only if that quarter ends on it', () => {
  const period = (text: string) => periodIn(text, { start: 0, end: text.length }).map(({ value }) => value)
  assert.deepEqual(period('It reports sales for the first quarter of the 2010 fiscal year ended June 30, 2009.'), [
    'quarter',
    '2009-06-30',
  ])
  assert.deepEqual(period('It reports sales for the first quarter of its fiscal year ended June 30, 2009.'), [
    'quarter',
  ])
  assert.deepEqual(period('It reports sales for the fourth quarter of its fiscal year ended June 30, 2009.'), [
    'quarter',
    '2009-06-30',
  ])
  assert.deepEqual(period('It announced results for the three and nine months ended September 30, 2020.'), [
    'quarter',
    '2020-09-30',
  ])
  assert.deepEqual(period('It announced results for the fifty-three weeks ended January 3, 2009.'), [
    'year',
    '2009-01-03',
  ])
  assert.deepEqual(
    period('Acme reported third quarter 2012 earnings. For the nine months ended September 30, 2012, earnings fell.'),
    ['quarter'],
  )
  assert.deepEqual(
    period('It announced results for the first quarter of fiscal year 2020, which ended March 31, 2020.'),
    ['quarter', '2020-03-31'],
  )
})

test('a release of a million characters is read in bounded time', async () => {
  for (const unit of [
    'for the quarter ended of the year ',
    'revenue increased by 5% ',
    '- Revenue of\n',
    '1',
    '($',
    'net income attributable to ',
  ]) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    await assertQuick(unit, () => {
      headlinesOf(text, { period: 'quarter', periodEnd: '2020-03-31' })
      periodIn(text, { start: 0, end: text.length })
    })
  }
})
