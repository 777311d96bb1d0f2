/** Servers to be measured, each as a job for a separate process (bench/apart.ts). */
import { once } from 'node:events'
import { createServer as createBare, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { diskStore } from '../src/archive/store.ts'
import { submissions } from '../src/archive/submissions.ts'
import { edgarClient } from '../src/fetch/client.ts'
import { collectEarly } from '../src/ingest/memory.ts'
import { mcp } from '../src/mcp/http.ts'
import { pages } from '../src/pages/pages.ts'
import registry from '../src/registry.ts'
import { described } from '../src/serve/described.ts'
import { openLog } from '../src/serve/http/log.ts'
import type { Pages } from '../src/serve/http/pages.ts'
import { createServer } from '../src/serve/http.ts'
import { createKey } from '../src/serve/keys.ts'
import { openapi } from '../src/serve/openapi.ts'
import { openReaders } from '../src/serve/readers.ts'
import { type Connection, connect } from '../src/store/db.ts'
import { folder, type Scope } from './scope.ts'

export interface Served {
  /** `http://127.0.0.1:port` */
  origin: string
  key: string
}

/** A cache of one byte, which drops each answer as soon as it is sent. `cacheBytes` must be above 0. */
export const UNCACHED = 1

/** An empty page, for a browser's basic work with any page. */
export const EMPTY_PAGE = '/empty'
const EMPTY = '<!doctype html><html lang="en"><title>Empty</title><link rel="icon" href="data:,"></html>'

function withEmpty(own: Pages): Pages {
  return {
    ...own,
    mount(...parts) {
      own.mount(...parts)
      parts[0].get(EMPTY_PAGE, (_request, reply) => reply.type('text/html; charset=utf-8').send(EMPTY))
    },
  }
}

/** The document is created once in a process, because this takes longer than the rest of a server's start. */
const document = described('0.0.0', () => openapi(registry, '0.0.0'))

/**
 * The real server over a database.
 *
 * @param cacheBytes memory for answers; null for the default
 * @param snapshot reads as from a replica
 */
export async function service(
  scope: Scope,
  target: Connection['target'],
  cacheBytes: number | null = null,
  snapshot = false,
): Promise<Served> {
  collectEarly()
  const sql = connect({ target, max: 2 })
  scope.after(() => sql.end({ timeout: 5 }))
  const readers = openReaders({ target, max: 16, statementTimeoutMs: 15_000, snapshot })
  scope.after(() => readers.end())
  const client = edgarClient({ baseUrl: 'http://127.0.0.1:9', userAgent: null })
  scope.after(() => client.close())
  const server = await createServer({
    catalog: registry,
    sql,
    readers,
    submissions: submissions({ sql, store: diskStore(await folder(scope)), client }),
    now: () => new Date(),
    // Log lines are made, since a real service logs its requests, but they are not written.
    log: openLog({ level: 'info', stream: { write: () => {} } }),
    selfServeClosed: [],
    isReady: async () => null,
    openapi: document,
    pages: withEmpty(pages({ openapi: document })),
    mcp: mcp('0.0.0'),
    ...(cacheBytes === null ? {} : { cacheBytes }),
  })
  scope.after(() => server.close())
  const limit = 1_000_000
  const wanted = { account: 'bench', scopes: ['api', 'mcp'], searchLimit: limit, generalLimit: limit, now: new Date() }
  const { key } = await createKey(sql, wanted)
  return { origin: await server.listen({ host: '127.0.0.1', port: 0 }), key }
}

/** Serves the same bytes for every request, with node:http alone. */
export async function bare(scope: Scope, text: string): Promise<Served> {
  const body = Buffer.from(text)
  const server = createBare((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
    response.end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  scope.after(async () => {
    server.close()
    server.closeAllConnections()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'none' }
}

/** Serves open-ended answers with node:http alone: text that is posted is written to every open answer. */
export async function bareStreams(scope: Scope): Promise<Served> {
  const open = new Set<ServerResponse>()
  const server = createBare(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(':\n\n')
      open.add(response)
      response.on('close', () => open.delete(response))
      return
    }
    const [body] = (await once(request, 'data')) as [Buffer]
    for (const one of open) one.write(body)
    response.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  scope.after(async () => {
    server.close()
    server.closeAllConnections()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'none' }
}
