/** Bodies of answers: ETags, compression, HEAD, and the cache in memory. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { DATA_CHANNEL } from '../../src/store/meta.ts'
import { ask, scratchServer } from '../support/scratch-server.ts'
import { until } from '../support/until.ts'

const server = await scratchServer({ after })
const key = await server.key()
const get = (path: string, headers: Record<string, string> = {}) => server.as(key, path, { headers })

const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }

test('chosen fields also apply to an answer that the database returns as JSON text', async () => {
  const whole = (await get('/v1/long')).json<object[]>()
  assert.deepEqual((await get('/v1/long?fields=name')).json(), whole)
  assert.equal((await get('/v1/long?omit=name')).status, 400, 'no field is left')
})

for (const [coding, decode] of Object.entries(DECODERS)) {
  test(`a long body is sent as ${coding} to a client that accepts it, with its own length and ETag`, async () => {
    const plain = await get('/v1/long')
    const packed = await get('/v1/long', { 'accept-encoding': coding })
    assert.equal(packed.headers['content-encoding'], coding)
    assert.equal(packed.headers['content-length'], String(packed.body.length))
    assert.deepEqual(decode(packed.body), plain.body)
    assert.notEqual(packed.headers.etag, plain.headers.etag)
    assert.equal(packed.headers.vary, 'accept, accept-encoding')
  })
}

const NEGOTIATIONS: [accepted: string | undefined, coding: string | undefined][] = [
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate', undefined],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['GZIP', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['zstd;q=0, br', 'br'],
  ['*', 'zstd'],
  ['*;q=0', undefined],
  ['gzip;q=0.1, identity', undefined],
  ['gzip;q=nonsense', undefined],
]
for (const [accepted, coding] of NEGOTIATIONS) {
  test(`Accept-Encoding ${accepted ?? 'absent'} gets ${coding ?? 'the plain body'}`, async () => {
    const { headers } = await get('/v1/long', accepted === undefined ? {} : { 'accept-encoding': accepted })
    assert.equal(headers['content-encoding'], coding)
  })
}

test('a short body is never compressed', async () => {
  const { headers } = await get('/v1/things', { 'accept-encoding': 'gzip, br, zstd' })
  assert.equal(headers['content-encoding'], undefined)
})

test('the ETag of any encoding is answered with 304 without a body, and a different ETag gets the full answer', async () => {
  for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
    const { headers } = await get('/v1/long', { 'accept-encoding': coding })
    const again = await get('/v1/long', { 'if-none-match': `"other", W/${headers.etag}` })
    assert.deepEqual([again.status, again.body.length, again.headers.etag !== undefined], [304, 0, true], coding)
    assert.equal(again.headers['cache-control'], 'private, no-cache')
  }
  assert.equal((await get('/v1/long', { 'if-none-match': '"other"' })).status, 200)
})

test('the ETag depends only on the content', async () => {
  const first = await get('/v1/fresh')
  assert.equal((await get('/v1/fresh')).headers.etag, first.headers.etag)
  server.clock.now = new Date(server.clock.now.getTime() + 1)
  assert.notEqual((await get('/v1/fresh')).headers.etag, first.headers.etag)
})

for (const path of [
  '/v1/long',
  '/v1/document/1',
  '/v1/document/2',
  '/v1/things?limit=51',
  '/docs',
  '/v1/openapi.json',
]) {
  test(`HEAD ${path} is answered like GET without the body`, async () => {
    const [got, head] = [await get(path), await server.as(key, path, { method: 'HEAD' })]
    assert.equal(head.status, got.status)
    assert.equal(head.body.length, 0)
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      assert.equal(head.headers[name], got.headers[name], name)
    }
  })
}

test('an answer is computed once for an address, independent of the key and the order of parameters', async () => {
  const before = server.runs.things ?? 0
  const other = await server.key()
  await get('/v1/things?limit=7&dir=desc')
  const { status } = await server.as(other, '/v1/things?dir=desc&limit=7')
  assert.deepEqual([status, server.runs.things], [200, before + 1])
  await get('/v1/things?limit=8&dir=desc')
  assert.equal(server.runs.things, before + 2)
})

test('a route without caching runs each time, and answers 404 and errors are never cached', async () => {
  for (const [name, path] of [
    ['fresh', '/v1/fresh'],
    ['thing', '/v1/things/0000000000-00-000000'],
    ['breaks', '/v1/breaks'],
  ] as const) {
    const before = server.runs[name] ?? 0
    await get(path)
    await get(path)
    assert.equal(server.runs[name], before + 2, name)
  }
})

test('concurrent equal requests share one computation', async () => {
  const waiting = Array.from({ length: 5 }, () => get('/v1/waits'))
  // If the first request ended before the others arrived, the others would be answered from memory.
  await until('four requests wait for the same computation', () => joined(4))
  server.release()
  const replies = await Promise.all(waiting)
  assert.ok(replies.every(({ status }) => status === 200))
  assert.equal(server.runs.waits, 1)
})

/** Tests whether the given number of requests wait for the computation of another request. */
async function joined(requests: number): Promise<boolean> {
  const { text } = await ask(server.base, '/metrics')
  return text.includes(`openfilings_cache_answers_total{outcome="shared"} ${requests}\n`)
}

/** Repeats the request until the answer has the value. */
const answers = (value: string) =>
  until(`the version is ${value}`, async () => (await get('/v1/version')).json<{ value: string }>().value === value)

const setVersion = (value: string) =>
  server.sql`
    insert into core.data_version values ('scratch', 'load', ${value})
    on conflict (slug, source) do update set version = excluded.version`.then(() => {})

test('cached answers are used until a change of the data is announced', async () => {
  await answers('0')
  await setVersion('1')
  assert.equal((await get('/v1/version')).json<{ value: string }>().value, '0')
  await server.sql`select pg_notify(${DATA_CHANNEL}, '')`
  await answers('1')
})

test('a change that was announced while the connection was lost is noticed after the reconnection', async () => {
  await answers('1')
  await setVersion('2')
  const ended = await server.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`
  assert.equal(ended.length, 1)
  await answers('2')
})

test('the metrics distinguish cache hits, shared computations and misses', async () => {
  const { text } = await ask(server.base, '/metrics')
  for (const outcome of ['hit', 'shared', 'miss']) {
    assert.match(text, new RegExp(`openfilings_cache_answers_total{outcome="${outcome}"} [1-9]`))
  }
  assert.match(text, /openfilings_cache_bytes [1-9]/)
  assert.match(text, /openfilings_data_version 2\n/)
})
