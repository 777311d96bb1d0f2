/** Does the work of `searches`. */

import type { Config } from '../config.ts'
import { UserError } from '../declare/errors.ts'
import type { Sql } from '../store/db.ts'
import { deleteSearch, listSearches } from '../webhooks/saved-searches.ts'
import { type Run, refuseMore, tabbed, type Values } from './command.ts'
import { printed } from './printed.ts'
import type { OPTIONS, VERBS } from './searches.ts'

type Verb = keyof typeof VERBS
type Given = Values<typeof OPTIONS>

export const run: Run<typeof OPTIONS, Verb> = async ({ verb, values, positionals }, config) => {
  const work = await workOf(verb, values, positionals, config)
  return printed(config, ['searches', verb], work)
}

/** Checks the arguments before a database is opened. */
async function workOf(
  verb: Verb,
  values: Given,
  [subject, ...more]: string[],
  config: Config,
): Promise<(sql: Sql) => Promise<string>> {
  const [strange] = verb === 'create' ? [] : Object.keys(values)
  if (strange) throw new UserError(`searches ${verb} does not take --${strange}`)
  refuseMore('searches', verb !== 'delete' && subject !== undefined ? [subject, ...more] : more)
  if (verb === 'create') {
    // Imported only here: filters belong to slices, and the other verbs need only the database.
    const { creation } = await import('./searches-create.ts')
    return creation(values, config)
  }
  if (verb === 'list') return list
  if (subject === undefined)
    throw new UserError('searches delete needs the id of a search; "openfilings searches list" shows the ids')
  return async (sql) => {
    await deleteSearch(sql, subject)
    return `deleted ${subject}\n`
  }
}

const COLUMNS = [
  'search_id',
  'name',
  'address',
  'created_at',
  'matches',
  'has_feed',
  'webhook_id',
  'state',
  'waiting',
  'problem',
] as const

const list = async (sql: Sql) => tabbed(COLUMNS, await listSearches(sql))
