/**
 * Finds examples in the loaded data. The examples in the package are from the bundled sample, and other data lacks most
 * of their ids. Each request is sent once before it is shown.
 */
import type { z } from 'zod'
import type { Catalog, ServedRoute } from '../declare/catalog.ts'
import { addressOf, exampleRequests } from '../declare/examples.ts'
import type { Example } from '../declare/route.ts'
import { type ApiExamples, declaredExample, ITEMS_MAX, type RouteExample } from './examples.ts'
import { hasRows, type SendRequest } from './first-requests.ts'
import { type Schema, type Schemas, schemaOf } from './openapi/schemas.ts'

/**
 * Maximum number of things that are tried for one route. Without this limit, a route whose family is not loaded would
 * try all things.
 */
const TRIED_MAX = 12
/** Maximum length of a text in an answer that is shown. The text of a filing can have a million characters. */
const TEXT_MAX = 400

/**
 * Values of one object of an answer. The keys of `named` are the names of the members. The keys of `entities` are the
 * kinds of things that the members identify (`x-entity`).
 */
interface Thing {
  named: Map<string, string>
  entities: Map<string, string[]>
}

interface Parts {
  catalog: Catalog
  schemas: Schemas
  send: SendRequest
}

/**
 * Finds an example of every route. If the declared request of a list has no answer, the list is requested without
 * filters. If the request of a route about a thing has no answer, the thing is taken from lists of the same group, or
 * of the same family of filings. A route whose data is not loaded keeps its declared request, without an answer.
 *
 * @param open the catalog with the routes that may be requested; all other routes keep their declared request too
 * @returns examples by the name of the route; null if no route has an answer
 */
export async function loadedExamples({
  catalog,
  open,
  schemas,
  send,
}: Parts & { open: Catalog }): Promise<ApiExamples['routes'] | null> {
  const things = new Map<string, Thing[]>()
  const routes = Object.fromEntries(catalog.routes.map((route) => [route.name, declaredExample(route)]))
  const isAbout = (route: ServedRoute) => route.path.includes('{')
  // Lists come first, since their rows name the things that the other routes need.
  const ordered = [...open.routes.filter((route) => !isAbout(route)), ...open.routes.filter(isAbout)]
  const find = async (route: ServedRoute) => {
    const answered = await firstAnswer(route, candidatesOf(route, { catalog, things, schemas, send }), send)
    if (!answered) return false
    routes[route.name] = exampleOf(route, answered)
    add(things, route.tag, thingsIn(schemas.of(route), answered.answer, schemas))
    return true
  }
  const unanswered: ServedRoute[] = []
  for (const route of ordered) if (!(await find(route))) unanswered.push(route)
  // A route may be about a thing that only a later answer names. For example, the list of a company's texts names a
  // filing with text.
  for (const route of unanswered) await find(route)
  return Object.values(routes).some(({ answer }) => answer !== undefined) ? routes : null
}

interface Answered {
  values: Example
  answer: unknown
}

/**
 * Returns the first answer that has rows, else the first answer without rows: a filing without holdings is an example
 * too.
 */
async function firstAnswer(
  route: ServedRoute,
  candidates: AsyncIterable<Example>,
  send: SendRequest,
): Promise<Answered | null> {
  if (route.output === null) return null
  const names = pathNames(route)
  const tried = new Set<string>()
  let poor: Answered | null = null
  for await (const values of candidates) {
    const address = addressOf(route, values)
    if (tried.has(address)) continue
    if (tried.size === TRIED_MAX) break
    tried.add(address)
    const entries = Object.entries(values)
    const path = Object.fromEntries(entries.filter(([name]) => names.includes(name)))
    const query = Object.fromEntries(entries.filter(([name]) => !names.includes(name)))
    const answer = await send(route, path, query)
    if (answer === null || answer === undefined) continue
    if (isInstructive(route, answer)) return { values, answer }
    poor ??= { values, answer }
  }
  return poor
}

function isInstructive({ list }: ServedRoute, answer: unknown): boolean {
  const rows = list?.member ? (answer as Tree)[list.member] : answer
  return hasRows(answer) && !(Array.isArray(rows) && rows.length === 0)
}

