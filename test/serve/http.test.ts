/** Guarantees of every endpoint: statuses, the common error format, keys, scopes, limits, input. */
import assert from 'node:assert/strict'
import { connect as openSocket } from 'node:net'
import { after, test } from 'node:test'
import type { Code } from '../../src/declare/api-errors.ts'
import { revokeKey } from '../../src/serve/keys.ts'
import { codeOf } from '../support/error-codes.ts'
import { ask, KNOWN, type Reply, scratchServer } from '../support/scratch-server.ts'

const server = await scratchServer({ after })
const key = await server.key()

interface Case {
  status: number
  code?: Code
  path: string
  /** Returns the key that replaces the default key of the request. Returns null for a request without a key. */
  key?: () => Promise<string | null>
  method?: string
  headers?: Record<string, string>
  error?: RegExp
}

const withScopes = (...scopes: string[]) => ({ key: () => server.key({ scopes }) })
const revoked = async () => {
  const made = await server.key()
  await revokeKey(server.sql, made, server.clock.now)
  return made
}
const expired = async () => {
  const made = await server.key({ expiresAt: new Date(server.clock.now.getTime() + 1) })
  server.clock.now = new Date(server.clock.now.getTime() + 1)
  return made
}
const spent = async () => {
  const made = await server.key({ generalLimit: 1 })
  await server.as(made, '/v1/fresh')
  return made
}

