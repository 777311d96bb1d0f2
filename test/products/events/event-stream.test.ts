/** The event stream: each event once and in order, whatever happens to clients, keys and servers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Code } from '../../../src/declare/api-errors.ts'
import { openLog } from '../../../src/serve/http/log.ts'
import { lookedAgain } from '../../../src/serve/http/version.ts'
import { createKey, revokeKey } from '../../../src/serve/keys.ts'
import { openReaders } from '../../../src/serve/readers.ts'
import { dataChanged } from '../../../src/store/meta.ts'
import { logChange } from '../../support/change-log.ts'
import { codeOf } from '../../support/error-codes.ts'
import { openSampledWorld } from '../../support/sampled.ts'
import { type Served, serveWorld } from '../../support/served.ts'
import { until } from '../../support/until.ts'

interface Received {
  id: string
  event: string | undefined
  data: string | undefined
}

/** The received part of a stream, parsed by the rules of the standard. */
interface Followed {
  response: IncomingMessage
  events: Received[]
  /** Comment lines, and the reconnect delay. */
  comments: number
  retry: number | undefined
  /** Id of the last block, with or without data. */
  lastId: string | undefined
  ended: Promise<void>
  hangUp(): void
}

let later = 0
const world = await openSampledWorld({ after })
const { sql } = world
let taken = 0
const readers = openReaders({ target: world.target, max: 10 })
const served = await serveWorld({ after }, world, {
  readers: {
    ...readers,
    take() {
      taken++
      return readers.take()
    },
  },
  heartbeatMs: 100,
  streamStallMs: 2_000,
  now: () => new Date(Date.now() + later),
})
after(() => readers.end())

async function newest(): Promise<number> {
  const [row] = await sql`select max(seq)::float8 as newest from core.event`
  return row!.newest
}

const happen = (slug: string, keys: string[] | null, what: 'added' | 'removed' = 'added') =>
  logChange(sql, { slug, what, keys })

const numbered = (prefix: string, many: number) =>
  Array.from({ length: many }, (_, n) => `${prefix}-26-${String(n).padStart(6, '0')}`)

async function request(
  query: string,
  headers: Record<string, string> = {},
  { of = served, method = 'GET' }: { of?: Served; method?: string } = {},
): Promise<IncomingMessage> {
  const sent = http.request(`${of.origin}/v1/events${query}`, {
    method,
    agent: false,
    headers: { 'x-api-key': of.keys.full, accept: 'text/event-stream', ...headers },
  })
  sent.on('error', () => {}) // the response gets the same error
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

async function follow(query: string, headers: Record<string, string> = {}, of = served): Promise<Followed> {
  const response = await request(query, headers, { of })
  assert.equal(response.statusCode, 200)
  assert.equal(response.headers['content-type'], 'text/event-stream; charset=utf-8')
  const followed: Followed = {
    response,
    events: [],
    comments: 0,
    retry: undefined,
    lastId: undefined,
    ended: once(response, 'close').then(() => {}),
    hangUp: () => void response.destroy(),
  }
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) take(followed, block)
  })
  response.on('error', () => {})
  return followed
}

function take(followed: Followed, block: string): void {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  if (fields.has('')) followed.comments++
  if (fields.has('retry')) followed.retry = Number(fields.get('retry'))
  followed.lastId = fields.get('id') ?? followed.lastId
  if (fields.has('data'))
    followed.events.push({ id: followed.lastId!, event: fields.get('event'), data: fields.get('data') })
}

const metricsOf = async ({ origin }: Pick<Served, 'origin'>) => (await fetch(`${origin}/metrics`)).text()

async function metric(line: string): Promise<number> {
  const text = await metricsOf(served)
  return Number(
    text
      .split('\n')
      .find((each) => each.startsWith(line))
      ?.slice(line.length + 1) ?? 0,
  )
}

const keysOf = ({ events }: Followed) => events.map(({ data }) => (JSON.parse(data!) as { key: string }).key)

