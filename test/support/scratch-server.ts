/** A server with a few test routes, for guarantees of HTTP that do not depend on the content. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Readable, Writable } from 'node:stream'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Accounts } from '../../src/accounts/accounts.ts'
import { apiError } from '../../src/declare/api-errors.ts'
import { catalog } from '../../src/declare/catalog.ts'
import { counted } from '../../src/declare/paging.ts'
import { accession, choice, get, getBytes, JsonText, limit, list, type Route, whole } from '../../src/declare/route.ts'
import { accountPages } from '../../src/pages/account/account.ts'
import { pages } from '../../src/pages/pages.ts'
import { described } from '../../src/serve/described.ts'
import { openLog } from '../../src/serve/http/log.ts'
import { createServer, type Server, type ServerOptions } from '../../src/serve/http.ts'
import { createKey, type NewKey } from '../../src/serve/keys.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { openReaders } from '../../src/serve/readers.ts'
import { connect, type Sql } from '../../src/store/db.ts'
import { dataVersions, versionOf, versionsOf } from '../../src/store/meta.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { emptyArchive } from './empty-archive.ts'

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
  /** Returns the parsed body; throws if it is not JSON. */
  json<T = { error: string }>(): T
}

/**
 * Sends one request on a separate connection, without the conveniences of an HTTP client: nothing is decoded or
 * followed.
 */
export function ask(
  base: string,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const url = new URL(base)
    const sent = httpRequest(
      { host: url.hostname, port: url.port, path, method, headers, agent: false },
      async (res) => {
        const body = Buffer.concat(await Array.fromAsync(res))
        const text = body.toString()
        resolve({ status: res.statusCode!, headers: res.headers, body, text, json: () => JSON.parse(text) })
      },
    )
    sent.on('error', reject).end()
  })
}

export const KNOWN = '0000320193-24-000123'
const row = z.object({ name: z.string() })

export interface Scratch {
  base: string
  sql: Sql
  server: Server
  /** Everything logged so far. */
  logged(): string
  lines(): Record<string, unknown>[]
  /** Number of runs of each route. */
  runs: Record<string, number>
  /** Lets the waiting requests to `/waits` continue. */
  release(): void
  clock: { now: Date }
  /** Makes a key; limits are high by default. */
  key(wanted?: Partial<NewKey>): Promise<string>
  /** Sends a request with a key. */
  as(key: string, path: string, options?: { method?: string; headers?: Record<string, string> }): Promise<Reply>
}

/**
 * Opens the server, on a free port by default, and a database unless one is given; closes what it opened after the
 * test.
 */
export async function scratchServer(
  t: { after(fn: () => Promise<void>): void },
  {
    port = 0,
    host = '127.0.0.1',
    database: given,
    accounts: openAccounts,
    ...options
  }: Partial<ServerOptions> & {
    port?: number
    host?: string
    database?: FreshDatabase
    accounts?: (parts: { sql: Sql; log: Logger }) => Accounts
  } = {},
): Promise<Scratch> {
  // The server must close before its database, but hooks run in the order of their registration.
  const later: (() => Promise<void>)[] = []
  const database = given ?? (await freshDatabase({ after: (fn) => later.push(fn) }))
  // A server ends its connections when it closes.
  const sql = given ? connect({ target: given.target }) : database.sql
  const runs: Record<string, number> = {}
  const gate = Promise.withResolvers<void>()
  const unreachable = connect({ target: 'postgres://nobody@127.0.0.1:1/none' })
  const impatient = connect({ target: database.target, max: 1, statementTimeoutMs: 50 })
  const readers = openReaders({ target: database.target, max: 10 })
  const clock = { now: new Date('2026-01-02T03:04:05Z') }
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  const routes = scratchRoutes({ unreachable, impatient, gate: gate.promise, database }).map((route) => ({
    ...route,
    run: (...args: Parameters<Route['run']>) => {
      runs[route.name] = (runs[route.name] ?? 0) + 1
      return route.run(...args)
    },
  }))
  const served = catalog([], [routes], [])
  const document = described('0.0.0', () => openapi(served, '0.0.0'))
  const log = openLog({ level: 'info', stream })
  const accounts = openAccounts?.({ sql, log })
  const server = await createServer({
    catalog: served,
    sql,
    readers,
    submissions: emptyArchive(sql),
    now: () => clock.now,
    log,
    selfServeClosed: ['/adv/rep/*'],
    isReady: async () => null,
    openapi: document,
    pages: pages({ openapi: document, ...(accounts && { accounts: accountPages(accounts) }) }),
    ...(accounts && { signedIn: accounts.find }),
    ...options,
  })
  t.after(async () => {
    gate.resolve()
    await server.close()
    await Promise.all([sql.end(), readers.end(), unreachable.end({ timeout: 0 }), impatient.end({ timeout: 0 })])
    for (const close of later) await close()
  })
  const base = await server.listen({ host, port })
  let made = 0
  return {
    base,
    sql,
    server,
    logged: () => text,
    lines: () => text.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : [])),
    runs,
    release: gate.resolve,
    clock,
    async key(wanted = {}) {
      const limits = wanted.selfServe ? {} : { searchLimit: 10_000, generalLimit: 10_000 }
      const account = `account ${++made}`
      return (await createKey(sql, { account, scopes: ['api'], ...limits, now: clock.now, ...wanted })).key
    },
    as: (key, path, { headers = {}, ...rest } = {}) =>
      ask(base, path, { ...rest, headers: { authorization: `Bearer ${key}`, ...headers } }),
  }
}

