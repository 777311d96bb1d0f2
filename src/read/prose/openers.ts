/** Words with which sentences begin. */

/**
 * Adverbs and conjunctions that stand before a name at the beginning of a sentence: "Concurrently Ada Sample was
 * appointed". Their capital letter does not make them a part of the name. They are listed one by one, since surnames
 * such as Connolly end like an adverb. Words with which names of firms begin are left out: "Once", "Before".
 */
export const OPENERS: readonly string[] = `
  Accordingly Additionally Afterward Afterwards Also Although Because Concurrently Consequently Contemporaneously
  Currently Finally Formerly Furthermore However Immediately Initially Instead Later Likewise Meanwhile Moreover
  Neither Previously Promptly Recently Similarly Simultaneously Subsequently Then Thereafter Therefore Thereupon
  Though Thus Whereas
`
  .trim()
  .split(/\s+/)

const OPENING = new Set(OPENERS)

/** Whether the word at a position of a text is one of the openers and follows the end of a sentence. */
export const isOpener = (word: string, text: string, at: number): boolean =>
  OPENING.has(word) && /[.;:)]["”’]?\s{1,4}$/.test(text.slice(Math.max(0, at - 6), at))
