/** Reads a cell of a fee table as percent of net assets. */
import { decimal } from '../../../read/values.ts'
import type { Fee } from '../fees.ts'

export type FeeValue = Pick<Fee, 'value' | 'reason'>

/** Matches a blank that a draft leaves open: "[ ]%", "●%", "__%", "X.XX%", "0.__%". */
const BLANK = /^(?:[_\s]*%?|\[[\s●•_–—-]*\]\s?%?|[●•]\s?%?|x{1,2}\.x{1,2}%?|\d?\.?_+%?)$/i
const NOT_STATED = /^(?:n\/?a|not applicable|\(?(?:-+|[–—]+)\)?)%?$/i
export const NOT_APPLICABLE = 'stated as not applicable'
const NONE = /^(?:none|nil)\.?$/i
/** Matches 0.45%, 0.75, (0.19)%, (0.24%), -0.32%, (-0.05)%, "0.45 percent", "0.45% p.a.". */
const NUMBER =
  /^(\(\s?-?|-\s?\(?)?\s?(\d{0,3}\.\d{1,4}|\d{1,3})\s?(?:%|per ?cent)?\s?(\))?\s?%?(?:\s?(?:p\.a\.|per (?:annum|year)|annually))?$/i
/** Matches "75 bp", "7.5 bps", "(5 basis points)". */
const BASIS_POINTS = /^(\(\s?-?|-\s?\(?)?\s?(\d{0,4}\.\d{1,4}|\d{1,4})\s?(?:bps?|b\.p\.(?:s\.)?|basis points?)\s?\)?$/i
const BRACKETED = /^\[[^[\]]{1,20}\]\s?%?$/

/** Matches a number with a fraction, a blank, and the mark of a footnote: "0.50 1", "0.50 a", "0.50 [1]". */
const NOTED =
  /^(\s{0,3}[(−–—-]{0,2}\d{0,3}\.\d{1,4}\)?\s?%?\)?)\s{1,2}(?:\[?\d{1,2}\]?(?:,\s?\[?\d{1,2}\]?){0,3}|\[?[a-z]\]?(?:,\s?[a-z]){0,3})\s*$/

/**
 * Matches a number with a blank before or after its decimal point: "0 .60%". The digits after such a blank are never a
 * note.
 */
const PARTED = /^(\(?-?\d{0,2})\s?(\.)\s?(\d{1,4}\s?%?\)?)$/

/**
 * Matches a percentage with a decimal comma or a raised point: "0,60%", "(0,10)%", "0·60". Three digits after a comma
 * may be thousands, unless a zero or nothing is before the comma.
 */
const COMMA =
  /^([-(\s]{0,3}(?:0?(?=[,·∙]\d{3}(?!\d))|\d{0,2}(?![,·∙]\d{3}(?!\d))))[,·∙](\d{1,4}\)?\s?(?:%|per ?cent)\)?)$|^([-(]{0,2}0)[,·∙](\d{2,4}\)?)$/i

/** Removes emphasis and numbers of notes from a cell: `0.40%^1`, `0.10%2`, `Other Expenses(b)`. */
export function plain(cell: string): string {
  const shown = cell
    .replace(/[\\*†‡§#]/g, '')
    .replace(/[０-９．％]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
  return (
    withoutNotes(
      (/^[\d.\s_%]*$/.test(shown) ? shown : shown.replaceAll('_', ''))
        .replace(/\^\(?(?:\d{1,2}(?:,\s?\d{1,2}){0,5}|[a-z](?:,\s?[a-z]){0,5}(?![a-z]))\)?/gi, '')
        .replace(/[¹²³⁰⁴-⁹]/g, '')
        // Removes notes of typeset text: `R-1/1/`.
        .replace(/\/\d{1,2}\/(?=\s|$)/g, ''),
    )
      // After a percent sign or "none", a number can only be the number of a note.
      .replace(/(%|\bnone)\s?\d{1,2}(?:,\s?\d{1,2}){0,3}\s*$/i, '$1')
      .replace(NOTED, '$1')
      .replace(/[−‑]|[–—](?=\s?\.?\d)/g, '-')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/,$/, '')
      .replace(PARTED, '$1$2$3')
  )
}

/**
 * Matches a note at the end of a cell. A note in square brackets must follow other text: a cell that is only "[a]" is
 * what a draft marks as subject to change.
 */
const NOTE = /\((?:\d{1,2}|[a-zA-Z])\)$|(?<=[^\s([]\s?)\[(?:\d{1,2}|[a-z])\]$/

/**
 * Removes the notes in brackets at the end of a cell, "(a), (2)", from the right. Two patterns would be too slow. If a
 * pattern searches for the end of the cell from each note, its time grows with the square of the number of notes. If a
 * pattern can match a blank in two ways, each further note doubles its time.
 */
function withoutNotes(cell: string): string {
  let end = cell.trimEnd().length
  const between = [cell.slice(end)]
  for (;;) {
    const note = NOTE.exec(cell.slice(Math.max(0, end - 6), end))
    if (note === null) break
    end -= note[0].length
    const gap = /(?:\s?,\s?|\s{1,2})$/.exec(cell.slice(Math.max(0, end - 3), end))?.[0] ?? ''
    end -= gap.length
    between.push(gap)
  }
  return cell.slice(0, end) + between.reverse().join('')
}

/** Matches a bound or a range in place of a percentage: "less than 0.01%", "<0.01%", "0.01% – 0.05%". */
const BOUND =
  /^(?:(?:less|more|greater) than|under|over|up to|at (?:most|least)|not more than|[<>≤≥]|&[lg]t;)\s?\(?\d{0,3}\.?\d{1,4}\s?%?\)?$|^\d{0,3}\.\d{1,4}\s?%?\s?(?:[-–—]|to)\s?\d{0,3}\.\d{1,4}\s?%$/i

/** Tests whether a cell without its notes is a percentage, or a word or blank in place of a percentage. */
export function isValue(cell: string | undefined): boolean {
  if (cell === undefined || cell === '' || cell === '%') return false
  return isFigure(cell) || NONE.test(cell) || NOT_STATED.test(cell) || BOUND.test(cell) || isLeftOpen(cell)
}

const pointed = (cell: string): string => cell.replace(COMMA, '$1$3.$2$4')
const isFigure = (cell: string) => NUMBER.test(pointed(cell)) || BASIS_POINTS.test(cell)
const isLeftOpen = (cell: string) => (BLANK.test(cell) && /[_●•[x]/i.test(cell)) || BRACKETED.test(cell)

/** Reads the number of a cell, with the sign that the filing gives; "none" is zero. */
export function readValue(cell: string): FeeValue {
  if (NONE.test(cell)) return { value: '0', reason: null }
  if (NOT_STATED.test(cell)) return { value: null, reason: NOT_APPLICABLE }
  if (BLANK.test(cell)) return { value: null, reason: 'left blank' }
  if (BRACKETED.test(cell)) return { value: null, reason: 'is in brackets, which mark a figure that may change' }
  if (BOUND.test(cell)) return { value: null, reason: 'is a bound or a range, not a figure' }
  const points = BASIS_POINTS.exec(cell)
  const found = points ?? NUMBER.exec(pointed(cell))
  const amount = found && decimal(points ? hundredthOf(found[2]!) : found[2]!)
  if (!found || !amount) return { value: null, reason: 'is not a valid percentage' }
  return { value: found[1] !== undefined && amount !== '0' ? `-${amount}` : amount, reason: null }
}

/** Divides an amount by one hundred, digit by digit, so that no digit is rounded: "7.5" becomes "0.075". */
function hundredthOf(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const digits = whole.padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}${fraction}`
}
