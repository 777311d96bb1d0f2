/** Requests of the TypeScript client against a service that refuses, and against servers that answer badly. */
import assert from 'node:assert/strict'
import { after, describe, it, type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import { AnswerCache, OpenFilings, OpenFilingsError } from '../../clients/typescript/src/index.ts'
import { retryAfterMs } from '../../clients/typescript/src/retry.ts'
import { type Answering, answering, json } from '../support/clients/answering.ts'
import { clientOf, steppedClock } from '../support/clients/typescript.ts'
import { serveSample } from '../support/served.ts'
import { until } from '../support/until.ts'

const served = await serveSample({ after })
const ROW = { accession: '0000000081-26-000001' }
const PAGE = { rows: [ROW], limit: 1, offset: 0 }

test('answers are requested without compression from a service on this machine, and with compression from any other service', async () => {
  const asked = async (baseUrl: string) => {
    let encoding: string | null | undefined
    const client = clientOf(baseUrl, {
      async fetch(_, init) {
        encoding = new Headers(init?.headers).get('accept-encoding')
        return Response.json({ keyId: '1' })
      },
    })
    await client.account.me()
    return encoding
  }
  for (const host of ['localhost', '127.0.0.1:8080', '[::1]:8080'])
    assert.equal(await asked(`http://${host}`), 'identity', host)
  for (const host of ['127.0.0.1.example.com', 'localhost.example.com', '10.0.0.1'])
    assert.equal(await asked(`http://${host}`), null, host)
})

describe('retries', () => {
  it('the client waits as long as a real 429 demands, and then the request succeeds', async () => {
    const retried: string[] = []
    const clock = steppedClock()
    let limited = served.keys.limited
    const client = clientOf(served.origin, {
      ...{ apiKey: limited, clock },
      onRetry: ({ error, attempt, waitMs }) => {
        retried.push(`${error.code} ${attempt} ${waitMs === error.retryAfterMs}`)
        limited = served.keys.full
      },
      // The service's limiter uses the system's clock, so the test cannot move it. Instead of waiting a minute the
      // client switches to a key with requests left.
      fetch: (input, init) => {
        const headers = { ...(init?.headers as Record<string, string>), authorization: `Bearer ${limited}` }
        return fetch(input, { ...init, headers })
      },
    })
    const found = await Promise.all(Array.from({ length: 11 }, () => client.filings.families().page()))
    assert.equal(found.length, 11)
    assert.deepEqual(retried, ['rate_limit_exceeded 1 true'])
    assert.equal(clock.waits.length, 1)
    assert.ok(clock.waits[0]! > 1_000 && clock.waits[0]! <= 60_000, `${clock.waits}`)
  })

  it('the client throws a 429 at once if the service demands a longer wait than the caller allowed', async (t) => {
    const { origin, requests } = await answering(
      t,
      json({ error: 'too many', code: 'rate_limit_exceeded' }, 429, { 'retry-after': '60' }),
    )
    const clock = steppedClock()
    const client = clientOf(origin, { clock, maxWaitMs: 59_000 })
    await assert.rejects(client.account.me(), { code: 'rate_limit_exceeded', status: 429, retryAfterMs: 60_000 })
    assert.deepEqual([requests.length, clock.waits.length], [1, 0])
  })

  it('the client retries 502, 503, 504 and broken connections with growing waits, up to the allowed number', async (t) => {
    const bad = [502, 503, 504].map((status) => json('<html>', status, { 'content-type': 'text/html' }))
    const { origin, requests } = await answering(t, ...bad, (response) => response.destroy(), json({ keyId: '1' }))
    const clock = steppedClock()
    assert.deepEqual(await clientOf(origin, { clock }).account.me(), { keyId: '1' })
    assert.deepEqual(clock.waits, [500, 1000, 2000, 4000])
    assert.equal(requests.length, 5)

    const away = await answering(t, (response) => response.destroy())
    await assert.rejects(clientOf(away.origin, { retries: 2 }).account.me(), { code: 'network', status: null })
    assert.equal(away.requests.length, 3)
  })

  it('the client does not retry requests that cannot succeed: other errors, and queries that are too expensive', async (t) => {
    for (const [status, code] of [
      [400, 'invalid_parameter'],
      [401, 'invalid_api_key'],
      [404, 'not_found'],
      [500, 'internal_error'],
      [503, 'query_too_expensive'],
      [503, 'count_too_expensive'],
    ] as const) {
      const { origin, requests } = await answering(
        t,
        json({ error: 'q: no', code }, status, { 'x-request-id': 'r1', 'retry-after': '1' }),
      )
      await assert.rejects(clientOf(origin).account.me(), { code, status, requestId: 'r1', message: 'q: no' })
      assert.equal(requests.length, 1)
    }
  })

  it('the client accepts Retry-After in seconds or as a date, and ignores other values', () => {
    const now = Date.parse('2026-01-02T03:04:05Z')
    assert.equal(retryAfterMs('7', now), 7_000)
    assert.equal(retryAfterMs('Fri, 02 Jan 2026 03:04:15 GMT', now), 10_000)
    assert.equal(retryAfterMs('Fri, 02 Jan 2026 03:04:00 GMT', now), 0)
    for (const text of [null, '', '-1', '1.5', 'soon', '99999999999']) assert.equal(retryAfterMs(text, now), null)
  })

  it('the client ends a wait when the caller aborts', async (t) => {
    const { origin, requests } = await answering(
      t,
      json({ error: 'busy', code: 'too_many_waiting' }, 503, { 'retry-after': '60' }),
    )
    const abort = new AbortController()
    // This client uses the real clock: the wait would take a minute.
    const client = new OpenFilings({ apiKey: 'k', baseUrl: origin, onRetry: () => setImmediate(() => abort.abort()) })
    await assert.rejects(client.filings.list({}, { signal: abort.signal }).page(), { name: 'AbortError' })
    assert.equal(requests.length, 1)
  })
})

describe('errors of a real service', () => {
  it('errors have code, status, request id, address and message, and never the key', async () => {
    const client = clientOf(served.origin, { apiKey: 'of_wrong_key' })
    const error = await client.filings.get('0000000081-26-000001').catch((found: unknown) => found)
    assert.ok(error instanceof OpenFilingsError)
    assert.deepEqual([error.code, error.status, error.place], ['invalid_api_key', 401, null])
    assert.ok(error.requestId)
    assert.equal(error.url, `${served.origin}/v1/filing/0000000081-26-000001`)
    for (const text of [
      inspect(error, { depth: 9 }),
      JSON.stringify(error),
      inspect(client, { depth: 9, showHidden: true }),
    ]) {
      assert.ok(!text.includes('of_wrong_key'), text)
    }
    await assert.rejects(clientOf(served.origin, { apiKey: served.keys.api }).brochures.get('1'), {
      code: 'missing_scope',
      status: 403,
    })
    await assert.rejects(clientOf(served.origin, { apiKey: served.keys.full }).filings.get('0000000081-26-000001'), {
      status: 404,
    })
  })

  it('an error says that nothing listens at the address', async () => {
    await assert.rejects(clientOf('http://127.0.0.1:1', { retries: 0 }).account.me(), { code: 'network', status: null })
  })
})

describe('a server that answers badly', () => {
  const rejected = (origin: string, code: string, options = {}) =>
    assert.rejects(
      clientOf(origin, { retries: 0, ...options })
        .filings.list()
        .page(),
      (error: OpenFilingsError) => {
        assert.equal(error.name, 'OpenFilingsError', inspect(error))
        assert.equal(error.code, code, error.message)
        assert.equal(error.url, `${origin}/v1/filings`)
        return true
      },
    )

  it('is reported if it sends truncated JSON', async (t) => {
    await rejected((await answering(t, json('{"rows":[{"accession":"0000'))).origin, 'invalid_answer')
    await rejected((await answering(t, json(''))).origin, 'invalid_answer')
  })

  it('is reported if its body is shorter than the declared length', async (t) => {
    const { origin } = await answering(t, (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"rows":[')
      setImmediate(() => response.destroy())
    })
    await rejected(origin, 'network')
  })

  it('is reported if its answer has another content type or none, or no rows', async (t) => {
    await rejected((await answering(t, json('{}', 200, { 'content-type': 'text/html' }))).origin, 'invalid_answer')
    const none = await answering(t, (response) => response.end('{}'))
    await rejected(none.origin, 'invalid_answer')
    const { origin } = await answering(t, json({ rows: 'none' }))
    await assert.rejects(clientOf(origin).filings.list().toArray(), { code: 'invalid_answer' })
    const array = await answering(t, json(PAGE))
    await assert.rejects(clientOf(array.origin).advisers.search({ q: 'ab' }).toArray(), { code: 'invalid_answer' })
  })

  it('cannot redirect the client: no redirect is followed, so none gets the key or loops', async (t) => {
    const other = await answering(t, json({}))
    for (const location of ['/v1/filings', `${other.origin}/v1/filings`]) {
      const { origin, requests } = await answering(t, (response) => response.writeHead(302, { location }).end())
      await rejected(origin, 'redirected')
      assert.equal(requests.length, 1)
    }
    assert.equal(other.requests.length, 0)
  })

  it('cannot make the client follow a link to another host, to the same page or out of the API', async (t) => {
    const other = await answering(t, json({}))
    for (const link of [
      `${other.origin}/v1/filings?cursor=1`,
      `//${new URL(other.origin).host}/v1/x`,
      '/v1/../admin',
      '/v1//x',
      '/other',
      '/v1/filings',
      '',
    ]) {
      const { origin, requests } = await answering(t, json(PAGE, 200, { link: `<${link}>; rel="next"` }))
      await assert.rejects(clientOf(origin).filings.list().toArray(), { code: 'invalid_answer' }, link)
      assert.equal(requests.length, 1)
    }
    assert.equal(other.requests.length, 0)
  })

  it('causes a time-out if its headers or its body are slow', async (t) => {
    await rejected((await answering(t, () => {})).origin, 'timeout', { timeoutMs: 50 })
    const { origin } = await answering(t, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(drip))
    })
    await rejected(origin, 'timeout', { timeoutMs: 100 })
  })

  it('cannot fill the client’s memory, even with a compressed answer', async (t) => {
    const { gzipSync } = await import('node:zlib')
    const zipped = gzipSync(Buffer.alloc(5_000_000, ' '))
    const { origin } = await answering(t, (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(zipped)
    })
    await rejected(origin, 'answer_too_large', { maxAnswerBytes: 1_000_000 })
  })

  it('is reported if it answers 304 to a request without an ETag', async (t) => {
    await rejected((await answering(t, (response) => response.writeHead(304).end())).origin, 'invalid_answer')
  })

  it('causes an error with the HTTP status if its error has an unknown format', async (t) => {
    for (const body of ['<html>Bad Gateway', '[]', 'null', '{"error":1}', 'x'.repeat(100_000)]) {
      await rejected((await answering(t, json(body, 418, { 'content-type': 'text/html' }))).origin, 'http_error')
    }
  })
})

