/** Converts the HTML of filings to Markdown. This is the entry point to the files in html/. */
import type { Block } from './html/block.ts'
import { DocumentReader } from './html/document.ts'
import { LIMITS, type Limits } from './html/limits.ts'
import { openOutput } from './html/output.ts'
import { readTokens } from './html/tokens.ts'
import type { Markdown } from './made-markdown.ts'

/**
 * Reads a document in one pass. The reader keeps the text that people see. It drops hidden text, scripts and page
 * furniture (page numbers, repeated headers and footers, links back to the table of contents).
 *
 * @param html text of the document, decoded; broken HTML is read as browsers read it, as far as possible
 * @param limits how much of the document may be in memory at a time; a part that exceeds a limit is written in pieces
 * and listed in `problems`
 * @param watch receives the blocks of each part before they are written
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
