/** Formats the results of a bench as a table for the terminal or for README.md. */

/** One measured number next to the number for comparison. */
export interface Row {
  section: string
  what: string
  /** The measured number; null if nothing could be measured, for the reason in the note. */
  ours: number | null
  peer: number | null
  /** Unit of `ours` and `peer`. */
  unit: string
  /** The peer, and other remarks. */
  note: string
  /** Whether the ratio depends on the machine as much as on the program; the table then marks it. */
  dependsOnMachine?: true
}

/** Mark of a ratio that depends on the machine. */
const MARK = '†'
const MARKED = `${MARK} depends on the machine: the two sides use its kernel or its cores differently. The processor time of each side is in the rows next to it.`

/** Returns `ours` divided by `peer`. */
export const ratioOf = ({ ours, peer }: Row): number | null => (ours === null || !peer ? null : ours / peer)

const COLUMNS = ['section', 'what', 'ours', 'peer', 'ratio', 'unit', 'note']
/** Columns of numbers, aligned right. */
const NUMERIC = new Set([2, 3, 4])

function cells(row: Row): string[] {
  const ratio = ratioOf(row)?.toFixed(2) ?? '–'
  const marked = row.dependsOnMachine && ratio !== '–' ? `${ratio} ${MARK}` : ratio
  return [row.section, row.what, digits(row.ours), digits(row.peer), marked, row.unit, row.note]
}

/** More than three figures would exceed the precision of a noisy machine. */
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

/**
 * Returns the rows of a section after a check that they are complete. A peer may be missing, such as a program that is
 * not installed; our own number may be missing only if the note gives the reason.
 *
 * @throws Error if there is no row, or a row lacks a number
 */
export function checked(section: string, rows: readonly Row[]): Row[] {
  if (rows.length === 0) throw new Error('there are no rows')
  const problems = rows.flatMap((row) =>
    problemsOf(section, row).map((problem) => `${row.what || 'a row'}: ${problem}`),
  )
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return [...rows]
}

function problemsOf(section: string, row: Row): string[] {
  const found: string[] = []
  if (row.section !== section) found.push(`the section is ${row.section}`)
  for (const name of ['what', 'unit', 'note'] as const) {
    if (typeof row[name] !== 'string' || /\b(?:NaN|undefined|Infinity)\b/.test(row[name]))
      found.push(`${name} is "${row[name]}"`)
  }
  if (row.what === '' || row.unit === '') found.push('what was measured, or its unit, is not named')
  if (row.ours === null && (row.note === '' || row.peer !== null))
    found.push('ours is not measured, and no note says why')
  for (const name of ['ours', 'peer'] as const) {
    const value = row[name]
    if (value === null) continue
    if (!Number.isFinite(value) || value < 0) found.push(`${name} is ${value}`)
    // A rate of 0 means that nothing was measured.
    else if (value === 0 && row.unit.endsWith('/s')) found.push(`${name} is 0 ${row.unit}`)
  }
  return found
}
