/**
 * How well a name meets what was typed, as one number: first by what of the name is met, then by how much its owner
 * weighs. A tenth is a tenfold weight, so a firm ten thousand times as large may be met four tenths worse.
 */
import type { NameKind } from './named.ts'
import { mayBeInitials, type Reading, type TypedWord } from './typed.ts'

/** A stored name, taken apart once for all readings. */
interface Candidate {
  core: readonly string[]
  tail: readonly string[]
  initials: string
  /** The core without blanks, and the places in it where words begin. */
  whole: string
  begins: ReadonlySet<number>
  place: readonly string[]
  kind: NameKind
}

/** For a mistyped word, the words it may have been meant for and how many letters are wrong. */
export type Near = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * Best first. Exported because the search uses them as bounds: a stream of names cannot hold anything better than its
 * own.
 */
export const QUALITY = {
  /** Name and legal form as typed. */
  full: 4.5,
  /** The name without its legal form. */
  exact: 3.08,
  /** All its words in another order: MUSK ELON. */
  turned: 3.07,
  begins: 3,
  /** The words that the name begins with, in another order: PRICE T ROWE GROUP. */
  beginsTurned: 2.99,
  /** Letters typed apart, "j&j", are meant as initials; "aig" may be the beginning of a word. */
  apart: 2.98,
  initials: 2.86,
  /** The last word of a firm's name alone, as of Robert W. Baird & Co. and Eli Lilly & Co. */
  ends: 2.85,
  /** From the first word of the name on, with other words between. */
  leads: 2.65,
  /** Words next to each other. */
  within: 2.6,
  ordered: 2.55,
  scattered: 2.5,
} as const

const COST = {
  /** A word whose end is missing: `open` for the last one, which may still be typed, `cut` for any other. */
  open: 0.03,
  cut: 0.25,
  /** Blanks that stand elsewhere than in the name. */
  blanks: 0.02,
  /** By how many letters of a word are wrong. */
  wrong: [0, 0.5, 0.9, 1.2],
  /** A word that only the place has, or only the legal form. */
  place: 0.1,
  form: 0.05,
  kind: { now: 0, other: 0.15, former: 0.25 },
  /** A typed legal form that the name lacks. A name that has it gains as much. */
  otherForm: 0.05,
} as const

/**
 * A typed legal form prefers the name that has it over one that only begins so. Without one, a name without a legal
 * form is slightly preferred.
 */
const FORM_GAIN = 0.3
const NO_FORM_GAIN = 0.12

/**
 * So many names begin with two letters that these count as initials only if they were typed apart or stand before other
 * words.
 */
export const INITIALS_MIN = 2

/** From WHOLE_MIN on a name is all that was typed, wherever its blanks are; from BEGINS_MIN on it begins with it. */
export const WHOLE_MIN = QUALITY.exact - COST.blanks
export const BEGINS_MIN = QUALITY.begins - COST.open - COST.blanks

/** Nothing with a mistyped word is better than this. */
export const WRONG_MAX = QUALITY.exact - COST.wrong[1]

/** @param key of StoredName */
export function candidateOf(key: string, kind: NameKind, place = ''): Candidate {
  const [core = '', tail = '', initials = ''] = key.split('|')
  const words = core.split(' ')
  const begins = new Set<number>()
  let length = 0
  for (const word of words) {
    begins.add(length)
    length += word.length
  }
  begins.add(length)
  const parts = (text: string) => (text === '' ? [] : text.split(' '))
  return { core: words, tail: parts(tail), initials, whole: words.join(''), begins, place: parts(place), kind }
}

/** How well the name is met; null where a required word is not met. */
export function quality(reading: Reading, name: Candidate, near?: Near): number | null {
  const words = reading.filter(({ isOptional }) => !isOptional)
  const found = wholeQuality(words, name) ?? wordQuality(words, name, near)
  if (found === null) return null
  return found.quality + formQuality(reading, name, found.isExact) - COST.kind[name.kind]
}

interface Quality {
  quality: number
  isExact: boolean
}

/** Meets names that are the words typed, or begin with them, wherever the blanks are. */
function wholeQuality(words: readonly TypedWord[], { whole, begins }: Candidate): Quality | null {
  const last = words.at(-1)!
  const before = words.slice(0, -1).map(({ text }) => text)
  const texts = [last.text, last.spelled].map((text) => [...before, text].join(''))
  const text = texts.find((one) => whole.startsWith(one))
  if (text === undefined) return null
  const ends = before.map((_, i) => before.slice(0, i + 1).join('').length)
  const blanks = ends.every((end) => begins.has(end)) ? 0 : COST.blanks
  if (text === whole) return { quality: QUALITY.exact - blanks, isExact: true }
  const isWhole = begins.has(text.length)
  if (!isWhole && !last.isOpen) return null
  // Letters typed apart are initials, so they are not a beginning of a word.
  const end = isWhole ? 0 : last.isInitials ? COST.cut : COST.open
  return { quality: QUALITY.begins - end - blanks, isExact: false }
}

/** The words of the core that a typed word meets, and what that costs. */
interface Met {
  /** Place of the first one; null for a word that is met outside the core. */
  at: number | null
  length: number
  cost: number
  isInitials: boolean
}

