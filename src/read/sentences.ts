/** Finds sentences in Markdown, since each fact that is read from prose is shown with its sentence. */

/**
 * Maximum length of a sentence. A sentence of a real filing has a few hundred characters, but a list without a full
 * stop may fill pages.
 */
const SENTENCE_MAX = 1_500

/**
 * Matches the end of a sentence: `.`, `!` or `?` before a word with a capital or before an item such as `(a) The`; an
 * empty line; or the line end before a heading, a list item or a row of a table.
 */
const ENDS =
  /[.!?]["”’)]*(?=\s+["“(]?[A-Z]|\s+\([a-z]{1,3}\)\s+[A-Z])|\n(?=[^\S\n]*\n)|\n(?=(?:#{1,6}|[-*]|\||\d+\.)\s)/g
/** Words after which a full stop does not end a sentence. */
const ABBREVIATED =
  /(?:\b(?:Inc|Co|Corp|Ltd|No|Nos|Mr|Ms|Mrs|Messrs|Mses|Dr|Gov|Gen|Adm|Col|Capt|Cmdr|Cdr|Maj|Brig|Lt|Sgt|Sen|Rep|Hon|Rev|Fr|Msgr|Prof|Amb|Engr|Wm|Geo|Chas|St|Ste|Sta|Mt|Ft|vs|cf|Sec|Rel|(?<!\d-)[A-Z])|\b(?:L\.L\.C|L\.P|U\.S|i\.e|e\.g|a\.m|p\.m))\.$|\(Ret\.\)$|["“‘'][A-Z]\.[A-Z]\.["”’']$/

/**
 * Returns the sentence around a position in a text, without the Markdown signs before a line, and without blanks at its
 * ends.
 *
 * @returns UTF-16 offsets, `end` exclusive
 */
export function sentenceAt(text: string, at: number): { start: number; end: number } {
  const from = Math.max(0, at - SENTENCE_MAX)
  const window = text.slice(from, at + SENTENCE_MAX)
  const own = at - from
  let start = 0
  let end = window.length
  for (const match of window.matchAll(ENDS)) {
    const stop = match.index + match[0].length
    if (ABBREVIATED.test(window.slice(Math.max(0, stop - 12), stop))) continue
    if (stop <= own) start = stop
    else {
      end = stop
      break
    }
  }
  start += /^[\s#>|*-]*/.exec(window.slice(start, own))![0].length
  return { start: from + start, end: from + start + window.slice(start, end).trimEnd().length }
}
