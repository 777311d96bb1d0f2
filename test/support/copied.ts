/** Makes a shadow of a slice that has the rows of its tables, but not the rows of its rollups. */
import { relationsOf, type Slice } from '../../src/declare/dataset.ts'
import type { Sql } from '../../src/store/db.ts'
import { madeWithin } from '../../src/store/partitions.ts'
import { createTables } from '../../src/store/schema.ts'

export async function copyOf(sql: Sql, slice: Slice): Promise<void> {
  const schema = `${slice.slug}_next`
  await sql.begin(async (tx) => {
    await createTables(tx, slice, schema)
    for (const t of relationsOf(slice)) {
      if (slice.rollups[t.name]) continue
      const from = tx`${tx(`${slice.slug}.${t.name}`)}`
      if (t.partition) {
        const rows = await tx<{ quarter: string }[]>`select distinct quarter from ${from}`
        for (const { quarter } of rows) await madeWithin(tx, t, quarter, schema)
      }
      await tx`insert into ${tx(`${schema}.${t.name}`)} select * from ${from}`
    }
  })
}
