/** Lists as files over HTTP: which form is sent, how a file ends, what a slow, vanished or greedy client takes. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect as connectTo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import papaparse from 'papaparse'
import { z } from 'zod'
import { catalog } from '../src/declare/catalog.ts'
import { choice, get, limit, offset, type Route, whole } from '../src/declare/route.ts'
import { ask, type Scratch, scratchServer } from './scratch-server.ts'
import { until } from './until.ts'

const row = z.object({ n: z.int(), text: z.string().nullable() })
const cursor = z.string().optional()

/** Cells that a reader of CSV or a spreadsheet could take for something else, and what the file has. */
const HOSTILE: [value: unknown, cell: string][] = [
  [null, ''],
  ['', '""'],
  [0, '0'],
  [-1e-7, '-1e-7'],
  [true, 'true'],
  ['-12.50', '-12.50'],
  ['+7', '+7'],
  ['2024-01-31', '2024-01-31'],
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['+1+1', "'+1+1"],
  ['-1e9', "'-1e9"],
  ['-', "'-"],
  ['@SUM(1)', "'@SUM(1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['\n=1', '"\'\n=1"'],
  ['-5\n', '"\'-5\n"'],
  ['\uFF1D1', "'\uFF1D1"],
  ['\uFF0B1', "'\uFF0B1"],
  ['\uFF0D1', "'\uFF0D1"],
  ['\uFF20x', "'\uFF20x"],
  ['# rows: 3', '"# rows: 3"'],
  ['Suite #5', '"Suite #5"'],
  ['a, b', '"a, b"'],
  ['say "so"', '"say ""so"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['two\nlines', '"two\nlines"'],
  ["'quoted'", "'quoted'"],
  [' spaces ', ' spaces '],
  ['Zürich 東京 😀', 'Zürich 東京 😀'],
  [['=1', 'b'], '"[""=1"",""b""]"'],
  [{ a: null }, '"{""a"":null}"'],
]

const ROWS = 6500

function routes(): Route[] {
  const common = { tag: 'filings' as const, summary: 'A route of the tests', bucket: 'search' as const }
  return [
    get('/rows', {
      ...common,
      name: 'rows',
      description: 'Numbers, page by page. Behind the first page it can go wrong in several ways.',
      input: {
        behind: choice(['sleep', 'fail', 'lost', 'nothing'], 'What happens behind the first page').optional(),
        wide: whole({ describe: 'Letters of each row' }).default(1),
        of: whole({ describe: 'Rows there are' }).default(ROWS),
        limit: limit({ max: 50, default: 10 }),
        offset: offset(),
        paginate: choice(['cursor'], 'As of other lists').optional(),
        cursor,
      },
      output: z.object({ rows: z.array(row), next_cursor: z.string().nullable() }),
      rows: 'rows',
      run: async ({ behind, wide, of, limit, offset, cursor, paginate }, { sql }) => {
        assert.ok(cursor === undefined || (offset === 0 && paginate === 'cursor'))
        if (cursor !== undefined && behind === 'nothing') return null
        if (cursor !== undefined && behind === 'sleep') await sql`select pg_sleep(60)`
        if (cursor !== undefined && behind === 'fail') await sql`select 1 / ${0}::int`
        if (cursor !== undefined && behind === 'lost') await sql`select pg_terminate_backend(pg_backend_pid())`
        const from = cursor === undefined ? offset : Number(cursor)
        const rows = await sql<{ n: number; text: string }[]>`
          select n, repeat('x', ${wide}::int) as text from generate_series(${from}::int + 1, least(${of}::int, ${from + limit}::int)) n`
        return { rows: [...rows], next_cursor: from + limit < of ? String(from + limit) : null }
      },
    }),
    get('/cells', {
      ...common,
      name: 'cells',
      input: {},
      output: z.array(z.object({ value: z.unknown(), last: z.string() })),
      run: async () => HOSTILE.map(([value]) => ({ value, last: 'end' })),
    }),
    get('/single', {
      ...common,
      name: 'single',
      input: {},
      output: z.array(z.object({ value: z.string().nullable() })),
      run: async () => ['a', null, '', 'b'].map((value) => ({ value })),
    }),
    get('/empty', {
      ...common,
      name: 'empty',
      input: { cursor },
      output: z.object({ rows: z.array(row), next_cursor: z.null(), not_loaded: z.array(z.any()).optional() }),
      rows: 'rows',
      run: async () => ({
        rows: [],
        next_cursor: null,
        not_loaded: [{ source: 'formd', note: 'no notices\non Form D' }],
      }),
    }),
    get('/none', {
      ...common,
      name: 'none',
      input: { cursor },
      output: z.object({ rows: z.array(row), next_cursor: z.null() }),
      rows: 'rows',
      run: async () => null,
    }),
    get('/hold', {
      ...common,
      name: 'hold',
      cost: 'heavy',
      cached: false,
      input: {},
      output: row,
      run: async (_, { sql }) => {
        await sql`select pg_sleep(60)`
        return { n: 1, text: null }
      },
    }),
    get('/one', { ...common, name: 'one', input: {}, output: row, run: async () => ({ n: 1, text: null }) }),
  ]
}

const served = catalog([], [routes()], [])
const server = await scratchServer({ after }, { catalog: served })
const key = await server.key()
const take = (path: string, headers: Record<string, string> = {}) => server.as(key, `/v1${path}`, { headers })

/** A response whose body is read when the test wants it. */
async function opened(
  at: Scratch,
  path: string,
  own: string,
  more: Record<string, string> = {},
): Promise<{ sent: ClientRequest; came: IncomingMessage }> {
  const url = new URL(at.base)
  const headers = { 'x-api-key': own, ...more }
  const sent = request({ host: url.hostname, port: url.port, path, agent: false, headers })
  sent.on('error', () => {}).end()
  const came = await new Promise<IncomingMessage>((resolve, reject) => sent.on('response', resolve).on('error', reject))
  came.on('error', () => {}) // a file that breaks off
  return { sent, came }
}

/** All that came until the connection ended, however it ended. */
async function bytesOf(came: IncomingMessage): Promise<{ text: string; isWhole: boolean }> {
  let text = ''
  came.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  came.resume()
  if (!came.closed) await new Promise((resolve) => came.on('close', resolve))
  return { text, isWhole: came.complete }
}

const metric = async (at: Scratch, name: string) => {
  const { text } = await ask(at.base, '/metrics')
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1) ?? 0,
  )
}
const ended = (at: Scratch, outcome: string, format = 'csv') =>
  metric(at, `openfilings_files_total{format="${format}",outcome="${outcome}"}`)
