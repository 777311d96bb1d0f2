import { apiError } from '../../declare/api-errors.ts'
/** Computes the requested part of a text. */

export interface Part {
  offset: number
  end: number
  next: number | null
}

/**
 * Returns the part of a text that begins at `offset` and has at most `max` units, within the given bounds. Never splits
 * a character.
 *
 * @throws HttpError 400 for an offset outside of the bounds
 */
export function partOf(
  text: string,
  { start, end: stop }: { start: number; end: number },
  { offset = start, max }: { offset?: number | undefined; max?: number | undefined },
): Part {
  if (offset < start || offset > stop) {
    throw wrong(`must be from ${start} to ${stop}, the bounds of the requested text`)
  }
  if (isSecondHalf(text, offset)) throw wrong('must not be in the middle of a character')
  let end = max === undefined ? stop : Math.min(stop, offset + max)
  // If the part would be one half of a character, both halves are returned.
  if (isSecondHalf(text, end)) end += end - offset > 1 ? -1 : 1
  return { offset, end, next: end < stop ? end : null }
}

const wrong = (reason: string) => apiError('invalid_parameter', { parameter: 'offset', reason })

const isSecondHalf = (text: string, at: number) =>
  at > 0 &&
  at < text.length &&
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 &&
  (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
