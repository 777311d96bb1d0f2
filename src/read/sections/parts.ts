/** Finds the lettered parts of an item, such as "D. Risk Factors" in item 3 of Form 20-F. */
import type { Markdown } from '../made-markdown.ts'
import { doubtOfPart } from './doubts.ts'
import { type Candidate, inOrder } from './in-order.ts'
import { indexAfter, type Line } from './lines.ts'
import { confidenceOf, type Section } from './section.ts'
import type { FormItem, ItemPart } from './titles.ts'

/** Longest heading. */
const HEADING_MAX = 160
/** Matches "D.", "(D)", "3.D", "3D.", "Item 3.D –" before the title. */
const LETTERED = /^(?:item\s?)?(?:(\d{1,2})\s?[.\s–—-]{0,2})?\s?\(?([A-K])\s?[.):–—-]{0,2}\s?[–—-]?\s?(?=[\p{Lu}[(])/iu
/** A title without its letter subtracts this from the confidence, as it does for items. */
const ALONE = 0.25

interface Open {
  line: Line
  rank: number
  isAlone: boolean
  /**
   * Whether the heading has the letter of a part, but not the title of that part. Such a heading ends the part before
   * it.
   */
  isOther: boolean
}

/**
 * Returns the parts of a section in the order of their letters. A part counts only with its title. A title without a
 * letter counts if it is the whole heading, and no heading has the letter.
 *
 * @param lines all lines of the text
 */
export function partsOf(
  section: Section,
  { number, parts }: FormItem,
  lines: readonly Line[],
  markdown: Markdown,
): Section[] {
  if (!parts) return []
  const marks: Open[] = []
  for (let n = indexAfter(lines, section.start); n < lines.length && lines[n]!.start < section.end; n++) {
    const mark = partAt(lines[n]!, number, parts)
    if (mark) marks.push(mark)
  }
  const candidates = marks
    .filter(({ isOther }) => !isOther)
    .map(({ line, rank, isAlone }): Candidate => {
      const score = isAlone ? 1 : line.isHeading ? 4 : 3
      return { line, ranks: [rank], title: line.plain, rest: '', score, weakness: isAlone ? ALONE : 0 }
    })
  const levels = new Map(markdown.headings.map(({ start, level }) => [start, level]))
  const chosen = inOrder(candidates, parts.length)
  return chosen.map(({ line, ranks, title, weakness }, i): Section => {
    const rank = ranks[0]!
    const next = chosen[i + 1]
    const following = next?.line.start ?? section.end
    const level = levels.get(line.start)
    const other = marks.find(
      (mark) =>
        mark.isOther &&
        mark.line.start > line.start &&
        mark.rank === rank + 1 &&
        level !== undefined &&
        levels.get(mark.line.start) === level,
    )
    const end = Math.min(following, other?.line.start ?? section.end)
    const isLast = end === section.end
    const sure = confidenceOf({ isSet: line.isHeading || line.isBold, isTitled: true, length: end - line.next })
    const skipped = parts.slice(rank + 1, next?.ranks[0] ?? rank + 1).map(({ letter }) => `${number}.${letter}`)
    const doubt = doubtOfPart(isLast ? section : null, end === following ? skipped : [], end - line.next)
    const confidence = Math.max(
      0.05,
      Math.round(Math.min(sure - weakness - doubt.weight, section.confidence) * 100) / 100,
    )
    return { id: `${number}.${parts[rank]!.letter}`, title, start: line.start, end, confidence, doubt: doubt.reason }
  })
}

function partAt(line: Line, number: string, parts: readonly ItemPart[]): Open | null {
  const { plain, isHeading, isBold } = line
  if (line.isRow || line.isLink || plain.length > HEADING_MAX) return null
  const [prefix = '', own, letter = ''] = LETTERED.exec(plain) ?? []
  if (own === undefined || own === number) {
    const name = plain.slice(prefix.length).replaceAll('’', "'")
    const rank = letter === '' ? -1 : parts.findIndex((part) => part.letter === letter.toUpperCase())
    if (rank >= 0 && parts[rank]!.title.test(name)) return { line, rank, isAlone: false, isOther: false }
    if (rank >= 0 && isHeading && /^(?:\W|item)*\(?[A-K\d]/i.test(prefix) && SEPARATED.test(prefix))
      return { line, rank, isAlone: false, isOther: true }
  }
  if (!isHeading && !isBold) return null
  const name = plain.replace(/(?<![\s.:])[\s.:]+$/, '')
  const rank = parts.findIndex(({ title }) => title.exec(name)?.[0].length === name.length)
  return rank < 0 ? null : { line, rank, isAlone: true, isOther: false }
}

const SEPARATED = /[A-K]\s?[.):–—-]\s?$/i
