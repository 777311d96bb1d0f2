/**
 * Memory for many requests that are sent at once.
 *
 * @alone the memory of its process is measured
 */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { type Limiter, limiter } from '../../src/serve/limits.ts'
import { memoryInUse } from '../support/memory.ts'
import { scratchServer } from '../support/scratch-server.ts'
import { until } from '../support/until.ts'

const CONNECTIONS = 30
const REQUESTS = 5_000
const MB = 1024 ** 2

test('if many requests are sent at once, the server does not hold all of them in memory', async (t) => {
  const own = limiter()
  let begun = 0
  const take: Limiter['take'] = (...of) => {
    begun++
    return own.take(...of)
  }
  const server = await scratchServer(t, { limiter: { ...own, take } })
  const key = await server.key()
  const port = Number(new URL(server.base).port)
  const before = await memoryInUse()
  // The first request of each connection waits, so that all later requests are in memory.
  const all = `GET /v1/waits HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n${'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(REQUESTS)}`
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1').on('error', () => {}))
  let closed = 0
  for (const socket of sockets) {
    socket.on('close', () => closed++).resume()
    socket.write(all)
  }
  await until('the first request of each connection has begun', () => begun === CONNECTIONS)
  const held = (await memoryInUse()) - before
  t.diagnostic(`${Math.round(held / MB)} MB were held`)
  // All requests together would take 550 MB. The server parses the requests in one chunk of 64 KB at once.
  assert.ok(held < 200 * MB, `${Math.round(held / MB)} MB are held`)
  server.release()
  await until('all connections are closed', () => closed === CONNECTIONS)
  const left = (await memoryInUse()) - before
  assert.ok(left < 50 * MB, `${Math.round(left / MB)} MB are left`)
})
