/** Statements of operations as releases show them; the companies and figures are made up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../test/support/effort.ts'
import type { Period } from './earnings.ts'
import type { Fact } from './fact.ts'
import { statementOf } from './statements.ts'

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

const read = (text: string, period: Period = 'quarter', end = '2020-03-31', stated: Fact[] = []) =>
  Object.fromEntries(statementOf(text, period, end, stated).map(({ name, value }) => [name, value]))

test('revenue, net income and diluted earnings are those of the first column, in the unit of the title', () => {
  assert.deepEqual(read(shown(HEAD)), ALL)
  assert.deepEqual(read(shown('|  | Three Months Ended |  |\n|  | March 31, 2020 | March 31, 2019 |')), ALL)
  const millions = shown(HEAD, undefined, undefined, '(In millions, except shares, which are in thousands)')
  assert.equal(read(millions).revenue, '210112000000')
  const evidence = statementOf(shown(HEAD), 'quarter', '2020-03-31', []).map(({ start, end }) =>
    shown(HEAD).slice(start, end),
  )
  assert.equal(evidence[1], '| Net income | $27,679 | $20,118 |')
})

test('a column of another year, day or span is not read', () => {
  for (const head of [
    '| Three months ended March 31, | 2019 | 2020 |',
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

test('a table without a unit, in other money, adjusted, of a part or of another title is not read', () => {
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

test('takes no headline where several incomes or revenues stand', () => {
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

test('a loss is negative, by its label or in parentheses', () => {
  const loss = ROWS.replace('| Net income | $27,679', '| Net loss | $(27,679)')
    .replace('| Earnings per share:', '| Net loss per share:')
    .replace('| Diluted | $0.72', '| Diluted | $(0.72)')
  assert.deepEqual(read(shown(HEAD, loss)), { ...ALL, net_income: '-27679000', eps_diluted: '-0.72' })
  const label = ROWS.replace('| Net income | $27,679', '| Net loss | 27,679')
  assert.equal(read(shown(HEAD, label)).net_income, '-27679000')
})

test('skips a statement that contradicts the release, and does not read again what the release has', () => {
  const said = (value: string): Fact[] => [{ name: 'revenue', value, start: 0, end: 1 }]
  assert.deepEqual(read(shown(HEAD), 'quarter', '2020-03-31', said('210000000')), {
    net_income: '27679000',
    eps_diluted: '0.72',
  })
  assert.deepEqual(read(shown(HEAD), 'quarter', '2020-03-31', said('310000000')), {})
})

test('a table of a million signs is read at once', async () => {
  await assertQuick('tables', () => {
    read(shown(HEAD, '| Net income per share per share | 1 | 2 |\n'.repeat(25_000)))
    read(`| ${'net income '.repeat(90_000)} | 1 |\n`.repeat(4))
  })
})

test('a short table without a title is read where it has each headline once, its unit and the period in its head', () => {
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
