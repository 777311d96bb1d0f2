/** Returns the criteria by which passages of a document are chosen for the document's excerpts. */
import { and, ofPassage, or } from '../../serve/search/conditions.ts'
import { closer, type Leaf, type Tree, wanted } from '../../serve/search/tree.ts'
import type { Wanted } from './queries.ts'

export function wantedOf(tree: Tree): Wanted {
  const leaves = wanted(tree)
  const any = String(or(...leaves.map(roughly)))
  const all = String(inPassage(tree))
  const close = closer(tree)
  return {
    any,
    all: all === 'true' ? any : all,
    close: close ? String(inPassage(close)) : all === 'true' ? any : all,
    isIndexed: leaves.every(({ kind }) => kind !== 'beginning'),
  }
}

/**
 * Returns a leaf as a condition on a passage. The condition ignores the distance of NEAR, because testing the distance
 * on each examined passage would be slow.
 */
const roughly = (leaf: Leaf): string =>
  leaf.kind === 'near' ? String(and(ofPassage(leaf.one), ofPassage(leaf.other))) : ofPassage(leaf)

/**
 * Returns the query as a condition on one passage. Excluded words are left out, since they apply to the whole document.
 */
function inPassage(tree: Tree): string | boolean {
  if (tree.kind === 'none') return true
  if (tree.kind === 'all') return and(...tree.of.map(inPassage))
  if (tree.kind === 'any') return or(...tree.of.map(inPassage))
  return roughly(tree)
}
