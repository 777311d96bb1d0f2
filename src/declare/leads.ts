/**
 * The links of an answer about one thing, derived from the registry. They lead to the page of each thing that the
 * answer names, and to lists and routes that take the identifier of the thing itself. A front, the main answer about a
 * thing (`/companies/{cik}`), links to every route about the thing. Any other detail links to fronts, and to routes of
 * its own slice about the thing.
 */
import { z } from 'zod'
import { columnType, ENTITIES, type Entity } from './column.ts'
import { filingTable, isFilings, relationsOf, type Slice } from './dataset.ts'
import type { Route } from './route.ts'
import type { RowSource } from './route-leads.ts'
import { BULK, SPINE } from './spine.ts'
import { type Relation, storedColumns } from './table.ts'

/** The source of an identifier: a member of the answer, or the parameter of the path. */
export interface Source {
  readonly members: readonly string[]
  readonly parameter: string | null
}

export interface Lead {
  readonly name: string
  readonly source: Source
  /** Address with `{}` in place of the identifier. */
  readonly address: string
  /**
   * SQL of one value, with `$` for the identifier. The value is the count of rows, whether any row exists, or another
   * identifier, which goes into the address. Null if the link does not depend on the database.
   */
  readonly sql: string | null
  /**
   * `count`: how many rows a list has. `exists`: whether a route has an answer. `number`: an identifier that goes into
   * the address.
   */
  readonly gives: 'count' | 'exists' | 'number'
  /** Slugs of the slices that the SQL reads. */
  readonly reads: readonly string[]
}

export interface Plan {
  readonly leads: readonly Lead[]
  /** Slugs of the slices that the leads read. */
  readonly reads: readonly string[]
}

/** A route and its slice; null if the slice stores nothing. */
export interface Owned {
  readonly route: Route
  readonly slug: string | null
}

/** Maximum number of rows that are counted: the link to a list with more rows has no count. */
export const COUNT_MAX = 1_000

/** Kinds of identifiers: the entities of columns, and the series of a fund, which has no page of its own. */
type Thing = Entity | 'series'

interface Target {
  owned: Owned
  parameter: string
  thing: Thing
  isPath: boolean
  found: readonly RowSource[] | null
}

const pathNames = (path: string) => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!)

/** Whether the route answers about one thing, so that its answer has links. */
export const hasLinks = ({ path, output, list, leads }: Route): boolean =>
  output instanceof z.ZodObject &&
  (leads?.front === true || (path.endsWith('}') && !isRows(output) && (!list?.paged || path.endsWith('{accession}'))))

/** Whether an answer has only one member, apart from `not_loaded`: such an answer is a list. */
const isRows = ({ shape }: z.ZodObject) => Object.keys(shape).filter((name) => name !== 'not_loaded').length === 1

/** Returns the plan of each route that has links, by path. Long: all parts use the same facts from the registry. */
export function plansOf(slices: readonly Slice[], routes: readonly Owned[]): Map<string, Plan> {
  const targets = routes.flatMap((owned) => targetsOf(owned, slices))
  const pages = new Map(
    Object.entries(ENTITIES).flatMap(([entity, { link }]) => {
      const target = targets.find(({ owned, isPath }) => isPath && owned.route.path === link)
      return target ? [[entity as Thing, target] as const] : []
    }),
  )
  const planOf = ({ route, slug }: Owned): Plan => {
    const isFront = route.leads?.front === true || [...pages.values()].some(({ owned }) => owned.route === route)
    const parameter = pathNames(route.path).at(-1)!
    const subject = thingOf(parameter, route.input.shape[parameter] as z.ZodType)
    const members = membersOf(route.output as z.ZodObject)
    const leads: Lead[] = []
    const add = (name: string, source: Source, target: Target) => {
      if (target.owned.route === route || leads.some((lead) => lead.name === name)) return
      const lead = leadOf(name, source, target)
      if (leads.some(({ address, source: other }) => address === lead.address && other === source)) return
      leads.push(lead)
    }
    if (subject) {
      const source = sourceOf(subject, parameter, route.output as z.ZodObject)
      const page = pages.get(subject)
      if (page) add(page.owned.route.name, source, page)
      for (const target of targets) {
        const isOwn = target.owned.slug === slug && slug !== null
        if (target.thing === subject && (isFront || isOwn)) add(nameOf(target), source, target)
      }
      for (const { name, of, gives, order, to, ...found } of route.leads?.also ?? []) {
        if (of) assertMember(route, of)
        const sql = `(select ${gives} from ${found.in} t where ${whereOf(found)} order by ${order} limit 1)`
        leads.push({
          name,
          source: of ? { members: of, parameter: null } : source,
          address: to.replace(/\{\w+\}/, '{}'),
          sql,
          gives: 'number',
          reads: slugsOf(found),
        })
      }
    }
    for (const { path, column, entity } of members) {
      const page = pages.get(entity)
      const source = { members: path, parameter: null }
      if (page) add(roleOf(column, entity, path, page, leads), source, page)
    }
    return { leads, reads: [...new Set(leads.flatMap(({ reads }) => reads))] }
  }
  return new Map(routes.filter(({ route }) => hasLinks(route)).map((owned) => [owned.route.path, planOf(owned)]))
}

