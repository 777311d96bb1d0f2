/**
 * Measures advisers. The feed of a day is parsed, merged, and merged again without changes. Search and list are
 * measured on a generated world and on a tenth of it: the ratio shows growth with firms and people. Also measures the
 * profile of the firm with the most private funds. Answers are not cached.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { diskStore } from '../src/archive/store.ts'
import { edgarClient } from '../src/fetch/client.ts'
import { ingestBulk } from '../src/ingest/bulk/ingest.ts'
import { read } from '../src/ingest/bulk/read.ts'
import { notes } from '../src/ingest/notes.ts'
import similarSlice from '../src/products/similaradvisers/index.ts'
import registry from '../src/registry.ts'
import { type Connection, connect, type Sql } from '../src/store/db.ts'
import { generateAdv, makeWorld, writeFeeds } from '../test/support/adv/host.ts'
import { freshDatabase } from '../test/support/database.ts'
import { remake } from '../test/support/refreshed.ts'
import { apart, type Standing, start } from './apart.ts'
import { withDatabase } from './database.ts'
import { load } from './load.ts'
import { alternate, median, seconds } from './measure.ts'
import { hasProgram, secondsOf } from './program.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import { type Served, UNCACHED } from './servers.ts'
import { part } from './share.ts'
import { bothSizes, partOf, type Turns } from './turns.ts'

/**
 * Number of firms in the feed, as in the SEC's feed. The SEC's feed has 82 MB, and the generated feed has 61 MB, since
 * invented firms give shorter answers.
 */
const FEED_FIRMS = 25_000
const LARGE = { firms: 45_000, people: 440_000 }
const SMALL = { firms: 4_500, people: 44_000 }
/** The three months before this day are loaded: in these months every firm files for the year. */
const DAY = '2026-04-10'
const MONTHS = 3
const ROUNDS = 3
const TURNS: Turns = { requests: 300, rounds: ROUNDS, warming: 50 }

type Size = typeof LARGE

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  return [...(await feed(scope, share)), ...(await answers(scope, share))]
}

async function feed(scope: Scope, share: number): Promise<Row[]> {
  const firms = part(FEED_FIRMS, share)
  const at = await folder(scope)
  const world = makeWorld({ firms, people: 0, months: 1 })
  const { files } = await writeFeeds(at, world)
  const packed = path.join(at, files.find(({ file }) => file.includes('IA_FIRM_SEC'))!.file)
  const plain = packed.replace(/\.gz$/, '')
  await pipeline(createReadStream(packed), createGunzip(), createWriteStream(plain))
  const megabytes = (await stat(plain)).size / 1e6
  const found = await alternate(part(ROUNDS, share), {
    parsed: () => apart<Times>('adv.ts', 'parsed', plain, firms),
    loaded: () => withDatabase(({ target }) => apart<Times>('adv.ts', 'loaded', target, packed)),
    lint: (await hasProgram('xmllint')) ? () => lint(plain) : undefined,
  })
  const speed = (passes: readonly { value: Times }[], load: keyof Times = 'first') =>
    passes.length > 0 ? megabytes / median(passes.map(({ value }) => value[load])) : null
  const peer = speed(found.lint)
  const parse = speed(found.parsed)
  const what = `feed of ${megabytes < 10 ? megabytes.toPrecision(2) : Math.round(megabytes)} MB`
  const note = peer === null ? 'xmllint is not installed (libxml2-utils)' : 'xmllint --stream --noout'
  const memory = (passes: readonly { rssMaxMb: number }[]) => median(passes.map(({ rssMaxMb }) => rssMaxMb))
  return [
    row(`${what}, to rows`, parse, peer, 'MB/s', note),
    row(`${what}, into an empty database, with all rollups`, speed(found.loaded), peer, 'MB/s', note),
    row(`${what}, loaded again without changes`, speed(found.loaded, 'again'), parse, 'MB/s', 'the feed to rows'),
    row(`${what}: memory of loading`, memory(found.loaded), memory(found.parsed), 'MB', 'maximum of the process; the feed to rows'),
  ] // biome-ignore format: one line each
}

const row = (what: string, ours: number | null, peer: number | null, unit: string, note: string): Row => ({
  section: 'adv',
  what,
  ours,
  peer,
  unit,
  note,
})

