/** Limits on the connections of one client: no other client has to wait, and memory does not grow. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type Scratch, scratchServer } from '../support/scratch-server.ts'
import { until } from '../support/until.ts'

/** Maximum time for a request that needs almost no time. */
const STALL_MS = 2_000

interface Client {
  socket: Socket
  text: () => string
  statuses: () => number[]
  isClosed: () => boolean
}

function client(t: { after(fn: () => void): void }, { base }: Pick<Scratch, 'base'>, host = '127.0.0.1'): Client {
  const socket = connect(Number(new URL(base).port), host)
  t.after(() => void socket.destroy())
  let [text, closed] = ['', false]
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  const statuses = () => Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status))
  return { socket, text: () => text, statuses, isClosed: () => closed }
}

const server = await scratchServer({ after }, { requestTimeoutMs: 700 })
const key = await server.key()
const get = (path: string, fields = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n${fields}\r\n`

test('requests of one connection run one after the other in their order, requests of different connections in parallel', async (t) => {
  const own = await scratchServer(t)
  const asking = (path: string, of: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${of}\r\n\r\n`
  const mine = await own.key()
  const one = client(t, own)
  one.socket.write(asking('/v1/waits', mine) + asking('/v1/things', mine) + asking('/healthz', mine))
  await until('the first request runs', () => own.runs.waits === 1)
  assert.equal((await own.as(mine, '/v1/things?limit=3')).status, 200)
  assert.equal(own.runs.things, 1)
  assert.deepEqual(one.statuses(), [])
  own.release()
  await until('all three requests are answered', () => one.statuses().length === 3)
  assert.equal(own.runs.things, 2)
  assert.match(one.text(), /"status":"ok"\}$/)
})

test('a connection that sends 5,000 requests at once runs only 101 of them, and is then closed', async (t) => {
  const one = client(t, server)
  const before = server.runs.fresh ?? 0
  one.socket.write(get('/v1/fresh').repeat(5_000))
  await until('the connection is closed', one.isClosed)
  // If the server has not read all input, it resets the connection, and the last answers may then be lost.
  assert.ok(one.statuses().length <= 101)
  assert.equal((server.runs.fresh ?? 0) - before, 101)
})

test('invalid bytes after queued requests are refused after the answers to these requests', async (t) => {
  const one = client(t, server)
  one.socket.write(`${get('/v1/sleeps/0.2')}${get('/v1/things')}nonsense\r\n\r\n`)
  await until('the connection is closed', one.isClosed)
  assert.deepEqual(one.statuses(), [200, 200, 400])
})

test('after a client has disconnected, only as many of its requests run as are needed to notice the disconnection', async (t) => {
  const own = await scratchServer(t)
  const mine = await own.key()
  const one = client(t, own)
  const asking = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${mine}\r\n\r\n`
  one.socket.write(asking('/v1/waits') + asking('/v1/fresh').repeat(90))
  await until('the first request runs', () => own.runs.waits === 1)
  one.socket.destroy()
  own.release()
  await until('no connection is left', () => connectionsOf(own).then((count) => count === 0))
  assert.ok((own.runs.fresh ?? 0) < 45, `${own.runs.fresh} ran`)
})

test('a request that arrives byte by byte is refused after the time limit', async (t) => {
  const one = client(t, server)
  const bytes = get('/v1/things', `x: ${'y'.repeat(5_000)}\r\n`)
  for (let at = 0; at < bytes.length && !one.isClosed(); at++) {
    one.socket.write(bytes[at]!)
    await sleep(10)
  }
  await until('the connection is closed', one.isClosed)
  assert.deepEqual(one.statuses(), [408])
})

test('the server does not wait for a body that arrives byte by byte', async (t) => {
  const one = client(t, server)
  one.socket.write(`POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`)
  while (!one.isClosed()) {
    one.socket.write('x')
    await sleep(10)
  }
  assert.deepEqual(one.statuses(), [405])
})

const connectionsOf = ({ server: { fastify } }: Scratch) =>
  new Promise<number>((resolve) => fastify.server.getConnections((_, count) => resolve(count)))

test('a client that reads nothing of its answer is disconnected; a client with a slow request or slow reading is not', async (t) => {
  const own = await scratchServer(t, { answerStallMs: STALL_MS })
  const mine = await own.key()
  const asking = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${mine}\r\n\r\n`
  // This request takes longer than a client may be idle.
  assert.equal((await own.as(mine, '/v1/sleeps/3')).status, 200)
  // The answers have 40 MB, which is more than fits into the buffers of both sides.
  const slow = client(t, own)
  slow.socket.write(asking('/v1/large'))
  slow.socket.on('data', () => {
    slow.socket.pause()
    setTimeout(() => slow.socket.resume(), 1)
  })
  const still = client(t, own)
  still.socket.pause()
  still.socket.write(asking('/v1/large'))
  await until('both clients are connected', () => connectionsOf(own).then((count) => count === 2))
  await until('the server has closed one connection', () => connectionsOf(own).then((count) => count === 1))
  still.socket.resume()
  await until('the connection is closed', still.isClosed)
  assert.ok(still.text().length < 40_000_000)
  await until('the slow reader has the whole answers', () => slow.text().length > 40_000_000)
})

