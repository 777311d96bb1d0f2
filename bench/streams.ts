/**
 * Measures pages of `/events` at two sizes of its log. Then a thousand clients follow the log: measures the memory that
 * they take, and the time from commit to delivery.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createKey } from '../src/serve/keys.ts'
import type { Sql } from '../src/store/db.ts'
import { logChange } from '../test/support/change-log.ts'
import { freshDatabase } from '../test/support/database.ts'
import { type Standing, start } from './apart.ts'
import { grow } from './growth.ts'
import { memoryOf, quantile, usedBetween } from './measure.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { type Served, UNCACHED } from './servers.ts'
import { part } from './share.ts'

const CLIENTS = 1_000
/** Maximum number of streams that one key can have at once. */
const OF_A_KEY = 50
const COMMITS = 30
/** Pause after a commit. */
const PAUSE_MS = 100
/** Pause after a thousand connections have opened or closed. */
const REST_MS = 500

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  return [...(await following(scope, share)), ...(await listing(scope, share))]
}

const KINDS = {
  'after a number': 'a page of 100; target 1.3',
  'of a source': 'target 1.3',
  'of a form': 'one in five; target 1.3',
  'of a filer': 'a filter that almost no event meets: 5,000 events are read; target 1.3',
}

const listing = (scope: Scope, share: number): Promise<Row[]> =>
  grow(scope, { section: 'streams', of: 'events', kinds: KINDS, requests: 900, fill, addresses }, share)

const FORMS = ['4', '8-K', '10-Q', 'D', '424B3']
const accessionOf = (n: string) =>
  `concat(lpad((9990000 + ${n} / 1000000)::text, 10, '0'), '-24-', lpad((${n} % 1000000)::text, 6, '0'))`

/** Each filing is first an event of the index and later an event of its dataset. */
async function fill(sql: Sql, events: number): Promise<void> {
  const filings = Math.ceil(events / 2)
  const form = `(array['${FORMS.join("','")}'])[1 + n % ${FORMS.length}]`
  const cik = `lpad((n % 50000)::text, 10, '0')`
  await sql.unsafe(`
    insert into edgar.filing (accession, form_type, filed_date, cik, company_name, name_key, path)
    select ${accessionOf('n')}, ${form}, date '2004-01-01' + (n::bigint * 7300 / ${filings})::int, ${cik}, 'Generated', 'generated', 'made'
    from generate_series(1, ${filings}) n;
    insert into edgar.filer (accession, cik, name_id, filed_date)
    select accession, cik, 1, filed_date from edgar.filing;
    insert into core.event (slug, key, what)
    select case n % 2 when 0 then 'filings' else 'formd' end, ${accessionOf('((n + 1) / 2)')}, 'added' from generate_series(1, ${events}) n`)
  await sql`vacuum (analyze) edgar.filing, edgar.filer, core.event`
}

async function addresses(sql: Sql, count: number): Promise<Record<keyof typeof KINDS, string[]>> {
  const random = new Random(13)
  const [row] = await sql<[{ newest: number }]>`select max(seq)::float8 as newest from core.event`
  const many = (query: (n: number) => Record<string, string>) =>
    Array.from({ length: count }, (_, n) => {
      // Not one of the last 2% of the numbers, so that each page is full.
      const after = String(random.below(Math.floor(row.newest * 0.98)))
      return `/v1/events?${new URLSearchParams({ after, ...query(n) })}`
    })
  return {
    'after a number': many(() => ({})),
    'of a source': many(() => ({ source: 'formd' })),
    'of a form': many((n) => ({ form: FORMS[n % FORMS.length]! })),
    'of a filer': many((n) => ({ cik: String(1 + (n % 50_000)) })),
  }
}

/** A client on a bare socket; it reports when the awaited bytes have arrived. */
interface Client {
  socket: Socket
  arrival(bytes: Buffer): Promise<number>
}

