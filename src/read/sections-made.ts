/** Finds the sections of a text. It is called in a separate process, since the text comes from outside. */
import type { Markdown } from './made-markdown.ts'
import { unpack } from './packed.ts'
import { type Section, type SectionKind, sectionsOf } from './sections.ts'

/** A text, packed if it is large, with the kind of its form. */
export type ToFind = { kind: SectionKind } & ({ markdown: Markdown } | { packed: Uint8Array })

export const findSections = (wanted: ToFind): Section[] => sectionsOf(markdownOf(wanted), wanted.kind)

function markdownOf(wanted: ToFind): Markdown {
  if ('markdown' in wanted) return wanted.markdown
  return unpack<{ markdown: Markdown }>(wanted.packed).markdown
}
