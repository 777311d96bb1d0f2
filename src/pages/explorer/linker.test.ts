import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalog, ServedRoute } from '../../declare/catalog.ts'
import { linkerOf } from './linker.ts'
import { Places } from './places.ts'

test('a filing in a list links to the page of its dataset; on the page of one thing it links to the page for any filing', () => {
  const route = (path: string, name: string, list: object | null = null) => ({ path, name, list, output: {} })
  const offerings = route('/ipos', 'ipos', {})
  const offering = route('/ipos/by-accession/{accession}', 'ipo')
  const routes = [offerings, offering, route('/filing/{accession}', 'filing')]
  // `Places` reads only the routes of a catalog.
  const places = new Places({ routes } as unknown as Catalog, { hasAccounts: false })
  const to = (from: object, here: string) =>
    linkerOf(places, { route: from as ServedRoute }, here).about('accession', '0000950103-26-007492', 'accession')
  assert.equal(to(offerings, '/ipos'), '/ipos/by-accession/0000950103-26-007492')
  assert.equal(to(offering, '/ipos/by-accession/0001193125-12-034517'), '/filing/0000950103-26-007492')
})
