/** The server as a process: logs, request ids, health, metrics, the reference page, start and shutdown. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { Agent, request } from 'node:http'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { pages } from '../../src/pages/pages.ts'
import { described } from '../../src/serve/described.ts'
import { openLog } from '../../src/serve/http/log.ts'
import { noSchemas } from '../../src/serve/http/no-schemas.ts'
import type { Visitor } from '../../src/serve/http/visitor.ts'
import { limiter } from '../../src/serve/limits.ts'
import type { Sql } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { ask, scratchServer } from '../support/scratch-server.ts'
import { until } from '../support/until.ts'

/** The database that all servers of this file share; each server has its own keys. */
const database = await freshDatabase({ after })

test('each request is one line of the log, and no line contains a secret', async (t) => {
  const server = await scratchServer(t, { database })
  const key = await server.key()
  const secret = key.split('_')[2]!
  await server.as(key, '/v1/things?limit=2', { headers: { 'x-request-id': 'mine-1' } })
  await ask(server.base, '/v1/things', { headers: { 'x-api-key': key } })
  await ask(server.base, `/v1/things?key=${key}`)
  await ask(server.base, `/v1/things/${encodeURIComponent(key).replaceAll('_', '%5F')}`)
  await server.as(`${key}x`, '/v1/things')
  await server.as(key, '/v1/breaks')
  await server.as(key, '/v1/unreachable')
  await ask(server.base, `/v1/%zz${key}`)
  assert.ok(!server.logged().includes(secret), server.logged())
  const requests = server.lines().filter(({ msg }) => msg === 'request')
  assert.equal(requests.length, 8)
  const { ms, ip, time, ...first } = requests[0]!
  assert.deepEqual(first, {
    level: 30,
    reqId: 'mine-1',
    method: 'GET',
    url: '/v1/things?limit=2',
    route: 'things',
    status: 200,
    keyId: key.split('_')[1],
    msg: 'request',
  })
  assert.deepEqual([typeof ms, ip], ['number', '127.0.0.1'])
  assert.match(time as string, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(requests[2]!.url, `/v1/things?key=${key.slice(0, 12)}[redacted]`)
})

test('refused requests of a key beyond its limit are logged as one line and one count per second, and the log accounts for every request', async (t) => {
  const server = await scratchServer(t, { database })
  const [one, other] = [await server.key({ searchLimit: 3 }), await server.key({ searchLimit: 3 })]
  const idOf = (key: string) => key.split('_')[1]
  const flood = (key: string, times: number) =>
    Promise.all(Array.from({ length: times }, () => server.as(key, '/v1/things')))
  await Promise.all([flood(one, 200), flood(other, 50)])
  const wrong = await server.as(`${one}x`, '/v1/things')
  assert.equal(wrong.status, 401)
  const counts = () => server.lines().filter(({ msg }) => msg === 'more requests')
  await until('further requests of both keys are logged', () => new Set(counts().map(({ keyId }) => keyId)).size === 2)
  await flood(one, 20)
  // Counts are also reported when the server ends.
  await server.server.close()
  const requests = server.lines().filter(({ msg }) => msg === 'request')
  const lines = (key: string, status: number) =>
    requests.filter((line) => line.keyId === idOf(key) && line.status === status).length
  const counted = (key: string) =>
    counts().reduce((sum, { keyId, requests }) => sum + (keyId === idOf(key) ? Number(requests) : 0), 0)
  for (const [key, path] of [
    [one, 220],
    [other, 50],
  ] as const) {
    assert.equal(lines(key, 200), 3)
    assert.equal(lines(key, 429) + counted(key), path - 3)
    assert.ok(lines(key, 429) <= 5, `${lines(key, 429)} lines of refusals`)
  }
  assert.deepEqual(Object.keys(counts()[0]!), ['level', 'time', 'keyId', 'status', 'requests', 'msg'])
  assert.equal(requests.filter(({ status }) => status === 401).length, 1)
})

test('buffered log lines are written at once when the process exits', async () => {
  const log = new URL('../../src/serve/http/log.ts', import.meta.url).href
  const script = `import { openLog } from '${log}'; openLog({ level: 'info' }).info('the last line'); process.exit(3)`
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  assert.equal(child.status, 3)
  assert.match(child.stderr, /"msg":"the last line"}\n$/)
})

test('secrets are removed from headers that are logged', () => {
  const lines: string[] = []
  const log = openLog({ level: 'info', stream: { write: (line) => void lines.push(line) } })
  const headers = { authorization: 'Bearer hidden', 'X-Api-Key': 'hidden', accept: 'shown' }
  log.info({ headers, authorization: 'hidden', req: { method: 'GET', url: '/x?k=of_12345678_hidden', headers } })
  assert.match(lines[0]!, /"accept":"shown"/)
  assert.doesNotMatch(lines[0]!, /hidden/)
})

