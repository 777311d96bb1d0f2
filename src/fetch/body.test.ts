import assert from 'node:assert/strict'
import type { RequestListener, ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { failing, serving, stillClient, text } from '../../test/support/loopback.ts'
import type { ClientEvent, ClientOptions } from './client.ts'

const CONTENT = Array.from({ length: 40_000 }, (_, i) => `${(i * 7919) % 1009}|edgar/data/${i}`).join('\n')

/** A client that tries each path once, and a server that answers all requests by `listener`. */
async function once(t: TestContext, listener: RequestListener, options: Partial<ClientOptions> = {}) {
  return stillClient(t, await serving(t, listener), { attempts: 1, ...options }).client
}

/** Writes for as long as the client reads. */
function endless(response: ServerResponse): void {
  response.write('x'.repeat(10_000), (error) => {
    if (!error) endless(response)
  })
}

test('gzip is requested and decoded', async (t) => {
  const requests: unknown[] = []
  const client = await once(t, (request, response) => {
    requests.push(request.headers['accept-encoding'])
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(CONTENT))
  })
  assert.equal(await client.get('/x', text), CONTENT)
  assert.deepEqual(requests, ['gzip'])
  assert.equal(client.stats().bytes, Buffer.byteLength(CONTENT))
})

test('an encoding that was not requested is refused', async (t) => {
  const client = await once(t, (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x'))
  await assert.rejects(client.get('/x', text), failing('refused', '"br"'))
})

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)
const CUTS: [string, RequestListener][] = [
  [
    'cut before its Content-Length',
    (_, response) => {
      response.writeHead(200, { 'content-length': CONTENT.length })
      response.write(half(Buffer.from(CONTENT)), () => response.socket?.end())
    },
  ],
  [
    'cut before its last chunk',
    (_, response) => {
      response.writeHead(200)
      response.write(half(Buffer.from(CONTENT)), () => response.socket?.end())
    },
  ],
  [
    'cut by a reset',
    (_, response) => {
      response.writeHead(200, { 'content-length': CONTENT.length })
      response.write('abc', () => response.socket?.resetAndDestroy())
    },
  ],
  [
    'cut inside its gzip stream, though the answer is whole',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(half(gzipSync(CONTENT))),
  ],
  [
    'cut before the checksum of its gzip stream',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(CONTENT).subarray(0, -8)),
  ],
  [
    'with a wrong checksum',
    (_, response) => {
      const packed = gzipSync(CONTENT)
      packed[packed.length - 6]! ^= 1
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
    },
  ],
]

for (const [how, listener] of CUTS) {
  test(`a body ${how} is truncated`, async (t) => {
    const client = await once(t, listener)
    await assert.rejects(client.get('/x', text), failing('truncated', '/x broke off after'))
  })
}

test('a body whose Content-Length is too large is refused unread', async (t) => {
  const client = await once(
    t,
    (_, response) => response.writeHead(200, { 'content-length': 1001 }).end('x'.repeat(1001)),
    {
      sizeMax: 1000,
    },
  )
  const read = t.mock.fn(text)
  await assert.rejects(client.get('/x', read), failing('too large', '1000 bytes'))
  assert.equal(read.mock.callCount(), 0)
  assert.equal((await client.get('/x', text, { sizeMax: 1001 }))?.length, 1001)
})

test('a body without a Content-Length is stopped at the limit', async (t) => {
  const client = await once(t, (_, response) => {
    endless(response)
  })
  await assert.rejects(client.get('/x', text, { sizeMax: 1_000_000 }), failing('too large'))
})

test('a zip bomb is stopped at the limit of decoded bytes', async (t) => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  assert.ok(bomb.length < 1_000_000)
  const client = await once(t, (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
  let seen = 0
  const count = async ({ body }: { body: AsyncIterable<Uint8Array> }) => {
    for await (const chunk of body) seen += chunk.length
  }
  await assert.rejects(client.get('/x', count, { sizeMax: 1_000_000 }), failing('too large'))
  assert.ok(seen <= 1_000_000)
})

test('a host that never answers causes a time-out', async (t) => {
  const client = await once(t, () => {}, { timeoutMs: 50 })
  await assert.rejects(client.get('/x', text), failing('timeout', '50 ms'))
})

test('a body that stops arriving causes a time-out', async (t) => {
  const client = await once(t, (_, response) => response.writeHead(200).write('half'), { timeoutMs: 50 })
  await assert.rejects(client.get('/x', text), failing('timeout', '/x'))
})

test('a body that arrives too slowly causes a time-out, even if each chunk arrives in time', async (t) => {
  const client = await once(
    t,
    (_, response) => {
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    },
    { timeoutMs: 1_000, totalMs: 150 },
  )
  await assert.rejects(client.get('/x', text), failing('timeout'))
})

test('a slow reader does not cause a time-out', async (t) => {
  const client = await once(t, (_, response) => response.end(CONTENT.repeat(3)), { timeoutMs: 700, totalMs: 1000 })
  const length = await client.get('/x', async ({ body }) => {
    let size = 0
    for await (const chunk of body) {
      if (size === 0) await delay(1500)
      size += chunk.length
    }
    return size
  })
  assert.equal(length, CONTENT.length * 3)
})

test('the connection is closed if a reader stops early or reads nothing', async (t) => {
  let open = 0
  const client = await once(t, (_, response) => {
    open++
    response.on('close', () => open--)
    endless(response)
  })
  assert.equal(await client.get('/x', async () => 'unread'), 'unread')
  const first = await client.get('/x', async ({ body }) => {
    for await (const chunk of body) return chunk.length > 0
  })
  assert.equal(first, true)
  while (open > 0) await delay(5)
})

test('a slow answer is logged while it arrives and counted at its end; a slow reader causes neither', async (t) => {
  const events: ClientEvent[] = []
  const next = Promise.withResolvers<void>()
  const url = await serving(t, async (request, response) => {
    if (request.url === '/quick') return response.end('quick')
    response.write('slow')
    await delay(80)
    response.write(', ')
    await next.promise
    response.end('and done')
  })
  const onEvent = (event: ClientEvent) => {
    if (event.event !== 'edgar.slow') return
    events.push(event)
    next.resolve()
  }
  const { client } = stillClient(t, url, { slowMs: 50, log: onEvent })
  // If the client reported the slow answer only after its end, this call would wait forever.
  assert.equal(await client.get('/slow', text), 'slow, and done')
  await client.get('/quick', async ({ body }) => {
    for await (const _ of body) await delay(80)
  })
  assert.deepEqual(
    events.map((event) => [event.event, event.path]),
    [['edgar.slow', '/slow']],
  )
  assert.match(events[0]!.reason, /^\/slow comes slowly: 6 bytes in 0 s$/)
  const { slow } = client.stats()
  assert.deepEqual(
    slow.map(({ path, bytes }) => [path, bytes]),
    [['/slow', 14]],
  )
})
