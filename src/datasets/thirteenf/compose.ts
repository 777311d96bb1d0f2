/**
 * Composes a manager's report of one quarter from all filings about it: a restatement replaces the report, and an
 * amendment of new holdings adds its lines. Before the two were distinguished, a manager with 3,982 positions appeared
 * with 80.
 */

/** The facts of a filing that composing needs: a row of `report` and `quality`. */
export interface Reported {
  accession: string
  filedDate: string
  submissionType: string
  amendmentNumber: number | null
  amendmentType: string | null
  /** Number of lines that were read; null or 0 without a table. */
  positions: number | null
  declaredEntries: number | null
  /** US dollars. */
  value: string | null
  /** Number of earlier lines that an amendment of new holdings repeats or corrects (queries/repeated.ts). */
  repeats?: number | null
}

export type Part =
  /** The report itself: earlier filings about the quarter are not used. */
  | 'whole'
  /** Adds its lines to the lines of earlier filings. */
  | 'adds'
  /** Replaces earlier lines that have the same CUSIP; the others stay. */
  | 'replaces_named'
  /** A later filing replaced this filing. */
  | 'replaced'
  /** Not part of the holdings; its flags give the reason. */
  | 'left_out'

type Flag =
  /** Amends a report that is not stored: only the amendment's own lines are known. */
  | 'original_missing'
  /**
   * A restatement that has less than half of the lines, and less than half of the value, of the report that it
   * restates.
   */
  | 'partial_restatement'
  /** A report that was filed again but not marked as an amendment. */
  | 'second_original'
  /** New holdings that contain all earlier lines again. */
  | 'repeats_report'
  /** New holdings that repeat or correct earlier lines. Each of those lines is used once, as this filing states it. */
  | 'repeats_lines'
  | 'amendment_type_unknown'
  /** The summary declares lines, but no table was read (0001095811-01-001489). */
  | 'table_missing'
  | 'notice'
  | 'confidential_request'

export interface Step {
  accession: string
  part: Part
  flags: Flag[]
}

/**
 * Returns the part that each filing plays in the holdings of one manager and one period, in the order in which the
 * filings are applied.
 *
 * @param asOf ignores filings after this day, to show what a reader could see then
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
 * Combines the lines of the steps. Compares CUSIPs in capitals: a manager wrote `82028K200` in its report and
 * `82028k200` in the restatement (0000950150-00-000752). `replaces_named` never replaces a line without a CUSIP.
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

/** Orders by day; on one day originals first, then by amendment number, then by accession. */
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

/**
 * Tests whether a filing is only a part of the report before it. A part has less than half of the lines, and also less
 * than half of the value. One of the two conditions is not enough: a restatement in dollars of a report in thousands
 * has another value, and a restatement that merges lines has fewer lines, but both are whole.
 */
const isPartOf = (size: Size, standing: Size): boolean =>
  size.positions * 2 < standing.positions && size.value * 2n < standing.value

function after(standing: Size | null, part: Part, report: Reported): Size | null {
  const size = sizeOf(report)
  if (part === 'whole') return size
  if (part !== 'adds') return standing
  const positions = (standing?.positions ?? 0) + size.positions - (report.repeats ?? 0)
  return { positions, value: (standing?.value ?? 0n) + size.value }
}
