/** What names.ts answers by indexes, answered by looking at every name. */

import { storedName } from '../../src/names/stored.ts'
import { filterReadings, plainReading, requiredOf } from '../../src/names/typed.ts'
import { fold } from '../../src/read/fold.ts'

/** Of names that were looked at before: the same ones are looked at for every question. */
const lexemesKnown = new Map<string, string[]>()

function lexemesOf(name: string): string[] {
  const known = lexemesKnown.get(name)
  if (known) return known
  const lexemes = [...storedName(name).words.matchAll(/'([^']+)'/g)].map(([, lexeme]) => lexeme!)
  lexemesKnown.set(name, lexemes)
  return lexemes
}

/** Does a name meet the filter of a list? */
export function isMet(typed: string, name: string): boolean {
  if (fold(name).includes(fold(typed))) return true
  const plain = plainReading(fold(typed))
  if (plain.length === 0) return false
  const lexemes = lexemesOf(name)
  return filterReadings(plain).some((reading) => {
    const words = requiredOf(reading)
    const isThere = words.every(({ text, spelled, isOpen }) =>
      lexemes.some(
        (one) => one === text || one === spelled || (isOpen && (one.startsWith(text) || one.startsWith(spelled))),
      ),
    )
    const texts = words.map(({ text }) => text)
    const orders = [texts, [...texts.slice(0, -1), words.at(-1)!.spelled], [texts.at(-1)!, ...texts.slice(0, -1)], [...texts.slice(1), texts[0]!]] // biome-ignore format: one line
    return isThere || orders.some((order) => lexemes.some((one) => one.startsWith(`~${order.join('').slice(0, 40)}`)))
  })
}
