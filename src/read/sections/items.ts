/** Numbered items of a form: which of the lines that begin with "Item" are their headings. */
import type { Markdown } from '../made-markdown.ts'
import type { Section } from '../sections.ts'
import { confidenceOf, type Line, linesOf, REFERENCE, SIGNATURES } from './lines.ts'
import type { FormItem } from './titles.ts'

const ITEM =
  /^(?:part\s+(?:i{1,3}|iv)\s*[,.:;–—-]*\s*)?items?\s*(?:no\.?\s*)?(\d{1,4}|[A-Z])(?:\s?\(?([a-c])\)?(?![a-z]))?(?:\s?\(t\))?\s*([.:)–—-]*)\s*(.*)$/i
const PART = /^part\s+(i{1,3}|iv|1|2)\b\.?\s*[-–—:,.]*\s*(.*)$/i
const PAGE_NUMBER = /(?:\.{2,}|\s)\s*(?:[A-Z]-)?\d{1,3}$/
/** A title that stands in the next line is looked for within so many signs. */
const TITLE_WITHIN = 200
/** More lines than any document has items and references to them. */
const CANDIDATES_MAX = 20_000

interface Candidate {
  line: Line
  rank: number
  title: string
  score: number
  isTitled: boolean
}

/** The sections of a form whose items are numbered. Those are chosen that stand in the form's order and fit it best together. */
export function itemsOf(markdown: Markdown, form: readonly FormItem[]): Section[] {
  const { candidates, stops } = candidatesOf(markdown, form)
  const chosen = inOrder(candidates, form.length)
  return chosen.map(({ line, rank, title, isTitled }, i) => {
    const following = chosen[i + 1]?.line.start ?? markdown.text.length
    // Text that follows a table of several items belongs to none of them.
    const isOfTable = [chosen[i - 1], chosen[i + 1]].some(
      (other) => other && sameTable(markdown.text, line, other.line),
    )
    const table = isOfTable ? markdown.text.indexOf('\n\n', line.start) : -1
    const stop = [...stops.filter((at) => at > line.start), ...(table < 0 ? [] : [table])]
      .sort((a, b) => a - b)
      .find((at) => at < following)
    const end = trimmedEnd(markdown.text, line.start, stop ?? following)
    const confidence = confidenceOf({ isSet: line.isHeading || line.isBold, isTitled, length: end - line.next })
    return { id: form[rank]!.id, title, start: line.start, end, confidence }
  })
}

