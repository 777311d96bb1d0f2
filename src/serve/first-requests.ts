/**
 * Chooses first requests that a user can try, for the terminal and for the page at `/`. The requests fit the currently
 * loaded data. Each of them is sent once before it is shown.
 */
import { HttpError } from '../declare/api-errors.ts'
import type { Catalog, ServedRoute } from '../declare/catalog.ts'
import { addressOf as addressBelow } from '../declare/examples.ts'
import { columnsOf } from './files/columns.ts'
import { csvWriter } from './files/csv.ts'
import type { Row } from './files/writer.ts'
import { type InputReader, inputReader } from './http/input.ts'
import { asClient } from './http/next.ts'

type Text = Readonly<Record<string, string>>

/**
 * Sends a request to a route. Returns the answer as a client would parse it, or null for a 404 or a failure. Never
 * throws.
 */
export type SendRequest = (route: ServedRoute, path: Text, query: Text) => Promise<unknown>

export interface FirstRequest {
  route: ServedRoute
  /** Path and query: `/v1/adv/advisers/by-crd/105958`. */
  address: string
  /** The answer as a client would parse it; for a file, its first lines. */
  answer: unknown
  /** The file name under which a list is downloaded. */
  file?: string
}

/**
 * Number of the largest advisers that are compared to find one with a rich profile. `NEWEST_TRIED` of the advisers that
 * filed last are compared too.
 */
const ADVISERS_TRIED = 25
const NEWEST_TRIED = 5

/** Number of newest filings that `/` shows. */
const NEWEST = 6

export interface NewFiling {
  accession: string
  cik: string
  company_name: string
  form_type: string
  filed_date: string
}

interface Named {
  accession?: string
  crd?: string | null
  firm_name?: string
}

/**
 * Requests that have rows in this database, most interesting first. They are sent sequentially, since no client waits
 * for them.
 */
export async function firstRequests(catalog: Catalog, send: SendRequest): Promise<FirstRequest[]> {
  const find = finder(catalog, send)
  const adviser = await fullestAdviser(find)
  const notices = await find('feed', {}, { type: 'formd', limit: '2' })
  const [newest] = rowsOf(notices?.answer)
  const found: (FirstRequest | null)[] = []
  if (adviser) {
    found.push(await find('adv_adviser', { crd: adviser.crd }))
    found.push(await find('adv_search', {}, { q: beginningOf(adviser.firm_name) }))
    found.push(await find('adviser_rep_flows', { crd: adviser.crd }))
  }
  found.push(await holdings(find, adviser?.crd))
  found.push(await heldSecurity(find))
  found.push(await find('filings', {}, { limit: '3' }))
  found.push(await find('text_search', {}, { q: '"risk factors"', limit: '2' }))
  found.push(await find('feed', {}, { sort: 'amount', limit: '3', fields: 'filing_date,entity_name,industry,amount' }))
  found.push(asFile(catalog, notices, { type: 'formd' }, 'formd.csv'))
  if (newest?.accession) found.push(await find('formd_detail', { accession: newest.accession }))
  return found.filter((each) => each !== null && hasRows(each.answer)) as FirstRequest[]
}

/** How many advisers are loaded; null if there are none, or if the request fails. */
export async function advisersLoaded(catalog: Catalog, send: SendRequest): Promise<number | null> {
  const list = await finder(catalog, send)('adv_list', {}, { limit: '1' })
  return (list?.answer as { total?: number } | undefined)?.total || null
}

/**
 * The newest filings, by the day on which they were filed; an empty list if there are no filings, or if the request
 * fails.
 */
export async function newestFilings(catalog: Catalog, send: SendRequest): Promise<NewFiling[]> {
  const list = await finder(catalog, send)('filings', {}, { limit: String(NEWEST) })
  return rowsOf(list?.answer) as NewFiling[]
}

/** Path and query of a request. */
export const addressOf = (route: ServedRoute, path: Text, query: Text): string =>
  `/v1${addressBelow(route, { ...path, ...query })}`

/**
 * Sends requests through `run`, as a client would. The answer is null if the route refuses the request, finds nothing,
 * or fails. A failure is reported to `onFailure`: the page must not fail because one request does.
 */
export function senderOf(
  run: (route: ServedRoute, values: Record<string, unknown>) => Promise<unknown>,
  onFailure: (error: unknown) => void = () => {},
): SendRequest {
  const inputs = new Map<ServedRoute, InputReader>()
  return async (route, path, query) => {
    try {
      const inputOf = inputs.get(route) ?? inputReader(route)
      inputs.set(route, inputOf)
      const { values, chosen } = inputOf(addressOf(route, path, query), path)
      const found = await run(route, values)
      return found === null || found === undefined ? null : asClient(route, found, values, chosen).answer
    } catch (error) {
      if (!(error instanceof HttpError && error.status < 500)) onFailure(error)
      return null
    }
  }
}

