/** Rebuilds a product: tables of the current definition, and all rows of its rollups. */
import type { Slice } from '../declare/dataset.ts'
import type { Sql } from '../store/db.ts'
import { dataChanged } from '../store/meta.ts'
import { createIndexes, createTables, createViews, definitionOf, recordDefinition } from '../store/schema.ts'
import { makeAll } from './refresh.ts'

export async function rebuildProduct(
  { sql, slices }: { sql: Sql; slices: readonly Slice[] },
  product: Slice,
): Promise<void> {
  const definition = await definitionOf(product)
  await sql.begin(async (tx) => {
    // A refresh holds this row in share mode.
    await tx`select from core.dataset where slug = ${product.slug} for update`
    await tx`drop schema if exists ${tx(product.slug)} cascade`
    await createTables(tx, product, product.slug)
    await createIndexes(tx, product, product.slug)
    await createViews(tx, product)
    await recordDefinition(tx, product, definition)
    await makeAll(tx, slices, product)
    await dataChanged(tx, [product.slug])
  })
}
