/** Excerpts of passages as escaped text. */

/** Characters of private use, which stand around the words found and which no text of a PDF may have. */
const START = '\uE000'
const STOP = '\uE001'

export const MARK = {
  /** For ts_headline. */
  options: `StartSel=${START}, StopSel=${STOP}, MaxFragments=1, MaxWords=40, MinWords=20, HighlightAll=false`,
}

/**
 * A headline as HTML: the words found in `<mark>`, and everything else escaped. Signs of Markdown are taken out, since an
 * excerpt may begin in the middle of what they enclose.
 */
export function excerptOf(headline: string): string {
  const plain = headline
    .replace(/^#{1,6}\s+/gm, '')
    .replace(/\s*\|\s*(?:[-:]+\s*\|\s*)*/g, ' ')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\*\*|__/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return escaped(plain).replaceAll(START, '<mark>').replaceAll(STOP, '</mark>')
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!)