const running = async (at: Scratch) => {
  const classes = ['point', 'list', 'heavy'].map((cost) => metric(at, `openfilings_places_running{class="${cost}"}`))
  return (await Promise.all(classes)).reduce((sum, n) => sum + n)
}
const sleeping = async (at: Scratch) => {
  const [found] = await at.sql<[{ n: number }]>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`
  return found.n
}

const CSV = 'text/csv; charset=utf-8; header=present'
const NDJSON = 'application/x-ndjson'
const JSON_TYPE = 'application/json; charset=utf-8'

const WISHES: [accept: string | undefined, list: string | null, other: string | null][] = [
  [undefined, JSON_TYPE, JSON_TYPE],
  ['', JSON_TYPE, JSON_TYPE],
  ['*/*', JSON_TYPE, JSON_TYPE],
  ['application/json', JSON_TYPE, JSON_TYPE],
  ['APPLICATION/JSON; charset=utf-8', JSON_TYPE, JSON_TYPE],
  ['application/*', JSON_TYPE, JSON_TYPE],
  ['application/problem+json, application/json', JSON_TYPE, JSON_TYPE],
  ['application/problem+json', JSON_TYPE, JSON_TYPE],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', JSON_TYPE, JSON_TYPE],
  ['application/json, text/plain, */*', JSON_TYPE, JSON_TYPE],
  ['text/csv', CSV, null],
  ['Text/CSV;header=present', CSV, null],
  ['text/*', CSV, null],
  ['application/x-ndjson', NDJSON, null],
  ['text/csv, application/problem+json', CSV, JSON_TYPE],
  ['text/csv, */*', CSV, JSON_TYPE],
  ['text/csv;q=0.5, application/json;q=0.6', JSON_TYPE, JSON_TYPE],
  ['text/csv;q=0.7, application/json;q=0.6', CSV, JSON_TYPE],
  ['application/json;q=0, */*', CSV, null],
  ['application/json;q=0, text/csv;q=0, application/*', NDJSON, null],
  ['text/plain;x="a, text/csv;q=1", application/x-ndjson', NDJSON, null],
  ['text/html', null, null],
  ['*/*;q=0', null, null],
  ['application/json;q=0', null, null],
  ['text/csv;q=nonsense', null, null],
  ['csv', null, null],
  [`${'a/b;'.repeat(3000)}`, null, null],
]
for (const [accept, list, other] of WISHES) {
  test(`Accept ${accept?.slice(0, 70) ?? 'absent'}: a list is ${list ?? 406}, another answer ${other ?? 406}`, async () => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept }
    for (const [path, type] of [['/rows?limit=3', list] as const, ['/one', other] as const]) {
      const reply = await take(path, headers)
      assert.deepEqual([reply.status, reply.headers['content-type']], type ? [200, type] : [406, JSON_TYPE], path)
      const offers = path === '/one' ? 'application/json' : 'application/json, text/csv, application/x-ndjson'
      if (!type) assert.deepEqual(reply.json(), { error: `Accept: this endpoint sends ${offers}` })
      if (path !== '/one' || !type) assert.match(reply.headers.vary ?? '', /^accept\b/)
    }
  })
}

test('format is stronger than Accept, and an unknown one is refused with the choices', async () => {
  assert.equal((await take('/rows?limit=3&format=csv', { accept: 'application/json' })).headers['content-type'], CSV)
  assert.equal((await take('/rows?limit=3&format=ndjson', { accept: 'text/html' })).headers['content-type'], NDJSON)
  assert.equal((await take('/rows?limit=3&format=json', { accept: 'text/csv' })).headers['content-type'], JSON_TYPE)
  for (const wrong of ['xml', 'CSV', '']) {
    const reply = await take(`/rows?format=${wrong}`)
    assert.deepEqual([reply.status, reply.json()], [400, { error: 'format: must be one of json, csv, ndjson' }])
  }
  assert.match((await take('/one?format=csv')).json().error, /^"format": unknown parameter/)
})

test('a 406 is problem+json where that is accepted, and needs a key before', async () => {
  const accept = 'application/problem+json;q=0.0, text/html'
  assert.equal((await take('/rows', { accept })).status, 406)
  assert.equal((await ask(server.base, '/v1/rows', { headers: { accept: 'text/html' } })).status, 401)
})

test('hostile cells come back as they are, none as a formula or a remark', async () => {
  const { text, headers } = await take('/cells?format=csv')
  assert.equal(
    text,
    `value,last\r\n${HOSTILE.map(([, cell]) => `${cell},end\r\n`).join('')}# rows: ${HOSTILE.length}\r\n`,
  )
  assert.equal(headers['content-disposition'], 'attachment; filename="cells.csv"')
  const { data } = papaparse.parse<string[]>(text, { comments: '#', newline: '\r\n' })
  assert.equal(data.length, 1 + HOSTILE.length + 1)
  for (const [i, [value]] of HOSTILE.entries()) {
    const cell = data[i + 1]![0]!
    const plain = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
    assert.equal(cell.replace(/^'(?!q)/, ''), plain)
    if (typeof value === 'string' && !/^[+-]?\d+(\.\d+)?$/.test(value))
      assert.match(cell, /^(?![=+\-@\t\r\n＝＋－＠])/u)
  }
  const lines = (await take('/cells?format=ndjson')).text.split('\n')
  assert.deepEqual(
    lines.slice(0, -2).map((line) => JSON.parse(line).value),
    HOSTILE.map(([value]) => value),
  )
})

