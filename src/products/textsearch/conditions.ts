/**
 * Compiles a query into conditions on the lexemes of documents; the conditions are tsquery texts that are sent to the
 * database as parameters. read/lexemes.ts defines the stored lexemes.
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
 * Returns the condition of a query on the vector of a document. The vector cannot decide every query: the vector has
 * pairs of words, but no phrases of three or more words.
 *
 * @param level minimum relevance of the document to each wanted word, or to one word if they are joined by OR
 * @param isLoose true: every matching document meets the condition, and perhaps other documents meet it too. false:
 * only matching documents meet it
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
 * Returns the condition that a document must meet at this level in addition to having all words of the tree. The
 * condition is short, because the index tests it on each document that has the query's rarest word: for two adjacent
 * words, a condition that repeated the words for each earlier tier took twice as long.
 */
export function rest(tree: Tree, level: number): Condition {
  switch (tree.kind) {
    case 'all':
      return and(...tree.of.map((part) => rest(part, level)))
    case 'phrase':
      return tree.words.length > 1 ? pairsOfDocument(tree.words, level) : level === 0 || ofDocument(tree, level, true)
    case 'near':
      return and(rest(tree.one, level), rest(tree.other, level))
    case 'any':
      return ofDocument(tree, level, true)
    default:
      return true
  }
}

/** Returns the longest stored prefix of a word. */
export const beginningOf = ({ letters }: Beginning): string =>
  letters.slice(
    0,
    PREFIXES.findLast((prefix) => prefix <= letters.length),
  )

/**
 * Tests whether a document may meet the loose condition without meeting the query; if so, its passages must be checked.
 */
export const isDoubtful = (tree: Tree): boolean =>
  leaves(tree).some((leaf) => {
    if (leaf.kind === 'phrase') return leaf.words.length > 1
    return leaf.kind === 'near' || !PREFIXES.some((length) => length === leaf.letters.length)
  })

export const filter = (...[kind, value]: Parameters<typeof filterLexeme>) => lexeme(filterLexeme(kind, value))
