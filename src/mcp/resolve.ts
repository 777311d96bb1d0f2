/** Finds the thing that an argument means: uses an id directly, and searches for a name or a ticker. */
import { z } from 'zod'
import type { Route } from '../declare/route.ts'
import { belowVersion } from './address.ts'
import { CallError } from './api.ts'
import { inLine } from './render/plain.ts'
import { addressFor, pathNames, type Routes } from './routes.ts'
import type { Call } from './tool.ts'

const row = z.object({
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  matched: z.string(),
  detail: z.string().nullable(),
  url: z.string(),
})
const page = z.object({ rows: z.array(row) })
type Row = z.infer<typeof row>

/** A route about one thing, and the name that its tool uses for that kind of thing. */
export interface OfKind {
  kind: string
  route: Route
  parameter: string
}

export interface Meant<T> {
  of: T
  id: string
  /** A note about the thing that was chosen; null if the argument was an id. */
  note: string | null
}

/** Number of search hits that are considered. The first hit that fits is chosen, and the note names the next hits. */
const LOOKED_AT = 20
const NAMED = 3

async function rowsFor(text: string, kind: string | null, routes: Routes, { api, signal }: Call): Promise<Row[]> {
  const search = routes.named('search')
  const values = { q: text, limit: String(LOOKED_AT), ...(kind === null ? {} : { kind }) }
  const { answer } = await api.ask(addressFor(search, values), signal)
  return page.parse(answer).rows
}

const nothing = (text: string, what: string): never => {
  throw new CallError(
    `no ${what} is found for ${JSON.stringify(text.slice(0, 100))}. search_entities(q=…) searches all kinds. The data may also not be loaded here`,
  )
}

function noteOf(taken: Row, others: readonly Row[]): string {
  const also = others.slice(0, NAMED).map((each) => `${each.kind} ${each.id} ${inLine(each.name)}`)
  const rest = also.length > 0 ? `; also found: ${also.join('; ')}` : ''
  return `Taken as ${taken.kind} ${taken.id}, ${inLine(taken.name)}${rest}`
}

/**
 * Finds the page of a thing. `kind` is one of the kinds that the search knows.
 *
 * @returns the address of the page, without `/v1`
 * @throws CallError if nothing is found
 */
export async function pageOfThing(text: string, kind: string, routes: Routes, call: Call) {
  const [first, ...others] = await rowsFor(text, kind, routes, call)
  return first ? { address: belowVersion(first.url), note: noteOf(first, others) } : nothing(text, kind)
}

/**
 * Finds the thing that a text means, among the things that the routes are about. If the text is an id that fits only
 * one of the routes, the id is used unchanged. A name, a ticker, or an id that fits several routes is looked up in the
 * search. The first hit whose page has the same kind of identifier as a route is chosen.
 *
 * @throws CallError if nothing is found
 */
export async function meant<T extends OfKind>(
  text: string,
  among: readonly T[],
  routes: Routes,
  call: Call,
): Promise<Meant<T>> {
  // A word without digits may look like an id, but it is a name or a ticker.
  const [byId, otherById] = among.filter(({ route, parameter }) =>
    isId(text, route.input.shape[parameter] as z.ZodType),
  )
  if (byId && !otherById) return { of: byId, id: text, note: null }
  const rows = await rowsFor(text, null, routes, call)
  const fitting = rows.flatMap((each) => {
    const own = numberOf(each, routes)
    const of = among.find(({ route, parameter }) => entityOf(route, parameter) === own?.entity)
    return of && own ? [{ row: each, of, id: own.id }] : []
  })
  const [first, ...others] = inOrder(fitting, byId !== undefined)
  // A company's ticker may belong to any of its securities. The API refuses such a ticker, and its refusal names the
  // securities. If we chose a security whose name only begins like the ticker, we would choose the wrong security.
  const tradable = among.find(({ route, parameter }) => entityOf(route, parameter) === 'cusip')
  if (tradable && isTicker(rows[0]) && !isTicker(first?.row)) return { of: tradable, id: text, note: null }
  if (!first)
    return byId ? { of: byId, id: text, note: null } : nothing(text, among.map(({ kind }) => kind).join(' or '))
  return {
    ...first,
    note: noteOf(
      first.row,
      others.map((each) => each.row),
    ),
  }
}

/**
 * If the text is a number, puts hits of the requested role first, because one EDGAR number is valid for all roles of a
 * filer.
 */
function inOrder<F extends { row: Row; of: OfKind }>(fitting: readonly F[], isNumber: boolean): F[] {
  if (!isNumber) return [...fitting]
  const isOfKind = ({ row: { kind }, of }: F) => kind === of.kind
  return [...fitting.filter(isOfKind), ...fitting.filter((each) => !isOfKind(each))]
}

const isTicker = (found: Row | undefined) => found !== undefined && /ticker$/.test(found.matched)

const isId = (text: string, type: z.ZodType) => /\d/.test(text) && type.safeParse(text).success

/** The identifier of a found thing and the kind of this identifier, taken from the page to which the search links. */
function numberOf({ url }: Row, routes: Routes): { id: string; entity: string } | null {
  const { route, path } = routes.of(belowVersion(url))
  const [parameter] = pathNames(route)
  return parameter === undefined ? null : { id: path[parameter]!, entity: entityOf(route, parameter) }
}

/** The kind of identifier that a parameter is: `cik`, `crd`, `cusip`; the parameter's name if it declares no kind. */
function entityOf(route: Route, parameter: string): string {
  const meta = z.globalRegistry.get(route.input.shape[parameter] as z.ZodType)
  return (meta?.['x-entity'] as string | undefined) ?? parameter
}
