/**
 * Measures the effect of one key's expensive requests on another key, the cost of reading a replica, and the memory for
 * answers. Each measurement is compared with one without that load.
 */
import { createKey } from '../src/serve/keys.ts'
import { freshDatabase } from '../test/support/database.ts'
import { apart, type Standing, start } from './apart.ts'
import { type Load, type Loaded, load } from './load.ts'
import { alternate, median, quantile } from './measure.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { type Served, UNCACHED } from './servers.ts'
import { part } from './share.ts'
import { generateSpine } from './spine.ts'

const FILINGS = 200_000
const ROUNDS = 5
const MILLISECONDS = 2_000
/** Head start of the greedy key. */
const AHEAD_MS = 500
/** Number of the greedy key's parallel requests. */
const GREEDY = 20
const CACHE_MB = 32
const MB = 1024 * 1024
/** Maximum offset of the greedy key's pages in the list, and the number of different offsets. */
const DEPTH = 99_000
const PLACES = 9_000

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const { sql, target } = await freshDatabase(scope)
  await generateSpine(sql, part(FILINGS, share), 1)
  const server = await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED)
  const limits = { searchLimit: 1_000_000, generalLimit: 1_000_000 }
  const { key } = await createKey(sql, { account: 'greedy', scopes: ['api'], now: new Date(), ...limits })
  const found = [...(await starved(server.value, key, share)), await snapshots(scope, target, server, share)]
  await server.stop()
  return [...found, await memory(scope, target, share)]
}

/** Makes each request different, so that no two requests share an answer. */
let queries = 0
const fast = () => Array.from({ length: 60 }, (_, i) => `/v1/filings?limit=10&offset=${i}`)
const expensive = (share: number) =>
  `/v1/filings?form=4&sort=name&limit=50&offset=${part(DEPTH, share) - (queries++ % part(PLACES, share))}`

async function starved(server: Served, greedyKey: string, share: number): Promise<Row[]> {
  const own = () =>
    apart<Loaded>('load.ts', 'loadApart', { ...server, ...bounds(1, share), paths: fast() } satisfies Load).then(
      ({ value }) => value.latenciesMs,
    )
  const concurrent = async () => {
    const over = new AbortController()
    const headers = { 'x-api-key': greedyKey }
    const ask = () =>
      fetch(server.origin + expensive(share), { headers, signal: over.signal }).then((r) => r.arrayBuffer())
    const keep = async () => {
      while (!over.signal.aborted) await ask().catch(() => {}) // refused, or hung up at the end
    }
    const all = Array.from({ length: GREEDY }, keep)
    await new Promise((resolve) => setTimeout(resolve, part(AHEAD_MS, share, 50)))
    const latencies = await own()
    over.abort()
    await Promise.all(all)
    return latencies
  }
  await own() // until all code is compiled and all pages are in memory
  const latencies = await alternate(part(ROUNDS, share), { alone: own, concurrent })
  return ([0.5, 0.99] as const).map((q) => {
    const of = (rounds: number[][]) => median(rounds.map((round) => quantile(round, q)))
    const what = `a fast key next to a key with ${GREEDY} requests for row ${part(DEPTH, share).toLocaleString('en-US')} by name, ${q === 0.5 ? 'p50' : 'p99'}`
    return row(what, of(latencies.concurrent), of(latencies.alone), 'ms', 'the fast key alone')
  })
}

async function snapshots(scope: Scope, target: unknown, plain: Standing<Served>, share: number): Promise<Row> {
  const replica = await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED, true)
  const drive = (server: Served) => async () => {
    const paths = fast()
    const { value } = await apart<Loaded>('load.ts', 'loadApart', {
      ...server,
      ...bounds(8, share),
      paths,
    } satisfies Load)
    return value.requests / value.seconds
  }
  const works = { snapshot: drive(replica.value), plain: drive(plain.value) }
  await alternate(1, works)
  const perSecond = await alternate(part(ROUNDS, share), works)
  await replica.stop()
  const note = 'each request in a transaction that shows its data version; requests without such transactions'
  return row(
    '/filings, no cache, as from a replica',
    median(perSecond.snapshot),
    median(perSecond.plain),
    'req/s',
    note,
  )
}

async function memory(scope: Scope, target: unknown, share: number): Promise<Row> {
  const cacheBytes = part(CACHE_MB * MB, share)
  const requestsMax = Math.round(cacheBytes / 1000)
  const paths = Array.from({ length: requestsMax }, (_, i) => `/v1/filings?limit=1&offset=${i}`)
  const most = async (bytes: number) => {
    const server = await start<Served>(scope, 'servers.ts', 'service', target, bytes)
    await load({ ...server.value, connections: 8, requestsMax, secondsMax: 600, paths })
    return server.stop()
  }
  const [full, empty] = [await most(cacheBytes), await most(UNCACHED)]
  const megabytes = cacheBytes / MB
  const what = `memory for ${megabytes.toPrecision(2)} MB of small answers, in addition to that of the server without them`
  // In a run over a part of the data, the memory for answers may be smaller than the random difference between two
  // servers.
  return row(what, Math.max(0, full - empty), megabytes, 'MB', 'maximum of the process; what CACHE_MB allows')
}

const bounds = (connections: number, share: number) => ({
  connections,
  requestsMax: 1_000_000,
  secondsMax: part(MILLISECONDS, share, 20) / 1000,
})

const row = (what: string, ours: number, peer: number, unit: string, note: string): Row => ({
  section: 'places',
  what,
  ours,
  peer,
  unit,
  note,
})
