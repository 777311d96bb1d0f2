/** Lists as files over HTTP: the choice of the format, the content, and the end of the file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import papaparse from 'papaparse'
import { HOSTILE, metric, ROWS, serveLists } from '../support/files/scratch.ts'
import { ask } from '../support/scratch-server.ts'

const { server, key, take } = await serveLists()

const CSV = 'text/csv; charset=utf-8; header=present'
const NDJSON = 'application/x-ndjson'
const PARQUET = 'application/vnd.apache.parquet'
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
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', JSON_TYPE, JSON_TYPE],
  ['text/html, *', JSON_TYPE, JSON_TYPE],
  ['application/json;q=.5, text/csv;q=.6', CSV, JSON_TYPE],
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
  ['application/vnd.apache.parquet, text/csv;q=0.9', PARQUET, null],
  ['text/plain;x="a, text/csv;q=1", application/x-ndjson', NDJSON, null],
  ['text/html', null, null],
  ['*/*;q=0', null, null],
  ['application/json;q=0', null, null],
  ['text/csv;q=nonsense', null, null],
  ['*;q=.', null, null],
  ['csv', null, null],
  [`${'a/b;'.repeat(3000)}`, null, null],
]
for (const [accept, list, other] of WISHES) {
  test(`Accept ${accept?.slice(0, 70) ?? 'absent'}: a list is ${list ?? 406}, another answer ${other ?? 406}`, async () => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept }
    for (const [path, type] of [['/rows?limit=3', list] as const, ['/one', other] as const]) {
      const reply = await take(path, headers)
      assert.deepEqual([reply.status, reply.headers['content-type']], type ? [200, type] : [406, JSON_TYPE], path)
      const offers =
        path === '/one'
          ? 'application/json'
          : 'application/json, text/csv, application/x-ndjson, application/vnd.apache.parquet'
      if (!type)
        assert.deepEqual(reply.json(), {
          error: `Accept: this endpoint sends none of these types; it sends ${offers}`,
          code: 'not_acceptable',
        })
      if (path !== '/one' || !type) assert.match(reply.headers.vary ?? '', /^accept\b/)
    }
  })
}

test('the parameter format overrides Accept, and an unknown format is refused with the known ones', async () => {
  assert.equal((await take('/rows?limit=3&format=csv', { accept: 'application/json' })).headers['content-type'], CSV)
  assert.equal((await take('/rows?limit=3&format=ndjson', { accept: 'text/html' })).headers['content-type'], NDJSON)
  assert.equal((await take('/rows?limit=3&format=parquet', { accept: 'text/csv' })).headers['content-type'], PARQUET)
  assert.equal((await take('/rows?limit=3&format=json', { accept: 'text/csv' })).headers['content-type'], JSON_TYPE)
  for (const wrong of ['xml', 'CSV', '']) {
    const reply = await take(`/rows?format=${wrong}`)
    const meant = wrong === 'CSV' ? '; did you mean csv?' : ''
    assert.deepEqual(
      [reply.status, reply.json()],
      [400, { error: `format: must be one of json, csv, ndjson, parquet${meant}`, code: 'invalid_parameter' }],
    )
  }
  assert.match((await take('/one?format=csv')).json().error, /^"format": unknown parameter/)
})

test('a request that refuses every offered format gets 406, and without a key it gets 401', async () => {
  const accept = 'application/problem+json;q=0.0, text/html'
  assert.equal((await take('/rows', { accept })).status, 406)
  assert.equal((await ask(server.base, '/v1/rows', { headers: { accept: 'text/html' } })).status, 401)
})

test('hostile values survive in cells, and no cell begins a formula or a comment', async () => {
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

test('a file of one column has no empty lines, because readers would skip them and lose the rows', async () => {
  assert.equal((await take('/single?format=csv')).text, 'value\r\na\r\n""\r\n""\r\nb\r\n# rows: 4\r\n')
})

test('the file of an empty list has its header, names the data that is not loaded, and states the row count', async () => {
  const csv = await take('/empty?format=csv')
  assert.equal(csv.text, 'n,text\r\n# not loaded: formd: no notices on Form D\r\n# rows: 0\r\n')
  assert.equal(csv.headers['x-not-loaded'], 'formd')
  const end = { _end: { rows: 0, not_loaded: [{ source: 'formd', note: 'no notices\non Form D' }] } }
  assert.equal((await take('/empty?format=ndjson')).text, `${JSON.stringify(end)}\n`)
  assert.equal((await take('/rows?of=0&format=csv')).headers['x-not-loaded'], undefined)
})

test('a file has all pages, can be limited with limit, offset and cursor, and is not cached', async () => {
  const numbers = async (query: string) => {
    const { text } = await take(`/rows?format=ndjson${query}`)
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
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

test('a file counts as one request of its bucket', async () => {
  const own = await server.key()
  const left = async () => Number((await server.as(own, '/v1/rows?format=csv')).headers['ratelimit-remaining'])
  assert.equal((await left()) - (await left()), 1)
})

test('HEAD of a file returns its headers without a body, and HEAD of an error returns its status', async () => {
  const [got, head] = [await take('/rows?format=csv'), await server.as(key, '/v1/rows?format=csv', { method: 'HEAD' })]
  assert.deepEqual([head.status, head.body.length], [200, 0])
  for (const name of ['content-type', 'content-disposition', 'cache-control', 'vary']) {
    assert.equal(head.headers[name], got.headers[name], name)
  }
  const headOf = async (path: string) => (await server.as(key, path, { method: 'HEAD' })).status
  assert.deepEqual([await headOf('/v1/none?format=csv'), await headOf('/v1/rows?format=x')], [404, 400])
})

test('a failure before the first byte of a file is answered as an ordinary error', async () => {
  const reply = await take('/none?format=csv')
  assert.deepEqual([reply.status, reply.json()], [404, { error: 'not found', code: 'not_found' }])
})
