/** Rebuilds a product: makes its tables by the current definition, and all rows of its rollups. */
import type { Slice } from '../../declare/dataset.ts'
import { type Rebuilding, rebuildInShadow } from './rebuilding.ts'

export const rebuildProduct = (parts: Rebuilding, product: Slice): Promise<void> => rebuildInShadow(parts, product, {})