/** Each typed word must meet a word of the name that no other one has, and at least one must meet the core. */
function wordQuality(words: readonly TypedWord[], name: Candidate, near: Near | undefined): Quality | null {
  const taken = new Set<number>()
  const met: Met[] = []
  for (const [at, word] of words.entries()) {
    const before = met.at(-1)
    const expected = before?.at == null ? 0 : before.at + before.length
    const found = meet(word, name, {
      taken,
      expected,
      isFirst: at === 0,
      isOnly: words.length === 1,
      near: near?.get(word.text),
    })
    if (!found || (word.isAttached && found.at !== expected)) return null
    if (found.at !== null) for (let i = 0; i < found.length; i++) taken.add(found.at + i)
    met.push(found)
  }
  const inCore = met.filter(({ at }) => at !== null) as (Met & { at: number })[]
  if (inCore.length === 0) return null
  const cost = met.reduce((sum, one) => sum + one.cost, 0)
  if (inCore.length === 1 && inCore[0]!.isInitials) {
    return { quality: (words[0]!.isInitials ? QUALITY.apart : QUALITY.initials) - cost, isExact: false }
  }
  if (words.length === 1 && isLastName(inCore[0]!, name)) return { quality: QUALITY.ends - cost, isExact: false }
  return { quality: orderQuality(inCore, taken.size === name.core.length) - cost, isExact: false }
}

/** The last word of a longer name is not the last name of a person. */
const LAST_NAME_WORDS_MAX = 3

const isLastName = ({ at, cost }: Met, { core, tail }: Candidate) =>
  cost === 0 && core.length > 1 && core.length <= LAST_NAME_WORDS_MAX && at === core.length - 1 && tail.length > 0

function orderQuality(met: readonly (Met & { at: number })[], isAll: boolean): number {
  const isOrdered = met.every((one, i) => i === 0 || one.at > met[i - 1]!.at)
  const isTogether = met.every((one, i) => i === 0 || one.at === met[i - 1]!.at + met[i - 1]!.length)
  const isFirst = met[0]!.at === 0
  if (isAll) return isOrdered ? QUALITY.exact : QUALITY.turned
  const isBeginning =
    met.reduce((length, one) => length + one.length, 0) === 1 + Math.max(...met.map((one) => one.at + one.length - 1))
  if (isTogether) return isFirst ? QUALITY.begins : QUALITY.within
  if (isOrdered) return isFirst ? QUALITY.leads : QUALITY.ordered
  return isBeginning ? QUALITY.beginsTurned : QUALITY.scattered
}

interface Wanted {
  taken: ReadonlySet<number>
  /** Where the word would stand if the name were as typed. */
  expected: number
  isFirst: boolean
  isOnly: boolean
  near: ReadonlyMap<string, number> | undefined
}

/** Branches: each is a way in which a word is met, the cheapest first. */
function meet(word: TypedWord, name: Candidate, wanted: Wanted): Met | null {
  const { core, tail, place } = name
  const { taken, expected, near } = wanted
  const isWord = (text: string) => text === word.text
  const begins = (text: string) => text.startsWith(word.text) || text.startsWith(word.spelled)
  const inCore = (test: (text: string) => boolean) => {
    if (expected < core.length && !taken.has(expected) && test(core[expected]!)) return expected
    return core.findIndex((text, i) => !taken.has(i) && test(text))
  }
  const one = (at: number | null, cost: number): Met => ({ at, length: 1, cost, isInitials: false })
  // A split word may continue into the legal form: "partnersllc".
  if (word.isAttached && expected >= core.length) {
    return begins(tail[expected - core.length] ?? '') ? one(expected, COST.form) : null
  }
  const exact = inCore(isWord)
  if (exact >= 0) return one(exact, 0)
  const initials = initialsMet(word, name, wanted)
  if (initials) return initials
  if (place.includes(word.text) || place.includes(word.spelled)) return one(null, COST.place)
  const open = word.isOpen || word.isCut ? inCore(begins) : -1
  if (open >= 0) return one(open, word.isOpen ? COST.open : COST.cut)
  if (tail.some(isWord)) return one(null, COST.form)
  if (word.isOpen && place.some(begins)) return one(null, COST.place + COST.open)
  if (!near) return null
  let best: Met | null = null
  for (const [i, text] of core.entries()) {
    const wrong = taken.has(i) ? undefined : near.get(text)
    const cost = wrong === undefined ? Number.POSITIVE_INFINITY : COST.wrong[wrong]!
    if (cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = one(i, cost)
  }
  const wrongForm = tail.flatMap((text) => near.get(text) ?? [])[0]
  return best ?? (wrongForm === undefined ? null : one(null, COST.wrong[wrongForm]!))
}

/** "gsam" is all of Goldman Sachs Asset Management; "gs" is its beginning, if other words follow. */
function initialsMet(word: TypedWord, { core, initials }: Candidate, { isFirst, isOnly }: Wanted): Met | null {
  if (!isFirst || !mayBeInitials(word) || core.length < 2) return null
  const { text, isInitials: isApart } = word
  if (initials === text && (text.length > INITIALS_MIN || isApart || !isOnly))
    return { at: 0, length: core.length, cost: 0, isInitials: true }
  // A word of letters that stood apart has several initials: then letters and words cannot be matched one by one.
  if (isOnly || initials.length !== core.length || !initials.startsWith(text)) return null
  return { at: 0, length: text.length, cost: COST.cut, isInitials: true }
}

/** The bonus of a typed legal form. */
function formQuality(reading: Reading, { core, tail }: Candidate, isExact: boolean): number {
  const forms = reading.filter(({ isOptional }) => isOptional)
  const isTail = forms.length === tail.length && forms.every(({ text }, i) => text === tail[i])
  if (isExact && isTail) return forms.length > 0 ? QUALITY.full - QUALITY.exact : NO_FORM_GAIN
  const isMet = ({ text, spelled, isOpen }: TypedWord) =>
    tail.includes(text) || (isOpen && [...tail, ...core].some((word) => word.startsWith(spelled)))
  const met = forms.filter(isMet).length
  if (isExact && forms.length > 0 && met === forms.length) return FORM_GAIN
  return COST.otherForm * (met - (forms.length - met))
}
