/** `keys create | list | revoke`. */
import { open } from '../app.ts'
import type { Config } from '../config.ts'
import type { Sql } from '../core/db.ts'
import { UserError } from '../core/errors.ts'
import { createKey, listKeys, type NewKey, revokeKey } from '../core/keys.ts'
import { argumentsOf, countOption, dayOption } from './arguments.ts'

const OPTIONS = {
  account: { type: 'string' },
  scopes: { type: 'string', default: 'api' },
  'search-limit': { type: 'string' },
  'general-limit': { type: 'string' },
  expires: { type: 'string' },
  'self-serve': { type: 'boolean', default: false },
} as const

export async function keys(args: string[], config: Config): Promise<number> {
  const { values, positionals } = argumentsOf(args, OPTIONS)
  const [action, subject, ...more] = positionals
  if (more.length > 0) throw new UserError(`keys does not take ${more.join(', ')}`)
  const work = { create: () => creation(values), list: () => list, revoke: () => revocation(subject) }[action ?? '']
  if (!work) throw new UserError(`keys ${action ?? ''}: use create, list or revoke`)
  const run = work()
  const app = await open(config)
  try {
    process.stdout.write(`${await run(app.sql)}\n`)
    return 0
  } finally {
    await app.close()
  }
}

type Work = (sql: Sql) => Promise<string>

/** Checks the arguments before a database is opened. */
function creation(values: ReturnType<typeof argumentsOf<typeof OPTIONS>>['values']): Work {
  const { account, scopes = '', expires, 'self-serve': selfServe = false } = values
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
  return async (sql) => (await createKey(sql, wanted)).key
}

const list: Work = async (sql) => {
  const rows = await listKeys(sql)
  return rows
    .map((row) =>
      Object.values(row)
        .map((value) => (Array.isArray(value) ? value.join(',') : (value ?? '-')))
        .join('\t'),
    )
    .join('\n')
}

function revocation(subject: string | undefined): Work {
  if (!subject) throw new UserError('keys revoke needs a key or its id')
  return async (sql) => `revoked ${await revokeKey(sql, subject, new Date())}`
}
