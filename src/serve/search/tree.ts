/**
 * A query as a tree. A document meets a leaf if one of the document's passages meets the leaf. AND, OR and NOT combine
 * conditions on documents.
 */

export type Tree = Leaf | All | Any | None

/** An AND, written or implied by adjacent words. */
export interface All {
  kind: 'all'
  of: Tree[]
}

export interface Any {
  kind: 'any'
  of: Tree[]
}

export interface None {
  kind: 'none'
  of: Tree
}

export type Leaf = Phrase | Beginning | Near

/** One word, or several adjacent words in this order. */
export interface Phrase {
  kind: 'phrase'
  words: string[]
  /**
   * Whether the user typed the phrase without quotes and as one word, so that it may form a phrase with adjacent words.
   */
  isPlain: boolean
}

/** Words that begin with `letters`. The words are compared in the singular. */
export interface Beginning {
  kind: 'beginning'
  letters: string
}

/**
 * Both sides in either order. `within` is the maximum distance from the end of one side to the start of the other.
 * Adjacent words have the distance 1.
 */
export interface Near {
  kind: 'near'
  one: Phrase
  other: Phrase
  within: number
}

/** The leaves by which a document may be found: the leaves under an even number of NOTs. */
export function wanted(tree: Tree, isWanted = true): Leaf[] {
  if (tree.kind === 'none') return wanted(tree.of, !isWanted)
  if (tree.kind === 'all' || tree.kind === 'any') return tree.of.flatMap((part) => wanted(part, isWanted))
  return isWanted ? [tree] : []
}

/** All leaves, in order. */
export function leaves(tree: Tree): Leaf[] {
  if (tree.kind === 'none') return leaves(tree.of)
  if (tree.kind === 'all' || tree.kind === 'any') return tree.of.flatMap(leaves)
  return [tree]
}

/** Whether a document meets the query, given which leaves it meets. */
export function isMet(tree: Tree, meets: (leaf: Leaf) => boolean): boolean {
  if (tree.kind === 'none') return !isMet(tree.of, meets)
  if (tree.kind === 'all') return tree.of.every((part) => isMet(part, meets))
  if (tree.kind === 'any') return tree.of.some((part) => isMet(part, meets))
  return meets(tree)
}

/**
 * Returns the query in which adjacent words are one phrase; null if the query has no adjacent words. The returned query
 * matches fewer documents than the original query, but these documents are more likely to be the wanted documents.
 */
export function closer(tree: Tree): Tree | null {
  if (tree.kind === 'any' || tree.kind === 'all') {
    const parts = tree.of.map((part) => closer(part) ?? part)
    const joined = tree.kind === 'all' ? joinedRuns(parts) : parts
    if (joined.length === tree.of.length && joined.every((part, i) => part === tree.of[i])) return null
    return joined.length === 1 ? joined[0]! : { kind: tree.kind, of: joined }
  }
  return null
}

function joinedRuns(parts: readonly Tree[]): Tree[] {
  const joined: Tree[] = []
  let run: Phrase[] = []
  const close = () => {
    if (run.length > 1) joined.push({ kind: 'phrase', words: run.flatMap(({ words }) => words), isPlain: false })
    else joined.push(...run)
    run = []
  }
  for (const part of parts) {
    if (part.kind === 'phrase' && part.isPlain) run.push(part)
    else {
      close()
      joined.push(part)
    }
  }
  close()
  return joined
}
