/** Companies by their names, where a name has one company alone. */
import { storedName } from '../../names.ts'

export interface Listed {
  cik: string
  name: string
}

/**
 * Which of these companies has a name: the same words in any order, legal forms aside. A name that two of them have, or that
 * has no letters, is nobody's.
 */
export function matcherOf(companies: Iterable<Listed>): (name: string) => Listed | null {
  const byWords = new Map<string, Listed | null>()
  for (const company of companies) {
    const words = wordsOf(company.name)
    const other = byWords.get(words)
    byWords.set(words, other === undefined || other?.cik === company.cik ? company : null)
  }
  return (name) => {
    const words = wordsOf(name)
    return words === '' ? null : (byWords.get(words) ?? null)
  }
}

const wordsOf = (name: string) => storedName(name).key.split('|', 1)[0]!.split(' ').sort().join(' ')