test('a stream without a start position begins with the next event, and each event equals that of /events', async () => {
  const from = await newest()
  const stream = await follow('')
  await happen('filings', numbered('0000000031', 3))
  await happen('formd', null, 'removed')
  await until('the stream has four events', () => stream.events.length === 4)
  const page = await served.json<{ events: { event_number: number; what: string }[] }>(`/events?after=${from}`)
  assert.deepEqual(
    stream.events,
    page.events.map((event) => ({ id: String(event.event_number), event: event.what, data: JSON.stringify(event) })),
  )
  assert.ok(stream.retry! >= 2_000 && stream.retry! < 5_000)
  stream.hangUp()
})

test('a client that is cut off repeatedly gets each event once and in order by resuming after its last event', async () => {
  const from = await newest()
  const got: string[] = []
  let last = String(from)
  const writing = (async () => {
    for (let n = 0; n < 30; n++) await happen('filings', numbered(`00000004${String(n).padStart(2, '0')}`, 40))
  })()
  const wanted = 30 * 40
  for (let cuts = 0; got.length < wanted; cuts++) {
    assert.ok(cuts < 200)
    // `after` is the number with which the stream began. The header takes precedence, since browsers repeat the same
    // address.
    const stream = await follow(`?after=${from}`, { 'last-event-id': last })
    const before = got.length
    await until('the stream has an event', () => stream.events.length > 0)
    stream.hangUp()
    got.push(...stream.events.map(({ id }) => id))
    assert.ok(got.length > before)
    last = stream.events.at(-1)!.id
  }
  await writing
  const log = await sql<{ seq: string }[]>`select seq::text from core.event e where seq > ${from} order by e.seq`
  assert.deepEqual(
    got,
    log.map(({ seq }) => seq),
  )
})

test('filters apply, and filtered-out events still advance the client’s position', async () => {
  const [{ accession }] = (await sql`select accession from edgar.filing where form_type = 'D' limit 1`) as [
    { accession: string },
  ]
  const stream = await follow('?form=D&source=filings')
  await happen('filings', numbered('0000000051', 5))
  const passed = await newest()
  await until('the stream has passed the events that the filter leaves out', () => stream.lastId === String(passed))
  assert.deepEqual(stream.events, [])
  await happen('filings', [accession])
  await happen('formd', [accession])
  await until('the event of the filing arrives', () => stream.events.length > 0)
  assert.deepEqual(keysOf(stream), [accession])
  stream.hangUp()
})

test('a quiet stream sends keep-alives', async () => {
  const stream = await follow('')
  await until('the stream has two comments', () => stream.comments >= 2)
  stream.hangUp()
})

for (const [whose, query] of [
  ['with one set of filters', () => ''],
  ['each with filters of its own', (n: number) => `?cik=${n + 1}`],
] as const) {
  test(`many clients that wait at the end, ${whose}, cost one database read per change`, async () => {
    const streams = await Promise.all(Array.from({ length: 40 }, (_, n) => follow(query(n))))
    const before = taken
    await happen('filings', null)
    await until('each stream has the event', () => streams.every(({ events }) => events.length === 1))
    assert.ok(taken - before <= 2, `${taken - before} readings`)
    for (const stream of streams) stream.hangUp()
  })
}

