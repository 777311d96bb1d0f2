/**
 * Any invalid bytes get an error in the API's error format and a request id. The connection is then closed or kept, as
 * it should be. The tests use raw sockets.
 */
import assert from 'node:assert/strict'
import { connect as openSocket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Code } from '../../src/declare/api-errors.ts'
import { codeOf } from '../support/error-codes.ts'
import { ask, scratchServer } from '../support/scratch-server.ts'
import { until } from '../support/until.ts'

const server = await scratchServer({ after }, { requestTimeoutMs: 700 })
const key = await server.key()
const other = await server.key()
const port = Number(new URL(server.base).port)

interface Answered {
  status: number
  headers: Record<string, string>
  body: string
}

/** A request that is sent last. Once it is answered, all earlier requests have been answered. */
const LAST = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
const isLast = ({ status, body }: Answered) => status === 200 && body === '{"status":"ok"}'

/**
 * Sends bytes and returns every answer. If the connection should stay open, sends one more request, whose answer must
 * come next. Otherwise waits for the end of the connection.
 */
async function raw(
  bytes: string | Buffer,
  { stays = false, isHead = false } = {},
): Promise<{ answers: Answered[]; closed: boolean }> {
  const socket = openSocket(port, '127.0.0.1')
  let received = ''
  let closed = false
  let requested = false
  socket
    .on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (stays && !requested) socket.write(LAST)
      requested = true
    })
    .on('error', () => {})
    .on('close', () => {
      closed = true
    })
  socket.write(bytes)
  const answers = () => answersIn(received, isHead)
  await until('the connection is closed, or answers again', () => {
    const all = closed ? [] : answers()
    // The first answer may look like the last one, because tests request /healthz too.
    return closed || Boolean(stays && all.length > 1 && isLast(all.at(-1)!))
  })
  socket.destroy()
  return { answers: closed ? answers() : answers().slice(0, -1), closed }
}

/** Returns the answers that are complete. After a HEAD request, only `LAST` has a body. */
function answersIn(text: string, isHead: boolean): Answered[] {
  const answers: Answered[] = []
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) break
    const [line, ...fields] = rest.slice(0, end).split('\r\n')
    const start = /^HTTP\/1\.1 (\d{3}) /.exec(line!)
    assert.ok(start, `no answer: ${JSON.stringify(rest.slice(0, 200))}`)
    const status = Number(start[1])
    const headers = Object.fromEntries(
      fields.map((field) => [field.split(':')[0]!.toLowerCase(), field.replace(/^[^:]*: */, '')]),
    )
    const length = status === 100 || (isHead && answers.length === 0) ? 0 : Number(headers['content-length'])
    if (rest.length < end + 4 + length) break
    answers.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}

interface Case {
  what: string
  bytes: string | Buffer
  /** Status of each answer, in order. */
  statuses: number[]
  /** The last answer's message. */
  error?: string | RegExp
  closed: boolean
  allow?: boolean
}

const HOST = 'Host: x\r\n'
const KEY = `X-Api-Key: ${key}\r\n`
const get = (path: string, fields = HOST + KEY, version = 'HTTP/1.1') => `GET ${path} ${version}\r\n${fields}\r\n`
const refused = 'this API is read-only'

