/** Finds the numbered items of a form: decides which lines that begin with "Item" are headings. */
import type { Markdown } from '../made-markdown.ts'
import { doubtOf } from './doubts.ts'
import { type Candidate, inOrder } from './in-order.ts'
import { ANSWER, hasOwnText, isIndex } from './index-rows.ts'
import { endsOf, indexAfter, type Line, linesOf, REFERENCE, SIGNATURES, SIGNED, withoutPageLabel } from './lines.ts'
import { furtherItems, type NumberedHeading, numberedHeading } from './numbers.ts'
import { partsOf } from './parts.ts'
import { isSet, LONG_HEADING, scoreOf } from './score.ts'
import { confidenceOf, type Section } from './section.ts'
import type { FormItem } from './titles.ts'
import { unnumberedIn } from './unnumbered.ts'

const PART = /^part\s+(i{1,3}|iv|1|2)\b\.?\s*[-–—:,.]*\s*(.*)$/i
/** A title in the next line must begin within this many characters. */
const TITLE_WITHIN = 200
/** Matches "Items 2 to 5 are not applicable.", which is both the heading of these items and their text. */
const LEFT_OUT =
  /^(?:(?:is|are|was|were|has been|have been) )?(?:each )?(?:not applicable|inapplicable|omitted|incorporated)\b/i
/** Maximum number of candidates; no document has as many items and references to items. */
const CANDIDATES_MAX = 20_000

/**
 * Returns the sections of a form with numbered items. It chooses the headings that together fit the order of the form
 * best. If items share a heading, they share the text as well.
 */
export function itemsOf(markdown: Markdown, form: readonly FormItem[]): Section[] {
  const lines = [...linesOf(markdown)]
  const { candidates, stops } = candidatesOf(lines, markdown, form)
  const numbered = inOrder(candidates, form.length)
  const { chosen: ordered, marks } = unnumberedIn(lines, numbered, form, markdown.text.length)
  const chosen = [...inOrder(aheadOf(ordered, candidates, form), form.length), ...ordered]
  const withParts = form.some(({ parts }) => parts)
  return chosen.flatMap((candidate, i): Section[] => {
    const { line, ranks, title, weakness } = candidate
    const following = chosen[i + 1]?.line.start ?? markdown.text.length
    // Text after a table that lists several items belongs to none of these items.
    const isOfTable = [chosen[i - 1], chosen[i + 1]].some(
      (other) => other && sameTable(markdown.text, line, other.line),
    )
    const table = isOfTable ? markdown.text.indexOf('\n\n', line.start) : -1
    const answered = ranks.every((rank) => form[rank]!.isAnswered) ? answerEnd(lines, line) : -1
    const stop = [...stops.filter((at) => at > line.start), ...[table, answered].filter((at) => at >= 0)]
      .sort((a, b) => a - b)
      .find((at) => at < following)
    const whole = trimmedEnd(markdown.text, line.start, stop ?? following)
    const isListed = isOfTable && line.isRow && isIndex(markdown.text.slice(line.next, whole))
    if (isListed && !hasOwnText({ line, rest: candidate.rest }, markdown.text, form)) return []
    // The rows below a row of an index that has its text belong to other items.
    const end = isListed ? line.next : whole
    const doubt = doubtOf(candidate, {
      next: chosen[i + 1] ?? null,
      end,
      isStopped: stop !== undefined,
      candidates,
      marks,
      chosen,
      form,
    })
    return ranks.flatMap((rank) => {
      const isTitled = form[rank]!.title.test(candidate.rest)
      const sure = confidenceOf({ isSet: line.isHeading || line.isBold, isTitled, length: end - line.next })
      const confidence = Math.max(0.05, Math.round((sure - weakness - doubt.weight) * 100) / 100)
      const section = { id: form[rank]!.id, title, start: line.start, end, confidence, doubt: doubt.reason }
      return withParts ? [section, ...partsOf(section, form[rank]!, lines, markdown)] : [section]
    })
  })
}

interface FoundLine {
  line: Line
  numbers: string[]
  rest: string
  isSpelt: boolean
  part: string | null
  /** Whether a full stop follows the numbers of the line. */
  isEnded: boolean
}

