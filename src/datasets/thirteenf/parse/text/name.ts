/**
 * Assigns names that take several lines of a text table: above their numbers, below them, or both. Text between two
 * lines with numbers belongs to one or the other. Indentation, blank lines and typical words of names decide. If they
 * do not, but all other such names of the text are on one side of their numbers, this side decides. Otherwise both
 * names are null, with a problem.
 */
import type { Findings, Holding } from '../types.ts'
import { note } from '../values.ts'
import { joined, joins } from './bond.ts'
import type { Word } from './words.ts'

/** Issuer and title of one line; each is a list with at most one part. */
export interface Part {
  issuer: readonly string[]
  title: readonly string[]
}

/** Issuer, title and CUSIP, which several lines may share and later lines may continue. */
export interface Security {
  issuer: string[]
  title: string[]
  /** As filed, without the blanks between its parts. */
  cusip: string | null
  /** The security above, which supplies the name if this security has none. */
  heir: Security | null
  /** Whether a part of the name may belong to the row above or below. */
  isUnsure: boolean
}

/** A line of words between two lines with numbers. */
interface Loose extends Part {
  start: number
  /** Number of blank lines before it. */
  blanks: number
  /** Side on which the list of its managers continues. */
  side: 'above' | 'below' | null
}

interface Gap {
  above: Security | null
  /** Whether the row above has no name, but only further numbers of its security. */
  isRepeated: boolean
  lines: Loose[]
  /** Number of blank lines before the line below. */
  blanks: number
  below: Security | null
  /** Position at which the line below begins; null if that line has no name. */
  start: number | null
  hasColumns: boolean
  /** Whether the gap ends at a long rule, which separates rows (`RULE_MIN` of `text.ts`). */
  isRuled: boolean
  /** Last words of the name in the row above, and first words of the name in the row below. */
  before: string
  after: string
  margin: { at: number }
}

/** Maximum number of parts of a name. In a text of 16 MB every line may look like a part. */
const NAME_PARTS = 20
/** Maximum number of lines kept between two holdings: the first half and the last half of this number. */
const LINES_MAX = 64

export const security = (part: Part, cusip: string | null, heir: Security | null = null): Security => ({
  issuer: [...part.issuer],
  title: [...part.title],
  cusip,
  heir,
  isUnsure: false,
})

/**
 * Adds the words of a further line to a name. Keeps one part more than the maximum, so that a later check sees that the
 * name is too long.
 */
export function nameGoesOn({ issuer, title }: Security, more: Part): void {
  if (issuer.length <= NAME_PARTS) issuer.push(...more.issuer)
  if (title.length <= NAME_PARTS) title.push(...more.title)
}

/** Collects the lines between the holdings of a text, and assigns them at the end. */
export class Names {
  readonly #gaps: Gap[] = []
  #blanks = 0
  #hasHoldings = false
  #gap: Gap = this.#opened(null, false, false, { at: Number.MAX_SAFE_INTEGER })