const CASES: Case[] = [
  { what: 'a plain request', bytes: get('/v1/things'), statuses: [200], closed: false },
  {
    what: 'no Host',
    bytes: get('/v1/things', KEY),
    statuses: [400],
    error: 'the header Host is missing; send it once',
    closed: true,
  },
  {
    what: 'no Host and no such path',
    bytes: get('/x', ''),
    statuses: [400],
    error: 'the header Host is missing; send it once',
    closed: true,
  },
  {
    what: 'no Host and a path that cannot be decoded',
    bytes: get('/%zz', ''),
    statuses: [400],
    error: 'the header Host is missing; send it once',
    closed: true,
  },
  { what: 'an empty Host', bytes: get('/v1/things', `Host:\r\n${KEY}`), statuses: [200], closed: false },
  {
    what: 'two of Host',
    bytes: get('/v1/things', `${HOST}hOST: y\r\n${KEY}`),
    statuses: [400],
    error: 'the header Host is given twice; send it once',
    closed: true,
  },
  { what: 'HTTP/1.0', bytes: get('/v1/things', KEY, 'HTTP/1.0'), statuses: [200], closed: true },
  {
    what: 'HTTP/1.0 that keeps the connection',
    bytes: get('/v1/things', `${KEY}Connection: keep-alive\r\n`, 'HTTP/1.0'),
    statuses: [200],
    closed: false,
  },
  { what: 'HTTP/1.0 with an error', bytes: get('/v1/things?x=1', KEY, 'HTTP/1.0'), statuses: [400], error: /^"x"/, closed: true },
  { what: 'HTTP/0.9', bytes: 'GET /v1/things\r\n\r\n', statuses: [505], error: /use HTTP\/1\.1 or HTTP\/1\.0$/, closed: true },
  ...[
    ['every line', get('/v1/things').replaceAll('\r\n', '\n')],
    ['the first line', get('/v1/things').replace('\r\n', '\n')],
    ['a header', get('/v1/things', `Host: x\n${KEY}`)],
    ['the last header', get('/v1/things', `${KEY}Host: x\n`)],
    ['HTTP/1.0', get('/v1/things', KEY, 'HTTP/1.0').replaceAll('\r\n', '\n')],
    ['a request without a version', 'GET /v1/things\n\n'],
  ].map(([where, bytes]) => ({ what: `a bare LF at the end of ${where}`, bytes: bytes!, statuses: [400], error: /^the request is not valid HTTP/, closed: true })),
  { what: 'HTTP/1.2', bytes: get('/v1/things', HOST, 'HTTP/1.2'), statuses: [505], error: /use HTTP\/1\.1 or HTTP\/1\.0$/, closed: true },
  { what: 'HTTP/2.0', bytes: get('/v1/things', HOST, 'HTTP/2.0'), statuses: [505], error: /use HTTP\/1\.1 or HTTP\/1\.0$/, closed: true },
  {
    what: 'the preface of HTTP/2',
    bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    statuses: [505],
    error: /use HTTP\/1\.1 or HTTP\/1\.0$/,
    closed: true,
  },
  { what: 'a TLS greeting', bytes: Buffer.from('16030100a5010000a10303', 'hex'), statuses: [400], error: 'the request is not valid HTTP', closed: true },
  { what: 'no HTTP at all', bytes: 'nonsense\r\n\r\n', statuses: [400], error: 'the request is not valid HTTP', closed: true },
  {
    what: 'Expect: 100-continue',
    bytes: get('/v1/things', `${HOST}${KEY}Expect: 100-Continue\r\n`),
    statuses: [100, 200],
    closed: false,
  },
  {
    what: 'another Expect',
    bytes: get('/v1/things', `${HOST}${KEY}Expect: 200-ok\r\n`),
    statuses: [417],
    error: 'the header Expect can only be 100-continue; leave it out',
    closed: true,
  },
  {
    what: 'CONNECT',
    bytes: `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`,
    statuses: [405],
    error: `CONNECT is not allowed: ${refused}`,
    closed: true,
    allow: true,
  },
  {
    what: 'Upgrade to a WebSocket is not taken up',
    bytes: get('/v1/things', `${HOST}${KEY}Connection: Upgrade\r\nUpgrade: websocket\r\n`),
    statuses: [200],
    closed: false,
  },
  {
    what: 'Upgrade to HTTP/2 is not taken up',
    bytes: get('/v1/nothing', `${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n`),
    statuses: [404],
    error: /no such endpoint/,
    closed: false,
  },
  ...['OPTIONS', 'TRACE', 'PURGE', 'QUERY', 'PUT', 'M-SEARCH'].map((method) => ({
    what: method,
    bytes: `${method} /v1/things HTTP/1.1\r\n${HOST}\r\n`,
    statuses: [405],
    error: `${method} is not allowed: ${refused}`,
    closed: false,
    allow: true,
  })),
  {
    what: 'OPTIONS of the server',
    bytes: `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`,
    statuses: [405],
    error: `OPTIONS is not allowed: ${refused}`,
    closed: false,
    allow: true,
  },
  ...['BREW', 'get'].map((method) => ({
    what: `the method ${method}`,
    bytes: `${method} /v1/things HTTP/1.1\r\n${HOST}\r\n`,
    statuses: [501],
    error: `unknown method ${method}; this server answers GET, HEAD`,
    closed: true,
  })),
  { what: 'an absolute address', bytes: get('http://example.com/v1/things'), statuses: [200], closed: false },
  { what: 'a path without a slash', bytes: get('v1/things'), statuses: [400], error: 'the request is not valid HTTP', closed: true },
  { what: 'bytes beyond ASCII in the path', bytes: Buffer.from(get('/v1/thingsé')), statuses: [400], error: 'the request is not valid HTTP', closed: true },
  {
    what: 'a body of a POST',
    bytes: `POST /v1/things HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`,
    statuses: [405],
    error: `POST is not allowed: ${refused}`,
    closed: true,
    allow: true,
  },
  {
    what: 'a body that is announced as huge',
    bytes: `POST /v1/things HTTP/1.1\r\n${HOST}Content-Length: 5000000000\r\n\r\nhello`,
    statuses: [405],
    error: `POST is not allowed: ${refused}`,
    closed: true,
    allow: true,
  },
  {
    what: 'a body of a GET is not read',
    bytes: `GET /v1/things HTTP/1.1\r\n${HOST}${KEY}Content-Type: application/json\r\nContent-Length: 5\r\n\r\nhello`,
    statuses: [200],
    closed: true,
  },
  {
    what: 'a broken body',
    bytes: `POST /v1/things HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nZZ\r\nhello`,
    statuses: [405],
    error: `POST is not allowed: ${refused}`,
    closed: true,
    allow: true,
  },
  { what: 'a chunk with 20 KB of extensions', bytes: get('/v1/sleeps/0.2?n=1', `${HOST}${KEY}Transfer-Encoding: chunked\r\n`) + `5;${'a'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`, statuses: [413], error: 'the extensions of a chunk are too large; send no body', closed: true },
  { what: 'a chunk with 20 KB of extensions that nobody reads', bytes: `POST /v1/things HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n5;${'a'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`, statuses: [405], error: /read-only/, closed: true, allow: true },
  { what: 'a broken body of a request that is not answered yet', bytes: get('/v1/sleeps/0.2?n=2', `${HOST}${KEY}Transfer-Encoding: chunked\r\n`) + 'ZZ\r\n', statuses: [400], error: 'the request is not valid HTTP', closed: true },
  {
    what: 'two lengths',
    bytes: `GET /v1/things HTTP/1.1\r\n${HOST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    statuses: [400],
    error: 'the request is not valid HTTP',
    closed: true,
  },
  {
    what: 'a length beside chunks',
    bytes: `POST /v1/things HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    statuses: [400],
    error: 'the request is not valid HTTP',
    closed: true,
  },
  { what: 'a NUL in a header', bytes: get('/v1/things', `${HOST}x: a\0b\r\n`), statuses: [400], error: 'the request is not valid HTTP', closed: true },
  { what: 'a blank in the name of a header', bytes: get('/v1/things', `${HOST}a b: c\r\n`), statuses: [400], error: 'the request is not valid HTTP', closed: true },
  { what: 'a request that never ends', bytes: `GET /v1/things HTTP/1.1\r\n${HOST}x: `, statuses: [408], error: 'the request took too long to arrive; send it without pauses', closed: true },
  { what: 'a connection that says nothing', bytes: '\r\n', statuses: [408], error: 'the request took too long to arrive; send it without pauses', closed: true },
  { what: 'a document larger than is sent', bytes: get('/v1/document/413?format=json'), statuses: [413], error: /the limit is 262144000; get it from EDGAR$/, closed: false },
  { what: 'a query of 17 KB', bytes: get(`/v1/things?states=${'a'.repeat(17_000)}`), statuses: [414], error: 'the query string is longer than 16384 bytes; split the request into several', closed: false },
  { what: 'a path of 2 KB', bytes: get(`/v1/things/${'a'.repeat(2000)}`), statuses: [414], error: 'a part of the path is longer than 1024 characters; check the identifier', closed: false },
  { what: 'an address of 40 KB', bytes: get(`/v1/things?states=${'a'.repeat(40_000)}`), statuses: [431], error: 'the address and headers together are too large; send fewer or shorter headers', closed: true },
  { what: 'headers of 40 KB', bytes: get('/v1/things', `${HOST}x: ${'a'.repeat(40_000)}\r\n`), statuses: [431], error: 'the address and headers together are too large; send fewer or shorter headers', closed: true },
  { what: 'three thousand headers', bytes: get('/v1/things', `${HOST}${'long-name: 1\r\n'.repeat(3000)}`), statuses: [431], error: 'the address and headers together are too large; send fewer or shorter headers', closed: true },
  { what: 'a path that is not UTF-8', bytes: get('/v1/things/%ff'), statuses: [400], error: 'the path is not valid percent-encoded UTF-8', closed: false },
  { what: 'two requests in one packet', bytes: get('/v1/things') + get('/v1/fresh'), statuses: [200, 200], closed: false },
  { what: 'a request and then nonsense', bytes: `${get('/v1/things')}nonsense\r\n\r\n`, statuses: [200, 400], error: 'the request is not valid HTTP', closed: true },
  { what: 'a slow request and then nonsense', bytes: `${get('/v1/sleeps/0.2')}nonsense\r\n\r\n`, statuses: [200, 400], error: 'the request is not valid HTTP', closed: true },
  { what: 'a request and then a method that nobody knows', bytes: `${get('/v1/things')}BREW / HTTP/1.1\r\n\r\n`, statuses: [200, 501], error: /^unknown method BREW/, closed: true },
  { what: 'the same key twice', bytes: get('/v1/things', HOST + KEY + KEY), statuses: [200], closed: false },
  { what: 'the same key in both headers', bytes: get('/v1/things', `${HOST}${KEY}Authorization: bearer  ${key}\r\n`), statuses: [200], closed: false },
  { what: 'another scheme beside the key', bytes: get('/v1/things', `${HOST}Authorization: Basic abc\r\n${KEY}`), statuses: [200], closed: false },
  { what: 'two keys in X-Api-Key', bytes: get('/v1/things', `${HOST}${KEY}x-api-key: ${other}\r\n`), statuses: [400], error: 'X-Api-Key and x-api-key: the request has two different API keys; send only one', closed: false },
  { what: 'two keys in Authorization', bytes: get('/v1/things', `${HOST}Authorization: Bearer ${key}\r\nAuthorization: Bearer ${other}\r\n`), statuses: [400], error: 'Authorization: the request has two different API keys; send only one', closed: false },
  { what: 'a key in each header', bytes: get('/v1/things', `${HOST}${KEY}Authorization: Bearer ${other}\r\n`), statuses: [400], error: 'X-Api-Key and Authorization: the request has two different API keys; send only one', closed: false },
  { what: 'a key and an empty one', bytes: get('/v1/things', `${HOST}${KEY}X-Api-Key:\r\n`), statuses: [400], error: 'X-Api-Key: the request has two different API keys; send only one', closed: false },
] // biome-ignore format: one case a line where it fits