test('a log line contains no terminal control characters, and its parsed content is unchanged', () => {
  const lines: string[] = []
  const log = openLog({ level: 'info', stream: { write: (line) => void lines.push(line) } })
  const name = 'a\x1b[2J\x9b31m\u202egnp.exe\x7f'
  log.warn({ name, err: new Error(name) }, name)
  assert.match(lines[0]!, /^[\x20-\x7e]+\n$/)
  const { name: logged, msg, err } = JSON.parse(lines[0]!)
  assert.deepEqual([logged, msg, err.message], [name, name, name])
})

test('an unexpected error is logged with its stack, and the client does not see it', async (t) => {
  const server = await scratchServer(t, { database })
  const { status, json, headers } = await server.as(await server.key(), '/v1/breaks')
  assert.equal(status, 500)
  assert.deepEqual(json(), {
    error: `internal error; quote request id ${headers['x-request-id']} when you report it`,
    code: 'internal_error',
  })
  const [line] = server.lines().filter(({ level }) => level === 50)
  const { message, stack } = line!.err as { message: string; stack: string }
  assert.equal(line!.reqId, headers['x-request-id'])
  assert.equal(message, 'inner detail that no client may see')
  assert.match(stack, /scratch-server\.ts/)
})

test('a short plain request id from the client is kept, and any other request id is replaced', async (t) => {
  const server = await scratchServer(t, { database })
  const idFor = async (id?: string) =>
    (await ask(server.base, '/healthz', id === undefined ? {} : { headers: { 'x-request-id': id } })).headers[
      'x-request-id'
    ]
  assert.equal(await idFor('trace.42_a-b'), 'trace.42_a-b')
  const ids = await Promise.all([idFor(), idFor(), idFor('a'.repeat(65)), idFor('two words'), idFor('"quoted"')])
  for (const id of ids) assert.match(id as string, /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  assert.equal(new Set(ids).size, ids.length)
})

test('/healthz needs no key, and /readyz states the reason if the server is not ready', async (t) => {
  let reason: string | null = 'the sample is being loaded'
  let isFull = false
  const refuse = (sql: Sql) =>
    sql`do $$ begin raise 'could not write init file: No space left' using errcode = '53100'; end $$`
  const isReady = async () => {
    if (isFull) await refuse(server.sql)
    return reason
  }
  const server: Awaited<ReturnType<typeof scratchServer>> = await scratchServer(t, { database, isReady })
  assert.deepEqual((await ask(server.base, '/healthz')).json(), { status: 'ok' })
  const early = await ask(server.base, '/readyz')
  assert.deepEqual(
    [early.status, early.json()],
    [503, { error: 'not ready: the sample is being loaded', code: 'not_ready' }],
  )
  assert.ok(early.headers['retry-after'])
  reason = null
  assert.equal((await ask(server.base, '/readyz')).status, 200)
  isFull = true
  const full = await ask(server.base, '/readyz')
  assert.deepEqual([full.status, full.json().error], [503, 'not ready: the disk of the database is full'])
  isFull = false
  await server.sql.end()
  const late = await ask(server.base, '/readyz')
  assert.equal(late.status, 503)
  assert.equal(late.json().error, 'not ready: the database does not answer')
})

test('metrics count requests by route, status and bucket, count refusals, and name no key', async (t) => {
  const server = await scratchServer(t, { database })
  const key = await server.key({ searchLimit: 1 })
  await server.as(key, '/v1/things')
  await server.as(key, '/v1/things')
  await ask(server.base, '/v1/nothing')
  const { text, headers } = await ask(server.base, '/metrics')
  assert.match(headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/)
  assert.match(text, /^openfilings_http_requests_total{route="things",status="200",bucket="search"} 1$/m)
  assert.match(text, /^openfilings_http_requests_total{route="things",status="429",bucket="search"} 1$/m)
  assert.match(text, /^openfilings_http_requests_total{route="unmatched",status="404",bucket="none"} 1$/m)
  assert.match(text, /^openfilings_http_request_duration_seconds_count{route="things"} 2$/m)
  assert.match(text, /^openfilings_limit_refusals_total{bucket="search"} 1$/m)
  assert.match(text, /^openfilings_database_pool_max \d+$/m)
  assert.match(text, /^nodejs_eventloop_lag_seconds /m)
  assert.ok(!text.includes(key.split('_')[1]!))
})

test('the reference page is served from the package, loads nothing from other hosts, and needs no key', async (t) => {
  const server = await scratchServer(t, { database })
  const page = await ask(server.base, '/docs')
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  const policy = page.headers['content-security-policy'] as string
  assert.match(policy, /default-src 'none'; script-src 'self';/)
  // The page loads everything from paths of this server. The address in snippets is only text.
  assert.doesNotMatch(page.text, /(?:src|href)="(?!\/|#)/)
  assert.doesNotMatch(page.text, /<script(?! [^>]*src=)/)
  const script = await ask(server.base, /<script src="([^"]+)"/.exec(page.text)![1]!)
  assert.deepEqual(
    [script.status, script.headers['content-type'], script.headers['cache-control']],
    [200, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  )
  const spec = await ask(server.base, /href="([^"]+openapi\.json)"/.exec(page.text)![1]!)
  assert.equal(spec.json<{ openapi: string }>().openapi, '3.1.0')
})

test('the OpenAPI document is made once for concurrent requests, and made again after a failure', async (t) => {
  let [made, calls] = [0, 0]
  const { promise: requested, resolve: both } = Promise.withResolvers<void>()
  const document = { openapi: '3.1.0', info: { title: 'Late', version: '7' }, paths: {} }
  const own = described('7', async () => {
    made++
    if (made > 1) return document
    await requested
    throw new Error('not yet')
  })
  const openapi = {
    ...own,
    openapi(visitor: Visitor) {
      calls++
      return own.openapi(visitor)
    },
  }
  const { base, server, lines } = await scratchServer(t, { database, openapi, pages: pages({ openapi }) })
  assert.equal((await ask(base, '/v1')).json<{ version: string }>().version, '7')
  assert.equal(made, 0)
  const first = ['/v1/openapi.json', '/docs'].map((path) => ask(base, path))
  await until('both requests need the document', () => calls === 2)
  both()
  const failed = await Promise.all(first)
  assert.deepEqual([made, ...failed.map(({ status }) => status)], [1, 500, 500])
  assert.ok(lines().some(({ err }) => /not yet/.test(JSON.stringify(err ?? ''))))
  const found = await Promise.all(['/v1/openapi.json', '/docs', '/docs.md'].map((path) => ask(base, path)))
  assert.deepEqual([made, ...found.map(({ status }) => status)], [2, 200, 200, 200])
  assert.equal(found[0]!.text, JSON.stringify(document))
  await server.close()
})

test('the start fails if a route has a Fastify schema, because this server does not compile such schemas', async () => {
  const fastify = Fastify({ schemaController: noSchemas })
  fastify.get('/other', { schema: { querystring: { type: 'object' } } }, async () => '')
  await assert.rejects(async () => fastify.ready(), /a route has a Fastify schema/)
})

test('a port in use is reported in one sentence that names the setting', async (t) => {
  const port = Number(new URL((await scratchServer(t, { database })).base).port)
  await assert.rejects(scratchServer(t, { database, port }), {
    name: 'UserError',
    message: `port ${port} on 127.0.0.1 is already in use; choose another with --port or the setting PORT`,
  })
})

/** Returns the status of a request that keeps its connection open afterwards. */
function askKeepingAlive(base: string, path: string, key: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    request(base + path, { agent, headers: { authorization: `Bearer ${key}` } }, (res) => {
      res.resume().on('end', () => resolve(res.statusCode!))
    })
      .on('error', reject)
      .end()
  })
}

