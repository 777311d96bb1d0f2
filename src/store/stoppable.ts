/**
 * Transactions that a signal can end during any statement, since a statement that moves a million rows takes minutes.
 */
import type { Sql, Transaction } from './db.ts'
import { isCanceled } from './refused.ts'

/**
 * Interval at which a cancellation is repeated, since a cancellation that arrives between two statements has no effect.
 */
const AGAIN_MS = 100

/**
 * Does the same as `sql.begin`. If the signal aborts, the cancellation uses another connection of the pool.
 *
 * @throws the signal's reason if it ended the transaction, of which nothing is then stored
 */
export async function stoppable<T>(
  sql: Sql,
  signal: AbortSignal | undefined,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (!signal) return sql.begin(work) as Promise<T>
  return sql.begin(async (tx) => {
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    signal.throwIfAborted()
    let timer: NodeJS.Timeout | undefined
    // If the database cannot be reached, it has already ended the transaction.
    let cancelling: Promise<unknown> = Promise.resolve()
    const cancel = () => {
      cancelling = sql`select pg_cancel_backend(${own!.pid})`.catch(() => null)
    }
    const stop = () => {
      cancel()
      timer = setInterval(cancel, AGAIN_MS)
    }
    signal.addEventListener('abort', stop)
    try {
      return await work(tx)
    } catch (error) {
      throw signal.aborted && isCanceled(error) ? signal.reason : error
    } finally {
      signal.removeEventListener('abort', stop)
      clearInterval(timer)
      // A cancellation that arrived later would end the next statement of this connection.
      await cancelling
    }
  }) as Promise<T>
}
