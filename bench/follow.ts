/**
 * Measures the time from a filing's appearance in the feed of a loopback EDGAR to its answer over HTTP. Compares this
 * time with the interval between turns.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { begin } from '../test/support/command.ts'
import { freshDatabase } from '../test/support/database.ts'
import { startHost } from '../test/support/edgar-host.ts'
import { accession, entry, feedingEdgar } from '../test/support/follow/made.ts'
import { overTcp } from '../test/support/tcp.ts'
import { start } from './apart.ts'
import { quantile } from './measure.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import { type Served, UNCACHED } from './servers.ts'
import { part } from './share.ts'

const INTERVAL_MS = 1_000
const FILINGS = 60
/** In a busy minute, the real EDGAR accepts some fifty filings. */
const AT_ONCE = 50
const BUSY_MINUTES = 10

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const edgar = await feedingEdgar(scope)
  const host = await startHost({ root: edgar.root })
  scope.after(() => host.close())
  const database = await freshDatabase(scope)
  const { target } = await overTcp(scope, database)
  const server = await start<Served>(scope, 'servers.ts', 'service', database.target, UNCACHED)
  await edgar.publish([])
  const env = { DATA_DIR: await folder(scope), DATABASE_URL: target, FOLLOW_SECONDS: String(INTERVAL_MS / 1000) }
  const follower = begin(scope, ['ingest', 'formd', '--follow', '--base-url', host.url], env)
  await follower.until(/following/)
  let last = 0

  /** Returns milliseconds until `count` new filings are all answered. */
  async function appear(count: number): Promise<number> {
    const some = Array.from({ length: count }, () => ++last)
    for (const n of some) await edgar.release(n)
    const began = performance.now()
    await edgar.publish(some.map((n) => entry({ n })))
    for (const n of some) while (!(await isAnswered(n))) await delay(5)
    return performance.now() - began
  }

  async function isAnswered(n: number): Promise<boolean> {
    const address = `${server.value.origin}/v1/formd/filings/by-accession/${accession(n)}`
    const response = await fetch(address, { headers: { 'x-api-key': server.value.key } })
    await response.arrayBuffer()
    return response.status === 200
  }

  await appear(1) // the first turn only warms up
  const single: number[] = []
  for (let at = 0; at < part(FILINGS, share); at++) {
    // Starts at different moments of a turn.
    await delay(((at * 7919) % 1000) * (INTERVAL_MS / 1000))
    single.push(await appear(1))
  }
  const many: number[] = []
  const atOnce = part(AT_ONCE, share, 5)
  for (let at = 0; at < part(BUSY_MINUTES, share); at++) many.push(await appear(atOnce))
  await follower.end()
  await server.stop()
  const row = (what: string, ours: number, note: string): Row => {
    return { section: 'follow', what, ours, peer: INTERVAL_MS, unit: 'ms', note }
  }
  const of = 'the polling interval; from the feed of the loopback EDGAR to the answer over HTTP'
  return [
    row('a new filing, p50', quantile(single, 0.5), of),
    row('a new filing, p99', quantile(single, 0.99), of),
    row(`the last of ${atOnce} new at once, p50`, quantile(many, 0.5), of),
  ]
}
