/** Holdings made up for tests of securities, loaded as batches of ingest load them, with the rollups that follow. */
import thirteenf from '../src/datasets/thirteenf/index.ts'
import securities from '../src/products/securities/index.ts'
import type { Sql } from '../src/store/db.ts'
import { changing, remake } from './refreshed.ts'
import { type Filed, storeReports } from './thirteenf-made.ts'

const SLICES = [thirteenf, securities]

export async function loadManagers(sql: Sql, ...filed: readonly Filed[]): Promise<void> {
  const keys = filed.map(({ accession }) => accession)
  await changing(sql, thirteenf, { keys }, (tx) => storeReports(tx, ...filed), SLICES)
}

export async function removeManager(sql: Sql, accession: string): Promise<void> {
  await changing(
    sql,
    thirteenf,
    { keys: [accession] },
    async (tx) => {
      for (const table of Object.keys(thirteenf.tables))
        await tx`delete from ${tx(`thirteenf.${table}`)} where accession = ${accession}`
    },
    SLICES,
  )
}

/** Every row of the product's rollups. */
export async function stored(sql: Sql): Promise<Record<string, readonly unknown[]>> {
  const rows = Object.values(securities.rollups).map(async (of) => {
    const order = sql.unsafe(of.primaryKey.join(', '))
    return [of.name, [...(await sql`select * from ${sql(of.id)} order by ${order}`)]] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

/** Makes every row anew. */
export const makeAll = (sql: Sql) => remake(sql, securities)
