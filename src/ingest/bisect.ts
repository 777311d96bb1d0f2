/** Does work on many things at once, so that a bad one fails alone. */
import type { Transaction } from '../store/db.ts'
import { endsRun } from './failures.ts'

/**
 * Does `work` for all items at once within a savepoint. If the database refuses it, the work is done again in halves,
 * down to the single items that it refuses.
 *
 * @param work is called for some of the items, and again after what it did was taken back
 * @param refused is told each item that failed by itself, and why
 * @throws what ends the run, for which no item is to blame
 */
export async function bisect<T>(
  tx: Transaction,
  items: readonly T[],
  work: (tx: Transaction, some: readonly T[]) => Promise<unknown>,
  refused: (item: T, error: unknown) => void,
): Promise<void> {
  if (items.length === 0) return
  try {
    await tx.savepoint((sp) => work(sp, items))
  } catch (error) {
    if (endsRun(error)) throw error
    if (items.length === 1) return refused(items[0]!, error)
    const half = items.length >> 1
    await bisect(tx, items.slice(0, half), work, refused)
    await bisect(tx, items.slice(half), work, refused)
  }
}
