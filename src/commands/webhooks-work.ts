/** Does the work of `webhooks`. */

import type { Config } from '../config.ts'
import { UserError } from '../declare/errors.ts'
import type { Filters } from '../products/events/filters.ts'
import { deleteWebhook, listDead, listWebhooks, replayDead, replayFrom, setState } from '../webhooks/subscriptions.ts'
import { eventOption, type Run, refuseMore, tabbed, type Values } from './command.ts'
import { printed } from './printed.ts'
import type { OPTIONS, VERBS } from './webhooks.ts'
import type { Work } from './webhooks-create.ts'

type Verb = keyof typeof VERBS

export const run: Run<typeof OPTIONS, Verb> = async ({ verb, values, positionals }, config) => {
  const work = await workOf(verb, values, positionals, config)
  return printed(config, ['webhooks', verb], work)
}

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
async function workOf(verb: Verb, values: Given, [subject, ...more]: string[], config: Config): Promise<Work> {
  const strange = Object.keys(values).find((name) => !TAKES[verb].includes(name as keyof typeof OPTIONS))
  if (strange) throw new UserError(`webhooks ${verb} does not take --${strange}`)
  const isOfAll = verb === 'create' || verb === 'list'
  refuseMore('webhooks', isOfAll && subject !== undefined ? [subject, ...more] : more)
  if (verb === 'create') {
    // Imported only for this verb: it checks filters, and so loads all slices. The other verbs need only the database.
    const { creation } = await import('./webhooks-create.ts')
    return creation(values, config)
  }
  if (verb === 'list') return values.dead ? listOfDead : list
  if (subject === undefined)
    throw new UserError(`webhooks ${verb} needs the id of a webhook; "openfilings webhooks list" shows the ids`)
  return verb === 'replay' ? replay(subject, values) : ofOne(verb, subject)
}

function replay(id: string, { after, dead }: Given): Work {
  const from = eventOption('after', after)
  if ((from === undefined) === !dead) throw new UserError('webhooks replay needs --after N or --dead, and not both')
  return async (sql) => {
    if (from !== undefined) {
      await replayFrom(sql, id, from, new Date())
      return `${id} continues after event ${from}\n`
    }
    const count = await replayDead(sql, id, new Date())
    return `${count} ${count === 1 ? 'delivery' : 'deliveries'} to ${id} will be tried again\n`
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
  const names = ['webhook_id', 'url', 'state', 'filters', 'position', 'behind', 'failures', 'dead', 'next_at', 'delivered_at', 'last_error'] as const // biome-ignore format: a table
  const rows = await listWebhooks(sql)
  return tabbed(
    names,
    rows.map((row) => ({ ...row, filters: shown(row.filters) })),
  )
}

const listOfDead: Work = async (sql) =>
  tabbed(['webhook_id', 'after_event', 'to_event', 'tries', 'given_up_at', 'reason'], await listDead(sql))

const FILTERS = ['source', 'family', 'form', 'cik'] as const satisfies readonly (keyof Filters)[]

const shown = (filters: Filters) =>
  FILTERS.flatMap((name) => (filters[name] ? `${name}=${filters[name]}` : [])).join(' ') || null
