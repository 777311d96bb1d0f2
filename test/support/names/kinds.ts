/**
 * Ways in which people type a name that they know. A rule for each way makes the typed text from a filed name, the same
 * in every run. The rules of the search are not used here, so that their errors are not repeated here.
 */
import type { Random } from '../../../bench/random.ts'

const FORM =
  /[\s,]+(llc|l\.? ?l\.? ?c\.?|lp|l\.? ?p\.?|llp|l\.l\.p\.?|inc(orporated)?|ltd|limited|limited partnership|corp(oration)?|co(mpany)?|plc|pte|pty|s\.?a\.?|ag|gmbh|n\.?a\.?|ltda|b\.?v\.?|ulc|pbc|sarl)\.?$/i

/** The name as people say it, without its legal form. */
export function shortOf(name: string): string {
  let short = name.trim()
  for (;;) {
    const cut = short
      .replace(/\s*\/[a-z]{2,3}\/?$/i, '')
      .replace(FORM, '')
      .replace(/[\s,&]+$/, '')
    if (cut === short || cut === '') return short
    short = cut
  }
}

const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bmanagement\b/i, 'mgmt'],
  [/\binternational\b/i, 'intl'],
  [/\bnational\b/i, 'natl'],
  [/\bassociates\b/i, 'assocs'],
  [/\bservices\b/i, 'svcs'],
  [/\bgroup\b/i, 'grp'],
  [/\bholdings\b/i, 'hldgs'],
  [/\binvestment\b/i, 'invt'],
  [/\binvestments\b/i, 'invts'],
  [/\badvisors\b/i, 'advs'],
  [/\bpartners\b/i, 'ptnrs'],
  [/\bfinancial\b/i, 'finl'],
]

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Leaves out, doubles or changes one letter of a word of at least four letters, or swaps it with the next. */
function mistyped(text: string, random: Random): string | null {
  const places = [...text.matchAll(/[a-z]{4,}/gi)].flatMap(({ 0: word, index }) =>
    Array.from(word, (_, i) => ({ at: index + i, isLast: i === word.length - 1 })),
  )
  if (places.length === 0) return null
  const { at, isLast } = places[random.below(places.length)]!
  const [before, letter, after] = [text.slice(0, at), text[at]!, text.slice(at + 1)]
  const way = random.below(4)
  if (way === 0) return before + after
  if (way === 1) return before + letter + letter + after
  if (way === 2) return before + LETTERS[random.below(LETTERS.length)] + after
  return isLast ? before + after : before + after[0] + letter + after.slice(1)
}

export interface Named {
  name: string
  city: string | null
  state: string | null
}

/** Returns the typed text for a name; null if the name cannot be typed in this way. */
export type Way = (named: Named, random: Random) => string | null

const changed = (text: string, from: string) => (text === from ? null : text)

export const WAYS = {
  'the full name': ({ name }) => name,
  'without its legal form': ({ name }) => shortOf(name),
  'in small letters without marks': ({ name }) => name.toLowerCase().replace(/[.,]/g, ''),
  '"and" for "&"': ({ name }) => changed(name.replace(/\s*&\s*/g, ' and '), name),
  'without "&"': ({ name }) => changed(name.replace(/\s*&\s*/g, ' '), name),
  'initials without dots': ({ name }) =>
    changed(
      shortOf(name)
        .replace(/\b([a-z])\.\s?(?=[a-z]\.)/gi, '$1')
        .replace(/\b([a-z]{1,4})\.(?=\s)/gi, '$1'),
      shortOf(name),
    ),
  'initials apart': ({ name }) => changed(shortOf(name).replace(/\b([a-z])\.\s?/gi, '$1 '), shortOf(name)),
  'short forms of words': ({ name }) =>
    changed(
      SHORT_FORMS.reduce((text, [word, short]) => text.replace(word, short), shortOf(name)),
      shortOf(name),
    ),
  'with its city': ({ name, city }) => city && `${shortOf(name)} ${city}`,
  'with its state': ({ name, state }) => state && `${shortOf(name)} ${state}`,
  'two words as one': ({ name }, random) => {
    const gaps = [...shortOf(name).matchAll(/(?<=[a-z0-9])\s(?=[a-z0-9])/gi)]
    if (gaps.length === 0) return null
    const { index } = gaps[random.below(gaps.length)]!
    return shortOf(name).slice(0, index) + shortOf(name).slice(index + 1)
  },
  'one word as two': ({ name }, random) => {
    const places = [...shortOf(name).matchAll(/(?<=[a-z]{2})(?=[a-z]{2})/gi)].filter(({ index }) => {
      const word = /[a-z]*$/i.exec(shortOf(name).slice(0, index))![0] + /^[a-z]*/i.exec(shortOf(name).slice(index))![0]
      return word.length >= 6
    })
    if (places.length === 0) return null
    const { index } = places[random.below(places.length)]!
    return `${shortOf(name).slice(0, index)} ${shortOf(name).slice(index)}`
  },
  'one letter wrong': ({ name }, random) => mistyped(shortOf(name), random),
  // Changes two words, or one word that is long enough to be recognized by its other letters.
  'two letters wrong': ({ name }, random) => {
    const words = shortOf(name).split(' ')
    const places = words.flatMap((word, at) => (/^[a-z]{4,}$/i.test(word) ? [at] : []))
    if (places.length === 0 || (places.length === 1 && words[places[0]!]!.length < 8)) return null
    const first = places.splice(random.below(places.length), 1)[0]!
    const second = places.length > 0 ? places[random.below(places.length)]! : first
    for (const at of [first, second]) words[at] = mistyped(words[at]!, random) ?? words[at]!
    return changed(words.join(' '), shortOf(name))
  },
} as const satisfies Record<string, Way>
