/**
 * Requests through the proxy that the environment names: https by CONNECT, plain http with the full URL, and no proxy
 * if NO_PROXY matches.
 */
import assert from 'node:assert/strict'
import { createServer as createHttp, type IncomingMessage } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createConnection, type Server, type Socket } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { readSettings } from '../../src/config.ts'
import { edgarClient } from '../../src/fetch/client.ts'
import { sender } from '../../src/fetch/post.ts'
import { proxyAgent, useProxies } from '../../src/fetch/proxy.ts'
import { main } from '../../src/main.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../support/certificate.ts'
import { run } from '../support/command.ts'

const open = new Set<Socket>()
async function listening<S extends Server>(server: S): Promise<S & { port: number }> {
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(server, { port: (server.address() as AddressInfo).port })
}

/** Requests that the proxy has received, and its behaviour for the next request. */
let requests: { line: string; authorization: string | undefined }[] = []
let answer: 'tunnel' | 'refuse' | 'hang' = 'tunnel'
const bodyOf = async (request: IncomingMessage) => String(Buffer.concat(await request.toArray()))

const trusted = getCACertificates('default')
setDefaultCACertificates([CERTIFICATE])
const host = await listening(
  createHttps({ cert: CERTIFICATE, key: PRIVATE_KEY }, async (request, response) => {
    response.end(`${request.method} ${request.headers.host} ${request.url} ${await bodyOf(request)}`)
  }),
)
const proxy = await listening(
  createHttp((request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, authorization: request.headers['proxy-authorization'] })
    response.end('by the proxy')
  }).on('connect', (request: IncomingMessage, client: Socket) => {
    requests.push({ line: `CONNECT ${request.url}`, authorization: request.headers['proxy-authorization'] })
    if (answer === 'hang') return
    if (answer === 'refuse') return client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const on = createConnection(host.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      client.pipe(on).pipe(client)
    })
    open.add(on)
    on.on('error', () => {}).on('close', () => open.delete(on))
  }),
)
const address = `127.0.0.1:${proxy.port}`
const PASSWORD = 'hidden-from-messages'

after(() => {
  useProxies({})
  setDefaultCACertificates(trusted)
  host.close()
  proxy.close()
  for (const socket of open) socket.destroy()
})
beforeEach(() => {
  requests = []
  answer = 'tunnel'
  useProxies({ HTTPS_PROXY: `http://jane:${PASSWORD}@${address}`, HTTP_PROXY: address })
})

const client = (options = {}) =>
  edgarClient({
    baseUrl: 'https://www.edgar.test',
    userAgent: 'Example jane@example.org',
    attempts: 1,
    perSecond: 10,
    ...options,
  })
const text = async (response: { body: AsyncIterable<Uint8Array> }) =>
  Buffer.concat(await Array.fromAsync(response.body)).toString()

test('https requests go through CONNECT, which has the host name, and the user name and password of the proxy', async () => {
  const own = client()
  assert.equal(await own.get('/Archives/x', text), 'GET www.edgar.test /Archives/x ')
  assert.equal(await own.get('/Archives/y', text), 'GET www.edgar.test /Archives/y ')
  const authorization = `Basic ${Buffer.from(`jane:${PASSWORD}`).toString('base64')}`
  assert.deepEqual(requests, [{ line: 'CONNECT www.edgar.test:443', authorization }], 'the tunnel is kept')
  await own.close()
})

test('a proxy that refuses, hangs or does not exist is an error that says so, without the password', async () => {
  answer = 'refuse'
  const failureOf = async (own: ReturnType<typeof client>) => {
    const error = await own.get('/x', text).then(
      () => assert.fail('answered'),
      (error: Error) => error,
    )
    await own.close()
    const message = `${error.message} ${(error.cause as Error)?.message}`
    assert.doesNotMatch(message, new RegExp(PASSWORD))
    return message
  }
  assert.match(await failureOf(client()), /tunnel.*407/)
  answer = 'hang'
  assert.match(await failureOf(client({ timeoutMs: 100 })), /did not answer within 100 ms/)
  useProxies({ HTTPS_PROXY: `http://jane:${PASSWORD}@127.0.0.1:1` })
  assert.match(await failureOf(client()), /ECONNREFUSED 127\.0\.0\.1:1/)
})

