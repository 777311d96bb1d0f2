/** Runs a batch in a savepoint and bisects on failure, so that one bad item does not fail the rest. */
import type { Transaction } from '../store/db.ts'
import { endsRun } from './failures.ts'

/**
 * Runs `work` for all items at once within a savepoint. If `work` fails, runs it again for each half of the items, down
 * to the single items that fail.
 *
 * @param work is called for some of the items, possibly again after its changes were rolled back
 * @param refused receives each item that failed by itself, and the reason
 * @throws errors for which `endsRun` is true, since no single item causes them
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
