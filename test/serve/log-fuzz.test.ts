/** A key never reaches the log of the real server process, at any place in a request and in any encoding. */
import assert from 'node:assert/strict'
import { connect as openSocket } from 'node:net'
import { test } from 'node:test'
import { begin, emptyEnv, run } from '../support/command.ts'
import { seedFor } from '../support/random.ts'
import { often, soaking } from '../support/soak.ts'

// A soak uses other requests each time.
let seed = soaking ? seedFor('requests') % 2147483648 : 20261121
const random = (n: number) => {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return Math.floor((seed / 2147483648) * n)
}
const pick = <T>(from: readonly T[]): T => from[random(from.length)]!

const hexOf = (c: string) => c.charCodeAt(0).toString(16).padStart(2, '0')
const mixed = (text: string) => Array.from(text, (c) => (random(2) ? c.toUpperCase() : c.toLowerCase())).join('')
const percent = (text: string) => Array.from(text, (c) => `%${mixed(hexOf(c))}`).join('')

/** Ways to encode a text. Most of them can be applied to a text that was already encoded. */
const ENCODINGS: ((text: string) => string)[] = [
  (text) => text,
  percent,
  (text) => Array.from(text, (c) => (random(3) ? c : percent(c))).join(''),
  (text) => percent(percent(text)),
  (text) => text.replaceAll('_', '%5F'),
  (text) => percent(text).replaceAll('%', '%25'),
  (text) => percent(text).replaceAll('%', '%2525'),
  (text) => Array.from(text, (c) => `%u00${hexOf(c)}`).join(''),
  (text) => percent(Array.from(text, (c) => `\\u00${hexOf(c)}`).join('')),
  (text) => encodeURIComponent(Array.from(text, (c) => `&#${c.charCodeAt(0)};`).join('')),
  (text) => encodeURIComponent(Array.from(text, (c) => `&#x${hexOf(c)};`).join('')),
  (text) => Array.from(text, (c) => `${c}%00`).join(''),
  (text) => Array.from(text, (c) => `%00${percent(c)}`).join(''),
  (text) => Buffer.from(text).toString('base64url'),
  (text) => encodeURIComponent(Buffer.from(`user:${text}`).toString('base64')),
  (text) => Buffer.from(text).toString('hex'),
  (text) => mixed(Buffer.from(text).toString('hex')),
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => `%22${text}%22`,
  (text) => `a%20${text}%0Ab`,
  (text) => `%c3%a4${text}%ff`,
]

/** Places of the text in a request: a path and headers. */
const PLACES: ((text: string) => { path?: string; headers?: string[] })[] = [
  (text) => ({ path: `/${text}` }),
  (text) => ({ path: `/v1/${text}/x` }),
  (text) => ({ path: `/v1/filing/${text}` }),
  (text) => ({ path: `/v1/edgar/doc/${text}/1` }),
  (text) => ({ path: `/v1/brokers/${text}` }),
  (text) => ({ path: `/v1/filings?q=${text}` }),
  (text) => ({ path: `/v1/filings?${text}=1` }),
  (text) => ({ path: `/v1/filings?${text}` }),
  (text) => ({ path: `/v1/filings?from=${text}` }),
  (text) => ({ path: `/v1/filings?family=${text}` }),
  (text) => ({ path: `/v1/filings?filters=%7B%22field%22%3A%22form_type%22%2C%22op%22%3A%22eq%22%2C%22value%22%3A%22${text}%22%7D` }),
  (text) => ({ path: `/v1/filings?filters=${text}` }),
  (text) => ({ path: `/v1/feed?cursor=${text}` }),
  (text) => ({ path: `/v1/feed?state=${text},NY&industry=${text}` }),
  (text) => ({ path: `/v1/adv/advisers/search?q=${text}` }),
  (text) => ({ path: `/v1/me?key=${text}#${text}` }),
  (text) => ({ path: `http://${text.replaceAll('%', '')}/v1/me?key=${text}` }),
  (text) => ({ headers: [`X-Request-Id: ${text}`] }),
  (text) => ({ headers: [`x-request-id: req-${text}`] }),
  (text) => ({ headers: [`X-Auth: ${text}`, `Api-Key: ${text}`, `Referer: https://x/?k=${text}`, `User-Agent: ${text}`] }),
  (text) => ({ headers: [`Cookie: k=${text}`, `X-Forwarded-For: ${text}`] }),
  (text) => ({ headers: [`X-Forwarded-For: 10.0.0.1, ${text}`, `Forwarded: for=${text}`] }),
  (text) => ({ headers: [`Authorization: Basic ${text}`] }),
  (text) => ({ headers: [`Authorization: ${text}`, `X-Api-Key: ${text}`] }),
  (text) => ({ headers: [`If-None-Match: "${text}"`, `Range: bytes=${text}`, `Accept: ${text}`, `Accept-Encoding: ${text}`] }),
  (text) => ({ headers: [`Expect: ${text}`] }),
  (text) => ({ headers: [`Host: ${text}`] }),
] // biome-ignore format: one place a line