const CASES: Case[] = [
  { status: 200, path: '/v1/things' },
  { status: 200, path: `/v1/things/${KNOWN.replaceAll('-', '')}` },
  { status: 200, path: '/v1/document/1' },
  { status: 304, path: '/v1/things', headers: { 'if-none-match': '*' } },
  {
    status: 400,
    code: 'invalid_parameter',
    path: '/v1/things?limit=51',
    error: /^limit: must be a whole number from 1 to 50$/,
  },
  {
    status: 400,
    code: 'invalid_parameter',
    path: '/v1/things?limit=0',
    error: /^limit: must be a whole number from 1 to 50$/,
  },
  {
    status: 400,
    code: 'invalid_parameter',
    path: '/v1/things?limit=1.5',
    error: /^limit: must be a whole number from 1 to 50$/,
  },
  {
    status: 400,
    code: 'invalid_parameter',
    path: '/v1/things?limit=',
    error: /^limit: must be a whole number from 1 to 50$/,
  },
  { status: 400, code: 'invalid_parameter', path: '/v1/things?dir=up', error: /^dir: must be one of asc, desc$/ },
  { status: 400, code: 'invalid_parameter', path: '/v1/things?limit=x&dir=up', error: /^limit: .*; dir: / },
  {
    status: 400,
    code: 'invalid_parameter',
    path: '/v1/things?states=NY,TEX',
    error: /^states: value 2 must be two letters$/,
  },
  {
    status: 400,
    code: 'unknown_parameter',
    path: '/v1/things?colour=red',
    error: /^"colour": unknown parameter; .* dir, fields, format, limit, omit, states$/,
  },
  { status: 400, code: 'unknown_parameter', path: '/v1/things?__proto__=1', error: /^"__proto__": unknown parameter/ },
  {
    status: 400,
    code: 'repeated_parameter',
    path: '/v1/things?limit=1&limit=2',
    error: /^limit: given more than once; give it once$/,
  },
  { status: 400, code: 'invalid_parameter', path: '/v1/things?states=%00', error: /^states: must not contain NUL/ },
  {
    status: 400,
    code: 'invalid_encoding',
    path: '/v1/things?states=%C3',
    error: /^states: is not valid percent-encoded UTF-8$/,
  },
  {
    status: 400,
    code: 'invalid_encoding',
    path: '/v1/things?%zz=1',
    error: /^a parameter name: is not valid percent-encoded UTF-8$/,
  },
  { status: 400, code: 'invalid_encoding', path: '/v1/things/%zz', error: /path is not valid percent-encoded UTF-8/ },
  { status: 400, code: 'invalid_parameter', path: '/v1/things/%00', error: /^accession: must not contain NUL/ },
  { status: 400, code: 'invalid_parameter', path: '/v1/things/abc', error: /^accession: must be an accession/ },
  {
    status: 400,
    code: 'unknown_parameter',
    path: `/v1/things/${KNOWN}?accession=${KNOWN}`,
    error: /unknown parameter.*takes no parameters$/,
  },
  { status: 401, code: 'missing_api_key', path: '/v1/things', key: async () => null, error: /API key is needed/ },
  { status: 401, code: 'invalid_api_key', path: '/v1/things', key: async () => 'not-a-key', error: /not valid/ },
  {
    status: 401,
    code: 'missing_api_key',
    path: '/v1/things',
    key: async () => null,
    headers: { authorization: 'Basic abc' },
  },
  {
    status: 401,
    code: 'invalid_api_key',
    path: '/v1/things',
    key: async () => `of_12345678_${'1'.repeat(28)}`,
    error: /unknown/,
  },
  {
    status: 401,
    code: 'invalid_api_key',
    path: '/v1/things',
    key: async () => `${key.slice(0, -1)}${key.endsWith('z') ? 'y' : 'z'}`,
  },
  { status: 401, code: 'invalid_api_key', path: '/v1/things', key: revoked },
  { status: 401, code: 'invalid_api_key', path: '/v1/things', key: expired },
  {
    status: 403,
    code: 'missing_scope',
    path: '/v1/things',
    ...withScopes('mcp'),
    error: /lacks the scope api; it has mcp/,
  },
  {
    status: 403,
    code: 'missing_scope',
    path: '/v1/brochures/1',
    ...withScopes('api'),
    error: /lacks the scope brochures/,
  },
  { status: 200, path: '/v1/brochures/1', ...withScopes('api', 'brochures') },
  {
    status: 403,
    code: 'endpoint_closed',
    path: '/v1/adv/rep/1/movements',
    key: () => server.key({ selfServe: true }),
    error: /self-serve/,
  },
  { status: 200, path: '/v1/adv/rep/1/movements' },
  { status: 404, code: 'unknown_endpoint', path: '/v1/nothing', key: async () => null, error: /no such endpoint/ },
  { status: 404, code: 'unknown_endpoint', path: '/v1/things/x/y', error: /no such endpoint/ },
  { status: 404, code: 'unknown_endpoint', path: '/nothing', key: async () => null },
  {
    status: 404,
    code: 'not_found',
    path: '/v1/things/0000000000-00-000000',
    error: /^not found: accession 0000000000-00-000000$/,
  },
  { status: 404, code: 'unknown_endpoint', path: '/v1/nothing', method: 'POST' },
  { status: 405, code: 'method_not_allowed', path: '/v1/things', method: 'POST', error: /read-only/ },
  { status: 405, code: 'method_not_allowed', path: `/v1/things/${KNOWN}`, method: 'DELETE' },
  { status: 405, code: 'method_not_allowed', path: '/v1/things', method: 'OPTIONS' },
  { status: 405, code: 'method_not_allowed', path: '/v1/things', method: 'PROPFIND' },
  { status: 405, code: 'method_not_allowed', path: '/healthz', method: 'PUT' },
  {
    status: 413,
    code: 'document_too_large',
    path: '/v1/document/413?format=json',
    error: /the limit is 262144000; get it from EDGAR$/,
  },
  { status: 414, code: 'query_too_long', path: `/v1/things?states=${'a'.repeat(16_400)}`, error: /query string/ },
  {
    status: 429,
    code: 'rate_limit_exceeded',
    path: '/v1/fresh',
    key: spent,
    error: /^the general limit of 1 requests a minute is exceeded for this key; /,
  },
  { status: 500, code: 'internal_error', path: '/v1/breaks', error: /^internal error; quote request id / },
  { status: 503, code: 'query_too_expensive', path: '/v1/expensive', error: /too expensive/ },
  { status: 503, code: 'count_too_expensive', path: '/v1/expensive?count=exact', error: /or use count=estimate$/ },
  { status: 503, code: 'query_too_expensive', path: '/v1/expensive?count=estimate', error: /too expensive/ },
  {
    status: 503,
    code: 'database_busy',
    path: '/v1/raises/40001',
    error: /database was busy changing the requested data; try again$/,
  },
  {
    status: 503,
    code: 'database_busy',
    path: '/v1/raises/40P01',
    error: /database was busy changing the requested data; try again$/,
  },
  {
    status: 503,
    code: 'database_busy',
    path: '/v1/raises/55P03',
    error: /database was busy changing the requested data; try again$/,
  },
  {
    status: 503,
    code: 'database_read_only',
    path: '/v1/raises/25006',
    error: /database accepts no changes at the moment; try again soon$/,
  },
  { status: 503, code: 'connection_lost', path: '/v1/loses', error: /^the connection to the database was lost/ },
  { status: 503, code: 'database_unavailable', path: '/v1/unreachable', error: /database cannot be reached/ },
]

