/**
 * Large files are fetched once, and resumed where a download broke off. The client gives up when no more bytes arrive.
 */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { failing, serving, stillClient, text } from '../../test/support/loopback.ts'
import type { ClientOptions } from './client.ts'
import type { Validators } from './validators.ts'

/** The text at each offset states that offset. */
const CONTENT = Array.from({ length: 40_000 }, (_, n) => String(n).padStart(8)).join('')
const TAG = '"edition 1"'
const CHANGED = 'Wed, 21 Oct 2026 07:28:00 GMT'
const HEADERS = { etag: TAG, 'last-modified': CHANGED, 'accept-ranges': 'bytes' }

type Answer = (response: ServerResponse, request: IncomingMessage) => void

interface Requested {
  range: string | undefined
  ifRange: string | undefined
  ifNoneMatch: string | undefined
  ifModifiedSince: string | undefined
}

/**
 * A host that gives the answers one after the other and then repeats the last, and the list of requests it received.
 */
async function hosting(t: TestContext, answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const requests: Requested[] = []
  const url = await serving(t, (request, response) => {
    const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch, 'if-modified-since': since } = request.headers
    const answer = answers[Math.min(requests.length, answers.length - 1)]!
    requests.push({ range, ifRange: ifRange as string | undefined, ifNoneMatch, ifModifiedSince: since })
    answer(response, request)
  })
  const { client } = stillClient(t, url, options)
  let begun = 0
  const consume = async (answer: { body: AsyncIterable<Uint8Array> }) => {
    begun++
    return text(answer)
  }
  const download = () => client.get('/file.zip', consume, { isDownload: true })
  return { client, requests, download, begun: () => begun }
}

const startOf = (range: string | undefined) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)

/** Answers with the whole file or its rest, and breaks off after a number of bytes. */
function file({
  content = CONTENT,
  headers = HEADERS,
  cut,
}: {
  content?: string
  headers?: object
  cut?: number
} = {}): Answer {
  return (response, { headers: { range } }) => {
    const from = startOf(range)
    const part = content.slice(from)
    const sent = { ...headers, 'content-length': part.length }
    const last = content.length - 1
    if (from > 0) response.writeHead(206, { ...sent, 'content-range': `bytes ${from}-${last}/${content.length}` })
    else response.writeHead(200, sent)
    if (cut === undefined) return response.end(part)
    return response.write(part.slice(0, cut), () => setTimeout(() => response.destroy(), 20))
  }
}

const ranges = (requests: readonly Requested[]) => requests.map(({ range }) => startOf(range) > 0)

test('a download that breaks off resumes where it was, any number of times, and its reader notices nothing', async (t) => {
  const answers = [file({ cut: 100_000 }), file({ cut: 100_000 }), file()]
  const { requests, download, begun } = await hosting(t, answers)
  assert.equal(await download(), CONTENT)
  assert.deepEqual(ranges(requests), [false, true, true])
  assert.deepEqual(
    requests.map(({ ifRange }) => ifRange),
    [undefined, TAG, TAG],
  )
  assert.ok(startOf(requests[2]!.range) > startOf(requests[1]!.range))
  assert.equal(begun(), 1)
})

test('Last-Modified is the validator of a file that has only a weak ETag', async (t) => {
  const weak = { ...HEADERS, etag: 'W/"edition 1"' }
  const { requests, download } = await hosting(t, [file({ headers: weak, cut: 50_000 }), file({ headers: weak })])
  assert.equal(await download(), CONTENT)
  assert.equal(requests[1]!.ifRange, CHANGED)
})

test('a temporary failure of the host between two pieces does not end the download', async (t) => {
  const down: Answer = (response) => response.writeHead(503).end()
  const reset: Answer = (response) => response.socket?.resetAndDestroy()
  const { requests, download, begun } = await hosting(t, [file({ cut: 50_000 }), down, reset, file()])
  assert.equal(await download(), CONTENT)
  assert.deepEqual([ranges(requests), begun()], [[false, true, true, true], 1])
})

test('a host that stays down ends the download, and the error has the reason', async (t) => {
  const down: Answer = (response) => response.writeHead(503).end()
  const { download } = await hosting(t, [file({ cut: 50_000 }), down], { attempts: 3 })
  await assert.rejects(download, failing('unavailable', '503'))
})

test('a download of many pieces continues as long as bytes arrive', async (t) => {
  const content = CONTENT.repeat(30)
  const { download, requests } = await hosting(t, [file({ content, cut: 1_500_000 })], { attempts: 2 })
  assert.equal(await download(), content)
  assert.ok(requests.length > 4)
})

