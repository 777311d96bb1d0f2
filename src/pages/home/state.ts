/**
 * The content of the page at `/`: counts of the loaded data, and first requests with their answers. The page needs no
 * key, so all its visitors together must cost no more than one client. Therefore the data is read once for all of them,
 * with the slots of one key, and reading takes at most a hundredth of the time.
 */
import {
  advisersLoaded,
  type FirstRequest,
  firstRequests,
  type NewFiling,
  newestFilings,
} from '../../serve/first-requests.ts'
import { type Holdings, holdingsOf } from '../../serve/holdings.ts'
import type { Visitor } from '../../serve/http/visitor.ts'
import { memoized } from '../../serve/memoized.ts'

/** How long data is shown before it is read again: parameters of `memoized`. */
export interface Keeping {
  keepMs: number
  times: number
}

/**
 * Visitors wait for the data to be read, up to `waitMs`, as `/readyz` does. If older data can be shown, they wait only
 * `patienceMs`.
 */
const TIMES = { keepMs: 5_000, times: 100, waitMs: 2_000, patienceMs: 250 }

export interface HomeState {
  /** `preparing`: a start is not done yet. `away`: the database does not respond, or is too busy to serve visitors. */
  is: 'ready' | 'preparing' | 'away'
  /** The step of the start that is running. */
  waitsFor: string | null
  /** The most recently read data; null if no data has been read yet. */
  held: Held | null
  /**
   * Null while the facts are unknown: during a start, and while the database does not respond. Also null if neither the
   * whole sample nor real filings are loaded.
   */
  facts: HomeFacts | null
}

export interface Held extends Holdings {
  /** When the data was read. */
  at: Date
}

export interface HomeFacts {
  requests: FirstRequest[]
  advisers: number | null
  newest: NewFiling[]
}

/** @param waitsFor the step of the start that is running; null when the start is done */
export function homeState(
  visitor: Visitor,
  { waitsFor, keeping }: { waitsFor: () => string | null; keeping?: Keeping | undefined },
): () => Promise<HomeState> {
  const { catalog } = visitor
  const times = { ...TIMES, ...keeping }
  const reading = () =>
    memoized(async (): Promise<Held> => {
      const at = visitor.now()
      return { ...(await visitor.read((sql) => holdingsOf(sql, catalog))), at }
    }, times)
  // Data read during a start is outdated when the start ends, even if it was read only a moment ago. So a separate
  // value, `early`, is read during a start.
  const [early, held] = [reading(), reading()]
  // If a value is missing because a request failed, it is requested again even though no data has changed.
  let missed = false
  const facts = memoized(
    async (): Promise<HomeFacts> => {
      missed = false
      const request = visitor.sender(() => {
        missed = true
      })
      return {
        requests: await firstRequests(catalog, request),
        advisers: await advisersLoaded(catalog, request),
        newest: await newestFilings(catalog, request),
      }
    },
    { ...times, version: () => (missed ? null : visitor.dataVersion()) },
  )

  return async () => {
    const stage = waitsFor()
    const seen = await (stage === null ? held : early)()
    const holds = seen.value?.holds
    const hasRows = stage === null && seen.is !== 'away' && (holds === 'sample' || holds === 'real')
    return {
      is: seen.is === 'away' ? 'away' : stage === null ? 'ready' : 'preparing',
      waitsFor: stage,
      held: seen.value,
      facts: hasRows ? (await facts()).value : null,
    }
  }
}
