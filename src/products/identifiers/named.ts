/** Finds companies by name, if exactly one company has the name. */
import { coreOf } from '../../names.ts'

export interface Listed {
  cik: string
  name: string
}

/**
 * Returns a function that finds the company of a name. Names match if they have the same words in any order; legal
 * forms are ignored. If two companies have the same name, or if a name has no letters, the name matches no company.
 */
export function matcherOf(companies: Iterable<Listed>): (name: string) => Listed | null {
  const byWords = new Map<string, Listed | null>()
  for (const company of companies) {
    const words = wordsOf(company.name)
    const other = byWords.get(words)
    byWords.set(words, other === undefined || other?.cik === company.cik ? company : null)
  }
  // If no list of companies is loaded, the names of the securities need not be split.
  if (byWords.size === 0) return () => null
  return (name) => {
    const words = wordsOf(name)
    return words === '' ? null : (byWords.get(words) ?? null)
  }
}

const wordsOf = (name: string) => coreOf(name).toSorted().join(' ')
