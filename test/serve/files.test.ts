/**
 * Every list of the catalog as a file, over the sample. Parquet files are read by another program: their types and
 * values are those of the declarations.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import papaparse from 'papaparse'
import { z } from 'zod'
import type { Route } from '../../src/declare/route.ts'
import { columnType } from '../../src/declare/table.ts'
import registry from '../../src/registry.ts'
import { withoutFormula } from '../../src/serve/files/csv.ts'
import { parquetRowsOf } from '../support/export-rows.ts'
import { pathsOf } from '../support/sample-paths.ts'
import { serveSample } from '../support/served.ts'

const served = await serveSample({ after })
type Row = Record<string, unknown>

const PARQUET = 'application/vnd.apache.parquet'

const lists = registry.routes.filter((route) => route.list)
const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

/** Returns all rows of a list, read as JSON page by page. */
async function walked(route: Route, path: string): Promise<{ rows: Row[]; missing: unknown }> {
  const { member, paged } = route.list!
  const shape = route.input.shape
  const rows: Row[] = []
  const byCursor = 'paginate' in shape ? 'paginate=cursor&' : ''
  let missing: unknown
  for (let cursor = ''; ; ) {
    const more = paged ? `${byCursor}limit=7${cursor && `&cursor=${cursor}`}` : 'format=json'
    const answer = await served.json(withQuery(path, more))
    rows.push(...((member === null ? answer : (answer[member] ?? [])) as Row[]))
    if (member !== null) missing ??= answer.not_loaded
    if (!paged || answer.next_cursor === null) return { rows, missing }
    cursor = answer.next_cursor as string
  }
}

/** Parses a file like a reader that skips comments. */
function taken(text: string) {
  const { data, errors } = papaparse.parse<string[]>(text, { comments: '#', delimiter: ',', newline: '\r\n' })
  assert.deepEqual(errors, [])
  assert.deepEqual(data.pop(), [''])
  const lines = text.split('\r\n')
  assert.equal(lines.pop(), '')
  return { header: data[0]!, rows: data.slice(1), last: lines.pop()! }
}

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return JSON.stringify(value)
  return typeof value === 'string' ? withoutFormula(value) : String(value)
}

interface Ndjson {
  path: string
  /** Null if the list does not exist. */
  file: { rows: Row[]; end: { rows: number; not_loaded?: unknown } } | null
}

const kept = new Map<Route, Promise<Ndjson[]>>()

/** Returns the files of a route as NDJSON. The tests of CSV and of Parquet share one request. */
function ndjsonOf(route: Route): Promise<Ndjson[]> {
  const files = kept.get(route) ?? requested(route)
  kept.set(route, files)
  return files
}

async function requested(route: Route): Promise<Ndjson[]> {
  const files: Ndjson[] = []
  for (const path of (await pathsOf(served, route)).slice(0, 12)) {
    const response = await served.get(withQuery(path, 'format=ndjson'))
    if (response.status === 404) {
      files.push({ path, file: null })
      continue
    }
    assert.equal(response.headers.get('content-type'), 'application/x-ndjson')
    const lines = (await response.text()).split('\n')
    assert.equal(lines.pop(), '')
    const rows = lines.map((line) => JSON.parse(line) as Row)
    const end = rows.pop()!
    assert.deepEqual(Object.keys(end), ['_end'])
    files.push({ path, file: { rows, end: end._end as { rows: number; not_loaded?: unknown } } })
  }
  return files
}

const statusOf = async (path: string, format: string) => (await served.get(withQuery(path, `format=${format}`))).status

/** The columns that a file has in addition to the columns of the list, if the path names a family. */
const innerOf = (path: string) => registry.family(new URLSearchParams(path.split('?')[1]).get('family') ?? '')?.feed

/** The type in a Parquet file for each type in Postgres. */
const TYPES: Readonly<Record<string, string>> = {
  integer: 'INT32',
  bigint: 'INT64',
  numeric: 'DECIMAL',
  'double precision': 'DOUBLE',
  date: 'DATE',
  boolean: 'BOOLEAN',
  jsonb: 'UTF8',
  'text collate "C"': 'UTF8',
  'text[] collate "C"': 'LIST',
}

/** The declared type of a member, if it is a column. */
function declaredOf(type: z.ZodType): ReturnType<typeof columnType> {
  return type instanceof z.ZodOptional ? declaredOf(type.unwrap() as z.ZodType) : columnType(type)
}

const withoutZeros = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal)

/** Converts a value of JSON to the form in which the reader of the test returns it. */
function read(value: unknown, type: string | undefined): unknown {
  if (value === null || value === undefined) return null
  if (type === 'DECIMAL') return withoutZeros(value as string)
  if (type === 'INT64') return String(value)
  return value
}

