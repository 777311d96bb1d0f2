/**
 * The header that marks the data as the bundled sample: in every answer while the sample is loaded, and in none
 * afterwards.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { everythingChanged } from '../../src/store/meta.ts'
import { serveSample } from '../support/served.ts'
import { until } from '../support/until.ts'

const served = await serveSample({ after })
const { hostname, port } = new URL(served.origin)

/** Returns the status and the value of the header as soon as an answer begins, without waiting for its end. */
async function begun(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request({ hostname, port, path, method, agent: false, headers: { host: 'localhost', ...headers } })
  sent.on('error', () => {}).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.on('error', () => {}).destroy()
  return [response.statusCode, response.headers['openfilings-sample']]
}

/** Returns the status and the value of the header for bytes that are not a valid request. */
async function refused() {
  const socket = connect(Number(port), hostname)
  socket.write('nonsense\r\n\r\n')
  const text = String(Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)))
  return [Number(text.split(' ')[1]), /^openfilings-sample: (.*)\r$/m.exec(text)?.[1]]
}

const key = { 'x-api-key': served.keys.full }
const tag = (await served.get('/brokers')).headers.get('etag')!
const ANSWERS: readonly (readonly [status: number, ...request: Parameters<typeof begun>])[] = [
  [200, '/v1/filings', key],
  [200, '/v1/filings', key],
  [200, '/v1/filings', key, 'HEAD'],
  [304, '/v1/brokers', { ...key, 'if-none-match': tag }],
  [200, '/v1/feed?format=csv', key],
  [200, '/v1/feed', { ...key, accept: 'application/x-ndjson' }],
  [200, '/v1/events', { ...key, accept: 'text/event-stream' }],
  [400, '/v1/filings?no=1', key],
  [400, '/v1/filings?no=1', { ...key, accept: 'application/problem+json' }],
  [401, '/v1/filings'],
  [404, '/v1/filing/0000000000-00-000000', key],
  [404, '/v1/nowhere', key],
  [405, '/v1/filings', key, 'POST'],
  [421, '/docs', { host: 'elsewhere.example.org' }],
  [200, '/'],
  [200, '/docs'],
  [200, '/healthz'],
  [200, '/readyz'],
  [200, '/metrics'],
  [200, '/v1/openapi.json'],
]

async function assertAll(value: string | undefined) {
  for (const [status, ...params] of ANSWERS) assert.deepEqual(await begun(...params), [status, value], params.join(' '))
  assert.deepEqual(await refused(), [400, value])
}

test('every answer says that the sample is loaded, and none does once real data has replaced the sample', async () => {
  await assertAll('true')
  // Changes only the stored origin. The rows of the sample stay, so that the server can answer the same requests.
  await served.sql.begin(async (tx) => {
    await tx`update core.meta set value = 'edgar' where name = 'origin'`
    await everythingChanged(tx)
  })
  await until('the service knows of the change', async () => (await begun('/healthz'))[1] === undefined)
  await assertAll(undefined)
})