/**
 * The name of a link: the name of its route, such as `npx_votes`. If the parameter is not named after the kind of
 * thing, the parameter's name is added: `form25_filings_by_exchange`.
 */
const nameOf = ({ owned: { route }, parameter, thing, isPath }: Target) =>
  isPath || parameter === thing ? route.name : `${route.name}_by_${parameter.replace(`_${thing}`, '')}`

/**
 * Returns the name of a link from its column: `exchange` for `exchange_cik`, and the target's route name for `cik`. If
 * another link has this name, the link gets the name of the object that has the column.
 */
function roleOf(column: string, entity: Thing, path: readonly string[], page: Target, leads: readonly Lead[]): string {
  const role = column.endsWith(`_${entity}`) ? column.slice(0, -1 - entity.length) : page.owned.route.name
  const holder = path.at(-2)
  return holder !== undefined && leads.some(({ name }) => name === role) ? holder : role
}

function targetsOf(owned: Owned, slices: readonly Slice[]): Target[] {
  const { route, slug } = owned
  if (!(route.output instanceof z.ZodObject || route.output instanceof z.ZodArray)) return []
  const inPath = pathNames(route.path)
  const shape = route.input.shape as Record<string, z.ZodType>
  return Object.entries(shape).flatMap(([parameter, type]): Target[] => {
    const thing = thingOf(parameter, type)
    const isNeedy = Object.entries(shape).some(
      ([name, other]) => name !== parameter && !other.safeParse(undefined).success,
    )
    if (!thing || isNeedy || inPath.some((name) => name !== parameter)) return []
    const given = route.leads?.found?.[parameter]
    const found = given === undefined ? usualOf(slug, parameter, thing, slices) : given
    if (found === undefined) return []
    const all = found === null ? null : [found].flat()
    for (const each of [...(all ?? []), ...(route.leads?.known ?? [])]) assertStored(route.path, each, slices)
    return [{ owned, parameter, thing, isPath: inPath.length > 0, found: all }]
  })
}

/** The kind of thing that a parameter names. */
function thingOf(name: string, type: z.ZodType): Thing | undefined {
  if (name === 'series') return 'series'
  for (let inner = type; ; ) {
    const entity = z.globalRegistry.get(inner)?.['x-entity']
    if (entity !== undefined) return entity as Thing
    if (!(inner instanceof z.ZodOptional || inner instanceof z.ZodDefault)) return undefined
    inner = inner.unwrap() as z.ZodType
  }
}

/**
 * For a route that declares no relation: finds the relation of its slice in which the rows for an identifier are. This
 * is the first relation that has a column for the identifier and an index that begins with the column. The main
 * relation is tried first.
 */
function usualOf(
  slug: string | null,
  parameter: string,
  thing: Thing,
  slices: readonly Slice[],
): RowSource | undefined {
  const slice = slices.find((each) => each.slug === slug)
  if (!slice) return undefined
  const relations = relationsOf(slice)
  const main = isFilings(slice) ? filingTable(slice) : relations.find(({ name }) => name === slice.main)
  const names = thing === 'series' ? ['series_id'] : [parameter, thing]
  for (const by of names) {
    const relation = [...(main ? [main] : []), ...relations].find((each) => isLed(slice, each, by))
    // Only the route knows whether each row of the relation is a row of its list.
    if (relation) return { in: relation.id as RowSource['in'], by, isCounted: false }
  }
  return undefined
}

/**
 * Whether the relation has the column and an index that begins with it, since a look-up must not read the whole table.
 */
function isLed(slice: Slice, relation: Relation, column: string): boolean {
  if (!(column in storedColumns(relation))) return false
  const facets = isFilings(slice) && filingTable(slice) === relation ? (slice.family?.facets ?? []) : []
  const begins = new RegExp(`^\\(${column}\\b`)
  return (
    relation.primaryKey[0] === column || facets.includes(column) || relation.indexes.some((index) => begins.test(index))
  )
}

