/** Maps characters that a PDF names only by their code in a symbol font. */

/**
 * Characters of Wingdings, with which Microsoft Word draws bullets, boxes and arrows, by their code in the private area
 * without the leading F0. If a PDF does not state which character a glyph is, the glyph has such a code.
 */
const WINGDINGS: Record<number, string> = {
  108: '●',
  109: '❍',
  110: '■',
  111: '□',
  113: '❑',
  114: '❒',
  115: '⬧',
  117: '◆',
  118: '❖',
  119: '⬥',
  120: '☒',
  159: '•',
  167: '▪',
  168: '□',
  183: '•',
  216: '➢',
  224: '→',
  232: '➔',
  240: '⇨',
  251: '✗',
  252: '✓',
  253: '☒',
  254: '☑',
}

/** The characters of Adobe's Symbol font that documents use in text. */
const SYMBOL: Record<number, string> = {
  163: '≤',
  165: '∞',
  171: '↔',
  172: '←',
  173: '↑',
  174: '→',
  175: '↓',
  176: '°',
  177: '±',
  179: '≥',
  180: '×',
  183: '•',
  184: '÷',
  185: '≠',
  187: '≈',
  210: '®',
  211: '©',
  212: '™',
}

/**
 * Returns the text for a code that PDFium gives. Branches: each is a code, or a font that draws characters other than
 * letters.
 *
 * @returns null if the font does not state which letter the code draws
 */
export function symbolOf(code: number, font: string): string | null {
  // PDFium's own code for a hyphen at the end of a line.
  if (code === 0xfffe || code === 0x02) return '-'
  const wingdings = /wingding|webding|dingbat/i.test(font)
  if (code >= 0xf000 && code <= 0xf0ff) {
    const low = code & 0xff
    const known = (wingdings ? WINGDINGS[low] : SYMBOL[low]) ?? WINGDINGS[low]
    // All other codes are ASCII shifted by F000, or bullets of fonts that were made for one document.
    return known ?? (low >= 0x21 && low <= 0x7e ? String.fromCharCode(low) : '•')
  }
  if (wingdings && WINGDINGS[code]) return WINGDINGS[code]
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff)) return null
  if (code === 0xad) return '-'
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return null
  const sign = String.fromCodePoint(code)
  // Ligatures: ﬁ, ﬂ and others.
  return code >= 0xfb00 && code <= 0xfb06 ? sign.normalize('NFKC') : sign
}

/** Whether a code is a blank of any width, a line end, or an invisible mark. */
export function isBlank(code: number): boolean {
  if (code < 0xa0) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  if (code === 0xa0 || code === 0x3000 || code === 0xfeff) return true
  return (code >= 0x2000 && code <= 0x200f) || [0x2028, 0x2029, 0x202f, 0x2060].includes(code)
}
