/**
 * Lists at two sizes: the same service over a small database and over one ten times as large. No answer is kept, and every
 * request asks for something else. What grows with the data shows in the ratio.
 */
import type { Sql } from '../src/store/db.ts'
import { freshDatabase } from '../test/database.ts'
import { type Standing, start } from './apart.ts'
import { load } from './load.ts'
import { alternate, median, quantile } from './measure.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { type Served, UNCACHED } from './servers.ts'

const SMALL = 500_000
const LARGE = 5_000_000
const ROUNDS = 3
/** Answered first and not counted: pages come into memory, code is compiled. */
const WARMING = 100

export interface Grown<Kind extends string> {
  section: string
  /** What the rows are, for the table: "filings". */
  of: string
  /** Of each kind of request what its row says of it, such as its target. */
  kinds: Readonly<Record<Kind, string>>
  /** Requests of a kind at each size, in turns of small and large; whole thirds. */
  requests: number
  /** Fills a migrated database with so many. */
  fill(sql: Sql, rows: number): Promise<unknown>
  /** As many different addresses of each kind as asked for, the same for the same data; they begin with `/v1`. */
  addresses(sql: Sql, count: number): Promise<Record<Kind, string[]>>
}

/** @param share of both sizes, to try the bench */
export async function grow<Kind extends string>(scope: Scope, grown: Grown<Kind>, share = 1): Promise<Row[]> {
  const small = await filled(scope, grown, Math.round(SMALL * share))
  const large = await filled(scope, grown, Math.round(LARGE * share))
  const row = (what: string, ours: number, peer: number, unit: string, note: string): Row => ({
    section: grown.section,
    what: `${named(LARGE * share)} ${grown.of} against ${named(SMALL * share)}: ${what}`,
    ours,
    peer,
    unit,
    note,
  })
  const found: Row[] = []
  for (const kind of Object.keys(grown.kinds) as Kind[]) {
    await ask(small, kind, 0, WARMING)
    await ask(large, kind, 0, WARMING)
    const each = grown.requests / ROUNDS
    let turn = 0
    const next = () => WARMING + Math.floor(turn++ / 2) * each
    const latencies = await alternate(ROUNDS, {
      small: () => ask(small, kind, next(), each),
      large: () => ask(large, kind, next(), each),
    })
    for (const [name, q] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      // Of each round, and then the median of the rounds: a stall of the machine is in one of them.
      const at = (size: 'small' | 'large') => median(latencies[size].map((round) => quantile(round, q)))
      found.push(row(`${kind}, ${name}`, at('large'), at('small'), 'ms', grown.kinds[kind]))
    }
  }
  const memory = { large: await large.server.stop(), small: await small.server.stop() }
  return [...found, row('memory of the server', memory.large, memory.small, 'MB', 'most that the process had')]
}

const named = (rows: number) => (rows >= 1_000_000 ? `${rows / 1_000_000} million` : rows.toLocaleString('en-US'))

interface Filled {
  server: Standing<Served>
  addresses: Record<string, string[]>
}

async function filled<Kind extends string>(scope: Scope, grown: Grown<Kind>, rows: number): Promise<Filled> {
  const { sql, target } = await freshDatabase(scope)
  await grown.fill(sql, rows)
  const addresses = await grown.addresses(sql, grown.requests + WARMING)
  const server = await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED)
  return { server, addresses }
}

/** One request at a time, so that a latency is that of the answer and not of a queue. */
async function ask({ server, addresses }: Filled, kind: string, from: number, count: number): Promise<number[]> {
  const paths = addresses[kind]!.slice(from, from + count)
  return (await load({ ...server.value, connections: 1, requestsMax: paths.length, secondsMax: 60, paths })).latenciesMs
}
