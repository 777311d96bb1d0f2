/**
 * What a manager reported of one quarter, out of all filings about it: a restatement replaces, new holdings add. Told
 * apart wrongly, one manager of 3,982 positions was left with 80.
 */

/** What composing needs of a filing; a row of `report` and `quality`. */
export interface Reported {
  accession: string
  filedDate: string
  submissionType: string
  amendmentNumber: number | null
  amendmentType: string | null
  /** Lines that were read; null or 0 without a table. */
  positions: number | null
  declaredEntries: number | null
  /** US dollars. */
  value: string | null
  /** Lines of what stood before that an amendment of new holdings repeats or corrects (queries-repeated.ts). */
  repeats?: number | null
}

export type Part =
  /** The report itself: nothing before it counts. */
  | 'whole'
  /** Its lines come to those before. */
  | 'adds'
  /** Its lines replace those before that have the same CUSIP; the others stay. */
  | 'replaces_named'
  /** Replaced by a later filing. */
  | 'replaced'
  /** No part of the holdings, for the reason among its flags. */
  | 'left_out'

type Flag =
  /** An amendment of a report that is not there: all that is known is what it says. */
  | 'original_missing'
  /** A restatement that has less than half of the lines and of the value of what it restates. */
  | 'partial_restatement'
  /** A report filed again without being called an amendment. */
  | 'second_original'
  /** New holdings that have all that stood before once more. */
  | 'repeats_report'
  /** New holdings that repeat or correct lines that stood before: those count once, as they are here. */
  | 'repeats_lines'
  | 'amendment_type_unknown'
  /** Lines are declared, and no table was read (0001095811-01-001489). */
  | 'table_missing'
  | 'notice'
  | 'confidential_request'

export interface Step {
  accession: string
  part: Part
  flags: Flag[]
}

/**
 * The parts that filings have in the holdings of one manager and one period, in the order in which they count.
 *
 * @param asOf the last day of filing that is known: what a reader could see on that day
 */
export function compose(reports: readonly Reported[], asOf?: string): Step[] {
  const steps: Step[] = []
  let standing: Size | null = null
  for (const report of reports.filter(({ filedDate }) => asOf === undefined || filedDate <= asOf).sort(inOrder)) {
    const step = stepOf(report, standing)
    if (step.part === 'whole') for (const before of steps) if (before.part !== 'left_out') before.part = 'replaced'
    steps.push(step)
    standing = after(standing, step.part, report)
  }
  return steps
}

/**
 * Lines of the steps put together. CUSIPs are compared in capitals: a manager wrote `82028K200` in its report and
 * `82028k200` in the restatement of it (0000950150-00-000752). A line without one is replaced by none.
 */
export function composed<T extends { cusip: string | null }>(
  steps: readonly Step[],
  linesOf: (accession: string) => readonly T[],
): T[] {
  let lines: T[] = []
  for (const { accession, part } of steps) {
    if (part === 'replaced' || part === 'left_out') continue
    const own = linesOf(accession)
    if (part === 'replaces_named') {
      const named = new Set(own.map(({ cusip }) => cusip?.toUpperCase()))
      lines = lines.filter(({ cusip }) => cusip === null || !named.has(cusip.toUpperCase()))
    }
    lines = part === 'whole' ? [...own] : [...lines, ...own]
  }
  return lines
}

interface Size {
  positions: number
  value: bigint
}

const sizeOf = ({ positions, value }: Reported): Size => ({ positions: positions ?? 0, value: BigInt(value ?? 0) })

/** By day; on one day originals first, then by number, then as EDGAR numbered them. */
function inOrder(one: Reported, other: Reported): number {
  const keys = ({ filedDate, submissionType, amendmentNumber, accession }: Reported) => [
    filedDate,
    submissionType.endsWith('/A') ? '1' : '0',
    String(amendmentNumber ?? 0).padStart(4, '0'),
    accession,
  ]
  const [a, b] = [keys(one).join(' '), keys(other).join(' ')]
  return a < b ? -1 : a > b ? 1 : 0
}

function stepOf(report: Reported, standing: Size | null): Step {
  const step = (part: Part, ...flags: Flag[]): Step => ({ accession: report.accession, part, flags })
  const { submissionType, amendmentType, declaredEntries } = report
  if (submissionType.startsWith('13F-NT')) return step('left_out', 'notice')
  if (submissionType.startsWith('13F-CTR')) return step('left_out', 'confidential_request')
  const size = sizeOf(report)
  if (size.positions === 0 && declaredEntries !== 0) return step('left_out', 'table_missing')
  if (!submissionType.endsWith('/A')) {
    if (standing === null) return step('whole')
    return isPartOf(size, standing) ? step('replaces_named', 'second_original') : step('whole', 'second_original')
  }
  if (amendmentType === 'restatement') {
    if (standing === null) return step('whole', 'original_missing')
    return isPartOf(size, standing) ? step('replaces_named', 'partial_restatement') : step('whole')
  }
  if (amendmentType !== 'new_holdings') return step('left_out', 'amendment_type_unknown')
  if (standing === null) return step('adds', 'original_missing')
  if (size.positions === standing.positions && size.value === standing.value) return step('whole', 'repeats_report')
  const repeats = report.repeats ?? 0
  if (repeats > 0 && repeats >= standing.positions) return step('whole', 'repeats_report')
  return repeats > 0 ? step('adds', 'repeats_lines') : step('adds')
}

/** Both, since a report in dollars that restates one in thousands, or merges lines, is whole. */
const isPartOf = (size: Size, standing: Size): boolean =>
  size.positions * 2 < standing.positions && size.value * 2n < standing.value

function after(standing: Size | null, part: Part, report: Reported): Size | null {
  const size = sizeOf(report)
  if (part === 'whole') return size
  if (part !== 'adds') return standing
  const positions = (standing?.positions ?? 0) + size.positions - (report.repeats ?? 0)
  return { positions, value: (standing?.value ?? 0n) + size.value }
}
