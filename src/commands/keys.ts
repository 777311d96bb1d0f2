/** `keys create | list | revoke`. */
import { open } from '../app.ts'
import { UserError } from '../declare/errors.ts'
import { SCOPES } from '../declare/route.ts'
import { createKey, type ListedKey, listKeys, type NewKey, revokeKey } from '../serve/keys.ts'
import type { Sql } from '../store/db.ts'
import { command, countOption, dayOption, refuseMore, tabbed, type Values, verbOf } from './command.ts'

const OPTIONS = {
  account: { type: 'string', value: 'NAME', help: 'create: whom the key is for' },
  scopes: { type: 'string', value: 'LIST', help: `create: comma-separated, of ${SCOPES.join(', ')} (default: api)` },
  'search-limit': { type: 'string', value: 'N', help: 'create: requests a minute in the search bucket (default: 10)' },
  'general-limit': {
    type: 'string',
    value: 'N',
    help: 'create: requests a minute in the general bucket (default: 10)',
  },
  expires: { type: 'string', value: 'DATE', help: 'create: the day from which it is refused (default: never)' },
  'self-serve': { type: 'boolean', help: 'create: one per account, with the default limits, for SELF_SERVE_CLOSED' },
} as const

const VERBS = {
  create: 'makes a key and prints it alone; it cannot be shown again',
  list: 'every key without its secret: id, account, scopes, limits, days',
  revoke: 'ends a key, named by itself or its id; servers notice within 30 seconds',
}

export default command({
  name: 'keys',
  summary: 'makes, lists and revokes API keys',
  usage: [
    'openfilings keys create --account NAME [options]',
    'openfilings keys list',
    'openfilings keys revoke KEY-OR-ID',
  ],
  about: 'Every request needs a key; only its hash is stored.',
  words: () => Object.entries(VERBS),
  options: OPTIONS,
  examples: [
    ['openfilings keys create --account alice --scopes api,brochures --search-limit 100', 'a key for alice'],
    ['openfilings keys list', 'all of them'],
  ],
  failure: 'the key could not be made, or there is none of that name',
  async run({ values, positionals }, config) {
    const run = workOf(values, positionals)
    const app = await open(config)
    try {
      process.stdout.write(await run(app.sql))
      return 0
    } finally {
      await app.close()
    }
  },
})

/** What is printed. */
type Work = (sql: Sql) => Promise<string>

/** Checks the arguments before a database is opened. */
function workOf(values: Values<typeof OPTIONS>, [given, subject, ...more]: string[]): Work {
  const verb = verbOf('keys', VERBS, given, 'keys create --account alice')
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

/** Columns of the list, under their names. */
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