async function clientOf(origin: string, path: string, key: string): Promise<Client> {
  const { hostname, port, host } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${key}\r\naccept: text/event-stream\r\n\r\n`)
  const [head] = (await once(socket, 'data')) as [Buffer]
  if (!head.toString('latin1').startsWith('HTTP/1.1 200'))
    throw new Error(`the server answered ${head.toString('latin1', 0, 300)}`)
  socket.resume()
  return {
    socket,
    arrival: (bytes) =>
      new Promise((resolve) => {
        const look = (chunk: Buffer) => {
          if (!chunk.includes(bytes)) return
          socket.off('data', look)
          resolve(performance.now())
        }
        socket.on('data', look)
      }),
  }
}

interface Delivered {
  /** Milliseconds from the commit to each client. */
  ms: number[]
  /** The server's processor time for a delivery; null if unknown. */
  processorUs: number
  calls: number | null
}

async function following(scope: Scope, share: number): Promise<Row[]> {
  const { sql, target } = await freshDatabase(scope)
  const clients = part(CLIENTS, share)
  const rest = () => delay(part(REST_MS, share, 50))
  const keys = await Promise.all(
    Array.from({ length: Math.ceil(clients / OF_A_KEY) }, async () => {
      const wanted = { account: 'bench', scopes: ['api'], searchLimit: 1_000_000, generalLimit: 1_000_000 }
      return (await createKey(sql, { ...wanted, now: new Date() })).key
    }),
  )
  const keyOf = (n: number) => keys[Math.floor(n / OF_A_KEY)]!
  const server = await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED)
  const alone = await start<Served>(scope, 'servers.ts', 'bareStreams')
  let number = 0
  const commit = async () => {
    const accession = `0000000001-26-${String(++number).padStart(6, '0')}`
    const bytes = Buffer.from(accession)
    return {
      bytes,
      begin: () => logChange(sql, { keys: [accession] }),
    }
  }

  async function delays(
    made: Client[],
    of: Standing<Served>,
    happen: () => Promise<{ bytes: Buffer; begin: () => Promise<unknown> }>,
  ): Promise<Delivered> {
    const found: number[] = []
    const before = await of.used()
    for (let n = 0; n < part(COMMITS, share); n++) {
      const { bytes, begin } = await happen()
      const arrivals = made.map((client) => client.arrival(bytes))
      await begin()
      const committed = performance.now()
      found.push(...(await Promise.all(arrivals)).map((at) => Math.max(0, at - committed)))
      await delay(part(PAUSE_MS, share, 10))
    }
    const { processorMs, readsAndWrites } = usedBetween(before, await of.used())
    return {
      ms: found,
      processorUs: (1000 * processorMs) / found.length,
      calls: readsAndWrites === null ? null : readsAndWrites / found.length,
    }
  }
  const opened = (origin: string, path: (n: number) => string) =>
    Promise.all(Array.from({ length: clients }, (_, n) => clientOf(origin, path(n), keyOf(n))))
  const close = async (made: Client[]) => {
    await Promise.all(made.map(({ socket }) => [socket.destroy(), once(socket, 'close')][1]))
    await rest()
  }

  const warm = await opened(server.value.origin, () => '/v1/events')
  await delays(warm.slice(0, 1), server, commit)
  await close(warm)
  const before = await memoryOf(server.value.origin)
  const same = await opened(server.value.origin, () => '/v1/events')
  await rest()
  const after = await memoryOf(server.value.origin)
  const ofSame = await delays(same, server, commit)
  await close(same)

  const bare = await opened(alone.value.origin, () => '/')
  const ofBare = await delays(bare, alone, async () => {
    const bytes = Buffer.from(`event ${++number}.`)
    return { bytes, begin: () => fetch(alone.value.origin, { method: 'POST', body: bytes }) }
  })
  await close(bare)

  // An event without a key passes every filter by filer, so each client gets it.
  const own = await opened(server.value.origin, (n) => `/v1/events?cik=${n + 1}`)
  const ofOwn = await delays(own, server, async () => {
    const wanted = `"source":"filings","key":null`
    return {
      bytes: Buffer.from(wanted),
      begin: () => logChange(sql, { what: 'corrected' }),
    }
  })
  await close(own)
  await server.stop()
  await alone.stop()
  const row = (what: string, ours: number | null, peer: number | null, unit: string, note: string): Row => ({
    section: 'streams',
    what: `${clients} clients: ${what}`,
    ours,
    peer,
    unit,
    note,
  })
  const marked = (...given: Parameters<typeof row>): Row => ({ ...row(...given), dependsOnMachine: true })
  const between = (ours: Delivered, peer: Delivered, q: number) => [quantile(ours.ms, q), quantile(peer.ms, q)] as const
  const note = 'node:http alone, which writes the same bytes to as many clients, from its request on'
  return [
    marked('commit to delivery, p50', ...between(ofSame, ofBare, 0.5), 'ms', note),
    marked('commit to delivery, p99', ...between(ofSame, ofBare, 0.99), 'ms', note),
    row('processor time', ofSame.processorUs, ofBare.processorUs, 'µs a delivery', 'of the server; node:http alone'),
    row(
      'reads and writes',
      ofSame.calls,
      ofBare.calls,
      'calls a delivery',
      ofSame.calls === null ? 'not measured: only Linux counts them' : 'of the server, in the system; node:http alone',
    ),
    row('each with its own filter, p50', ...between(ofOwn, ofSame, 0.5), 'ms', 'all with the same filter'),
    row('each with its own filter, p99', ...between(ofOwn, ofSame, 0.99), 'ms', 'all with the same filter'),
    row(
      'memory',
      // With only a few clients, the memory for them may be less than the memory that the server released.
      Math.max(0, after - before) / clients / 1024,
      before / 1024 / clients,
      'KB',
      'growth of the server for each client; the server without clients, divided by their number',
    ),
  ]
}