test('a client with filters gets the same events from the shared read as from pages of its own, even if the events fill several pages', async () => {
  const rows = await sql<{ accession: string; form_type: string; cik: string }[]>`
    select f.accession, f.form_type, r.cik from edgar.filing f join edgar.filer r using (accession) order by r.cik, f.accession`
  const accessions = [...new Set(rows.map(({ accession }) => accession))]
  const { cik } = rows.find(({ accession, cik }) =>
    rows.some((other) => other.accession === accession && other.cik !== cik),
  )!
  const queries = [
    `cik=${Number(cik)}`,
    'form=D',
    'form=d,8-K',
    'family=formd&form=D/A',
    'source=formd',
    'source=filings&form=D',
    'family=eightk&form=8-K/A',
    'family=eightk',
  ]
  const from = await newest()
  const streams = await Promise.all(queries.map((query) => follow(`?${query}`)))
  // More events than one reading returns. Each filing has several, and between them are events without a filing and
  // events without a name.
  for (let n = 0; n < 12; n++) {
    await happen(n % 3 ? 'filings' : 'formd', [...accessions, ...numbered(`00000009${10 + n}`, 20)])
    await happen(n % 2 ? 'adv' : 'formd', null, 'removed')
  }
  const last = String(await newest())
  for (const [n, query] of queries.entries()) {
    const stream = streams[n]!
    await until(`the stream for ${query} has passed the last event`, () => stream.lastId === last)
    const wanted: string[] = []
    for (let page = { events: [] as object[], next_after: from, is_end: false }; !page.is_end; ) {
      page = await served.json(`/events?${query}&after=${page.next_after}`)
      wanted.push(...page.events.map((event) => JSON.stringify(event)))
    }
    assert.deepEqual(
      stream.events.map(({ data }) => data),
      wanted,
      query,
    )
    stream.hangUp()
  }
})

test('if more filtered streams open at once than the number of requests that may wait for the database, no stream is refused', async (t) => {
  const one = openReaders({ target: world.target, max: 1 })
  t.after(() => one.end())
  const own = await serveWorld(t, world, { readers: one })
  const keys = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const limits = { searchLimit: 1_000, generalLimit: 1_000 }
      return (await createKey(sql, { account: `crowd ${n}`, scopes: ['api'], now: new Date(), ...limits })).key
    }),
  )
  const streams = await Promise.all(
    Array.from({ length: 600 }, (_, n) => follow(`?cik=${n + 1}`, { 'x-api-key': keys[n % 12]! }, own)),
  )
  await happen('filings', null)
  await until('each stream has the event', () => streams.every(({ events }) => events.length === 1))
  for (const stream of streams) stream.hangUp()
})

test('a client that reads nothing is disconnected, and misses nothing when it returns', async () => {
  const from = await newest()
  // These events take more bytes than the buffers of connections hold.
  await happen('filings', numbered('0000000071', 60_000))
  const stalled = await request(`?after=${from}`)
  const ended = 'openfilings_streams_total{outcome="stalled"}'
  const before = await metric(ended)
  await until('the server has closed the stream of the slow client', async () => (await metric(ended)) > before)
  stalled.destroy()
  const stream = await follow(`?after=${from}`)
  await until('all events arrive', () => stream.events.length === 60_000)
  assert.deepEqual(keysOf(stream), numbered('0000000071', 60_000))
  stream.hangUp()
})

test('the stream of a revoked key ends, and the key opens no other stream', async () => {
  const { limited } = served.keys
  const stream = await follow('', { 'x-api-key': limited })
  await sleep(150)
  assert.equal(stream.response.complete, false)
  await revokeKey(sql, limited, new Date())
  later += 31_000
  await stream.ended
  assert.equal(stream.response.complete, true)
  assert.ok((await metric('openfilings_streams_total{outcome="refused"}')) >= 1)
  assert.equal((await request('', { 'x-api-key': limited })).statusCode, 401)
})

test('the stream of a revoked key ends within 30 seconds, even if a check after the revocation still uses the cached key', async (t) => {
  let at = Date.now()
  const own = await serveWorld(t, world, { heartbeatMs: 100, now: () => new Date(at) })
  const { key } = await createKey(sql, { account: 'revoked', scopes: ['api'], now: new Date() })
  const stream = await follow('', { 'x-api-key': key }, own)
  await revokeKey(sql, key, new Date())
  await until('the stream has two comments', () => stream.comments >= 2)
  at += 29_950
  await stream.ended
  assert.equal(stream.response.complete, true)
})

