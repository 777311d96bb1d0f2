/**
 * Searches new events of the log for all saved searches, list by list. A list has one position in the log. Matches and
 * position are written in one transaction, so a process that dies repeats nothing and loses nothing.
 */
import { messageOf } from '../declare/errors.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { after } from '../store/events.ts'
import { isCanceled } from '../store/refused.ts'
import { type Finding, type Group, hitsOf } from './search-finding.ts'
import { isOfSearch, searchLagging, setAside } from './search-lagging.ts'
import { addMatches, type Hit } from './search-matches.ts'
import { END, EVENTS_MAX, inStep, type Step, valuesOf, type WatchParts } from './search-step.ts'

/**
 * Searches until the events of all lists are searched, or until `isLate` returns true.
 *
 * @returns the number of new matches
 */
export async function searchNew(parts: WatchParts, signal: AbortSignal): Promise<number> {
  const { sql, onProblem, isLate = () => false } = parts
  const lists = await sql<{ list: string }[]>`
    select list from core.search_list l
    where settled < (select max(seq) from core.event)
      and exists (select from core.search s where s.list = l.list) order by list`
  let found = 0
  for (const { list } of lists) {
    if (isLate()) break
    try {
      for (;;) {
        signal.throwIfAborted()
        const step = await stepOf(parts, list, signal)
        found += step.found
        if (step.isEnd) break
        if (isLate()) return found
      }
    } catch (error) {
      if (signal.aborted) throw error
      onProblem(list, messageOf(error))
    }
  }
  return isLate() ? found : found + (await searchLagging(parts, signal))
}

/**
 * Searches the next events for a list. Rows of a rollup appear only after the rollup was made, in a separate
 * transaction. So events are searched when they come, and once more when no rollup is waiting. The key of a match
 * prevents a second match.
 */
function stepOf(parts: WatchParts, list: string, signal: AbortSignal): Promise<Step> {
  const { catalog, now } = parts
  return inStep(parts, list, async ({ tx, route, waits, ...state }) => {
    // This cast is safe: lists only run queries, and a transaction takes queries in the same form as `Sql`.
    const sql = tx as unknown as Sql
    const fresh = await after(sql, state.position, EVENTS_MAX)
    const isFresh = fresh.length > 0
    const from = isFresh ? state.position : state.settled
    const events = isFresh ? fresh : waits ? [] : await after(sql, state.settled, EVENTS_MAX)
    const last = events.at(-1)?.seq
    if (last === undefined) return END
    const groups = await groupsOf(tx, parts, { list, from })
    const finding = { sql, catalog, route, groups, events, now: now() }
    const hits = groups.length === 0 ? [] : await hitsOfAll(tx, parts, finding, { position: from, signal })
    // The events are searched again without the search that took too long.
    if (hits === 'late') return { found: 0, isEnd: false }
    const found = await addMatches(tx, hits, now())
    const settled = !waits && state.settled === from ? last : state.settled
    await tx`
      update core.search_list set position = ${Math.max(state.position, last)}, settled = ${settled} where list = ${list}`
    return { found, isEnd: false }
  })
}

/**
 * Returns the hits of all searches. A search that fails alone is set aside, and the other searches continue. The first
 * search that takes too long ends the transaction (`late`), so that deliveries need not wait for several of them.
 */
async function hitsOfAll(
  tx: Transaction,
  parts: WatchParts,
  finding: Finding,
  { position, signal }: { position: number; signal: AbortSignal },
): Promise<Hit[] | 'late'> {
  const hitsIn = (groups: readonly Group[]) =>
    // After the savepoint, the transaction can continue although a statement has failed.
    tx.savepoint((sp) => hitsOf({ ...finding, groups, sql: sp as unknown as Sql })) // the cast as in `stepOf`
  try {
    return await hitsIn(finding.groups)
  } catch (error) {
    if (!isOfSearch(error)) throw error
  }
  const hits: Hit[] = []
  for (const group of finding.groups) {
    signal.throwIfAborted()
    try {
      hits.push(...(await hitsIn([group])))
    } catch (error) {
      if (!isOfSearch(error)) throw error
      await setAside(tx, parts, { list: finding.route.name, ...group, position, error })
      if (isCanceled(error)) return 'late'
    }
  }
  return hits
}

/** Groups the searches of a list by their filters. Sets a search aside if the list no longer accepts its filters. */
async function groupsOf(
  tx: Transaction,
  parts: WatchParts,
  { list, from }: { list: string; from: number },
): Promise<Group[]> {
  const rows = await tx<{ address: string; problem: string | null; members: Group['members'] }[]>`
    select address, max(problem) as problem, jsonb_agg(jsonb_build_object('search_id', search_id, 'since', since,
      'created_day', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')) order by search_id) as members
    from core.search where list = ${list} and own_position is null group by address order by address`
  const groups: Group[] = []
  for (const { address, problem, members } of rows) {
    try {
      groups.push({ address, values: valuesOf(parts.catalog, address), members })
    } catch (error) {
      if (!isOfSearch(error)) throw error
      await setAside(tx, parts, { list, address, members, position: from, error })
      continue
    }
    // An older version recorded a problem without a position.
    if (problem !== null)
      await tx`update core.search set problem = null where list = ${list} and address = ${address} and own_position is null`
  }
  return groups
}
