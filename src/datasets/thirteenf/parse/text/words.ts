/** Splits a line of a text table into words, each with its place. */

export interface Word {
  text: string
  start: number
  /** Position after its last character. */
  end: number
}

export function wordsOf(line: string): Word[] {
  const words: Word[] = []
  for (const { 0: text, index } of line.matchAll(/\S+/g)) {
    // A `$` alone is not a word, since `$ 225` is one amount like `$328,057`. A run of `=` or `_` is a rule.
    if (text === '$' || /^[=_]{3,}$/.test(text)) continue
    const [, amount, kind] = GLUED.exec(text) ?? []
    if (amount !== undefined && kind !== undefined) {
      const middle = index + amount.length
      words.push({ text: amount, start: index, end: middle }, { text: kind, start: middle, end: index + text.length })
    } else if (NOTED.test(text)) {
      const noted = text.slice(0, text.search(/[*†‡(]/))
      words.push({ text: noted, start: index, end: index + noted.length })
    } else
      words.push({
        text: EXPONENT.test(text) ? String(Math.round(Number(text))) : text,
        start: index,
        end: index + text.length,
      })
  }
  return words
}

/** Matches an amount and its kind without a blank: `30,000SH`. */
const GLUED = /^(\$?\d[\d,.]{0,17})(SHS?|PRN)$/i
/** Matches a number with the mark of a note: `30,000*`, `30,000(1)`. `(p)` and `(c)` mark puts and calls. */
const NOTED = /^\$?\d{1,3}(?:,\d{3}){1,4}(?:[*†‡]{1,3}|\((?:[1-9]\d?|[abd-oq-z]|\*)\))$/i
/** Matches a number with an exponent, as spreadsheets write it: `2.55E+03`. */
const EXPONENT = /^\d(?:\.\d{1,8})?E\+?\d{1,2}$/
