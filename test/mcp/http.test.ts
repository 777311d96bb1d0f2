/** `/mcp` over HTTP, on the loaded sample: keys, limits, hostile requests. The client is the official one. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { nearest } from '../../src/misspelt.ts'
import registry from '../../src/registry.ts'
import { createKey, revokeKey } from '../../src/serve/keys.ts'
import { assertQuick } from '../support/effort.ts'
import { connectAgent } from '../support/mcp/client.ts'
import { ask } from '../support/scratch-server.ts'
import { serveSample } from '../support/served.ts'
import { until } from '../support/until.ts'

// The limit is longer than any wait of a test, so that a statement that reaches its limit is not mistaken for a
// cancelled one.
const served = await serveSample({ after }, { statementTimeoutMs: 900_000 })
const { origin, keys } = served

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

/** The newest revision of the protocol, in which a client does not greet. */
const NEWEST = '2026-07-28'

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${keys.mcp}`,
}

/** Sends a message like a client that does not use the SDK. */
const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const toolCall = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name, arguments: args },
})

const errorOf = async (response: Response) => {
  const { code } = (await response.json()) as { code: string }
  return [response.status, code, response.headers.get('www-authenticate')]
}

const codeOf = (text: string) => /^\w+/.exec(text)?.[0]

test('a client without a valid key gets 401 with WWW-Authenticate, and a client whose key lacks the scope gets 403', async () => {
  const without = { authorization: '' }
  assert.deepEqual(await errorOf(await post(INITIALIZE, without)), [401, 'missing_api_key', 'Bearer'])
  const wrong = await post(INITIALIZE, { authorization: 'Bearer of_wrong' })
  assert.deepEqual(await errorOf(wrong), [401, 'invalid_api_key', 'Bearer error="invalid_token"'])
  const lacking = await post(INITIALIZE, { authorization: `Bearer ${keys.api}` })
  assert.deepEqual(await errorOf(lacking), [403, 'missing_scope', 'Bearer error="insufficient_scope", scope="mcp"'])
  const two = await post(INITIALIZE, { 'x-api-key': keys.api })
  assert.deepEqual(await errorOf(two), [400, 'conflicting_api_keys', null])
})

test('a client that looks for OAuth gets the error `no_oauth`, even without a key', async () => {
  for (const path of ['/register', '/.well-known/oauth-protected-resource/mcp', '/.well-known/openid-configuration']) {
    const response = await fetch(origin + path, { method: path === '/register' ? 'POST' : 'GET' })
    assert.deepEqual(await errorOf(response), [404, 'no_oauth', null], path)
  }
  assert.deepEqual(await errorOf(await fetch(`${origin}/registered`)), [404, 'unknown_endpoint', null])
})

test('a key with only the scope `mcp` can use every route through tools, and no route of the API directly', async (t) => {
  const { answer } = await connectAgent(t, origin, keys.mcp)
  assert.match(await answer('search_entities', { q: 'AAPL' }), /^company\t0000320193\tApple Inc\./m)
  assert.equal((await served.get('/search?q=AAPL', { 'x-api-key': keys.mcp })).status, 403)
})

test('brochures need the scope `brochures`, also through a tool', async (t) => {
  const args = { path: '/brochures/firm/999000001' }
  const { call } = await connectAgent(t, origin, keys.mcp)
  const refused = await call('call', args)
  assert.deepEqual([codeOf(refused.text), refused.isError], ['missing_scope', true])
  const { key } = await createKey(served.sql, { account: 'b', scopes: ['mcp', 'brochures'], now: new Date() })
  const { answer } = await connectAgent(t, origin, key)
  assert.match(await answer('call', args), /## versions \(\d+ rows\)/)
})

test('a client of an older protocol revision gets JSON answers and no session', async () => {
  const response = await post(INITIALIZE)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type')!, /^application\/json/)
  assert.equal(response.headers.get('mcp-session-id'), null)
  const { result } = (await response.json()) as { result: { protocolVersion: string; capabilities: object } }
  assert.equal(result.protocolVersion, '2025-06-18')
  const call = await post(toolCall('search_entities', { q: 'AAPL' }))
  assert.match(JSON.stringify(await call.json()), /Apple Inc/)
})

test('a call has the same answer as a single message, which takes the fast path, and in a batch, which the SDK answers', async () => {
  const answerOf = async (body: unknown) => (await post(body)).json()
  for (const call of [
    toolCall('search_entities', { q: 'AAPL' }),
    toolCall('search_entities', { q: 'AAPL', limit: 'many' }),
    toolCall('no_such_tool', {}),
    { ...toolCall('describe', {}), id: 'text "quoted"\n', params: { name: 'describe' } },
    { ...toolCall('describe', {}), id: -1, params: { name: 'describe', arguments: JSON.parse('{"__proto__":{}}') } },
  ])
    assert.deepEqual(await answerOf(call), await answerOf([call]))
  // Every message that is not exactly such a call is passed to the SDK, which refuses it.
  const call = toolCall('search_entities', { q: 'AAPL' })
  assert.equal((await post(call, { accept: 'application/json' })).status, 406)
  assert.equal((await post(call, { 'mcp-protocol-version': '1999-01-01' })).status, 400)
  assert.equal((await post({ ...call, jsonrpc: '1.0' })).status, 400)
  const { params } = call
  for (const wrong of [{ id: 1.5 }, { id: true }, { params: { name: 5 } }, { params: { ...params, arguments: [] } }])
    assert.match(JSON.stringify(await answerOf({ ...call, ...wrong })), /"error"/, JSON.stringify(wrong))
  // Without an id, a message is a notification, which has no answer.
  const { id: _, ...notification } = call
  assert.equal((await post(notification)).status, 202)
})

test('in the newest revision, the SDK answers the first call, and the fast path gives later calls the same answer', async () => {
  const prefix = 'io.modelcontextprotocol/'
  const meta = (client: string, more: object = {}) => ({
    [`${prefix}protocolVersion`]: NEWEST,
    [`${prefix}clientInfo`]: { name: client, version: '1' },
    [`${prefix}clientCapabilities`]: {},
    ...more,
  })
  const headersOf = (name: string) => ({ 'mcp-protocol-version': NEWEST, 'mcp-method': 'tools/call', 'mcp-name': name })
  const send = async (name: string, args: object, _meta: object, headers: Record<string, string> = {}) => {
    const call = toolCall(name, args)
    const message = { ...call, params: { ...call.params, _meta } }
    const response = await post(message, { ...headersOf(name), ...headers })
    return { status: response.status, type: response.headers.get('content-type'), body: await response.json() }
  }
  const calls: [name: string, args: object][] = [
    ['search_entities', { q: 'AAPL' }],
    ['search_entities', { q: 'AAPL', limit: 'many' }],
    ['no_such_tool', {}],
  ]
  for (const [n, [name, args]] of calls.entries()) {
    const first = await send(name, args, meta(`client ${n}`))
    const second = await send(name, args, meta(`client ${n}`))
    assert.equal(first.status, 200, JSON.stringify(first))
    assert.deepEqual(second, first)
    assert.match(JSON.stringify(second), /"resultType":"complete"/)
  }
  // A message that the SDK refused once is refused each time, since only calls that are exactly like a known call
  // bypass the SDK.
  const refused: [meta: object, headers?: Record<string, string>][] = [
    [meta('bad', { [`${prefix}clientInfo`]: 5 })],
    [meta('bad', { [`${prefix}protocolVersion`]: '2031-01-01' })],
    [meta('client 0'), { 'mcp-name': 'describe' }],
    [meta('client 0'), { 'mcp-method': 'tools/list' }],
    [meta('client 0'), { 'mcp-protocol-version': '2025-06-18' }],
    [meta('client 0'), { 'content-type': 'text/plain' }],
  ]
  for (const [_meta, headers] of refused)
    for (let n = 0; n < 2; n++) {
      const { status, body } = await send('search_entities', { q: 'AAPL' }, _meta, headers)
      assert.ok(status >= 400, `${status} ${JSON.stringify([_meta, headers, body])}`)
    }
  const long = meta('client 0', { 'example.org/note': 'x'.repeat(3_000) })
  for (let n = 0; n < 2; n++) assert.equal((await send('search_entities', { q: 'AAPL' }, long)).status, 200)
})

test('GET and DELETE are answered 405, because there are no streams and no sessions', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(`${origin}/mcp`, { method, headers: { authorization: `Bearer ${keys.mcp}` } })
    assert.equal(response.status, 405, method)
  }
})

test('a request from a web page of another site is refused, even with a valid key', async () => {
  for (const from of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example']) {
    assert.deepEqual(
      (await errorOf(await post(INITIALIZE, { origin: from }))).slice(0, 2),
      [403, 'foreign_origin'],
      from,
    )
  }
  assert.equal((await post(INITIALIZE, { origin })).status, 200)
})

test('bodies that are not JSON, not MCP messages, of another content type or too long are refused, and the service continues', async () => {
  assert.equal((await post('{')).status, 400)
  assert.equal((await post('[]')).status, 400)
  assert.equal((await post({ hello: 1 })).status, 400)
  assert.equal((await post(INITIALIZE, { 'content-type': 'text/plain' })).status, 415)
  assert.deepEqual((await errorOf(await post(`"${'x'.repeat(70_000)}"`))).slice(0, 2), [413, 'body_too_large'])
  assert.equal((await post(INITIALIZE)).status, 200)
})

test('a message is answered alike if its body comes later than its headers, in pieces', async () => {
  const text = JSON.stringify(toolCall('search_entities', { q: 'AAPL' }))
  const pieces = async function* () {
    for (const piece of [text.slice(0, 20), text.slice(20)]) {
      yield new TextEncoder().encode(piece)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const request = { method: 'POST', headers: HEADERS, body: ReadableStream.from(pieces()), duplex: 'half' as const }
  const late = await fetch(`${origin}/mcp`, request)
  assert.deepEqual(await late.json(), await (await post(text)).json())
})

test('each call of a batch counts against the rate limit', async () => {
  const { key } = await createKey(served.sql, {
    ...{ account: 'batch', scopes: ['mcp'], now: new Date(), searchLimit: 3, generalLimit: 3 },
  })
  const calls = Array.from({ length: 6 }, (_, id) => ({ ...toolCall('search_entities', { q: 'AAPL' }), id }))
  const response = await post(calls, { authorization: `Bearer ${key}` })
  const text = await response.text()
  const answered = text.match(/Apple Inc/g)?.length ?? 0
  assert.ok(response.status === 400 || answered <= 3, `${response.status}: ${answered} of 6 calls were answered`)
})

test('a tool call beyond the rate limit is answered with the seconds to wait, and other messages still work', async (t) => {
  const { key } = await createKey(served.sql, {
    ...{ account: 'few', scopes: ['mcp'], now: new Date(), searchLimit: 1, generalLimit: 1 },
  })
  const { call, client } = await connectAgent(t, origin, key)
  assert.equal((await call('search_entities', { q: 'AAPL' })).isError, false)
  const { text, isError } = await call('search_entities', { q: 'AAPL' })
  assert.ok(isError)
  assert.match(
    text,
    /^rate_limit_exceeded \(429\): the search limit of 1 requests a minute is exceeded for this key\. Try again after \d+ seconds\./,
  )
  assert.ok((await client.listTools()).tools.length > 0)
})

test('a key that was revoked before its first use is refused', async (t) => {
  const made = await createKey(served.sql, { account: 'gone', scopes: ['mcp'], now: new Date(), generalLimit: 100 })
  // Keys that were seen are remembered for some seconds, so the first use is after the revocation.
  await revokeKey(served.sql, made.key, new Date())
  await assert.rejects(connectAgent(t, origin, made.key), /invalid_api_key|401|Unauthorized/i)
})

test('if a client disconnects, its running work is cancelled', async () => {
  const over = new AbortController()
  const call = fetch(`${origin}/mcp`, {
    method: 'POST',
    signal: over.signal,
    headers: HEADERS,
    body: JSON.stringify(toolCall('search_text', { q: 'revenue NEAR/5 quarter' })),
  })
  const ended = assert.rejects(call, { name: 'AbortError' })
  over.abort()
  await ended
  assert.equal((await post(INITIALIZE)).status, 200)
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  assert.match(metrics, /^openfilings_places_running\{[^}]*\} 0$/m)
})

/** Waits until so many statements wait for a lock of this table. */
const waitingFor = (table: string, count: number) =>
  until(`${count} statements wait`, async () => {
    const [row] = await served.sql<[{ n: number }]>`
      select count(*)::int as n from pg_locks where relation = ${table}::regclass and not granted`
    return row.n === count
  })

test('if a client hangs up while a statement of its call runs, the statement is cancelled', async (t) => {
  const table = 'formd.offering'
  const args = { path: '/formd/filings', query: { limit: 3, q: 'nothing' } }
  const posting = (body: unknown) => (signal: AbortSignal) =>
    fetch(`${origin}/mcp`, { method: 'POST', signal, headers: HEADERS, body: JSON.stringify(body) })
  const newest = await connectAgent(t, origin, keys.mcp, NEWEST)
  assert.equal(newest.client.getNegotiatedProtocolVersion(), NEWEST)
  const call = { name: 'call', arguments: args }
  const { client } = await connectAgent(t, origin, keys.mcp)
  // In an older revision, the client only notifies the service of a cancelled call, and waits for its answer.
  const closing = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => void client.close())
    return client.callTool(call)
  }
  // Calls with the same request share one statement.
  const batch = [1, 2].map((id) => ({ ...toolCall('call', { ...args, query: { limit: id } }), id }))
  const hangUps = [
    ['of a revision with a greeting', posting(toolCall('call', args)), 1],
    ['the official one', closing, 1],
    ['the official one in the newest revision', (signal: AbortSignal) => newest.client.callTool(call, { signal }), 1],
    ['that sent a batch', posting(batch), batch.length],
  ] as const
  for (const [what, send, statements] of hangUps) {
    await served.sql.begin(async (tx) => {
      await tx`lock table ${tx(table)} in access exclusive mode`
      const over = new AbortController()
      const ended = assert.rejects(send(over.signal), what)
      await waitingFor(table, statements)
      over.abort()
      await ended
      await waitingFor(table, 0)
    })
  }
  assert.equal((await post(toolCall('call', args))).status, 200)
})

test('an unknown path as long as the longest message does not delay other clients', async () => {
  const routes = registry.routes.map(({ path }) => path)
  await assertQuick('the nearest route', () => nearest('q'.repeat(60_000), routes), 500)
})

test('messages that use no route are limited too, and a batch has at most ten messages', async () => {
  const { key } = await createKey(served.sql, { account: 'm', scopes: ['mcp'], now: new Date() })
  const own = { authorization: `Bearer ${key}` }
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const long = await post(
    Array.from({ length: 11 }, (_, id) => ({ ...list, id })),
    own,
  )
  assert.equal(long.status, 400)
  assert.match(JSON.stringify(await long.json()), /a batch has at most 10 messages/)
  const statuses: number[] = [long.status]
  // A key with ten requests in each bucket may send a hundred messages.
  for (let n = 0; n < 100; n++) {
    const answer = await post(list, own)
    statuses.push(answer.status)
    await answer.arrayBuffer()
  }
  assert.deepEqual(statuses.slice(1), [...Array(99).fill(200), 429])
  assert.equal((await post(INITIALIZE)).status, 200, 'another key has its own count')
})

test('a tool refuses an address that the API would refuse as too long', async (t) => {
  const { call } = await connectAgent(t, origin, keys.mcp)
  const part = await call('call', { path: `/brokers/${'9'.repeat(2_000)}` })
  assert.deepEqual([codeOf(part.text), part.isError], ['path_part_too_long', true])
  const query = await call('call', { path: '/brokers', query: { q: 'x'.repeat(20_000) } })
  assert.deepEqual([codeOf(query.text), query.isError], ['query_too_long', true])
})

test('a request with an invalid Host header is answered, and the answer does not repeat the header', async () => {
  const body = JSON.stringify(toolCall('search_entities', { q: 'AAPL' }))
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: a b',
    `Authorization: Bearer ${keys.mcp}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  const text = Buffer.concat(await Array.fromAsync(socket)).toString()
  assert.match(text, /^HTTP\/1\.1 200 /)
  assert.match(text, /Apple Inc/)
  assert.doesNotMatch(text, /a b\//)
})

test('a request without a key under an unknown host name is refused before its method and its origin are checked', async () => {
  const headers = { host: 'attacker.example', origin: 'https://attacker.example' }
  for (const path of ['/mcp', '/.well-known/oauth-authorization-server'])
    for (const method of ['GET', 'POST']) {
      const { status, text } = await ask(origin, path, { method, headers })
      assert.deepEqual([status, JSON.parse(text).code], [421, 'unknown_host'], `${method} ${path}`)
    }
})
