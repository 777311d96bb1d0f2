/** Names into the table in which they are searched. */
import type { Transaction } from '../db.ts'
import { copy } from '../load.ts'
import { bandOf, type Named } from './named.ts'
import { KINDS, type NameKind } from './score.ts'
import { storedName, storedPlace } from './stored.ts'

export interface NameRow {
  /** Of what has the name. */
  id: string
  /** As filed. */
  name: string
  kind: NameKind
  importance: string | null
  city?: string | null
  state?: string | null
}

/**
 * Adds names to a table in which there are none yet of those who have them. Of names that compare as equal one has one, of the
 * best kind. Their words are not counted: see `addWords`.
 */
export async function storeNames(tx: Transaction, named: Named, rows: readonly NameRow[]): Promise<void> {
  const chosen = new Map<string, readonly unknown[]>()
  const byKind = rows.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  for (const { id, name, kind, importance, city = null, state = null } of byKind) {
    const { key, words } = storedName(name)
    const of = `${id} ${key}`
    if (words === '' || chosen.has(of)) continue
    const own = [id, key, kind, importance, bandOf(named, Number(importance ?? 0))]
    if (named.hasPlaces) {
      const at = storedPlace(city, state)
      chosen.set(of, [...own, `${words} ${at.words}`, at.place])
    } else chosen.set(of, [...own, words])
  }
  const columns = [named.key, 'key', 'kind', named.importance, 'band', 'words', ...(named.hasPlaces ? ['place'] : [])]
  await copy(tx, named.table, columns, [[...chosen.values()]])
}
