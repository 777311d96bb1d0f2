/**
 * The member `links` of answers about one thing: addresses with more about the thing. A link is left out if nothing is
 * found there.
 */
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Catalog, ServedRoute } from './catalog.ts'
import { COUNT_MAX, type Lead, type Plan, plansOf, type Source } from './leads.ts'
import { type Context, JsonText, Made, type Route } from './route.ts'

const link = z
  .object({
    url: z.string().meta({ format: 'uri-reference', description: 'Address of the linked answer on this server' }),
    count: z
      .int()
      .min(1)
      .optional()
      .describe(
        `Number of rows of the linked list; absent if the list has more than ${COUNT_MAX} rows, and if the linked answer is not a list`,
      ),
  })
  .meta({ id: 'Link' })

export const links = z.record(z.string(), link).meta({
  id: 'Links',
  description:
    'Addresses of answers with more about the thing that this answer is about. The name of a link is the name of the linked operation, or the role of the linked thing (issuer, exchange). A link is left out if nothing is found at its address',
})

type Links = z.infer<typeof links>

/** Adds links to the answers of every route that answers about one thing. */
export function withLinks(catalog: Catalog): Catalog {
  const slugs = new Map(catalog.slices.flatMap(({ slug, routes }) => routes.map(({ path }) => [path, slug] as const)))
  const owned = catalog.routes.map((route) => ({ route, slug: slugs.get(route.path) ?? null }))
  const plans = plansOf(catalog.slices, owned)
  const routes = catalog.routes.map((route): ServedRoute => {
    const plan = plans.get(route.path)
    return plan
      ? { ...linked(route, plan), needs: route.needs, reads: [...new Set([...route.reads, ...plan.reads])] }
      : route
  })
  return { ...catalog, routes }
}

/** Adds links to the answers of a route. */
export function linked(route: Route, plan: Plan): Route {
  const { not_loaded, ...shape } = (route.output as z.ZodObject).shape
  const meta = z.globalRegistry.get(route.output!)
  const whole = z.object({ ...shape, links, ...(not_loaded ? { not_loaded } : {}) })
  const output = meta ? whole.meta(meta) : whole
  const all = { leads: plan.leads, statement: statementOf(plan.leads) }
  /** Returns the leads and their statement, without the leads that read slices whose tables cannot be queried now. */
  const among = (isOpen: NonNullable<Context['isOpen']>) => {
    const leads = plan.leads.filter(({ reads }) => reads.every(isOpen))
    return leads.length === plan.leads.length ? all : { leads, statement: statementOf(leads) }
  }
  const run: Route['run'] = async (input, context) => {
    const answer = await route.run(input, context)
    if (answer === null || answer === undefined) return answer
    if (answer instanceof Made) return inMade(answer, await found({}, input, context))
    if (answer instanceof JsonText) return inText(answer, await found({}, input, context))
    const { not_loaded, ...rest } = answer as Record<string, unknown>
    const of = await found(rest, input, context)
    return { ...rest, links: of, ...(not_loaded === undefined ? {} : { not_loaded }) }
  }
  const found = async (answer: object, input: Readonly<Record<string, unknown>>, context: Context): Promise<Links> => {
    const { sql, isOpen = () => true } = context
    const { leads, statement } = among(isOpen)
    const values = statement.sources.map((source) => numberOf(source, answer, input))
    const isQueried = statement.text !== null && values.some((value) => value !== null)
    const [row] = isQueried ? await sql.unsafe<Row[]>(statement.text!, values, { prepare: true }) : []
    const more = Object.entries(route.leads?.more?.(answer as never) ?? {})
    return Object.fromEntries([
      ...leads.flatMap((lead) => linkOf(lead, numberOf(lead.source, answer, input), row)),
      ...more.flatMap(([name, url]) => (url === null ? [] : [[name, { url }] as const])),
    ])
  }
  return { ...route, output, run }
}

type Row = Readonly<Record<string, number | boolean | string | null>>

interface Statement {
  /** The source of each thing's identifier, in the order of the statement's parameters. */
  sources: readonly Source[]
  /** Null if no link depends on the content of the database. */
  text: string | null
}

/** Makes one statement for all links. Each link is a column of its row. */
function statementOf(leads: readonly Lead[]): Statement {
  const queried = leads.filter(({ sql }) => sql !== null)
  const sources = [...new Map(queried.map(({ source }) => [JSON.stringify(source), source])).values()]
  const columns = queried.map(({ name, source, sql }) => {
    const number = sources.findIndex((each) => JSON.stringify(each) === JSON.stringify(source)) + 1
    return `${sql!.replaceAll('$', `$${number}::text`)} as "${name}"`
  })
  return { sources, text: columns.length === 0 ? null : `select ${columns.join(',\n  ')}` }
}

/**
 * Returns the identifier of the thing, from the answer or else from the request's parameter for it. Returns null if
 * neither has one.
 */
function numberOf({ members, parameter }: Source, answer: object, input: Readonly<Record<string, unknown>>) {
  let value: unknown = answer
  for (const member of members) value = (value as Record<string, unknown> | null | undefined)?.[member]
  if (members.length > 0 && typeof value === 'string' && value !== '') return value
  return parameter === null ? null : String(input[parameter])
}

function linkOf({ name, address, sql, gives }: Lead, value: string | null, row: Row | undefined) {
  const found = sql === null ? true : row?.[name]
  if (value === null || !found) return []
  const url = `/v1${address.replace('{}', encodeURIComponent(gives === 'number' ? String(found) : value))}`
  const count = gives === 'count' && Number(found) <= COUNT_MAX ? { count: Number(found) } : {}
  return [[name, { url, ...count }] as const]
}

/** Adds the member `links` at the end of the text of an object, before `not_loaded`. */
function inText({ text }: JsonText, own: Links): JsonText {
  const at = text.lastIndexOf(',"not_loaded":[')
  const end = at < 0 ? text.lastIndexOf('}') : at
  return new JsonText(`${text.slice(0, end)},"links":${JSON.stringify(own)}${text.slice(end)}`)
}

/**
 * Adds the member `links` at the end of JSON that another process has made. An answer in another format, such as
 * Markdown, gets no links.
 */
function inMade(made: Made, own: Links): Made {
  if (!made.type.startsWith('application/json')) return made
  const added = Buffer.from(`,"links":${JSON.stringify(own)}}`)
  const body = Buffer.concat([made.body.subarray(0, made.body.lastIndexOf('}')), added])
  return new Made(body, made.type, hash('sha256', made.etag + added.toString(), 'base64url').slice(0, 21))
}
