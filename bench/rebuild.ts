/**
 * `node bench/rebuild.ts`: measures a rebuild of Form 13F while requests are sent, and tests a rebuild that is killed
 * again and again.
 *
 *     node bin/run.mjs bench/rebuild.ts --lines 20000000 --rate 20 --kills 10
 *
 * Loads generated quarterly sets, serves them, and sends requests at a fixed rate before and during the rebuild, even
 * if answers are late. The rebuild is a separate process, as an operator runs it. Then the rebuild is killed at random
 * moments, and continues each time. Ends with status 1 if a request failed or waited too long, or if rows differ.
 */
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { diskStore } from '../src/archive/store.ts'
import thirteenf from '../src/datasets/thirteenf/index.ts'
import { relationsOf } from '../src/declare/dataset.ts'
import { claimOrigin } from '../src/ingest/origin.ts'
import { ingestSets } from '../src/ingest/sets/ingest.ts'
import registry from '../src/registry.ts'
import { connect, type Sql } from '../src/store/db.ts'
import { openEmbedded } from '../src/store/embedded.ts'
import { migrate } from '../src/store/schema.ts'
import { ZipWriter } from '../test/support/adv/zip.ts'
import { folder, openScope } from './scope.ts'
import { service } from './servers.ts'
import { filings, quarterlySet } from './thirteenf-sets.ts'

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '20000000' },
    quarters: { type: 'string', default: '8' },
    rate: { type: 'string', default: '20' },
    kills: { type: 'string', default: '10' },
    waitMax: { type: 'string', default: '250' },
    before: { type: 'string', default: '30' },
  },
})
const [lines, quarters, rate, kills, waitMax] = [
  values.lines,
  values.quarters,
  values.rate,
  values.kills,
  values.waitMax,
].map(Number) as [number, number, number, number, number]

/** Lines of a filing on average, as in real data. */
const LINES = 260