test('a file of one column has no empty line, which readers would skip with its row', async () => {
  assert.equal((await take('/single?format=csv')).text, 'value\r\na\r\n""\r\n""\r\nb\r\n# rows: 4\r\n')
})

test('an empty list is its header, what was never loaded, and the count', async () => {
  const csv = await take('/empty?format=csv')
  assert.equal(csv.text, 'n,text\r\n# not loaded: formd: no notices on Form D\r\n# rows: 0\r\n')
  assert.equal(csv.headers['x-not-loaded'], 'formd')
  const end = { _end: { rows: 0, not_loaded: [{ source: 'formd', note: 'no notices\non Form D' }] } }
  assert.equal((await take('/empty?format=ndjson')).text, `${JSON.stringify(end)}\n`)
  assert.equal((await take('/rows?of=0&format=csv')).headers['x-not-loaded'], undefined)
})

test('a file has all pages; limit, offset and cursor bound it; nothing of it is kept', async () => {
  const numbers = async (query: string) => {
    const { text } = await take(`/rows?format=ndjson${query}`)
    const lines = text.trimEnd().split('\n').map((line) => JSON.parse(line)) // biome-ignore format: one line
    assert.deepEqual(lines.at(-1), { _end: { rows: lines.length - 1 } })
    return [lines.length - 1, lines[0].n, lines.at(-2).n]
  }
  const before = await metric(server, 'openfilings_cache_bytes')
  assert.deepEqual(await numbers(''), [ROWS, 1, ROWS])
  assert.deepEqual(await numbers(''), [ROWS, 1, ROWS])
  assert.deepEqual(await numbers('&limit=7'), [7, 1, 7])
  assert.deepEqual(await numbers('&offset=3000'), [ROWS - 3000, 3001, ROWS])
  assert.deepEqual(await numbers('&paginate=cursor&cursor=6000'), [500, 6001, ROWS])
  assert.equal((await take('/rows?format=csv&limit=51')).status, 400)
  const { headers } = await take('/rows?format=csv')
  assert.equal(headers['cache-control'], 'private, no-store')
  assert.equal(headers.etag, undefined)
  assert.equal(await metric(server, 'openfilings_cache_bytes'), before)
})

