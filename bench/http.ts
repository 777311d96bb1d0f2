/**
 * Compares three endpoints of the real server with a node:http server that returns the same bytes, and with pgbench
 * running the same SQL. Server, client and database have a process each and share the machine's cores.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Connection } from '../src/store/db.ts'
import { freshDatabase } from '../test/support/database.ts'
import { apart, type Standing, start } from './apart.ts'
import type { Load, Loaded } from './load.ts'
import { alternate, median, quantile, usedBetween } from './measure.ts'
import { generateNotices } from './notices.ts'
import { pgbench, sqlOf } from './pgbench.ts'
import { hasProgram } from './program.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import { type Served, UNCACHED } from './servers.ts'
import { part } from './share.ts'
import { generateSpine } from './spine.ts'

const FILINGS = 50_000
const NOTICES = 10_000
/** Number of distinct requests of an endpoint: more than run in parallel, since equal ones would share one answer. */
const VARIANTS = 60
const CONNECTIONS = 8
const ROUNDS = 3
const MILLISECONDS = 2_000

interface Endpoint {
  what: string
  route: string
  inputs: Record<string, string>[]
  pathOf(input: Record<string, string>): string
  /** pgbench's protocol, chosen to match the service: `prepared` if the statement has a name. */
  mode: 'prepared' | 'extended'
}

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const at = await folder(scope)
  const variants = part(VARIANTS, share, CONNECTIONS + 1)
  const hasPgbench = await hasProgram('pgbench')
  const { sql, target } = await freshDatabase(scope)
  const ms = part(MILLISECONDS, share, 20)
  await generateSpine(sql, part(FILINGS, share), 1)
  const accessions = await generateNotices(sql, part(NOTICES, share, variants), 1)
  const cached = await start<Served>(scope, 'servers.ts', 'service', target)
  const uncached = await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED)
  const found: Row[] = []
  for (const endpoint of endpoints(accessions, variants)) {
    const paths = endpoint.inputs.map((input) => endpoint.pathOf(input))
    const answer = await fetch(cached.value.origin + paths[0]!, { headers: { 'x-api-key': cached.value.key } })
    const bare = await start<Served>(scope, 'servers.ts', 'bare', await answer.text())
    const drive = (server: typeof bare) => () => driven(server, paths, ms)
    const works = { cached: drive(cached), bare: drive(bare), uncached: drive(uncached) }
    await alternate(1, works) // until all code is compiled and all pages are in memory
    const sql = hasPgbench ? await sqlRounds(target, endpoint, path.join(at, endpoint.route), ms) : undefined
    found.push(...compared(endpoint.what, await alternate(part(ROUNDS, share), { ...works, sql })))
    await bare.stop()
  }
  return [...found, memory('cached', await cached.stop()), memory('no cache', await uncached.stop())]
}

interface Round {
  perSecond: number
  latenciesMs: readonly number[]
  /** Processor time of the server, or of pgbench, for a request; null if unknown. */
  processorUs: number | null
  readsAndWrites: number | null
}

async function driven(server: Standing<Served>, paths: string[], ms: number): Promise<Round> {
  const before = await server.used()
  const bounds = { connections: CONNECTIONS, requestsMax: 1_000_000, secondsMax: ms / 1000 }
  const { value } = await apart<Loaded>('load.ts', 'loadApart', { ...server.value, ...bounds, paths } satisfies Load)
  const { processorMs, readsAndWrites } = usedBetween(before, await server.used())
  return {
    perSecond: value.requests / value.seconds,
    latenciesMs: value.latenciesMs,
    processorUs: (1000 * processorMs) / value.requests,
    readsAndWrites: readsAndWrites === null ? null : readsAndWrites / value.requests,
  }
}

