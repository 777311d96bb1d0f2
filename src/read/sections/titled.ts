/** Finds sections that only their headings identify, such as those of prospectuses and proxy statements. */
import type { Markdown } from '../made-markdown.ts'
import { numeralOf } from '../prose/numerals.ts'
import { doubtOfLength } from './doubts.ts'
import { type Line, linesOf, SIGNATURES } from './lines.ts'
import { confidenceOf, type Section } from './section.ts'
import type { Titled } from './titles.ts'

/** Shortest text of a section: a heading with less text before the next heading is an entry of a table of contents. */
const BODY_MIN = 40
/** Longest heading. */
const HEADING_MAX = 120
/** Level of a title that is only bold, below all levels of headings. */
const BOLD = 7
/** Headings of papers that are bound with the document. */
const ANNEX = /^(?:annex|appendix|exhibit)\s(?:[A-Z]|\d{1,2}|[IVX]{1,4})(?:[-.:\s]|$)/i

interface Options {
  /** Whether an id may occur several times; if not, only the occurrence with the longest text counts. */
  repeated: boolean
  /**
   * Whether headings that follow a title directly belong to it: "PROPOSAL ONE", "ELECTION OF DIRECTORS". If such a
   * heading is a title as well, both sections share the text.
   */
  joined?: boolean
}

interface TitleMark {
  /** Null for a heading that ends the section above, but begins none. */
  id: string | null
  line: Line
  level: number
  /** The title that the heading matches; null for a heading that matches none of the titles. */
  title: Titled | null
  /** Whether the title has a number, as a proposal has. */
  isNumbered: boolean
}

export function titledSections(markdown: Markdown, titles: readonly Titled[], options: Options): Section[] {
  const marks = marksOf(markdown, titles)
  const ends = endsOf(marks, markdown.text, options.joined ?? false)
  const sections = marks.flatMap(({ id, line, title }, i): Section[] => {
    const end = ends[i]!
    const length = end - line.next
    if (id === null || length < BODY_MIN) return []
    const doubt = doubtOfLength(length, title ?? {})
    const sure = confidenceOf({ isSet: line.isHeading, isTitled: true, length }) - doubt.weight
    const confidence = Math.round(sure * 100) / 100
    return [{ id, title: line.plain, start: line.start, end, confidence, doubt: doubt.reason }]
  })
  if (options.repeated) return sections
  const longest = new Map<string, Section>()
  for (const section of sections) {
    const known = longest.get(section.id)
    if (!known || section.end - section.start > known.end - known.start) longest.set(section.id, section)
  }
  return sections.filter((section) => longest.get(section.id) === section)
}

const OTHER = { id: null, title: null, isNumbered: false }

/** Returns the titles, and the other headings, in the order of the text. */
function marksOf(markdown: Markdown, titles: readonly Titled[]): TitleMark[] {
  const levels = new Map(markdown.headings.map(({ start, level }) => [start, level]))
  const found: TitleMark[] = []
  let open: Titled | null = null
  for (const line of linesOf(markdown)) {
    const level = levels.get(line.start) ?? BOLD
    const isShort = !line.isRow && !line.isLink && line.plain.length <= HEADING_MAX
    const known = isShort && (line.isHeading || line.isBold) ? titleOf(line, titles) : null
    if ((line.isHeading || line.isBold) && open?.continues?.test(nameOf(line))) continue
    if (known) {
      found.push({ ...known, line, level })
      open = known.title
    } else if (isShort && (SIGNATURES.test(line.plain) || (line.isHeading && ANNEX.test(line.plain))))
      found.push({ line, level: 1, ...OTHER })
    else if (level < BOLD || (isShort && isAlone(line, markdown.text))) {
      found.push({ line, level, ...OTHER })
      open = null
    }
  }
  return found
}

/**
 * Whether a line is both in capitals and entirely bold: such a line ends the section of a title that is set in the same
 * way.
 */
const isAlone = ({ start, next, plain, isBold }: Line, text: string): boolean =>
  isBold && isCapital(plain) && /^\*\*[^*]+\*\*$/.test(text.slice(start, next).trim())

const isCapital = (plain: string) => /\p{Lu}{4}/u.test(plain) && !/\p{Ll}/u.test(plain)

/** Returns the text of a heading in the form that the patterns of titles match. */
const nameOf = ({ plain }: Line) =>
  plain
    .replace(/^\d{1,2}\.\s*/, '')
    .replace(/(?<![.:])[.:]+$/, '')
    .replaceAll('’', "'")

function titleOf(line: Line, titles: readonly Titled[]): Pick<TitleMark, 'id' | 'title' | 'isNumbered'> | null {
  const name = nameOf(line)
  for (const title of titles) {
    const match = title.title.exec(name)
    if (!match) continue
    const number = match.groups?.number
    if (number === undefined) return { id: title.id, title, isNumbered: false }
    return { id: `${title.id}-${numeral(number.toLowerCase())}`, title, isNumbered: true }
  }
  return null
}

function numeral(number: string): string {
  const known = numeralOf(number)
  return known > 0 ? String(known) : number
}

/**
 * Returns the end of each section. The headings in a section are examined once for this section, and once for each
 * section that contains it. A section within another section has a lower heading, so each heading is examined at most
 * once for each level.
 */
function endsOf(marks: readonly TitleMark[], text: string, isJoined: boolean): number[] {
  const isDirect = (i: number) =>
    isJoined && marks[i + 1] !== undefined && text.slice(marks[i]!.line.next, marks[i + 1]!.line.start).trim() === ''
  const ends: number[] = []
  // For each title, the last of the other headings that follow the title directly.
  const lasts: number[] = []
  for (let i = marks.length - 1; i >= 0; i--) {
    const mark = marks[i]!
    const last = isDirect(i) && marks[i + 1]!.title === null ? lasts[i + 1]! : i
    lasts[i] = last
    if (mark.title === null) continue
    let next = last + 1
    if (mark.isNumbered && marks[next]?.title && isDirect(last)) ends[i] = ends[next]!
    else {
      while (next < marks.length && !isEnd(mark, marks[next]!)) next++
      ends[i] = marks[next]?.line.start ?? text.length
    }
  }
  return ends
}

/** Whether a heading ends the section above it. */
function isEnd({ title, line, level }: TitleMark, other: TitleMark): boolean {
  if (other.title) return other.level <= level || !title!.within?.includes(other.title.id)
  return other.level <= (level === BOLD && !isCapital(line.plain) ? BOLD - 1 : level)
}
