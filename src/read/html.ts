/** HTML of filings as Markdown: the door to the files in html/. */
import type { Block } from './html/block.ts'
import { DocumentReader } from './html/document.ts'
import { LIMITS, type Limits } from './html/limits.ts'
import { openOutput } from './html/output.ts'
import { readTokens } from './html/tokens.ts'
import type { Markdown } from './made-markdown.ts'

/**
 * Reads a document in one pass. What people see of it is kept; what is hidden, scripts, and what only pages have (numbers
 * of pages, headers and footers that repeat, links back to the table of contents) is not.
 *
 * @param html text of the document, decoded; broken HTML is read as browsers read it, as far as it can be
 * @param limits how much is held at a time; what exceeds it is written in parts and stands in `problems`
 * @param watch is given the blocks of each part before they are written
 */
export function markdownOfHtml(
  html: string,
  limits: Limits = LIMITS,
  watch: (blocks: readonly Block[]) => void = () => {},
): Markdown {
  const output = openOutput()
  const write = (blocks: readonly Block[]) => {
    watch(blocks)
    output.write(blocks, reader.linked)
  }
  const reader = new DocumentReader(limits, write)
  const cutOff = readTokens(html, reader)
  write(reader.end())
  if (cutOff) reader.problems.push({ place: `character ${html.length}`, reason: 'the document ends within a tag' })
  return output.end(reader.problems)
}
