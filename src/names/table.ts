/** Writes names into the table in which they are searched. */

import { copy } from '../store/copy.ts'
import type { Transaction } from '../store/db.ts'
import { addWords } from './dictionary.ts'
import { bandOf, KINDS, type Named, type NameKind } from './named.ts'
import { storedName, storedPlace } from './stored.ts'

export interface NameRow {
  /** Key of the name's owner. */
  id: string
  /** As filed. */
  name: string
  kind: NameKind
  importance: string | null
  city?: string | null
  state?: string | null
}

/**
 * Adds names to a table that has no names of these owners yet. If several names of an owner compare as equal, the name
 * of the best kind is stored.
 */
export async function storeNames(tx: Transaction, named: Named, rows: readonly NameRow[]): Promise<void> {
  const chosen = new Map<string, readonly unknown[]>()
  const byKind = rows.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  const counts = new Map<string, number>()
  const count = (words: readonly string[]) => {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  for (const { id, name, kind, importance, city = null, state = null } of byKind) {
    const { key, words, counted } = storedName(name)
    const of = `${id} ${key}`
    if (words === '' || chosen.has(of)) continue
    const own = [id, key, kind, importance, bandOf(named, Number(importance ?? 0))]
    count(counted)
    if (named.hasPlaces) {
      const at = storedPlace(city, state)
      count(at.counted)
      chosen.set(of, [...own, `${words} ${at.words}`, at.place])
    } else chosen.set(of, [...own, words])
  }
  const columns = [named.key, 'key', 'kind', named.importance, 'band', 'words', ...(named.hasPlaces ? ['place'] : [])]
  await copy(tx, named.table, columns, [[...chosen.values()]])
  await addWords(tx, named, counts)
}
