/**
 * Finds the rows of new filings that match saved searches. Equal searches are evaluated once. A list with `arrived`
 * returns, for each search, the rows that match because of new data. A list with `among` tests all its searches in one
 * statement. Any other list is read for each search, restricted to the days of the new filings.
 */
import type { Catalog, ServedRoute } from '../declare/catalog.ts'
import { accessionOf, momentIn, rowKey } from '../declare/feeds.ts'
import { inOrder } from '../declare/fields.ts'
import type { ReadSubmissions } from '../declare/ports.ts'
import type { Context } from '../declare/route.ts'
import { SCOPES } from '../declare/scopes.ts'
import { wantedOf } from '../products/events/filters.ts'
import { meeting, newsAfter } from '../products/events/queries.ts'
import { firstOf, pageOf } from '../serve/files/pages.ts'
import type { Sql } from '../store/db.ts'
import type { Event } from '../store/events.ts'
import { EVENTS, eventFilters, type Searched, type Values } from './search-list.ts'
import type { Hit } from './search-matches.ts'

/** Searches with the same filters. */
export interface Group {
  /** Path and query, as the searches are stored. */
  address: string
  values: Values
  members: readonly { search_id: string; since: number; created_day: string }[]
}

export interface Finding {
  sql: Sql
  catalog: Catalog
  route: ServedRoute
  groups: readonly Group[]
  events: readonly Event[]
  now: Date
}

const ACCESSION = /^\d{10}-\d{2}-\d{6}$/

/** A row that matches a group, and the number of the event that added it. */
interface MatchedRow {
  group: Group
  key: string
  row: string
  seq: number
  /** The day or moment of the row. */
  moment: string
  /** Whether an event names the record that made the row match. */
  isNamed: boolean
}

/** Returns the hits of all searches, in the order of events. */
export async function hitsOf(finding: Finding): Promise<Hit[]> {
  const { route, events, catalog } = finding
  if (route.name === EVENTS) return eventHits(finding)
  const own = events.filter(({ slug, what }) => route.reads.includes(slug) && what !== 'removed')
  const seqs = new Map<string, number>()
  // A list with `arrived` also accepts keys of records that are not filings, such as brochures.
  for (const { key, seq } of own) if (key !== null && (route.arrived || ACCESSION.test(key))) seqs.set(key, seq)
  const found: MatchedRow[] = []
  if (seqs.size > 0) found.push(...(await waysOf(route)(finding, seqs)))
  // An event that names no filing means that much has changed, so all filings since each search was made are read
  // again. A text search ignores such events if their data does not come from filings, for two reasons: each new
  // brochure has an event that names it, and from Form ADV a text search takes only the names of firms.
  const isOfFilings = ({ slug }: Event) =>
    route.name !== 'text_search' || catalog.filings.some((one) => one.slug === slug)
  const unnamed = own.filter((event) => (event.key === null || !ACCESSION.test(event.key)) && isOfFilings(event)).at(-1)
  if (unnamed) found.push(...(await readAgain(finding, unnamed.seq)))
  found.sort((a, b) => a.seq - b.seq || (a.key < b.key ? -1 : 1))
  return found.flatMap(({ group, key, row, seq, moment, isNamed }) =>
    group.members.flatMap(({ search_id, since, created_day }) =>
      seq > since && (isNamed || moment >= created_day) ? [{ search_id, key, row }] : [],
    ),
  )
}

function waysOf({ arrived, among }: ServedRoute) {
  if (arrived) return arrivedRows
  return among ? tested : walked
}

async function eventHits({ sql, catalog, groups, events }: Finding): Promise<Hit[]> {
  const [first] = events
  if (!first) return []
  const { events: rows, facts } = await newsAfter(sql, first.seq - 1, events.length)
  const tests = groups.map(({ values, members }) => ({
    members,
    meets: meeting(wantedOf(catalog, eventFilters(values))),
  }))
  return rows.flatMap((event, n) => {
    const row = JSON.stringify(event)
    const key = String(event.event_number)
    return tests.flatMap(({ members, meets }) =>
      meets(facts[n]!)
        ? members.flatMap(({ search_id, since }) => (event.event_number > since ? [{ search_id, key, row }] : []))
        : [],
    )
  })
}

/** Tests the new filings for all groups at once: a list with `among` does this in one statement. */
async function tested({ sql, route, groups }: Finding, seqs: ReadonlyMap<string, number>): Promise<MatchedRow[]> {
  const { feed, row: type } = route.list!
  const names = Object.keys(type.shape)
  const requests = groups.map(({ values }) => values)
  const found = await route.among!(sql, { requests, accessions: [...seqs.keys()], ids: feed!.ids })
  return found.flatMap(({ request, row }) =>
    matchedRows(route, groups[request]!, inOrder(row, names), { seq: seqs.get(String(row.accession))!, isNamed: true }),
  )
}

function matchedRows(
  route: ServedRoute,
  group: Group,
  row: Readonly<Record<string, unknown>>,
  { day, ...by }: { seq: number; isNamed: boolean; day?: string },
): MatchedRow[] {
  const { feed } = route.list!
  const key = rowKey(feed!, row)
  const moment = day ?? momentIn(feed!, row) ?? ''
  return key === null ? [] : [{ group, key, row: JSON.stringify(row), moment, ...by }]
}