test('both addresses of localhost have the same limits and errors, and both are closed together', async (t) => {
  const own = await scratchServer(t, {
    host: 'localhost',
    requestTimeoutMs: 700,
    addressesOf: async () => ['127.0.0.1', '127.0.0.2', '203.0.113.1'],
  })
  const mine = await own.key()
  for (const host of ['127.0.0.1', '127.0.0.2']) {
    const base = `http://${host}:${new URL(own.base).port}`
    assert.equal((await ask(base, '/v1/things', { headers: { 'x-api-key': mine } })).status, 200, host)
    const answers = {
      'nonsense\r\n\r\n': '{"error":"the request is not valid HTTP","code":"malformed_request"}',
      'GET /v1/things HTTP/1.1\r\n\r\n':
        '{"error":"the header Host is missing; send it once","code":"invalid_host_header"}',
      [`GET / HTTP/1.1\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`]:
        '{"error":"the address and headers together are too large; send fewer or shorter headers","code":"headers_too_large"}',
      'GET / HTTP/1.1\r\nx: ':
        '{"error":"the request took too long to arrive; send it without pauses","code":"request_timeout"}',
    }
    for (const [bytes, body] of Object.entries(answers)) {
      const one = client(t, own, host)
      one.socket.write(bytes)
      await until('the connection is closed', one.isClosed)
      assert.ok(one.text().endsWith(body), `${host}: ${one.text()}`)
    }
    const many = client(t, own, host)
    many.socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(1_000))
    await until('the connection is closed', many.isClosed)
    assert.ok(many.statuses().length <= 101, host)
  }
  const idle = client(t, own, '127.0.0.2')
  idle.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await until('the request is answered', () => idle.statuses().length === 1)
  await own.server.close()
  await until('the idle connection is closed', idle.isClosed)
  await assert.rejects(ask(`http://127.0.0.2:${new URL(own.base).port}`, '/healthz'), { code: 'ECONNREFUSED' })
})

test('connections beyond the limit are closed and counted, and a new one is accepted after another has closed', async (t) => {
  const own = await scratchServer(t, { connectionsMax: 2 })
  const asking = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  const [first, second] = [client(t, own), client(t, own)]
  for (const one of [first, second]) {
    one.socket.write(asking)
    await until('the request is answered', () => one.statuses().length === 1)
  }
  const third = client(t, own)
  await until('the third connection is closed', third.isClosed)
  first.socket.destroy()
  await until('one connection is left', () => connectionsOf(own).then((count) => count === 1))
  const { text } = await ask(own.base, '/metrics')
  assert.match(text, /^openfilings_connections_refused_total 1$/m)
})