async function sqlRounds(target: Connection['target'], { route, inputs, mode }: Endpoint, at: string, ms: number) {
  await mkdir(at)
  // Each script prepares its own statement. With a single script PostgreSQL soon stops planning the statement, as in
  // the service.
  const inputsToSend = mode === 'prepared' ? inputs.slice(0, 1) : inputs
  const scripts = await Promise.all(inputsToSend.map((input) => sqlOf(target, route, input)))
  const options = { clients: CONNECTIONS, ms, mode, at }
  return async (): Promise<Round> => {
    const { processorMs, ...found } = await pgbench(target, scripts, options)
    const processorUs = processorMs === null ? null : (1000 * processorMs) / found.latenciesMs.length
    return { ...found, processorUs, readsAndWrites: null }
  }
}

export function endpoints(accessions: readonly string[], variants: number): Endpoint[] {
  const offsets = Array.from({ length: variants }, (_, i) => ({ limit: '50', offset: String(i) }))
  const query = (input: Record<string, string>) => new URLSearchParams(input)
  return [
    {
      what: '/filings?limit=50',
      route: 'filings',
      inputs: offsets,
      pathOf: (input) => `/v1/filings?${query(input)}`,
      mode: 'extended',
    },
    {
      what: '/feed?limit=50',
      route: 'feed',
      inputs: offsets,
      pathOf: (input) => `/v1/feed?${query(input)}`,
      mode: 'prepared',
    },
    {
      what: '/formd/filings/by-accession',
      route: 'formd_detail',
      inputs: offsets.map((_, i) => ({ accession: accessions[(i * 97) % accessions.length]! })),
      pathOf: ({ accession }) => `/v1/formd/filings/by-accession/${accession}`,
      mode: 'prepared',
    },
  ]
}

function compared(what: string, rounds: Record<'cached' | 'bare' | 'uncached' | 'sql', Round[]>): Row[] {
  const of = (found: readonly Round[], value: (round: Round) => number | null): number | null => {
    const values = found.map(value).filter((one) => one !== null)
    return values.length > 0 ? median(values) : null
  }
  return (['cached', 'uncached'] as const).flatMap((kind) => {
    const peer = kind === 'cached' ? rounds.bare : rounds.sql
    const bare = 'bare node:http, same bytes'
    const sql = rounds.sql.length > 0 ? 'pgbench, same SQL' : 'pgbench is not installed'
    const program = kind === 'cached' ? bare : sql
    const row = (measure: string, value: (round: Round) => number | null, unit: string, note: string): Row => ({
      section: 'http',
      what: `${what} ${kind === 'cached' ? 'cached' : 'no cache'}, ${measure}`,
      ours: of(rounds[kind], value),
      peer: of(peer, value),
      unit,
      note,
    })
    const marked = (...given: Parameters<typeof row>): Row => ({ ...row(...given), dependsOnMachine: true })
    const at = (q: number) => (round: Round) => quantile(round.latenciesMs, q)
    const server = kind === 'cached' ? `of the server; ${bare}` : `of the server, without the database; ${sql}`
    return [
      marked('throughput', ({ perSecond }) => perSecond, 'req/s', program),
      marked('p50', at(0.5), 'ms', `${CONNECTIONS} connections at once`),
      marked('p99', at(0.99), 'ms', `${CONNECTIONS} connections at once`),
      row('processor time', ({ processorUs }) => processorUs, 'µs a request', server),
      row(
        'reads and writes',
        ({ readsAndWrites }) => readsAndWrites,
        'calls a request',
        callsNote(rounds[kind], kind === 'cached' ? bare : 'those of pgbench are of another kind, and not counted'),
      ),
    ]
  })
}

const callsNote = ([first]: readonly Round[], note: string) =>
  first!.readsAndWrites === null ? 'not measured: only Linux counts them' : `of the server, in the system; ${note}`

const memory = (kind: string, ours: number): Row => ({
  section: 'http',
  what: `memory of the server, ${kind}`,
  ours,
  peer: null,
  unit: 'MB',
  note: 'maximum of the process',
})
