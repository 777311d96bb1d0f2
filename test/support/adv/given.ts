/** Answers and lines written by hand, several to a line. */
import type { Answers } from './firm.ts'

function parsed(pairs: readonly string[]): Answers {
  const answers: Answers = {}
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    const value = pair.slice(at + 1)
    answers[pair.slice(0, at)] = /^(?:0|[1-9]\d*)$/.test(value) ? Number(value) : value
  }
  return answers
}

/** Parses `5A=12 5F1=Y`: values by column; digits alone are a number, unless they begin with 0. */
export const facts = (text: string): Answers => parsed(text.split(/\s+/))

/** Parses `City=NEW YORK; State=NY`: like `facts`, for values with spaces. */
export const line = (text: string): Answers => parsed(text.split(/;\s+/))

/**
 * Parses `5J=YN 6B=N-Y`: answers to consecutive questions, here 5J1, 5J2, 6B1 and 6B3; a dash marks a question without
 * an answer.
 */
export function marks(text: string): Answers {
  const answers: Answers = {}
  for (const [group, letters] of Object.entries(parsed(text.split(' ')))) {
    for (const [at, letter] of [...String(letters)].entries()) if (letter !== '-') answers[`${group}${at + 1}`] = letter
  }
  return answers
}
