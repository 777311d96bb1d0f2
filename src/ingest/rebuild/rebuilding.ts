/** The steps that all rebuilds share: fill the shadow, complete it, add the changes made meanwhile, and swap it in. */
import { BULK } from '../../declare/catalog.ts'
import { isBulk, isFilings, type Slice } from '../../declare/dataset.ts'
import { UserError } from '../../declare/errors.ts'
import { sourcesOf } from '../../declare/sources.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { append } from '../../store/events.ts'
import { dataChanged } from '../../store/meta.ts'
import { definitionOf, ofOtherShape, recordDefinition } from '../../store/schema.ts'
import { makeRows } from '../making.ts'
import { followersOf, markAll } from '../marks.ts'
import { complete, forget, holdRebuild, noted, openShadow, pause, type Refuse, type Shadow } from './shadow.ts'
import { dropOld, swap } from './swap.ts'

export interface Rebuilding {
  sql: Sql
  /** All slices that may follow this slice, and all slices from which it is made. */
  slices: readonly Slice[]
  signal?: AbortSignal | undefined
  /**
   * Set by an upgrade, which must run only once even if several processes start it. `onWait` is called if another
   * process is rebuilding the slice. `onDone` is called instead of the work if the tables have got this code's
   * definition in the meantime.
   */
  upgrade?: { onWait: () => void; onDone: () => void } | undefined
}

interface Filling {
  /** Returns the state that a resumed rebuild needs. This state is stored with the shadow. */
  stateOf?: (tx: Transaction) => Promise<Record<string, unknown>>
  /** Fills the tables of the shadow, starting after `through`. */
  fill?: (shadow: Shadow) => Promise<void>
  /**
   * Updates the records in the shadow that were changed or removed meanwhile.
   *
   * @returns keys of the rollups that these records affect
   */
  again?: (tx: Transaction, schema: string, records: readonly string[]) => Promise<readonly string[]>
  /**
   * Removes the records because of which the database refuses an index. If this function is absent, such an index stops
   * the rebuild.
   */
  refuse?: Refuse
  /**
   * Updates data in other schemas that must agree with the new tables, in the transaction that swaps the new tables in.
   */
  settle?: (tx: Transaction) => Promise<void>
}

/**
 * The slice's loads are paused after a round with at most this number of changes, since the last round then has few
 * changes too.
 */
const LEFT_MAX = 50

/**
 * Rebuilds the slice. Loads of single filings continue, and pause only for the moment of the swap. Loads of sets and of
 * bulk datasets wait for the rebuild. Requests do not wait for it. A rebuild that was killed resumes where it stopped,
 * unless the code has changed.
 *
 * @throws UserError if the slice is made from another slice whose tables are of another version
 */
export async function rebuildInShadow(
  { sql, slices, signal, upgrade }: Rebuilding,
  slice: Slice,
  { stateOf, fill, again, refuse, settle }: Filling,
): Promise<void> {
  const { slug, refresh } = slice
  const definition = definitionOf(slice)
  // The lock is taken in a separate transaction, so that it always ends with that transaction.
  await sql.begin(async (lock) => {
    await holdRebuild(lock, slice, { onWait: upgrade?.onWait, signal })
    if (upgrade && (await ofOtherShape(sql, [slice])).length === 0) return upgrade.onDone()
    const [first] = await ofOtherShape(sql, sourcesOf(slices, slice))
    if (first) {
      const order = `"openfilings rebuild ${first.slug} ${slug}"`
      throw new UserError(`${slug} is made from ${first.slug}, whose tables were made by another version: run ${order}`)
    }
    await dropOld(sql, slice)
    const shadow = await openShadow(sql, slice, definition, stateOf)
    if (shadow.step === 'fill') await fill?.(shadow)
    signal?.throwIfAborted()
    await complete(sql, slice, shadow, refuse)
    // Ends after a round with few changes, or with no fewer than the last: else loads could delay the swap forever.
    for (let [left, before] = [0, Number.POSITIVE_INFINITY]; ; before = left) {
      signal?.throwIfAborted()
      left = await sql.begin((tx) => catchUp(tx, shadow.schema, false))
      if (left <= LEFT_MAX || left >= before) break
    }
    await sql.begin(async (tx) => {
      await pause(tx, slice)
      await catchUp(tx, shadow.schema, true)
      await settle?.(tx)
      await forget(tx, slug)
      await markAll(tx, followersOf(slices, slice))
      await swap(tx, slice, { slices })
      await recordDefinition(tx, slice, definition)
      const isRead = isFilings(slice) || isBulk(slice)
      if (isRead) await append(tx, [{ slug, what: 'corrected', keys: null }])
      await dataChanged(tx, isBulk(slice) ? [slug, BULK] : [slug])
    })
    await dropOld(sql, slice)
  })

  /**
   * @param isLast true for the last round, which also processes the marks and deletes them
   * @returns how many changes there were
   */
  async function catchUp(tx: Transaction, schema: string, isLast: boolean): Promise<number> {
    const { records, rollups } = await noted(tx, slice)
    // `rollups` has the keys whose marks a refresh processed meanwhile.
    const marks = isLast
      ? await tx<{ key: string | null }[]>`delete from core.mark where slug = ${slug} returning key`
      : []
    const touched = records.length > 0 ? await again?.(tx, schema, records) : []
    const keys = new Set([...rollups, ...marks.map(({ key }) => key), ...(touched ?? [])])
    if (refresh && keys.size > 0) {
      await makeRows(tx, slice, keys.has(null) ? null : ([...keys] as string[]), schema)
    }
    return records.length + rollups.size
  }
}
