/**
 * Finds headline figures that only the release's statement of operations has. Returns none if its column, unit or row
 * is uncertain.
 */
import type { Period } from './earnings.ts'
import type { Fact, FactName } from './fact.ts'
import { moved } from './headlines.ts'

const TITLE = /\bstatements? of (?:consolidated )?(?:operations|income|earnings|loss)\b/i
/** Words of another kind of statement, of a part of the company, or of another currency. */
const OTHER =
  /\b(?:non-GAAP|adjusted|pro forma|reconcil\w+|segment|consolidating|parent|supplement\w*|comprehensive|combined|predecessor|successor|restated|forecast|guidance|as a percent\w*)\b|[€£¥]|\b(?:euros?|yen|RMB|yuan|pounds|Canadian|Australian|pesos?|NT\$|HK\$|C\$|A\$|rupees?)\b/i
/** Maximum distance between a table and the title and unit above it. */
const ABOVE_MAX = 400
/** "Non-GAAP" may stand before the title or after it. */
const BEFORE_MAX = 120
const TABLES_MAX = 60
const ROWS_MAX = 80

const UNIT: readonly (readonly [RegExp, number])[] = [
  [/\b(?:in|amounts in|dollars in|\$ in|\$)\s?(?:thousands|000[’']?s)\b/i, 3],
  [/\b(?:in|amounts in|dollars in|\$ in|\$)\s?millions\b/i, 6],
]
const SPAN: readonly (readonly [Period, RegExp])[] = [
  ['quarter', /\b(?:three months|quarter|(?:thirteen|fourteen|13|14)[- ]weeks?)\b/i],
  ['half_year', /\b(?:six months|(?:twenty-six|26)[- ]weeks?)\b/i],
  ['nine_months', /\b(?:nine months|(?:thirty-nine|39)[- ]weeks?)\b/i],
  ['year', /\b(?:twelve months|(?:fiscal |full )?years? ended|(?:fifty-two|fifty-three|52|53)[- ]weeks?)\b/i],
]
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

const REVENUE = /^(?:total )?(?:net )?(?:operating )?(?:revenues?|sales)(?:, net)?$/i
const TOTAL = /^total /i
const NET_INCOME =
  /^(?:consolidated )?net (?:income|earnings|loss|(?:income|earnings) \(loss\)|\(loss\) (?:income|earnings))$/i
const EARNED = '(?:net )?(?:income|earnings|loss|(?:income|earnings) \\(loss\\)|\\(loss\\) (?:income|earnings))'
const A_SHARE = '(?: (?:and|per)(?: (?:common|equivalent))?)? ?(?:per (?:common )?share)'
const DILUTED = new RegExp(
  `^(?:(?:basic and )?diluted ${EARNED}${A_SHARE}|${EARNED}${A_SHARE}[ ,:–—-]{1,3}\\(?(?:basic and )?(?:assuming )?(?:diluted|dilution)\\)?)$`,
  'i',
)
const OF_SHARES = new RegExp(`^(?:basic and diluted )?${EARNED}${A_SHARE}:?$`, 'i')
/** With these rows a statement has several incomes, and the release may mean any of them. */
const SEVERAL =
  /\b(?:noncontrolling|non-controlling|minority|attributable|preferred|available to|applicable to|participating|cumulative effect)\b/i
const CONTINUING = /\b(?:continuing|discontinued)\b|^class [a-c]\b/i

interface Row {
  cells: string[]
  start: number
  end: number
}

/**
 * @param stated figures in the words of the release. A statement that contradicts them is of another period
 * @returns figures that are not stated in words, from the first column if that is the period's
 */
export function statementOf(markdown: string, period: Period, periodEnd: string, stated: readonly Fact[]): Fact[] {
  for (const rows of tablesOf(markdown)) {
    const above = markdown.slice(Math.max(0, rows[0]!.start - ABOVE_MAX), rows[0]!.start)
    const heads = rows.slice(0, headsOf(rows))
    const title = `${above.slice(above.lastIndexOf('|') + 1)}\n${heads.map(({ cells }) => cells.join(' ')).join('\n')}`
    const from = title.search(TITLE)
    if (
      (from < 0 && !isSummary(rows.slice(heads.length))) ||
      OTHER.test(title.slice(Math.max(0, from - BEFORE_MAX))) ||
      !isFirstOf(heads, period, periodEnd)
    )
      continue
    // A table without a title has its unit in its head.
    const digits = unitOf(from < 0 ? heads.map(({ cells }) => cells.join(' ')).join('\n') : title.slice(from))
    if (digits === null) continue
    const facts = figuresOf(rows.slice(heads.length), digits)
    if (stated.some((one) => facts.some((fact) => fact.name === one.name && !agree(one.value, fact.value)))) return []
    return facts.filter(({ name }) => !stated.some((one) => one.name === name))
  }
  return []
}

/** Tests for a short table with one row for each headline figure, and no similar rows. */
const isSummary = (rows: readonly Row[]): boolean =>
  [REVENUE, NET_INCOME, DILUTED].every(
    (label) => rows.filter(({ cells }) => label.test(labelOf(cells))).length === 1,
  ) && !rows.some(({ cells }) => OTHER.test(cells.join(' ')))

function* tablesOf(markdown: string): Generator<Row[]> {
  let rows: Row[] = []
  let found = 0
  for (let start = 0; start <= markdown.length && found < TABLES_MAX; ) {
    const next = markdown.indexOf('\n', start)
    const end = next < 0 ? markdown.length : next
    if (markdown[start] === '|') rows.push({ cells: [], start, end })
    else if (rows.length > 0) {
      found++
      if (rows.length > 3)
        yield rows.slice(0, ROWS_MAX).map((row) => ({ ...row, cells: cellsOf(markdown.slice(row.start, row.end)) }))
      rows = []
    }
    start = end + 1
  }
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, line.endsWith('|') ? -1 : undefined)
    .split('|')
    .map((cell) =>
      cell
        .replace(/[*_`\\]/g, '')
        .replace(/\(\d\)\s*$/, '')
        .trim(),
    )

/** Returns the rows above the first with an amount in its first column. */
const headsOf = (rows: readonly Row[]): number => {
  const first = rows.findIndex(({ cells }) => amountOf(cells[1] ?? '') !== null && !/^(?:19|20)\d\d$/.test(cells[1]!))
  const at = first < 0 ? rows.length : first
  // A row that introduces those below has no amounts either: "Revenues:".
  const named = rows
    .slice(0, at)
    .findIndex(
      ({ cells }, i) =>
        i > 0 && !/^:?-+:?$/.test(cells[0]!) && cells[0] !== '' && cells.slice(1).every((cell) => cell === ''),
    )
  return named < 0 ? at : named
}

const HEAD_WORD =
  /\b(?:for|the|and|ended|unaudited|gaap|actual|as|reported|fiscal|first|second|third|fourth|quarter|three|six|nine|twelve|thirteen|fourteen|twenty|thirty|fifty|two|months?|weeks?|years?|jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|january|february|march|april|august|september|october|november|december)\b/gi

/** Tests whether the first column is of the period: only its span, its day and its year stand above it. */
function isFirstOf(heads: readonly Row[], period: Period, periodEnd: string): boolean {
  const [year, month, day] = periodEnd.split('-')
  const text = heads.map(({ cells }) => `${cells[0] ?? ''} ${cells[1] ?? ''}`).join(' ')
  // A column of a segment, or of adjusted figures, has such a heading.
  if (
    /[a-z]{3}/i.test(
      heads
        .map(({ cells }) => cells[1] ?? '')
        .join(' ')
        .replace(HEAD_WORD, ''),
    )
  )
    return false
  const spans = SPAN.filter(([, pattern]) => pattern.test(text))
  const days = [...text.matchAll(/\b([A-Z][a-z]{2})[a-z]*\.? (\d{1,2})\b/g)]
  const years = [...text.matchAll(/\b(?:19|20)\d\d\b/g)].map(([said]) => said)
  const isDay = ([, name, number]: RegExpMatchArray) =>
    MONTHS.indexOf(name!) + 1 === Number(month) && Number(number) === Number(day)
  return (
    spans.length === 1 &&
    spans[0]![0] === period &&
    days.length > 0 &&
    days.every(isDay) &&
    years.length > 0 &&
    years.every((one) => one === year)
  )
}

/**
 * Takes the first unit of the title, which is that of dollars: "in millions, except shares, which are in thousands".
 */
function unitOf(title: string): number | null {
  const found = UNIT.map(([pattern, digits]) => ({ at: pattern.exec(title)?.index ?? -1, digits })).filter(
    ({ at }) => at >= 0,
  )
  return found.sort((a, b) => a.at - b.at)[0]?.digits ?? null
}

function figuresOf(rows: readonly Row[], digits: number): Fact[] {
  const facts: Fact[] = []
  const put = (name: FactName, found: readonly Row[], scale: number) => {
    const values = found.map((row) => amountIn(row, scale)).filter((value) => value !== null)
    if (found.length !== 1 || values.length !== 1) return
    facts.push({ name, value: values[0]!, start: found[0]!.start, end: found[0]!.end })
  }
  const labelled = (pattern: RegExp) =>
    rows.filter(({ cells }) => pattern.test(labelOf(cells)) && amountOf(cells[1] ?? '') !== null)
  const revenue = labelled(REVENUE)
  const total = revenue.filter(({ cells }) => TOTAL.test(labelOf(cells)))
  const alone = revenue.filter((row) => isBeforeCosts(rows, row))
  put('revenue', total.length > 0 ? total : revenue.length === alone.length ? alone : [], digits)
  if (rows.some(({ cells }) => SEVERAL.test(cells[0] ?? ''))) return facts
  put('net_income', labelled(NET_INCOME), digits)
  if (rows.some(({ cells }) => CONTINUING.test(cells[0] ?? ''))) return facts
  put('eps_diluted', [...labelled(DILUTED), ...underShares(rows)], 0)
  return facts
}

/**
 * Tests whether costs follow the row, as they follow total revenue. A line "Sales" above "Rental income" and "Total" is
 * only part of it.
 */
function isBeforeCosts(rows: readonly Row[], row: Row): boolean {
  const next = rows.slice(rows.indexOf(row) + 1).find(({ cells }) => cells[0] !== '')
  return next !== undefined && COSTS.test(next.cells[0]!)
}
const COSTS = /\b(?:costs?|expenses?|purchases|research|selling|salaries|compensation|depreciation)\b/i

const labelOf = (cells: readonly string[]) => (cells[0] ?? '').replace(/(?<![:.\s])[:.\s]+$/, '')

/** Returns "Diluted" below "Net income per share:", before the next row that introduces others. */
function underShares(rows: readonly Row[]): Row[] {
  const at = rows.findIndex(({ cells }) => OF_SHARES.test(cells[0] ?? '') && amountOf(cells[1] ?? '') === null)
  if (at < 0) return []
  const rest = rows.slice(at + 1)
  const end = rest.findIndex(({ cells }) => amountOf(cells[1] ?? '') === null)
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .filter(({ cells }) => /^[-–—]?\s?(?:diluted|assuming dilution)$/i.test(labelOf(cells)))
}

const amountOf = (cell: string): string | null =>
  /^\$?\s?\(?\s?\$?\s?(?:\d[\d,]*(?:\.\d+)?|\.\d+)\s?\)?$/.test(cell) && !/^\d{1,2}$/.test(cell) ? cell : null

function amountIn({ cells }: Row, digits: number): string | null {
  const amount = amountOf(cells[1]!)!
  const number = /(?:\d[\d,]*(?:\.\d+)?|\.\d+)/.exec(amount)![0]
  // A per-share figure has cents; a figure in thousands has none.
  if (digits === 0 && !/\.\d\d\d?$/.test(number)) return null
  const value = moved(number, digits)
  if (value === null || /^[0.]+$/.test(value)) return null
  const isLoss = amount.includes('(') || /^(?:basic and )?(?:diluted )?(?:net )?loss\b/i.test(cells[0]!)
  return isLoss ? `-${value}` : value
}

/** Tests whether words round the statement's figure. */
const agree = (said: string, full: string): boolean =>
  Math.abs(Number(said) - Number(full)) <= Math.abs(Number(full)) * 0.06
