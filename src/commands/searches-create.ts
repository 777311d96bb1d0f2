/**
 * `searches create`: checks the list with its filters, and the receiver. Only the slices know which filters are valid.
 */

import type { Config } from '../config.ts'
import { HttpError } from '../declare/api-errors.ts'
import { UserError } from '../declare/errors.ts'
import registry from '../registry.ts'
import type { Sql } from '../store/db.ts'
import { createSearch } from '../webhooks/saved-searches.ts'
import { tried } from '../webhooks/search-finding.ts'
import { searchedBy, tickersOfList } from '../webhooks/search-list.ts'
import { tabbed } from './command.ts'
import { assertUsable } from './webhooks-create.ts'

interface Creation {
  name?: string | undefined
  list?: string | undefined
  url?: string | undefined
  feed?: boolean | undefined
}

/** @throws UserError for an option that is not valid */
export function creation(values: Creation, config: Config): (sql: Sql) => Promise<string> {
  const { name, list, url, feed = false } = values
  if (!name || !list) throw new UserError('searches create needs --name NAME and --list ADDRESS')
  const numbered = tickersOfList(registry, list)
  // An address without tickers is read here, so that a mistake in it is reported before the database is queried.
  const read = numbered === null ? searchedBy(registry, list) : null
  const usable = async (sql: Sql) => {
    try {
      const searched = read ?? searchedBy(registry, await numbered!(sql))
      await tried({ sql, catalog: registry, searched, now: new Date() })
      return searched
    } catch (error) {
      if (error instanceof HttpError) throw new UserError(`--list: ${error.message}`)
      throw error
    }
  }
  return async (sql) => {
    if (url !== undefined) await assertUsable(url, config.WEBHOOK_PRIVATE)
    const { route, address } = await usable(sql)
    const made = await createSearch(sql, { name, list: route.name, address, url, feed, now: new Date() })
    return tabbed(['search_id', 'webhook_id', 'secret', 'feed'], [made])
  }
}