test('a file is one request of its bucket', async () => {
  const own = await server.key()
  const left = async () => Number((await server.as(own, '/v1/rows?format=csv')).headers['ratelimit-remaining'])
  assert.equal((await left()) - (await left()), 1)
})

test('HEAD of a file has its headers and no body, an error its status', async () => {
  const [got, head] = [await take('/rows?format=csv'), await server.as(key, '/v1/rows?format=csv', { method: 'HEAD' })]
  assert.deepEqual([head.status, head.body.length], [200, 0])
  for (const name of ['content-type', 'content-disposition', 'cache-control', 'vary']) {
    assert.equal(head.headers[name], got.headers[name], name)
  }
  const headOf = async (path: string) => (await server.as(key, path, { method: 'HEAD' })).status
  assert.deepEqual([await headOf('/v1/none?format=csv'), await headOf('/v1/rows?format=x')], [404, 400])
})

test('what goes wrong before the first byte is a plain error', async () => {
  const reply = await take('/none?format=csv')
  assert.deepEqual([reply.status, reply.json()], [404, { error: 'not found' }])
})

for (const [what, status, level] of [
  ['fail', 500, 50],
  ['lost', 503, 40],
  ['nothing', 404, 40],
] as const) {
  test(`an error in the middle (${what}) ends the connection without the last line; log and metrics say so`, async () => {
    const before = await ended(server, 'cut')
    const { came } = await opened(server, `/v1/rows?format=csv&behind=${what}`, key)
    assert.equal(came.statusCode, 200)
    const { text, isWhole } = await bytesOf(came)
    assert.equal(isWhole, false)
    assert.doesNotMatch(text, /# rows:/)
    const id = came.headers['x-request-id']
    await until('it is logged', () => server.lines().some((line) => line.reqId === id && line.msg === 'request'))
    const [told, asked] = server.lines().filter(({ reqId }) => reqId === id)
    assert.deepEqual([told!.msg, told!.level, told!.rows], ['a file broke off', level, 2000])
    assert.deepEqual([asked!.msg, asked!.status], ['request', status])
    assert.equal(await ended(server, 'cut'), before + 1)
    await until('nothing is under way', async () => (await metric(server, 'openfilings_files_under_way')) === 0)
  })
}

for (const [coding, decode] of Object.entries({
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
})) {
  test(`a file is sent as ${coding} to a client that takes it, and cut off it does not end`, async () => {
    const [plain, packed] = [
      await take('/rows?format=csv'),
      await take('/rows?format=csv', { 'accept-encoding': coding }),
    ]
    assert.deepEqual([packed.headers['content-encoding'], packed.headers.vary], [coding, 'accept, accept-encoding'])
    assert.equal(decode(packed.body).toString(), plain.text)
    assert.ok(packed.body.length < plain.body.length / 2)
    const headers = { 'accept-encoding': coding }
    const { came } = await opened(server, '/v1/rows?format=csv&behind=fail', key, headers)
    assert.equal(came.headers['content-encoding'], coding)
    assert.equal((await bytesOf(came)).isWhole, false)
  })
}

test('curl fails with a file that broke off', async () => {
  const asked = promisify(execFile)('curl', [
    '-s',
    '-H',
    `x-api-key: ${key}`,
    `${server.base}/v1/rows?format=csv&behind=fail`,
  ])
  const failed = await asked.then(
    () => assert.fail('curl took it for whole'),
    (error: NodeJS.ErrnoException & { code: unknown }) => error,
  )
  assert.equal(failed.code, 18)
})

test('a client that hangs up in the middle ends the statement of the next page, and gives back all it had', async () => {
  const before = await ended(server, 'gone')
  const { sent } = await opened(server, '/v1/rows?format=csv&behind=sleep', key)
  await until('the next page is read', async () => (await sleeping(server)) === 1)
  sent.destroy()
  await until('its statement ends', async () => (await sleeping(server)) === 0, 5000)
  await until('its place is free', async () => (await running(server)) === 0)
  await until('it is counted', async () => (await ended(server, 'gone')) === before + 1)
  assert.equal(await metric(server, 'openfilings_files_under_way'), 0)
})

test('a client that hangs up before the first page leaves nothing', async () => {
  const own = await server.key()
  const url = new URL(server.base)
  for (let i = 0; i < 3; i++) {
    const sent = request({
      host: url.hostname,
      port: url.port,
      path: '/v1/rows?format=csv',
      agent: false,
      headers: { 'x-api-key': own },
    })
    sent.on('error', () => {}).end()
    await new Promise((resolve) => sent.on('socket', (socket) => socket.on('connect', resolve)))
    sent.destroy()
  }
  await until('nothing is under way', async () => (await metric(server, 'openfilings_files_under_way')) === 0)
  assert.equal((await server.as(own, '/v1/rows?format=csv')).status, 200)
})

test('a client that hangs up with a second file asked for behind the first gives back both', async () => {
  const own = await server.key()
  const url = new URL(server.base)
  const socket = connectTo(Number(url.port), url.hostname)
  await new Promise((resolve) => socket.on('connect', resolve))
  const path = '/v1/rows?format=csv&wide=8000&of=20000'
  const asked = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${own}\r\n\r\n`
  socket.write(asked + asked)
  await until('both are under way', async () => (await metric(server, 'openfilings_files_under_way')) === 2)
  await until('no place is held', async () => (await running(server)) === 0)
  socket.destroy()
  await until('nothing is under way', async () => (await metric(server, 'openfilings_files_under_way')) === 0, 5000)
  assert.equal((await server.as(own, '/v1/rows?format=csv')).status, 200)
})

test('a slow reader holds no place and no connection, and others are answered meanwhile', async () => {
  const { sent, came } = await opened(server, '/v1/rows?format=csv&wide=20000&of=20000', key)
  came.pause()
  await sleep(300)
  await until('no place is held', async () => (await running(server)) === 0)
  assert.equal(await metric(server, 'openfilings_files_under_way'), 1)
  const [{ n }] = await server.sql<[{ n: number }]>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and (state = 'active' or state like 'idle in%') and pid <> pg_backend_pid()`
  assert.equal(n, 0)
  assert.equal((await take('/rows?limit=2')).status, 200)
  sent.destroy()
  await until('it has ended', async () => (await metric(server, 'openfilings_files_under_way')) === 0)
})

test('a key has two files under way at most; the third is 429 with Retry-After, and another key has its own', async () => {
  const [greedy, other] = [await server.key(), await server.key()]
  const path = '/v1/rows?format=csv&wide=20000&of=20000'
  const all = [await opened(server, path, greedy), await opened(server, path, greedy)]
  for (const { came } of all) came.pause()
  const third = await server.as(greedy, '/v1/rows?format=csv')
  assert.deepEqual([third.status, third.headers['retry-after']], [429, '10'])
  assert.match(third.json().error, /^this key has 2 files under way, and no key has more at once/)
  // A page of a list is no whole list.
  assert.equal((await server.as(greedy, '/v1/rows?format=csv&limit=5')).status, 200)
  assert.equal((await server.as(other, '/v1/rows?format=csv')).status, 200)
  for (const { sent } of all) sent.destroy()
  await until('they have ended', async () => (await metric(server, 'openfilings_files_under_way')) === 0)
  assert.equal((await server.as(greedy, '/v1/rows?format=csv')).status, 200)
})

test('a client that takes nothing for too long is hung up on', async (t) => {
  const own = await scratchServer(t, { catalog: served, fileStallMs: 400 })
  const { came } = await opened(own, '/v1/rows?format=csv&wide=20000&of=20000', await own.key())
  came.pause()
  await until('it has ended', async () => (await ended(own, 'cut')) === 1)
  const told = own.lines().find(({ msg }) => msg === 'a file broke off')
  assert.equal(told!.reason, 'the client has taken nothing for 0.4 seconds')
  assert.equal((await bytesOf(came)).isWhole, false)
})

/** Takes all places of heavy requests while a file is between two pages. @returns what gives them back */
async function allTaken(at: Scratch, own: string): Promise<() => void> {
  const url = new URL(at.base)
  const all = Array.from({ length: 3 }, () => {
    const sent = request({
      host: url.hostname,
      port: url.port,
      path: '/v1/hold',
      agent: false,
      headers: { 'x-api-key': own },
    })
    return sent.on('error', () => {}).end()
  })
  await until('all places are taken', async () => (await sleeping(at)) === 3)
  return () => {
    for (const sent of all) sent.destroy()
  }
}
const late = (at: Scratch) => metric(at, 'openfilings_places_refused_total{class="heavy",reason="late"}')

test('a page that gets no place is asked for again, and the file is whole', async (t) => {
  const own = await scratchServer(t, { catalog: served, placeWaitMs: 200 })
  const { came } = await opened(own, '/v1/rows?format=csv&wide=8000&of=12000', await own.key())
  came.pause()
  await until('it is between two pages', async () => (await running(own)) === 0)
  const giveBack = await allTaken(own, await own.key())
  const all = bytesOf(came)
  await until('a page got no place', async () => (await late(own)) > 0)
  giveBack()
  const { text, isWhole } = await all
  assert.equal(isWhole, true)
  assert.match(text, /# rows: 12000\r\n$/)
})

test('a file whose next page gets no place for too long breaks off', async (t) => {
  const own = await scratchServer(t, { catalog: served, placeWaitMs: 100, filePlaceWaitMs: 50 })
  const { came } = await opened(own, '/v1/rows?format=csv&wide=8000&of=12000', await own.key())
  came.pause()
  await until('it is between two pages', async () => (await running(own)) === 0)
  const giveBack = await allTaken(own, await own.key())
  assert.equal((await bytesOf(came)).isWhole, false)
  const told = own.lines().find(({ msg }) => msg === 'a file broke off')
  assert.equal(told!.reason, 'the service was busy with other requests for 0.1 seconds; try again soon')
  giveBack()
})

test('a server that closes waits for a file, then cuts it off', async (t) => {
  const own = await scratchServer(t, { catalog: served, closeWaitMs: 300 })
  const { came } = await opened(own, '/v1/rows?format=csv&wide=20000&of=20000', await own.key())
  came.pause()
  await own.server.close()
  const { text, isWhole } = await bytesOf(came)
  assert.equal(isWhole, false)
  assert.doesNotMatch(text, /# rows:/)
  await until('it is logged', () => own.lines().some(({ msg }) => msg === 'a file broke off'))
  assert.equal(own.lines().find(({ msg }) => msg === 'a file broke off')!.reason, 'the server was closed')
})

test('a server that closes lets a file that is taken come to its end', async (t) => {
  const own = await scratchServer(t, { catalog: served })
  const { came } = await opened(own, '/v1/rows?format=csv&wide=2000&of=20000', await own.key())
  const [{ text, isWhole }] = await Promise.all([bytesOf(came), own.server.close()])
  assert.equal(isWhole, true)
  assert.match(text, /# rows: 20000\r\n$/)
})
