/**
 * Compares calls of tools with the JSON requests that the tools make. One service answers both from its memory, another
 * from the database. Also measures the memory of the server with many clients that stay connected.
 */
import assert from 'node:assert/strict'
import { freshDatabase } from '../test/support/database.ts'
import { connectAgent } from '../test/support/mcp/client.ts'
import { type Standing, start } from './apart.ts'
import { alternate, median, memoryOf, quantile, usedBetween } from './measure.ts'
import { generateNotices } from './notices.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { type Served, UNCACHED } from './servers.ts'
import { part } from './share.ts'
import { generateSpine } from './spine.ts'

const FILINGS = 50_000
const NOTICES = 2_000
/** Distinct requests of a kind. */
const VARIANTS = 60
const ROUNDS = 5
/** Minimum number of requests of a round: before it is reached, the server still compiles its code. */
const REQUESTS_MIN = 200
const MILLISECONDS = 2_000
const CLIENTS = 200
const FLOOR_BYTES = 4_000
/** Number of clients before the measured ones, so that all code is loaded. */
const EARLIER_CLIENTS = 10
const MB = 1024 * 1024

/** A call of a tool, and the address of the request that the tool makes for it. */
interface Pair {
  tool: string
  args: Record<string, unknown>
  path: string
  /** Whether the call is one of the newest revision, which adds data about its client. */
  isNewest?: boolean
}

/** The newest revision of the protocol, and the metadata of its messages. */
const NEWEST = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const variants = part(VARIANTS, share, 3)
  const { sql, target } = await freshDatabase(scope)
  await generateSpine(sql, part(FILINGS, share), 1)
  const accessions = await generateNotices(sql, part(NOTICES, share, variants), 1)
  const cached = await start<Served>(scope, 'servers.ts', 'service', target)
  const uncached = await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED)
  const found: Row[] = []
  for (const [what, pairs] of Object.entries(pairsOf(accessions, variants))) {
    found.push(...(await compared(`${what}, from memory`, cached, pairs, share)))
    found.push(...(await compared(`${what}, from the database`, uncached, pairs, share)))
  }
  found.push(await floor(scope, share))
  found.push(await memoryOfClients(scope, cached, part(CLIENTS, share, 4)))
  await uncached.stop()
  await cached.stop()
  return found
}

function pairsOf(accessions: readonly string[], variants: number): Record<string, Pair[]> {
  const many = (pair: (n: number) => Pair) => Array.from({ length: variants }, (_, n) => pair(n))
  const notice = (n: number): Pair => {
    const accession = accessions[(n * 97) % accessions.length]!
    return {
      tool: 'call',
      args: { path: '/formd/filings/by-accession/{accession}', query: { accession } },
      path: `/v1/formd/filings/by-accession/${accession}`,
    }
  }
  return {
    'a list of 20 filings': many((offset) => ({
      tool: 'call',
      args: { path: `/filings?limit=20&offset=${offset}` },
      path: `/v1/filings?limit=20&offset=${offset}`,
    })),
    'a Form D': many(notice),
    'a Form D, newest revision': many((n) => ({ ...notice(n), isNewest: true })),
  }
}

interface Message {
  body: string
  headers: Record<string, string>
}

const messageOf = ({ tool, args, isNewest }: Pair, id: number): Message => ({
  body: JSON.stringify({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name: tool, arguments: args, ...(isNewest && { _meta: META }) },
  }),
  headers: isNewest ? { 'mcp-protocol-version': NEWEST, 'mcp-method': 'tools/call', 'mcp-name': tool } : {},
})

/** Sends the call of a tool. @throws AssertionError if the tool refuses, since a refusal has the status 200 too */
async function called({ origin, key }: Served, { body, headers }: Message): Promise<void> {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
      ...headers,
    },
    body,
  })
  const { result } = (await response.json()) as { result?: { isError?: boolean } }
  assert.ok(result && result.isError !== true, `${body}: ${JSON.stringify(result)}`)
}