  #opened(above: Security | null, isRepeated: boolean, hasColumns: boolean, margin: Gap['margin']): Gap {
    const gap: Gap = {
      ...{ above, isRepeated, lines: [], blanks: 0, below: null, start: null, hasColumns, isRuled: false, margin },
      ...{ before: above?.issuer.at(-1) ?? '', after: '' },
    }
    this.#gaps.push(gap)
    this.#blanks = 0
    return gap
  }

  /** Begins another table, or a part with other columns. */
  table(hasColumns: boolean): void {
    this.#hasHoldings = false
    this.#gap = this.#opened(null, false, hasColumns, { at: Number.MAX_SAFE_INTEGER })
  }

  /** Ends the present gap at a total, a rule or a heading, since no name continues across these. */
  cut(isWide = false): void {
    const { lines, hasColumns, margin, above } = this.#gap
    this.#gap.isRuled = isWide
    if (lines.length > 0 || above !== null) this.#gap = this.#opened(null, false, hasColumns, margin)
  }

  blank(): void {
    this.#blanks++
  }

  line(words: readonly Word[], part: Part, side: Loose['side']): void {
    const { lines, margin } = this.#gap
    const { start } = words[0]!
    margin.at = Math.min(margin.at, start)
    if (lines.length >= LINES_MAX) lines.splice(LINES_MAX / 2, 1)
    lines.push({ ...part, start, blanks: this.#blanks, side })
    this.#blanks = 0
  }

  /** Adds a row with numbers of the next security. */
  holding(below: Security, start: number | null): void {
    const gap = this.#gap
    if (!gap.hasColumns && !this.#hasHoldings) {
      // Without a line of column tags, the lines above this row may be the cover, which has another margin.
      const from = gap.lines.findLastIndex(({ blanks }) => blanks > 0)
      gap.lines.splice(0, this.#blanks > 0 ? gap.lines.length : Math.max(from, 0))
      gap.margin.at = Math.min(...gap.lines.map((line) => line.start), Number.MAX_SAFE_INTEGER)
    }
    this.#hasHoldings = true
    if (start !== null) gap.margin.at = Math.min(gap.margin.at, start)
    Object.assign(gap, { below, start, blanks: this.#blanks, after: below.issuer[0] ?? '' })
    this.#gap = this.#opened(below, false, gap.hasColumns, gap.margin)
  }

  /**
   * Adds a line with more numbers of the same security. Lines of text between the two rows belong to the security if
   * they are indented or continue its name.
   */
  repeated(own: Security, more: Part): void {
    const { lines, margin, hasColumns, above } = this.#gap
    if (above !== null)
      for (const line of lines)
        if (line.start > margin.at || joins(this.#gap.before, line.issuer[0] ?? '') > 0) nameGoesOn(own, line)
    lines.length = 0
    nameGoesOn(own, more)
    if (above !== null) this.#gaps.pop()
    this.#gap = this.#opened(own, more.issuer.length === 0, hasColumns, margin)
  }

  /** Assigns every line to its holding. */
  settle(found: Findings): void {
    const gaps = this.#gaps.filter(({ lines }) => lines.length > 0)
    const known = namesKnown(this.#gaps)
    const votes = { above: 0, below: 0, most: 0, next: 0, notNext: 0 }
    const open: [Gap, readonly number[]][] = []
    for (const gap of gaps.filter(({ above, below }) => above !== null && below !== null)) {
      const splits = splitsOf(gap, known)
      if (splits.length > 1) open.push([gap, splits])
      else if (gap.lines.some(({ start }) => start === gap.margin.at)) vote(votes, gap, splits[0]!)
      if (splits.length === 1) give(gap, splits[0]!)
    }
    for (const gap of gaps.filter(({ above }) => above === null)) settleFirst(gap, votes)
    for (const gap of gaps.filter(({ above, below }) => above !== null && below === null)) settleLast(gap, votes)
    for (const [gap, splits] of open) {
      if (votes.above > 0 && votes.below === 0) give(gap, splits[0]!)
      else if (votes.below > 0 && votes.above === 0) give(gap, splits.at(-1)!)
      else {
        gap.above!.isUnsure = true
        gap.below!.isUnsure = true
        const lines = gap.lines.map(({ issuer, title }) => [...issuer, ...title].join(' ')).join(' / ')
        note(found, 'text table, name', lines, 'may belong to the holding above or below, so that both have no name')
      }
    }
  }
}

interface Votes {
  above: number
  below: number
  /** Highest number of lines that any name of the text has above its numbers. */
  most: number
  /**
   * Counts gaps by their first line, if it is directly below a row. `next` counts gaps in which this line belongs to
   * that row, and `notNext` counts the others.
   */
  next: number
  notNext: number
}

function vote(votes: Votes, { lines }: Gap, split: number): void {
  votes.most = Math.max(votes.most, lines.length - split)
  if (split === 0) votes.above++
  else if (split === lines.length) votes.below++
  if (lines[0]!.blanks === 0) votes[split > 0 ? 'next' : 'notNext']++
}

/** Gives the first `split` lines to the holding above, and the others to the holding below. */
function give({ above, below, lines }: Gap, split: number): void {
  if (above !== null) for (const line of lines.slice(0, split)) nameGoesOn(above, line)
  if (below === null) return
  const own = lines.slice(split)
  below.issuer.unshift(...own.flatMap(({ issuer }) => issuer).slice(-NAME_PARTS - 1))
  below.title.unshift(...own.flatMap(({ title }) => title).slice(-NAME_PARTS - 1))
}

/** Returns each possible number of lines that complete the name above, as far as the evidence does not exclude it. */
function splitsOf(gap: Gap, known: ReadonlyMap<string, string>): readonly number[] {
  const { lines, margin, blanks, start, below, above } = gap
  const count = lines.length
  let splits: readonly number[] = Array.from({ length: count + 1 }, (_, at) => at)
  const keep = (test: (split: number) => boolean) => {
    const kept = splits.filter(test)
    if (kept.length > 0) splits = kept
  }
  for (const [at, { side }] of lines.entries()) {
    if (side !== null) keep((split) => (side === 'above' ? split > at : split <= at))
  }
  const indented = lines.findIndex(({ start: at }) => at <= margin.at)
  const last = lines.findLastIndex(({ start: at }) => at <= margin.at)
  const isInside = start !== null && start > margin.at
  // If all lines and the row below are indented, the indentation excludes nothing: the name of that row may begin at
  // any line.
  if (indented >= 0) keep((split) => split >= indented)
  else if (!isInside) keep((split) => split === count)
  if (isInside && last >= 0) keep((split) => split <= last)
  const gaps = [...lines.map((line) => line.blanks), blanks]
  const most = Math.max(...splits.map((split) => gaps[split]!))
  keep((split) => gaps[split] === most)
  if (gap.isRepeated) keep((split) => split === Math.max(indented, 0))
  if (below!.issuer.length === 0 && below!.heir === null) keep((split) => split < count)
  if (splits.length > 1) {
    const same = splits.filter((split) => isKnown(gap, split, known))
    if (same.length === 1) return same
  }
  // A line without an issuer, such as a title alone, gives no evidence by its words.
  const words = [gap.before, ...lines.map(({ issuer }) => issuer[0] ?? ''), gap.after]
  const bonds = splits.map((split) => joins(words[split]!, words[split + 1]!))
  const least = Math.min(...bonds)
  const weakest = splits.filter((_, at) => bonds[at] === least)
  return weakest.length === splits.length || above === null ? splits : weakest
}

/** Collects names by CUSIP from holdings that have no lines of words directly above or below them. */
function namesKnown(gaps: readonly Gap[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [at, { lines, below }] of gaps.entries()) {
    const isAlone = lines.length === 0 && (gaps[at + 1]?.lines.length ?? 0) === 0
    if (!isAlone || below?.cusip == null || below.issuer.length === 0) continue
    names.set(below.cusip.toUpperCase(), plain(below.issuer))
  }
  return names
}

function isKnown({ above, below, lines }: Gap, split: number, known: ReadonlyMap<string, string>): boolean {
  const is = ({ cusip, issuer }: Security, name: readonly string[]) =>
    cusip !== null && name.length > issuer.length && known.get(cusip.toUpperCase()) === plain(name)
  const names = lines.map(({ issuer }) => issuer)
  return (
    is(above!, [...above!.issuer, ...names.slice(0, split).flat()]) ||
    is(below!, [...names.slice(split).flat(), ...below!.issuer])
  )
}

const plain = (name: readonly string[]): string =>
  name
    .join('')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')

/**
 * Assigns the lines above the first holding of a table, or below a heading, to the holding below, as far as they are
 * part of its name.
 */
function settleFirst(gap: Gap, votes: Votes): void {
  const { lines, below, blanks, after, margin, hasColumns, start } = gap
  if (below === null) return
  const isNeeded = after === '' || (start !== null && start > margin.at)
  if (blanks > 0 && !isNeeded) return
  const isJoined = joins(lines.at(-1)!.issuer[0] ?? '', after) > 0
  if (isJoined && lines.at(-1)!.start <= margin.at) votes.above++
  // Takes all lines up to a blank line if names are above their numbers, and if the table has columns or another name
  // has as many lines. Otherwise takes the lines from the last line at the margin on.
  const isWhole =
    (hasColumns && (isJoined || votes.above > votes.below)) || (lines.length <= votes.most && votes.above > votes.below)
  let from = lines.length - 1
  while (from > 0 && lines[from]!.blanks === 0 && (isWhole || lines[from]!.start > margin.at || goesOn(lines, from)))
    from--
  give(gap, from)
}

const goesOn = (lines: readonly Loose[], at: number): boolean =>
  joins(lines[at - 1]!.issuer[0] ?? '', lines[at]!.issuer[0] ?? '') > 0

/**
 * Assigns the lines below the last holding of a table, or above a total, to the holding above, if they continue its
 * name.
 */
function settleLast(gap: Gap, votes: Votes): void {
  const { lines, margin, above, before, isRepeated, isRuled } = gap
  for (const [at, line] of lines.entries()) {
    const isNext = line.blanks === 0 && !isRepeated
    const isJoined = isNext && joins(at === 0 ? before : (lines[at - 1]!.issuer[0] ?? ''), line.issuer[0] ?? '') > 0
    const isUsual = (votes.below > 0 && votes.above === 0) || (votes.next > 0 && votes.notNext === 0)
    const isSo = isNext && (isRuled || isUsual)
    if (line.start <= margin.at && !isJoined && !isSo) return
    nameGoesOn(above!, line)
  }
}

/** Returns name and title of a security, after all lines were assigned. */
export function nameOf(own: Security, found: Findings): Pick<Holding, 'issuer' | 'title'> {
  const { title, cusip, isUnsure } = own
  if (isUnsure) return { issuer: null, title: joined(title) }
  // A second security of the issuer above does not repeat the issuer's name (0000950150-01-500322).
  let from = own
  for (let left = NAME_PARTS; from.issuer.length === 0 && from.heir !== null && left > 0; left--) from = from.heir
  const issuer = from.isUnsure ? [] : from.issuer
  if (issuer.length > NAME_PARTS || title.length > NAME_PARTS)
    note(found, 'text table, name', cusip, `goes on over more than ${NAME_PARTS} lines, of which the rest is not read`)
  return { issuer: joined(issuer.slice(0, NAME_PARTS)), title: joined(title.slice(0, NAME_PARTS)) }
}
