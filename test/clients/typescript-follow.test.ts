/** `events.follow()` of the TypeScript client, against a real service that restarts, and against bad streams. */
import assert from 'node:assert/strict'
import { after, describe, it, test } from 'node:test'
import type { FilingEvent } from '../../clients/typescript/src/index.ts'
import { messagesOf } from '../../clients/typescript/src/sse.ts'
import { logChange } from '../support/change-log.ts'
import { answering } from '../support/clients/answering.ts'
import { clientOf } from '../support/clients/typescript.ts'
import { openSampledWorld } from '../support/sampled.ts'
import { serveWorld } from '../support/served.ts'

const world = await openSampledWorld({ after })
const { sql } = world

const serve = (t: { after(fn: () => Promise<void>): void }) => serveWorld(t, world)

const happen = (...accessions: string[]) => logChange(sql, { slug: 'filings', keys: accessions })
const numbersOf = (events: readonly FilingEvent[]) => events.map(({ event_number }) => event_number)

test('events.follow() continues across a restart of the service and gives each event once, in order', async (t) => {
  const first = await serve(t)
  // The client keeps one address while the service at this address is replaced.
  let origin = first.origin
  const client = clientOf('http://service.example', {
    apiKey: first.keys.full,
    fetch: (input, init) => fetch(String(input).replace('http://service.example', origin), init),
  })
  const [{ last }] = await sql<[{ last: number }]>`select coalesce(max(seq), 0)::float8 as last from core.event`
  const reasons: string[] = []
  const follow = client.events.follow({ after: last, onReconnect: ({ code }) => void reasons.push(code) })
  await happen('0000000081-26-000001', '0000000081-26-000002')
  const keys: (string | null)[] = []
  for await (const { key } of follow) {
    keys.push(key)
    if (keys.length === 2) {
      await first.close()
      await happen('0000000081-26-000003')
      origin = (await serve(t)).origin
    }
    if (keys.length === 3) await happen('0000000081-26-000004')
    if (keys.length === 4) break
  }
  assert.deepEqual(
    keys,
    [1, 2, 3, 4].map((n) => `0000000081-26-00000${n}`),
  )
  assert.ok(reasons.length >= 1, 'the stream broke')
  // The loop ended before it had finished with the last event, so the position is still that of the event before.
  assert.equal(follow.after, last + 3)
  const again: FilingEvent[] = []
  for await (const event of client.events.follow({ after: follow.after! })) {
    again.push(event)
    break
  }
  assert.deepEqual(numbersOf(again), [last + 4])
})

test('a filter skips events, and the stream’s position moves past them', async (t) => {
  const served = await serve(t)
  const client = clientOf(served.origin, { apiKey: served.keys.full })
  const whole = await client.events.list({ source: ['eightk'] }).toArray()
  assert.ok(whole.length > 0)
  const abort = new AbortController()
  const follow = client.events.follow({ after: 0, source: ['eightk'], signal: abort.signal })
  const found: FilingEvent[] = []
  await assert.rejects(
    async () => {
      for await (const event of follow) {
        found.push(event)
        if (found.length === whole.length) setTimeout(() => abort.abort(new Error('enough')), 300)
      }
    },
    { message: 'enough' },
  )
  assert.deepEqual(found, whole)
  assert.ok(follow.after! >= found.at(-1)!.event_number)
})

test('a stream without a position begins with the first event that happens after it is opened', async (t) => {
  const served = await serve(t)
  const client = clientOf(served.origin, { apiKey: served.keys.full })
  const follow = client.events.follow()
  const loop = follow[Symbol.asyncIterator]()
  const next = loop.next()
  // First the stream reports its position.
  while (follow.after === null) await new Promise((resolve) => setTimeout(resolve, 10))
  await happen('0000000081-26-000009')
  assert.equal((await next).value?.key, '0000000081-26-000009')
  await loop.return?.()
})

