/**
 * Parquet files of invented lists, read by another program. files.test.ts tests the files of every list of the catalog.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { z } from 'zod'
import { catalog } from '../../src/declare/catalog.ts'
import { get, limit, offset, type Route, whole } from '../../src/declare/route.ts'
import { bigint, date, decimal, integer, json, text, texts, usd } from '../../src/declare/table.ts'
import { parquetRowsOf } from '../support/export-rows.ts'
import { bytesOf, ended, metric, opened, serveLists, sleeping } from '../support/files/scratch.ts'
import { scratchServer } from '../support/scratch-server.ts'
import { until } from '../support/until.ts'

type Row = Record<string, unknown>

const TYPE = 'application/vnd.apache.parquet'
const scratch = await serveLists()

const VALUES: readonly Row[] = [
  {
    ...{ amount: '-0.000000000001', many: '-9223372036854775808', few: -2147483648, day: '0001-01-01' },
    words: [],
    seen: '1969-12-31T23:59:59.999+00:00',
    note: 'Zürich 東京 😀 "\u0000',
    tree: { a: [null, 1.5, '12345678901234567890.5'] },
    ratio: -1e-7,
    whole: -9007199254740991,
    held: false,
  },
  {
    ...{ amount: `${'9'.repeat(26)}.999999999999`, many: '9223372036854775807', few: 2147483647, day: '9999-12-31' },
    words: ['', 'a,b', '\n'],
    seen: '2026-07-23T14:05:09.120+00:00',
    note: '',
    tree: [],
    ratio: 0,
    whole: 9007199254740991,
    held: true,
  },
  {
    ...{ amount: null, many: null, few: null, day: null, words: null, seen: null, note: null, tree: null },
    ratio: null,
    whole: null,
    held: null,
  },
  {
    ...{ amount: '0.50', many: '0', few: 0, day: '1970-01-01' },
    words: ['a'],
    seen: '1970-01-01T00:00:00.000+00:00',
    note: '[1]',
    tree: 'text',
    ratio: 0.1,
    whole: 0,
    held: true,
  },
  {},
]

/**
 * Makes lists with the smallest and largest values of each type, and with decimals that are too long from a certain row
 * on.
 */
function routes(): Route[] {
  const common = { tag: 'filings' as const, summary: 'A route of the tests', bucket: 'search' as const }
  const row = z.object({
    amount: usd('An amount').nullable(),
    many: bigint('Many').nullable(),
    few: integer('Few').nullable(),
    day: date('A day').nullable(),
    words: texts('Words').nullable(),
    seen: z.iso.datetime({ offset: true }).nullable(),
    note: text('A note').nullable(),
    tree: json(z.unknown(), 'A tree').nullable(),
    ratio: z.number().nullable().optional(),
    whole: z.int().nullable().optional(),
    held: z.boolean().nullable().optional(),
  })
  const long = z.object({ n: z.int(), amount: decimal('An amount', { unit: 'USD' }) })
  return [
    get('/values', {
      ...common,
      name: 'values',
      input: {},
      output: z.array(row),
      // The last row lacks members that its type has. A row of JSON text may lack members, too.
      run: async () => VALUES as never,
    }),
    get('/long', {
      ...common,
      name: 'long',
      input: {
        at: whole({ describe: 'The row that is too long' }),
        limit: limit({ max: 5000, default: 10 }),
        offset: offset(),
        cursor: z.string().optional(),
      },
      output: z.object({ rows: z.array(long), next_cursor: z.string().nullable() }),
      rows: 'rows',
      run: async ({ at, cursor }) => {
        const from = Number(cursor ?? 0)
        const rows = Array.from({ length: 2000 }, (_, i) => ({
          n: from + i,
          amount: from + i === at ? '0.0000000000001' : '1.5',
        }))
        return { rows, next_cursor: from < 8000 ? String(from + 2000) : null }
      },
    }),
  ]
}

const made = await scratchServer({ after }, { catalog: catalog([], [routes()], []) })
const key = await made.key()
const take = (path: string, headers: Record<string, string> = {}) => made.as(key, `/v1${path}`, { headers })

test('the smallest and largest value of each type, nulls and absent members are the same in the file', async () => {
  const { rows, types } = await parquetRowsOf((await take('/values?format=parquet')).body)
  const names = Object.keys(types.size > 0 ? VALUES[0]! : {})
  const nothing = Object.fromEntries(names.map((name) => [name, null]))
  const expected = VALUES.map((value) => ({
    ...nothing,
    ...value,
    ...(value.amount === '0.50' && { amount: '0.5' }),
    ...(typeof value.whole === 'number' && { whole: String(value.whole) }),
    ...(value.tree !== undefined && value.tree !== null && { tree: JSON.stringify(value.tree) }),
  }))
  assert.deepEqual(rows, expected)
  assert.equal(types.get('seen'), 'TIMESTAMP_MILLIS')
  assert.equal(types.get('ratio'), 'DOUBLE')
})