/** Lines that may begin an item, and lines at which whatever item stands before them ends. */
function candidatesOf(markdown: Markdown, form: readonly FormItem[]) {
  const found: { line: Line; number: string; rest: string; part: string | null; isCapital: boolean }[] = []
  const stops: number[] = []
  let part: string | null = null
  let pending: (typeof found)[number] | null = null
  for (const line of linesOf(markdown)) {
    // A number alone: its title is the next line, in another cell or paragraph.
    if (pending && pending.rest === '' && line.start - pending.line.start < TITLE_WITHIN) pending.rest = line.plain
    pending = null
    const isPart = PART.exec(line.plain)
    if (isPart && !line.isRow && !line.isLink && !/\bitem/i.test(line.plain) && isPart[2]!.length < 60) {
      const number = isPart[1]!.toUpperCase()
      part = number === '1' ? 'I' : number === '2' ? 'II' : number
      if (line.isHeading || line.plain.length < 60) stops.push(line.start)
      continue
    }
    if (SIGNATURES.test(line.plain) && !line.isRow && !line.isLink) stops.push(line.start)
    const item = ITEM.exec(line.plain)
    if (!item) continue
    const [, digits, letter = '', sign, rest] = item
    const number = `${digits}${letter.toUpperCase()}`
    if (!form.some((each) => each.number === number)) {
      // Item 14(a)(1) is a part of item 14; Item 1119 and Item X are none of the form.
      const isPartOf = letter !== '' && form.some((each) => each.number === digits)
      const isSet = line.isHeading || line.isBold || /^ITEM/.test(line.plain)
      if (isSet && !isPartOf && !line.isRow) stops.push(line.start)
      continue
    }
    if (REFERENCE.test(rest!) || (sign === '' && /^[a-z(]/.test(rest!) && !line.isHeading)) continue
    pending = { line, number, rest: rest!, part, isCapital: /^ITEM/.test(line.plain) }
    found.push(pending)
    if (found.length >= CANDIDATES_MAX) break
  }
  const candidates = found.flatMap((each, i): Candidate[] => {
    const body = (found[i + 1]?.line.start ?? markdown.text.length) - each.line.next
    return form.flatMap((item, rank) => {
      if (item.number !== each.number) return []
      const isTitled = item.title.test(each.rest)
      const isOwn = item.part !== undefined && item.part === each.part
      const isOther = item.part !== undefined && each.part !== null && !isOwn
      const score = scoreOf(each, { isTitled, body, isOwn, isOther })
      return score > 0 ? [{ line: each.line, rank, title: each.line.plain, score, isTitled }] : []
    })
  })
  return { candidates, stops }
}

/** How much speaks for a line; what is not above 0 is none. */
function scoreOf(
  { line, rest, isCapital }: { line: Line; rest: string; isCapital: boolean },
  about: { isTitled: boolean; body: number; isOwn: boolean; isOther: boolean },
): number {
  let score = 1
  if (line.isHeading) score += 2
  else if (line.isBold || isCapital) score += 1
  if (about.isTitled) score += 3
  else if (rest !== '') score -= 1.5
  if (line.isRow) score -= 1.5
  if (line.isLink) score -= 2
  if (PAGE_NUMBER.test(line.plain) && !/\b(?:19|20)\d\d$/.test(line.plain)) score -= 2
  // Entries of a table of contents stand close together.
  score += about.body < 60 ? -1 : Math.min(2, Math.log10(about.body / 60))
  if (line.plain.length > 250 && !about.isTitled) score -= 3
  if (about.isOwn) score += 1.5
  if (about.isOther) score -= 2
  return score
}

/** The candidates of highest score together whose ranks ascend. */
function inOrder(candidates: readonly Candidate[], ranks: number): Candidate[] {
  interface Way {
    score: number
    candidate: Candidate
    before: Way | null
  }
  const best: (Way | null)[] = Array.from({ length: ranks }, () => null)
  for (const [i, candidate] of candidates.entries()) {
    // Of the options of one line none follows another.
    const sameLine = candidates[i - 1]?.line === candidate.line
    let before: Way | null = null
    for (let rank = 0; rank < candidate.rank; rank++) {
      const way = best[rank]!
      if (way && (!before || way.score > before.score) && !(sameLine && way.candidate.line === candidate.line))
        before = way
    }
    const way = { score: candidate.score + (before?.score ?? 0), candidate, before }
    const known = best[candidate.rank]
    if (!known || way.score > known.score) best[candidate.rank] = way
  }
  let way = best.reduce<Way | null>((most, each) => (each && (!most || each.score > most.score) ? each : most), null)
  const chosen: Candidate[] = []
  for (; way; way = way.before) chosen.unshift(way.candidate)
  return chosen
}

const NO_TEXT = /^(?:-{3,}|\[[^\]]*\]\(#[^)]*\)|#{1,6} .*|\*\*[^*]*:\*\*)$/

function sameTable(text: string, one: Line, other: Line): boolean {
  if (!one.isRow || !other.isRow) return false
  const [from, to] = one.start < other.start ? [one.start, other.start] : [other.start, one.start]
  const gap = text.indexOf('\n\n', from)
  return gap < 0 || gap > to
}

/** Without blank lines, rules and links at its end, and without headings of what follows. */
function trimmedEnd(text: string, start: number, end: number): number {
  for (let at = end; at > start; ) {
    const before = text.lastIndexOf('\n', at - 2)
    const line = text.slice(before + 1, at).trim()
    if (before < start || (line !== '' && !NO_TEXT.test(line))) return at
    at = before + 1
  }
  return end
}
