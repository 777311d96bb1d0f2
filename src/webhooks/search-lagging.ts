/**
 * Searches that failed alone: their list refuses them, or the database does not answer them in time. Such a search gets
 * a position of its own in the log, so the other searches of its list continue, and it loses no event. It is tried again
 * after a pause. When it reaches the position of its list, it is searched together with the others again.
 */
import { LRUCache } from 'lru-cache'
import { HttpError } from '../declare/api-errors.ts'
import { messageOf, UserError } from '../declare/errors.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { after } from '../store/events.ts'
import { isCanceled, isOfData } from '../store/refused.ts'
import { type Group, hitsOf } from './search-finding.ts'
import { addMatches } from './search-matches.ts'
import { END, EVENTS_MAX, inStep, type Named, type Step, valuesOf, type WatchParts } from './search-step.ts'

const PAUSE_MS = { first: 60_000, last: 3_600_000 }

/** Whether the error belongs to one search: other searches of the list may still succeed. */
export const isOfSearch = (error: unknown): boolean =>
  error instanceof HttpError || error instanceof UserError || isCanceled(error) || isOfData(error)

const reasonOf = (error: unknown): string =>
  isCanceled(error) ? 'the database did not answer this search in time' : messageOf(error)

/**
 * Pauses of searches of this process, by the first of their ids. After a restart, each search that lags is tried at
 * once.
 */
const pauses = new LRUCache<string, { failures: number; until: number }>({ max: 20_000 })

function pause(id: string, now: Date): void {
  const failures = (pauses.get(id)?.failures ?? 0) + 1
  const ms = Math.min(PAUSE_MS.first * 2 ** (failures - 1), PAUSE_MS.last)
  pauses.set(id, { failures, until: now.getTime() + ms })
}

/**
 * Gives the searches of a group a position of their own, before the events that they could not be searched for, and a
 * pause.
 */
export async function setAside(
  tx: Transaction,
  { now, onSetAside }: WatchParts,
  { list, address, members, position, error }: Named & { members: Members; position: number; error: unknown },
): Promise<void> {
  const reason = reasonOf(error)
  await tx`
    update core.search set problem = ${reason}, own_position = ${position}
    where search_id = any(${idsOf(members)})`
  pause(members[0]!.search_id, now())
  onSetAside({ list, address }, reason)
}

type Members = Group['members']
interface Lagging extends Named {
  position: number
  members: Members
}

/** Tries the searches that lag, and whose pause has ended. @returns the number of new matches */
export async function searchLagging(parts: WatchParts, signal: AbortSignal): Promise<number> {
  const { sql, now, onProblem, isLate = () => false } = parts
  let found = 0
  for (const { list, members } of await laggingIn(sql)) {
    const id = members[0]!.search_id
    if (now().getTime() < (pauses.get(id)?.until ?? 0)) continue
    try {
      for (let isEnd = false; !isEnd; ) {
        signal.throwIfAborted()
        if (isLate()) return found
        const step = await stepOf(parts, list, id)
        found += step.found
        isEnd = step.isEnd
      }
      pauses.delete(id)
    } catch (error) {
      if (signal.aborted) throw error
      if (isOfSearch(error)) {
        pause(id, now())
        await sql`update core.search set problem = ${reasonOf(error)} where search_id = any(${idsOf(members)})`
      } else onProblem(list, messageOf(error))
    }
  }
  return found
}

/** Searches the next events for searches that lag. Their rollups must be made, since events are searched once. */
function stepOf(parts: WatchParts, list: string, id: string): Promise<Step> {
  const { catalog, now } = parts
  return inStep(parts, list, async ({ tx, route, position: end, waits }) => {
    const [own] = waits ? [] : await laggingIn(tx, id)
    if (!own) return END
    const { address, position, members } = own
    // This cast is safe: lists only run queries, and a transaction takes queries in the same form as `Sql`.
    const sql = tx as unknown as Sql
    const events = await after(sql, position, EVENTS_MAX)
    const group = { address, values: valuesOf(catalog, address), members }
    const hits =
      events.length === 0 ? [] : await hitsOf({ ...{ sql, catalog, route, events }, groups: [group], now: now() })
    const found = await addMatches(tx, hits, now())
    const last = events.at(-1)?.seq ?? end
    const isEnd = last >= end
    await tx`
      update core.search set own_position = ${isEnd ? null : last}, problem = case when ${isEnd} then null else problem end
      where search_id = any(${idsOf(members)})`
    return { found, isEnd }
  })
}

const idsOf = (members: Members) => members.map(({ search_id }) => search_id)

/** Returns the searches that lag: all of them, or those with the filters and the position of one search. */
const laggingIn = (sql: Sql | Transaction, id: string | null = null) => sql<Lagging[]>`
  select list, address, own_position::float8 as position,
    jsonb_agg(jsonb_build_object('search_id', search_id, 'since', since,
      'created_day', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')) order by search_id) as members
  from core.search
  where own_position is not null and (${id}::text is null or (list, address, own_position) in (
    select list, address, own_position from core.search where search_id = ${id}))
  group by list, address, own_position order by own_position, list, address`
