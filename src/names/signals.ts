/**
 * The signals that make up the score of a name. A tenfold importance of the owner adds one tenth to the score. So a
 * firm that is ten thousand times as large as another firm comes first, unless the score of its name is more than four
 * tenths lower.
 */
import type { Weighted } from '../read/signals.ts'

/**
 * How the typed words match the name, best first. Each score has one of these signals. The search also uses their
 * weights as bounds: no name of a stream matches better than the bound of the stream.
 */
export const WAYS = {
  /** `FORM.full` adds the difference between the weights of `exact` and `full`. */
  full: { name: 'name and legal form as typed', weight: 4.5 },
  exact: { name: 'name without its legal form', weight: 3.08 },
  /** "elon musk" for MUSK ELON. */
  turned: { name: 'all its words in another order', weight: 3.07 },
  begins: { name: 'beginning of the name', weight: 3 },
  /** "t rowe price" for PRICE T ROWE GROUP. */
  beginsTurned: { name: 'first words of the name in another order', weight: 2.99 },
  /** "j&j" certainly means initials, but "aig" may also be the beginning of a word. */
  apart: { name: 'initials typed apart', weight: 2.98 },
  initials: { name: 'initials', weight: 2.86 },
  /** "baird" for Robert W. Baird & Co., "lilly" for Eli Lilly & Co. */
  ends: { name: 'last word of a firm’s name alone', weight: 2.85 },
  leads: { name: 'first word and later ones', weight: 2.65 },
  within: { name: 'words next to each other', weight: 2.6 },
  ordered: { name: 'words in order', weight: 2.55 },
  scattered: { name: 'words in another order', weight: 2.5 },
} as const satisfies Record<string, Weighted>

/** The costs of a typed word, or of the text as a whole. A cost is a negative weight, which is added to the score. */
export const COSTS = {
  none: { name: 'as typed', weight: 0 },
  open: { name: 'last word may be unfinished', weight: -0.03 },
  cut: { name: 'end of a word missing', weight: -0.25 },
  blanks: { name: 'blanks elsewhere than in the name', weight: -0.02 },
  place: { name: 'only the place has the word', weight: -0.1 },
  openPlace: { name: 'only the place has a word that begins like this', weight: -0.13 },
  form: { name: 'only the legal form has the word', weight: -0.05 },
} as const satisfies Record<string, Weighted>

/** The costs of 0, 1 and 2 wrong letters in a word; `wrongMax` of near.ts forgives at most two. */
export const WRONG: readonly [Weighted, Weighted, Weighted] = [
  COSTS.none,
  { name: 'one wrong letter', weight: -0.5 },
  { name: 'two wrong letters', weight: -0.9 },
]

export const KIND = {
  now: { name: 'name of today', weight: 0 },
  other: { name: 'another name', weight: -0.15 },
  former: { name: 'former name', weight: -0.25 },
} as const satisfies Record<string, Weighted>

/**
 * If a legal form is typed, a name that has this legal form is preferred over a name that only begins as typed. If no
 * legal form is typed, a name without a legal form is slightly preferred.
 */
export const FORM = {
  full: { name: 'legal form as typed', weight: WAYS.full.weight - WAYS.exact.weight },
  some: { name: 'all typed legal forms', weight: 0.3 },
  none: { name: 'no legal form, and none typed', weight: 0.12 },
} as const satisfies Record<string, Weighted>

/**
 * Each typed legal form adds this weight if the name has the form, and subtracts this weight if the name lacks the
 * form.
 */
const OTHER_FORM = 0.05

/** Maximum number of typed legal forms. It equals WORDS_MAX of typed.ts, the maximum number of typed words. */
const FORMS_MAX = 12
const OTHER_FORMS: readonly Weighted[] = Array.from({ length: 2 * FORMS_MAX + 1 }, (_, at) => ({
  name: 'typed legal forms that the name has, less those that it lacks',
  weight: OTHER_FORM * (at - FORMS_MAX),
}))

/** @param more number of typed legal forms that the name has, minus those that it lacks */
export const otherForms = (more: number): Weighted => OTHER_FORMS[FORMS_MAX + more]!

/** A name with this quality or more consists of the typed words; its blanks may be in other positions. */
export const WHOLE_MIN = WAYS.exact.weight + COSTS.blanks.weight
/** A name with this quality or more begins with the typed text. */
export const BEGINS_MIN = WAYS.begins.weight + COSTS.open.weight + COSTS.blanks.weight
/** Highest quality of a name that matches with one wrong letter. */
export const WRONG_MAX = WAYS.exact.weight + WRONG[1].weight
