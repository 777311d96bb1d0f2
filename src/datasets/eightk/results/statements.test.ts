/** Statements of operations in the layout of releases; the companies and figures are made up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../../test/support/effort.ts'
import { markdownOfText } from '../../../read/plain.ts'
import type { Fact } from '../facts/fact.ts'
import type { Period } from './earnings.ts'
import { hasResultsTable, lastDayIn, statementOf } from './statements.ts'

const ROWS = `| Net sales | $210,112 | $199,030 |
| Cost of sales | 120,291 | 111,083 |
| Income before taxes | 37,271 | 27,196 |
| Net income | $27,679 | $20,118 |
| Earnings per share: |  |  |
| Basic | $0.73 | $0.55 |
| Diluted | $0.72 | $0.54 |
| Shares used: |  |  |
| Diluted | 38,443 | 37,255 |`

const shown = (
  head: string,
  rows = ROWS,
  title = 'CONSOLIDATED STATEMENTS OF INCOME',
  unit = '(In thousands, except per share data)',
) => `## ${title}\n\n${unit}\n\n${head}\n| --- | ---: | ---: |\n${rows}\n`
const HEAD = '| Three months ended March 31, | 2020 | 2019 |'
const ALL = { revenue: '210112000', net_income: '27679000', eps_diluted: '0.72' }

const FILED = '2020-05-05'
const read = (text: string, period: Period = 'quarter', periodEnd: string | null = '2020-03-31', stated: Fact[] = []) =>
  Object.fromEntries(
    statementOf(text, { period, periodEnd, filedDate: FILED }, stated).map(({ name, value }) => [name, value]),
  )

test('revenue, net income and diluted earnings come from the first column, in the unit of the title', () => {
  assert.deepEqual(read(shown(HEAD)), ALL)
  assert.deepEqual(read(shown('|  | Three Months Ended |  |\n|  | March 31, 2020 | March 31, 2019 |')), ALL)
  const millions = shown(HEAD, undefined, undefined, '(In millions, except shares, which are in thousands)')
  assert.equal(read(millions).revenue, '210112000000')
  const known = { period: 'quarter', periodEnd: '2020-03-31', filedDate: FILED } as const
  const evidence = statementOf(shown(HEAD), known, []).map(({ start, end }) => shown(HEAD).slice(start, end))
  assert.equal(evidence[1], '| Net income | $27,679 | $20,118 |')
})

test('if the text names no day, a day above the first column that is a few months before the filing counts', () => {
  assert.deepEqual(read(shown(HEAD), 'quarter', null), { period_end: '2020-03-31', ...ALL })
  const known = { period: 'quarter', periodEnd: null, filedDate: FILED } as const
  const [day] = statementOf(shown(HEAD), known, [])
  assert.equal(shown(HEAD).slice(day!.start, day!.end).split('\n')[0], HEAD)
  for (const head of [
    '| Three months ended June 30, | 2020 | 2019 |',
    '| Twelve months ended March 31, | 2020 | 2019 |',
    '| Three months ended March 31 and June 30, | 2020 | 2019 |',
    '| Three months ended February 31, | 2020 | 2019 |',
  ]) {
    assert.deepEqual(read(shown(head), 'quarter', null), {}, head)
  }
})

test('if a release states no last day of its quarter, the newest day above a column of three months is taken', () => {
  const dayIn = (...heads: string[]) =>
    lastDayIn(heads.map((head) => shown(head, ROWS, 'SUMMARY')).join('\n'), { period: 'quarter', filedDate: FILED })
  const compared = '| Three months ended | March 31, 2020 | December 31, 2019 |'
  assert.equal(dayIn('| Three months ended December 31, | 2019 | 2018 |', compared)?.value, '2020-03-31')
  assert.equal(dayIn(compared, '| Three months ended December 31, | 2019 | 2018 |')?.value, '2020-03-31')
  const text = shown(HEAD, ROWS, 'SUMMARY')
  const found = lastDayIn(text, { period: 'quarter', filedDate: FILED })
  assert.equal(text.slice(found!.start, found!.end).split('\n')[0], HEAD)
  for (const head of [
    '| Three months ended June 30, | 2020 | 2019 |',
    '| Three months ended December 31, | 2019 | 2018 |',
    '| Nine months ended March 31, | 2020 | 2019 |',
    '| Three months ended March 31, 2020 | Widgets | Total |',
  ])
    assert.equal(dayIn(head), null, head)
})

test('the first row may state the unit of a short table, if it has no amounts', () => {
  const rows = '| Total revenue | $20,856 |\n| Net income | 5,750 |\n| Diluted earnings per common share | 1.38 |'
  const unit = (row: string) => `| Quarter ended | March 31, 2020 |\n| --- | ---: |\n${row}\n${rows}\n`
  assert.deepEqual(read(unit('| Statement data ($ in millions) |  |')), {
    revenue: '20856000000',
    net_income: '5750000000',
    eps_diluted: '1.38',
  })
  assert.deepEqual(read(unit('| Loans ($ in millions) | 4,500 |')), {})
})

test('a column for another year, day or span, for a part of the company, or with adjusted figures is not read', () => {
  for (const head of [
    '| Three months ended June 30, | 2020 | 2019 |',
    '| Six months ended March 31, | 2020 | 2019 |',
    '| Three and six months ended March 31, | 2020 | 2019 |',
    '| Period ended March 31, | 2020 | 2019 |',
    '|  | 2020 | 2019 |',
    '| Three months ended March 31, 2020 | Widgets | Total |',
    '| Three months ended March 31, | 2020 Adjusted | 2019 |',
  ]) {
    assert.deepEqual(read(shown(head)), {}, head)
  }
  assert.deepEqual(read(shown(HEAD), 'year'), {})
  assert.deepEqual(read(shown(HEAD), 'quarter', '2020-03-28'), {})
})

test('the column of the period is read in any place; if two columns have the period, neither is read', () => {
  const second = { revenue: '199030000', net_income: '20118000', eps_diluted: '0.54' }
  assert.deepEqual(read(shown('| Three months ended March 31, | 2019 | 2020 |')), second)
  const heads = [
    '|  | Year ended March 31, | Three months ended March 31, |\n|  | 2020 | 2020 |',
    '| March 31, 2020 | Twelve months | Three months |',
  ]
  for (const head of heads) {
    assert.deepEqual(read(shown(head)), second, head)
    assert.deepEqual(read(shown(head), 'year'), ALL, head)
  }
  // A title over two columns is in the cell above the first of these columns.
  const wide = ROWS.replace(/^\| ([^|]*) \| ([^|]*) \| ([^|]*) \|$/gm, '| $1 | 9 | 8 | $2 | $3 |')
  const spanning = '|  | Year ended March 31, |  | Three months ended March 31, |  |\n|  | 2020 | 2019 | 2020 | 2019 |'
  assert.deepEqual(read(shown(spanning, wide)), ALL)
  assert.deepEqual(read(shown('| Three months ended March 31, | 2020 | 2020 |')), {})
  // A column without a head states percentages of sales.
  const shares = ROWS.replace(/^\| ([^|]*) \| ([^|]*) \|/gm, '| $1 | $2 | 7.5 |')
  assert.deepEqual(read(shown('| Three months ended March 31, | 2020 |  | 2019 |', shares)), ALL)
})

test('a minus sign means a loss, and the unit of thousands is read in several wordings', () => {
  const minus = ROWS.replace('$27,679', '-27,679').replace('$0.72', '−0.72')
  assert.deepEqual(read(shown(HEAD, minus)), { ...ALL, net_income: '-27679000', eps_diluted: '-0.72' })
  for (const unit of ['($000s, except per share)', '(000’s omitted)', '(dollars in thousands)', '(In 000s)'])
    assert.equal(read(shown(HEAD, undefined, undefined, unit)).revenue, '210112000', unit)
})

test('a table is not read if it has no unit, is in another currency, has adjusted figures, is about a part of the company or has another title', () => {
  assert.deepEqual(read(shown(HEAD, undefined, undefined, '(unaudited)')), {})
  assert.deepEqual(read(shown(HEAD, undefined, undefined, '(In thousands of Canadian dollars)')), {})
  for (const title of [
    'NON-GAAP STATEMENTS OF INCOME',
    'SEGMENT STATEMENTS OF INCOME',
    'CONDENSED CONSOLIDATING STATEMENTS OF INCOME',
    'PRO FORMA STATEMENTS OF INCOME',
    'STATEMENTS OF CASH FLOWS',
    'SELECTED DATA',
  ]) {
    assert.deepEqual(read(shown(HEAD, undefined, title)), {}, title)
  }
})

test('income or revenue is not read if several rows may state it', () => {
  const minority = ROWS.replace(
    '| Earnings per',
    '| Net income attributable to noncontrolling interests | 95 | 49 |\n| Earnings per',
  )
  assert.deepEqual(read(shown(HEAD, minority)), { revenue: '210112000' })
  const discontinued = ROWS.replace(
    '| Net income |',
    '| Income from continuing operations | $20,000 | $20,118 |\n| Net income |',
  )
  assert.deepEqual(read(shown(HEAD, discontinued)), { revenue: '210112000', net_income: '27679000' })
  assert.equal(
    read(shown(HEAD, ROWS.replace('| Cost of', '| Net sales | 5,000 | 4,000 |\n| Cost of'))).revenue,
    undefined,
  )
  const total = ROWS.replace('| Net sales |', '| Sales | 200,000 | 190,000 |\n| Total revenues |')
  assert.equal(read(shown(HEAD, total)).revenue, '210112000')
  const part = ROWS.replace('| Cost of', '| Rental income | 9,000 | 8,000 |\n| Total | 219,112 | 207,030 |\n| Cost of')
  assert.equal(read(shown(HEAD, part)).revenue, undefined)
  const costs = ROWS.replace('| Cost of', '| Costs and expenses: |  |  |\n| Cost of')
  assert.equal(read(shown(HEAD, costs)).revenue, '210112000')
})

test('an amount is negative if its label says that it is a loss, or if it is in parentheses', () => {
  const loss = ROWS.replace('| Net income | $27,679', '| Net loss | $(27,679)')
    .replace('| Earnings per share:', '| Net loss per share:')
    .replace('| Diluted | $0.72', '| Diluted | $(0.72)')
  assert.deepEqual(read(shown(HEAD, loss)), { ...ALL, net_income: '-27679000', eps_diluted: '-0.72' })
  const label = ROWS.replace('| Net income | $27,679', '| Net loss | 27,679')
  assert.equal(read(shown(HEAD, label)).net_income, '-27679000')
})

test('a statement that contradicts the release is skipped, and figures stated in the release are not read again', () => {
  const said = (value: string): Fact[] => [{ name: 'revenue', value, start: 0, end: 1 }]
  assert.deepEqual(read(shown(HEAD), 'quarter', '2020-03-31', said('210000000')), {
    net_income: '27679000',
    eps_diluted: '0.72',
  })
  assert.deepEqual(read(shown(HEAD), 'quarter', '2020-03-31', said('310000000')), {})
})

test('a table of a million characters is read in bounded time', async () => {
  await assertQuick('tables', () => {
    read(shown(HEAD, '| Net income per share per share | 1 | 2 |\n'.repeat(25_000)))
    read(`| ${'net income '.repeat(90_000)} | 1 |\n`.repeat(4))
  })
})

test('a short table without a title is read if it has each headline figure once, and unit and period in its head', () => {
  const rows = [
    '|  | Three Months Ended March 31, |  | Six Months Ended March 31, |  |',
    '| --- | ---: | ---: | ---: | ---: |',
    '| (in thousands, except per share data) | 2020 | 2019 | 2020 | 2019 |',
    '| Total revenues | 210,112 | 199,030 | 402,100 | 372,300 |',
    '| Net income (loss) | (6,120) | 4,000 | 44,880 | 30,000 |',
    '| Diluted earnings (loss) per share | $(0.12) | $0.08 | $0.88 | $0.60 |',
  ]
  const of = (...replaced: [from: string, to: string][]) =>
    read(`Results:\n\n${replaced.reduce((text, [from, to]) => text.replace(from, to), rows.join('\n'))}\n`)
  assert.deepEqual(of(), { revenue: '210112000', net_income: '-6120000', eps_diluted: '-0.12' })
  assert.deepEqual(of(['(in thousands, except per share data)', '']), {})
  assert.deepEqual(of(['Net income (loss)', 'Adjusted net income']), {})
  assert.deepEqual(of(['Net income (loss)', 'Operating income']), {})
  assert.deepEqual(of(['March 31, |', 'June 30, |']), {})
})

test('a short table may name only the quarter of the release, and may have rows of adjusted figures', () => {
  const of = (head: string, title = 'Specimen Reports First Quarter 2020 Results', more = '') =>
    read(
      `## ${title}\n\n(dollars in millions, except per share)\n\n|  | ${head} |\n| --- | ---: | ---: |\n| Revenue | $107.3 | $99.1 |\n${more}| Net income | $6.1 | $4.0 |\n| Diluted EPS | $0.12 | $0.08 |\n`,
    )
  const first = { revenue: '107300000', net_income: '6100000', eps_diluted: '0.12' }
  for (const head of ['Q1 2020 | Q1 2019', '1Q20 | 1Q19', 'First Quarter 2020 | First Quarter 2019', 'Q1’20 | Q1’19'])
    assert.deepEqual(of(head), first, head)
  assert.deepEqual(of('Q1 2019 | Q1 2020'), { revenue: '99100000', net_income: '4000000', eps_diluted: '0.08' })
  assert.deepEqual(of('Q1 2020 | Q1 2019', undefined, '| Adjusted EBITDA | $20.1 | $18.0 |\n'), first)
  assert.deepEqual(of('Q2 2020 | Q2 2019'), {})
  assert.deepEqual(of('Q1 2020 Adjusted | Q1 2020 Budget'), {})
  // The column is uncertain if the release names no quarter, or the table has a heading on adjusted figures.
  assert.deepEqual(of('Q1 2020 | Q1 2019', 'Specimen Reports Results'), {})
  assert.deepEqual(of('Q1 2020 | Q1 2019', undefined, '| Non-GAAP results: |  |  |\n'), {})
})

test('the quarter of a comparison is not the release’s quarter, and a column next to a later quarter’s column is not read', () => {
  const of = (words: string, head: string) =>
    read(
      `## ${words}\n\n(dollars in millions, except per share)\n\n|  | ${head} |\n| --- | ---: | ---: |\n| Revenue | $107.3 | $99.1 |\n| Net income | $6.1 | $4.0 |\n| Diluted EPS | $0.12 | $0.08 |\n`,
      'quarter',
      '2020-12-31',
    )
  const first = { revenue: '107300000', net_income: '6100000', eps_diluted: '0.12' }
  for (const words of [
    'Specimen Reports Fourth Quarter and Full Year 2020 Results\n\nRevenue was up 8% from the fourth quarter of 2019.',
    'Specimen Reports Fourth Quarter and Fiscal Year 2020 Results',
    'Revenue was up 8% compared with the fourth quarter of 2019 in Q4 2020',
  ])
    assert.deepEqual(of(words, 'Q4 2020 | Q4 2019'), first, words)
  for (const [words, head] of [
    ['Specimen Reports Results, up 8% from the fourth quarter of 2019', 'Q4 2020 | Q4 2019'],
    ['Results for the Quarter Ended December 31, 2020. Revenue grew 8% from Q3 2020', 'Q4 2020 | Q3 2020'],
    ['Results for the Quarter Ended December 31, 2020. Revenue grew 8% over last year’s Q4 2019', 'Q4 2020 | Q4 2019'],
    // The words name a quarter and do not show whether it is a comparison, and a head names a later quarter or year.
    ['Specimen Reports Results: Q3 2020 was passed', 'Q4 2020 | Q3 2020'],
    ['Specimen Reports Results: Q4 2019 was passed', '2020 | Q4 2019'],
  ] as const)
    assert.deepEqual(of(words, head), {}, words)
})

/**
 * A release as plain text. The older quarter is in the first column, and spaces separate some dollar signs from their
 * amounts.
 */