/**
 * Reads a heading after the label of a page. The heading counts only with the title of its item. It does not count in a
 * paragraph, since a paragraph may name further items: one paragraph of 0000928385-01-500187 names six.
 */
function labelledHeading(line: Line, form: readonly FormItem[]): NumberedHeading | null {
  const plain = line.plain.length > LONG_HEADING ? null : withoutPageLabel(line)
  const heading = plain === null ? null : numberedHeading(plain, form)
  const isTitled = heading?.numbers.some((number) =>
    form.some((item) => item.number === number && item.title.test(heading.rest)),
  )
  return heading && isTitled ? heading : null
}

/**
 * Returns the lines that may begin an item, and the offsets at which any item before them ends. Long: one pass over the
 * lines. Branches: each is a kind of line that begins an item, or only seems to begin one.
 */
function candidatesOf(lines: readonly Line[], markdown: Markdown, form: readonly FormItem[]) {
  const found: FoundLine[] = []
  const stops: number[] = []
  let part: string | null = null
  let pending: FoundLine | null = null
  for (const [i, line] of lines.entries()) {
    const heading = numberedHeading(line.plain, form) ?? labelledHeading(line, form)
    // If a line has only a number, its title is the next line, in another cell or paragraph. The next line is not the
    // title if it has a number itself: a page may have "Item 9, 9A" above a heading.
    if (pending && pending.rest === '' && !heading && line.start - pending.line.start < TITLE_WITHIN)
      pending.rest = line.plain
    pending = null
    const isPart = PART.exec(line.plain)
    if (isPart && !line.isRow && !line.isLink && !/\bitem/i.test(line.plain) && isPart[2]!.length < 60) {
      const number = isPart[1]!.toUpperCase()
      part = number === '1' ? 'I' : number === '2' ? 'II' : number
      if (line.isHeading || line.plain.length < 60) stops.push(line.start)
      continue
    }
    if ((SIGNATURES.test(line.plain) || SIGNED.test(line.plain)) && !line.isRow && !line.isLink) stops.push(line.start)
    if (!heading) continue
    if (isOfContents(lines, i) && !hasOwnText({ line, rest: heading.rest }, markdown.text, form)) continue
    const { numbers, sign, rest, isSpelt, isPartOf } = heading
    if (numbers.length === 0) {
      // Numbers such as 1119 and X are not items of the form. A heading with such a number only ends the item before
      // it.
      if (isSet(line) && !isPartOf && !line.isRow) stops.push(line.start)
      continue
    }
    const isReference =
      REFERENCE.test(rest) && !LEFT_OUT.test(rest) && !((line.isHeading || line.isBold) && /^(?:and|[,;])/.test(rest))
    if (isReference || (sign === '' && /^[a-z(]/.test(rest) && !line.isHeading && !LEFT_OUT.test(rest))) continue
    const further = (isSet(line) || line.plain.length < LONG_HEADING) && !line.isRow ? furtherItems(rest, form) : []
    pending = {
      line,
      numbers: [...new Set([...numbers, ...further])],
      rest,
      isSpelt,
      part,
      isEnded: sign.includes('.'),
    }
    found.push(pending)
    if (found.length >= CANDIDATES_MAX) break
  }
  // The text between repeated headings of an item belongs to the first of them as well.
  const ends = endsOf(found, ({ numbers }) => numbers[0], markdown.text.length)
  const candidates = found.flatMap((each, i): Candidate[] => {
    // "Item X. Executive Officers" is not an item of the form (0000021344-98-000004).
    if (
      each.isSpelt &&
      each.numbers.length === 1 &&
      !each.numbers.some((number) => form.some((item) => item.number === number && item.title.test(each.rest)))
    ) {
      if (isSet(each.line) && !each.line.isRow) stops.push(each.line.start)
      return []
    }
    const body = ends[i]! - each.line.next
    return optionsOf(each, form).flatMap((ranks) => {
      const { part: own } = form[ranks[0]!]!
      const isTitled = ranks.some((rank) => form[rank]!.title.test(each.rest))
      const isOwn = own !== undefined && own === each.part
      const isOther = own !== undefined && each.part !== null && !isOwn
      const score = scoreOf({ ...each, isTitled, body, isOwn, isOther, items: ranks.length })
      return score > 0 ? [{ line: each.line, ranks, title: each.line.plain, rest: each.rest, score, weakness: 0 }] : []
    })
  })
  return { candidates, stops }
}

/**
 * Returns the items that a heading may begin, for each part of the form. It may begin all items that it lists, or only
 * the first ones, since a later item may have its own heading.
 */
function optionsOf({ numbers }: FoundLine, form: readonly FormItem[]): number[][] {
  const options: number[][] = []
  for (const part of new Set(form.map((item) => item.part))) {
    const ranks = numbers
      .map((number) => form.findIndex((item) => item.number === number && item.part === part))
      .filter((rank) => rank >= 0)
      .sort((a, b) => a - b)
    for (let count = 1; count <= ranks.length; count++) options.push(ranks.slice(0, count))
  }
  return options
}

/** Shortest text of an item that stands before the first item: entries of a table of contents have less. */
const AHEAD_MIN = 1_000
/** Amount that the confidence of such an item loses, since its heading is out of the form's order. */
const AHEAD_WEAKNESS = 0.1

/**
 * Returns the headings of items that were not found, before the first item that was found: some filers put item 2 of a
 * quarterly report before item 1. No section loses text to these items.
 */
function aheadOf(chosen: readonly Candidate[], candidates: readonly Candidate[], form: readonly FormItem[]) {
  const first = chosen[0]?.line.start ?? 0
  const found = new Set(chosen.flatMap(({ ranks }) => ranks))
  const ahead = candidates.filter(({ line }) => line.start < first)
  const starts = [...new Set(ahead.map(({ line }) => line.start)), first]
  const nextOf = new Map(starts.map((start, i) => [start, starts[i + 1] ?? first]))
  return ahead
    .filter(({ line, ranks, rest }) => {
      const isTitled = ranks.every((rank) => !found.has(rank) && form[rank]!.title.test(rest))
      return isTitled && line.isHeading && nextOf.get(line.start)! - line.next >= AHEAD_MIN
    })
    .map((candidate) => ({ ...candidate, weakness: AHEAD_WEAKNESS }))
}

/** Matches a rule, a short link, a heading and a label. A longer link is a sentence: "See Note 18 …". */
const NO_TEXT = /^(?:-{3,}|(?:\\\*\s?){3,}|\[[^\]]{0,60}\]\(#[^)]*\)|#{1,6} .*|\*\*[^*]*:\*\*)$/

const isLinkedRow = (line: Line | undefined): boolean =>
  line?.isRow === true && line.isLink && line.plain.length <= LONG_HEADING

/**
 * Whether a line is a row of a table of contents: the row and a row beside it are links. A heading with a link back to
 * the contents has no such row beside it.
 */
const isOfContents = (lines: readonly Line[], i: number): boolean =>
  isLinkedRow(lines[i]) && (isLinkedRow(lines[i - 1]) || isLinkedRow(lines[i + 1]))

function sameTable(text: string, one: Line, other: Line): boolean {
  if (!one.isRow || !other.isRow) return false
  const [from, to] = one.start < other.start ? [one.start, other.start] : [other.start, one.start]
  const gap = text.indexOf('\n\n', from)
  return gap < 0 || gap > to
}

const ANSWER_MAX = 250
/** Maximum number of lines between the answer of an item and a heading that ends the item: a page number, a label. */
const BETWEEN_MAX = 3

/**
 * Returns the offset of the heading below an answer such as "None.", since its text belongs to no item: the exhibit
 * index, the financial statements, the executive officers. Returns -1 if the item has another text.
 */
function answerEnd(lines: readonly Line[], heading: Line): number {
  const at = indexAfter(lines, heading.start)
  const answer = lines[at]
  if (!answer || answer.isHeading || answer.plain.length > ANSWER_MAX || !ANSWER.test(answer.plain)) return -1
  return lines.slice(at + 1, at + 2 + BETWEEN_MAX).find(({ isHeading }) => isHeading)?.start ?? -1
}

/** Returns the end of the text without blank lines, rules and links, and without headings of the next part. */
function trimmedEnd(text: string, start: number, end: number): number {
  for (let at = end; at > start; ) {
    const before = text.lastIndexOf('\n', at - 2)
    const line = text.slice(before + 1, at).trim()
    if (before < start || (line !== '' && !NO_TEXT.test(line))) return at
    at = before + 1
  }
  return end
}