const codes = new Set<Code>()

for (const { what, bytes, statuses, error, closed, allow = false } of CASES) {
  test(`${what}: ${statuses.join(', then ')}, and the connection ${closed ? 'is closed' : 'stays'}`, async () => {
    const found = await raw(bytes, { stays: !closed })
    assert.deepEqual(
      found.answers.map(({ status }) => status),
      statuses,
    )
    const { headers, body } = found.answers.at(-1)!
    assert.match(headers['x-request-id']!, /^[0-9a-f-]{36}$/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['content-length'], String(Buffer.byteLength(body, 'latin1')))
    assert.equal(headers.connection?.toLowerCase(), closed ? 'close' : 'keep-alive')
    assert.equal(found.closed, closed)
    assert.equal(headers.allow, allow ? 'GET, HEAD' : undefined)
    assert.equal(headers['transfer-encoding'], undefined)
    if (error === undefined) return
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-store')
    const answer = JSON.parse(body)
    codes.add(codeOf(found.answers.at(-1)!.status, answer))
    if (typeof error === 'string') assert.equal(answer.error, error)
    else assert.match(answer.error, error)
  })
}

test('each kind of refused bytes has an error code', () => {
  const expected: Code[] = ['malformed_request', 'bare_line_feed', 'invalid_host_header', 'expectation_failed', 'unsupported_http_version', 'unknown_method', 'method_not_allowed', 'headers_too_large', 'chunk_extensions_too_large', 'request_timeout', 'unknown_endpoint', 'invalid_encoding', 'path_part_too_long', 'query_too_long', 'unknown_parameter', 'conflicting_api_keys', 'document_too_large'] // biome-ignore format: a list
  assert.deepEqual([...codes].sort(), expected.sort())
})

