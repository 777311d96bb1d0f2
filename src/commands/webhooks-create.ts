/**
 * `webhooks create`: checks the receiver and the filters of its events; only the slices know which filters are valid.
 */

import { z } from 'zod'
import type { Config } from '../config.ts'
import { HttpError } from '../declare/api-errors.ts'
import { messageOf, UserError } from '../declare/errors.ts'
import { assertMayPost } from '../fetch/post.ts'
import { assertPossible, FILTERS, type Filters, wantedOf } from '../products/events/filters.ts'
import registry from '../registry.ts'
import type { Sql } from '../store/db.ts'
import { tickersOfList } from '../webhooks/search-list.ts'
import { createWebhook } from '../webhooks/subscriptions.ts'
import { eventOption, tabbed } from './command.ts'
import { complain } from './print.ts'

/** Does the work of a verb, and returns the printed text. */
export type Work = (sql: Sql) => Promise<string>

type Creation = Partial<Record<'url' | 'source' | 'family' | 'form' | 'cik' | 'after', string | undefined>>

/** @throws UserError for an option that is not valid */
export function creation(values: Creation, config: Config): Work {
  const { url } = values
  if (!url) throw new UserError('webhooks create needs --url URL')
  const numbered = tickersOfList(registry, `/events?${new URLSearchParams({ cik: values.cik ?? '' })}`)
  // Filters without tickers are read here, so that a mistake in them is reported before the database is queried.
  const read = numbered === null ? filtersOf(values) : null
  const after = eventOption('after', values.after)
  return async (sql) => {
    const filters = read ?? filtersOf({ ...values, cik: await ciksOf(numbered!, sql) })
    await assertUsable(url, config.WEBHOOK_PRIVATE)
    const made = await createWebhook(sql, { url, filters, after, now: new Date() })
    return tabbed(['webhook_id', 'secret', 'position'], [made])
  }
}

/** Returns the CIKs in an address of the event log. @throws UserError for an unknown ticker */
async function ciksOf(numbered: (sql: Sql) => Promise<string>, sql: Sql): Promise<string | undefined> {
  try {
    const address = await numbered(sql)
    return new URLSearchParams(address.slice(address.indexOf('?'))).get('cik') ?? undefined
  } catch (error) {
    if (error instanceof HttpError) throw new UserError(`--${error.message}`)
    throw error
  }
}

/** @throws UserError for an address to which no deliveries may be sent */
export async function assertUsable(url: string, allowPrivate: boolean): Promise<void> {
  try {
    const isFound = await assertMayPost(url, { allowPrivate })
    if (!isFound) complain('the host of --url cannot be found at the moment; events wait until it can')
  } catch (error) {
    const hint = allowPrivate ? '' : ' (the setting WEBHOOK_PRIVATE=on allows private networks and http)'
    throw new UserError(`--url: ${messageOf(error)}${hint}`)
  }
}

function filtersOf({ source, family, form, cik }: Creation): Filters {
  const given = Object.fromEntries(
    Object.entries({ source, family, form, cik }).filter(([, text]) => text !== undefined),
  )
  const read = z.strictObject(FILTERS).safeParse(given)
  if (!read.success) {
    throw new UserError(read.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('; '))
  }
  try {
    wantedOf(registry, read.data)
    assertPossible(registry, read.data)
  } catch (error) {
    throw new UserError(`--${messageOf(error)}`)
  }
  return read.data
}
