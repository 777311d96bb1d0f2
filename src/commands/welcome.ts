/** The lines that `serve` prints at its start: what is loaded, and requests that were tried before they are printed. */

import { type Context, JsonText } from '../declare/route.ts'
import { loaded } from '../ingest/backlog.ts'
import type { Standing } from '../ingest/origin.ts'
import { inputReader } from '../serve/http/input.ts'
import { number } from './progress.ts'

/** Advisers looked at for one whose profile has much to show. */
const ADVISERS_TRIED = 25

interface Row {
  accession?: string
  crd?: string | null
  firm_name?: string
}

/** What is loaded, in a sentence. */
export async function whatIsLoaded(context: Context, { holds }: Standing): Promise<string> {
  const { filings, newest, through } = await loaded(context.sql)
  const advisers = (await answer(context, 'adv_list', {}, { limit: '1' })) as { total?: number } | null
  const parts = [
    ...(newest ? [`${number(filings)} filings, the newest of ${newest}`] : []),
    ...(advisers?.total ? [`${number(advisers.total)} advisers${through ? `, as of ${through}` : ''}`] : []),
  ]
  const kinds = { 'old sample': 'the bundled sample of another version: ', sample: 'the bundled sample: ' }
  const kind = holds === 'sample' || holds === 'old sample' ? kinds[holds] : ''
  return `${kind}${parts.join('; ')}`
}

/** Addresses below the base that have rows in this database, the most telling first. */
export async function thingsToTry(context: Context): Promise<string[]> {
  const adviser = await tellingAdviser(context)
  const newest = await firstRow(context, 'feed', { type: 'formd', limit: '1' })
  const lines = await Promise.all([
    adviser && address(context, 'adv_adviser', { crd: adviser.crd }),
    adviser && address(context, 'adv_search', {}, { q: beginningOf(adviser.firm_name) }),
    adviser && address(context, 'adviser_rep_flows', { crd: adviser.crd }),
    addressOfHoldings(context, adviser?.crd),
    address(context, 'filings', {}, { limit: '3' }),
    address(context, 'feed', {}, { sort: 'amount', limit: '3' }),
    newest?.accession && address(context, 'formd_detail', { accession: newest.accession }),
  ])
  return lines.filter((line) => typeof line === 'string')
}

/** Of the largest advisers that one whose profile has the most values; the larger of equals. */
async function tellingAdviser(context: Context): Promise<{ crd: string; firm_name: string } | null> {
  const list = (await answer(context, 'adv_list', {}, { limit: String(ADVISERS_TRIED) })) as { rows?: Row[] } | null
  let best: { crd: string; firm_name: string; facts: number } | null = null
  for (const { crd, firm_name } of list?.rows ?? []) {
    if (!crd || !firm_name) continue
    const facts = values(await answer(context, 'adv_adviser', { crd }))
    if (facts > (best?.facts ?? 0)) best = { crd, firm_name, facts }
  }
  return best
}

/** Holdings of that adviser, else of the largest manager that states a CRD number and is an adviser that is loaded. */
async function addressOfHoldings(context: Context, crd: string | undefined): Promise<string | null> {
  const list = (await answer(context, 'thirteenf_managers')) as { managers?: Row[] } | null
  const stated = list?.managers?.flatMap((manager) => manager.crd ?? []) ?? []
  for (const tried of [...(crd ? [crd] : []), ...stated]) {
    const found = await address(context, 'adv_holdings_13f', { crd: tried })
    if (found !== null) return found
  }
  return null
}

/** A name's first word that finds something: short ones and "The" say little. */
function beginningOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.find((word) => word.length > 3) ?? words.join(' ')
}

/** The address of a request that is answered with something, with its values; null when it is not. */
async function address(
  context: Context,
  name: string,
  path: Record<string, string> = {},
  query: Record<string, string> = {},
): Promise<string | null> {
  const found = await answer(context, name, path, query)
  return hasRows(found) ? addressOf(context, name, path, query) : null
}

/** An answer that says `match: false`, lists nothing or sums up to nothing is no thing to try. */
function hasRows(found: unknown): boolean {
  if (found === null || typeof found !== 'object') return false
  if (Array.isArray(found)) return found.length > 0
  const { match, rows, summary } = found as { match?: boolean; rows?: unknown[]; summary?: Record<string, unknown> }
  if (match === false || (rows && rows.length === 0)) return false
  return !summary || Object.values(summary).some((value) => Boolean(value))
}

/** Values in an answer that are there. */
function values(found: unknown): number {
  if (found === null || found === undefined) return 0
  if (typeof found !== 'object') return 1
  return Object.values(found).reduce((sum: number, each) => sum + values(each), 0)
}

async function firstRow(context: Context, name: string, query: Record<string, string>): Promise<Row | null> {
  const found = (await answer(context, name, {}, query)) as { rows?: Row[] } | null
  return found?.rows?.[0] ?? null
}

/** The answer of a route to a request, as a client would parse it; null for 404, and when it fails. */
async function answer(
  context: Context,
  name: string,
  path: Record<string, string> = {},
  query: Record<string, string> = {},
): Promise<unknown> {
  const route = context.catalog.routes.find((each) => each.name === name)
  if (!route) return null
  try {
    const { values } = inputReader(route)(addressOf(context, name, path, query), path)
    const found = await route.run(values, context)
    return found instanceof JsonText ? JSON.parse(found.text) : JSON.parse(JSON.stringify(found ?? null))
  } catch {
    // A start does not fail because something to try does: whoever asks for it is told.
    return null
  }
}

function addressOf({ catalog }: Context, name: string, path: Record<string, string>, query: Record<string, string>) {
  const route = catalog.routes.find((each) => each.name === name)!
  const search = new URLSearchParams(query).toString()
  return `/v1${route.path.replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(path[key]!))}${search ? `?${search}` : ''}`
}
