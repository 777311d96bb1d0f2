/** Finds the covers of prospectuses that are bound in one document, such as a supplement and its base prospectus. */
import type { Markdown } from '../made-markdown.ts'
import { type Line, linesOf } from './lines.ts'

/** The legend that Item 501(b)(7) of Regulation S-K requires on each cover. */
const LEGEND = /\bapproved\s+(?:of\s+)?or\s+disapproved\b/i
/** The line with which a cover begins. */
const BEGINS = /^(?:preliminary )?prospectus$|^filed pursuant to rule 424\(b\)/i
/** A line that follows the legend on a cover, or directly after the cover. */
const ENDS = /^table of contents$|^the date of this (?:preliminary )?prospectus\b|^this prospectus is dated\b/i
/** The longest real cover has 9,000 characters before its legend and 5,000 after it. */
const BEFORE_MAX = 12_000
const AFTER_MAX = 8_000

/**
 * Returns the offsets at which the second and any further prospectus begin. The first one is the document itself, so a
 * prospectus without any cover has none.
 */
export function coversOf(markdown: Markdown): number[] {
  const { text } = markdown
  const covers: number[] = []
  let begins: number | null = null
  let legend: number | null = null
  let isFirst = true
  for (const line of linesOf(markdown)) {
    if (begins !== null && line.start - begins > BEFORE_MAX && legend === null) begins = null
    if (legend !== null && line.start - legend > AFTER_MAX) legend = begins = null
    // The last such line counts, since a table of contents names the base prospectus too.
    if (legend === null && isSet(line) && BEGINS.test(line.plain)) begins = line.start
    else if (legend === null && !line.isRow && LEGEND.test(text.slice(line.start, line.next))) legend = line.start
    else if (legend !== null && !line.isLink && ENDS.test(line.plain)) {
      if (!isFirst && begins !== null) covers.push(begins)
      isFirst = false
      begins = legend = null
    }
  }
  return covers
}

const isSet = ({ isHeading, isBold, isRow, isLink }: Line) => (isHeading || isBold) && !isRow && !isLink
