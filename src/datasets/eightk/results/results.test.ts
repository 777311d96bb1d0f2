/** Results in whole filings: the document that contains the release, and the periods for which it states figures. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerWith } from '../../../../test/support/filing-made.ts'
import { markdownOfHtml } from '../../../read/html.ts'
import { parse } from '../filing.ts'
import type { CurrentReport } from '../sections.ts'

type Rows = Record<string, Record<string, unknown>[]>

/** Returns the rows of a report from HTML documents with their types. */
async function read(...documents: [type: string, html: string][]): Promise<Rows> {
  const texts = documents.map(([type, html], i) => ({
    entry: { seq: i + 1, type, filename: `document${i + 1}.htm`, description: null, mediaType: 'text/html' },
    text: async () => ({ format: 'markdown', markdown: markdownOfHtml(html) }),
  }))
  const filing = {
    documents: { texts },
    header: headerWith({
      form: '8-K',
      filedDate: '2026-01-29',
      items: ['Results of Operations and Financial Condition'],
    }),
    tell() {},
  } as unknown as CurrentReport // the parser uses nothing else of a document
  const rows: Rows = {}
  for await (const [table, row] of parse(filing)) {
    rows[table] = [...(rows[table] ?? []), row as Record<string, unknown>]
  }
  return rows
}

const ITEM = '<p><b>Item 2.02 Results of Operations and Financial Condition.</b></p>'
const figures = ({ fact = [] }: Rows) =>
  fact.flatMap(({ name, value, period }) => (period === null ? [] : [`${period} ${name} ${value}`]))

test('a release that names a quarter without its last day has the day above a column of a table', async () => {
  const release = (head: string) =>
    `<p>Specimen Power announced its results for the fourth quarter.</p><p>Revenues for the quarter were $2.2 billion.</p>
     <table><tr><td>Quarter ended</td><td>${head}</td></tr><tr><td>Loans</td><td>4,100</td></tr>
     <tr><td>Deposits</td><td>4,200</td></tr><tr><td>Assets</td><td>9,100</td></tr></table>`
  const earningsWith = async (head: string) => (await read(['8-K', ITEM], ['EX-99.1', release(head)])).earnings![0]!
  const dated = await earningsWith('December 31, 2025')
  assert.deepEqual([dated.period, dated.period_end, dated.revenue], ['quarter', '2025-12-31', '2200000000'])
  assert.equal((await earningsWith('March 31, 2026')).period_end, null)
})

test('in a release on a quarter and a year, each figure has its own period', async () => {
  const rows = await read(
    ['8-K', `${ITEM}<p>The Company issued a press release with its results for the fourth quarter, Exhibit 99.1.</p>`],
    [
      'EX-99.1',
      `<p>Specimen Power today reported earnings of $12.5 million, or 30 cents per diluted share, for the three months ended
       December 31, 2025. Revenues for the quarter were $2.2 billion.</p>
       <p>For the year 2025, Specimen Power earned $60 million, or $1.40 a share, on revenues of $9.1 billion.</p>`,
    ],
  )
  assert.deepEqual(figures(rows), [
    'quarter net_income 12500000',
    'quarter eps_diluted 0.30',
    'quarter revenue 2200000000',
    'year revenue 9100000000',
    'year net_income 60000000',
  ])
  const [earnings] = rows.earnings!
  assert.deepEqual(
    [earnings!.period, earnings!.period_end, earnings!.revenue, earnings!.net_income, earnings!.eps_diluted],
    ['quarter', '2025-12-31', '2200000000', '12500000', '0.30'],
  )
})

test('a figure of the year never replaces a missing figure of the quarter', async () => {
  const rows = await read(
    ['8-K', `${ITEM}<p>The results for the quarter ended December 31, 2025 are in Exhibit 99.1.</p>`],
    ['EX-99.1', '<p>Net income for the year ended December 31, 2025 was $60.0 million.</p>'],
  )
  assert.deepEqual(figures(rows), ['year net_income 60000000'])
  assert.equal(rows.earnings![0]!.net_income, null)
})

test('a statement of operations gives figures for each period that the heads of its columns name', async () => {
  const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  const statement = `<p>Statements of Operations</p><p>(In thousands, except per share data)</p><table>
    <tr><td></td><td colspan="2">Three Months Ended December 31,</td><td colspan="2">Year Ended December 31,</td></tr>
    ${row('', '2025', '2024', '2025', '2024')}${row('Revenues', '$107,300', '$99,100', '$400,000', '$380,000')}
    ${row('Cost of sales', '80,000', '70,000', '300,000', '280,000')}
    ${row('Net loss', '(6,120)', '(4,000)', '(20,000)', '(10,000)')}</table>`
  const rows = await read(
    ['8-K', `${ITEM}<p>The results for the quarter ended December 31, 2025 are in Exhibit 99.1.</p>`],
    ['EX-99.1', statement],
  )
  assert.deepEqual(figures(rows), [
    'quarter revenue 107300000',
    'quarter net_income -6120000',
    'year revenue 400000000',
    'year net_income -20000000',
  ])
})