test('a signal ends the wait for a proxy that hangs', async () => {
  answer = 'hang'
  const own = client()
  await assert.rejects(own.get('/x', text, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' })
  await own.close()
  const post = sender({ allowPrivate: true })(
    'https://hook.edgar.test/',
    { body: '', headers: {} },
    AbortSignal.timeout(50),
  )
  await assert.rejects(post, { name: 'TimeoutError' })
})

test('webhooks go through the proxy too, plain http with the full URL, and a receiver that hangs causes a time-out', async () => {
  const send = sender({ allowPrivate: true, timeoutMs: 1_000 })
  const { signal } = new AbortController()
  const sent = { body: '{}', headers: {} }
  assert.equal((await send('https://hook.edgar.test/a', sent, signal)).status, 200)
  assert.equal((await send('http://hook.edgar.test/b', sent, signal)).status, 200)
  assert.deepEqual(
    requests.map(({ line }) => line),
    ['CONNECT hook.edgar.test:443', 'POST http://hook.edgar.test/b'],
  )
  answer = 'hang'
  await assert.rejects(
    sender({ allowPrivate: true, timeoutMs: 50 })('https://hook.edgar.test/', sent, signal),
    /no answer within 0\.05 seconds/,
  )
})

test('a receiver at a private address is refused with a proxy too; a name that does not resolve here is left to the proxy', async () => {
  const { signal } = new AbortController()
  const sent = { body: '{}', headers: {} }
  const leadsTo = (found: string | null) =>
    sender({
      allowPrivate: false,
      lookUp: (_host, _options, done) =>
        found === null
          ? done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), [])
          : done(null, [{ address: found, family: 4 }]),
    })
  await assert.rejects(leadsTo('10.0.0.1')('https://hook.edgar.test/', sent, signal), /not a public address/)
  await assert.rejects(leadsTo(null)('https://10.0.0.1/', sent, signal), /not a public address/)
  assert.deepEqual(requests, [])
  assert.equal((await leadsTo(null)('https://hook.edgar.test/', sent, signal)).status, 200)
  assert.equal((await leadsTo('8.8.8.8')('https://hook.edgar.test/', sent, signal)).status, 200)
})

test('NO_PROXY accepts names, suffixes, addresses, networks and ports; loopback never uses a proxy', () => {
  const isRequested = (url: string, except: string) => {
    useProxies({ HTTPS_PROXY: address, http_proxy: address, no_proxy: except })
    const agent = proxyAgent(new URL(url), { isKept: false })
    agent?.destroy()
    return agent !== undefined
  }
  for (const [url, except, proxied] of [
    ['https://www.sec.gov/', '', true],
    ['https://www.sec.gov/', '*', false],
    ['https://www.sec.gov/', 'sec.gov', false],
    ['https://WWW.SEC.gov/', ' example.org  SEC.GOV ', false],
    ['https://www.sec.gov/', '.sec.gov,x', false],
    ['https://www.sec.gov/', '*.sec.gov', false],
    ['https://sec.gov/', '.sec.gov', true],
    ['https://notsec.gov/', 'sec.gov', true],
    ['https://www.sec.gov/', 'www.sec.gov:443', false],
    ['https://www.sec.gov:8443/', 'www.sec.gov:443', true],
    ['https://10.1.2.3/', '10.0.0.0/8', false],
    ['https://11.1.2.3/', '10.0.0.0/8', true],
    ['https://10.1.2.3/', '10.1.2.3', false],
    ['https://10.1.2.3/', '2.3', true],
    ['https://10.1.2.3/', '10.0.0.0/99,::/0', true],
    ['https://[2001:db8::1]/', '2001:db8::/32', false],
    ['https://[2001:db8::1]/', '2001:db8::1', false],
    ['https://[2001:db8::1]/', '[2001:db8::1]:443', false],
    ['http://localhost:8081/', '', false],
    ['http://127.1.2.3/', '', false],
    ['http://[::1]:80/', '', false],
    ['http://example.org/', '', true],
  ] as const) {
    assert.equal(isRequested(url, except), proxied, `${url} ${except}`)
  }
  useProxies({ https_proxy: address })
  assert.equal(proxyAgent(new URL('http://example.org/'), { isKept: false }), undefined)
})

test('a proxy of an unsupported kind is refused at the start of a command, by its name and without its password', async () => {
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY']) {
    for (const value of [`socks5://jane:${PASSWORD}@x:1080`, `http://jane:${PASSWORD}@x:port`]) {
      const { status, stderr } = await run(['keys', 'list'], { [name]: value })
      assert.equal(status, 1)
      assert.match(stderr, new RegExp(`^openfilings: ${name} must be an address that begins with http://`))
      assert.doesNotMatch(stderr, new RegExp(PASSWORD))
    }
  }
  assert.equal(await main(['--version'], { HTTPS_PROXY: 'socks5://x' }), 0)
  const { problems, doubts } = readSettings({
    HTTPS_PROXY: 'x',
    HTTP_PROXY: 'x',
    NO_PROXY: 'x',
    no_proxy: 'x',
    ALL_PROXY: 'x',
  })
  assert.deepEqual([problems, doubts], [[], []])
})
