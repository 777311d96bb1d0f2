/** Requests to the sign-in provider. */
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { providerSender } from '../../src/fetch/provider.ts'

async function serving(t: { after(fn: () => void): void }, answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const send = providerSender({ timeoutMs: 20_000 })
const impatient = providerSender({ timeoutMs: 200 })

test('the request’s method, headers and body are sent, and the answer’s status, headers and body are returned', async (t) => {
  const origin = await serving(t, async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString()
    response.writeHead(201, { 'x-own': [request.method!, body], 'content-type': 'text/plain' }).end('an answer')
  })
  const body = new URLSearchParams({ a: 'b c' })
  const answer = await send(`${origin}/token`, { method: 'POST', headers: { accept: '*/*' }, body })
  assert.deepEqual([answer.status, await answer.text()], [201, 'an answer'])
  assert.equal(answer.headers.get('x-own'), 'POST, a=b+c')
  const none = await serving(t, (_request, response) => response.writeHead(204).end())
  assert.equal(await (await send(none, {})).text(), '')
})

test('a redirect is returned and not followed, because following it could send the secret to another host', async (t) => {
  let asked = 0
  const origin = await serving(t, (_request, response) => {
    asked++
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  assert.equal((await send(origin, {})).status, 307)
  assert.equal(asked, 1)
})

test('silence, a slow body, a body that is too large, and a broken answer are errors that name only the host', async (t) => {
  const cases: [RequestListener, RegExp][] = [
    [() => {}, /gave no answer within 0\.2 seconds/],
    [(_request, response) => void response.writeHead(200).write('x'), /gave no answer within 0\.2 seconds/],
    [(_request, response) => void response.writeHead(200).end('x'.repeat(1_000_001)), /sent more than 1000000 bytes/],
    [(request) => request.socket.destroy(), /cannot be reached: ECONNRESET/],
    [(_request, response) => void response.writeHead(999).end('x'), /answered with the status 999/],
    [
      (_request, response) => {
        response.writeHead(200, { 'content-length': '10' }).write('x')
        setImmediate(() => response.destroy())
      },
      /broke off its answer/,
    ],
  ]
  for (const [answer, reason] of cases) {
    const origin = await serving(t, answer)
    await assert.rejects(
      (reason.source.includes('0\\.2') ? impatient : send)(`${origin}/token?code=hidden`, {
        body: 'secret=hidden',
        method: 'POST',
      }),
      (error: Error) => {
        assert.match(error.message, reason)
        assert.match(error.message, /^127\.0\.0\.1:\d+ /)
        assert.doesNotMatch(error.message, /hidden/)
        return true
      },
    )
  }
})