for (const path of [
  '/v1/things',
  '/v1/things?x=1',
  '/v1/nothing',
  '/v1/things/%zz',
  '/v1/breaks',
  '/v1/document/9',
  '/healthz',
]) {
  test(`HEAD ${path} has the headers of the GET and no body`, async () => {
    const both = await raw(`HEAD ${path} HTTP/1.1\r\n${HOST}${KEY}\r\n`, { stays: true, isHead: true })
    const plain = await raw(get(path), { stays: true })
    assert.equal(both.answers.length, 1)
    const [head, whole] = [both.answers[0]!, plain.answers[0]!]
    assert.deepEqual([head.status, head.body], [whole.status, ''])
    const same = ['content-type', 'content-length', 'etag', 'cache-control', 'connection']
    for (const name of same) assert.equal(head.headers[name], whole.headers[name], name)
  })
}

test('bytes that were refused before they formed a request are counted and logged', async () => {
  const { answers } = await raw('nonsense\r\n\r\n')
  const id = answers[0]!.headers['x-request-id']
  const line = server.lines().find(({ reqId }) => reqId === id)
  assert.deepEqual(
    [line?.msg, line?.status, line?.code, line?.ip],
    ['refused bytes that are not a request', 400, 'malformed_request', '127.0.0.1'],
  )
  assert.match(
    (await ask(server.base, '/metrics')).text,
    /^openfilings_http_requests_total{route="unmatched",status="408",bucket="none"} [1-9]/m,
  )
})

test('a client that disconnects during its request leaves no resources in use', async () => {
  for (const bytes of [
    'GET /v1/thi',
    `POST /v1/things HTTP/1.1\r\n${HOST}Content-Length: 50\r\n\r\nhe`,
    `CONNECT x:1 HTTP/1.1\r\n${HOST}\r\n`,
  ]) {
    const socket = openSocket(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(bytes)
    await sleep(20)
    socket.resetAndDestroy()
  }
  await sleep(20)
  assert.equal((await ask(server.base, '/healthz')).status, 200)
  const errors = server.lines().filter(({ level }) => level === 50)
  assert.deepEqual(
    [...new Set(errors.map(({ err }) => (err as Error).message))],
    ['inner detail that no client may see'],
  )
})
