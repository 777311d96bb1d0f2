/** Sections of a text: called in a process of its own, since the text is a stranger's. */
import type { Markdown } from './made-markdown.ts'
import { unpack } from './packed.ts'
import { type Section, type SectionKind, sectionsOf } from './sections.ts'

/** A text, packed if it is large, and of which form it is. */
export type ToFind = { kind: SectionKind } & ({ markdown: Markdown } | { packed: Uint8Array })

export const findSections = (wanted: ToFind): Section[] => sectionsOf(markdownOf(wanted), wanted.kind)

function markdownOf(wanted: ToFind): Markdown {
  if ('markdown' in wanted) return wanted.markdown
  return unpack<{ markdown: Markdown }>(wanted.packed).markdown
}