/** Queries a list with `arrived` for each group: which rows match because of the data that has arrived. */
async function arrivedRows(finding: Finding, seqs: ReadonlyMap<string, number>): Promise<MatchedRow[]> {
  const { route, groups } = finding
  const names = Object.keys(route.list!.row.shape)
  const found: MatchedRow[] = []
  for (const group of groups) {
    const rows = await route.arrived!(group.values as never, { keys: [...seqs.keys()] }, contextOf(finding))
    for (const { row, key } of rows)
      found.push(...matchedRows(route, group, inOrder(row, names), { seq: seqs.get(key)!, isNamed: true }))
  }
  return found
}

/** Facts about a new filing, by which searches that cannot match the filing are left out. */
interface Filed {
  accession: string
  form_type: string
  family: string | null
  filed_date: string
  ciks: readonly string[]
}

/** Reads a list for each group, within the days of the new filings. */
async function walked(finding: Finding, seqs: ReadonlyMap<string, number>): Promise<MatchedRow[]> {
  const { sql, route, groups } = finding
  const filed = await sql<Filed[]>`
    select accession, form_type, family, filed_date,
      array(select cik from edgar.filer r where r.accession = f.accession) as ciks
    from edgar.filing f where accession = any(${[...seqs.keys()]})`
  const found: MatchedRow[] = []
  for (const group of groups) {
    const met = filed.filter((filing) => canHave(route, group.values, filing))
    if (met.length === 0) continue
    const days = met.map(({ filed_date }) => filed_date).sort()
    const { from, to } = group.values as { from?: string; to?: string }
    const within = { from: later(from, days[0]!), to: earlier(to, days.at(-1)!) }
    if (within.from > within.to) continue
    for await (const row of rowsOf(finding, { ...group.values, ...within })) {
      const seq = seqs.get(String(accessionOf(row)))
      if (seq !== undefined) found.push(...matchedRows(route, group, row, { seq, isNamed: true }))
    }
  }
  return found
}

/**
 * Whether a search may match a filing. In every list with a parameter `cik`, this parameter means a filer of the
 * filing.
 */
function canHave({ name }: ServedRoute, values: Values, { form_type, family, ciks }: Filed): boolean {
  const { cik, form, family: wanted } = values
  if (typeof cik === 'string' && !ciks.includes(cik)) return false
  // Other lists may state another form for the same filing, such as the form that a quarterly data set states.
  if (name !== 'filings') return true
  return isAmong(form, form_type) && isAmong(wanted, family)
}

const isAmong = (wanted: unknown, value: string | null): boolean =>
  wanted === undefined || (Array.isArray(wanted) ? wanted.includes(value) : wanted === value)

const later = (given: string | undefined, day: string) => (given !== undefined && given > day ? given : day)
const earlier = (given: string | undefined, day: string) => (given !== undefined && given < day ? given : day)

/**
 * Reads all rows that were filed since the searches were made. A row that a search has found before is recognized by
 * its key.
 */
async function readAgain(finding: Finding, seq: number): Promise<MatchedRow[]> {
  const { route, groups } = finding
  const names = Object.keys(route.list!.row.shape)
  const found: MatchedRow[] = []
  const by = { seq, isNamed: false }
  for (const group of groups) {
    const days = group.members.map(({ created_day }) => created_day).sort()
    const [first] = days
    if (route.arrived) {
      const rows = await route.arrived(group.values as never, { since: first! }, contextOf(finding))
      for (const { row, day } of rows) found.push(...matchedRows(route, group, inOrder(row, names), { ...by, day }))
      continue
    }
    const { from } = group.values as { from?: string }
    for await (const row of rowsOf(finding, { ...group.values, from: later(from, first!) })) {
      found.push(...matchedRows(route, group, row, by))
    }
  }
  return found
}

const contextOf = ({ sql, now, catalog }: Pick<Finding, 'sql' | 'now' | 'catalog'>): Context => ({
  ...{ sql, now, catalog, key: READER, submissions: NONE },
  headers: {},
})

async function* rowsOf(finding: Finding, values: Values): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const { route } = finding
  const context = contextOf(finding)
  const names = Object.keys(route.list!.row.shape)
  for (let input: Values | null = firstOf(route, values, route.list!.paged); input !== null; ) {
    const answer = await route.run(input, context)
    const page = pageOf(route, input, answer, route.list!.paged)
    for (const row of page.rows) yield inOrder(row, names)
    input = page.next
  }
}

/**
 * Runs a search once, since only the route of its list can tell whether the search is valid. For example, the query of
 * a text search might have a syntax error.
 *
 * @throws HttpError 400 if the search is not valid
 */
export async function tried({
  sql,
  catalog,
  searched: { route, values },
  now,
}: Pick<Finding, 'sql' | 'catalog' | 'now'> & { searched: Searched }): Promise<void> {
  await route.run({ ...values, limit: 1 }, contextOf({ sql, now, catalog }))
}

/** The key with which saved searches query lists. It has every scope, since the operator made the searches. */
const READER: Context['key'] = {
  ...{ keyId: 'searches', uid: 'searches', scopes: SCOPES },
  ...{ limits: { search: 1, general: 1 }, selfServe: false },
}

const refuse = () => Promise.reject(new Error('a list must not read documents'))

/** Replaces the archive in the context of a list. Lists only query tables, so each call fails. */
const NONE: ReadSubmissions = {
  get: refuse,
  bring: refuse,
  document() {
    throw new Error('a list must not read documents')
  },
  text: refuse,
} as unknown as ReadSubmissions // every member that a list could call by mistake ends with the same error
