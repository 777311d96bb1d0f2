/** One transaction that searches events of the log for a list. */
import { LRUCache } from 'lru-cache'
import type { Catalog, ServedRoute } from '../declare/catalog.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { searchedBy, type Values } from './search-list.ts'

export interface WatchParts {
  sql: Sql
  catalog: Catalog
  now: () => Date
  /** Called for each list that could not be searched now; it is searched again at the next check. */
  onProblem: (list: string, reason: string) => void
  /** Called for each search that failed alone. It has a pause, and is then searched again. */
  onSetAside: (search: Named, reason: string) => void
  /**
   * Called after each transaction; returns true if further events must wait for the next check, because there is other
   * work.
   */
  isLate?: () => boolean
  /** Maximum time of a statement. */
  statementMs?: number
}

/** The searches with the same list and filters. */
export interface Named {
  list: string
  address: string
}

/** Events in one transaction. */
export const EVENTS_MAX = 1_000
const STATEMENT_MAX_MS = 15_000
/**
 * Maximum number of tries of one transaction. If a search is created while its list is searched, the searching
 * transaction fails and is repeated at once.
 */
const TRIES = 3
const SERIALIZATION_FAILURE = '40001'

export interface ListStep {
  tx: Transaction
  route: ServedRoute
  /** Number of the last event that was searched. */
  position: number
  /** Number of the last event that was searched at a time when no rollup of the list was waiting to be made. */
  settled: number
  /** Whether a rollup of the list is waiting to be made. */
  waits: boolean
}

export interface Step {
  found: number
  isEnd: boolean
}

export const END: Step = { found: 0, isEnd: true }

/** Runs the work in a transaction that holds the lock of the list. It ends at once if the list does not exist. */
export async function inStep(
  { sql, catalog, statementMs = STATEMENT_MAX_MS }: WatchParts,
  list: string,
  work: (step: ListStep) => Promise<Step>,
): Promise<Step> {
  for (let tries = 1; ; tries++) {
    try {
      // The transaction has one snapshot: if the snapshot has an event, it also has the rows of that event.
      return await sql.begin('isolation level repeatable read', async (tx) => {
        await tx`select set_config('statement_timeout', ${String(statementMs)}, true)`
        const [state] = await tx<Pick<ListStep, 'position' | 'settled'>[]>`
          select position::float8 as position, settled::float8 as settled
          from core.search_list where list = ${list} for update`
        const route = catalog.routes.find(({ name }) => name === list)
        if (!state || !route) return END
        const [{ waits }] = await tx<[{ waits: boolean }]>`
          select exists (select from core.mark where slug = any(${route.reads as string[]}) and reason is null) as waits`
        return work({ tx, route, ...state, waits })
      })
    } catch (error) {
      if ((error as { code?: string }).code !== SERIALIZATION_FAILURE || tries === TRIES) throw error
    }
  }
}

const parsed = new WeakMap<Catalog, LRUCache<string, Values>>()

/**
 * Returns the filters of a search, and memoizes them between transactions. Reading 10,000 addresses takes a second of
 * the thread that answers requests.
 *
 * @throws UserError if the list no longer accepts the filters
 */
export function valuesOf(catalog: Catalog, address: string): Values {
  const known = parsed.get(catalog) ?? new LRUCache<string, Values>({ max: 20_000 })
  parsed.set(catalog, known)
  const values = known.get(address) ?? searchedBy(catalog, address).values
  known.set(address, values)
  return values
}
