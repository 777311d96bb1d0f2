/**
 * Generates a feed of any size: one Form D, copied in the database under other accessions, names and days. It has only
 * the indexes for the order by date and for amendments, so that five million rows take a minute. Only for measurements.
 */
import type { Sql } from '../src/store/db.ts'
import { generateNotices } from './notices.ts'

/** @param sql a migrated database without Form D filings */
export async function generateFeed(sql: Sql, rows: number): Promise<void> {
  const [accession] = await generateNotices(sql, 1, 1)
  const indexes = await sql<{ name: string }[]>`
    select indexname as name from pg_indexes
    where schemaname = 'formd' and tablename = 'offering' and indexdef not like '%(filed_date DESC, accession DESC)'
      and indexdef not like '%(previous_accession)%' and indexname not like '%pkey'`
  await sql.unsafe(indexes.map(({ name }) => `drop index formd.${name};`).join('\n'))
  const columns = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'formd' and table_name = 'offering' and is_generated = 'NEVER' order by ordinal_position`
  const changed: Record<string, string> = {
    // An accession ends in six digits; beyond a million, the number of the filer agent increases.
    accession: `concat(lpad((9990000 + n / 1000000)::text, 10, '0'), '-24-', lpad((n % 1000000)::text, 6, '0'))`,
    filed_date: `date '2010-01-01' + (n % 5000)::int`,
    entity_name: `concat('Generated "Fund" ', n, ', L.P.')`,
    total_sold: `n::bigint * 1000`,
  }
  const names = columns.map(({ name }) => name)
  await sql.unsafe(`
    insert into formd.offering (${names.join(', ')})
    select ${names.map((name) => changed[name] ?? name).join(', ')}
    from formd.offering, generate_series(1, ${rows - 1}) n where accession = '${accession}'`)
  await sql`vacuum (analyze) formd.offering`
}
