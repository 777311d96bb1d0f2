/**
 * Finds underwriters at the foot of a cover. The names are next to each other without separators (“J.P. Morgan Leerink
 * Partners Piper Sandler William Blair”). So a line counts only in three cases: every word belongs to a known name, a
 * label announces a firm, or legal forms show where the names end.
 */
import type { Line } from './cover.ts'
import { LINE_MAX } from './facts.ts'
import { KNOWN } from './underwriter-names.ts'

const KEYS = new Map(KNOWN.map((name) => [keyOf(name).join(' '), name]))
const WORDS_MAX = Math.max(...[...KEYS.keys()].map((key) => key.split(' ').length))

function keyOf(name: string): string[] {
  const folded = name
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[.,®*]/g, '')
  return folded.split(/\s+/).filter((word) => word !== '' && !/^(?:llc|inc|incorporated|lp|ltd|corp|plc)$/.test(word))
}

/**
 * Splits a line into known names, in the spelling of the line. Returns null if a word belongs to no known name. If two
 * splits are possible, the split with fewer names counts.
 */
export function knownNames(line: string): string[] | null {
  const words = [...line.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    key: keyOf(word).join(' '),
    index,
    end: index + word.length,
  }))
  if (words.length === 0 || words.length > NAMES_LINE_MAX) return null
  const ways: (string[] | null)[] = [[]]
  for (let to = 1; to <= words.length; to++) {
    ways[to] = null
    for (let from = Math.max(0, to - WORDS_MAX - 2); from < to; from++) {
      const before = ways[from]
      if (!before) continue
      const some = words.slice(from, to)
      const isForm = before.length > 0 && some.every(({ key }) => key === '')
      // "Goldman Sachs & Co. LLC KKR": a legal form belongs to the name before it.
      if (!isForm && some[0]!.key === '') continue
      const key = some
        .map((word) => word.key)
        .filter((word) => word !== '')
        .join(' ')
      if (!isForm && !KEYS.has(key)) continue
      const name = line.slice(some[0]!.index, some.at(-1)!.end).replace(/,$/, '')
      const next = isForm ? [...before.slice(0, -1), `${before.at(-1)} ${name}`] : [...before, name]
      const other = ways[to]
      if (!other || next.length < other.length) ways[to] = next
    }
  }
  return ways[words.length] ?? null
}

/** Maximum number of words in a line of names. The longest line of a real cover has 16 names. */
const NAMES_LINE_MAX = 80

const ROLE =
  '(?:(?:sole|joint|lead|active|passive|co|senior|global|exclusive|left|managing|book[-\\s]*running)[-\\s]+)*(?:book[-\\s]*running\\s+|co-?\\s*)?(?:managers?|underwriters?|book-?\\s?runners?|placement\\s+agents?|coordinators?|dealer\\s+managers?|representatives?)(?:\\s+of\\s+the\\s+underwriters?)?'
const LABEL = new RegExp(`^${ROLE}(?:\\s*(?:,|and|&)\\s+${ROLE})?\\s*:?$`, 'i')
const OF_ONE =
  /^(?:sole\b.*|exclusive\b.*|(?:lead\s+)?(?:managing\s+)?(?:manager|underwriter|book-?runner|book-?running\s+manager|placement\s+agent|dealer\s+manager))\s*:?$/i

export interface Underwriter {
  name: string
  line: Line
}

/**
 * Matches the end of the legend of Item 501(b)(7). Names before the legend do not count, because the issuer itself can
 * be a bank.
 */
const LEGEND_ENDS = /criminal\s+offense/i

/**
 * The result for a line at the foot of a cover. `isRead`: each cell was read as names. `labelled`: the line is below a
 * label and can consist of names. A line that is labelled but not read counts as left out.
 */
interface FootLine {
  names: string[]
  isRead: boolean
  labelled: boolean
}

/**
 * @param lines of a cover
 * @returns names in the order of the cover, and the number of lines with names that could not be read
 */
export function underwritersOf(lines: readonly Line[]): { found: Underwriter[]; left: number } {
  const found = new Map<string, Underwriter>()
  let left = 0
  let label: string | null = null
  const from = lines.findIndex(({ text }) => LABEL.test(text) || LEGEND_ENDS.test(text))
  for (const line of from < 0 ? [] : lines.slice(from)) {
    const all = line.text.startsWith('|') ? line.text.split('|').map((cell) => cell.trim()) : [line.text]
    const cells = all.filter((cell) => cell !== '' && !/^:?-+:?$/.test(cell))
    if (cells.length === 0) continue
    const isLabel = cells.map((cell) => cell.length <= LABEL_MAX && LABEL.test(cell))
    if (isLabel.includes(true)) label = cells[isLabel.lastIndexOf(true)]!
    const rest = cells.filter((_, i) => !isLabel[i])
    if (rest.length === 0) continue
    const { names, isRead, labelled } = read(rest, label)
    for (const name of names) if (!found.has(name) && found.size < FOUND_MAX) found.set(name, { name, line })
    if (!isRead && labelled) left++
    // The first line that is not a firm ends the list of firms below a label.
    if (!isRead || (label !== null && OF_ONE.test(label))) label = null
  }
  return { found: [...found.values()], left }
}

