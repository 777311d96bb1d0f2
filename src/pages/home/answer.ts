/** An answer as lines of JSON, shortened so that it can be taken in at a glance. */

/**
 * Limits of the shortened answer: lines (`LINES`), rows of a list (`ROWS`), members of an object by its depth
 * (`MEMBERS`), and characters of a text (`TEXT`).
 */
const LINES = 18
/**
 * If the answer exceeds the limit by no more than this many lines, it is shown uncut. A cut must save more lines than
 * its note takes.
 */
const SPARE = 6
const ROWS = 2
const MEMBERS = [9, 7, 6]
const TEXT = 64
/** Objects and lists below this depth are shown as `{ … }` or `[ … ]`. */
const DEEPEST = 2

/** A line of JSON, or a note that something was left out at this line. */
export interface Line {
  indent: number
  text: string
  leftOut?: true
}

/**
 * Shortens an answer. Members without a value are left out without a note; members that repeat a text are left out with
 * a note.
 */
export function shortened(answer: unknown): Line[] {
  const lines = linesOf(answer, 0, '')
  return withCommas(lines.length > LINES + SPARE ? cut(lines) : lines)
}

function linesOf(value: unknown, indent: number, name: string): Line[] {
  const before = name === '' ? '' : `${JSON.stringify(name)}: `
  if (typeof value !== 'object' || value === null) return [{ indent, text: before + scalar(value) }]
  const isList = Array.isArray(value)
  const [open, close] = isList ? '[]' : '{}'
  const entries = Object.entries(value).filter(([, each]) => !isNothing(each))
  if (entries.length === 0) return [{ indent, text: `${before}${open}${close}` }]
  if (indent > DEEPEST) return [{ indent, text: `${before}${open} … ${close}` }]
  const shownTexts = new Set<unknown>()
  const news = entries.filter(
    ([, each]) => isList || typeof each !== 'string' || !(shownTexts.has(each) || !shownTexts.add(each)),
  )
  const shown = news.slice(0, isList ? ROWS : MEMBERS[indent])
  const rest = entries.length - shown.length
  return [
    { indent, text: `${before}${open}` },
    ...shown.flatMap(([key, each]) => linesOf(each, indent + 1, isList ? '' : key)),
    ...(rest > 0 ? [{ indent: indent + 1, text: `… ${rest} more`, leftOut: true as const }] : []),
    { indent, text: close! },
  ]
}

/** The first lines. Brackets that are open at the end of a cut answer are closed, so that the shape can be seen. */
function cut(lines: readonly Line[]): Line[] {
  const kept = lines.slice(0, LINES)
  const open: Line[] = []
  for (const { indent, text } of kept) {
    if (text.endsWith('{')) open.push({ indent, text: '}' })
    else if (text.endsWith('[')) open.push({ indent, text: ']' })
    else if (/^[\]}]/.test(text)) open.pop()
  }
  return [...kept, { indent: open.length, text: '…', leftOut: true }, ...open.reverse()]
}

const withCommas = (lines: readonly Line[]): Line[] =>
  lines.map((line, n) => {
    const next = lines[n + 1]
    const isLast = !next || next.leftOut || /^[\]}]/.test(next.text)
    return line.leftOut || isLast || /[[{]$/.test(line.text) ? line : { ...line, text: `${line.text},` }
  })

const isNothing = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.values(value).every(isNothing))

const scalar = (value: unknown) =>
  JSON.stringify(typeof value === 'string' && value.length > TEXT ? `${value.slice(0, TEXT).trimEnd()}…` : value)
