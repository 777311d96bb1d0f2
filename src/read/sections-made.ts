/** Sections of a text: called in a process of its own, since the text is a stranger's. */
import type { Markdown } from './made-markdown.ts'
import { type Section, type SectionKind, sectionsOf } from './sections.ts'

/** @param wanted the text, and of which form it is */
export const findSections = ({ markdown, kind }: { markdown: Markdown; kind: SectionKind }): Section[] =>
  sectionsOf(markdown, kind)