const asText = (...head: string[]) => `CONSOLIDATED STATEMENTS OF OPERATIONS
(in thousands, except per share data)

${head.join('\n')}
Revenue                      $ 1,100.0     $ 1,204.5
Cost of revenue                  600.0         700.0
Net income                   $    90.0     $   100.1
Diluted earnings per share   $    0.47     $    0.52
`
const YEARS = '                                2019          2020'

test('a statement in plain text is read, with the older quarter first and an empty line below its head', () => {
  const figures = { revenue: '1204500', net_income: '100100', eps_diluted: '0.52' }
  const span = '                             Three months ended March 31,'
  const two = ['                               Three months ended', '                                   March 31,']
  for (const head of [
    [span, YEARS],
    [span, YEARS, ''],
    [...two, YEARS, ''],
  ])
    assert.deepEqual(read(markdownOfText(asText(...head)).text), figures, head.join('\n'))
})

test('a statement in plain text whose columns are not certain counts as a table of results', () => {
  const uncertain = markdownOfText(asText('          Three months ended March 31, 2020 and 2019')).text
  assert.deepEqual([read(uncertain), hasResultsTable(uncertain)], [{}, true])
  assert.equal(hasResultsTable(uncertain.replace('OPERATIONS', 'FINANCIAL POSITION')), false)
  assert.equal(hasResultsTable(uncertain.replace('CONSOLIDATED', 'ADJUSTED')), false)
  assert.equal(hasResultsTable(uncertain.replace(/Net income|Diluted/g, 'Another')), false)
  assert.equal(hasResultsTable(uncertain.replace(/```\s*$/, '')), false, 'preformatted text without an end')
  const second = `\`\`\`\nOther lines\n\`\`\`\n\n${uncertain}`
  assert.equal(hasResultsTable(second), true)
})