test('an amount per share that a company “lost” is negative', async () => {
  const rows = await read(
    ['8-K', `${ITEM}<p>The results for the quarter ended December 31, 2025 are in Exhibit 99.1.</p>`],
    ['EX-99.1', '<p>Specimen lost $6.1 million, or $0.12 per diluted share, in the fourth quarter of 2025.</p>'],
  )
  assert.deepEqual(figures(rows), ['quarter net_income -6100000', 'quarter eps_diluted -0.12'])
})

test('a figure that names no period belongs only to the release’s main period', async () => {
  const rows = await read(
    ['8-K', `${ITEM}<p>The results for the quarter ended December 31, 2025 are in Exhibit 99.1.</p>`],
    ['EX-99.1', '<p>Net income was $4.0 million, or $0.40 per diluted share.</p>'],
  )
  assert.deepEqual(figures(rows), ['quarter net_income 4000000', 'quarter eps_diluted 0.40'])
})

const WITHIN = `${ITEM}<p>The results for the quarter ended December 31, 2025 are in Exhibit 99.1.</p>
  <p><b>Item 9.01 Financial Statements and Exhibits.</b></p><p>(d) Exhibit 99.1 Press release</p>`
const RELEASE = '<p>Specimen Bank reported net income of $4.2 million, or $0.42 per diluted share, for the quarter.</p>'

test('a release after the signatures of the report is read, with its position in that document', async () => {
  const html = `${WITHIN}<p>SIGNATURES</p><p>By: /s/ A. Sample</p><p>Exhibit 99.1</p>${RELEASE}`
  const rows = await read(['8-K', html])
  assert.deepEqual(figures(rows), ['quarter net_income 4200000', 'quarter eps_diluted 0.42'])
  const [earnings] = rows.earnings!
  assert.deepEqual([earnings!.release_sequence, earnings!.release_exhibit], [1, '99.1'])
  const { text } = markdownOfHtml(html)
  for (const { start, stop, sentence, sequence, period } of rows.fact!) {
    if (period === null) continue
    assert.equal(sequence, 1)
    assert.equal(text.slice(Number(start), Number(stop)), sentence)
    assert.match(String(sentence), /^Specimen Bank reported net income/)
  }
})

test('the text after the items is a release only after signatures and with the heading of an exhibit', async () => {
  assert.deepEqual(figures(await read(['8-K', `${WITHIN}<p>SIGNATURES</p><p>By: /s/ A. Sample</p>${RELEASE}`])), [])
  assert.deepEqual(figures(await read(['8-K', `${WITHIN}<p>Exhibit 99.1</p>${RELEASE}`])), [])
})

test('a submitted exhibit takes precedence over a release after the signatures', async () => {
  const html = `${WITHIN}<p>SIGNATURES</p><p>Exhibit 99.1</p>${RELEASE}`
  const rows = await read(['8-K', html], ['EX-99.1', '<p>Net income for the quarter was $7.0 million.</p>'])
  assert.deepEqual(figures(rows), ['quarter net_income 7000000'])
})