/** Requests that are not HTTP, with a text in them. */
const BROKEN: ((text: string) => string)[] = [
  (text) => `${text} / HTTP/1.1\r\n\r\n`,
  (text) => `GET /${text} HTTP/9.9\r\n\r\n`,
  (text) => `GET /x HTTP/1.1\r\nHost: x\r\n${text}\r\n\r\n`,
  (text) => `GET /x HTTP/1.1\r\nHost: x\r\nx-long: ${text.padEnd(40_000, 'a')}\r\n\r\n`,
  (text) => `CONNECT ${text}:443 HTTP/1.1\r\nHost: x\r\n\r\n`,
  (text) => `POST /v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  (text) => `GET /${text}`,
]

const REQUESTS = often('requests with a key', { usual: 1500, soak: 20_000 })

// This takes more than ten seconds on a busy machine: it starts the real process twice, and sends 2,700 requests.
test('after requests with thousands of encodings of a real key at every place, the log has nothing of its secret', async (t) => {
  const env = { ...(await emptyEnv(t)), PORT: '0', SAMPLE: 'off', TRUST_PROXY: 'on' }
  const server = begin(t, ['serve'], env)
  const port = Number(/listens at http:\/\/127\.0\.0\.1:(\d+)/.exec(await server.until(/listens at .*\n/))![1])
  const limits = ['--search-limit', '1000000', '--general-limit', '1000000']
  const key = (await run(['keys', 'create', '--account', 'fuzz', ...limits], env)).stdout.trim()
  const [, id, secret] = key.split('_')
  const auth = `X-Api-Key: ${key}`
  const requests = Array.from({ length: REQUESTS }, (_, i) => {
    const encode = ENCODINGS[i % ENCODINGS.length]!
    const text = encode(random(4) ? key : secret!)
    const { path = '/v1/me', headers = [] } = pick(PLACES)(random(5) ? text : pick(ENCODINGS)(text))
    const host = headers.some((each) => each.startsWith('Host')) ? [] : ['Host: x']
    const own = random(3) ? [auth] : []
    return `GET ${path} HTTP/1.1\r\n${[...host, ...own, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`
  })
  const broken = Array.from({ length: 200 }, (_, i) => BROKEN[i % BROKEN.length]!(pick(ENCODINGS)(key)))
  const statuses = new Set<string>()
  const all = [...requests, ...broken]
  const worker = async () => {
    for (let next = all.pop(); next !== undefined; next = all.pop()) statuses.add(await answered(port, next))
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  for (const status of ['200', '400', '401', '404', '405', '417', '431', '505']) {
    assert.ok(statuses.has(status), `no answer was ${status}: ${[...statuses]}`)
  }
  assert.ok(!statuses.has('500'))
  assert.equal(await server.end(), 0)
  const log = server.stderr()
  assert.ok(log.split('\n').length > REQUESTS)
  assert.ok(log.includes(`"keyId":"${id}"`))
  assert.deepEqual(found(log, secret!), [])
  assert.ok(found(`"url":"${percent(percent(secret!))}"`, secret!).length > 10, 'the search itself finds nothing')
})

/** Returns the status of the first answer. Returns an empty text if the connection ends without an answer. */
function answered(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = openSocket(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {}).on('close', () => resolve(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? ''))
    socket.write(bytes)
    // This is only half of a request, so the server would wait for the rest.
    if (!bytes.includes('\r\n\r\n')) socket.end()
  })
}

/** Returns parts of the secret, in any of the encodings, that the log contains. */
function found(log: string, secret: string): string[] {
  const WINDOW = 10
  const texts = [log]
  for (let next = unwrapped(log); next !== texts.at(-1); next = unwrapped(next)) texts.push(next)
  const haystack = texts
    .join('\n')
    .replaceAll(/\0|\\u0000/g, '')
    .toLowerCase()
  const forms = [secret, Buffer.from(secret).toString('hex')]
  // The text before the secret shifts the base64 of the secret.
  for (const before of ['', 'x', 'xx']) {
    const text = Buffer.from(before + secret).toString('base64')
    forms.push(text.slice(before.length && 4, -4))
  }
  return forms.flatMap((form) =>
    Array.from({ length: form.length - WINDOW + 1 }, (_, i) => form.slice(i, i + WINDOW).toLowerCase()).filter((part) =>
      haystack.includes(part),
    ),
  )
}

const unwrapped = (text: string) =>
  text.replace(/%(?:u00)?([0-9a-f]{2})|\\+(?:u00|x)([0-9a-f]{2})|&#x([0-9a-f]{2});|&#(\d{2,3});/gi, (_, a, b, c, d) =>
    String.fromCharCode(d === undefined ? Number.parseInt(a ?? b ?? c, 16) : Number(d)),
  )
