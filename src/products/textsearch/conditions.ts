/**
 * A query as conditions on stored lexemes: texts of tsquery, which go to the database as parameters. read/lexemes.ts says
 * what is stored.
 */
import {
  filterLexeme,
  isPair,
  LEVELS,
  PAIRS_LEFT_OUT,
  PREFIXES,
  pairLexeme,
  prefixLexeme,
  wordLexeme,
} from '../../read/lexemes.ts'
import { type Leaf, leaves, type Phrase, type Tree } from './tree.ts'

/** Text of a tsquery; true and false where every or no document meets it. */
export type Condition = string | boolean

export const and = (...parts: readonly Condition[]): Condition => {
  if (parts.includes(false)) return false
  const texts = parts.filter((part) => part !== true)
  return texts.length > 1 ? `(${texts.join(' & ')})` : (texts[0] ?? true)
}

export const or = (...parts: readonly Condition[]): Condition => {
  if (parts.includes(true)) return true
  const texts = parts.filter((part) => part !== false)
  return texts.length > 1 ? `(${texts.join(' | ')})` : (texts[0] ?? false)
}

export const not = (part: Condition): Condition => (typeof part === 'boolean' ? !part : `!${part}`)

/** A lexeme as a tsquery. */
export const lexeme = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

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
      const length = PREFIXES.findLast((prefix) => prefix <= tree.letters.length)!
      if (!isLoose && length !== tree.letters.length) return false
      return lexeme(prefixLexeme(tree.letters.slice(0, length)))
    }
    case 'near':
      if (!isLoose) return false
      return and(phraseOfDocument(tree.one, level, true), phraseOfDocument(tree.other, level, true))
  }
}

function phraseOfDocument({ words }: Phrase, level: number, isLoose: boolean): Condition {
  if (words.length === 1) return atLeast(level, (of) => wordLexeme(words[0]!, of))
  const pairs = words.slice(1).map((next, i) => [words[i]!, next] as const)
  const known = pairs.filter(([word, next]) => isPair(word, next))
  if (!isLoose) return false
  const inPairs = known.map(([word, next]) => atLeast(level, (of) => pairLexeme(word, next, of)))
  const alone = [...new Set(words)].map((word) => atLeast(0, (of) => wordLexeme(word, of)))
  return and(...alone, known.length === 0 || or(and(...inPairs), lexeme(PAIRS_LEFT_OUT)))
}

const atLeast = (level: number, lexemeAt: (level: number) => string) =>
  or(...Array.from({ length: LEVELS - level }, (_, i) => lexeme(lexemeAt(level + i))))

/** Whether a document that meets the loose condition may not meet the query, which its passages say. */
export const isDoubtful = (tree: Tree): boolean =>
  leaves(tree).some((leaf) => {
    if (leaf.kind === 'phrase') return leaf.words.length > 1
    return leaf.kind === 'near' || !PREFIXES.some((length) => length === leaf.letters.length)
  })

/** What a passage that meets the leaf meets, exactly. */
export function ofPassage(leaf: Leaf): string {
  if (leaf.kind === 'beginning') return `${lexeme(leaf.letters)}:*`
  if (leaf.kind === 'phrase') return sequence(leaf)
  const [one, other] = [sequence(leaf.one), sequence(leaf.other)]
  const distances = Array.from({ length: leaf.within }, (_, i) => i + 1)
  return or(...distances.flatMap((n) => [`(${one} <${n}> ${other})`, `(${other} <${n}> ${one})`])) as string
}

const sequence = ({ words }: Phrase) => (words.length > 1 ? `(${words.map(lexeme).join(' <-> ')})` : lexeme(words[0]!))

export const filter = (...[kind, value]: Parameters<typeof filterLexeme>) => lexeme(filterLexeme(kind, value))
