/**
 * Stores an edition of kind `update` batch by batch. Each batch is one transaction, which stores everything that the
 * batch changes.
 */

import type { LoadResult } from './edition.ts'
import { recordBegun, recordLoaded } from './edition.ts'
import { readableOf, type Storing, transacted } from './store.ts'
import { loadUpdate } from './update.ts'

/**
 * Stores an edition by batches. The edition counts as failed until its last batch is stored. If the load is
 * interrupted, the next load continues after the stored batches.
 *
 * @throws whatever `loadUpdate` throws
 */
export async function storedByBatches(parts: Storing): Promise<LoadResult> {
  const { sql, slices, dataset, edition, files, listed, store: archive, now, again = false, originals, signal } = parts
  const result = await loadUpdate(sql, dataset, edition, readableOf(parts), {
    slices,
    again,
    reading: { archive, now },
    signal,
    store: (batch) =>
      transacted(parts, async (tx) => {
        await recordBegun(tx, edition, { files })
        return batch(tx)
      }),
  })
  await sql.begin((tx) => recordLoaded(tx, edition, { files, listed, result, originals }))
  return result
}
