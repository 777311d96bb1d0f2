/**
 * Three endpoints of the real server, against node:http returning the same bytes and pgbench running the same SQL. Server,
 * client and database have a process each and share the machine's cores.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Connection } from '../src/store/db.ts'
import { freshDatabase } from '../test/database.ts'
import { apart, type Standing, start } from './apart.ts'
import type { Load, Loaded } from './load.ts'
import { alternate, median, quantile } from './measure.ts'
import { generateNotices } from './notices.ts'
import { pgbench, sqlOf } from './pgbench.ts'
import { hasProgram } from './program.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import { type Served, UNCACHED } from './servers.ts'
import { generateSpine } from './spine.ts'

const FILINGS = 50_000
const NOTICES = 10_000
/** Distinct requests of an endpoint: more than are under way at once, or equal ones would share one answer. */
const VARIANTS = 60
const CONNECTIONS = 8
const ROUNDS = 3
const SECONDS = 2

interface Endpoint {
  what: string
  route: string
  inputs: Record<string, string>[]
  pathOf(input: Record<string, string>): string
  /** Whether the service prepares the statement by name. */
  mode: 'prepared' | 'extended'
}

export async function rows(scope: Scope): Promise<Row[]> {
  const at = await folder(scope)
  const hasPgbench = await hasProgram('pgbench')
  const { sql, target } = await freshDatabase(scope)
  await generateSpine(sql, FILINGS, 1)
  const accessions = await generateNotices(sql, NOTICES, 1)
  const cached = await start<Served>(scope, 'servers.ts', 'service', target)
  const uncached = await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED)
  const found: Row[] = []
  for (const endpoint of endpoints(accessions)) {
    const paths = endpoint.inputs.map((input) => endpoint.pathOf(input))
    const answer = await fetch(cached.value.origin + paths[0]!, { headers: { 'x-api-key': cached.value.key } })
    const bare = await start<Served>(scope, 'servers.ts', 'bare', await answer.text())
    const drive = (server: typeof bare) => () => driven(server, paths)
    const works = { cached: drive(cached), bare: drive(bare), uncached: drive(uncached) }
    await alternate(1, works) // until all is compiled and in memory
    const sql = hasPgbench ? await sqlRounds(target, endpoint, path.join(at, endpoint.route)) : undefined
    found.push(...compared(endpoint.what, await alternate(ROUNDS, { ...works, sql })))
    await bare.stop()
  }
  return [...found, memory('cached', await cached.stop()), memory('no cache', await uncached.stop())]
}

interface Round {
  perSecond: number
  latenciesMs: readonly number[]
  /** Processor time of the server, microseconds a request; 0 where it is not known. */
  processorUs: number
}

async function driven(server: Standing<Served>, paths: string[]): Promise<Round> {
  const before = await server.processorMs()
  const bounds = { connections: CONNECTIONS, requestsMax: 1_000_000, secondsMax: SECONDS }
  const { value } = await apart<Loaded>('load.ts', 'loadApart', { ...server.value, ...bounds, paths } satisfies Load)
  const processorUs = (1000 * ((await server.processorMs()) - before)) / value.requests
  return { perSecond: value.requests / value.seconds, latenciesMs: value.latenciesMs, processorUs }
}

async function sqlRounds(target: Connection['target'], { route, inputs, mode }: Endpoint, at: string) {
  await mkdir(at)
  // A script is a statement of its own to prepare: with one, planning ends soon, as it does in the service.
  const asked = mode === 'prepared' ? inputs.slice(0, 1) : inputs
  const scripts = await Promise.all(asked.map((input) => sqlOf(target, route, input)))
  const options = { clients: CONNECTIONS, seconds: SECONDS, mode, at }
  return async (): Promise<Round> => ({ ...(await pgbench(target, scripts, options)), processorUs: 0 })
}

function endpoints(accessions: readonly string[]): Endpoint[] {
  const offsets = Array.from({ length: VARIANTS }, (_, i) => ({ limit: '50', offset: String(i) }))
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
      mode: 'extended',
    },
    {
      what: '/formd/filings/by-accession',
      route: 'formd_detail',
      inputs: offsets.map((_, i) => ({ accession: accessions[i * 97]! })),
      pathOf: ({ accession }) => `/v1/formd/filings/by-accession/${accession}`,
      mode: 'prepared',
    },
  ]
}

function compared(what: string, rounds: Record<'cached' | 'bare' | 'uncached' | 'sql', Round[]>): Row[] {
  const perSecond = (found: readonly Round[]) => (found.length ? median(found.map((round) => round.perSecond)) : null)
  const latency = (found: readonly Round[], q: number) =>
    found.length ? median(found.map(({ latenciesMs }) => quantile(latenciesMs, q))) : null
  const cpu = (found: readonly Round[]) => Math.round(median(found.map((round) => round.processorUs)))
  return (['cached', 'uncached'] as const).flatMap((kind) => {
    const peer = kind === 'cached' ? rounds.bare : rounds.sql
    const name = kind === 'cached' ? 'cached' : 'no cache'
    const program =
      kind === 'cached'
        ? 'bare node:http, same bytes'
        : rounds.sql.length
          ? 'pgbench, same SQL'
          : 'pgbench is not installed'
    const spent = `server ${cpu(rounds[kind])} µs of processor a request${kind === 'cached' ? `, bare ${cpu(peer)}` : ''}`
    const row = (measure: string, ours: number | null, theirs: number | null, unit: string, note: string): Row => ({
      section: 'http',
      what: `${what} ${name}, ${measure}`,
      ours,
      peer: theirs,
      unit,
      note,
    })
    return [
      row('throughput', perSecond(rounds[kind]), perSecond(peer), 'req/s', `${program}; ${spent}`),
      row('p50', latency(rounds[kind], 0.5), latency(peer, 0.5), 'ms', `${CONNECTIONS} connections at once`),
      row('p99', latency(rounds[kind], 0.99), latency(peer, 0.99), 'ms', `${CONNECTIONS} connections at once`),
    ]
  })
}

const memory = (kind: string, ours: number): Row => ({
  section: 'http',
  what: `memory of the server, ${kind}`,
  ours,
  peer: null,
  unit: 'MB',
  note: 'most that the process had',
})