/** Readers, and a wait until a stream whose client reads nothing has stopped reading pages. */
function countedReaders(t: TestContext) {
  let pages = 0
  const some = openReaders({ target: world.target, max: 2 })
  t.after(() => some.end())
  const take = () => {
    pages++
    return some.take()
  }
  const allSent = async () => {
    for (let before = -1; before !== pages; await sleep(500)) before = pages
  }
  return { readers: { ...some, take }, allSent }
}

test('a client that reads nothing cannot keep a stream of a revoked key open', async (t) => {
  let at = Date.now()
  const { readers, allSent } = countedReaders(t)
  const own = await serveWorld(t, world, {
    ...{ readers, heartbeatMs: 100, streamStallMs: 3_000, now: () => new Date(at) },
  })
  const { key } = await createKey(sql, { account: 'stalled', scopes: ['api'], now: new Date() })
  // The log is larger than what the buffers of the connections can hold.
  const stalled = await request('?after=0', { 'x-api-key': key }, { of: own })
  await allSent()
  await revokeKey(sql, key, new Date())
  at += 31_000
  const refused = () => metricsOf(own).then((text) => text.includes('streams_total{outcome="refused"} 1'))
  await until('the stream is counted as refused', refused)
  await until('no stream is open', async () => (await metricsOf(own)).includes('streams_under_way 0'))
  stalled.destroy()
})

test('a stream ends if its key cannot be checked', async () => {
  const stream = await follow('')
  await sql`alter table core.key rename to key_away`
  try {
    later += 31_000
    await stream.ended
  } finally {
    await sql`alter table core.key_away rename to key`
  }
  assert.equal(stream.response.complete, true)
})

test('a stream ends if its next page cannot be read, so that its client reconnects; a stream that cannot begin is an error', async () => {
  const stream = await follow('')
  await sql`alter table core.event rename to event_away`
  try {
    await sql.begin((tx) => dataChanged(tx, ['filings']))
    await stream.ended
    assert.equal((await request('')).statusCode, 500)
  } finally {
    await sql`alter table core.event_away rename to event`
  }
  assert.equal(stream.response.complete, true)
  assert.ok((await metric('openfilings_streams_total{outcome="failed"}')) >= 1)
})

test('a server that closes ends its streams at once, after a complete event', async (t) => {
  const own = await serveWorld(t, world)
  const streams = await Promise.all([follow('', {}, own), follow('?form=D', {}, own)])
  await own.close()
  await Promise.all(streams.map(({ ended }) => ended))
  // A stream that the server does not end is cut off after ten seconds, and is then not complete.
  assert.ok(streams.every(({ response }) => response.complete))
})

/** Locks the keys, so that a key that is not remembered is looked up until `release` is called. */
async function lockedKeys(): Promise<{ waits: () => Promise<void>; release: () => Promise<void> }> {
  const over = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const lock = sql.begin(async (tx) => {
    await tx`lock table core.key`
    isLocked.resolve()
    await over.promise
  })
  await isLocked.promise
  const waiting = () =>
    sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  return {
    waits: () => until('a key is looked up', async () => (await waiting()).length > 0),
    async release() {
      over.resolve()
      await lock
    },
  }
}

test('a stream that is requested while the server closes does not begin', async (t) => {
  const own = await serveWorld(t, world)
  const { key } = await createKey(sql, { account: 'late', scopes: ['api'], now: new Date() })
  const keys = await lockedKeys()
  const waiting = request('', { 'x-api-key': key }, { of: own })
  await keys.waits()
  const closed = own.close()
  const released = keys.release()
  const refused = await waiting
  assert.equal(refused.statusCode, 503)
  refused.resume()
  await Promise.all([released, closed])
})

