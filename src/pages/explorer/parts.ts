/**
 * The parts in which a text is read. A part begins with a section where there is one, and has some 30,000 letters, so the
 * page of a filing of 12 MB is as small as that of any other.
 */

/** Letters of a part; the last of a section may be a quarter longer. */
export const PART = 30_000
/** A part goes on to the end of its paragraph, at most this far. */
export const MARGIN = 4_000
/** Sections that are shorter share a part. */
const LEAST = 6_000

export interface Bound {
  at: number
  /** Whether the part begins just there, as a section does, or after the paragraph that lies there. */
  isExact: boolean
}

/** Where parts begin, by the length of the text and the beginnings of its sections. */
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

/** The number of the part with this place, by where parts begin. */
export function partAt(bounds: readonly Bound[], at: number): number {
  let [low, high] = [0, bounds.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (bounds[middle]!.at <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** The end of the paragraph, or else of the line, at a place of a text. */
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
  // Not between the halves of a character.
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at
}

/** An address within part n, from which it is found again. */
export const addressIn = ({ at, isExact }: Bound): number => (isExact ? at : at + MARGIN)

/** Words of a search that are read. */
const WORDS = 12
/** Places that are found. */
export const FOUND = 200

export interface Hit {
  from: number
  to: number
}

/**
 * Places of the words, one after the other, in any case and across signs of Markdown. Takes time with the length alone,
 * since no word has a sign that may stand between words: a row of such signs can be read in one way.
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