describe('signals', () => {
  it('abort a request, a body, a file or all requests of a client, with the reason of the signal', async (t) => {
    const silent = await answering(t, () => {})
    const reason = new Error('no longer needed')
    const abort = new AbortController()
    const waiting = clientOf(silent.origin).filings.list({}, { signal: abort.signal }).page()
    setTimeout(() => abort.abort(reason), 20)
    await assert.rejects(waiting, reason)
    const done = AbortSignal.abort(reason)
    await assert.rejects(clientOf(silent.origin, { signal: done }).account.me(), reason)

    const drip = await answering(t, (response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      response.write('a,b\r\n')
    })
    const later = new AbortController()
    const file = await clientOf(drip.origin).filings.list().download('csv', { signal: later.signal })
    const read = file.text()
    setTimeout(() => later.abort(reason), 20)
    await assert.rejects(read, reason)
  })
})

describe('pages requested ahead', () => {
  const parseOf = JSON.parse
  const page = (next: number | null, accession = ROW.accession) =>
    json(
      { ...PAGE, rows: [{ accession }] },
      200,
      next === null ? {} : { link: `</v1/filings?cursor=${next}>; rel="next"` },
    )
  const cursors = ({ requests }: Answering) => requests.map(({ url }) => /cursor=(\w+)/.exec(url)?.[1] ?? 'first')

  it('from the second page on, one page is requested before the body of the page in use has arrived', async (t) => {
    let finish = () => {}
    const slow: Parameters<typeof answering>[1] = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', link: '</v1/filings?cursor=3>; rel="next"' })
      response.flushHeaders()
      finish = () => response.end(JSON.stringify(PAGE))
    }
    const service = await answering(t, page(2), slow, page(4), page(null))
    const pages = clientOf(service.origin).filings.list().pages()
    await pages.next()
    assert.deepEqual(cursors(service), ['first'], 'only the first page is requested')
    const second = pages.next()
    await until('the third page is requested', () => service.requests.length === 3)
    finish()
    await second
    assert.deepEqual(cursors(service), ['first', '2', '3'], 'one page is requested ahead')
    const rest: unknown[] = []
    for await (const each of pages) rest.push(each)
    assert.deepEqual([cursors(service), rest.length], [['first', '2', '3', '4'], 2])
  })

  it('from the second page on, a page is parsed after the request for the next page is sent', async (t) => {
    const service = await answering(t, page(2), page(3), page(null))
    const order: string[] = []
    // Sends one turn of the event loop later, as `fetch` of Node does on a connection that was used before.
    const later: typeof fetch = async (url, options) => {
      await new Promise((resolve) => setImmediate(resolve))
      order.push(/cursor=\w+/.exec(String(url))?.[0] ?? 'first')
      return fetch(url, options)
    }
    const parse = t.mock.method(JSON, 'parse', ((text, reviver) => {
      // Other texts are parsed by Node itself.
      if (text.includes('rows')) order.push('parsed')
      return parseOf(text, reviver)
    }) as typeof JSON.parse)
    for await (const _ of clientOf(service.origin, { fetch: later }).filings.list());
    parse.mock.restore()
    assert.deepEqual(order, ['first', 'parsed', 'cursor=2', 'cursor=3', 'parsed', 'parsed'])
  })

  it('all pages are read even without `setImmediate`, as in a browser', async (t) => {
    const service = await answering(t, page(2), page(3), page(null))
    const own = globalThis.setImmediate
    t.after(() => {
      globalThis.setImmediate = own
    })
    Reflect.deleteProperty(globalThis, 'setImmediate')
    let rows = 0
    for await (const _ of clientOf(service.origin).filings.list()) rows++
    assert.deepEqual([rows, cursors(service)], [3, ['first', '2', '3']])
  })

  it('a loop that ends early aborts the page that it requested ahead', async (t) => {
    let isAborted = false
    const silent: Parameters<typeof answering>[1] = (response) => void response.on('close', () => (isAborted = true))
    const service = await answering(t, page(2), page(3), silent)
    let pages = 0
    for await (const _ of clientOf(service.origin).filings.list()) {
      if (++pages < 2) continue
      await until('the third page is requested', () => service.requests.length === 3)
      break
    }
    await until('the request is aborted', () => isAborted)
  })

  it('the failure of a page requested ahead reaches the loop after the rows of the earlier pages', async (t) => {
    const service = await answering(
      t,
      page(2),
      page(3),
      json({ error: 'cursor: too old', code: 'invalid_parameter' }, 400),
    )
    let rows = 0
    await assert.rejects(
      async () => {
        for await (const _ of clientOf(service.origin).filings.list()) {
          rows++
          if (rows === 2) await until('the third page is requested', () => service.requests.length === 3)
          // Gives time to a rejection without a handler, which would end the process.
          await new Promise((resolve) => setImmediate(resolve))
        }
      },
      { code: 'invalid_parameter', status: 400 },
    )
    assert.equal(rows, 2)
  })

  it('a repeated request decides which page follows, even if its first attempt led to another page', async (t) => {
    const cut: Parameters<typeof answering>[1] = (response) => {
      const link = '</v1/filings?cursor=old>; rel="next"'
      response.writeHead(200, { 'content-type': 'application/json', link, 'content-length': '1000' })
      response.write('{', () => setTimeout(() => response.destroy(), 20))
    }
    const service = await answering(t, page(2), (response, request) => {
      const cursor = /cursor=(\w+)/.exec(request.url!)?.[1]
      if (cursor === 'old') page(null, '0000000081-26-999999')(response, request)
      else if (cursor === 'new') page(null, '0000000081-26-000002')(response, request)
      else if (cursors(service).filter((each) => each === '2').length === 1) cut(response, request)
      else json(PAGE, 200, { link: '</v1/filings?cursor=new>; rel="next"' })(response, request)
    })
    const rows = await clientOf(service.origin).filings.list().toArray()
    assert.deepEqual(
      rows.map(({ accession }) => accession),
      [ROW.accession, ROW.accession, '0000000081-26-000002'],
    )
    assert.ok(cursors(service).includes('old'))
  })
})

