/** What is typed to search brochures, as a tsquery and as what is marked in excerpts. */
import { wordsOf } from '../../read/words.ts'

/** Words that follow each other; the last one of which only the beginning is given, with `isPrefix`. */
export interface Phrase {
  keys: readonly string[]
  isPrefix: boolean
}

export interface Asked {
  /** Text of a tsquery. */
  tsquery: string
  /** What is looked for, without what is not wanted. */
  phrases: readonly Phrase[]
}

/** "in quotes", a word with what stands in it (10-K), each perhaps with a - before it and a * behind it. */
const TERM = /(?<not>-?)(?:"(?<quoted>[^"]*)"?|(?<plain>[^\s"]+))/g

/**
 * Terms of which all must be met; `or` between two means one of them. Null for what has no word to look for. Signs that are
 * no words part words, so nothing typed can be anything but words.
 */
export function asked(q: string): Asked | null {
  const phrases: Phrase[] = []
  /** All of them must be met, of each one. */
  const all: string[][] = []
  let isOr = false
  for (const { groups = {} } of q.matchAll(TERM)) {
    const { not, quoted, plain = '' } = groups
    if (quoted === undefined && /^or$/i.test(plain)) {
      isOr = all.length > 0
      continue
    }
    const keys = [...wordsOf(quoted ?? plain)].map(({ key }) => key).filter((key) => key !== '')
    if (keys.length === 0) continue
    const phrase = { keys, isPrefix: quoted === undefined && plain.endsWith('*') }
    const term = queryOf(phrase)
    if (not === '-') all.push([`!(${term})`])
    else {
      phrases.push(phrase)
      if (isOr) all.at(-1)!.push(term)
      else all.push([term])
    }
    isOr = false
  }
  if (!all.some((terms) => terms.every((term) => !term.startsWith('!')))) return null
  return { tsquery: all.map((terms) => `(${terms.join(' | ')})`).join(' & '), phrases }
}

/** Words hold letters, digits and nothing else: read/words.ts. */
const queryOf = ({ keys, isPrefix }: Phrase) =>
  `(${keys.map((key, at) => `'${key}'${isPrefix && at === keys.length - 1 ? ':*' : ''}`).join(' <-> ')})`
