/**
 * Compares the whole feed as a file, CSV and NDJSON over HTTP, with COPY of the same rows in the same order. Also sends
 * five million rows to a client that reads slowly. Measures the server's memory during this time, and whether the
 * client occupies a slot.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { formdFeed } from '../src/datasets/formd/views.ts'
import { row as feedRow } from '../src/products/feed/answers.ts'
import type { Sql } from '../src/store/db.ts'
import { freshDatabase } from '../test/support/database.ts'
import { type Standing, start } from './apart.ts'
import { generateFeed } from './feed.ts'
import { alternate, median, seconds, usedBetween } from './measure.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { type Served, UNCACHED } from './servers.ts'
import { part } from './share.ts'

const FAST = 500_000
const SLOW = 5_000_000
const ROUNDS = 5
/** Bytes that the slow client takes at a time. With the pause afterwards, it takes at most 6 MB a second. */
const SIP_BYTES = 3_000_000
const REST_MS = 500
/** Number of rows that a slow client takes in a few reads. */
const LOOKED_AT = 50_000
const MB = 1024 * 1024

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  return [...(await fast(scope, share)), ...(await slow(scope, share))]
}

export async function served(scope: Scope, rows: number): Promise<{ sql: Sql; server: Standing<Served> }> {
  const { sql, target } = await freshDatabase(scope)
  await generateFeed(sql, rows)
  return { sql, server: await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED) }
}

async function fast(scope: Scope, share: number): Promise<Row[]> {
  const rows = part(FAST, share)
  const { sql, server } = await served(scope, rows)
  const taken = (format: string) => async () => {
    const before = await server.used()
    const took = await seconds(async () => {
      for await (const _ of await fileOf(server.value, format));
    })
    return { perSecond: rows / took, processorMs: usedBetween(before, await server.used()).processorMs }
  }
  const copied = async () => {
    const took = await seconds(async () => {
      for await (const _ of await copyOf(sql));
    })
    return { perSecond: rows / took, processorMs: 0 }
  }
  const works = { csv: taken('csv'), ndjson: taken('ndjson'), copy: copied }
  await alternate(1, works) // until all code is compiled and all pages are in memory
  const found = await alternate(part(ROUNDS, share), works)
  const memory = await server.stop()
  const perSecond = (of: keyof typeof found) => median(found[of].map((round) => round.perSecond))
  return [
    ...(['csv', 'ndjson'] as const).map((format) => {
      const us = (1000 * median(found[format].map(({ processorMs }) => processorMs))) / rows
      const note = `COPY … TO STDOUT (FORMAT csv) in the same order; the server takes ${us.toFixed(1)} µs of processor a row`
      return row(`${count(rows)} rows of the feed as ${format}`, perSecond(format), perSecond('copy'), 'rows/s', note)
    }),
    row('memory of the server', memory, null, 'MB', 'maximum of the process'),
  ]
}

async function slow(scope: Scope, share: number): Promise<Row[]> {
  const rows = part(SLOW, share, LOOKED_AT)
  const { server } = await served(scope, rows)
  const looks: { rssMb: number; running: number }[] = []
  let bytes = 0
  let next = SIP_BYTES
  for await (const chunk of await fileOf(server.value, 'csv')) {
    bytes += chunk.length
    if (bytes < next) continue
    next += SIP_BYTES
    await sleep(part(REST_MS, share, 50))
    looks.push(await look(server.value))
  }
  const half = Math.ceil(looks.length / 2)
  const most = (of: readonly { rssMb: number }[]) => Math.max(...of.map(({ rssMb }) => rssMb))
  const held = looks.filter(({ running }) => running > 0).length
  await server.stop()
  const what = `${count(rows)} rows as csv to a slow client`
  return [
    row(`${what}: memory of the server`, most(looks.slice(half)), most(looks.slice(0, half)), 'MB', 'maximum of its second half; of the first half'),
    row(`${what}: checks that found it with a slot`, held, looks.length, 'checks', 'all checks, each after a pause of the client'),
  ] // biome-ignore format: a table
}

/** Yields the bytes of the feed as a file. @throws Error unless it is complete */
export async function* fileOf({ origin, key }: Served, format: string): AsyncGenerator<Uint8Array> {
  const response = await fetch(`${origin}/v1/feed?format=${format}`, {
    headers: { 'x-api-key': key, 'accept-encoding': 'identity' },
  })
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  for await (const chunk of response.body!) yield chunk
}

/** Copies the same rows, with the columns of the feed except the amendments, which the service queries page by page. */
const copyOf = (sql: Sql) => {
  const columns = Object.keys(feedRow.omit({ amended_by: true }).shape).join(', ')
  const order = 'order by filing_date desc, source desc, accession desc'
  return sql.unsafe(`copy (select ${columns} from ${formdFeed.id} ${order}) to stdout (format csv)`).readable()
}

async function look({ origin }: Served): Promise<{ rssMb: number; running: number }> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const places = text.matchAll(/^openfilings_places_running\{.*\} (\d+)$/gm)
  const [, rss] = /^process_resident_memory_bytes (\d+)$/m.exec(text)!
  return { rssMb: Number(rss) / MB, running: [...places].reduce((sum, [, n]) => sum + Number(n), 0) }
}

const count = (rows: number) => rows.toLocaleString('en-US')

const row = (what: string, ours: number, peer: number | null, unit: string, note: string): Row => ({
  section: 'files',
  what,
  ours,
  peer,
  unit,
  note,
})
