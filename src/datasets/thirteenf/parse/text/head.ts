/** In a text table, reads the column headings that say what an `X` means. */
import type { Holding } from '../types.ts'
import type { Word } from './words.ts'

/** A word of the headings that names a kind of discretion: sole, shared or other. */
export interface Head extends Word {
  means: 'SOLE' | 'DFND' | 'OTR'
}

/**
 * Finds words of headings that name a kind of discretion. Returns none if the headings do not separate sole from
 * shared.
 */
export function headsOf(lines: readonly (readonly Word[])[]): Head[] {
  const heads: Head[] = []
  for (const line of lines) {
    for (const word of line) {
      const means = /^sole$/i.test(word.text)
        ? 'SOLE'
        : /^(?:(?:shared|shrd)? ?- ?)?(?:defined|dfnd|def\.?)$/i.test(word.text)
          ? 'DFND'
          : /^(?:(?:shared|shrd)? ?- ?)?(?:other|otr|oth\.?)$/i.test(word.text)
            ? 'OTR'
            : null
      if (means !== null) heads.push({ ...word, means })
    }
  }
  return (['SOLE', 'DFND'] as const).every((means) => heads.some((head) => head.means === means)) ? heads : []
}

/** Returns the discretion that the heading above an `X` names, if exactly one heading is nearest. */
export function headOf(cross: Word, amount: Word, heads: readonly Head[]): Holding['discretion'] {
  const away = ({ start, end }: Word) => Math.max(start - cross.start, cross.end - end, 0)
  const near = heads
    .filter(({ start }) => start > amount.start)
    .map((head) => ({ ...head, away: away(head) }))
    .sort((a, b) => a.away - b.away)
  const [best] = near
  if (best === undefined || best.away > 3) return null
  return near.some(({ means, away: other }) => means !== best.means && other - best.away < 2) ? null : best.means
}

/** Tests whether the headings name the amount above the first number of a row and the value above the second. */
export function isAmountFirst(lines: readonly (readonly Word[])[], first: Word, second: Word): boolean {
  const middle = ({ start, end }: Word) => (start + end) / 2
  const nearest = (pattern: RegExp) => {
    const words = lines.flat().filter(({ text, end }) => pattern.test(text) && end > first.start - 12)
    const away = (word: Word) =>
      Math.min(Math.abs(middle(word) - middle(first)), Math.abs(middle(word) - middle(second)))
    const [best] = words.sort((a, b) => away(a) - away(b))
    return best === undefined ? null : Math.abs(middle(best) - middle(first)) - Math.abs(middle(best) - middle(second))
  }
  const [amount, value] = [nearest(/^\(?(?:shares|amount|quantity|units)\b/i), nearest(/^\(?value\b/i)]
  return amount !== null && value !== null && amount < 0 && value > 0
}