const NO_PERIOD = `${ITEM}<p>The Company issued a press release, Exhibit 99.1.</p>`
const tr = (cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
const sheet = (...heads: string[][]) =>
  `<table>${[
    ...heads,
    ['Net sales', '$210,112', '$199,030'],
    ['Cost of sales', '120,291', '111,083'],
    ['Net income', '$27,679', '$20,118'],
    ['Diluted earnings per share', '$0.72', '$0.54'],
  ]
    .map(tr)
    .join('')}</table>`
const UNIT = '<p>(in thousands, except per share data)</p>'
/** Returns period, last day and figures of a release, and what was left out. */
async function resultsWith(html: string): Promise<unknown[]> {
  const { earnings, filing } = await read(['8-K', NO_PERIOD], ['EX-99.1', `<p>Specimen Power Reports</p>${html}`])
  const { period, period_end, revenue, net_income, eps_diluted } = earnings![0]!
  return [period, period_end, revenue, net_income, eps_diluted, filing![0]!.left_out]
}

test('a release whose words name no period has the period in the heads of its table of results', async () => {
  const all = ['quarter', '2025-12-31', '210112000', '27679000', '0.72', []]
  for (const [title, ...heads] of [
    ['Financial Highlights', ['', 'Three Months Ended December 31, 2025', 'Three Months Ended December 31, 2024']],
    ['Summary of Results', ['', 'Three Months Ended December 31,', ''], ['', '2025', '2024']],
  ] as const)
    assert.deepEqual(await resultsWith(`<p><b>${title}</b></p>${UNIT}${sheet(...heads.map((one) => [...one]))}`), all)
  // No column ends shortly before the filing.
  const old = sheet(['', 'Three Months Ended June 30, 2025', 'Three Months Ended June 30, 2024'])
  const none = [null, null, null, null, null, ['period_end', 'revenue']]
  assert.deepEqual(await resultsWith(`<p><b>Statements of Income</b></p>${UNIT}${old}`), none)
})

test('columns headed only by years have the period of the line that announces the table', async () => {
  const years = sheet(['', '2025', '2024'])
  const quarter = ['quarter', '2025-12-31', '210112000', '27679000', '0.72', []]
  for (const above of [
    '<p>Results for the three months ended December 31, 2025 and 2024 were as follows (in thousands, except per share data):</p>',
    `<p>The following table has results for the three months ended December 31, 2025 and 2024 (in thousands).</p><p><b>Financial Highlights</b></p>`,
    `<p>For the three months ended December 31, 2025 and 2024</p><p><b>Consolidated Statements of Income</b></p>${UNIT}`,
  ])
    assert.deepEqual(await resultsWith(`${above}${years}`), quarter, above)
  const year = '<p>Results for the years ended December 31, 2025 and 2024 (in thousands):</p>'
  assert.deepEqual((await resultsWith(`${year}${years}`)).slice(0, 3), ['year', '2025-12-31', '210112000'])
})

test('a table of results whose period is uncertain is left out, and the report says so', async () => {
  const years = sheet(['', '2025', '2024'])
  const figures = async (html: string) => (await resultsWith(html)).slice(2)
  const none = [null, null, null, ['revenue']]
  // In the first case the sentence does not announce the table. In the second it names two spans. In the third its year
  // is not the newest year of the heads.
  const apart = `<p>Specimen Power reported results for the quarter ended December 31, 2025.</p><p><b>Statements of Income</b></p>${UNIT}`
  assert.deepEqual(await figures(`${apart}${years}`), none)
  const two = '<p>Results for the quarter and the year ended December 31, 2025 were as follows (in thousands):</p>'
  assert.deepEqual(await figures(`${two}${years}`), none)
  const fiscal = '<p>Results for the three months ended December 31, 2025 (in thousands):</p>'
  assert.deepEqual(await figures(`${fiscal}${sheet(['', '2026', '2025'])}`), none)
  assert.deepEqual(await resultsWith(`<p><b>Statements of Income</b></p>${UNIT}${years}`), [
    ...[null, null, null, null, null],
    ['period_end', 'revenue'],
  ])
})

test('an amount without a unit has the unit of the line above its list, and a small number without a unit is not read as dollars', async () => {
  const said = '<p>Specimen Power reported results for the quarter ended December 31, 2025.</p>'
  const list = (...points: string[]) => `<ul>${points.map((one) => `<li>${one}</li>`).join('')}</ul>`
  const figures = async (html: string) => (await resultsWith(`${said}${html}`)).slice(2, 4)
  const points = list('Revenue of $1,234.5 for the quarter', 'Net income of $127.6 for the quarter')
  assert.deepEqual(await figures(`<p>($ in millions)</p>${points}`), ['1234500000', '127600000'])
  assert.deepEqual(await figures(points), [null, null])
  const whole = list('Revenue of $210,112 for the quarter', 'Net income of $27,679 for the quarter')
  assert.deepEqual(await figures(`<p>(in thousands)</p>${whole}`), ['210112000', '27679000'])
  const dollars = list('Revenue of $987,654 for the quarter', 'Net income of $1,234,567.89 for the quarter')
  assert.deepEqual(await figures(dollars), ['987654', '1234567.89'])
  // An amount of a million or more may be in dollars in spite of the line "in thousands". The unit of a table does not
  // apply below the table.
  assert.deepEqual(await figures(`<p>(in thousands)</p>${list('Revenue of $1,234,567 for the quarter')}`), [null, null])
  const table = `<p>(in thousands)</p><table>${tr(['Assets', '1,234'])}${tr(['Debt', '1,234'])}</table>`
  assert.deepEqual((await figures(`${table}${dollars}`))[0], '987654')
})
