/** `webhooks create | list | replay | pause | resume | delete`. */
import { z } from 'zod'
import { open } from '../app.ts'
import type { Config } from '../config.ts'
import { messageOf, UserError } from '../declare/errors.ts'
import { assertMayPost } from '../fetch/post.ts'
import { FILTERS, type Filters, wantedOf } from '../products/events/filters.ts'
import registry from '../registry.ts'
import type { Sql } from '../store/db.ts'
import {
  createWebhook,
  deleteWebhook,
  listDead,
  listWebhooks,
  replayDead,
  replayFrom,
  setState,
} from '../webhooks/subscriptions.ts'
import { command, refuseMore, tabbed, type Values, verbOf } from './command.ts'

const OPTIONS = {
  url: { type: 'string', value: 'URL', help: 'create: where events are sent, https' },
  source: { type: 'string', value: 'LIST', help: 'create: filings for the index of EDGAR, or datasets: formd,adv' },
  family: { type: 'string', value: 'LIST', help: 'create: families of forms' },
  form: { type: 'string', value: 'LIST', help: 'create: forms; 10-K is not 10-K/A' },
  cik: { type: 'string', value: 'LIST', help: 'create: CIKs of filers' },
  after: {
    type: 'string',
    value: 'N',
    help: 'create, replay: number of the event behind which it begins (create: the newest; replay wants one, or --dead)',
  },
  dead: { type: 'boolean', help: 'list: what was given up; replay: sends that once more' },
} as const

const VERBS = {
  create: 'makes a webhook and prints its id and secret; the secret cannot be shown again',
  list: 'every webhook: where it is in the log, how far behind, what failed; with --dead what was given up',
  replay: 'sends events again, from a number on (--after N) or those that were given up (--dead)',
  pause: 'stops deliveries; nothing is lost',
  resume: 'goes on with them at once',
  delete: 'ends a webhook, and forgets what it was not sent',
}
type Verb = keyof typeof VERBS

export default command({
  name: 'webhooks',
  summary: 'sends what is new, corrected or withdrawn to receivers of yours',
  usage: [
    'openfilings webhooks create --url URL [options]',
    'openfilings webhooks list [--dead]',
    'openfilings webhooks replay ID --after N | --dead',
    'openfilings webhooks pause | resume | delete ID',
  ],
  about: `The serving process posts the events of /events as JSON, in their order, signed as Standard Webhooks says, and again
until they are taken.`,
  words: () => Object.entries(VERBS),
  options: OPTIONS,
  examples: [
    ['openfilings webhooks create --url https://hooks.example.com/edgar --family eightk', 'a webhook for Forms 8-K'],
    ['openfilings webhooks list', 'all of them'],
  ],
  failure: 'the webhook could not be made, or there is none of that id',
  async run({ values, positionals }, config) {
    const run = workOf(values, positionals, config)
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
type Given = Values<typeof OPTIONS>

/** Options that a verb takes. */
const TAKES: Record<Verb, readonly (keyof typeof OPTIONS)[]> = {
  create: ['url', 'source', 'family', 'form', 'cik', 'after'],
  list: ['dead'],
  replay: ['after', 'dead'],
  pause: [],
  resume: [],
  delete: [],
}

/** Checks the arguments before a database is opened. */
function workOf(values: Given, [given, subject, ...more]: string[], config: Config): Work {
  const verb = verbOf('webhooks', VERBS, given, 'webhooks list')
  const strange = Object.keys(values).find((name) => !TAKES[verb].includes(name as keyof typeof OPTIONS))
  if (strange) throw new UserError(`webhooks ${verb} does not take --${strange}`)
  const isOfAll = verb === 'create' || verb === 'list'
  refuseMore('webhooks', isOfAll && subject !== undefined ? [subject, ...more] : more)
  if (verb === 'create') return creation(values, config)
  if (verb === 'list') return values.dead ? listOfDead : list
  if (subject === undefined) throw new UserError(`webhooks ${verb} needs the id of a webhook; webhooks list shows them`)
  return verb === 'replay' ? replay(subject, values) : ofOne(verb, subject)
}

function creation(values: Given, config: Config): Work {
  const { url } = values
  if (!url) throw new UserError('webhooks create needs --url URL')
  const filters = filtersOf(values)
  const after = numberOf(values.after)
  return async (sql) => {
    await assertUsable(url, config.WEBHOOK_PRIVATE)
    const made = await createWebhook(sql, { url, filters, after, now: new Date() })
    return tabbed(['webhook_id', 'secret', 'position'], [made])
  }
}

async function assertUsable(url: string, allowPrivate: boolean): Promise<void> {
  try {
    const isFound = await assertMayPost(url, { allowPrivate })
    if (!isFound) process.stderr.write('openfilings: the host of --url is not found now; events wait for it\n')
  } catch (error) {
    const hint = allowPrivate ? '' : ' (the setting WEBHOOK_PRIVATE=on allows private networks and http)'
    throw new UserError(`--url: ${messageOf(error)}${hint}`)
  }
}

function filtersOf({ source, family, form, cik }: Given): Filters {
  const given = Object.fromEntries(
    Object.entries({ source, family, form, cik }).filter(([, text]) => text !== undefined),
  )
  const read = z.strictObject(FILTERS).safeParse(given)
  if (!read.success) {
    throw new UserError(read.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('; '))
  }
  try {
    wantedOf(registry, read.data)
  } catch (error) {
    throw new UserError(`--${messageOf(error)}`)
  }
  return read.data
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new UserError(`--after ${JSON.stringify(text)} is not the number of an event`)
  return Number(text)
}

function replay(id: string, { after, dead }: Given): Work {
  const from = numberOf(after)
  if ((from === undefined) === !dead) throw new UserError('webhooks replay needs --after N or --dead, and not both')
  return async (sql) => {
    if (from !== undefined) {
      await replayFrom(sql, id, from, new Date())
      return `${id} is sent what comes after ${from}\n`
    }
    const count = await replayDead(sql, id, new Date())
    return `${id} is sent again what was given up: ${count} ${count === 1 ? 'delivery' : 'deliveries'}\n`
  }
}

const ofOne =
  (verb: 'pause' | 'resume' | 'delete', id: string): Work =>
  async (sql) => {
    if (verb === 'delete') await deleteWebhook(sql, id)
    else await setState(sql, id, verb === 'pause' ? 'paused' : 'active', new Date())
    return `${verb}d ${id}\n`
  }

const list: Work = async (sql) => {
  const names = ['webhook_id', 'url', 'state', 'filters', 'position', 'behind', 'failures', 'dead', 'next_at', 'delivered_at', 'last_error'] as const // biome-ignore format: one line
  const rows = await listWebhooks(sql)
  return tabbed(
    names,
    rows.map((row) => ({ ...row, filters: shown(row.filters) })),
  )
}

const listOfDead: Work = async (sql) =>
  tabbed(['webhook_id', 'after_event', 'to_event', 'tries', 'given_up_at', 'reason'], await listDead(sql))

const shown = (filters: Filters) =>
  (Object.keys(FILTERS) as (keyof Filters)[])
    .flatMap((name) => (filters[name] ? `${name}=${filters[name]}` : []))
    .join(' ') || null