test('a download and its reader start again if the rest belongs to another file or is not available', async (t) => {
  const other = CONTENT.replaceAll('1', '2').slice(0, 200_000)
  const whole: Answer = (response) => response.writeHead(200, HEADERS).end(other)
  const ways: Record<string, Answer> = {
    'the whole of another file': whole,
    'a range that begins elsewhere': (response) =>
      response.writeHead(206, { 'content-range': `bytes 8-${CONTENT.length - 1}/${CONTENT.length}` }).end('x'),
    'a range of another length': (response, { headers: { range } }) =>
      response.writeHead(206, { 'content-range': `bytes ${startOf(range)}-199999/200000` }).end('x'),
    'no range that could be met': (response) => response.writeHead(416, { 'content-range': 'bytes */200000' }).end(),
    'a range without saying which': (response) => response.writeHead(206).end('x'),
  }
  for (const [way, answer] of Object.entries(ways)) {
    const { requests, download, begun } = await hosting(t, [file({ cut: 50_000 }), answer, whole])
    assert.equal(await download(), other, way)
    assert.deepEqual([ranges(requests), begun()], [[false, true, false], 2], way)
  }
})

test('the whole file is requested again if the host offers no ranges or sends no validator', async (t) => {
  const { etag: _, 'last-modified': __, ...unconditional } = HEADERS
  for (const headers of [{ etag: TAG }, { ...HEADERS, 'accept-ranges': 'none' }, unconditional]) {
    const { requests, download, begun } = await hosting(t, [file({ headers, cut: 50_000 }), file({ headers })])
    assert.equal(await download(), CONTENT)
    assert.deepEqual([ranges(requests), begun()], [[false, false], 2], JSON.stringify(headers))
  }
})

test('an encoded answer has no byte positions in its file, so the download starts again', async (t) => {
  const packed = gzipSync(CONTENT)
  const headers = { ...HEADERS, 'content-encoding': 'gzip', 'content-length': packed.length }
  const cut: Answer = (response) => {
    response.writeHead(200, headers)
    response.write(packed.subarray(0, 20_000), () => setTimeout(() => response.destroy(), 20))
  }
  const { requests, download } = await hosting(t, [cut, (response) => response.writeHead(200, headers).end(packed)])
  assert.equal(await download(), CONTENT)
  assert.deepEqual(ranges(requests), [false, false])
})

test('a file above the size limit is refused, wherever its download broke off', async (t) => {
  const { client } = await hosting(t, [file({ cut: 250_000 }), file()])
  await assert.rejects(
    client.get('/file.zip', text, { isDownload: true, sizeMax: 300_000 }),
    failing('too large', '300000'),
  )
})

test('a download may exceed the total time limit of other answers; a very slow one is cut and resumed', async (t) => {
  const [first, rest] = [CONTENT.slice(0, 300_000), CONTENT.slice(300_000)]
  const slow: Answer = async (response) => {
    response.writeHead(200, { ...HEADERS, 'content-length': CONTENT.length })
    response.write(first)
    await delay(250)
    response.end(rest)
  }
  const patient = await hosting(t, [slow], { totalMs: 100, stallMs: 10_000 })
  assert.equal(await patient.download(), CONTENT)
  const dripping: Answer = async (response) => {
    response.writeHead(200, { ...HEADERS, 'content-length': CONTENT.length })
    for (let at = 0; !response.destroyed; at++) {
      response.write(CONTENT[at]!)
      await delay(5)
    }
  }
  const { requests, download, begun } = await hosting(t, [dripping, file()], { stallMs: 100 })
  assert.equal(await download(), CONTENT)
  assert.deepEqual([ranges(requests), begun()], [[false, true], 1])
})

test('an unchanged file costs one request without a body, and gives its earlier result', async (t) => {
  const unchanged: Answer = (response) => response.writeHead(304, HEADERS).end()
  const { client, requests } = await hosting(t, [file(), unchanged, file({ content: 'other' })])
  const consume = async ({ body, validators }: { body: AsyncIterable<Uint8Array>; validators: Validators }) => ({
    validators,
    text: await text({ body }),
  })
  const result = await client.get('/file.zip', consume, { isDownload: true })
  assert.deepEqual(result!.validators, { etag: TAG, lastModified: CHANGED })
  const known = { validators: result!.validators, result: result! }
  assert.equal(await client.get('/file.zip', consume, { known }), result)
  assert.deepEqual(
    requests.map(({ ifNoneMatch, ifModifiedSince }) => [ifNoneMatch, ifModifiedSince]),
    [[undefined, undefined], [TAG, CHANGED]], // biome-ignore format: a table
  )
  const other = await client.get('/file.zip', consume, { known })
  assert.equal(other!.text, 'other')
})

test('an answer of 304 or 206 is refused if the request had no condition or range', async (t) => {
  for (const status of [304, 206]) {
    const { client } = await hosting(t, [(response) => response.writeHead(status, HEADERS).end()])
    const known = { validators: { etag: null, lastModified: null }, result: 'earlier' }
    await assert.rejects(client.get('/x', text, { known }), failing('refused', `${status}`))
  }
})

test('an ETag that is too long is not stored', async (t) => {
  const { client } = await hosting(t, [(response) => response.writeHead(200, { etag: `"${'x'.repeat(300)}"` }).end('')])
  const validators = await client.get('/x', async (answer) => answer.validators)
  assert.deepEqual(validators, { etag: null, lastModified: null })
})
