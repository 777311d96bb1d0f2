/** Finds sections that only their headings identify, such as those of prospectuses. */
import type { Markdown } from '../made-markdown.ts'
import { type Line, linesOf } from './lines.ts'
import { confidenceOf, type Section } from './section.ts'
import type { Titled } from './titles.ts'

/** Shortest text of a section: a heading with less text before the next heading is an entry of a table of contents. */
const BODY_MIN = 40

/** @param repeated whether an id may occur several times; otherwise the occurrence with the longest text counts */
export function titledSections(
  markdown: Markdown,
  titles: readonly Titled[],
  { repeated }: { repeated: boolean },
): Section[] {
  const levels = new Map(markdown.headings.map(({ start, level }) => [start, level]))
  const found: { id: string; line: Line; level: number }[] = []
  for (const line of linesOf(markdown)) {
    if (line.isRow || line.isLink || line.plain.length > 120 || !(line.isHeading || line.isBold)) continue
    const name = line.plain
      .replace(/^\d{1,2}\.\s*/, '')
      .replace(/(?<![.:])[.:]+$/, '')
      .replaceAll('’', "'")
    const id = titles.find(({ title }) => title.test(name))?.id
    if (id) found.push({ id, line, level: levels.get(line.start) ?? 6 })
  }
  const { headings, text } = markdown
  let next = 0
  const sections = found.flatMap(({ id, line, level }, i): Section[] => {
    const following = found[i + 1]?.line.start ?? text.length
    while (next < headings.length && headings[next]!.start <= line.start) next++
    // A section ends at the next heading of the same or a higher level.
    while (next < headings.length && headings[next]!.start < following && headings[next]!.level > level) next++
    const end = Math.min(following, headings[next]?.start ?? text.length)
    if (end - line.next < BODY_MIN) return []
    const confidence = confidenceOf({ isSet: line.isHeading, isTitled: true, length: end - line.next })
    return [{ id, title: line.plain, start: line.start, end, confidence, doubt: null }]
  })
  if (repeated) return sections
  const longest = new Map<string, Section>()
  for (const section of sections) {
    const known = longest.get(section.id)
    if (!known || section.end - section.start > known.end - known.start) longest.set(section.id, section)
  }
  return sections.filter((section) => longest.get(section.id) === section)
}