function scratchRoutes(parts: { unreachable: Sql; impatient: Sql; gate: Promise<void>; database: FreshDatabase }) {
  const common = {
    tag: 'filings' as const,
    reads: ['scratch'],
    summary: 'A route of the tests',
    input: {},
    output: z.array(row),
  }
  const document = Buffer.from('<html>a document</html>')
  return [
    get('/things', {
      ...common,
      name: 'things',
      bucket: 'search',
      input: {
        limit: limit({ max: 50, default: 10 }),
        dir: choice(['asc', 'desc'], 'Direction').default('asc'),
        states: list(z.string().length(2, { error: 'must be two letters' }), 'States').optional(),
      },
      run: async (input) => [{ name: JSON.stringify(input) }],
    }),
    get('/things/{accession}', {
      ...common,
      name: 'thing',
      input: { accession },
      output: row,
      run: async ({ accession }) => (accession === KNOWN ? { name: accession } : null),
    }),
    get('/long', {
      ...common,
      name: 'long',
      run: async () => new JsonText(JSON.stringify(Array.from({ length: 200 }, (_, i) => ({ name: `thing ${i}` })))),
    }),
    get('/version', {
      ...common,
      name: 'version',
      output: z.object({ value: z.string() }),
      run: async (_input, { sql }) => {
        return { value: versionOf(versionsOf(await dataVersions(sql)), ['scratch']) }
      },
    }),
    get('/sleeps/{seconds}', {
      ...common,
      name: 'sleeps',
      cost: 'list',
      input: { seconds: choice(['0', '0.2', '1', '3', '60'], 'How long'), n: whole({ describe: 'Which' }).optional() },
      run: async ({ seconds }, { sql }) => {
        await sql`select pg_sleep(${seconds}::float8)`
        return [{ name: seconds }]
      },
    }),
    get('/reads', {
      ...common,
      name: 'reads',
      cached: false,
      input: { seconds: choice(['0', '60'], 'How long').default('0') },
      run: async ({ seconds }, { sql }) => {
        // Runs two statements at once, two one after the other, and two after a wait for something else.
        const [[a], [b]] = await Promise.all([
          sql<{ n: number }[]>`select 1 as n, pg_sleep(${seconds}::float8)`,
          sql<{ n: number }[]>`select 2 as n, pg_sleep(${seconds}::float8)`,
        ])
        const [c] = await sql<{ n: number }[]>`select ${a!.n + b!.n}::int as n`
        await new Promise((resolve) => setTimeout(resolve, 5))
        const [d] = await sql<{ n: number }[]>`select ${c!.n}::int + 1 as n`
        return [{ name: String(d!.n) }]
      },
    }),
    get('/fresh', {
      ...common,
      name: 'fresh',
      cached: false,
      run: async (_i, { now }) => [{ name: now.toISOString() }],
    }),
    get('/large', {
      ...common,
      name: 'large',
      cached: false,
      run: async () => [{ name: 'x'.repeat(40_000_000) }],
    }),
    get('/waits', {
      ...common,
      name: 'waits',
      run: async () => {
        await parts.gate
        return [{ name: 'released' }]
      },
    }),
    get('/brochures/{id}', {
      ...common,
      name: 'brochure',
      scopes: ['brochures'],
      input: { id: whole({ describe: 'Id' }) },
      run: async () => [],
    }),
    get('/adv/rep/{id}/movements', {
      ...common,
      name: 'movements',
      input: { id: whole({ describe: 'Id' }) },
      run: async () => [],
    }),
    get('/breaks', {
      ...common,
      name: 'breaks',
      run: async () => {
        throw new Error('inner detail that no client may see')
      },
    }),
    get('/expensive', {
      ...common,
      name: 'expensive',
      input: counted,
      run: async () => {
        await parts.impatient`select pg_sleep(5)`
        return []
      },
    }),
    get('/raises/{code}', {
      ...common,
      name: 'raises',
      input: { code: choice(['40001', '40P01', '55P03', '25006'], 'SQLSTATE with which the statement ends') },
      run: async ({ code }, { sql }) => {
        await sql.unsafe(`do $$ begin raise exception 'of its own' using errcode = '${code}'; end $$`)
        return []
      },
    }),
    get('/loses', {
      ...common,
      name: 'loses',
      run: async (_i, { sql }) => {
        const [row] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
        await parts.database.sql`select pg_terminate_backend(${row.pid})`
        const isLost = () =>
          sql`select 1`.then(
            () => false,
            () => true,
          )
        while (!(await isLost()));
        await sql`select 2`
        return []
      },
    }),
    get('/unreachable', {
      ...common,
      name: 'unreachable',
      run: async () => {
        await parts.unreachable`select 1`
        return []
      },
    }),
    getBytes('/document/{seq}', {
      ...common,
      name: 'document',
      input: { seq: whole({ describe: 'Position' }), format: choice(['json'], 'Form of errors').optional() },
      statuses: [413],
      run: async ({ seq }) => {
        if (seq === 413)
          throw apiError('document_too_large', { seq, accession: '-', size: 262_144_001, max: 262_144_000 })
        if (seq > 2) return null
        const headers = { 'content-type': 'text/html', 'content-length': String(document.length) }
        return { headers, body: seq === 1 ? document : Readable.from([document]) }
      },
    }),
  ]
}
