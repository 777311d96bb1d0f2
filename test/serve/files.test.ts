/** Every list of the catalog as a file, over the sample. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import papaparse from 'papaparse'
import type { z } from 'zod'
import type { Route } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import { withoutFormula } from '../../src/serve/files/csv.ts'
import { pathsOf } from '../support/sample-paths.ts'
import { serveSample } from '../support/served.ts'

const served = await serveSample({ after })
type Row = Record<string, unknown>

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

for (const route of lists) {
  test(`${route.path} as CSV and NDJSON has the rows of all its JSON pages`, async () => {
    let rowsMost = 0
    let nothingLoaded = false
    for (const path of (await pathsOf(served, route)).slice(0, 12)) {
      const response = await served.get(withQuery(path, 'format=json'))
      if (response.status === 404) {
        assert.equal((await served.get(withQuery(path, 'format=csv'))).status, 404)
        continue
      }
      const { rows, missing } = await walked(route, path)
      rowsMost = Math.max(rowsMost, rows.length)
      nothingLoaded ||= missing !== undefined
      const end = { rows: rows.length, ...(missing !== undefined && { not_loaded: missing }) }
      const ndjson = await served.get(withQuery(path, 'format=ndjson'))
      assert.equal(ndjson.headers.get('content-type'), 'application/x-ndjson')
      const lines = (await ndjson.text()).split('\n')
      assert.equal(lines.pop(), '')
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        [...rows, { _end: end }],
        path,
      )
      const csv = await served.get(withQuery(path, 'format=csv'))
      assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
      const { header, rows: cells, last } = taken(await csv.text())
      assert.equal(last, `# rows: ${rows.length}`)
      const family = registry.family(new URLSearchParams(path.split('?')[1]).get('family') ?? '')
      const inner = (family?.feed?.columns ?? []).map((name) => `fam_rows.${name}`)
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
