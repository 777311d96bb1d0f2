/** `analyst create | list | remove`. */
import { type App, open } from '../app.ts'
import type { Config } from '../config.ts'
import { UserError } from '../declare/errors.ts'
import registry from '../registry.ts'
import { createAnalyst, listAnalysts, removeAnalyst } from '../store/analysts.ts'
import { command, refuseMore, tabbed, verbOf } from './command.ts'

const VERBS = {
  create: 'makes a role that may read, and prints the line that connects psql; its password cannot be shown again',
  list: 'every analyst, and how many sessions each has open',
  remove: 'ends the role and its sessions',
}
const NAME = 'analyst'

export default command({
  name: 'analyst',
  summary: 'makes, lists and removes roles that may read the database',
  usage: ['openfilings analyst create [NAME]', 'openfilings analyst list', 'openfilings analyst remove NAME'],
  about: `For SQL on the database itself. An analyst reads filings, files and what was made of them, and neither keys nor runs, and
changes nothing. Without a NAME the role is called ${NAME}. Tables, columns and queries to begin with: docs/analysts.md.`,
  words: () => Object.entries(VERBS),
  options: {},
  examples: [
    ['openfilings analyst create', 'and run the line that it prints'],
    ['openfilings analyst list', 'all of them'],
  ],
  failure: 'the role could not be made, or there is none of that name',
  async run({ positionals: [given, subject, ...more] }, config) {
    const verb = verbOf('analyst', VERBS, given, 'analyst create')
    refuseMore('analyst', verb === 'list' && subject !== undefined ? [subject, ...more] : more)
    if (verb === 'remove' && subject === undefined) throw new UserError('analyst remove needs the name of an analyst')
    const app = await open(config)
    try {
      if (verb === 'create') await create(app, config, subject ?? NAME)
      else if (verb === 'list') await list(app)
      else await remove(app, subject!)
      return 0
    } finally {
      await app.close()
    }
  },
})

async function create({ sql, database }: App, config: Config, name: string): Promise<void> {
  const password = await createAnalyst(sql, registry.slices, name)
  // A replica has the same roles, and queries of analysts take nothing from ingest there.
  const [{ own } = { own: '' }] = await sql<{ own: string }[]>`select current_database() as own`
  const address = addressFor(config.DATABASE_READ_URL ?? database, name, own)
  process.stdout.write(`PGPASSWORD=${password} psql '${address}'\n`)
  if (!config.DATABASE_URL) {
    process.stderr.write(
      'openfilings: the embedded database can be reached while "openfilings serve" or "ingest" runs\n',
    )
  }
}

async function list({ sql }: App): Promise<void> {
  process.stdout.write(tabbed(['name', 'sessions'], await listAnalysts(sql)))
}

async function remove({ sql }: App, name: string): Promise<void> {
  await removeAnalyst(sql, name)
  process.stdout.write(`removed ${name}\n`)
}

/**
 * The address of the database with this role in place of ours, and without our password.
 *
 * @param own the database's name: an address without one means that of the role's name
 */
export function addressFor(address: string, name: string, own: string): string {
  // Settings take no other kind of address.
  const [, scheme, place = '', query = ''] = /^(postgres(?:ql)?:\/\/)(?:[^?]*@)?([^?]*)(?:\?(.*))?$/is.exec(address)!
  const kept = query.split('&').filter((part) => part !== '' && !/^(user|password)=/i.test(part))
  // An empty place with a user before it would not be a socket's any more.
  const parts = place.startsWith('/') ? [...kept, `user=${name}`] : kept
  const whole = /\/./.test(place) ? place : `${place.replace(/\/$/, '')}/${encodeURIComponent(own)}`
  const at = place.startsWith('/') ? whole : `${name}@${whole}`
  return `${scheme}${at}${parts.length > 0 ? `?${parts.join('&')}` : ''}`.replaceAll("'", '%27')
}