/** Requests that may have an answer, the most instructive request first. */
async function* candidatesOf(
  route: ServedRoute,
  { catalog, things, schemas, send }: Parts & { things: ReadonlyMap<string, readonly Thing[]> },
): AsyncGenerator<Example> {
  const requests = exampleRequests(route).filter(({ isContinued }) => !isContinued)
  for (const { values } of requests.slice(0, 1)) yield values
  const { limit, ...rest } = requests[0]!.values
  const page: Example = limit === undefined ? {} : { limit }
  const names = pathNames(route)
  const params = Object.fromEntries(Object.entries(rest).filter(([name]) => !names.includes(name)))
  const required = Object.fromEntries(Object.entries(params).filter(([name]) => isRequired(route, name)))
  const from = (found: readonly Thing[], about = names) => found.flatMap((thing) => valuesOf(route, about, thing))
  if (names.length === 0) {
    yield { ...required, ...page }
    // A list may need one of several filters, so each filter is tried alone.
    for (const name of Object.keys(params)) {
      for (const values of from(things.get(route.tag) ?? [], [name])) yield { ...required, ...values, ...page }
    }
    return
  }
  for (const values of from(things.get(route.tag) ?? [])) yield { ...values, ...required, ...page }
  const filings = catalog.routes.find(({ name }) => name === 'filings')
  for (const family of filings ? route.needs.filter((slug) => catalog.family(slug)) : []) {
    const answer = await send(filings!, {}, { family, limit: '5' })
    const found = thingsIn(schemas.of(filings!), answer, schemas)
    for (const values of from(found)) yield { ...values, ...required, ...page }
  }
  for (const [tag, found] of things) {
    if (tag !== route.tag) for (const values of from(found)) yield { ...values, ...required, ...page }
  }
}

const pathNames = ({ path }: ServedRoute) => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!)

const isRequired = ({ input }: ServedRoute, name: string) =>
  !(input.shape[name] as z.ZodType).safeParse(undefined).success

/**
 * Takes the values of path parameters from a thing, by the name of the parameter or by the kind of thing that the
 * parameter identifies.
 */
function valuesOf(route: ServedRoute, names: readonly string[], { named, entities }: Thing): Example[] {
  let found: Record<string, string>[] = [{}]
  for (const name of names) {
    const entity = schemaOf(route.input.shape[name] as z.ZodType)['x-entity'] as string | undefined
    const own = named.get(name) ?? named.get(`${name}_id`)
    const values = own === undefined ? (entities.get(entity ?? '') ?? []) : [own]
    found = found.flatMap((before) => values.map((value) => ({ ...before, [name]: value })))
  }
  return found
}

function add(things: Map<string, Thing[]>, tag: string, found: readonly Thing[]): void {
  things.set(tag, [...(things.get(tag) ?? []), ...found])
}

type Tree = Readonly<Record<string, unknown>>

/**
 * The texts of the objects in an answer, by member and by kind of thing; the outer objects come first. Only the first
 * two items of each list are read.
 */
function thingsIn(schema: Schema, answer: unknown, { components }: Schemas): Thing[] {
  const found: Thing[] = []
  const resolved = (node: Schema): Schema => {
    const name = (node.$ref as string | undefined)?.split('/').at(-1)
    return name === undefined ? node : (components[name] ?? {})
  }
  /**
   * Returns the object's own schema and the schemas that it combines (`anyOf`, `oneOf`, `allOf`): each may describe
   * members of the object.
   */
  const ways = (node: Schema): Schema[] => {
    const { anyOf = [], oneOf = [], allOf = [], ...own } = resolved(node) as Record<string, Schema[]>
    return [own as Schema, ...[...anyOf, ...oneOf, ...allOf].flatMap(ways)]
  }
  const visit = (node: Schema, value: unknown): void => {
    if (Array.isArray(value)) {
      const items = ways(node).find((way) => way.items)?.items as Schema | undefined
      for (const item of value.slice(0, ITEMS_MAX)) if (items) visit(items, item)
      return
    }
    if (value === null || typeof value !== 'object') return
    const properties: Record<string, Schema> = Object.assign({}, ...ways(node).map((way) => way.properties))
    const thing: Thing = { named: new Map(), entities: new Map() }
    found.push(thing)
    for (const [name, part] of Object.entries(value as Tree)) {
      const type = properties[name]
      if (typeof part === 'string' && part !== '') {
        thing.named.set(name, part)
        const entity = type && (ways(type).find((way) => way['x-entity'])?.['x-entity'] as string | undefined)
        if (entity) thing.entities.set(entity, [...(thing.entities.get(entity) ?? []), part])
      } else if (type) visit(type, part)
    }
  }
  visit(schema, answer)
  return found
}

function exampleOf(route: ServedRoute, { values, answer }: Answered): RouteExample {
  const { parameters } = declaredExample(route)
  return { address: addressOf(route, values), parameters: { ...parameters, ...values }, answer: shortened(answer) }
}

/** The answer with at most two items of each list, and with only the beginnings of long texts. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map(shortened)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shortened(part)]))
}