const LABEL_MAX = 120
/** Maximum number of names. The longest list of real covers has about 40. */
const FOUND_MAX = 200

/**
 * Returns the names of a line, cell by cell. In a row with several cells, each cell is one firm. A line without cells
 * can have several firms.
 */
function read(cells: readonly string[], label: string | null): FootLine {
  const known = cells.map(knownNames)
  const isSure = cells.length > 1 && (label !== null || known.some((some) => some !== null))
  const names = cells.map((cell, i) => {
    if (known[i]) return known[i]
    const one =
      label !== null && OF_ONE.test(label) && cells.length === 1
        ? isName(cell) && byForms(cell) === null
        : isFirm(cell) && (isSure || label !== null)
    return one ? [cell.replace(/,$/, '')] : label === null ? null : byForms(cell)
  })
  return {
    names: names.flatMap((some) => some ?? []),
    isRead: names.every((some) => some !== null),
    labelled: label !== null && cells.some((cell) => cell.length <= LINE_MAX && areNames(cell)),
  }
}

/**
 * Tests for a line that can consist of names. Such a line begins with a capital letter, has no digit and no word such
 * as "is" or "date", and has a full stop at its end only as part of a legal form.
 */
const areNames = (text: string) =>
  !/\d|[“”]|\b(?:the|is|are|date|dated|prospectus|offering|completion)\b/i.test(text) &&
  /^[A-Z]/.test(text) &&
  (!text.endsWith('.') || FORM_ENDS.test(text))

const isName = (text: string) => text.length <= 100 && areNames(text)

const ALONE =
  'L\\.?L\\.?C\\.?|L\\.?P\\.?|L\\.?L\\.?P\\.?|Inc\\.?|Incorporated|Ltd\\.?|Limited|Corp\\.?|Corporation|N\\.A\\.|plc|S\\.A\\.|AG'
/** Matches one legal form. "& Co. LLC", "& Company, Incorporated" and "Co., Ltd." are one form each. */
const FORM = `(?:(?:& Co(?:mpany|\\b\\.?)|Co\\.,? (?=L(?:td|imited)))(?:,? ?(?:${ALONE})(?=[\\s,]|$))?|${ALONE})`
const FORM_ENDS = new RegExp(`(?:^|[\\s,])${FORM}$`)
const FORMS = new RegExp(`(?:^|[\\s,])${FORM}(?=[\\s,]|$)`, 'g')
/** Words with which the name of a securities firm may end, before a legal form or without one. */
const TRADE =
  /\b(?:Securities|Capital(?:\s+(?:Markets|Partners|Group|Advisors))?|Partners|Markets|Group|Advisors|Bank|Brokerage|Financial|Investments?|International|Equities|Company|Co\.?)(?=[\s,]|$)/g

/**
 * Tests for the name of one firm that the dictionary lacks. The line ends with a legal form, a word of TRADE, or both.
 * The line contains no legal form and no word of TRADE anywhere else. Without its legal form, it must not begin or end
 * with the name of a known firm.
 */
function isFirm(text: string): boolean {
  if (!isName(text) || text.length > 70) return false
  const forms = [...text.matchAll(FORMS)]
  const bare = text.replace(FORMS, '').replace(/(?<![\s,])[\s,]+$/, '')
  const last = forms.at(-1)
  if (forms.length > 1 || bare === '') return false
  if (last && last.index + last[0].length < text.length && forms.length === 1) return false
  const trades = [...bare.matchAll(TRADE)]
  if (trades.length > 1 || (trades.length === 1 && trades[0]!.index + trades[0]![0].length < bare.length)) return false
  return (forms.length > 0 || trades.length === 1) && !hasKnown(bare)
}

/**
 * Splits a line of firms that each end with their legal form: "Nowhere LLC Otherwhere Inc.". Returns null for any other
 * line.
 */
function byForms(text: string): string[] | null {
  const ends = [...text.matchAll(FORMS)].map(({ index, 0: form }) => index + form.length)
  if (ends.length < 2 || ends.length > FORMS_MAX || ends.at(-1) !== text.length || text.length > LINE_MAX) return null
  const names = ends.map((end, i) => text.slice(i > 0 ? ends[i - 1] : 0, end).replace(/^[\s,]+/, ''))
  return names.every((name) => isFirm(name)) ? names : null
}

const FORMS_MAX = 20

/**
 * Tests whether the first words or the last words are the name of a known firm. If they are, the other words are the
 * name of another firm.
 */
function hasKnown(text: string): boolean {
  const words = text.split(/\s+/)
  return words.some(
    (_, i) => i > 0 && (knownNames(words.slice(0, i).join(' ')) ?? knownNames(words.slice(i).join(' '))) !== null,
  )
}