it('options of a list apply to its files, unless a file has its own', async (t) => {
  const silent = await answering(t, () => {})
  const [ofList, ofFile] = [new Error('of the list'), new Error('of the file')]
  const list = clientOf(silent.origin).filings.list({}, { signal: AbortSignal.abort(ofList) })
  await assert.rejects(list.download('csv'), ofList)
  await assert.rejects(list.feed('atom'), ofList)
  await assert.rejects(list.download('csv', { signal: AbortSignal.abort(ofFile) }), ofFile)
})

describe('files that break off', () => {
  const fileOf = (origin: string, format: 'csv' | 'ndjson' | 'parquet', options = {}) =>
    clientOf(origin, { retries: 0, ...options })
      .filings.list()
      .download(format)
  const sending = (t: TestContext, type: string, body: string) =>
    answering(t, (response) => response.setHeader('content-type', type).end(body))

  it('are refused at once if the answer has another type, such as the login page of a proxy', async (t) => {
    const { origin } = await sending(t, 'text/html', '<html>Sign in</html>')
    const list = clientOf(origin, { retries: 0 }).filings.list()
    for (const format of ['csv', 'ndjson', 'parquet'] as const) {
      await assert.rejects(list.download(format), {
        code: 'invalid_answer',
        message: /text\/html instead of .*baseUrl/,
      })
    }
    for (const format of ['atom', 'jsonfeed'] as const) {
      await assert.rejects(list.feed(format), {
        code: 'invalid_answer',
        message: /is text\/html instead of application/,
      })
    }
    const untyped = await answering(t, (response) => response.end('# rows: 0\r\n'))
    await assert.rejects(fileOf(untyped.origin, 'csv'), { code: 'invalid_answer' })
    const page = await clientOf(origin).filings.document('0000320193-24-000123', 1)
    assert.equal(await page.text(), '<html>Sign in</html>', 'a document may have any type')
  })

  it('are errors if the last line is missing, the count differs, or a line is not JSON', async (t) => {
    const csv = await sending(t, 'text/csv', 'a,b\r\n1,2\r\n')
    const cut = await fileOf(csv.origin, 'csv')
    await assert.rejects(cut.text(), { code: 'incomplete_file' })
    const fewer = await sending(t, 'application/x-ndjson', '{"a":1}\n{"_end":{"rows":2}}\n')
    await assert.rejects(
      async () => {
        for await (const _ of (await fileOf(fewer.origin, 'ndjson')).rows());
      },
      { code: 'incomplete_file' },
    )
    const footer = await sending(t, 'application/vnd.apache.parquet', 'PAR1 openfilings.rows\x18\x012\x00 PAR')
    await assert.rejects((await fileOf(footer.origin, 'parquet')).bytes(), { code: 'incomplete_file' })
    const broken = await sending(t, 'application/x-ndjson', '{"a":\n{"_end":{"rows":1}}\n')
    await assert.rejects(
      async () => {
        for await (const _ of (await fileOf(broken.origin, 'ndjson')).rows());
      },
      { code: 'invalid_answer' },
    )
  })

  it('are errors if the connection breaks or stalls', async (t) => {
    const gone = await answering(t, (response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      response.write('a,b\r\n')
      setImmediate(() => response.destroy())
    })
    await assert.rejects((await fileOf(gone.origin, 'csv')).text(), { code: 'network' })
    const stalled = await answering(t, (response) => {
      response.setHeader('content-type', 'text/csv').write('a,b\r\n')
    })
    await assert.rejects((await fileOf(stalled.origin, 'csv', { stallMs: 50 })).text(), { code: 'timeout' })
  })

  it('time out only after the caller has begun to read', async (t) => {
    const { origin } = await sending(t, 'text/csv', 'a\r\n# not loaded: x: y\r\n# rows: 0\r\n')
    const file = await fileOf(origin, 'csv', { stallMs: 30, timeoutMs: 1_000 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.match(await file.text(), /^a\r\n/)
    assert.equal(file.rowCount, 0)
  })
})

test('the client’s cache stays within its limit, evicts the answers used longest ago, and does not store an answer larger than the limit', () => {
  const cache = new AnswerCache({ maxBytes: 2_000, maxEntries: 3 })
  const answer = (chars: number) => ({ etag: 'e', text: 'x'.repeat(chars), link: null })
  for (const name of ['a', 'b', 'c']) cache.set(name, answer(10))
  assert.ok(cache.get('a'))
  cache.set('d', answer(10))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => cache.get(name) !== undefined),
    [true, false, true, true],
  )
  cache.set('large', answer(1_000))
  assert.equal(cache.get('large'), undefined)
  assert.equal(cache.size, 3)
  cache.set('most', answer(990))
  assert.equal(cache.size, 1)
})

