/** Does the work of `analyst`. */

import type { Config } from '../config.ts'
import { type Database, openDatabase } from '../database.ts'
import { UserError } from '../declare/errors.ts'
import { createAnalyst, listAnalysts, removeAnalyst } from '../store/analysts.ts'
import type { OPTIONS, VERBS } from './analyst.ts'
import { type Run, refuseMore, tabbed } from './command.ts'
import { complain, print, printLine } from './print.ts'

/** Name of the role if the command names none. */
const NAME = 'analyst'

export const run: Run<typeof OPTIONS, keyof typeof VERBS> = async (
  { verb, positionals: [subject, ...more] },
  config,
) => {
  refuseMore('analyst', verb === 'list' && subject !== undefined ? [subject, ...more] : more)
  if (verb === 'remove' && subject === undefined) throw new UserError('analyst remove needs the name of an analyst')
  const database = await openDatabase(config, { only: verb === 'list' ? 'read' : 'write', command: `analyst ${verb}` })
  try {
    if (verb === 'create') await create(database, config, subject ?? NAME)
    else if (verb === 'list') await list(database)
    else await remove(database, subject!)
    return 0
  } finally {
    await database.close()
  }
}

async function create({ sql, address, shape }: Database, config: Config, name: string): Promise<void> {
  const password = await createAnalyst(
    sql,
    shape.slices.map(({ slug }) => slug),
    name,
    { isEmbedded: !config.DATABASE_URL },
  )
  // A replica has the same roles, and queries of analysts on a replica do not slow ingest.
  const [{ own } = { own: '' }] = await sql<{ own: string }[]>`select current_database() as own`
  const target = addressFor(config.DATABASE_READ_URL ?? address, name, own)
  printLine(`PGPASSWORD=${password} psql '${target}'`)
  if (!config.DATABASE_URL) {
    complain('the embedded database can be reached only while "openfilings serve" or "openfilings ingest" runs')
  }
}

async function list({ sql }: Database): Promise<void> {
  print(tabbed(['name', 'sessions'], await listAnalysts(sql)))
}

async function remove({ sql }: Database, name: string): Promise<void> {
  await removeAnalyst(sql, name)
  printLine(`removed ${name}`)
}

/**
 * The address of the database with this role instead of ours, and without our password.
 *
 * @param own the database's name. It is added to an address that names no database, because psql would otherwise take
 *   the role's name as the name of the database
 */
export function addressFor(address: string, name: string, own: string): string {
  // The pattern always matches, since settings accept only such addresses.
  const [, scheme, place = '', query = ''] = /^(postgres(?:ql)?:\/\/)(?:[^?]*@)?([^?]*)(?:\?(.*))?$/is.exec(address)!
  const kept = query.split('&').filter((part) => part !== '' && !/^(user|password)=/i.test(part))
  // A user before an empty host would make the address of a socket invalid.
  const parts = place.startsWith('/') ? [...kept, `user=${name}`] : kept
  const whole = /\/./.test(place) ? place : `${place.replace(/\/$/, '')}/${encodeURIComponent(own)}`
  const at = place.startsWith('/') ? whole : `${name}@${whole}`
  return `${scheme}${at}${parts.length > 0 ? `?${parts.join('&')}` : ''}`.replaceAll("'", '%27')
}
