/** Updates rollups, for tests that insert rows themselves. */

import type { Slice } from '../../src/declare/dataset.ts'
import type { DatasetRefresh, Records } from '../../src/declare/refresh.ts'
import { mark, type Touched, touch } from '../../src/ingest/marks.ts'
import { refreshing } from '../../src/ingest/refresh.ts'
import type { Sql, Transaction } from '../../src/store/db.ts'
import { within } from '../../src/store/path.ts'

/**
 * Changes rows as a load does: marks the subjects of these records before and after the change, and then refreshes
 * their rollups.
 */
export async function changing(
  sql: Sql,
  slice: Slice & { refresh?: DatasetRefresh },
  records: Partial<Records> & Pick<Records, 'keys'>,
  change: (tx: Transaction) => Promise<unknown> = async () => {},
  slices: readonly Slice[] = [slice],
): Promise<void> {
  const all = { series: null, day: null, ...records }
  await refreshing({ sql, slices }, () =>
    sql.begin(async (tx) => {
      const touched: Touched = new Map()
      await touch(tx, touched, slices, slice, all, 'before_load')
      await change(tx)
      await touch(tx, touched, slices, slice, all, 'after_load')
      await mark(tx, touched)
    }),
  )
}

/** Refreshes the rows of these keys (null means all), whatever is marked. */
export async function remake(sql: Sql, { slug, refresh }: Slice, keys: readonly string[] | null = null): Promise<void> {
  await sql.begin((tx) => within(tx, slug, () => refresh!.make(tx, keys)))
}
