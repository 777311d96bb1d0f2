/** In a text table, reads the column headings that say what an `X` means, and which kind of votes a number counts. */
import type { Holding } from '../types.ts'
import { type Columns, columnOf } from './columns.ts'
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

/** A kind of voting authority. */
export type VoteKind = 'sole' | 'shared' | 'none'

/**
 * Returns the kind of votes in each column, from the headings of the last columns: `Sole` alone, or `None Shared Sole`.
 * If the columns are unknown, returns the kinds of the last three words of a row. Returns null for the usual three
 * kinds in their usual order, and if two kinds share a column. Headings of discretion (`Sole Shared Other`) do not
 * reach the last column.
 */
export function votesOf(lines: readonly (readonly Word[])[], columns: Columns): VoteHeads {
  const kinds = columns === null ? lastWords(lines) : byColumn(lines, columns)
  if (kinds === null) return null
  const from = kinds.lastIndexOf(null) + 1
  const named = kinds.slice(from)
  if (named.length > 3 || !named.includes('sole') || named.join() === 'sole,shared,none') return null
  return kinds.map((kind, at) => (at < from ? null : kind))
}

export type VoteHeads = readonly (VoteKind | null)[] | null

function byColumn(lines: readonly (readonly Word[])[], columns: readonly number[]): VoteHeads {
  const kinds: (VoteKind | null)[] = columns.map(() => null)
  for (const word of lines.flat()) {
    const kind = VOTE_HEADS.get(word.text.toLowerCase())
    if (kind === undefined) continue
    const at = columnOf(word, columns)
    if (kinds[at] !== null && kinds[at] !== kind) return null
    kinds[at] = kind
  }
  return kinds
}

/** Returns the three kinds at the end of a line of headings. */
function lastWords(lines: readonly (readonly Word[])[]): VoteHeads {
  const all = lines.map((line) => line.slice(-3).map(({ text }) => VOTE_HEADS.get(text.toLowerCase()) ?? null))
  return all.find((kinds) => new Set(kinds).size === 3 && !kinds.includes(null)) ?? null
}

const VOTE_HEADS: ReadonlyMap<string, VoteKind> = new Map([
  ['sole', 'sole'],
  ['shared', 'shared'],
  ['none', 'none'],
])

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
