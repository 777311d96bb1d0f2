/**
 * Two invented products for tests of dirty marks: one depends on the dataset `fleet`, and a test refreshes the other.
 */
import { product } from '../../src/declare/product.ts'
import type { Refresh } from '../../src/declare/refresh.ts'
import { integer, rollup, text } from '../../src/declare/table.ts'

const initial = (column: string) => `upper(left(${column}, 1))`

/** Counts ships by the first letter of their names, from the fleet's published view. */
export const letters = (more: Partial<Refresh> = {}) =>
  product({
    slug: 'letters',
    label: 'Letters',
    rollups: {
      letter: rollup('letters.letter', 'One row per letter', ['letter'], {
        letter: text('First letter of the names'),
        ships: integer('Ships'),
      }),
    },
    refresh: {
      follows: {
        fleet: async (tx, numbers) => {
          const rows = await tx.unsafe<{ letter: string }[]>(
            `select distinct ${initial('name')} as letter from fleet_ship where number = any($1)`,
            [numbers as string[]],
          )
          return rows.map(({ letter }) => letter)
        },
      },
      async make(tx, keys) {
        const only = keys ? tx`letter = any(${keys as string[]})` : tx`true`
        await tx`delete from letter where ${only}`
        await tx`
          insert into letter select * from (
            select ${tx.unsafe(initial('name'))} as letter, count(*)::int from fleet_ship group by 1) l
          where ${only}`
      },
      ...more,
    },
    refreshed: new URL(import.meta.url),
    routes: [],
  })

/** A slice with only a rollup, maintained as the test defines. */
export const lone = (refresh: Refresh, slug = 'lone') =>
  product({
    slug,
    label: 'Lone',
    rollups: {
      row: rollup(`${slug}.row`, 'One row per key', ['key'], { key: text('Key'), times: integer('Times made') }),
    },
    refresh,
    refreshed: new URL(import.meta.url),
    routes: [],
  })
