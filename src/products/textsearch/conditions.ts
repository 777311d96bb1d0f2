/**
 * A query as conditions on the lexemes of documents: texts of tsquery, which go to the database as parameters.
 * read/lexemes.ts says what is stored.
 */
import {
  filterLexeme,
  isPair,
  PAIRS_LEFT_OUT,
  PREFIXES,
  pairLexeme,
  prefixLexeme,
  wordLexeme,
} from '../../read/lexemes.ts'
import { and, type Condition, lexeme, not, or } from '../../serve/search/conditions.ts'
import { type Beginning, leaves, type Phrase, type Tree } from '../../serve/search/tree.ts'

/**
 * What the vector of a document says of a query. It does not say everything: it has pairs of words, no longer phrases.
 *
 * @param level a document must be about each wanted word, or one of several, at least so much
 * @param isLoose what every document that meets the query meets, and maybe others; else what only such documents meet
 */
export function ofDocument(tree: Tree, level: number, isLoose: boolean): Condition {
  switch (tree.kind) {
    case 'all':
      return and(...tree.of.map((part) => ofDocument(part, level, isLoose)))
    case 'any':
      return or(...tree.of.map((part) => ofDocument(part, level, isLoose)))
    case 'none':
      return not(ofDocument(tree.of, 0, !isLoose))
    case 'phrase':
      return phraseOfDocument(tree, level, isLoose)
    case 'beginning': {
      if (!isLoose && beginningOf(tree) !== tree.letters) return false
      return lexeme(prefixLexeme(beginningOf(tree)))
    }
    case 'near':
      if (!isLoose) return false
      return and(phraseOfDocument(tree.one, level, true), phraseOfDocument(tree.other, level, true))
  }
}

function phraseOfDocument({ words }: Phrase, level: number, isLoose: boolean): Condition {
  if (words.length === 1) return lexeme(wordLexeme(words[0]!, level))
  if (!isLoose) return false
  const alone = [...new Set(words)].map((word) => lexeme(wordLexeme(word, 0)))
  return and(...alone, pairsOfDocument(words, level))
}

function pairsOfDocument(words: readonly string[], level: number): Condition {
  const known = words.slice(1).flatMap((next, i) => (isPair(words[i]!, next) ? [[words[i]!, next] as const] : []))
  const inPairs = known.map(([word, next]) => lexeme(pairLexeme(word, next, level)))
  return known.length === 0 || or(and(...inPairs), lexeme(PAIRS_LEFT_OUT))
}

/**
 * What a document meets at this level that has all words of the tree, besides having them. The index tries the conditions of a query
 * on each document that has its rarest word: of two words beside each other those of a tier took twice as long when it named
 * all of the tiers before.
 */
export function besides(tree: Tree, level: number): Condition {
  switch (tree.kind) {
    case 'all':
      return and(...tree.of.map((part) => besides(part, level)))
    case 'phrase':
      return tree.words.length > 1 ? pairsOfDocument(tree.words, level) : level === 0 || ofDocument(tree, level, true)
    case 'near':
      return and(besides(tree.one, level), besides(tree.other, level))
    case 'any':
      return ofDocument(tree, level, true)
    default:
      return true
  }
}

/** As much of it as is stored. */
export const beginningOf = ({ letters }: Beginning): string =>
  letters.slice(
    0,
    PREFIXES.findLast((prefix) => prefix <= letters.length),
  )

/** Whether a document that meets the loose condition may not meet the query, which its passages say. */
export const isDoubtful = (tree: Tree): boolean =>
  leaves(tree).some((leaf) => {
    if (leaf.kind === 'phrase') return leaf.words.length > 1
    return leaf.kind === 'near' || !PREFIXES.some((length) => length === leaf.letters.length)
  })

export const filter = (...[kind, value]: Parameters<typeof filterLexeme>) => lexeme(filterLexeme(kind, value))
