/** Translates characters of fonts whose letters are pictures into characters that look the same in any font. */

export type SymbolFont = 'wingdings' | 'wingdings 2' | 'wingdings 3' | 'symbol'

/** The checkboxes, ticks, bullets and arrows that filings use; other letters stay unchanged. */
const SHOWN: Record<SymbolFont, Record<string, string>> = {
  wingdings: {
    o: '☐', '¨': '☐', q: '❑', r: '❑', x: '☒', ý: '☒', þ: '☑', ü: '✓', û: '✗', '§': '▪', n: '■', l: '●', '·': '•',
    v: '❖', Ø: '➢', ð: '➔', à: '→', 'Ÿ': '•', '\x9f': '•', ß: '←', t: '◆', u: '◆', w: '◆', '¡': '○', m: '❍', p: '☐', J: '☺',
    
  }, // biome-ignore format: a table of signs
  'wingdings 2': { P: '✓', O: '✗', R: '☑', S: '☒', T: '☒', '£': '☐', '*': '☐', '—': '●', '–': '●' },
  'wingdings 3': { p: '▲', q: '▼', t: '◀', u: '▶' },
  symbol: { '·': '•', '©': '♥', D: 'Δ', Ö: '√', '-': '−', '®': '→', '¨': '♦', '£': '≤', '³': '≥', '¹': '≠', '±': '±', m: 'μ', s: 'σ', b: 'β', a: 'α' }, // biome-ignore format: a table of signs
}

/** @param families value of `font-family` or `face`, in lower case */
export function symbolFontOf(families: string): SymbolFont | null {
  const [, name, number] = /^["'\s]*(wingdings|symbol)\b\s*(\d?)/.exec(families) ?? []
  if (name === undefined) return null
  if (name === 'symbol') return 'symbol'
  if (number === '') return 'wingdings'
  return number === '2' || number === '3' ? `wingdings ${number}` : null
}

/** Translates letters of a symbol font; their codes may also begin at U+F000. */
export function shownIn(font: SymbolFont, text: string): string {
  return text.replace(/[!-~\x9f\xa1-\xff–—Ÿ\uf021-\uf0ff]/g, (sign) => {
    const code = sign.charCodeAt(0)
    const letter = code >= 0xf000 ? String.fromCharCode(code - 0xf000) : sign
    return SHOWN[font][letter] ?? letter
  })
}
