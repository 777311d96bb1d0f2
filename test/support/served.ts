/** The service over the loaded sample, with keys of every kind, for tests of its answers. */

import { claimOrigin, sampleIsWhole } from '../../src/ingest/origin.ts'
import { mcp } from '../../src/mcp/http.ts'
import { pages } from '../../src/pages/pages.ts'
import registry from '../../src/registry.ts'
import { described } from '../../src/serve/described.ts'
import { openLog } from '../../src/serve/http/log.ts'
import { createServer, type ServerOptions } from '../../src/serve/http.ts'
import { createKey } from '../../src/serve/keys.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { openReaders } from '../../src/serve/readers.ts'
import { dataVersions } from '../../src/store/meta.ts'
import type { FreshDatabase } from './database.ts'
import { openSampledWorld } from './sampled.ts'
import { until } from './until.ts'
import { openWorld, type World } from './world.ts'

export interface Served extends World {
  /** `http://127.0.0.1:port` */
  origin: string
  keys: { full: string; api: string; mcp: string; limited: string }
  /** Gets a path below /v1, with the full key unless headers override it. */
  get(route: string, headers?: Record<string, string>): Promise<Response>
  /**
   * Waits until the server knows of every load so far. The server learns of a load by a notification; until the
   * notification arrives, it gives its previous answers. The world's own load functions wait for this.
   */
  known(): Promise<void>
  /** Closes the server before the end of the test. */
  close(): Promise<void>
  /** Returns the parsed 200 answer. */
  json<T = Record<string, unknown>>(route: string): Promise<T>
}

type After = { after(fn: () => Promise<void>): void }

/** Serves the sample as loaded by the program itself. */
export async function serveSample(t: After, options: Partial<ServerOptions> = {}): Promise<Served> {
  return serveWorld(t, await openSampledWorld(t), options)
}

/** Serves all filings of an EDGAR (by default the sample), loaded by this call. */
export async function serveLoaded(
  t: After,
  { root, database }: { root?: string; database?: FreshDatabase } = {},
): Promise<Served> {
  const world = await openWorld(t, { ...(root && { root }), ...(database && { database }) })
  if (root === undefined) await world.sql.begin((tx) => claimOrigin(tx, registry.slices, 'sample'))
  await world.crawl()
  await world.drain()
  if (root === undefined) {
    await world.bulk()
    await sampleIsWhole(world.sql, 'of this version')
  }
  return serveWorld(t, world)
}

/** Created once for all servers of a test file, and only on request: it takes 0.15 s. */
const document = described('0.0.0', () => openapi(registry, '0.0.0'))

/** Serves whatever the world has loaded. */
export async function serveWorld(t: After, world: World, options: Partial<ServerOptions> = {}): Promise<Served> {
  const readers = openReaders({ target: world.target, max: 10 })
  const server = await createServer({
    catalog: registry,
    sql: world.sql,
    readers,
    submissions: world.submissions,
    now: () => new Date(),
    log: openLog({ level: 'silent' }),
    selfServeClosed: [],
    isReady: async () => null,
    openapi: document,
    pages: pages({ openapi: document, catalog: registry }),
    mcp: mcp('0.0.0'),
    ...options,
  })
  const known = () =>
    until('the server knows of every load', async () => {
      const stored = (await dataVersions(world.sql)).reduce((sum, { version }) => sum + Number(version), 0)
      return server.stage !== 'open' || server.changes.count() >= stored
    })
  const { crawl, drain, bulk } = world
  const whenKnown = async <T>(load: Promise<T>): Promise<T> => {
    const result = await load
    await known()
    return result
  }
  Object.assign(world, {
    crawl: (...options) => whenKnown(crawl(...options)),
    drain: (...options) => whenKnown(drain(...options)),
    bulk: (...options) => whenKnown(bulk(...options)),
  } satisfies Partial<World>)
  let closed: Promise<void> | undefined
  const close = () => (closed ??= server.close())
  t.after(async () => {
    await close()
    await readers.end()
  })
  const origin = await server.listen({ host: '127.0.0.1', port: 0 })
  const make = async (scopes: string[], limit?: number) => {
    const limits = limit ? { searchLimit: limit, generalLimit: limit } : {}
    return (await createKey(world.sql, { account: scopes.join(), scopes, now: new Date(), ...limits })).key
  }
  const keys = {
    full: await make(['api', 'brochures'], 100_000),
    api: await make(['api'], 100_000),
    mcp: await make(['mcp'], 100_000),
    limited: await make(['api']),
  }
  const get = (route: string, headers: Record<string, string> = { 'x-api-key': keys.full }) =>
    // `fetch` requests compressed answers, which would be compressed here only to be decompressed at once.
    fetch(`${origin}/v1${route}`, { headers: { 'accept-encoding': 'identity', ...headers } })
  return {
    ...world,
    origin,
    keys,
    known,
    close,
    get,
    json: async <T>(route: string) => {
      const response = await get(route)
      if (response.status !== 200) throw new Error(`${route}: ${response.status} ${await response.text()}`)
      return (await response.json()) as T
    },
  }
}