test('a stream that waits for the database does not begin after its client disconnects or the server closes', async (t) => {
  const logged: string[] = []
  const one = openReaders({ target: world.target, max: 1 })
  t.after(() => one.end())
  const own = await serveWorld(t, world, {
    readers: one,
    slotWaitMs: 50,
    log: openLog({ level: 'info', stream: { write: (line: string) => void logged.push(line) } }),
  })
  const locked = Promise.withResolvers<void>()
  const lock = sql.begin(async (tx) => {
    await tx`lock table core.event`
    await locked.promise
  })
  // The first request has the only slot, so the others wait for a slot.
  const first = request('', {}, { of: own }).catch(() => null)
  await until('the first request has the slot', async () => /_running\{class="point"\} 1/.test(await metricsOf(own)))
  const gone = http.request(`${own.origin}/v1/events`, {
    agent: false,
    headers: { 'x-api-key': own.keys.api, accept: 'text/event-stream' },
  })
  gone.on('error', () => {}).end()
  await until('two streams are open', async () => /streams_under_way 2/.test(await metricsOf(own)))
  await sleep(100)
  gone.destroy()
  await until('one stream is open', async () => /streams_under_way 1/.test(await metricsOf(own)))
  const waiting = request('', { 'x-api-key': own.keys.api }, { of: own })
  await until('two streams are open', async () => /streams_under_way 2/.test(await metricsOf(own)))
  await sleep(100)
  const closed = own.close()
  const refused = await waiting
  const body = JSON.parse((await refused.toArray()).join(''))
  assert.equal(codeOf(refused.statusCode!, body), 'shutting_down')
  locked.resolve()
  await Promise.all([lock, first, closed])
  assert.ok(!logged.some((line) => /"level":50/.test(line)), 'no error is logged')
})

test('a stream whose client disconnects while its key is looked up does not keep its slot', async (t) => {
  const own = await serveWorld(t, world)
  const { key } = await createKey(sql, { account: 'quick', scopes: ['api'], now: new Date() })
  const keys = await lockedKeys()
  const gone = http.request(`${own.origin}/v1/events`, {
    agent: false,
    headers: { 'x-api-key': key, accept: 'text/event-stream' },
  })
  gone.on('error', () => {}).end()
  await keys.waits()
  gone.destroy()
  await until('the server knows', async () => /code="client_gone"\} 1/.test(await metricsOf(own)))
  await keys.release()
  // This request waits for the same key, so the stream has begun or ended before it is answered.
  const next = await fetch(`${own.origin}/v1/events?limit=1`, { headers: { 'x-api-key': key } })
  assert.equal(next.status, 200)
  assert.match(await metricsOf(own), /streams_under_way 0/)
})

test('a check of the reader that ends after the end of the stream writes nothing', async (t) => {
  const { key } = await createKey(sql, { account: 'reader', scopes: ['api'], now: new Date() })
  const person = { account: 'reader', keyId: key.split('_')[1]! }
  const checks: PromiseWithResolvers<typeof person>[] = []
  let isOpen = false
  const { readers, allSent } = countedReaders(t)
  const own = await serveWorld(t, world, {
    ...{ readers, heartbeatMs: 100, streamStallMs: 60_000 },
    signedIn() {
      if (!isOpen) return Promise.resolve(person)
      checks.push(Promise.withResolvers())
      return checks.at(-1)!.promise
    },
  })
  const sent = http.request(`${own.origin}/events/live?after=0`, { agent: false })
  sent.on('error', () => {}).end()
  // The client reads nothing, so the server cannot send the end of the stream.
  await once(sent, 'response')
  await allSent()
  isOpen = true
  await until('two checks wait', () => checks.length >= 2)
  const [first, second] = checks
  first!.reject(new Error('the database does not answer'))
  const refused = () => metricsOf(own).then((text) => text.includes('streams_total{outcome="refused"} 1'))
  await until('the stream is refused', refused)
  // If this check wrote to the ended answer, the process would end with an uncaught error.
  second!.resolve(person)
  assert.equal((await fetch(`${own.origin}/healthz`)).status, 200)
  sent.destroy()
})