describe('errors of a stream', () => {
  it('a stream throws for an event number that does not exist, and for an invalid key', async (t) => {
    const served = await serve(t)
    const first = (after: number, apiKey: string) =>
      clientOf(served.origin, { apiKey }).events.follow({ after })[Symbol.asyncIterator]().next()
    await assert.rejects(first(999_999_999, served.keys.full), { status: 400 })
    await assert.rejects(first(0, 'of_wrong'), { code: 'invalid_api_key' })
  })

  it('a stream retries with growing waits, and throws if the service is away for longer than allowed', async () => {
    const waits: number[] = []
    let now = 0
    const clock = {
      now: () => now,
      random: () => 0,
      wait: async (ms: number) => {
        waits.push(ms)
        now += ms
      },
    }
    const client = clientOf('http://127.0.0.1:1', { clock })
    const loop = client.events.follow({ after: 1, maxDownMs: 100_000 })[Symbol.asyncIterator]()
    await assert.rejects(loop.next(), { code: 'network' })
    assert.deepEqual(waits, [3_000, 6_000, 12_000, 24_000, 30_000, 30_000])
  })

  it('a stream throws for an answer that is not a stream, and for an event that is not JSON', async (t) => {
    const page = await answering(t, (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    )
    await assert.rejects(clientOf(page.origin).events.follow()[Symbol.asyncIterator]().next(), {
      code: 'invalid_answer',
    })
    const broken = await answering(t, (response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"a\n\n'),
    )
    await assert.rejects(clientOf(broken.origin).events.follow()[Symbol.asyncIterator]().next(), {
      code: 'invalid_answer',
    })
  })
})

test('a stalled stream is reopened after the last event, with the delay that the service stated', async (t) => {
  const event = (n: number) => `id: ${n}\nevent: added\ndata: {"event_number":${n}}\n\n`
  const head = { 'content-type': 'text/event-stream' }
  const { origin, requests } = await answering(
    t,
    (response) => void response.writeHead(200, head).write(`retry: 2345\n\n${event(5)}`),
    (response) => void response.writeHead(503, { 'retry-after': '4' }).end(),
    (response) => void response.writeHead(200, head).write(event(6)),
  )
  const waits: number[] = []
  const clock = { now: () => 0, random: () => 0, wait: async (ms: number) => void waits.push(ms) }
  const numbers: number[] = []
  const codes: string[] = []
  const client = clientOf(origin, { clock, stallMs: 100 })
  for await (const { event_number } of client.events.follow({
    after: 4,
    onReconnect: ({ code }) => void codes.push(code),
  })) {
    numbers.push(event_number)
    if (event_number === 6) break
  }
  assert.deepEqual(numbers, [5, 6])
  assert.deepEqual(codes, ['timeout', 'http_error'])
  assert.deepEqual(waits, [2_345, 4_690])
  assert.deepEqual(
    requests.map(({ headers }) => headers['last-event-id']),
    ['4', '5', '5'],
  )
})

describe('messages of a stream', () => {
  const read = async (...parts: string[]) => {
    const found = []
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const part of parts) controller.enqueue(new Uint8Array(Buffer.from(part, 'latin1')))
        controller.close()
      },
    })
    for await (const message of messagesOf(body, () => {})) found.push(message)
    return found
  }

  it('are parsed however they are split into chunks, with any line ends', async () => {
    const text = 'retry: 5\n\nid: 1\ndata: a\ndata:b\n\n:\n\nid: 2\r\ndata\r\n\r\nid: 3\rdata: \xc3\xa9\r\r\n'
    const expected = [{ retry: 5 }, { id: '1', data: 'a\nb' }, { id: '2', data: '' }, { id: '3', data: 'é' }]
    assert.deepEqual(await read(text), expected)
    assert.deepEqual(await read(...text), expected)
  })

  it('are refused above a megabyte if they do not end', async () => {
    const part = `data: ${'x'.repeat(300_000)}\n`
    await assert.rejects(read(part, part, part, part), { code: 'invalid_answer' })
    await assert.rejects(read('x'.repeat(1_200_000)), { code: 'invalid_answer' })
  })
})
