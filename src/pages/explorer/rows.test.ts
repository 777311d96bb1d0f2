import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { Catalog, ServedRoute } from '../../declare/catalog.ts'
import { cik, text } from '../../declare/table.ts'
import { linkerOf } from './linker.ts'
import { Places } from './places.ts'
import { tableOf } from './rows.ts'

// `Places` reads only the routes and the families of a catalog.
const places = new Places({ routes: [], families: [] } as unknown as Catalog, { hasAccounts: false })
// A linker reads only these members of a route.
const links = linkerOf(places, { route: { path: '/events', list: null } as ServedRoute }, '/events')
const columns = {
  cik: cik('First filer').nullable(),
  company_name: text('Name').nullable(),
  what: text('What'),
  source: text('Source'),
  key: text('Key').nullable(),
}
const empty = { cik: null, company_name: null, what: 'added', source: 'adv', key: null }

/** The first cell of each row, as text. */
const firstCells = (rows: readonly Record<string, unknown>[]) =>
  Array.from(
    tableOf(rows, z.object(columns), { caption: 'Events', links }).text.matchAll(/<tr><td[^>]*>(.*?)<\/td>/gs),
    ([, html]) => html!.replace(/<[^>]+>/g, ''),
  )

test('a log entry without a name begins with its key, or with its source if it stands for many changes at once', () => {
  const named = { ...empty, cik: '0000320193', company_name: 'Apple Inc.', key: '0000320193-24-000123' }
  const record = { ...empty, key: 'IA_INDVL/5' }
  assert.deepEqual(firstCells([named, record, empty]), [
    'Apple Inc.',
    'Feed of persons 5',
    'Advisers, many changes at once',
  ])
  assert.deepEqual(firstCells([record, empty]), ['Feed of persons 5', 'Advisers, many changes at once'])
  // In eight rows or more, a column with few keys would be folded.
  const many = Array.from({ length: 8 }, () => 'Advisers, many changes at once')
  assert.deepEqual(firstCells(many.map(() => empty)), many)
  assert.deepEqual(firstCells([record, ...many.map(() => empty)]), ['Feed of persons 5', ...many])
})

test('columns that are the purpose of a list come right after the name', () => {
  const heads = (first: readonly string[]) =>
    Array.from(
      tableOf([{ ...empty, cik: '1', company_name: 'A' }], z.object(columns), {
        ...{ caption: 'Events', links, first },
      }).text.matchAll(/<th scope="col"[^>]*>([^<]+)</g),
      ([, label]) => label,
    )
  assert.deepEqual(heads([]), ['Company name', 'What', 'Source'])
  assert.deepEqual(heads(['source']), ['Company name', 'Source', 'What'])
})

test('the id of a row leads to the page of the row, so a row without a name has a link too', () => {
  const type = z.object({ id: text('Version'), brochure_name: text('Name').nullable() })
  const rows = [
    { id: '1', brochure_name: 'Firm brochure' },
    { id: '2', brochure_name: null },
  ]
  const pageOfRow = ({ id }: Record<string, unknown>) => `/brochures/${id}`
  const { text: table } = tableOf(rows, type, { caption: 'Brochures', links, pageOfRow })
  const hrefs = Array.from(table.matchAll(/href="([^"]+)"/g), ([, href]) => href)
  assert.deepEqual(hrefs, ['/brochures/1', '/brochures/1', '/brochures/2'])
})
