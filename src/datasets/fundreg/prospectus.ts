/**
 * Reads tags and sections of a prospectus. This is a separate file, so that the readers of HTML and of inline XBRL are
 * loaded on demand.
 */
import { inlineFacts } from '../../read/ixbrl.ts'
import type { Problem } from '../../read/xml.ts'
import { type Example, isExampleTag, taggedExamples } from './examples.ts'
import { type Fee, isFeeTag, taggedFees } from './fees.ts'
import { type Block, isBlockTag, taggedBlocks } from './narrative.ts'

export { writtenBlocks } from './narrative.ts'

export interface Tagged {
  fees: Fee[]
  examples: Example[]
  blocks: Block[]
}

/** Returns tagged fees, expense examples and blocks of prose; none for a document without tags. */
export function readTags(html: string, tell: (notes: { problems: Iterable<Problem> }) => void): Tagged {
  if (!/(?:rr|oef|cef):[A-Z]/.test(html)) return { fees: [], examples: [], blocks: [] }
  const { facts, problems } = inlineFacts(html, (name) => isFeeTag(name) || isExampleTag(name) || isBlockTag(name))
  tell({ problems })
  return { fees: taggedFees(facts), examples: taggedExamples(facts), blocks: taggedBlocks(html, facts) }
}
