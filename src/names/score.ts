/**
 * How well a name matches the typed text, as one number: the sum of named signals (names/signals.ts). `quality` adds
 * them up for each name that a search reads, and `explainQuality` lists them.
 */
import type { Weighted } from '../read/signals.ts'
import type { NameKind } from './named.ts'
import { COSTS, FORM, KIND, otherForms, WAYS, WRONG } from './signals.ts'
import { mayBeInitials, type Reading, requiredOf, type TypedWord } from './typed.ts'

/** A stored name, split once for all readings. */
interface Candidate {
  core: readonly string[]
  tail: readonly string[]
  initials: string
  /** The core without blanks; `begins` has the positions in `whole` at which words begin. */
  whole: string
  begins: ReadonlySet<number>
  place: readonly string[]
  kind: NameKind
}

/** For each mistyped word, the words that the person may have meant, each with the number of letters that differ. */
export type Near = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * Two letters count as initials only if they were typed as separate letters, or if other words follow. Very many names
 * begin with any two letters.
 */
export const INITIALS_MIN = 2

/** @param key the `key` of a StoredName */
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

/** How well the name matches; null if it lacks a required word. */
export function quality(reading: Reading, name: Candidate, near?: Near): number | null {
  const found = matchOf(requiredOf(reading), name, near)
  if (!found) return null
  let score = found.way.weight + found.end.weight + found.blanks.weight
  let words = 0
  for (const { cost } of found.met) words += cost.weight
  score += words
  return score + formOf(reading, name, found.isExact).weight + KIND[name.kind].weight
}

/** The signals that add up to `quality`; signals with the value zero are left out. */
export function explainQuality(reading: Reading, name: Candidate, near?: Near): Weighted[] | null {
  const found = matchOf(requiredOf(reading), name, near)
  if (!found) return null
  const costs = [found.end, found.blanks, ...found.met.map(({ cost }) => cost)]
  return [found.way, ...costs, formOf(reading, name, found.isExact), KIND[name.kind]].filter(
    ({ weight }) => weight !== 0,
  )
}

/** How the required words match a name. All signals are constants, so that a search allocates nothing for them. */
interface NameMatch {
  way: Weighted
  /** Cost of the last word, if the text matches as a whole. `blanks` is the cost of the blanks. */
  end: Weighted
  blanks: Weighted
  /** The words that match, if the words match one by one. */
  met: readonly Met[]
  isExact: boolean
}

const matchOf = (words: readonly TypedWord[], name: Candidate, near: Near | undefined): NameMatch | null =>
  matchWhole(words, name) ?? matchByWords(words, name, near)

const NO_WORDS: readonly Met[] = []

const whole = (way: Weighted, end: Weighted, blanks: Weighted): NameMatch => ({
  way,
  end,
  blanks,
  met: NO_WORDS,
  isExact: way === WAYS.exact,
})

const byWords = (way: Weighted, met: readonly Met[]): NameMatch => ({
  way,
  end: COSTS.none,
  blanks: COSTS.none,
  met,
  isExact: false,
})

/** Finds out whether the name consists of the typed words, or begins with them, wherever the blanks are. */
function matchWhole(words: readonly TypedWord[], { whole: name, begins }: Candidate): NameMatch | null {
  const last = words.at(-1)!
  const before = words.slice(0, -1).map(({ text }) => text)
  const texts = [last.text, last.spelled].map((text) => [...before, text].join(''))
  const text = texts.find((one) => name.startsWith(one))
  if (text === undefined) return null
  const ends = before.map((_, i) => before.slice(0, i + 1).join('').length)
  const blanks = ends.every((end) => begins.has(end)) ? COSTS.none : COSTS.blanks
  if (text === name) return whole(WAYS.exact, COSTS.none, blanks)
  const isWhole = begins.has(text.length)
  if (!isWhole && !last.isOpen) return null
  // Letters that were typed separately are initials, so they are not a prefix of a word.
  return whole(WAYS.begins, isWhole ? COSTS.none : last.isInitials ? COSTS.cut : COSTS.open, blanks)
}

/** The words of the core that a typed word matches, and the cost of this match. */
interface Met {
  /** Position of the first of these words; null if the typed word matches outside the core. */
  at: number | null
  length: number
  cost: Weighted
  isInitials: boolean
}

/**
 * Each typed word must match a word of the name that no other typed word has matched. At least one typed word must
 * match a word of the core.
 */
function matchByWords(words: readonly TypedWord[], name: Candidate, near: Near | undefined): NameMatch | null {
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
  const first = inCore[0]!
  if (inCore.length === 1 && first.isInitials) return byWords(words[0]!.isInitials ? WAYS.apart : WAYS.initials, met)
  if (words.length === 1 && isLastName(first, name)) return byWords(WAYS.ends, met)
  return byWords(orderOf(inCore, taken.size === name.core.length), met)
}

/** In a name with more words than this, the last word is not treated as the last name of a person. */
const LAST_NAME_WORDS_MAX = 3

