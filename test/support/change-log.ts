/** Writes events as ingest commits them: last in the transaction, with the data version. */
import type { Sql } from '../../src/store/db.ts'
import { append, type LoggedChange } from '../../src/store/events.ts'
import { dataChanged } from '../../src/store/meta.ts'

export const logChange = (
  sql: Sql,
  { slug = 'filings', what = 'added', keys }: Partial<LoggedChange>,
): Promise<unknown> =>
  sql.begin(async (tx) => {
    await append(tx, [{ slug, what, keys: keys ?? null }])
    await dataChanged(tx, [slug])
  })
