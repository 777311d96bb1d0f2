/**
 * Answers clients without a key (visitors). Visitors may use the routes of a self-serve key. All visitors together have
 * the slots of one key.
 */
import type { Catalog, ServedRoute } from '../../declare/catalog.ts'
import { messageOf } from '../../declare/errors.ts'
import type { Context } from '../../declare/route.ts'
import type { Sql } from '../../store/db.ts'
import { type SendRequest, senderOf } from '../first-requests.ts'
import { costOf } from './costs.ts'
import { isClosed, type Parts } from './request.ts'
import { Run } from './run.ts'
import type { DataVersions } from './version.ts'

/** The key under which all visitors together are counted. */
export const VISITOR: Context['key'] = {
  keyId: 'visitor',
  uid: 'visitor',
  scopes: ['api'],
  limits: { search: 1, general: 1 },
  selfServe: true,
}

/** The known facts about the data. */
type Known = Pick<DataVersions, 'total' | 'isSample'>

export interface Visitor {
  /** Routes that a visitor may use: the same as for a self-serve key without further scopes. */
  catalog: Catalog
  /**
   * Returns a function that sends requests as a visitor; `onFailure` gets each failure. The returned function answers
   * null while tables of the route are being rebuilt.
   */
  sender(onFailure: (error: unknown) => void): SendRequest
  /** Runs `work` with a slot of the visitors. @throws what `work` throws, or HttpError 503 when there is no slot */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** The number of data changes so far; null while it is unknown. */
  dataVersion(): number | null
  /** Whether the data is the bundled sample. */
  isSample(): boolean
  now(): Date
}

export function visitorOf(parts: Parts, { total: dataVersion, isSample }: Known): Visitor {
  const { catalog, readers, slots, now, log, selfServeClosed, whyClosed } = parts
  const mayUse = (route: ServedRoute) =>
    route.scopes.every((scope) => VISITOR.scopes.includes(scope)) && !isClosed(route, selfServeClosed)
  const open = { ...catalog, routes: catalog.routes.filter(mayUse) }
  const isOpen = (slug: string) => whyClosed([slug]) === null
  async function run<T>(cost: Parameters<typeof slots.acquire>[0], work: (sql: Sql) => Promise<T>): Promise<T> {
    const made = new Run(readers, (keyIds) => slots.acquire(cost, keyIds))
    const leave = made.join(VISITOR.keyId)
    try {
      return await made.answer(() => work(made.sql))
    } finally {
      leave()
    }
  }

  return {
    catalog: open,
    sender(onFailure) {
      const context = { key: VISITOR, catalog: open, submissions: parts.submissions, headers: {}, isOpen }
      return senderOf(
        async (route, values) =>
          route.needs.every(isOpen)
            ? run(costOf(route, values), (sql) => route.run(values, { ...context, now: now(), sql }))
            : null,
        onFailure,
      )
    },
    async read(work) {
      try {
        return await run('list', work)
      } catch (error) {
        // The error is logged, but not shown to clients without a key, since it can name the database's address.
        log.warn({ reason: messageOf(error) }, 'a page could not be read')
        throw error
      }
    },
    dataVersion,
    isSample,
    now,
  }
}
