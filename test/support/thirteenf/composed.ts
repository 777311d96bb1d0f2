/** Composes a quarter in memory, for comparison with rollups and queries. */
import { compose, composed, type Reported, type Step } from '../../../src/datasets/thirteenf/compose.ts'
import type { Filed } from './made.ts'

interface Line {
  accession: string
  n: number
  cusip: string | null
  value: number
  amount: string
  kind: string | null
  putCall: string | null
  /** Discretion and managers. */
  whose: string
}

const reportedOf = ({ accession, filed, form = '13F-HR', amendment, number, lines }: Filed): Reported => ({
  ...{ accession, filedDate: filed, submissionType: form, amendmentNumber: number ?? null, declaredEntries: null },
  ...{ amendmentType: amendment ?? null, positions: lines?.length ?? null },
  value: lines && String(lines.reduce((sum, [, value]) => sum + value, 0)),
})

const linesOf = ({ accession, lines }: Filed): Line[] =>
  (lines ?? []).map(([cusip, value, more], at) => ({
    ...{ accession, n: at + 1, cusip, value, amount: '10', kind: 'SH', putCall: null, ...more },
    whose: `${more?.discretion ?? ''} ${more?.managers ?? ''}`,
  })) as Line[]

/** Composes filings about one period: their parts, and the lines that count, each once. */
export function composedOf(filed: readonly Filed[], asOf?: string): { steps: Step[]; lines: Line[] } {
  const reports = filed.map(reportedOf)
  const own = (accession: string) => linesOf(filed.find((one) => one.accession === accession)!)
  /** The amendment that repeats a line; the key is the position of this line. */
  const gone = new Map<string, string>()
  const place = ({ accession, n }: Line) => `${accession} ${n}`
  const standing = (of: readonly Reported[], day?: string) => {
    const steps = compose(of, day)
    const counts = steps.filter(({ part }) => part !== 'replaced' && part !== 'left_out')
    const counted = new Set(counts.map(({ accession }) => accession))
    return { steps, lines: composed(steps, own).filter((line) => !counted.has(gone.get(place(line)) ?? '')) }
  }
  const inOrder = compose(reports).map(({ accession }) => reports.find((one) => one.accession === accession)!)
  for (const [at, report] of inOrder.entries()) {
    if (report.amendmentType !== 'new_holdings' || !report.positions) continue
    const stood = standing(inOrder.slice(0, at)).lines
    const pairs = repeats(stood, own(report.accession))
    for (const line of pairs) gone.set(place(line), report.accession)
    report.repeats = pairs.length
  }
  return standing(inOrder, asOf)
}

/** Returns earlier lines that later lines repeat or correct. */
function repeats(stood: readonly Line[], own: readonly Line[]): Line[] {
  const security = ({ cusip, putCall, kind }: Line) => `${cusip?.toUpperCase()} ${putCall ?? ''} ${kind === 'PRN'}`
  const left = [...stood].filter(({ cusip }) => cusip !== null)
  left.sort((a, b) => (a.accession < b.accession ? -1 : a.accession > b.accession ? 1 : a.n - b.n))
  const found: Line[] = []
  const others: Line[] = []
  for (const line of own.filter(({ cusip }) => cusip !== null)) {
    const at = left.findIndex((one) => security(one) === security(line) && one.amount === line.amount)
    if (at >= 0) found.push(...left.splice(at, 1))
    else others.push(line)
  }
  const key = (line: Line) => `${security(line)} ${line.whose}`
  for (const line of others) {
    const [same, more] = left.filter((one) => key(one) === key(line))
    const isAlone = others.filter((one) => key(one) === key(line)).length === 1
    if (same !== undefined && more === undefined && isAlone) found.push(same)
  }
  return found
}
