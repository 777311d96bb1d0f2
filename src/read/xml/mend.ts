/**
 * Repairs faults of XML for which only one intended meaning is possible. The reader is strict and does not use this
 * module. If it refuses a document, the caller may repair the document, read it again, and report the repair.
 */

/** A fault that was repaired. */
export interface Mended {
  what: 'unescaped &' | 'unescaped <' | 'closing tag without >'
  /** Both count from 1, in the original document. */
  line: number
  column: number
}

/** Maximum number of faults: a document with more faults is not a form with an occasional slip. */
const FAULTS_MAX = 1_000

const ENTITY = /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});/iy
const CLOSING = /<\/[a-z_][\w.:-]{0,255}(?=\s*<)/iy
/** The beginning of a tag, a comment or an instruction. */
const TAG = /<[a-z_/!?]/iy
const WHOLE = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

/**
 * Returns the document with its faults repaired. Each `&` that begins no reference and each `<` that begins no tag is
 * escaped. If a closing tag lacks its `>` and another tag follows, the `>` is added. Comments, CDATA and instructions
 * stay as they are. It takes linear time.
 *
 * @returns null if there is nothing to repair, or if there are too many faults
 */
export function mend(source: string): { text: string; mended: Mended[] } | null {
  const pieces: string[] = []
  const mended: Mended[] = []
  const placeAt = placesOf(source)
  let kept = 0
  let at = next(source, 0)
  while (at < source.length) {
    const end = endOfWhole(source, at)
    if (end !== null) {
      at = next(source, end)
      continue
    }
    const found = faultAt(source, at)
    if (found) {
      if (mended.length === FAULTS_MAX) return null
      pieces.push(source.slice(kept, at), found.instead)
      mended.push({ what: found.what, ...placeAt(at) })
      kept = at + found.length
    }
    at = next(source, at + Math.max(1, found?.length ?? 1))
  }
  return mended.length === 0 ? null : { text: pieces.join('') + source.slice(kept), mended }
}

/**
 * Returns a function for the lines and columns of positions. Positions must be requested in ascending order, so that
 * each line end is examined once.
 */
function placesOf(source: string): (at: number) => { line: number; column: number } {
  let line = 1
  let begin = 0
  return (at) => {
    for (let end = source.indexOf('\n', begin); end >= 0 && end < at; end = source.indexOf('\n', begin)) {
      line++
      begin = end + 1
    }
    return { line, column: at - begin + 1 }
  }
}

const SIGN = /[&<]/g

function next(source: string, from: number): number {
  SIGN.lastIndex = from
  return SIGN.exec(source)?.index ?? source.length
}

/**
 * Returns the end of a comment, CDATA section or instruction that begins at this position. If its end mark is missing,
 * it extends to the end of the document.
 */
function endOfWhole(source: string, at: number): number | null {
  for (const [opening, closing] of WHOLE) {
    if (!source.startsWith(opening, at)) continue
    const end = source.indexOf(closing, at + opening.length)
    return end < 0 ? source.length : end + closing.length
  }
  return null
}

function faultAt(source: string, at: number): { what: Mended['what']; instead: string; length: number } | null {
  const is = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }
  if (source[at] === '&') return is(ENTITY) ? null : { what: 'unescaped &', instead: '&amp;', length: 1 }
  const closing = is(CLOSING)
  if (closing) return { what: 'closing tag without >', instead: `${closing}>`, length: closing.length }
  return is(TAG) ? null : { what: 'unescaped <', instead: '&lt;', length: 1 }
}
