/**
 * A product is a slice that parses no files: it answers from views that other slices publish, and may keep rollups of
 * them.
 */
import { complete, type Slice } from './dataset.ts'
import type { Refresh } from './refresh.ts'
import type { Rollup } from './table.ts'
import type { View } from './view.ts'

export interface Product extends Slice {
  readonly tables: Record<string, never>
  readonly refresh: Refresh
  readonly refreshed: URL
}

/**
 * Declares a product with rollups. A product that stores nothing is a list of its routes instead.
 *
 * @throws Error naming the product and the part that is wrong; at import
 */
export const product = (
  declared: Pick<Product, 'slug' | 'label' | 'refresh' | 'refreshed' | 'corrections'> & {
    rollups: Record<string, Rollup>
    views?: Record<string, View>
    routes: Product['routes'] | Record<string, Product['routes'][number]>
  },
): Product => complete<Product>({ ...declared, tables: {} })