/** A job for a separate process: parses every record of the feed to rows, and discards them. */
export async function parsed(_: Scope, file: string, given: number): Promise<Times> {
  const series = registry.bulk.find(({ slug }) => slug === 'adv')!.source.series.IA_FIRM_SEC!
  let firms = 0
  const taken = await seconds(async () => {
    for await (const _ of read(series, [{ name: path.basename(file), bytes: () => createReadStream(file) }], notes()))
      firms++
  })
  if (firms < given / 2) throw new Error(`${firms} firms were read`)
  return { first: taken, again: 0 }
}

async function lint(file: string): Promise<{ value: Times; rssMaxMb: number }> {
  return { value: { first: await secondsOf('xmllint', ['--stream', '--noout', file]), again: 0 }, rssMaxMb: 0 }
}

/** Seconds of the first pass over the feed and, if there is one, of the second. */
interface Times {
  first: number
  again: number
}

/** A job for a separate process. */
export async function loaded(scope: Scope, target: Connection['target'], file: string): Promise<Times> {
  const sql = connect({ target })
  scope.after(() => sql.end({ timeout: 5 }))
  const once = async () => seconds(() => ingest(scope, sql, [file]))
  return { first: await once(), again: await once() }
}

async function ingest(scope: Scope, sql: Sql, files: readonly string[]): Promise<void> {
  const client = edgarClient({ baseUrl: 'http://127.0.0.1:9', userAgent: null })
  const store = diskStore(await folder(scope))
  const outcomes = await ingestBulk({
    sql,
    slices: registry.slices,
    datasets: registry.bulk,
    store,
    client,
    files,
    again: true,
  })
  client.close()
  const failed = outcomes.find(({ error }) => error !== null)
  if (failed || outcomes.length === 0) throw new Error(failed?.error ?? 'nothing was loaded')
}

async function answers(scope: Scope, share: number): Promise<Row[]> {
  const turns = partOf(TURNS, share)
  const fewer = partOf({ ...TURNS, requests: TURNS.requests / 10 }, share)
  // With fewer firms, some month has no filing.
  const [few, many] = [SMALL, LARGE].map(({ firms, people }) => ({
    firms: part(firms, share, 45),
    people: part(people, share),
  })) as [Size, Size]
  const sizes = { small: await worldOf(scope, few, turns), large: await worldOf(scope, many, turns) }
  const { small, large } = sizes
  const named = `${many.firms.toLocaleString('en-US')} firms against ${few.firms.toLocaleString('en-US')}`
  const found: Row[] = [row(`${named}: similar firms of all`, large.similar, small.similar, 's', 'no target')]
  for (const kind of Object.keys(DESCRIBED) as Kind[]) {
    const rounds = kind.startsWith('profile') ? fewer : turns
    const latencies = await bothSizes(rounds, (size, from, count) => ask(sizes[size], kind, from, count))
    for (const [name, ours, peer] of latencies)
      found.push(row(`${named}: ${kind}, ${name}`, ours, peer, 'ms', DESCRIBED[kind]))
  }
  const memory = { large: await large.server.stop(), small: await small.server.stop() }
  return [...found, row(`${named}: memory of the server`, memory.large, memory.small, 'MB', 'maximum of the process')]
}

const TARGET = 'target 1.5'
const DESCRIBED = {
  'search, two letters': TARGET,
  'search, a name as typed so far': `3 to 12 letters; ${TARGET}`,
  'search, a word inside the name': `the last words of a name; ${TARGET}`,
  'search, mistyped': `a letter left out; ${TARGET}`,
  'search, no match': TARGET,
  'search, number': TARGET,
  'list, filters': `state, type, disciplinary, terminated, in each order; ${TARGET}`,
  'list, fund type': TARGET,
  'list, rare name': `counts the matches; ${TARGET}`,
  'list, common name': 'counts the matches, whose number grows; no target',
  'list, offset': 'at three quarters of the list; no target',
  'similar firms': TARGET,
  profile: `compact; ${TARGET}`,
  'profile, include=all of 3,000 private funds': 'the same firm in both; target 1.5',
}
type Kind = keyof typeof DESCRIBED

interface Loaded {
  server: Standing<Served>
  paths: Record<Kind, string[]>
  /** Seconds that the lists of similar firms took. */
  similar: number
}

