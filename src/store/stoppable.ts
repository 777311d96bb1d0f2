/** Transactions that a signal ends, whatever statement they wait for: one that moves a million rows takes minutes. */
import type { Sql, Transaction } from './db.ts'

/** A cancellation that comes between two statements does nothing, so it is said again this often. */
const AGAIN_MS = 100

/** As `sql.begin`; the signal takes another connection of the pool. @throws the signal's reason once it has aborted; nothing of the transaction is stored then */
export async function stoppable<T>(
  sql: Sql,
  signal: AbortSignal | undefined,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (!signal) return sql.begin(work) as Promise<T>
  return sql.begin(async (tx) => {
    signal.throwIfAborted()
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    let timer: NodeJS.Timeout | undefined
    // A database that cannot be asked has ended the transaction already.
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
      throw signal.aborted ? signal.reason : error
    } finally {
      signal.removeEventListener('abort', stop)
      clearInterval(timer)
      // One that came later would hit what this connection does next.
      await cancelling
    }
  }) as Promise<T>
}
