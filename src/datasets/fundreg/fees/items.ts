/** Maps labels to lines of a fee table (Form N-1A, Item 3; Form N-2, Item 3). */
import type { ITEMS } from '../tables-words.ts'

export type Item = (typeof ITEMS)[number]

/** Matches a line with a sum: "Total annual fund operating expenses", "Net expenses", "Gross expenses". */
const SUM = /^(?:total|net|gross)\b.{0,160}?\bexpenses?\b/
/** Matches "Expenses after fee waiver", which is a sum. "Operating expenses" alone is a heading. */
const SUM_AFTER = /^(?:annual |fund |portfolio |operating )*expenses\b.{0,60}?\bafter\b/
const PART = /^(?:total |net )?(?:other|estimated other)\b/
const AFTER =
  /\bafter\b|\b(?:net of|less|minus|with|including|reflecting|giving effect to)\b.{0,60}?\b(?:waiv|reimburs|limitation|reduction|recoup|subsid|expense cap)/
/**
 * Matches "without giving effect to the waiver", "not including reimbursements". Such a sum is the sum before a waiver.
 */
const NOT_AFTER =
  /\b(?:without|not|before|prior to|exclud\w*)\b(?: (?:giving|effect|to|including|reflecting|the|any|of|fee|expense)){0,6} (?:waiv|reimburs|limitation|reduction|recoup|subsid|expense cap).*/
const WAIVES =
  /\b(?:waiv(?:er|ers|ed|ing)|reimburse(?:ment|ments|d)?|recoup(?:ment|ments|ed)?|recaptured?|(?:fee|expense) (?:limitations?|reductions?|offsets?|caps?)|subsid(?:y|ies)|contractual reductions?)\b/
const ADDS = /\b(?:recoup(?:ment|ments|ed)?|recaptured?)\b/
const TAKES = /\b(?:waiv|reimburs|limitation|reduc|offset|cap|subsid)/

const MANAGEMENT =
  /^(?:(?:total|base|contractual|unified|unitary|annual|estimated|maximum|fund|portfolio|investment|combined)\s)*(?:management|advisory|advis[eo]r(?:'s|y)?)\b[^.;:]{0,60}?\b(?:fees?|expenses?)\b/
const ACQUIRED = /\b(?:acquired|underlying)\s(?:\([\w ]{1,30}\)\s)?(?:fund|portfolio|etf|investment compan)/
const OTHER = /^(?:total |estimated )?other\b[^.;:]{0,30}?\bexpenses\b/
/**
 * Matches lines on interest, which only Form N-2 has. In a table of Form N-1A, interest is a part of other expenses.
 */
const INTEREST =
  /^interest\b.{0,60}?\bborrow|^(?:costs?|interest|interest expenses?|expenses?) (?:of|on) (?:leverage|borrowings)\b/

const DISTRIBUTION = /^distribution\b|\b12b-?\s?1\b/
const LABEL_MAX = 300

/** Returns the item of a label. Returns null for a label that names no item or is ambiguous. */
export function itemOf(label: string): Item | null {
  const text = label.slice(0, LABEL_MAX).toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ').trim()
  if (SUM_AFTER.test(text)) return 'net'
  if (SUM.test(text) && !PART.test(text) && !/^total (?:acquired|underlying)\b/.test(text)) return sum(text)
  // "Management fees (after waiver)" is a management fee, but "(Less waivers)" is a waiver.
  const bare = text
    .replace(/\([^()]{0,200}\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const shown = bare === '' ? text : bare
  if (/^(?:management|advisory|investment \w+) fees?\b.{0,40}\b(?:net of|after)\b/.test(shown)) return 'management'
  if (WAIVES.test(shown.slice(0, 120))) return 'waiver'
  if (ACQUIRED.test(text)) return /\bsubsidiar/.test(text) ? null : 'acquired_funds'
  if (/^incentive (?:fees?|allocation)\b/.test(shown)) return 'incentive'
  if (INTEREST.test(shown)) return 'interest'
  if (MANAGEMENT.test(shown)) return /\bsubsidiar/.test(text) ? null : 'management'
  if (OTHER.test(shown)) return /\bsubsidiar/.test(text) ? null : 'other'
  return DISTRIBUTION.test(text) && !/\bnon[- ]{0,3}(?:rule )?12b/.test(text) ? 'distribution' : null
}

/**
 * Distinguishes the total ("Total expenses before waiver") from the net amount ("net expenses", "total expenses after
 * waiver").
 */
const sum = (text: string): Item =>
  /^(?:total (?:annual )?)?net\b/.test(text) ||
  /\(net\)/.test(text) ||
  AFTER.test(text.replace(/\bbefore\b.*/, '').replace(NOT_AFTER, ''))
    ? 'net'
    : 'total'

/**
 * Returns the effect of a waiver line on the total, from its label. Callers need the label if neither the sign nor the
 * sums show the effect. A recoupment adds to the total.
 *
 * @returns null for a label that names both a waiver and a recoupment
 */
export function directionOf(label: string): 'takes' | 'adds' | null {
  const text = label.slice(0, LABEL_MAX).toLowerCase()
  if (!ADDS.test(text)) return 'takes'
  return TAKES.test(text) ? null : 'adds'
}