function assertStored(path: string, { in: id, by }: RowSource, slices: readonly Slice[]): void {
  const [schema] = id.split('.')
  const slice = slices.find(({ slug }) => slug === schema)
  if (!slice && ['edgar', 'bulk'].includes(schema!)) return
  const relation = slice && relationsOf(slice).find((each) => each.id === id)
  if (!relation || !isLed(slice, relation, by))
    throw new Error(`${path}: links are looked up by ${id}.${by}, but no index begins with that column`)
}

function assertMember({ path, output }: Route, members: readonly string[]): void {
  let type: z.ZodType | undefined = output ?? undefined
  for (const member of members) {
    const inner: z.ZodType | undefined = type && plain(type)
    type = inner instanceof z.ZodObject ? inner.shape[member] : undefined
  }
  if (!type) throw new Error(`${path}: a link needs the member ${members.join('.')}, which the answer does not have`)
}

/** Slugs of the slices that a look-up reads: the slice of its relation, and those of the relations in its condition. */
export const slugsOf = ({ in: id, where = '' }: RowSource): string[] =>
  [id, ...Array.from(where.matchAll(/\b(?:from|join) (\w+\.\w+)/g), ([, name]) => name!)].map((name) => {
    const [schema, relation] = name.split('.') as [string, string]
    if (schema === 'pub') return relation.split('_')[0]!
    return schema === 'edgar' ? SPINE : schema === 'bulk' ? BULK : schema
  })

const rowsOf = (found: RowSource) => {
  if (found.newest === undefined) return `select from ${found.in} t where ${whereOf(found)}`
  const newest = `select * from ${found.in} where ${found.by} = $ order by filed_date desc, accession desc limit ${found.newest}`
  return `select from (${newest}) t where ${found.where ?? 'true'}`
}

const whereOf = ({ by, where }: RowSource) => `t.${by} = $${where === undefined ? '' : ` and ${where}`}`

function leadOf(name: string, source: Source, { owned: { route }, parameter, isPath, found }: Target): Lead {
  const address = isPath ? route.path.replace(/\{\w+\}/, '{}') : `${route.path}?${parameter}={}`
  if (found === null) return { name, source, address, sql: null, gives: 'exists', reads: [] }
  const reads = found.flatMap(slugsOf)
  const rows = found.map(rowsOf)
  if (isPath || found.some(({ isCounted }) => isCounted === false)) {
    return {
      name,
      source,
      address,
      sql: `(${rows.map((each) => `exists (${each})`).join(' or ')})`,
      gives: 'exists',
      reads,
    }
  }
  const sql = `(select count(*)::int from (${rows.join(' union all ')} limit ${COUNT_MAX + 1}) r)`
  return { name, source, address, sql, gives: 'count', reads }
}

interface Member {
  path: readonly string[]
  column: string
  entity: Thing
}

/** Columns that name things, in the answer and in its objects, but not in its lists of rows. */
const membersOf = (output: z.ZodObject, before: readonly string[] = []): Member[] =>
  Object.entries(output.shape).flatMap(([column, type]): Member[] => {
    const path = [...before, column]
    const inner = plain(type as z.ZodType)
    const entity = columnType(type as z.ZodType)?.entity ?? columnType(inner)?.entity
    if (entity) return [{ path, column, entity }]
    return inner instanceof z.ZodObject && before.length < 2 ? membersOf(inner, path) : []
  })

/**
 * The identifier is taken from a member of the answer, or else from the parameter. The member is preferred, because the
 * parameter may be a ticker in place of a series.
 */
function sourceOf(thing: Thing, parameter: string, output: z.ZodObject): Source {
  const names: Partial<Record<Thing, readonly string[]>> = { cusip: ['sec_id', 'cusip'], series: ['series_id'] }
  const paths = (names[thing] ?? [thing]).flatMap((name) => pathsOf(output, name))
  return { members: paths[0] ?? [], parameter }
}

/** Paths of members of this name, in the answer or in an object of it. */
const pathsOf = (output: z.ZodObject, name: string): string[][] => [
  ...(name in output.shape ? [[name]] : []),
  ...Object.entries(output.shape).flatMap(([member, type]) =>
    plain(type as z.ZodType) instanceof z.ZodObject && name in (plain(type as z.ZodType) as z.ZodObject).shape
      ? [[member, name]]
      : [],
  ),
]

/** The type of a member without null and without being optional. */
function plain(type: z.ZodType): z.ZodType {
  let inner = type
  while (inner instanceof z.ZodNullable || inner instanceof z.ZodOptional) inner = inner.unwrap() as z.ZodType
  return inner
}
