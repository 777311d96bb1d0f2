/**
 * Migrations, and the schema that the code declares in a database.
 *
 * @server it migrates one database in twenty processes at once
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '../../src/declare/catalog.ts'
import registry from '../../src/registry.ts'
import { connect } from '../../src/store/db.ts'
import { migrate, syncFamilies } from '../../src/store/schema.ts'
import { freshDatabase } from '../support/database.ts'
import { openIndexedWorld } from '../support/sampled.ts'
import { until } from '../support/until.ts'

test('twenty processes migrating an empty database at once leave one schema', async (t) => {
  const { sql, target } = await freshDatabase(t, { empty: true })
  const pools = Array.from({ length: 20 }, () => connect({ target, max: 1 }))
  const results = await Promise.all(pools.map((pool) => migrate(pool, registry.slices)))
  await Promise.all(pools.map((pool) => pool.end()))
  assert.ok(results.every((stale) => stale.length === 0))
  const [count] = await sql`select count(*)::int as n, count(distinct name)::int as names from core.migration`
  assert.equal(count!.n, count!.names)
})

test('a database with a migration that the code lacks is refused', async (t) => {
  const { sql } = await freshDatabase(t)
  await sql`insert into core.migration values ('999_future.sql')`
  await assert.rejects(migrate(sql, registry.slices), /999_future\.sql, which this version lacks/)
})

test('a newly migrated database has no pending rollups, although some slices follow others', async (t) => {
  const { sql } = await freshDatabase(t, { empty: true })
  await migrate(sql, registry.slices)
  assert.ok(registry.slices.some(({ refresh }) => refresh?.follows))
  assert.deepEqual([...(await sql`select slug from core.mark`)], [])
})

test('a dataset with a changed table definition is reported as outdated, and its old tables stay in use', async (t) => {
  const { sql } = await freshDatabase(t)
  await sql`update core.dataset set ddl_hash = 'old' where slug = 'formd'`
  const stale = await migrate(sql, registry.slices)
  assert.deepEqual(
    stale.map(({ slug, reason }) => [slug, reason]),
    [['formd', 'definition']],
  )
  assert.equal((await sql`select 1 from formd.offering`).length, 0)
})

test('every column of every dataset has its meaning as a comment', async (t) => {
  const { sql } = await freshDatabase(t)
  const bare = await sql`
    select c.table_schema, c.table_name, c.column_name from information_schema.columns c
    join pg_class k on k.relname = c.table_name join pg_namespace n on n.oid = k.relnamespace and n.nspname = c.table_schema
    where c.table_schema = any(${registry.slices.map(({ slug }) => slug)}) and k.relkind = 'r'
      and col_description(k.oid, c.ordinal_position) is null`
  assert.deepEqual([...bare], [])
})

test('no table has two equal indexes, such as an index for the order of a list that the facets of its family already create', async (t) => {
  const { sql } = await freshDatabase(t)
  // An index can be read in both directions, and an index of all rows also serves queries for rows that have a value.
  const twice = await sql`
    select relation, columns, array_agg(indexname) as names from (
      select concat_ws('.', schemaname, tablename) as relation, indexname,
        replace(regexp_replace(substring(indexdef from ' USING (.*)$'), ' WHERE \\(\\w+ IS NOT NULL\\)$', ''), ' DESC', '') as columns
      from pg_indexes where schemaname not in ('pg_catalog', 'information_schema')) i
    group by relation, columns having count(*) > 1`
  assert.deepEqual([...twice], [])
})

test('if a form is assigned to another family, its filings and tasks move to that family', async (t) => {
  const world = await openIndexedWorld(t)
  const moved = catalog([], [], [{ slug: 'moved', label: 'Moved', group: 'Test', forms: ['D'], header: true }])
  await syncFamilies(world.sql, moved)
  const families = await world.sql`select distinct family from edgar.filing where form_type = 'D'`
  assert.deepEqual([...families], [{ family: 'moved' }])
  const tasks = await world.sql`
    select distinct t.dataset from edgar.task t join edgar.filing f using (accession) where f.form_type = 'D'`
  assert.deepEqual([...tasks], [{ dataset: 'header' }])
  await syncFamilies(world.sql, registry)
  const back = await world.sql`
    select distinct t.dataset from edgar.task t join edgar.filing f using (accession) where f.form_type = 'D'`
  assert.deepEqual([...back], [{ dataset: 'formd' }])
})

test('if two processes assign a form to another family at once, both succeed, and each filing has one task', async (t) => {
  const { sql } = await openIndexedWorld(t)
  const moved = catalog([], [], [{ slug: 'moved', label: 'Moved', group: 'Test', forms: ['D'], header: true }])
  const holder = await sql.reserve()
  await holder`begin`
  await holder`select from edgar.filing where form_type = 'D' for update`
  const both = [syncFamilies(sql, moved), syncFamilies(sql, moved)]
  for (const one of both) one.catch(() => {})
  await until('both processes wait', async () => {
    const rows = await sql`
      select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
    return rows.length === 2
  })
  await holder`commit`
  holder.release()
  await Promise.all(both)
  const [counts] = await sql`
    select count(*)::int as filings, count(t.accession)::int as tasks
    from edgar.filing f left join edgar.task t on t.accession = f.accession and t.dataset = 'header' where form_type = 'D'`
  assert.equal(counts!.filings, counts!.tasks)
})
