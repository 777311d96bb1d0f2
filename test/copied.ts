/** A shadow of a slice with the rows of its tables, and without those of its rollups. */
import { relationsOf, type Slice } from '../src/declare/dataset.ts'
import type { Sql } from '../src/store/db.ts'
import { createTables } from '../src/store/schema.ts'

export async function copyOf(sql: Sql, slice: Slice): Promise<void> {
  const schema = `${slice.slug}_next`
  await sql.begin((tx) => createTables(tx, slice, schema))
  for (const { name } of relationsOf(slice)) {
    if (slice.rollups[name]) continue
    await sql`insert into ${sql(`${schema}.${name}`)} select * from ${sql(`${slice.slug}.${name}`)}`
  }
}