for (const route of lists) {
  test(`${route.path} as CSV and NDJSON has the rows of all its JSON pages`, async () => {
    let rowsMost = 0
    let nothingLoaded = false
    for (const { path, file } of await ndjsonOf(route)) {
      if (file === null) {
        for (const format of ['json', 'csv']) assert.equal(await statusOf(path, format), 404, path)
        continue
      }
      const { rows, missing } = await walked(route, path)
      rowsMost = Math.max(rowsMost, rows.length)
      nothingLoaded ||= missing !== undefined
      const end = { rows: rows.length, ...(missing !== undefined && { not_loaded: missing }) }
      assert.deepEqual(file, { rows, end }, path)
      const csv = await served.get(withQuery(path, 'format=csv'))
      assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
      const { header, rows: cells, last } = taken(await csv.text())
      assert.equal(last, `# rows: ${rows.length}`)
      const inner = (innerOf(path)?.columns ?? []).map((name) => `fam_rows.${name}`)
      const declared = Object.keys(route.list!.row.shape).flatMap((name) => (name === 'fam_rows' ? inner : [name]))
      assert.deepEqual(header, declared, path)
      const valueIn = (row: Row, name: string) => {
        const [own, within] = name.split('.') as [string, string | undefined]
        return within === undefined ? row[own] : (row[own] as Row[])[0]?.[within]
      }
      assert.deepEqual(
        cells,
        rows.map((row) => header.map((name) => cellOf(valueIn(row, name)))),
        path,
      )
    }
    assert.ok(rowsMost > 0 || nothingLoaded, 'the sample has rows of each list, or says that nothing was loaded')
  })

  test(`${route.path} as Parquet has the rows of its JSON, with the declared types`, async () => {
    let rowsMost = 0
    let nothingLoaded = false
    const kinds = new Set<string>()
    for (const { path, file } of await ndjsonOf(route)) {
      if (file === null) {
        assert.equal(await statusOf(path, 'parquet'), 404, path)
        continue
      }
      const { end } = file
      const answer = await served.get(withQuery(path, 'format=parquet'))
      assert.equal(answer.headers.get('content-type'), PARQUET)
      assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${route.name}.parquet"`)
      const { rows, types, entries } = await parquetRowsOf(new Uint8Array(await answer.arrayBuffer()))
      rowsMost = Math.max(rowsMost, rows.length)
      nothingLoaded ||= end.not_loaded !== undefined
      assert.equal(entries.get('openfilings.rows'), String(end.rows))
      assert.deepEqual(JSON.parse(entries.get('openfilings.not_loaded') ?? 'null'), end.not_loaded ?? null)
      const feed = innerOf(path)
      const expected = file.rows.map((row) => flat(row, feed?.columns ?? []))
      for (const [name, type] of Object.entries(route.list!.row.shape)) {
        const declared = declaredOf(type as z.ZodType)
        if (declared) assert.equal(types.get(name), TYPES[declared.postgres], `${path}: ${name}`)
        if (name !== 'fam_rows') kinds.add(types.get(name)!)
      }
      for (const name of feed?.columns ?? [])
        if (route.list!.inner)
          assert.equal(types.get(`fam_rows.${name}`), TYPES[columnType(feed!.table.columns[name]!)!.postgres])
      const names = Object.keys(JSON.parse(entries.get('openfilings.columns')!))
      for (const [n, row] of rows.entries()) {
        assert.deepEqual(Object.keys(row), names)
        for (const name of names) {
          const wanted = read(expected[n]![name], types.get(name))
          const isJson = typeof wanted === 'object' && wanted !== null && types.get(name) === 'UTF8'
          assert.deepEqual(isJson ? JSON.parse(row[name] as string) : row[name], wanted, `${path}: ${name} of row ${n}`)
        }
      }
      assert.equal(rows.length, expected.length)
    }
    kept.delete(route)
    assert.ok(rowsMost > 0 || nothingLoaded, 'the sample has rows of each list, or says that nothing was loaded')
    assert.ok(!kinds.has(''), 'each column has a type')
  })
}

/** Returns a row in which the members of `fam_rows` are members of the row itself, as in a file. */
function flat(row: Row, names: readonly string[]): Row {
  const inner = (row.fam_rows as Row[] | undefined)?.[0]
  return { ...row, ...Object.fromEntries(names.map((name) => [`fam_rows.${name}`, inner?.[name]])) }
}

test('every list that is answered in pages continues by cursor, so that its file is complete', () => {
  // Lists without a limit are complete in one answer; lists without an offset return only the best matches.
  const isPage = ({ shape }: Route['input']) =>
    shape.offset !== undefined && (shape.limit as z.ZodType).safeParse(undefined).data !== undefined
  const paged = lists.filter(({ input }) => isPage(input))
  assert.ok(paged.length >= 7)
  assert.deepEqual(
    paged.filter(({ list }) => !list!.paged).map(({ path }) => path),
    [],
  )
})
