/** Signs that a PDF names by their place in a symbol font, and not by what they are. */

/**
 * Wingdings as Word draws bullets, boxes and arrows, by code in its private area without the leading F0. Fonts made for a
 * PDF keep these codes when nobody wrote what they mean.
 */
const WINGDINGS: Record<number, string> = {
  0x6c: '●',
  0x6d: '❍',
  0x6e: '■',
  0x6f: '□',
  0x71: '❑',
  0x72: '❒',
  0x73: '⬧',
  0x75: '◆',
  0x76: '❖',
  0x77: '⬥',
  0x78: '☒',
  0x9f: '•',
  0xa7: '▪',
  0xa8: '□',
  0xb7: '•',
  0xd8: '➢',
  0xe0: '→',
  0xe8: '➔',
  0xf0: '⇨',
  0xfb: '✗',
  0xfc: '✓',
  0xfd: '☒',
  0xfe: '☑',
}

/** Adobe's Symbol, as far as documents use it in text. */
const SYMBOL: Record<number, string> = {
  0xa3: '≤',
  0xa5: '∞',
  0xab: '↔',
  0xac: '←',
  0xad: '↑',
  0xae: '→',
  0xaf: '↓',
  0xb0: '°',
  0xb1: '±',
  0xb3: '≥',
  0xb4: '×',
  0xb7: '•',
  0xb8: '÷',
  0xb9: '≠',
  0xbb: '≈',
  0xd2: '®',
  0xd3: '©',
  0xd4: '™',
}

/**
 * What a code of PDFium's stands for.
 *
 * @returns null where the font does not say which letter it draws
 */
export function symbolOf(code: number, font: string): string | null {
  // PDFium's own word for a hyphen at the end of a line.
  if (code === 0xfffe || code === 0x02) return '-'
  const wingdings = /wingding|webding|dingbat/i.test(font)
  if (code >= 0xf000 && code <= 0xf0ff) {
    const low = code & 0xff
    const known = (wingdings ? WINGDINGS[low] : SYMBOL[low]) ?? WINGDINGS[low]
    // What is left are bullets of fonts made for one document, and ASCII moved by F000.
    return known ?? (low >= 0x21 && low <= 0x7e ? String.fromCharCode(low) : '•')
  }
  if (wingdings && WINGDINGS[code]) return WINGDINGS[code]
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff)) return null
  if (code === 0xad) return '-'
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return null
  const sign = String.fromCodePoint(code)
  // ﬁ, ﬂ and their like.
  return code >= 0xfb00 && code <= 0xfb06 ? sign.normalize('NFKC') : sign
}

/** Blanks of all widths, ends of lines, and marks that are not seen. */
export function isBlank(code: number): boolean {
  if (code < 0xa0) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  if (code === 0xa0 || code === 0x3000 || code === 0xfeff) return true
  return (code >= 0x2000 && code <= 0x200f) || [0x2028, 0x2029, 0x202f, 0x2060].includes(code)
}
