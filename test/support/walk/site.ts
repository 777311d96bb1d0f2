/** Walks a service of which only the address is known: follows its links until some pages of each kind were visited. */
import { setTimeout as delay } from 'node:timers/promises'
import { Places } from '../../../src/pages/explorer/places.ts'
import registry from '../../../src/registry.ts'
import type { PageWalk } from './page.ts'

export interface SiteReport {
  /** Number of visited pages, by kind. */
  visited: ReadonlyMap<string, number>
  /** Operations with a page to which no visited page leads. */
  unreached: readonly string[]
  faults: readonly string[]
  /** Number of followed links and forms. */
  links: number
  broken: readonly string[]
  /** Pages of filings that other filings name, but that are not loaded. */
  absent: readonly string[]
}

export interface SiteOptions {
  origin: string
  /** A key for pages, and for the API. */
  key: string
  /** Number of pages of each kind that are visited from each kind of page. */
  each: number
  /** Called after each page, with its faults, since a walk takes half an hour. */
  report?: (pages: number, address: string, faults: readonly string[]) => void
}

const places = new Places(registry, { hasAccounts: false })
/** A path without parameters comes first: `/adv/advisers/list` before `/adv/advisers/{…}`. */
const patterns = places.all
  .map(({ route, address }) => ({
    name: route.name,
    open: (address.match(/\{/g) ?? []).length,
    pattern: new RegExp(`^${address.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((a, b) => a.open - b.open)

/**
 * Matches addresses that are not visited: answers for programs, and the reference. The reference does not depend on the
 * loaded data, so a test with the sample finds all of its faults.
 */
const NO_PAGE =
  /^\/(v1|original|docs|openapi|llms|readyz|healthz|metrics)(\/|\.|$)|[?&](format|part)=|\.(css|js|svg|json)$/

/** The kind of page at an address. */
function kindOf(address: string): string {
  const [path = ''] = address.split('?')
  const part = /^\/filing\/[^/]+\/(text|original)$/.exec(path)?.[1]
  return part ?? patterns.find(({ pattern }) => pattern.test(path))?.name ?? path
}

/** Visits pages of each kind from each kind of page, and follows every link and form that these pages have. */
export async function walkSite(walk: PageWalk, options: SiteOptions): Promise<SiteReport> {
  const { each, report = () => {} } = options
  const visited = new Map<string, number>()
  const faults: string[] = []
  const begin = places.all.map(({ address }) => address).filter((address) => !address.includes('{'))
  const leads = new Map(['/browse', '/', ...begin].map((address) => [address, 'the first page']))
  for (const address of await examplesOf(options)) if (!leads.has(address)) leads.set(address, 'the reference')
  // The pages of companies in a list of brokers have other parts than the pages of companies in a list of managers.
  const ways = new Map<string, number>()
  let pages = 0
  // Entries that are added to the map during this loop are visited too.
  for (const [address, from] of leads) {
    const kind = kindOf(address)
    const way = `${kindOf(from)} ${kind}`
    const count = ways.get(way) ?? 0
    if (NO_PAGE.test(address) || count >= each || (await isAbsent(address, options))) continue
    pages++
    ways.set(way, count + 1)
    visited.set(kind, (visited.get(kind) ?? 0) + 1)
    const own: string[] = []
    try {
      const page = await walk.visit(address)
      own.push(...page.faults.map((fault) => `${kind} ${address}: ${fault}`))
      for (const lead of page.leads) {
        // The address of a document in a frame is valid for ten minutes, and a walk takes longer.
        if (lead.startsWith('/original/')) own.push(...(await follow(new Map([[lead, address]]), options)).broken)
        else if (!leads.has(lead)) leads.set(lead, address)
      }
    } catch (error) {
      own.push(`${kind} ${address}, a link of ${from}: ${String(error).slice(0, 500)}`)
    }
    faults.push(...own)
    report(pages, address, own)
  }
  const unreached = patterns.map(({ name }) => name).filter((name) => !visited.has(name))
  return { visited, unreached, faults, links: leads.size, ...(await follow(leads, options)) }
}

/**
 * Pages of the requests that the reference shows and that the service answers. Some kinds of pages have no link from the
 * first pages of a walk, such as the terms of one offering.
 */
async function examplesOf({ origin, key }: SiteOptions): Promise<string[]> {
  const headers = { 'x-api-key': key }
  const document = await fetch(`${origin}/v1/openapi.json`, { headers })
  const { paths } = (await document.json()) as { paths: Record<string, { get?: { 'x-example'?: string } }> }
  const pages: string[] = []
  for (const { get } of Object.values(paths)) {
    const page = get?.['x-example'] === undefined ? null : places.pageOf(get['x-example'])
    if (page === null) continue
    const { status, body } = await fetch(origin + get!['x-example'], { headers })
    await body?.cancel()
    if (status === 200) pages.push(page)
  }
  return pages
}

/** Matches pages of filings. Such a page may be missing: filings name other filings that are not loaded. */
const OF_OTHERS = /^\/filing\/[^/?]+$/

async function isAbsent(address: string, { origin, key }: SiteOptions): Promise<boolean> {
  if (!OF_OTHERS.test(address)) return false
  const { status, body } = await fetch(origin + address, { headers: headersOf(key) })
  await body?.cancel()
  return status === 404
}

const headersOf = (key: string) => ({ cookie: `openfilings_key=${key}`, accept: 'text/html' })

async function follow(leads: ReadonlyMap<string, string>, { origin, key }: SiteOptions) {
  const broken: string[] = []
  const absent: string[] = []
  const left = [...leads]
  const open = async (address: string, from: string) => {
    const own = address.startsWith('/v1/') ? { 'x-api-key': key } : headersOf(key)
    const { status, body } = await fetch(origin + address, { headers: own })
    await body?.cancel()
    if (status === 429) {
      // A key may request only a few files at a time.
      await delay(500)
      left.push([address, from])
    } else if (status === 404 && OF_OTHERS.test(address)) absent.push(`${address} on ${from}`)
    else if (status !== 200) broken.push(`${status} ${address} on ${from}`)
  }
  await Promise.all(
    [1, 2, 3, 4].map(async () => {
      for (let next = left.shift(); next; next = left.shift()) await open(...next)
    }),
  )
  return { broken, absent }
}