test('fields that a request chooses are the columns of the file, with their meanings in its metadata', async () => {
  const { rows, entries } = await parquetRowsOf((await take('/values?format=parquet&fields=day,amount')).body)
  assert.deepEqual(Object.keys(rows[0]!), ['amount', 'day'])
  assert.deepEqual(JSON.parse(entries.get('openfilings.columns')!), {
    amount: { meaning: 'An amount', unit: 'USD' },
    day: { meaning: 'A day' },
  })
})

test('a file has all pages of its list, two pages in each row group, and is not compressed again', async () => {
  const path = '/rows?format=parquet'
  const { body, headers } = await scratch.take(path, { 'accept-encoding': 'gzip, zstd' })
  assert.equal(headers['content-encoding'], undefined)
  const { rows, groups, entries } = await parquetRowsOf(body)
  assert.deepEqual([rows.length, groups, entries.get('openfilings.rows')], [6500, 2, '6500'])
  assert.deepEqual(
    rows.map(({ n }) => n),
    rows.map((_, n) => String(n + 1)),
  )
  // A page of long texts is written at once, without waiting for more pages.
  const { groups: more } = await parquetRowsOf((await scratch.take('/rows?format=parquet&wide=3000')).body)
  assert.equal(more, 4)
})

test('the file of an empty list has its columns, names the data that is not loaded, and states the count', async () => {
  const { body, headers } = await scratch.take('/empty?format=parquet')
  const { rows, types, entries } = await parquetRowsOf(body)
  assert.deepEqual([rows, types.get('n'), types.get('text')], [[], 'INT64', 'UTF8'])
  assert.equal(headers['x-not-loaded'], 'formd')
  const missing = [{ source: 'formd', note: 'no notices\non Form D' }]
  assert.deepEqual(JSON.parse(entries.get('openfilings.not_loaded')!), missing)
  assert.equal(entries.get('openfilings.rows'), '0')
})

test('a decimal too long for its type makes its column text; if it comes after the first group, the file breaks off, and the next file is whole', async (t) => {
  const early = await parquetRowsOf((await take('/long?format=parquet&at=3999')).body)
  assert.equal(early.types.get('amount'), 'UTF8')
  assert.deepEqual([early.rows[3998]!.amount, early.rows[3999]!.amount], ['1.5', '0.0000000000001'])
  assert.equal(early.rows.length, 10_000)

  const other = await scratchServer(t, { catalog: catalog([], [routes()], []) })
  const own = await other.key()
  const { came } = await opened(other, '/v1/long?format=parquet&at=4000', own)
  const broken = await bytesOf(came)
  assert.equal(broken.isWhole, false)
  await until('the interruption is logged', () =>
    other.lines().some(({ msg }) => msg === 'the answer with a file was interrupted'),
  )
  const line = other.lines().find(({ msg }) => msg === 'the answer with a file was interrupted')!
  assert.deepEqual(
    [line.code, line.reason],
    ['decimal_too_long', 'a decimal of amount has more digits than fit into the type that the file began with'],
  )
  const again = await parquetRowsOf((await other.as(own, '/v1/long?format=parquet&at=4000')).body)
  assert.equal(again.types.get('amount'), 'UTF8')
  assert.equal(again.rows[4000]!.amount, '0.0000000000001')
})

test('if a client disconnects during a file, the statement of the file is cancelled and all resources are released', async () => {
  const before = await ended(scratch.server, 'gone', 'parquet')
  const { sent } = await opened(scratch.server, '/v1/rows?format=parquet&behind=sleep', scratch.key)
  await until('the statement of the next page runs', async () => (await sleeping(scratch.server)) === 1)
  sent.destroy()
  await until('the statement has ended', async () => (await sleeping(scratch.server)) === 0, 5000)
  await until(
    'the download is counted as left by its client',
    async () => (await ended(scratch.server, 'gone', 'parquet')) === before + 1,
  )
  assert.equal(await metric(scratch.server, 'openfilings_files_under_way'), 0)
})

test('an error during a file ends the connection before the footer', async () => {
  const { came } = await opened(scratch.server, '/v1/rows?format=parquet&behind=fail', scratch.key)
  const { text: content, isWhole } = await bytesOf(came)
  assert.equal(isWhole, false)
  assert.doesNotMatch(content, /PAR1$/)
})

test('HEAD of a file returns its headers without a body', async () => {
  const head = await made.as(key, '/v1/values?format=parquet', { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers['content-type'], head.body.length], [200, TYPE, 0])
})
