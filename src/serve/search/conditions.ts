/**
 * Turns a query into conditions on the lexemes of passages. The conditions are tsquery texts, which are sent to the
 * database as parameters.
 */
import type { Leaf, Phrase, Tree } from './tree.ts'

/** Text of a tsquery; true if every document meets the condition, or false if no document meets it. */
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

/** The exact condition for a passage to match the leaf. */
export function ofPassage(leaf: Leaf): string {
  if (leaf.kind === 'beginning') return `${lexeme(leaf.letters)}:*`
  if (leaf.kind === 'phrase') return sequence(leaf)
  const [one, other] = [sequence(leaf.one), sequence(leaf.other)]
  const distances = Array.from({ length: leaf.within }, (_, i) => i + 1)
  return or(...distances.flatMap((n) => [`(${one} <${n}> ${other})`, `(${other} <${n}> ${one})`])) as string
}

const sequence = ({ words }: Phrase) => (words.length > 1 ? `(${words.map(lexeme).join(' <-> ')})` : lexeme(words[0]!))

/** The condition for one passage to match the whole query by itself. */
export function ofOnePassage(tree: Tree): Condition {
  if (tree.kind === 'none') return not(ofOnePassage(tree.of))
  if (tree.kind === 'all') return and(...tree.of.map(ofOnePassage))
  if (tree.kind === 'any') return or(...tree.of.map(ofOnePassage))
  return ofPassage(tree)
}