test('invalid options are refused by name, and the message never repeats the key', () => {
  const refused = (options: object, message: RegExp) =>
    assert.throws(
      () => new OpenFilings({ apiKey: 'of_secret', ...options }),
      (error: OpenFilingsError) => {
        assert.equal(error.code, 'invalid_option')
        assert.match(error.message, message)
        assert.ok(!error.message.includes('of_secret'))
        return true
      },
    )
  for (const apiKey of ['', 'of_secret\r\nx: y', 'of secret', undefined, 7]) refused({ apiKey }, /^apiKey: /)
  for (const baseUrl of ['', 'localhost:8080', 'ftp://x', 'http://a:b@c', 'http://x/?y'])
    refused({ baseUrl }, /^baseUrl: /)
  for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) refused({ timeoutMs }, /^timeoutMs: /)
  refused({ retries: -1 }, /^retries: /)
  // @ts-expect-error the options are needed
  assert.throws(() => new OpenFilings(), { code: 'invalid_option', message: /^apiKey: / })
})

test('an undefined option has its default', async (t) => {
  const asked: string[] = []
  t.mock.method(globalThis, 'fetch', async (url: string) => {
    asked.push(url)
    return Response.json({ keyId: '1' })
  })
  const options = { baseUrl: undefined, timeoutMs: undefined, fetch: undefined } as object
  await new OpenFilings({ apiKey: 'k', ...options }).account.me()
  assert.deepEqual(asked, ['http://127.0.0.1:8080/v1/me'])
})

test('the service’s address may end with a slash or /v1, and may have a path before /v1', async (t) => {
  const { origin, requests } = await answering(
    t,
    json({ ...PAGE }, 200, { link: '</v1/filings?cursor=2>; rel="next"' }),
    json(PAGE),
  )
  const found = await clientOf(`${origin}/data/v1/`).filings.list({ limit: 1 }).toArray()
  assert.equal(found.length, 2)
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['/data/v1/filings?limit=1', '/data/v1/filings?cursor=2'],
  )
  assert.equal(requests[0]!.headers.authorization, 'Bearer of_test')
})