const RATE = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit-policy', 'ratelimit']

async function reply({ path, key: other, method, headers = {} }: Case): Promise<Reply> {
  const text = other ? await other() : key
  const all = { ...(text === null ? {} : { authorization: `Bearer ${text}` }), ...headers }
  return ask(server.base, path, { ...(method ? { method } : {}), headers: all })
}

for (const one of CASES) {
  test(`${one.method ?? 'GET'} ${one.path.slice(0, 70)} is ${one.status}${one.error ? ` ${one.error}` : ''}`, async () => {
    const { status, headers, text, json } = await reply(one)
    assert.equal(status, one.status, text)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(headers['x-request-id'] as string, /^[\w.-]{1,64}$/)
    assert.equal(headers['access-control-allow-origin'], undefined)
    assert.equal(headers.server, undefined)
    if (status < 400) return
    assert.equal(codeOf(status, json()), one.code)
    assert.match(json().error, one.error ?? /./)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['www-authenticate'] !== undefined, status === 401)
    assert.equal(headers['retry-after'] !== undefined, status === 429 || status === 503)
    assert.equal(headers.allow, status === 405 ? 'GET, HEAD' : undefined)
  })
}

test('every answer to a known key has the old and the new rate-limit headers, including errors and 304', async () => {
  const paths = ['/v1/fresh', '/v1/document/1', '/v1/things/x', '/v1/things/0000000000-00-000000', '/v1/breaks']
  const replies = await Promise.all(paths.map((path) => server.as(key, path)))
  replies.push(await server.as(key, '/v1/things', { headers: { 'if-none-match': '*' } }))
  replies.push(await server.as(await server.key({ scopes: ['mcp'] }), '/v1/fresh'))
  replies.push(await server.as(await spent(), '/v1/fresh'))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 400, 404, 500, 304, 403, 429],
  )
  for (const { headers } of replies) for (const name of RATE) assert.ok(headers[name], name)
})

test('a request counts against its bucket, the headers agree, and the other bucket is unchanged', async () => {
  const limited = await server.key({ searchLimit: 2, generalLimit: 3 })
  const first = await server.as(limited, '/v1/things')
  const second = await server.as(limited, '/v1/things')
  const third = await server.as(limited, '/v1/things')
  assert.deepEqual(
    [first, second, third].map(({ status, headers }) => [status, headers['ratelimit-remaining']]),
    [
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ],
  )
  assert.match(third.json().error, /^the search limit of 2 requests a minute is exceeded for this key/)
  const reset = Number(third.headers['ratelimit-reset'])
  assert.ok(Number.isInteger(reset) && reset >= 1 && reset <= 60)
  assert.equal(third.headers['retry-after'], String(reset))
  assert.equal(third.headers['ratelimit-policy'], '"search";q=2;w=60')
  assert.equal(third.headers.ratelimit, `"search";r=0;t=${reset}`)
  assert.equal((await server.as(limited, '/v1/fresh')).headers['ratelimit-remaining'], '2')
})

