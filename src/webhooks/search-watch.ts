/**
 * Searches new events of the log for all saved searches, list by list. A list has one position in the log. Matches and
 * position are written in one transaction, so a process that dies repeats nothing and loses nothing.
 */
import { LRUCache } from 'lru-cache'
import { HttpError } from '../declare/api-errors.ts'
import type { Catalog } from '../declare/catalog.ts'
import { messageOf } from '../declare/errors.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { after } from '../store/events.ts'
import { type Finding, type Group, hitsOf } from './search-finding.ts'
import { searchedBy, type Values } from './search-list.ts'
import { addMatches, type Hit } from './search-matches.ts'

export interface WatchParts {
  sql: Sql
  catalog: Catalog
  now: () => Date
  /** Called for each list that could not be searched now; it is searched again at the next check. */
  onProblem: (list: string, reason: string) => void
  /**
   * Called after each transaction; returns true if further events must wait for the next check, because there is other
   * work.
   */
  isLate?: () => boolean
}

/** Events in one transaction. */
const EVENTS_MAX = 1_000
/**
 * Maximum number of tries of one transaction. If a search is created while its list is searched, the searching
 * transaction fails and is repeated at once.
 */
const TRIES = 3
const SERIALIZATION_FAILURE = '40001'

interface ListState {
  list: string
  position: number
  settled: number
}

/**
 * Searches until the events of all lists are searched, or until `isLate` returns true.
 *
 * @returns the number of new matches
 */
export async function searchNew(parts: WatchParts, signal: AbortSignal): Promise<number> {
  const { sql, onProblem, isLate = () => false } = parts
  const lists = await sql<ListState[]>`
    select list, position::float8 as position, settled::float8 as settled from core.search_list l
    where settled < (select max(seq) from core.event)
      and exists (select from core.search s where s.list = l.list) order by list`
  let found = 0
  for (const { list } of lists) {
    if (isLate()) break
    try {
      for (;;) {
        signal.throwIfAborted()
        const step = await repeated(() => stepOf(parts, list))
        found += step.found
        if (step.isEnd) break
        if (isLate()) return found
      }
    } catch (error) {
      if (signal.aborted) throw error
      onProblem(list, messageOf(error))
    }
  }
  return found
}

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== SERIALIZATION_FAILURE || tries === TRIES) throw error
    }
  }
}

interface Step {
  found: number
  isEnd: boolean
}

const END: Step = { found: 0, isEnd: true }

/**
 * Searches the next events for a list. Rows of a rollup appear only after the rollup was made, in a separate
 * transaction. So events are searched when they come, and once more when no rollup is waiting. The key of a match
 * prevents a second match.
 */
function stepOf({ sql, catalog, now }: WatchParts, list: string): Promise<Step> {
  // The transaction has one snapshot: if the snapshot has an event, it also has the rows of that event.
  return sql.begin('isolation level repeatable read', async (tx) => {
    // This cast is safe: lists only run queries, and a transaction takes queries in the same form as `Sql`.
    const own = tx as unknown as Sql
    await tx`set local statement_timeout = '15s'`
    const [state] = await tx<ListState[]>`
      select list, position::float8 as position, settled::float8 as settled
      from core.search_list where list = ${list} for update`
    const route = catalog.routes.find(({ name }) => name === list)
    if (!state || !route) return END
    const [{ waits }] = await tx<[{ waits: boolean }]>`
      select exists (select from core.mark where slug = any(${route.reads as string[]}) and reason is null) as waits`
    const fresh = await after(own, state.position, EVENTS_MAX)
    const isFresh = fresh.length > 0
    const from = isFresh ? state.position : state.settled
    const events = isFresh ? fresh : waits ? [] : await after(own, state.settled, EVENTS_MAX)
    const last = events.at(-1)?.seq
    if (last === undefined) return END
    const groups = await groupsOf(tx, catalog, list)
    const hits =
      groups.length === 0 ? [] : await hitsOfAll(tx, { sql: own, catalog, route, groups, events, now: now() })
    const found = await addMatches(tx, hits, now())
    const settled = !waits && state.settled === from ? last : state.settled
    await tx`
      update core.search_list set position = ${Math.max(state.position, last)}, settled = ${settled} where list = ${list}`
    return { found, isEnd: false }
  })
}

/**
 * Returns the hits of all searches. A list may refuse a search, for example if this version no longer has the family
 * that the search names. Then the problem is recorded for that search, and the other searches continue.
 */
async function hitsOfAll(tx: Transaction, finding: Finding): Promise<Hit[]> {
  try {
    return await hitsOf(finding)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
  }
  const hits: Hit[] = []
  for (const group of finding.groups) {
    try {
      hits.push(...(await hitsOf({ ...finding, groups: [group] })))
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      await tx`
        update core.search set problem = ${error.message}
        where list = ${finding.route.name} and address = ${group.address}`
    }
  }
  return hits
}

const parsed = new WeakMap<Catalog, LRUCache<string, Values>>()

/**
 * Returns the filters of a search, and memoizes them between transactions. Reading 10,000 addresses takes a second of
 * the thread that answers requests.
 */
function valuesOf(catalog: Catalog, address: string): Values {
  const known = parsed.get(catalog) ?? new LRUCache<string, Values>({ max: 20_000 })
  parsed.set(catalog, known)
  const values = known.get(address) ?? searchedBy(catalog, address).values
  known.set(address, values)
  return values
}

/** Groups the searches of a list by their filters. Leaves out a search if the list no longer accepts its filters. */
async function groupsOf(tx: Transaction, catalog: Catalog, list: string): Promise<Group[]> {
  const rows = await tx<{ address: string; problem: string | null; members: Group['members'] }[]>`
    select address, max(problem) as problem, jsonb_agg(jsonb_build_object('search_id', search_id, 'since', since,
      'created_day', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')) order by search_id) as members
    from core.search where list = ${list} group by address order by address`
  const groups: Group[] = []
  for (const { address, problem, members } of rows) {
    let wrong: string | null = null
    try {
      groups.push({ address, values: valuesOf(catalog, address), members })
    } catch (error) {
      wrong = messageOf(error)
    }
    if (wrong !== problem)
      await tx`update core.search set problem = ${wrong} where list = ${list} and address = ${address}`
  }
  return groups
}
