/**
 * Finds headline figures that only the statement of operations in the release has. Returns no figure whose column, unit
 * or row is uncertain.
 */

import { MONTHS } from '../../../read/prose/dates.ts'
import type { Fact, FactName } from '../facts/fact.ts'
import type { Period } from './earnings.ts'
import { moved } from './headlines.ts'

const TITLE = /\bstatements? of (?:consolidated )?(?:operations|income|earnings|loss)\b/i
/** Words of another kind of statement, of a part of the company, or of another currency. */
const OTHER =
  /\b(?:non-GAAP|adjusted|pro forma|reconcil\w+|segment|consolidating|parent|supplement\w*|comprehensive|combined|predecessor|successor|restated|forecast|guidance|as a percent\w*)\b|[€£¥]|\b(?:euros?|yen|RMB|yuan|pounds|Canadian|Australian|pesos?|NT\$|HK\$|C\$|A\$|rupees?)\b/i
/** Maximum distance between a table and the title and unit above it. */
const ABOVE_MAX = 400
/**
 * Number of characters before the title that are searched for words of `OTHER`: "Non-GAAP" may stand before the title
 * or after it.
 */
const BEFORE_MAX = 120
const TABLES_MAX = 60
const ROWS_MAX = 80

const UNIT: readonly (readonly [RegExp, number])[] = [
  [/(?:\bin|\$)\s?(?:thousands|000[’']?s)\b|(?<![\d,.])000[’']?s\s(?:omitted|of dollars)\b/i, 3],
  [/(?:\bin|\$)\s?millions\b/i, 6],
]
const SPAN: readonly (readonly [Period, RegExp])[] = [
  ['quarter', /\b(?:three months|quarter|(?:thirteen|fourteen|13|14)[- ]weeks?)\b/i],
  ['half_year', /\b(?:six months|(?:twenty-six|26)[- ]weeks?)\b/i],
  ['nine_months', /\b(?:nine months|(?:thirty-nine|39)[- ]weeks?)\b/i],
  ['year', /\b(?:twelve months|(?:fiscal |full )?years? ended|(?:fifty-two|fifty-three|52|53)[- ]weeks?)\b/i],
]
const SHORT_MONTHS = MONTHS.map((month) => month.slice(0, 3))

const REVENUE = /^(?:GAAP )?(?:total )?(?:net )?(?:operating )?(?:revenues?|sales)(?:, net)?$/i
const TOTAL = /^total /i
const NET_INCOME =
  /^(?:GAAP )?(?:consolidated )?net (?:income|earnings|loss|(?:income|earnings) \(loss\)|\(loss\) (?:income|earnings))$/i
const EARNED = '(?:net )?(?:income|earnings|loss|(?:income|earnings) \\(loss\\)|\\(loss\\) (?:income|earnings))'
const A_SHARE = '(?: (?:and|per)(?: (?:common|equivalent))?)? ?(?:per (?:common )?share)'
const DILUTED = new RegExp(
  `^(?:GAAP )?(?:(?:basic and )?diluted (?:EPS|${EARNED}${A_SHARE})|${EARNED}${A_SHARE}[ ,:–—-]{1,3}\\(?(?:basic and )?(?:assuming )?(?:diluted|dilution)\\)?|EPS[ ,:–—-]{1,3}\\(?diluted\\)?|${EARNED} per diluted (?:common )?share)$`,
  'i',
)
const OF_SHARES = new RegExp(`^(?:basic and diluted )?${EARNED}${A_SHARE}:?$`, 'i')
/** Words of rows which show that a statement has several incomes. The release may mean any of these incomes. */
const SEVERAL =
  /\b(?:noncontrolling|non-controlling|minority|attributable|preferred|available to|applicable to|participating|cumulative effect)\b/i
const CONTINUING = /\b(?:continuing|discontinued)\b|^class [a-c]\b/i

interface Row {
  cells: string[]
  start: number
  end: number
}

/** Facts about the results that the caller knows before it reads the statement. */
export interface Known {
  period: Period
  /** The last day of the period; null if the release names none in words. */
  periodEnd: string | null
  filedDate: string
}

/**
 * @param stated figures in the words of the release. If the statement contradicts one of these figures, the statement
 *   covers another period, and nothing is returned
 * @returns figures that are not stated in words, from the only column for the period; also the last day of the period
 *   if it was unknown
 */
export function statementOf(markdown: string, known: Known, stated: readonly Fact[]): Fact[] {
  for (const table of resultsTablesIn(markdown)) {
    const { rows, heads, title, from, above } = table
    const column = columnOf(heads, known, quarterNamedIn(markdown))
    if (column === null) continue
    // A table without a title states its unit in its head, or in the lines above the table.
    const named = [...heads, ...rows.slice(heads.length, heads.length + 1).filter(isTitleRow)]
      .map(({ cells }) => cells.join(' '))
      .join('\n')
    const digits =
      from < 0 ? (unitOf(`${lastLineOf(above)}\n${named}`) ?? onlyUnitOf(above)) : unitOf(title.slice(from))
    if (digits === null) continue
    const facts = figuresOf(rows.slice(heads.length), { column: column.at, digits, isShort: from < 0 })
    if (stated.some((one) => facts.some((fact) => fact.name === one.name && !agree(one.value, fact.value)))) return []
    const dated: Fact[] = known.periodEnd
      ? []
      : [{ name: 'period_end', value: column.day, start: rows[0]!.start, end: heads.at(-1)!.end }]
    const missing = facts.filter(({ name }) => !stated.some((one) => one.name === name))
    return [...dated, ...missing.map((fact) => ({ ...fact, period: known.period }))]
  }
  return []
}

interface ResultsTable {
  rows: readonly Row[]
  heads: readonly Row[]
  /** Text between the previous table and this table. */
  above: string
  title: string
  /** Position of the title of a statement of operations in `title`; -1 for a short table of headline figures. */
  from: number
}

/**
 * Returns statements of operations and short tables of headline figures. Tables of adjusted figures, and of a part of
 * the company, are left out.
 */
function* resultsTablesIn(markdown: string): Generator<ResultsTable> {
  for (const rows of tablesOf(markdown)) {
    const text = markdown.slice(Math.max(0, rows[0]!.start - ABOVE_MAX), rows[0]!.start)
    const above = text.slice(text.lastIndexOf('|') + 1)
    const own = rows.slice(0, headsOf(rows))
    const title = `${above}\n${own.map(({ cells }) => cells.join(' ')).join('\n')}`
    const from = title.search(TITLE)
    if (from < 0 && !isSummary(rows.slice(own.length))) continue
    if (OTHER.test(title.slice(Math.max(0, from - BEFORE_MAX)))) continue
    yield { rows, heads: withPeriodAbove(own, above), above, title, from }
  }
}

/** Tests whether a release has a table of results, from which figures should have been read. */
export const hasResultsTable = (markdown: string): boolean =>
  !resultsTablesIn(markdown).next().done || hasPreformatted(markdown)

/** Returns the label of a preformatted line with numbers after wide blanks or dots; an empty text for another line. */
function labelOfLine(line: string): string {
  const [label = '', ...rest] = line.trim().split(/ {2,}|\.{2,}/)
  return rest.some((part) => /\d/.test(part)) ? label.trim() : ''
}

/** Maximum number of lines of a preformatted text that are searched for rows. */
const PREFORMATTED_MAX = 200

/**
 * Tests for a statement of operations that is preformatted text and not a table, so that its columns are uncertain. The
 * title is above the text or in its first lines, and two of its lines are revenue, net income or diluted earnings.
 */
function hasPreformatted(markdown: string): boolean {
  for (let at = markdown.indexOf(FENCE); at >= 0; ) {
    const end = markdown.indexOf(`\n${FENCE}`, at)
    if (end < 0) return false
    const lines = markdown.slice(at, end).split('\n', PREFORMATTED_MAX)
    const labels = lines.map(labelOfLine)
    const first = labels.findIndex((label) => label !== '')
    const title = `${markdown.slice(Math.max(0, at - ABOVE_MAX), at)}\n${lines.slice(0, first).join('\n')}`
    const from = title.search(TITLE)
    const isOfOther = OTHER.test(title.slice(Math.max(0, from - BEFORE_MAX)))
    const rows = [REVENUE, NET_INCOME, DILUTED].filter((label) => labels.some((words) => label.test(words)))
    if (from >= 0 && !isOfOther && rows.length > 1) return true
    at = markdown.indexOf(FENCE, end + FENCE.length + 1)
  }
  return false
}
const FENCE = '```'

/**
 * Returns the period of a release that names no period in words. The period is read from the heads of the first table
 * of results that shows a quarter, or else only one other span, whose last day is shortly before the filing.
 */
export function periodShownIn(markdown: string, filedDate: string): Fact[] {
  for (const { rows, heads } of resultsTablesIn(markdown)) {
    const found = SPAN.flatMap(([period]) => {
      const column = columnOf(heads, { period, periodEnd: null, filedDate }, null)
      return column && daysSince(column.day, filedDate) <= SOON_DAYS ? [{ period, day: column.day }] : []
    })
    const one = found.find(({ period }) => period === 'quarter') ?? (found.length === 1 ? found[0] : undefined)
    if (!one) continue
    const span = { start: rows[0]!.start, end: heads.at(-1)!.end }
    return [
      { name: 'period', value: one.period, ...span },
      { name: 'period_end', value: one.day, ...span },
    ]
  }
  return []
}

const MONTH_DAY = new RegExp(String.raw`\b((?:${SHORT_MONTHS.join('|')})[a-z]*\.? \d{1,2})\b`, 'g')
/** Words of a sentence that announces the table below it. */
const ANNOUNCES = /\b(?:following|below|table|as follows)\b|:$/i

/**
 * Returns the heading with a period above a table, or the sentence with a period that announces the table. Only titles
 * and units may come between that line and the table.
 */
function periodLineOf(above: string): string | null {
  const lines = above
    .split('\n')
    .map((line) => line.replace(/[#*_`]/g, '').trim())
    .filter((line) => line !== '')
  for (const line of lines.reverse()) {
    const isTitle = line.length <= LINE_MAX && !/\.$/.test(line)
    if (/\bended\b/i.test(line)) return isTitle || ANNOUNCES.test(line) ? line : null
    if (!isTitle) return null
  }
  return null
}

/**
 * Adds the span and the day of the line above to heads that have only years. Adds nothing if the line names two spans
 * or two days. The newest year of the heads must be the newest year of the line, since a quarter of fiscal 2026 may end
 * in 2025.
 */
function withPeriodAbove(heads: readonly Row[], above: string): readonly Row[] {
  const [first, ...rest] = heads
  const words = heads.flatMap(({ cells }) => cells).filter((cell) => !/^:?-+:?$|^\(?(?:unaudited|in )/i.test(cell))
  const years = words.filter((cell) => /^(?:19|20)\d\d$/.test(cell)).sort()
  const line = periodLineOf(above)
  if (!first || line === null || years.length === 0 || words.some((cell) => /\d/.test(cell) && !years.includes(cell)))
    return heads
  const spans = SPAN.flatMap(([, pattern]) => pattern.exec(line)?.[0] ?? [])
  const days = new Set([...line.matchAll(MONTH_DAY)].map(([, day]) => day!))
  const named = (line.match(/\b(?:19|20)\d\d\b/g) ?? []).sort()
  if (spans.length !== 1 || days.size !== 1 || named.at(-1) !== years.at(-1)) return heads
  const label = `${spans[0]} ended ${[...days][0]}, ${first.cells[0] ?? ''}`
  return [{ ...first, cells: [label, ...first.cells.slice(1)] }, ...rest]
}

/**
 * Returns the last day of the period for a release that names a quarter without its day. This is the newest day above a
 * column of the given period (`period`), among the heads of all tables. Columns of comparison have earlier days, and
 * columns of forecasts have later days.
 */
export function lastDayIn(markdown: string, { period, filedDate }: Omit<Known, 'periodEnd'>): Fact | null {
  let last: Fact | null = null
  for (const rows of tablesOf(markdown)) {
    const heads = rows.slice(0, headsOf(rows))
    const width = heads.reduce((most, { cells }) => Math.max(most, cells.length), 0)
    for (let at = 1; at < width; at++) {
      const day = dayOf(heads, at, { period, periodEnd: null, filedDate })
      if (day === null || daysSince(day, filedDate) > SOON_DAYS || (last !== null && day <= last.value)) continue
      last = { name: 'period_end', value: day, start: rows[0]!.start, end: heads.at(-1)!.end }
    }
  }
  return last
}
/**
 * Maximum number of days between the last day of a period and the filing. If a release shows no column of its own
 * quarter, its newest day is a quarter older: at least 105 days before the filing.
 */
const SOON_DAYS = 100

/**
 * Tests for a short table with one row for each headline figure. The table may have rows of adjusted figures, but no
 * heading on adjusted figures. It must name neither another currency nor a part of the company, such as a segment.
 */
const isSummary = (rows: readonly Row[]): boolean =>
  [REVENUE, NET_INCOME, DILUTED].every(
    (label) => rows.filter(({ cells }) => label.test(labelOf(cells))).length === 1,
  ) &&
  !rows.some(({ cells }) => {
    const hasAmount = cells.slice(1).some((cell) => amountOf(cell) !== null)
    return OTHER.test(hasAmount ? cells.join(' ').replace(ADJUSTED, '') : cells.join(' '))
  })
const ADJUSTED = /\b(?:non-GAAP|adjusted)\b/gi

/** Tests for a row that only introduces the rows below: "Income statement ($ in millions)". */
const isTitleRow = ({ cells }: Row): boolean => cells.slice(1).every((cell) => cell === '')

const lastLineOf = (text: string): string => {
  const line = text.trimEnd().split('\n').at(-1)!
  return line.length <= LINE_MAX ? line : ''
}
/** Maximum length of the line with the unit above a table. */
const LINE_MAX = 160

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

/** Returns the number of rows above the first row with an amount. */
const headsOf = (rows: readonly Row[]): number => {
  const first = rows.findIndex(({ cells }) =>
    cells.slice(1).some((cell) => amountOf(cell) !== null && !/^(?:19|20)\d\d$/.test(cell)),
  )
  const at = first < 0 ? rows.length : first
  // A row that introduces the rows below has no amounts either, but it is not a head: "Revenues:".
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

/**
 * Maximum time between the end of a period and the report: real reports follow after some weeks, at most five months.
 */
const REPORTED_MAX_DAYS = 150

/**
 * Returns the only column whose heads name one day, one year, and the span of the period (such as three months). Also
 * returns that day. Returns null if no column, or more than one, is for the period. If the day of the period is
 * unknown, the day above the column must precede the filing by at most five months.
 */
function columnOf(heads: readonly Row[], known: Known, quarter: string | null): { at: number; day: string } | null {
  const width = heads.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const dayAt = (at: number) => dayOf(heads, at, known) ?? dayOfQuarter(heads, at, known, quarter)
  const found = Array.from({ length: width }, (_, at) => ({ at, day: at === 0 ? null : dayAt(at) }))
  const [column, other] = found.flatMap(({ at, day }) => (day === null ? [] : [{ at, day }]))
  return column && !other ? column : null
}

/**
 * Returns the words above a column. A title over several columns is in the cell above the first of these columns. A
 * title with a year applies to one column only, since a column without a head next to it has percentages.
 */
function wordsAbove(heads: readonly Row[], at: number): string[] {
  return heads.map(({ cells }) => {
    const title = cells[at] || (cells.slice(1, at).findLast((cell) => cell !== '') ?? '')
    return title === cells[at] || !/\b(?:19|20)\d\d\b/.test(title) ? title : ''
  })
}

function dayOf(heads: readonly Row[], at: number, { period, periodEnd, filedDate }: Known): string | null {
  const above = wordsAbove(heads, at)
  // A word that is not in `HEAD_WORD` means a column of a segment, or a column of adjusted figures.
  if (/[a-z]{3}/i.test(above.join(' ').replace(HEAD_WORD, ''))) return null
  const text = heads.map(({ cells }, i) => `${cells[0] ?? ''} ${above[i]}`).join(' ')
  const spans = SPAN.filter(([, pattern]) => pattern.test(text))
  if (spans.length !== 1 || spans[0]![0] !== period) return null
  const days = [...text.matchAll(/\b([A-Z][a-z]{2})[a-z]*\.? (\d{1,2})\b/g)].map(
    ([, name, number]) => `${two(SHORT_MONTHS.indexOf(name!) + 1)}-${two(Number(number))}`,
  )
  const years = [...text.matchAll(/\b(?:19|20)\d\d\b/g)].map(([said]) => said)
  if (new Set(days).size !== 1 || new Set(years).size !== 1) return null
  const day = `${years[0]}-${days[0]}`
  return (periodEnd === null ? isReportedSoon(day, filedDate) : day === periodEnd) ? day : null
}

/** Matches "Q4 2025", "4Q25", "Fourth Quarter of Fiscal 2025" */
const QUARTER =
  /\b(?:Q([1-4])|([1-4])Q|(first|second|third|fourth)[- ]quarter)(?:,?\s(?:and|&)\s(?:full|fiscal|whole)[- ](?:fiscal[- ])?year)?(?:\s(?:of\s)?|[’'-])?(?:the\s)?(?:fiscal\s(?:year\s)?|FY\s?)?[’']?(?:20)?(\d\d)\b/gi
const ORDINALS = ['first', 'second', 'third', 'fourth']
/** Number of characters at the beginning of a release that are searched for the name of its quarter. */
const NAMED_WITHIN = 3_000

const quarterOf = ([, one, other, word, year]: RegExpExecArray) =>
  `${year} Q${one ?? other ?? ORDINALS.indexOf(word!.toLowerCase()) + 1}`

/** Words before the quarter of a comparison: "up 8% from the fourth quarter of 2024". */
const COMPARED =
  /\b(?:from|compared|comparison|versus|vs\.?|over|than|to|against|since|relative|exceed\w*)\s(?:[\w’'-]{1,20}\s){0,3}$/i
const COMPARED_WITHIN = 90

/**
 * Returns the quarter that the words of a release name first, which is the release's own quarter; null if they name
 * none. A quarter that is named as a comparison does not count.
 */
function quarterNamedIn(markdown: string): string | null {
  const words = markdown
    .slice(0, NAMED_WITHIN)
    .replace(/^\|.*$/gm, '')
    .replace(/\s/g, ' ')
  for (const found of words.matchAll(QUARTER))
    if (!COMPARED.test(words.slice(Math.max(0, found.index - COMPARED_WITHIN), found.index))) return quarterOf(found)
  return null
}

/** Returns the last day of the period if only the name of the release's own quarter is above the column. */
function dayOfQuarter(
  heads: readonly Row[],
  at: number,
  { period, periodEnd }: Known,
  quarter: string | null,
): string | null {
  if (period !== 'quarter' || periodEnd === null || quarter === null) return null
  const own = heads
    .map(({ cells }) => cells[at] ?? '')
    .join(' ')
    .trim()
  const [found] = own.matchAll(QUARTER)
  const rest = own.replace(found?.[0] ?? '', '').replace(/[-:()\s]|\b(?:unaudited|GAAP|actual|ended)\b/gi, '')
  return found && rest === '' && quarterOf(found) === quarter && !hasLater(heads, quarter) ? periodEnd : null
}

/**
 * Tests whether a head names a quarter or year after the given quarter. If one does, the table is not about the
 * release's quarter, or shows that quarter as a comparison.
 */
const hasLater = (heads: readonly Row[], quarter: string): boolean =>
  heads.some(({ cells }) =>
    cells.some(
      (cell) =>
        [...cell.matchAll(QUARTER)].some((found) => quarterOf(found) > quarter) ||
        [...cell.matchAll(/\b20(\d\d)\b/g)].some(([, year]) => year! > quarter.slice(0, 2)),
    ),
  )

const two = (number: number) => String(number).padStart(2, '0')

function isReportedSoon(day: string, filedDate: string): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  // `Date` may parse a day that no calendar has as another day, for example June 31 as July 1.
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day)) return false
  const days = daysSince(day, filedDate)
  return days >= 0 && days <= REPORTED_MAX_DAYS
}

const daysSince = (day: string, filedDate: string): number => (Date.parse(filedDate) - Date.parse(day)) / 86_400_000

/**
 * Returns the first unit in the title, which is the unit of dollars: "in millions, except shares, which are in
 * thousands".
 */
function unitOf(title: string): number | null {
  const found = UNIT.map(([pattern, digits]) => ({ at: pattern.exec(title)?.index ?? -1, digits })).filter(
    ({ at }) => at >= 0,
  )
  return found.sort((a, b) => a.at - b.at)[0]?.digits ?? null
}

/** Returns the unit that the text above a table names; null if the text names no unit or several. */
function onlyUnitOf(above: string): number | null {
  const digits = UNIT.filter(([pattern]) => pattern.test(above)).map(([, one]) => one)
  return digits.length === 1 ? digits[0]! : null
}

/** @param isShort whether the table has only headline figures, so that no costs follow revenue */
function figuresOf(
  rows: readonly Row[],
  { column, digits, isShort }: { column: number; digits: number; isShort: boolean },
): Fact[] {
  const facts: Fact[] = []
  const put = (name: FactName, found: readonly Row[], scale: number) => {
    const values = found.map((row) => amountIn(row, column, scale)).filter((value) => value !== null)
    if (found.length !== 1 || values.length !== 1) return
    facts.push({ name, value: values[0]!, start: found[0]!.start, end: found[0]!.end })
  }
  const labelled = (pattern: RegExp) =>
    rows.filter(({ cells }) => pattern.test(labelOf(cells)) && amountOf(cells[column] ?? '') !== null)
  const revenue = labelled(REVENUE)
  const total = revenue.filter(({ cells }) => TOTAL.test(labelOf(cells)))
  const alone = revenue.filter((row) => isShort || isBeforeCosts(rows, row))
  put('revenue', total.length > 0 ? total : revenue.length === alone.length ? alone : [], digits)
  if (rows.some(({ cells }) => SEVERAL.test(cells[0] ?? ''))) return facts
  put('net_income', labelled(NET_INCOME), digits)
  if (rows.some(({ cells }) => CONTINUING.test(cells[0] ?? ''))) return facts
  put('eps_diluted', [...labelled(DILUTED), ...underShares(rows, column)], 0)
  return facts
}

/**
 * Tests whether costs follow the row, as they follow total revenue. A row "Sales" above "Rental income" and "Total" is
 * only a part of total revenue.
 */
function isBeforeCosts(rows: readonly Row[], row: Row): boolean {
  const next = rows.slice(rows.indexOf(row) + 1).find(({ cells }) => cells[0] !== '')
  return next !== undefined && COSTS.test(next.cells[0]!)
}
const COSTS = /\b(?:costs?|expenses?|purchases|research|selling|salaries|compensation|depreciation)\b/i

const labelOf = (cells: readonly string[]) => (cells[0] ?? '').replace(/(?<![:.\s])[:.\s]+$/, '')

/** Returns the row "Diluted" below "Net income per share:", before the next row that introduces rows. */
function underShares(rows: readonly Row[], column: number): Row[] {
  const at = rows.findIndex(({ cells }) => OF_SHARES.test(cells[0] ?? '') && amountOf(cells[column] ?? '') === null)
  if (at < 0) return []
  const rest = rows.slice(at + 1)
  const end = rest.findIndex(({ cells }) => amountOf(cells[column] ?? '') === null)
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .filter(({ cells }) => /^[-–—]?\s?(?:diluted|assuming dilution)$/i.test(labelOf(cells)))
}

const amountOf = (cell: string): string | null =>
  /^[-−–]?\s?\$?\s?\(?\s?[-−–]?\s?\$?\s?(?:\d[\d,]*(?:\.\d+)?|\.\d+)\s?\)?$/.test(cell) && !/^\d{1,2}$/.test(cell)
    ? cell
    : null

function amountIn({ cells }: Row, column: number, digits: number): string | null {
  const amount = amountOf(cells[column]!)!
  const number = /(?:\d[\d,]*(?:\.\d+)?|\.\d+)/.exec(amount)![0]
  // A per-share figure (`digits` is 0) has two or three decimals. A figure without them may be a figure in thousands.
  if (digits === 0 && !/\.\d\d\d?$/.test(number)) return null
  const value = moved(number, digits)
  if (value === null || /^[0.]+$/.test(value)) return null
  const isLoss = /[(−–-]/.test(amount) || /^(?:basic and )?(?:diluted )?(?:net )?loss\b/i.test(cells[0]!)
  return isLoss ? `-${value}` : value
}

/** Tests whether a figure in words agrees with the figure of the statement, which the words may round. */
const agree = (said: string, full: string): boolean =>
  Math.abs(Number(said) - Number(full)) <= Math.abs(Number(full)) * 0.06