const cli = path.join(import.meta.dirname, '../bin/openfilings.mjs')
const scope = openScope()
const report = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`)

try {
  const DATA_DIR = path.join(await folder(scope), 'data')
  const database = await openEmbedded({ dataDir: DATA_DIR })
  scope.after(() => database.close())
  const sql = connect({ target: database.target, max: 8 })
  scope.after(() => sql.end({ timeout: 5 }))
  await migrate(sql, registry.slices)
  await fill(sql, DATA_DIR)

  const { origin, key } = await service(scope, database.target, 1)
  const paths = await addresses(sql)
  const asking = senderTo(origin, key, paths)
  const quiet = await asking.during(sleep(Number(values.before) * 1000))
  report(`before: ${summary(quiet)}`)
  const before = await digests(sql)
  const began = performance.now()
  const busy = await asking.during(rebuilding(DATA_DIR).ended)
  const seconds = (performance.now() - began) / 1000
  report(`during a rebuild of ${Math.round(seconds)} s: ${summary(busy)}`)
  check('no request failed', busy.failed === 0)
  check(`the rebuild made no request ${waitMax} ms slower`, busy.longest - quiet.longest < waitMax)
  check('the same rows', same(await digests(sql), before))
  for (let kill = 1; kill <= kills; kill++) {
    const child = rebuilding(DATA_DIR)
    await Promise.race([sleep(Math.random() * seconds * 1000), child.ended])
    child.kill()
    await child.ended
    const [left] = await sql`select step, through from core.shadow where slug = 'thirteenf'`
    report(`kill ${kill}: ${left ? `${left.step}, through ${left.through || '-'}` : 'no shadow'}`)
  }
  const last = rebuilding(DATA_DIR)
  check('the rebuild goes on to its end', (await last.ended) === 0)
  check('the same rows after the kills', same(await digests(sql), before))
} finally {
  await scope.close()
}

/** Loads quarters of filings, each as a separate set, as real sets are loaded. */
async function fill(sql: Sql, dataDir: string): Promise<void> {
  const store = diskStore(path.join(dataDir, 'archive'))
  await mkdir(path.join(dataDir, 'sets'), { recursive: true })
  await sql.begin((tx) => claimOrigin(tx, registry.slices, 'edgar'))
  const count = Math.ceil(lines / quarters / LINES / 0.85)
  for (let n = 0; n < quarters; n++) {
    const year = 2022 + Math.floor(n / 4)
    const quarter = (n % 4) + 1
    // Filed in the quarter after its period.
    const period = new Date(Date.UTC(year, (quarter - 1) * 3, 0)).toISOString().slice(0, 10)
    const file = path.join(dataDir, 'sets', `${year}q${quarter}_form13f.zip`)
    const zip = await ZipWriter.create(file, '2024-01-01')
    const pieces = quarterlySet(filings(count, { seed: n + 1, period, lines: LINES }))
    let piece = pieces.next()
    while (!piece.done) {
      const [member] = piece.value
      await zip.add(`${member}.tsv`, textOf(member))
    }
    await zip.close()
    function* textOf(member: string) {
      for (; !piece.done && piece.value[0] === member; piece = pieces.next()) yield Buffer.from(piece.value[1])
    }
    const [outcome] = await ingestSets({
      sql,
      slices: registry.slices,
      store,
      dataset: thirteenf,
      from: { files: [file] },
    })
    if (outcome!.error !== null) throw new Error(outcome!.error)
    const [row] = await sql`select count(*)::float8 as n from thirteenf.position`
    report(`${path.basename(file)}: ${row!.n} positions`)
  }
}

/** Returns addresses of lists, and of many filings. An index of the database answers each. */
async function addresses(sql: Sql): Promise<string[]> {
  const some = await sql<{ accession: string }[]>`
    select accession from thirteenf.report where position_count > 0 order by md5(accession) limit 200`
  return [
    '/v1/thirteenf/managers',
    '/v1/thirteenf/managers?sort=name&dir=asc',
    '/v1/filings?family=thirteenf',
    ...some.map(({ accession }) => `/v1/thirteenf/filings/by-accession/${accession}`),
  ]
}

interface Requests {
  requests: number
  failed: number
  p50: number
  p99: number
  longest: number
}

function summary({ requests, failed, p50, p99, longest }: Requests): string {
  const [half, most, all] = [p50, p99, longest].map((ms) => `${ms.toFixed(1)} ms`)
  return `${requests} requests, ${failed} failed; p50 ${half}, p99 ${most}, longest ${all}`
}

/** Sends requests at a fixed rate: a slow answer does not delay the next request. */
function senderTo(origin: string, key: string, paths: readonly string[]) {
  return {
    async during(work: Promise<unknown>): Promise<Requests> {
      const took: number[] = []
      let failed = 0
      const sent: Promise<void>[] = []
      let next = 0
      const timer = setInterval(() => sent.push(ask(paths[next++ % paths.length]!)), 1000 / rate)
      async function ask(address: string): Promise<void> {
        const began = performance.now()
        try {
          const response = await fetch(`${origin}${address}`, { headers: { 'x-api-key': key } })
          await response.arrayBuffer()
          if (response.status !== 200) throw new Error(String(response.status))
          took.push(performance.now() - began)
        } catch (error) {
          failed++
          report(`${address} failed: ${(error as Error).message}`)
        }
      }
      await work
      clearInterval(timer)
      await Promise.all(sent)
      took.sort((a, b) => a - b)
      const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0
      return { requests: took.length + failed, failed, p50: at(0.5), p99: at(0.99), longest: at(1) }
    },
  }
}

/** Runs the command in a separate process. */
function rebuilding(dataDir: string) {
  const child = spawn(process.execPath, [cli, 'rebuild', 'thirteenf', '--quiet'], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return { ended, kill: () => child.kill('SIGKILL') }
}

/** Returns the number of rows of each table, and the sum of their digests, independent of order. */
async function digests(sql: Sql): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { id } of relationsOf(thirteenf)) {
    const [row] = await sql.unsafe(`
      select count(*)::text || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as digest from ${id} t`)
    found[id] = row!.digest
  }
  return found
}

function same(a: Record<string, string>, b: Record<string, string>): boolean {
  const other = Object.keys(a).filter((id) => a[id] !== b[id])
  for (const id of other) report(`${id}: ${b[id]} before, ${a[id]} now`)
  return other.length === 0
}

function check(what: string, holds: boolean): void {
  report(`${holds ? 'ok  ' : 'FAIL'}  ${what}`)
  if (!holds) process.exitCode = 1
}
