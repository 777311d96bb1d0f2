import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { Catalog, ServedRoute } from '../../declare/catalog.ts'
import { cik, text } from '../../declare/table.ts'
import { linkerOf, namedBy } from './linker.ts'
import { Places } from './places.ts'
import { membersOf } from './shape.ts'

test('a filing in a list links to the page of its dataset; on the page of one thing it links to the page for any filing', () => {
  const route = (path: string, name: string, list: object | null = null) => ({ path, name, list, output: {} })
  const offerings = route('/ipos', 'ipos', {})
  const offering = route('/ipos/by-accession/{accession}', 'ipo')
  const routes = [offerings, offering, route('/filing/{accession}', 'filing')]
  // `Places` reads only the routes and the families of a catalog.
  const places = new Places({ routes, families: [] } as unknown as Catalog, { hasAccounts: false })
  const to = (from: object, here: string) =>
    linkerOf(places, { route: from as ServedRoute }, here).about('accession', '0000950103-26-007492', 'accession')
  assert.equal(to(offerings, '/ipos'), '/ipos/by-accession/0000950103-26-007492')
  assert.equal(to(offering, '/ipos/by-accession/0001193125-12-034517'), '/filing/0000950103-26-007492')
})

test('a number is named by the member that its declaration gives, and by a usual one if that member is missing', () => {
  const number = cik('CIK of the reporting person', { named: 'person_name' }).nullable()
  const name = text('Name').nullable()
  const namesOf = (shape: z.ZodRawShape) => [...namedBy(membersOf(z.object(shape), {})).keys()]
  assert.deepEqual(namesOf({ cik: number, name, person_name: name }), ['person_name'])
  assert.deepEqual(namesOf({ cik: number, name }), ['name'])
  assert.deepEqual(namesOf({ cik: number, title: name }), [])
})
