/**
 * Finds the cover page of a prospectus (Regulation S-K, Item 501) in the Markdown of a registration statement or
 * prospectus.
 */

export interface Span {
  /** UTF-16 offsets in the Markdown; `end` is exclusive. */
  start: number
  end: number
}

export interface Line extends Span {
  /** The line without Markdown syntax at its beginning, and without blanks at its ends. */
  text: string
}

export interface Cover extends Span {
  /**
   * The cover, with a blank in place of each character of emphasis. Its offsets are the offsets in the Markdown minus
   * `start`.
   */
  text: string
  lines: Line[]
}

/**
 * Maximum length of a facing page. A real S-1 has up to 14,000 characters before its prospectus begins
 * (0001193125-24-000734).
 */
export const FACING_MAX = 80_000
/** Maximum length of a cover. The longest, of SPACs, have 10,000 characters (0001140361-21-010426). */
const COVER_MAX = 30_000
/** Maximum length of a cover if no heading ends it. */
const UNENDED_MAX = 12_000

/** The legend of Item 501(b)(10), or the line "PROSPECTUS" at the beginning of the prospectus. */
const LEGEND = /^[^\n]{0,80}\bsubject to completion\b[^\n]{0,120}$/im
const BEGINS =
  /^[#*_ ]*(?:(?:preliminary|final|amended|short form|long form|base shelf|base|and restated) ){0,4}prospectus[*_ ]*$/im
/** This sentence of Item 501(b)(10) is above the cover of a preliminary prospectus that has no legend. */
const INCOMPLETE =
  /^[^\n]{0,80}\bthe information (?:contained )?in this (?:preliminary )?prospectus is not complete\b/im
const ENDS =
  /^(?:[#*_ ]*|\[)(?:table of contents|prospectus summary|summary|about this prospectus|available information|where you can find (?:more|additional) information)(?:[*_ ]*$|\])/gim

/**
 * @param isProspectus whether the document is a prospectus, which has no facing page before its cover
 * @returns null if no prospectus begins in the document
 */
export function coverOf(markdown: string, isProspectus: boolean): Cover | null {
  const start = isProspectus ? 0 : beginOf(markdown.slice(0, FACING_MAX))
  if (start === null) return null
  const window = markdown.slice(start, start + COVER_MAX)
  const end = start + endOf(window)
  const text = markdown
    .slice(start, end)
    .replace(/[*\\]/g, ' ')
    .replace(/[\uff01-\uff5e]/g, narrow)
  return { start, end, text, lines: linesOf(text, start) }
}

/** Replaces a full-width character with the ASCII character of the same meaning. Offsets stay the same. */
const narrow = (sign: string) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)

function beginOf(facing: string): number | null {
  const at = LEGEND.exec(facing)?.index ?? BEGINS.exec(facing)?.index ?? INCOMPLETE.exec(facing)?.index
  return at ?? null
}

/** Minimum length of a cover. Words that usually end a cover do not end it before this length. */
const BEFORE_END = 300

function endOf(window: string): number {
  for (const { index } of window.matchAll(ENDS)) if (index >= BEFORE_END) return index
  return Math.min(window.length, UNENDED_MAX)
}

function linesOf(text: string, from: number): Line[] {
  const lines: Line[] = []
  let at = 0
  for (const raw of text.split('\n')) {
    const stripped = raw.replace(/^[\s#>]+/, '')
    const start = from + at + raw.length - stripped.length
    const line = stripped.trimEnd()
    if (line !== '') lines.push({ text: line, start, end: start + line.length })
    at += raw.length + 1
  }
  return lines
}