test('a request that is refused for its scope does not count against the limit, and an invalid request counts', async () => {
  const mcp = await server.key({ scopes: ['mcp'], generalLimit: 5 })
  await server.as(mcp, '/v1/fresh')
  assert.equal((await server.as(mcp, '/v1/fresh')).headers['ratelimit-remaining'], '5')
  const own = await server.key({ generalLimit: 5 })
  await server.as(own, '/v1/things/x')
  assert.equal((await server.as(own, '/v1/fresh')).headers['ratelimit-remaining'], '3')
})

test('a key is accepted in X-Api-Key as well as in Authorization', async () => {
  const answer = await ask(server.base, '/v1/fresh', { headers: { 'x-api-key': key } })
  assert.equal(answer.status, 200)
})

test('a revoked key stops working within 30 seconds', async () => {
  const doomed = await server.key()
  assert.equal((await server.as(doomed, '/v1/fresh')).status, 200)
  await revokeKey(server.sql, doomed, server.clock.now)
  server.clock.now = new Date(server.clock.now.getTime() + 30_000)
  assert.equal((await server.as(doomed, '/v1/fresh')).status, 401)
})

test('errors are sent as problem+json, with the same message, to a client that accepts this format', async () => {
  const { status, headers, json } = await server.as(key, '/v1/things?limit=51', {
    headers: { accept: 'application/problem+json, application/json' },
  })
  assert.equal(status, 400)
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json\b/)
  const detail = 'limit: must be a whole number from 1 to 50'
  assert.deepEqual(json(), {
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    detail,
    error: detail,
    code: 'invalid_parameter',
  })
})

test('errors of document routes are plain text unless the client requests JSON', async () => {
  const plain = await server.as(key, '/v1/document/9')
  assert.deepEqual([plain.status, plain.headers['content-type']], [404, 'text/plain; charset=utf-8'])
  assert.equal(plain.text, 'not found: seq 9\n')
  const answer = await server.as(key, '/v1/document/9', { headers: { accept: 'application/json' } })
  assert.deepEqual(answer.json(), { error: 'not found: seq 9', code: 'not_found' })
  const format = await server.as(key, '/v1/document/9?format=json')
  assert.deepEqual(format.json(), { error: 'not found: seq 9', code: 'not_found' })
  const anonymous = await ask(server.base, '/v1/document/9')
  assert.deepEqual([anonymous.status, anonymous.headers['content-type']], [401, 'text/plain; charset=utf-8'])
})

test('parameters are decoded, and their order does not matter', async () => {
  const one = await server.as(key, '/v1/things?limit=3&states=%4EY,tx')
  const other = await server.as(key, '/v1/things?states=NY,tx&limit=3&')
  assert.equal(JSON.parse(one.json<{ name: string }[]>()[0]!.name).states.join(), 'NY,tx')
  assert.equal(one.headers.etag, other.headers.etag)
})

const raw = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = openSocket(Number(new URL(server.base).port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text)).on('error', reject)
  })

test('bytes that are not HTTP, and headers above 32 KB, are answered in the same error format', async () => {
  const nonsense = await raw('nonsense\r\n\r\n')
  assert.match(nonsense, /^HTTP\/1\.1 400 /)
  assert.deepEqual(JSON.parse(nonsense.split('\r\n\r\n')[1]!), {
    error: 'the request is not valid HTTP',
    code: 'malformed_request',
  })
  const huge = await raw(`GET /v1/things HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(40_000)}\r\n\r\n`)
  assert.match(huge, /^HTTP\/1\.1 431 /)
  assert.match(
    huge,
    /"error":"the address and headers together are too large; send fewer or shorter headers","code":"headers_too_large"}$/,
  )
})
