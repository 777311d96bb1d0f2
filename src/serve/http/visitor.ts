/** Who looks at a page without a key: may read what any key may, with the places of one key among others. */
import type { Catalog, ServedRoute } from '../../declare/catalog.ts'
import { type Context, JsonText } from '../../declare/route.ts'
import type { Sql } from '../../store/db.ts'
import { type Ask, addressOf } from '../first-requests.ts'
import { costOf } from './costs.ts'
import { inputReader } from './input.ts'
import { isClosed, type Parts } from './request.ts'
import { Run } from './run.ts'

/** All visitors together count as this key. */
const KEY: Context['key'] = {
  keyId: 'visitor',
  uid: 'visitor',
  scopes: ['api'],
  limits: { search: 1, general: 1 },
  selfServe: true,
}

export interface Visitor {
  /** What a visitor may ask: routes that a self-serve key without further scopes may. */
  catalog: Catalog
  ask: Ask
  /** Reads with a place of the visitors'. @throws what `work` throws, or HttpError 503 when there is no place */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** How often any data changed; null while that is not known. */
  dataVersion(): number | null
  now(): Date
}

export function visitorOf(parts: Parts, dataVersion: () => number | null): Visitor {
  const { catalog, readers, places, now, selfServeClosed } = parts
  const isOpen = (route: ServedRoute) =>
    route.scopes.every((scope) => KEY.scopes.includes(scope)) && !isClosed(route, selfServeClosed)
  const open = { ...catalog, routes: catalog.routes.filter(isOpen) }
  const inputs = new Map<ServedRoute, ReturnType<typeof inputReader>>()
  const inputOf = (route: ServedRoute) => {
    const made = inputs.get(route) ?? inputReader(route)
    inputs.set(route, made)
    return made
  }

  async function run<T>(cost: Parameters<typeof places.ask>[0], work: (sql: Sql) => Promise<T>): Promise<T> {
    const made = new Run(readers, (keyIds) => places.ask(cost, keyIds))
    const leave = made.join(KEY.keyId)
    try {
      return await made.answer(() => work(made.sql))
    } finally {
      leave()
    }
  }

  return {
    catalog: open,
    async ask(route, path, query) {
      try {
        const { values } = inputOf(route)(addressOf(route, path, query), path)
        const context = { now: now(), key: KEY, catalog: open, submissions: parts.submissions, headers: {} }
        const found = await run(costOf(route, values), (sql) => route.run(values, { ...context, sql }))
        return found instanceof JsonText ? JSON.parse(found.text) : JSON.parse(JSON.stringify(found ?? null))
      } catch {
        // What cannot be answered is not shown: whoever asks for it is told.
        return null
      }
    },
    read: (work) => run('list', work),
    dataVersion,
    now,
  }
}
