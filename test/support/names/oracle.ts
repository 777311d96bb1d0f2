/** Answers like names.ts but without indexes, by a scan of all names. */

import { storedName } from '../../../src/names/stored.ts'
import { filterReadings, plainReading, requiredOf } from '../../../src/names/typed.ts'
import { fold } from '../../../src/read/fold.ts'

interface Known {
  folded: string
  lexemes: readonly string[]
}

/** Cached facts about names, since each question is compared with the same names. */
const known = new Map<string, Known>()

function knownOf(name: string): Known {
  const before = known.get(name)
  if (before) return before
  const lexemes = [...storedName(name).words.matchAll(/'([^']+)'/g)].map(([, lexeme]) => lexeme!)
  const found = { folded: fold(name), lexemes }
  known.set(name, found)
  return found
}

/** The last query and its results: each text is compared with every name before the next text. */
let query = { typed: '', met: new Map<string, boolean>(), test: testOf('') }

/** Tests whether a name matches the filter of a list. */
export function isMet(typed: string, name: string): boolean {
  if (typed !== query.typed) query = { typed, met: new Map(), test: testOf(typed) }
  const before = query.met.get(name)
  if (before !== undefined) return before
  const met = query.test(knownOf(name))
  query.met.set(name, met)
  return met
}

function testOf(typed: string): (name: Known) => boolean {
  const part = fold(typed)
  const plain = plainReading(part)
  const readings = (plain.length === 0 ? [] : filterReadings(plain)).map((reading) => {
    const words = requiredOf(reading)
    const texts = words.map(({ text }) => text)
    const orders = [
      texts,
      [...texts.slice(0, -1), words.at(-1)!.spelled],
      [texts.at(-1)!, ...texts.slice(0, -1)],
      [...texts.slice(1), texts[0]!],
    ]
    return { words, begins: orders.map((order) => `~${order.join('').slice(0, 40)}`) }
  })
  return ({ folded, lexemes }) => {
    if (folded.includes(part)) return true
    return readings.some(({ words, begins }) => {
      const isThere = words.every(({ text, spelled, isOpen }) =>
        lexemes.some(
          (one) => one === text || one === spelled || (isOpen && (one.startsWith(text) || one.startsWith(spelled))),
        ),
      )
      return isThere || begins.some((begin) => lexemes.some((one) => one.startsWith(begin)))
    })
  }
}
