import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { Catalog, ServedRoute } from '../../declare/catalog.ts'
import { cik, text } from '../../declare/table.ts'
import { linkerOf, namedBy } from './linker.ts'
import { Places } from './places.ts'
import { membersOf } from './shape.ts'

test('in a list, a filing links to its page in the dataset of the list; on the page of one thing, a filing links to its general page, /filing', () => {
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

test('the name for a number comes from the member that its declaration gives, or from a usual member if that one is missing', () => {
  const number = cik('CIK of the reporting person', { named: 'person_name' }).nullable()
  const name = text('Name').nullable()
  const namesOf = (shape: z.ZodRawShape) => [...namedBy(membersOf(z.object(shape), {})).keys()]
  assert.deepEqual(namesOf({ cik: number, name, person_name: name }), ['person_name'])
  assert.deepEqual(namesOf({ cik: number, name }), ['name'])
  assert.deepEqual(namesOf({ cik: number, title: name }), [])
})