const isLastName = ({ at, cost }: Met, { core, tail }: Candidate) =>
  cost.weight === 0 &&
  core.length > 1 &&
  core.length <= LAST_NAME_WORDS_MAX &&
  at === core.length - 1 &&
  tail.length > 0

function orderOf(met: readonly (Met & { at: number })[], isAll: boolean): Weighted {
  const isOrdered = met.every((one, i) => i === 0 || one.at > met[i - 1]!.at)
  const isTogether = met.every((one, i) => i === 0 || one.at === met[i - 1]!.at + met[i - 1]!.length)
  const isFirst = met[0]!.at === 0
  if (isAll) return isOrdered ? WAYS.exact : WAYS.turned
  const isBeginning =
    met.reduce((length, one) => length + one.length, 0) === 1 + Math.max(...met.map((one) => one.at + one.length - 1))
  if (isTogether) return isFirst ? WAYS.begins : WAYS.within
  if (isOrdered) return isFirst ? WAYS.leads : WAYS.ordered
  return isBeginning ? WAYS.beginsTurned : WAYS.scattered
}

interface Wanted {
  taken: ReadonlySet<number>
  /** The position that the word would have if the name were exactly as typed. */
  expected: number
  isFirst: boolean
  isOnly: boolean
  near: ReadonlyMap<string, number> | undefined
}

/** Finds the cheapest match of a word. Branches: each is a way to match, the cheapest first. */
function meet(word: TypedWord, name: Candidate, wanted: Wanted): Met | null {
  const { core, tail, place } = name
  const { taken, expected, near } = wanted
  const isWord = (text: string) => text === word.text
  const begins = (text: string) => text.startsWith(word.text) || text.startsWith(word.spelled)
  const inCore = (test: (text: string) => boolean) => {
    if (expected < core.length && !taken.has(expected) && test(core[expected]!)) return expected
    return core.findIndex((text, i) => !taken.has(i) && test(text))
  }
  const one = (at: number | null, cost: Weighted): Met => ({ at, length: 1, cost, isInitials: false })
  // A split word may continue into the legal form: "partnersllc".
  if (word.isAttached && expected >= core.length) {
    return begins(tail[expected - core.length] ?? '') ? one(expected, COSTS.form) : null
  }
  const exact = inCore(isWord)
  if (exact >= 0) return one(exact, COSTS.none)
  const initials = initialsMet(word, name, wanted)
  if (initials) return initials
  if (place.includes(word.text) || place.includes(word.spelled)) return one(null, COSTS.place)
  const open = word.isOpen || word.isCut ? inCore(begins) : -1
  if (open >= 0) return one(open, word.isOpen ? COSTS.open : COSTS.cut)
  if (tail.some(isWord)) return one(null, COSTS.form)
  if (word.isOpen && place.some(begins)) return one(null, COSTS.openPlace)
  if (!near) return null
  let best: Met | null = null
  for (const [i, text] of core.entries()) {
    const wrong = taken.has(i) ? undefined : near.get(text)
    if (wrong === undefined) continue
    const cost = WRONG[wrong]!
    if (!best || cost.weight > best.cost.weight) best = one(i, cost)
  }
  const wrongForm = tail.flatMap((text) => near.get(text) ?? [])[0]
  return best ?? (wrongForm === undefined ? null : one(null, WRONG[wrongForm]!))
}

/**
 * Matches initials: "gsam" is all of Goldman Sachs Asset Management, and "gs" is the beginning of its initials if other
 * words follow.
 */
function initialsMet(word: TypedWord, { core, initials }: Candidate, { isFirst, isOnly }: Wanted): Met | null {
  if (!isFirst || !mayBeInitials(word) || core.length < 2) return null
  const { text, isInitials: isApart } = word
  if (initials === text && (text.length > INITIALS_MIN || isApart || !isOnly))
    return { at: 0, length: core.length, cost: COSTS.none, isInitials: true }
  // If a word of the name was joined from letters ("J. P."), it has several initials. Then the initials cannot be
  // matched to the words one by one.
  if (isOnly || initials.length !== core.length || !initials.startsWith(text)) return null
  return { at: 0, length: text.length, cost: COSTS.cut, isInitials: true }
}

/** The signal of the legal form, whether a legal form was typed or not. */
function formOf(reading: Reading, { core, tail }: Candidate, isExact: boolean): Weighted {
  const forms = reading.filter(({ isOptional }) => isOptional)
  const isTail = forms.length === tail.length && forms.every(({ text }, i) => text === tail[i])
  if (isExact && isTail) return forms.length > 0 ? FORM.full : FORM.none
  const isMet = ({ text, spelled, isOpen }: TypedWord) =>
    tail.includes(text) || (isOpen && [...tail, ...core].some((word) => word.startsWith(spelled)))
  const met = forms.filter(isMet).length
  if (isExact && forms.length > 0 && met === forms.length) return FORM.some
  return otherForms(met - (forms.length - met))
}
