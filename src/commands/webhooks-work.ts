/** Does the work of `webhooks`. */
import { z } from 'zod'
import type { Config } from '../config.ts'
import { openDatabase } from '../database.ts'
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
import { type Run, refuseMore, tabbed, type Values, verbOf } from './command.ts'
import { type OPTIONS, VERBS } from './webhooks.ts'

type Verb = keyof typeof VERBS

export const run: Run<typeof OPTIONS> = async ({ values, positionals }, config) => {
  const work = workOf(values, positionals, config)
  const database = await openDatabase(config)
  try {
    process.stdout.write(await work(database.sql))
    return 0
  } finally {
    await database.close()
  }
}

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
