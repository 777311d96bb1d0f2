import assert from 'node:assert/strict'
import type { RequestListener, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { failing, serving, stillClient, stillClock, text } from '../../test/support/loopback.ts'
import { bytesOf, randomFor } from '../../test/support/random.ts'
import { type ClientEvent, edgarClient } from './client.ts'

type Step = (response: ServerResponse) => void

/** Answers each request by the next of `steps`. After the last of them, repeats it. */
function inOrder(...steps: Step[]): RequestListener & { paths: string[] } {
  const paths: string[] = []
  const listener: RequestListener = (request, response) => {
    const step = steps[Math.min(paths.length, steps.length - 1)]!
    paths.push(request.url ?? '')
    step(response)
  }
  return Object.assign(listener, { paths })
}

const ok: Step = (response) => response.writeHead(200).end('fine')
const status =
  (code: number, body = '', headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(code, headers).end(body)
const reset: Step = (response) => response.socket?.resetAndDestroy()
/**
 * A change of protocol. If the client did not request it, Node reports neither an answer nor an error to the client.
 */
const otherProtocol: Step = ({ socket }) =>
  socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
const ratePage = status(403, '<html><title>SEC.gov | Request Rate Threshold Exceeded</title>')
const ratePageGzip: Step = (response) => {
  const page = gzipSync('<title>SEC.gov | Request Rate Threshold Exceeded</title>')
  response.writeHead(403, { 'content-encoding': 'gzip' }).end(page)
}
const toolPage = status(403, '<h1>Your Request Originates from an Undeclared Automated Tool</h1>')
const deniedXml = status(403, '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>')

test('an answer has its address and time of change, and the request has a User-Agent', async (t) => {
  const agents: unknown[] = []
  const url = await serving(t, (request, response) => {
    agents.push(request.headers['user-agent'])
    if (request.url === '/a?b=1') response.setHeader('last-modified', 'Wed, 21 Oct 2026 23:28:00 GMT')
    ok(response)
  })
  const { client } = stillClient(t, url, { userAgent: 'Jane Doe jane@doe.example' })
  const found = await client.get('/a?b=1', async (response) => ({ ...response, body: await text(response) }))
  assert.deepEqual(found, {
    url: `${url}/a?b=1`,
    isDelimited: true,
    modified: '2026-10-21',
    modifiedAt: '2026-10-21T23:28:00.000Z',
    validators: { etag: null, lastModified: 'Wed, 21 Oct 2026 23:28:00 GMT' },
    body: 'fine',
  })
  const other = await stillClient(t, `${url}/below/`).client.get('/a', async ({ modified }) => modified)
  assert.equal(other, null)
  assert.deepEqual(agents, ['Jane Doe jane@doe.example', 'openfilings'])
})

test('distinguishes an answer that states its end from an answer that ends with its connection', async (t) => {
  const ways: Record<string, [boolean, RequestListener]> = {
    'its length': [true, (_, response) => response.writeHead(200, { 'content-length': 4 }).end('fine')],
    chunks: [true, (_, response) => response.writeHead(200, { 'transfer-encoding': 'chunked' }).end('fine')],
    'a gzip stream': [
      true,
      ({ socket }) => {
        const gzip = gzipSync('fine')
        socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n')
        socket.end(gzip)
      },
    ],
    'the end of the connection': [
      false,
      ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nfine'),
    ],
  }
  for (const [way, [expected, listener]] of Object.entries(ways)) {
    const { client } = stillClient(t, await serving(t, listener))
    const [isDelimited, body] = (await client.get('/x', async (response) => [
      response.isDelimited,
      await text(response),
    ])) as [boolean, string]
    assert.deepEqual([isDelimited, body], [expected, 'fine'], way)
  }
})

test('an answer that unpacks to over 200 times its bytes is refused and not requested again; half that ratio is read', async (t) => {
  const random = randomFor('a swelling answer')
  const swelling = (noise: number) =>
    gzipSync(
      Buffer.concat(Array.from({ length: 20 }, () => Buffer.concat([bytesOf(random, noise), Buffer.alloc(1024 ** 2)]))),
    )
  const sizes: RequestListener = ({ url }, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(swelling(url === '/dense' ? 0 : 10_000))
  }
  const { client, slept } = stillClient(t, await serving(t, sizes))
  const sizeOf = (at: string) => client.get(at, async (body) => (await text(body)).length)
  await assert.rejects(sizeOf('/dense'), {
    kind: 'too large',
    message: /\/dense inflates to more than 200 times the bytes/,
  })
  assert.deepEqual(slept, [])
  assert.ok((await sizeOf('/loose'))! > 15 * 1024 ** 2)
})

test('a base address with a folder keeps the folder in every request', async (t) => {
  const listener = inOrder(ok)
  const url = await serving(t, listener)
  for (const base of [`${url}/mirror`, `${url}/mirror/`]) await stillClient(t, base).client.get('/Archives/x', text)
  assert.deepEqual(listener.paths, ['/mirror/Archives/x', '/mirror/Archives/x'])
})

for (const [what, step] of [
  ['404', status(404, '<html>')],
  ['403 AccessDenied, as for the index of a weekend,', deniedXml],
  ['403 NoSuchKey', status(403, '<Error><Code>NoSuchKey</Code></Error>')],
] as const) {
  test(`${what} gives null after one request, and the reader is not called`, async (t) => {
    const listener = inOrder(step)
    const { client, slept } = stillClient(t, await serving(t, listener))
    const read = t.mock.fn(text)
    assert.equal(await client.get('/Archives/edgar/daily-index/2026/QTR1/master.20260103.idx', read), null)
    assert.equal(read.mock.callCount(), 0)
    assert.equal(listener.paths.length, 1)
    assert.deepEqual(slept, [])
    assert.equal(client.stats().none, 1)
  })
}

for (const code of [400, 401, 403, 405, 410]) {
  test(`${code} without a known reason gives the error refused, and is not tried again`, async (t) => {
    const listener = inOrder(status(code, '<html>no</html>'))
    const { client } = stillClient(t, await serving(t, listener))
    await assert.rejects(client.get('/x', text), failing('refused', `/x answered ${code}`))
    assert.equal(listener.paths.length, 1)
    assert.deepEqual(client.stats().failures, { refused: 1 })
  })
}

for (const code of [500, 502, 503, 504]) {
  test(`${code} is tried again with doubling waits, and then gives the error unavailable`, async (t) => {
    const listener = inOrder(status(code))
    const { client, slept } = stillClient(t, await serving(t, listener), { attempts: 4 })
    await assert.rejects(client.get('/x', text), failing('unavailable', String(code)))
    assert.deepEqual(slept, [1000, 2000, 4000])
    assert.equal(listener.paths.length, 4)
  })
}

test('an error page in an encoding that was not requested is judged by its status', async (t) => {
  const brotli = { 'content-encoding': 'br' }
  const listener = inOrder(status(503, 'x', brotli), status(429, 'x', brotli), ok)
  const { client } = stillClient(t, await serving(t, listener))
  assert.equal(await client.get('/x', text), 'fine')
  const { client: other } = stillClient(t, await serving(t, inOrder(status(404, 'x', brotli))))
  assert.equal(await other.get('/x', text), null)
})

test('the caller does not notice a temporary failure', async (t) => {
  const log: ClientEvent[] = []
  const listener = inOrder(status(503), reset, status(429), ok)
  const { client } = stillClient(t, await serving(t, listener), { log: (event) => log.push(event) })
  assert.equal(await client.get('/x', text), 'fine')
  assert.deepEqual(
    log.map((line) => line.event === 'edgar.retry' && line.kind),
    ['unavailable', 'network', 'throttled'],
  )
  const { requests, retries, failures } = client.stats()
  assert.deepEqual({ requests, retries, failures }, { requests: 4, retries: 3, failures: {} })
})

test('the jitter is full: a wait lies anywhere from zero to the whole back-off', async (t) => {
  const { client, slept } = stillClient(t, await serving(t, inOrder(status(503))), { attempts: 3, random: () => 0.25 })
  await assert.rejects(client.get('/x', text))
  assert.deepEqual(slept, [250, 500])
})

for (const [what, step] of Object.entries({ resets: reset, 'answers in another protocol': otherProtocol })) {
  test(`${what} are tried again, and then give the error network`, async (t) => {
    const { client, slept } = stillClient(t, await serving(t, inOrder(step)), { attempts: 2 })
    await assert.rejects(client.get('/x', text), failing('network', '/x'))
    assert.deepEqual(slept, [1000])
  })
}

test('a Retry-After in seconds or as a date is obeyed within bounds', async (t) => {
  for (const [header, waits] of [
    ['7', 7_000],
    ['Mon, 05 Jan 2026 00:00:30 GMT', 30_000],
    ['86400', 120_000],
    ['soon', 1_000],
    ['-5', 1_000],
  ] as const) {
    const listener = inOrder(status(503, '', { 'retry-after': header }), ok)
    const { client, slept } = stillClient(t, await serving(t, listener))
    assert.equal(await client.get('/x', text), 'fine')
    assert.deepEqual(slept, [waits], header)
  }
})

test('429 with Retry-After pauses all paths of the host, not only the requested one', async (t) => {
  const listener = inOrder(status(429, '', { 'retry-after': '20' }), ok)
  const { client, now } = stillClient(t, await serving(t, listener))
  const began = now()
  const first = client.get('/first', text)
  while (listener.paths.length < 1 || client.stats().pausedUntil === 0) await delay(1)
  assert.equal(client.stats().pausedUntil - began, 20_000)
  assert.equal(await client.get('/second', text), 'fine')
  assert.ok(now() - began >= 20_000)
  assert.equal(await first, 'fine')
})

test('429 with Retry-After pauses the host also after the last try of a path', async (t) => {
  const listener = inOrder(status(429, '', { 'retry-after': '20' }), ok)
  const { client, now } = stillClient(t, await serving(t, listener), { attempts: 1 })
  const began = now()
  await assert.rejects(client.get('/first', text), failing('throttled', '/first'))
  assert.equal(await client.get('/second', text), 'fine')
  assert.equal(now() - began, 20_000)
})

for (const [what, page] of [
  ['the rate page', ratePage],
  ['the rate page with status 429', status(429, '<title>SEC.gov | Request Rate Threshold Exceeded</title>')],
  ['the rate page in gzip', ratePageGzip],
  ['the page for undeclared tools', toolPage],
] as const) {
  test(`${what} pauses every client of the host for ten minutes, and then the path is tried once more`, async (t) => {
    const listener = inOrder(page, ok)
    const url = await serving(t, listener)
    const one = stillClient(t, url)
    const began = one.now()
    // The clock of `other` does not move while it waits, so each of its requests is sent within the pause.
    const held: number[] = []
    const other = stillClient(t, url, {
      sleep: (ms, signal) => {
        held.push(ms)
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    const first = one.client.get('/first', text)
    while (one.client.stats().pauses === 0) await delay(1)
    const stop = new AbortController()
    const second = other.client.get('/second', text, { signal: stop.signal })
    assert.equal(await first, 'fine')
    assert.equal(one.now() - began, 600_000)
    assert.deepEqual(held, [600_000])
    stop.abort(new Error('gave up waiting'))
    await assert.rejects(second, /^Error: gave up waiting$/)
    assert.deepEqual(listener.paths, ['/first', '/first'])
  })
}

test('a second rate page gives the error throttled, and all other clients stay paused', async (t) => {
  const log: ClientEvent[] = []
  const listener = inOrder(ratePage)
  const { client, now } = stillClient(t, await serving(t, listener), { log: (event) => log.push(event) })
  const began = now()
  await assert.rejects(client.get('/x', text), failing('throttled', 'rate exceeded'))
  assert.equal(listener.paths.length, 2)
  assert.equal(client.stats().pausedUntil - began, 1_200_000)
  assert.deepEqual(
    log.map((line) => line.event),
    ['edgar.pause', 'edgar.pause'],
  )
})

test('the error about the page for undeclared tools names the setting to check', async (t) => {
  const { client } = stillClient(t, await serving(t, inOrder(toolPage)))
  await assert.rejects(client.get('/x', text), failing('throttled', 'EDGAR_USER_AGENT'))
})

const cut: Step = (response) => {
  response.writeHead(200, { 'content-length': 100 })
  response.write('only this much', () => response.socket?.end())
}

test('a download that was cut short starts again, and so does its reader', async (t) => {
  const seen: string[] = []
  const { client } = stillClient(t, await serving(t, inOrder(cut, cut, ok)))
  const result = await client.get('/x', async ({ body }) => {
    let own = ''
    try {
      for await (const chunk of body) own += Buffer.from(chunk).toString()
    } finally {
      seen.push(own)
    }
    return own
  })
  assert.equal(result, 'fine')
  assert.deepEqual(seen, ['only this much', 'only this much', 'fine'])
})

test('a cut download fails even if its reader swallows the error', async (t) => {
  const { client } = stillClient(t, await serving(t, inOrder(cut)), { attempts: 2 })
  const careless = ({ body }: { body: AsyncIterable<Uint8Array> }) => text({ body }).catch(() => 'half')
  await assert.rejects(client.get('/x', careless), failing('truncated'))
})

test('an error of the reader itself is thrown unchanged, and nothing is fetched again', async (t) => {
  const listener = inOrder(ok)
  const { client } = stillClient(t, await serving(t, listener))
  const full = new Error('the disk is full')
  await assert.rejects(
    client.get('/x', async () => {
      throw full
    }),
    full,
  )
  assert.equal(listener.paths.length, 1)
})

test('redirects are followed only on the same host, and only a limited number of times', async (t) => {
  const listener: RequestListener = (request, response) => {
    const to = { '/a': '/b', '/b': '/c', '/loop': '/loop', '/away': 'http://127.0.0.2:9/x', '/bad': '/x%2fy' }[
      request.url!
    ]
    if (to) response.writeHead(302, { location: to }).end()
    else ok(response)
  }
  const url = await serving(t, listener)
  const { client } = stillClient(t, url)
  assert.equal(await client.get('/a', async (response) => response.url), `${url}/c`)
  await assert.rejects(client.get('/loop', text), failing('refused', 'redirects more than'))
  await assert.rejects(client.get('/away', text), failing('refused', 'another host'))
  await assert.rejects(client.get('/bad', text), failing('refused'))
})

test('a bad path is refused before anything is sent', async (t) => {
  const listener = inOrder(ok)
  const { client } = stillClient(t, await serving(t, listener))
  for (const path of ['http://evil.example/', '/../x', 'x']) {
    await assert.rejects(client.get(path, text), failing('refused', 'not a path'))
  }
  assert.deepEqual(listener.paths, [])
})

test('without a contact nothing is sent to sec.gov, and the error states how to set the contact', async (t) => {
  for (const baseUrl of ['https://www.sec.gov', 'https://data.sec.gov', 'https://reports.adviserinfo.sec.gov']) {
    for (const userAgent of [
      null,
      '',
      'openfilings',
      'jane@doe.example',
      'Jane Doe',
      'Jane Doe jane@doe.example\r\nX: y',
    ]) {
      const { client } = stillClient(t, baseUrl, { userAgent })
      await assert.rejects(client.get('/x', text), failing('configuration', 'EDGAR_USER_AGENT'))
      assert.equal(client.stats().requests, 0)
    }
  }
})

test('an unusable address gives the error configuration', () => {
  for (const baseUrl of [
    'www.sec.gov',
    'http://www.sec.gov',
    'http://127.evil.example',
    'http://localhost.evil.example',
    'ftp://127.0.0.1',
    'https://www.sec.gov/?x=1',
    'https://www.sec.gov/#x',
    'file://host/folder',
  ]) {
    assert.throws(() => edgarClient({ baseUrl, userAgent: null }), failing('configuration', baseUrl))
  }
  const secret = () => edgarClient({ baseUrl: 'https://jane:geheim@mirror.example', userAgent: null })
  assert.throws(secret, (error: Error) => failing('configuration')(error) && !error.message.includes('geheim'))
})

test("refuses a rate above EDGAR's limit, and a rate that is not above zero", () => {
  for (const perSecond of [0, -1, 11, Number.NaN]) {
    const options = { baseUrl: 'https://www.sec.gov', userAgent: null, perSecond }
    assert.throws(() => edgarClient(options), failing('configuration', 'requests a second'))
  }
})

test('remote hosts share one budget of five requests a second over all clients of the process', async (t) => {
  // `.invalid` is never resolved, so nothing leaves this machine.
  const { now, sleep, slept } = stillClock()
  const [one, two] = ['one', 'two'].map(
    (name) => stillClient(t, `https://${name}.invalid`, { attempts: 1, now, sleep }).client,
  )
  const get = (client = one!) => assert.rejects(client.get('/x', text), failing('network'))
  // The first request waits for a turn after the last turn of the other tests in this process.
  await get()
  slept.length = 0
  await Promise.all([two, one, two].map(get))
  assert.deepEqual(slept.map(Math.round).sort(), [240, 480, 720])
})

test('a paced loopback host has the same pace as the SEC, and its rate page pauses all processes', async (t) => {
  const pauses: unknown[] = []
  const shared = {
    take: async () => ({ waitMs: 100, pausedMs: 0, reason: null }),
    pause: async (...pause: unknown[]) => void pauses.push(pause),
  }
  const listener = inOrder(ratePage, status(429, '', { 'retry-after': '20' }), ok)
  const url = await serving(t, listener)
  const { client, slept } = stillClient(t, url, { paceLoopback: true, shared, pauseMs: 5_000 })
  assert.equal(await client.get('/x', text), 'fine')
  assert.deepEqual(pauses, [
    [5_000, `${url}/x answered 403: request rate exceeded`],
    [20_000, `${url}/x answered 429`],
  ])
  // The waits: for a turn, for the end of the pause, for a turn, for Retry-After, for a turn.
  assert.deepEqual(slept, [100, 5_000, 100, 20_000, 100])
})

test('loopback hosts are not throttled', async (t) => {
  const { client, slept } = stillClient(t, await serving(t, inOrder(ok)))
  await Promise.all(Array.from({ length: 20 }, () => client.get('/x', text)))
  assert.deepEqual(slept, [])
})

test('if the caller aborts, the request or the body fails with the reason of the caller', async (t) => {
  const url = await serving(t, (request, response) => {
    if (request.url === '/body') response.writeHead(200).write('half')
  })
  const { client } = stillClient(t, url)
  for (const path of ['/silent', '/body']) {
    const reason = new Error('no longer wanted')
    await assert.rejects(client.get(path, text, { signal: abortedSoon(reason) }), reason)
  }
})

function abortedSoon(reason: Error): AbortSignal {
  const stop = new AbortController()
  setTimeout(() => stop.abort(reason), 50)
  return stop.signal
}

test('closing the client ends requests in flight and refuses later ones', async (t) => {
  const { client } = stillClient(t, await serving(t, () => {}))
  const waiting = assert.rejects(client.get('/x', text), failing('network', 'closed'))
  await delay(20)
  await client.close()
  await waiting
  await assert.rejects(client.get('/y', text), failing('network', 'closed'))
})