async function worldOf(scope: Scope, size: Size, turns: Turns): Promise<Loaded> {
  const root = await folder(scope)
  const { files, months, withdrawals, largest } = await generateAdv({ root, months: MONTHS, day: DAY, ...size })
  if (largest.filing === null) throw new Error('the firm with the most funds has no filing in these months')
  const { sql, target } = await freshDatabase(scope)
  await ingest(
    scope,
    sql,
    [...months, ...withdrawals, ...files].map(({ file }) => path.join(root, file)),
  )
  const similar = await seconds(() => remake(sql, similarSlice))
  await sql`vacuum analyze`
  const paths = await pathsOf(sql, largest.crd, turns.warming + turns.requests)
  return { server: await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED), paths, similar }
}

/** Sends one request at a time, so that a latency includes no wait in a queue. */
async function ask({ server, paths }: Loaded, kind: Kind, from: number, count: number): Promise<number[]> {
  const chosen = paths[kind].slice(from, from + count)
  const bounds = { connections: 1, requestsMax: chosen.length, secondsMax: 60 }
  return (await load({ ...server.value, ...bounds, paths: chosen })).latenciesMs
}

/** Different requests of each kind, the same for the same world. */
async function pathsOf(sql: Sql, largest: number, count: number): Promise<Record<Kind, string[]>> {
  const random = new Random(4)
  const firms = await sql<{ crd: string; name: string; number: string | null; state: string | null }[]>`
    select crd, firm_name as name, sec_file_number as number, state from adv.adviser
    order by hashtext(crd) limit ${count}`
  const [size] = await sql<{ firms: number }[]>`select count(*)::int as firms from adv.adviser`
  const found = Object.fromEntries(Object.keys(DESCRIBED).map((kind) => [kind, [] as string[]])) as Record<
    Kind,
    string[]
  >
  const search = (q: string) => `search?${new URLSearchParams({ q })}`
  const list = (given: Record<string, string>) => `list?${new URLSearchParams({ ...order(random), ...given })}`
  for (let i = 0; i < count; i++) {
    const { crd, name, number, state } = random.pick(firms)
    const words = name.split(' ')
    const cut = 1 + random.below(Math.max(1, name.length - 2))
    const made: Record<Kind, string> = {
      'search, two letters': search(random.pick(words).slice(0, 2).padEnd(2, 'a')),
      'search, a name as typed so far': search(name.slice(0, 3 + random.below(10))),
      'search, a word inside the name': search(words.slice(-1 - random.below(2)).join(' ')),
      'search, mistyped': search(name.slice(0, cut) + name.slice(cut + 1)),
      'search, no match': search(`${letters(random, 7)} ${words.at(-1)}`),
      'search, number': search(random.pick([crd, number ?? crd])),
      'list, filters': list(filters(random, state)),
      'list, fund type': list({ fund_type: random.pick(['Hedge Fund', 'Liquidity Fund', 'Other']) }),
      'list, rare name': list({ q: name }),
      'list, common name': list({ q: random.pick(['capital', 'wealth', 'llc', 'management', 'partners']) }),
      'list, offset': list({ offset: String(Math.floor(size!.firms * 0.75) - i) }),
      'similar firms': `by-crd/${crd}/similar?limit=${1 + random.below(25)}`,
      profile: `by-crd/${crd}`,
      'profile, include=all of 3,000 private funds': `by-crd/${largest}?include=all`,
    }
    for (const [kind, path] of Object.entries(made)) found[kind as Kind].push(`/v1/adv/advisers/${path}`)
  }
  return found
}

const order = (random: Random) => ({ sort: random.pick(['raum', 'date', 'name']), order: random.pick(['asc', 'desc']) })

function filters(random: Random, state: string | null): Record<string, string> {
  const flag = () => random.pick(['true', 'false'])
  const given = {
    ...(state && random.below(2) ? { state } : {}),
    ...(random.below(2) ? { adviser_type: random.pick(['IA', 'ERA']) } : {}),
    ...(random.below(2) ? { has_disciplinary: flag() } : {}),
    ...(random.below(2) ? { exclude_terminated: flag() } : {}),
  }
  return given
}

const letters = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.pick([...'bcdfghjklmnpqrstvwxz'])).join('')
