/** Made-up lists for tests of files over HTTP, and the requests of such tests. */
import assert from 'node:assert/strict'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { after } from 'node:test'
import { z } from 'zod'
import { catalog } from '../../../src/declare/catalog.ts'
import { choice, get, limit, offset, type Route, whole } from '../../../src/declare/route.ts'
import { ask, type Scratch, scratchServer } from '../scratch-server.ts'

const row = z.object({ n: z.int(), text: z.string().nullable() })
const cursor = z.string().optional()

/** Values that a reader of CSV or a spreadsheet could misread, each with its cell in the file. */
export const HOSTILE: [value: unknown, cell: string][] = [
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

export const ROWS = 6500

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
      run: async ({ behind: rest, wide, of, limit, offset, cursor, paginate }, { sql }) => {
        assert.ok(cursor === undefined || (offset === 0 && paginate === 'cursor'))
        if (cursor !== undefined && rest === 'nothing') return null
        if (cursor !== undefined && rest === 'sleep') await sql`select pg_sleep(60)`
        if (cursor !== undefined && rest === 'fail') await sql`select 1 / ${0}::int`
        if (cursor !== undefined && rest === 'lost') await sql`select pg_terminate_backend(pg_backend_pid())`
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

export const served = catalog([], [routes()], [])

/** Opens a server of these lists with a key, closed after the tests of the file. */
export async function serveLists() {
  const server = await scratchServer({ after }, { catalog: served })
  const key = await server.key()
  const take = (path: string, headers: Record<string, string> = {}) => server.as(key, `/v1${path}`, { headers })
  return { server, key, take }
}

/** Returns a response whose body the test reads at its own pace. */
export async function opened(
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
  came.on('error', () => {}) // a file that ends early
  return { sent, came }
}

/** All bytes that arrived until the connection ended, for any reason. */
export async function bytesOf(came: IncomingMessage): Promise<{ text: string; isWhole: boolean }> {
  let text = ''
  came.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  came.resume()
  if (!came.closed) await new Promise((resolve) => came.on('close', resolve))
  return { text, isWhole: came.complete }
}

export const metric = async (at: Scratch, name: string) => {
  const { text } = await ask(at.base, '/metrics')
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1) ?? 0,
  )
}
export const ended = (at: Scratch, outcome: string, format = 'csv') =>
  metric(at, `openfilings_files_total{format="${format}",outcome="${outcome}"}`)
export const running = async (at: Scratch) => {
  const classes = ['point', 'list', 'heavy'].map((cost) => metric(at, `openfilings_places_running{class="${cost}"}`))
  return (await Promise.all(classes)).reduce((sum, n) => sum + n)
}
export const sleeping = async (at: Scratch) => {
  const [found] = await at.sql<[{ n: number }]>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`
  return found.n
}
