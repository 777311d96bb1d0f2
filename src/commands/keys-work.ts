/** Does the work of `keys`. */

import { UserError } from '../declare/errors.ts'
import { createKey, type ListedKey, listKeys, type NewKey, revokeKey } from '../serve/keys.ts'
import type { Sql } from '../store/db.ts'
import { countOption, dayOption, type Run, refuseMore, tabbed, type Values } from './command.ts'
import type { OPTIONS, VERBS } from './keys.ts'
import { printed } from './printed.ts'

type Verb = keyof typeof VERBS

export const run: Run<typeof OPTIONS, Verb> = async ({ verb, values, positionals }, config) => {
  const work = workOf(verb, values, positionals)
  return printed(config, ['keys', verb], work)
}

/** Does the work of a verb, and returns the printed text. */
type Work = (sql: Sql) => Promise<string>

/** Checks the arguments before a database is opened. */
function workOf(verb: Verb, values: Values<typeof OPTIONS>, [subject, ...more]: string[]): Work {
  refuseMore('keys', verb === 'revoke' || subject === undefined ? more : [subject, ...more])
  if (verb === 'create') return creation(values)
  return verb === 'list' ? list : revocation(subject)
}

function creation(values: Values<typeof OPTIONS>): Work {
  const { account, scopes = 'api', expires, 'self-serve': selfServe = false } = values
  if (!account?.trim()) throw new UserError('keys create needs --account NAME')
  const searchLimit = countOption('search-limit', values['search-limit'])
  const generalLimit = countOption('general-limit', values['general-limit'])
  const expiryDay = dayOption('expires', expires)
  const wanted: NewKey = {
    account,
    scopes: scopes.split(',').flatMap((word) => word.trim() || []),
    selfServe,
    now: new Date(),
    ...(searchLimit ? { searchLimit } : {}),
    ...(generalLimit ? { generalLimit } : {}),
    ...(expiryDay ? { expiresAt: new Date(`${expiryDay}T00:00:00Z`) } : {}),
  }
  return async (sql) => `${(await createKey(sql, wanted)).key}\n`
}

/** Columns of the list. */
const LISTED = [
  'key_id',
  'account',
  'scopes',
  'search_limit',
  'general_limit',
  'self_serve',
  'created_at',
  'expires_at',
  'revoked_at',
] as const satisfies readonly (keyof ListedKey)[]

const list: Work = async (sql) => tabbed(LISTED, await listKeys(sql))

function revocation(subject: string | undefined): Work {
  if (!subject) throw new UserError('keys revoke needs a key or its id')
  return async (sql) => `revoked ${await revokeKey(sql, subject, new Date())}\n`
}