type FindRequest = (name: string, path?: Text, query?: Text) => Promise<FirstRequest | null>

const finder =
  (catalog: Catalog, send: SendRequest): FindRequest =>
  async (name, path = {}, query = {}) => {
    const route = catalog.routes.find((each) => each.name === name)
    const answer = route && (await send(route, path, query))
    return answer === null || answer === undefined
      ? null
      : { route: route!, address: addressOf(route!, path, query), answer }
  }

/**
 * The request for a list as a file with all its rows. Only rows that were already found are shown, since the file
 * itself can be as large as the data.
 */
function asFile(catalog: Catalog, found: FirstRequest | null, query: Text, file: string): FirstRequest | null {
  const rows = rowsOf(found?.answer)
  if (!found?.route.list || rows.length === 0) return null
  const { head, page } = csvWriter(columnsOf(found.route.list, { input: {}, chosen: null }, catalog))
  const address = addressOf(found.route, {}, { ...query, format: 'csv' })
  return { route: found.route, address, answer: head + page(rows as Row[]), file }
}

/**
 * Compares the largest advisers and the advisers that filed last. Returns the adviser whose profile links to the most
 * other answers (funds, holdings, people, brochures). If several profiles have equally many links, returns the adviser
 * whose profile has the most values, else the larger adviser.
 */
async function fullestAdviser(find: FindRequest): Promise<{ crd: string; firm_name: string } | null> {
  const largest = await find('adv_list', {}, { limit: String(ADVISERS_TRIED) })
  const newest = await find('adv_list', {}, { sort: 'date', limit: String(NEWEST_TRIED) })
  const tried = new Map([...rowsOf(largest?.answer), ...rowsOf(newest?.answer)].map((row) => [row.crd, row]))
  let best: { crd: string; firm_name: string; leads: number; facts: number } | null = null
  for (const { crd, firm_name } of tried.values()) {
    if (!crd || !firm_name) continue
    const profile = (await find('adv_adviser', { crd }))?.answer as { links?: object } | undefined
    const leads = Object.keys(profile?.links ?? {}).length
    const facts = values(profile)
    const isFuller = !best || leads > best.leads || (leads === best.leads && facts > best.facts)
    if (facts > 0 && isFuller) best = { crd, firm_name, leads, facts }
  }
  return best
}

/** Returns the request for the holdings of the chosen adviser or, if there are none, of the largest manager. */
async function holdings(find: FindRequest, crd: string | undefined): Promise<FirstRequest | null> {
  const own = crd === undefined ? null : await find('adv_holdings_13f', { crd }, { limit: '3' })
  if (own && hasRows(own.answer)) return own
  const list = (await find('thirteenf_managers'))?.answer as { rows?: { cik: string }[] } | undefined
  const [largest] = list?.rows ?? []
  return largest ? find('thirteenf_holdings', { cik: largest.cik }, { limit: '3' }) : null
}

/** Returns the request for the security in which managers and funds together hold the largest value. */
async function heldSecurity(find: FindRequest): Promise<FirstRequest | null> {
  const list = await find('securities', {}, { sort: 'value', limit: '1' })
  const [most] = ((list?.answer as { rows?: Security[] } | undefined)?.rows ?? []) as (Security | undefined)[]
  return most?.f13_holders || most?.fund_count ? find('security', { cusip: most.sec_id }, { limit: '3' }) : null
}

interface Security {
  sec_id: string
  f13_holders: number | null
  fund_count: number | null
}

const rowsOf = (answer: unknown): Named[] => (answer as { rows?: Named[] } | undefined)?.rows ?? []

/**
 * The first word of a name that is useful for a search. Words of at most three letters, such as "The", find too much.
 * If the name has only such words, all of its words are returned.
 */
function beginningOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.find((word) => word.length > 3) ?? words.join(' ')
}

/**
 * Whether an answer is worth showing. An answer with `match: false`, an empty list, or a `summary` of only zeros is not
 * useful.
 */
export function hasRows(found: unknown): boolean {
  if (found === null || typeof found !== 'object') return typeof found === 'string'
  if (Array.isArray(found)) return found.length > 0
  const { match, rows, summary } = found as { match?: boolean; rows?: unknown[]; summary?: Record<string, unknown> }
  if (match === false || (rows && rows.length === 0)) return false
  return !summary || Object.values(summary).some((value) => Boolean(value))
}

/** Number of values in an answer that are not missing. */
function values(found: unknown): number {
  if (found === null || found === undefined) return 0
  if (typeof found !== 'object') return 1
  return Object.values(found).reduce((sum: number, each) => sum + values(each), 0)
}