test('a key has at most 50 streams; an ended stream frees its slot', async () => {
  const key = { 'x-api-key': served.keys.api }
  const streams = await Promise.all(Array.from({ length: 50 }, () => follow('', key)))
  const refused = await request('', key)
  assert.equal(refused.statusCode, 429)
  refused.resume()
  // Another key is not affected.
  const other = await follow('')
  other.hangUp()
  streams[0]!.hangUp()
  await streams[0]!.ended
  await sleep(50)
  const again = await follow('', key)
  for (const stream of [...streams, again]) stream.hangUp()
})

test('each reason to refuse a stream has its own error: invalid number, number of another log, invalid filter, invalid key', async () => {
  const last = await newest()
  const wrong: [query: string, headers: Record<string, string>, status: number, code: Code, error: RegExp][] = [
    ['', { 'last-event-id': 'abc' }, 400, 'invalid_header', /Last-Event-ID: must be the number of an event/],
    ['', { 'last-event-id': '1'.repeat(16) }, 400, 'invalid_header', /Last-Event-ID/],
    [
      `?after=${last + 5}`,
      {},
      400,
      'invalid_parameter',
      /is greater than the number of the newest event, \d+, so it belongs to another log/,
    ],
    ['?source=form-d', {}, 400, 'invalid_parameter', /"form-d" is not a known source; did you mean formd\?/],
    ['?family=formd&form=4', {}, 400, 'conflicting_parameters', /of the family ownership, not of formd/],
    ['', { 'x-api-key': 'of_none' }, 401, 'invalid_api_key', /not valid/],
  ]
  for (const [query, headers, status, code, error] of wrong) {
    const response = await request(query, headers)
    assert.equal(response.statusCode, status)
    const body = JSON.parse(String((await response.toArray()).join('')))
    assert.equal(codeOf(status, body), code)
    assert.match(body.error, error)
  }
})

test('HEAD gives only the headers of a stream; a client that accepts any type gets one page', async () => {
  const head = await request('', {}, { method: 'HEAD' })
  assert.equal(head.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.deepEqual(await head.toArray(), [])
  const page = await request('?limit=1', { accept: 'text/event-stream;q=0.5, */*' })
  assert.match(String(page.headers['content-type']), /^application\/json/)
  page.resume()
})

test('the open time of a stream does not count as response time', async () => {
  const before = await metric('openfilings_http_request_duration_seconds_count{route="events"}')
  const stream = await follow('')
  stream.hangUp()
  await stream.ended
  await until('the end of the stream is counted', async () => (await metric('openfilings_streams_under_way')) === 0)
  assert.equal(await metric('openfilings_http_request_duration_seconds_count{route="events"}'), before)
})

test('a stream also works from database snapshots, as from a replica', async (t) => {
  const snapshots = openReaders({ target: world.target, max: 2, snapshot: true })
  t.after(() => snapshots.end())
  const stream = await follow('', {}, await serveWorld(t, world, { readers: snapshots }))
  await happen('filings', numbered('0000000081', 2))
  await until('both events arrive', () => stream.events.length === 2)
  stream.hangUp()
})

test('a stream from a replica checks again after a while, since the replica may show a change after the notification', async () => {
  let waiting = 0
  const silent = {
    count: () => 7,
    async next(_: number, signal: AbortSignal) {
      waiting++
      await once(signal, 'abort').finally(() => waiting--)
      signal.throwIfAborted()
    },
  }
  const over = new AbortController()
  const changes = lookedAgain(silent, 20)
  for (let n = 0; n < 3; n++) await changes.next(7, over.signal)
  await sleep(5)
  assert.equal(waiting, 0, 'each wait for a change is given up')
  setTimeout(() => over.abort(), 5)
  await assert.rejects(changes.next(7, over.signal), { name: 'AbortError' })
})
