/** Words with which sentences begin. */

/**
 * Adverbs and conjunctions that stand before a name at the beginning of a sentence, in small letters: "Concurrently Ada
 * Sample was appointed". The capital letter does not make them a part of the name. They are listed one by one, since
 * surnames such as Connolly end like an adverb.
 */
export const OPENERS: readonly string[] = `
  accordingly additionally after afterward afterwards also although as because before both concurrently consequently
  contemporaneously currently finally formerly further furthermore however if immediately initially instead later
  likewise meanwhile moreover neither once previously promptly recently similarly simultaneously since subsequently
  that then thereafter therefore thereupon though thus until when whereas while
`
  .trim()
  .split(/\s+/)

/** The same words as a sentence that begins with one of them writes it: "Concurrently". */
export const CAPITAL_OPENERS: readonly string[] = OPENERS.map((word) => word[0]!.toUpperCase() + word.slice(1))
