/** Finds sections that only their headings identify, such as those of prospectuses and proxy statements. */
import type { Markdown } from '../made-markdown.ts'
import { coversOf } from './covers.ts'
import { doubtOfLength } from './doubts.ts'
import { BOLD, isCapital, marksOf, type TitleMark } from './marks.ts'
import { confidenceOf, type Section } from './section.ts'
import type { Titled } from './titles.ts'

/** Shortest text of a section: a heading with less text before the next heading is an entry of a table of contents. */
const BODY_MIN = 40

interface Options {
  /** Whether an id may occur several times; if not, only the occurrence with the longest text counts. */
  repeated: boolean
  /**
   * Whether headings that follow a title directly belong to it: "PROPOSAL ONE", "ELECTION OF DIRECTORS". If such a
   * heading is a title as well, both sections share the text.
   */
  joined?: boolean
  /**
   * Whether several prospectuses may be bound in one document: a supplement with its base prospectus. The ids of the
   * second one end in `-2`. Without this, a section of the base prospectus would count as one of the offering.
   */
  bound?: boolean
}

export function titledSections(markdown: Markdown, titles: readonly Titled[], options: Options): Section[] {
  const covers = options.bound ? coversOf(markdown) : []
  const marks = marksOf(markdown, titles, covers)
  const ends = endsOf(marks, markdown.text, options.joined ?? false)
  let passed = 0
  const sections = marks.flatMap(({ id: own, line, title, name }, i): Section[] => {
    while (passed < covers.length && covers[passed]! <= line.start) passed++
    const end = ends[i]!
    const length = end - line.next
    if (own === null || length < BODY_MIN) return []
    const id = passed === 0 ? own : `${own}-${passed + 1}`
    const doubt = doubtOfLength(length, title ?? {})
    const sure = confidenceOf({ isSet: line.isHeading, isTitled: true, length }) - doubt.weight
    const confidence = Math.round(sure * 100) / 100
    return [{ id, title: name, start: line.start, end, confidence, doubt: doubt.reason }]
  })
  if (options.repeated) return sections
  const longest = new Map<string, Section>()
  for (const section of sections) {
    const known = longest.get(section.id)
    if (!known || section.end - section.start > known.end - known.start) longest.set(section.id, section)
  }
  return sections.filter((section) => longest.get(section.id) === section)
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
      next = endOfGroups(marks, i, next)
      ends[i] = marks[next]?.line.start ?? text.length
    }
  }
  return ends
}

/**
 * Returns the index of the heading that ends a section whose groups have its level. Then levels do not tell chapters
 * from parts, so the section also ends at the first heading below its last group whose level no part of the other
 * groups has. If it has only one group, the heading directly below that group is taken as its part.
 */
function endOfGroups(marks: readonly TitleMark[], from: number, end: number): number {
  const { title, level } = marks[from]!
  const isGroup = (one: TitleMark) => one.level === level && title!.groups!.test(one.name)
  const last = title!.groups ? marks.slice(from + 1, end).findLastIndex(isGroup) : -1
  if (last < 0) return end
  const group = from + 1 + last
  const above = marks.slice(from + 1, group)
  const parts = new Set(above.map((one) => one.level))
  if (!above.some(isGroup) && group + 1 < end) parts.add(marks[group + 1]!.level)
  const other = marks.slice(group + 1, end).findIndex((one) => !parts.has(one.level))
  return other < 0 ? end : group + 1 + other
}

/** Whether a heading ends the section above it. */
function isEnd({ title, line, level }: TitleMark, other: TitleMark): boolean {
  if (other.title) return other.level <= level || !title!.within?.includes(other.title.id)
  if (other.level === level && title!.groups?.test(other.name)) return false
  return other.level <= (level === BOLD && !isCapital(line.plain) ? BOLD - 1 : level)
}