const running = (server: Awaited<ReturnType<typeof scratchServer>>) =>
  until('the request runs', () => Boolean(server.runs.waits))

/** Time after which an open connection is cut off: longer than a busy machine takes to end a connection. */
const CUT_OFF_MS = 60_000

test('a closing server finishes running requests, accepts no new connections, and does not wait for idle ones', async (t) => {
  const server = await scratchServer(t, { database, closeWaitMs: CUT_OFF_MS })
  const key = await server.key()
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  await askKeepingAlive(server.base, '/healthz', key, agent)
  const other = new Agent({ keepAlive: true })
  t.after(() => other.destroy())
  const slow = askKeepingAlive(server.base, '/v1/waits', key, other)
  await running(server)
  assert.equal(server.server.stage, 'open')
  const closed = server.server.close()
  assert.equal(server.server.stage, 'closing')
  await assert.rejects(ask(server.base, '/healthz'), { code: 'ECONNREFUSED' })
  server.release()
  assert.equal(await slow, 200)
  const began = performance.now()
  await closed
  assert.ok(performance.now() - began < CUT_OFF_MS, 'the connection of the finished request was waited for')
})

test('a closing server waits for a running request only for a limited time', async (t) => {
  const server = await scratchServer(t, { database, closeWaitMs: 50 })
  const slow = assert.rejects(server.as(await server.key(), '/v1/waits'), { code: 'ECONNRESET' })
  await running(server)
  await server.server.close()
  assert.equal(server.server.stage, 'ending')
  await slow
})

test('the server waits for an asynchronous limiter, whether it allows or refuses the request', async (t) => {
  const own = limiter()
  const later = async <T>(answer: T): Promise<Awaited<T>> => {
    await new Promise((done) => setTimeout(done, 5))
    return await answer
  }
  const server = await scratchServer(t, {
    database,
    limiter: {
      take: (keyId, bucket, limit) => later(own.take(keyId, bucket, Math.min(limit, 1))),
      peek: (keyId, bucket, limit) => later(own.peek(keyId, bucket, limit)),
    },
  })
  const key = await server.key()
  const first = await server.as(key, '/v1/things')
  assert.deepEqual([first.status, first.headers['ratelimit-remaining']], [200, '0'])
  assert.equal((await server.as(key, '/v1/things')).status, 429)
})
