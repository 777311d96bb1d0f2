/**
 * The parts into which a text is divided for reading. Parts begin at sections if the text has sections, and have about
 * 30,000 letters. So a page of a filing of 12 MB is as small as any other page.
 */

/** Letters of a part; the last part of a section may be a quarter longer. */
export const PART = 30_000
/** A part continues to the end of its paragraph, but by no more than this many letters. */
export const MARGIN = 4_000
/** A section begins a new part only if the part before it then has at least this many letters. */
const LEAST = 6_000

export interface Bound {
  at: number
  /** Whether the part begins exactly at `at`, like a section, or after the paragraph at `at`. */
  isExact: boolean
}

/** Returns where parts begin, from the length of the text and the starts of its sections. */
export function boundsOf(length: number, starts: readonly number[]): Bound[] {
  const bounds: Bound[] = [{ at: 0, isExact: true }]
  const divide = (until: number) => {
    for (let last = bounds.at(-1)!.at; until - last > PART * 1.25; last += PART) {
      bounds.push({ at: last + PART, isExact: false })
    }
  }
  const inside = starts.filter((start) => start > 0 && start < length)
  for (const start of [...new Set(inside)].sort((a, b) => a - b)) {
    divide(start)
    if (start - bounds.at(-1)!.at >= LEAST) bounds.push({ at: start, isExact: true })
  }
  divide(length)
  return bounds
}

/** Returns the position in `bounds` of the part that contains this place. */
export function partAt(bounds: readonly Bound[], at: number): number {
  let [low, high] = [0, bounds.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (bounds[middle]!.at <= at) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Returns the end of the paragraph at a position of a text. If this end is more than `MARGIN` letters away, returns the
 * end of the line, and if that is too far away too, the position itself.
 */
export function cutAfter(text: string, at: number): number {
  if (at >= text.length) return text.length
  const until = Math.min(at + MARGIN, text.length)
  const within = (sign: string) => {
    const found = text.indexOf(sign, at)
    return found < 0 || found + sign.length > until ? -1 : found + sign.length
  }
  const [gap, line] = [within('\n\n'), within('\n')]
  if (gap >= 0) return gap
  if (line >= 0) return line
  // Never cuts a surrogate pair.
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at
}

/**
 * The position that an address of a part has; it is a position within the part, so `partAt` finds the same part again.
 */
export const addressIn = ({ at, isExact }: Bound): number => (isExact ? at : at + MARGIN)

/** Maximum number of words of a search that are used. */
const WORDS = 12
/** Maximum number of places that a search finds. */
export const FOUND = 200

export interface Hit {
  from: number
  to: number
}

/**
 * Finds passages in which the words of the query follow one another, in upper or lower case. Signs of Markdown may be
 * between the words. The time is linear in the length. Words contain none of the signs that may separate words, so a
 * run of such signs matches in only one way.
 */
export function hitsIn(text: string, query: string, most = FOUND): { hits: Hit[]; isCut: boolean } {
  const words = query
    .split(/[\s*_|\\]+/)
    .filter((word) => word !== '')
    .slice(0, WORDS)
  if (words.length === 0) return { hits: [], isCut: false }
  const literal = words.map((word) => word.replace(/[\^$.+?()[\]{}/]/g, '\\$&'))
  const pattern = new RegExp(literal.join(String.raw`[\s*_|\\]{1,8}`), 'giu')
  const hits: Hit[] = []
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (hits.length === most) return { hits, isCut: true }
    hits.push({ from: index, to: index + found.length })
  }
  return { hits, isCut: false }
}