async function requested({ origin, key }: Served, path: string): Promise<void> {
  const response = await fetch(origin + path, {
    headers: { accept: 'application/json', authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
  })
  assert.equal(response.status, 200, path)
  await response.json()
}

async function compared(what: string, server: Standing<Served>, pairs: readonly Pair[], share: number): Promise<Row[]> {
  const messages = pairs.map(messageOf)
  const bounds = { ms: part(MILLISECONDS, share, 20), least: part(REQUESTS_MIN, share, 5) }
  const works = {
    tool: () => driven(server, (n) => called(server.value, messages[n % messages.length]!), bounds),
    request: () => driven(server, (n) => requested(server.value, pairs[n % pairs.length]!.path), bounds),
  }
  await alternate(1, works) // until all code is compiled and all pages are in memory
  const { tool, request } = await alternate(part(ROUNDS, share), works)
  const row = (measure: string, of: (round: Round) => number, unit: string, note: string): Row => ({
    section: 'mcp',
    what: `${what}: a call, ${measure}`,
    ours: median(tool.map(of)),
    peer: median(request.map(of)),
    unit,
    note,
  })
  return [
    row('p50', ({ p50Ms }) => p50Ms, 'ms', 'the JSON request of the same address, by the same client; target 1.5'),
    row('processor time', ({ processorUs }) => processorUs, 'µs a call', 'of the server; the same; no target'),
  ]
}

/**
 * Compares a POST with a GET of the same bytes. A bare server takes hardly any time for either, so the figures are
 * about the client.
 */
async function floor(scope: Scope, share: number): Promise<Row> {
  const text = JSON.stringify({ result: { text: 'x'.repeat(FLOOR_BYTES) } })
  const server = await start<Served>(scope, 'servers.ts', 'bare', text)
  const message = messageOf({ tool: 'call', args: { path: '/filings?limit=20&offset=1' }, path: '' }, 1)
  const bounds = { ms: part(MILLISECONDS, share, 20), least: part(REQUESTS_MIN, share, 5) }
  const works = {
    post: () => driven(server, () => called(server.value, message), bounds),
    get: () => driven(server, () => requested(server.value, '/'), bounds),
  }
  await alternate(1, works)
  const { post, get } = await alternate(part(ROUNDS, share), works)
  await server.stop()
  return {
    section: 'mcp',
    what: 'bare node:http, 4 KB: a POST, p50',
    ours: median(post.map(({ p50Ms }) => p50Ms)),
    peer: median(get.map(({ p50Ms }) => p50Ms)),
    unit: 'ms',
    note: 'a GET by the same client; a call cannot take less; no target',
  }
}

interface Round {
  p50Ms: number
  /** Processor time of the server for a request. */
  processorUs: number
}

/** Sends one request at a time, since an agent waits for each answer. */
async function driven(
  server: Standing<Served>,
  send: (n: number) => Promise<void>,
  { ms, least }: { ms: number; least: number },
): Promise<Round> {
  const latenciesMs: number[] = []
  const before = await server.used()
  for (const begun = performance.now(); performance.now() - begun < ms || latenciesMs.length < least; ) {
    const sentAt = performance.now()
    await send(latenciesMs.length)
    latenciesMs.push(performance.now() - sentAt)
  }
  const { processorMs } = usedBetween(before, await server.used())
  return { p50Ms: quantile(latenciesMs, 0.5), processorUs: (1000 * processorMs) / latenciesMs.length }
}

/** Clients that connect, list the tools, call one, and stay connected. */
async function memoryOfClients(scope: Scope, server: Standing<Served>, count: number): Promise<Row> {
  const { origin, key } = server.value
  const join = async () => {
    const { client, answer } = await connectAgent(scope, origin, key)
    await client.listTools()
    await answer('list_filings', { limit: 20 })
  }
  for (let n = 0; n < EARLIER_CLIENTS; n++) await join()
  const before = await memoryOf(origin)
  for (let n = 0; n < count; n++) await join()
  return {
    section: 'mcp',
    what: `${count} clients that are not closed: memory`,
    ours: Math.max(0, (await memoryOf(origin)) - before) / MB,
    peer: null,
    unit: 'MB',
    note: 'growth of the server, with garbage; the server keeps nothing of a client',
  }
}
