/**
 * `node bench/large.ts`: measures answers about securities over a hundred million positions in a permanent folder. Half
 * of the positions are of managers and half are of funds.
 *
 *     node bin/run.mjs bench/large.ts --data FOLDER --positions 100000000 --steps load,make,day,ask
 *
 * A section of `npm run bench` makes its data again each time, but these data take an hour. So each step can run
 * separately. After a change of the code, the rollups can be made again from the loaded data, and the requests can be
 * measured when the machine is quiet. A hundred million positions take 30 GB.
 */
import { parseArgs } from 'node:util'
import thirteenf from '../src/datasets/thirteenf/index.ts'
import type { Slice } from '../src/declare/dataset.ts'
import identifiers from '../src/products/identifiers/index.ts'
import securities from '../src/products/securities/index.ts'
import registry from '../src/registry.ts'
import { connect } from '../src/store/db.ts'
import { openEmbedded } from '../src/store/embedded.ts'
import { migrate } from '../src/store/schema.ts'
import { remake } from '../test/support/refreshed.ts'
import { start } from './apart.ts'
import { fillManagers, LARGE, LINES, sizesOf } from './holdings.ts'
import { quantile, seconds } from './measure.ts'
import { askHistory, LINES as FUND_LINES, fillFunds, HISTORIES, QUARTERS } from './prices.ts'
import { openScope } from './scope.ts'
import { askPaths, cusipsOf, DAY, KINDS, refreshed } from './securities.ts'
import { type Served, UNCACHED } from './servers.ts'

const STEPS = ['load', 'make', 'day', 'ask'] as const
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    positions: { type: 'string', default: '100000000' },
    steps: { type: 'string', default: STEPS.join(',') },
    requests: { type: 'string', default: '300' },
  },
})
const steps = values.steps.split(',')
const unknown = steps.find((step) => !(STEPS as readonly string[]).includes(step))
if (!values.data || unknown !== undefined) {
  process.stderr.write(`large: --data FOLDER is needed; --steps are some of ${STEPS.join(', ')}\n`)
  process.exit(2)
}
const half = Number(values.positions) / 2
const [managers, funds] = [Math.round(half / LINES / LARGE.length), Math.round(half / FUND_LINES / QUARTERS.length)]
const requests = Number(values.requests)
const report = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`)
const WARMING = 30

const scope = openScope()
try {
  const database = await openEmbedded({ dataDir: values.data })
  scope.after(() => database.close())
  const sql = connect({ target: database.target, max: 4 })
  scope.after(() => sql.end({ timeout: 5 }))
  const timed = async (what: string, work: () => Promise<unknown>) =>
    report(`${what}: ${(await seconds(work)).toFixed(1)} s`)
  await migrate(sql, registry.slices)
  if (steps.includes('load')) await load()
  if (steps.includes('make')) await make()
  if (steps.includes('day')) await day()
  if (steps.includes('ask')) await ask()

  async function load(): Promise<void> {
    // These settings apply only while the data is loaded. Later steps use the settings of every data folder.
    const settings = { fsync: 'off', full_page_writes: 'off', max_wal_size: '8GB', maintenance_work_mem: '512MB' }
    for (const [name, value] of Object.entries(settings)) await sql.unsafe(`alter system set ${name} = '${value}'`)
    await sql`select pg_reload_conf()`
    await timed('loaded of funds', () => fillFunds(sql, funds, report))
    await timed('loaded of managers', () => fillManagers(sql, LARGE, managers, report))
    await timed('vacuum analyze', () => sql`vacuum analyze`)
    await sql`alter system reset all`
    await sql`select pg_reload_conf()`
  }

  async function make(): Promise<void> {
    for (const slice of [thirteenf, identifiers, securities] as Slice[]) {
      await timed(`${slice.slug} made whole`, () => remake(sql, slice))
      await timed('vacuum analyze', () => sql`vacuum analyze`)
    }
  }

  async function day(): Promise<void> {
    for (const reports of [DAY, DAY * 10])
      report(`securities after ${reports} reports: ${(await refreshed(sql, reports)).toFixed(1)} s`)
  }

  async function ask(): Promise<void> {
    const server = await start<Served>(scope, 'servers.ts', 'service', database.target, UNCACHED)
    const of = { server, ...(await sizesOf(sql)), cusips: await cusipsOf(sql) }
    const [row] = await sql<[{ lines: number }]>`select count(*)::float8 as lines from nport.holding`
    report(`${of.positions} positions of managers, ${row.lines} of funds`)
    for (const { what, pathsOf } of KINDS) {
      await askPaths(of, pathsOf, 0, WARMING)
      reportLatencies(what, await askPaths(of, pathsOf, WARMING, requests))
    }
    for (const { what, params } of HISTORIES) {
      await askHistory(sql, params, WARMING)
      reportLatencies(what, await askHistory(sql, params, requests))
    }
    await server.stop()
  }
} finally {
  await scope.close()
}

function reportLatencies(what: string, latencies: readonly number[]): void {
  const [half, most] = [0.5, 0.99].map((q) => quantile(latencies, q).toPrecision(3))
  report(`${what}: p50 ${half} ms, p99 ${most} ms`)
}
