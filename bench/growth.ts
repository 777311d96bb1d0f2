/**
 * Measures lists at two sizes: the same service over a small database and over one ten times as large. Answers are not
 * cached, and every request differs. The ratio shows growth with the data.
 */
import type { Sql } from '../src/store/db.ts'
import { freshDatabase } from '../test/support/database.ts'
import { type Standing, start } from './apart.ts'
import { load } from './load.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { type Served, UNCACHED } from './servers.ts'
import { part } from './share.ts'
import { bothSizes, partOf, type Turns } from './turns.ts'

const SMALL = 500_000
const LARGE = 5_000_000
const TURNS = { rounds: 3, warming: 100 }

export interface Grown<Kind extends string> {
  section: string
  /** Name of the rows in the table of results: "filings". */
  of: string
  /** Remark in the row of each kind of request, such as its target. */
  kinds: Readonly<Record<Kind, string>>
  /**
   * Number of requests of a kind at each size, a multiple of three. Each of the three rounds sends one third of this
   * number to each of the two databases.
   */
  requests: number
  /** Fills a migrated database with this number of rows. */
  fill(sql: Sql, rows: number): Promise<unknown>
  /**
   * Returns the requested number of different addresses of each kind, which begin with `/v1`. The same data gives the
   * same addresses.
   */
  addresses(sql: Sql, count: number): Promise<Record<Kind, string[]>>
}

export async function grow<Kind extends string>(scope: Scope, grown: Grown<Kind>, share: number): Promise<Row[]> {
  const turns = partOf({ requests: grown.requests, ...TURNS }, share)
  const [few, many] = [part(SMALL, share), part(LARGE, share)]
  const sizes = { small: await filled(scope, grown, few, turns), large: await filled(scope, grown, many, turns) }
  const row = (what: string, ours: number, peer: number, unit: string, note: string): Row => ({
    section: grown.section,
    what: `${named(many)} ${grown.of} against ${named(few)}: ${what}`,
    ours,
    peer,
    unit,
    note,
  })
  const found: Row[] = []
  for (const kind of Object.keys(grown.kinds) as Kind[]) {
    const latencies = await bothSizes(turns, (size, from, count) => ask(sizes[size], kind, from, count))
    for (const [name, large, small] of latencies)
      found.push(row(`${kind}, ${name}`, large, small, 'ms', grown.kinds[kind]))
  }
  const memory = { large: await sizes.large.server.stop(), small: await sizes.small.server.stop() }
  return [...found, row('memory of the server', memory.large, memory.small, 'MB', 'maximum of the process')]
}

const named = (rows: number) => (rows >= 1_000_000 ? `${rows / 1_000_000} million` : rows.toLocaleString('en-US'))

interface Filled {
  server: Standing<Served>
  addresses: Record<string, string[]>
}

async function filled<Kind extends string>(
  scope: Scope,
  grown: Grown<Kind>,
  rows: number,
  { requests, warming }: Turns,
): Promise<Filled> {
  const { sql, target } = await freshDatabase(scope)
  await grown.fill(sql, rows)
  const addresses = await grown.addresses(sql, warming + requests)
  const server = await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED)
  return { server, addresses }
}

/** Sends one request at a time, so that a latency includes no wait in a queue. */
async function ask({ server, addresses }: Filled, kind: string, from: number, count: number): Promise<number[]> {
  const paths = addresses[kind]!.slice(from, from + count)
  return (await load({ ...server.value, connections: 1, requestsMax: paths.length, secondsMax: 60, paths })).latenciesMs
}
