/** What a bench found, as a table for the terminal or for README.md. */

/** One measured number beside the number it is compared with. */
export interface Row {
  section: string
  what: string
  /** Null where nothing could be measured; the note says why. */
  ours: number | null
  peer: number | null
  /** Of `ours` and `peer`. */
  unit: string
  /** What the peer is, and what else is worth knowing. */
  note: string
  /** Whether the ratio says as much about the machine as about the program: then the table has a mark at it. */
  dependsOnMachine?: true
}

/** At a ratio that depends on the machine. */
const MARK = '†'
const MARKED = `${MARK} depends on the machine: the two sides use its kernel or its cores differently. What each takes of the processor stands beside it.`

/** `ours` in parts of `peer`. */
export const ratioOf = ({ ours, peer }: Row): number | null => (ours === null || !peer ? null : ours / peer)

const COLUMNS = ['section', 'what', 'ours', 'peer', 'ratio', 'unit', 'note']
/** Columns of numbers, aligned right. */
const NUMERIC = new Set([2, 3, 4])

function cells(row: Row): string[] {
  const ratio = ratioOf(row)?.toFixed(2) ?? '–'
  const marked = row.dependsOnMachine && ratio !== '–' ? `${ratio} ${MARK}` : ratio
  return [row.section, row.what, digits(row.ours), digits(row.peer), marked, row.unit, row.note]
}

/** Three figures are more than a noisy machine can hold. */
function digits(value: number | null): string {
  if (value === null) return '–'
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toPrecision(3).replace(/(?<=^\d+)\.0*$/, '')
}

export function textTable(rows: readonly Row[]): string {
  const lines = [COLUMNS, ...rows.map(cells)]
  const widths = COLUMNS.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  const table = lines.map((line) =>
    line
      .map((cell, i) => (NUMERIC.has(i) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd(),
  )
  return [...table, ...(rows.some((row) => row.dependsOnMachine) ? ['', MARKED] : [])].join('\n')
}

export function markdownTable(rows: readonly Row[]): string {
  const rule = COLUMNS.map((_, i) => (NUMERIC.has(i) ? '--:' : '---'))
  return [COLUMNS, rule, ...rows.map(cells)]
    .map((line) => `| ${line.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}
