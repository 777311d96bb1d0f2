/**
 * Views of another version are replaced, and no table is rebuilt for them.
 *
 * @server it replaces views under locks while other sessions read them
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import formd from '../../src/datasets/formd/index.ts'
import rega from '../../src/datasets/rega/index.ts'
import { followersOf } from '../../src/ingest/marks.ts'
import { replaceViews } from '../../src/ingest/rebuild/swap.ts'
import registry from '../../src/registry.ts'
import { connect, type Sql } from '../../src/store/db.ts'
import { migrate } from '../../src/store/schema.ts'
import { freshDatabase } from '../support/database.ts'
import { putRows } from '../support/list-walks.ts'
import { until } from '../support/until.ts'

const { slices } = registry
const reasons = async (sql: Sql) => (await migrate(sql, slices)).map(({ slug, reason }) => `${slug} ${reason}`)
const columnsOf = async (sql: Sql, view: string) =>
  (await sql`select attname from pg_attribute where attrelid = ${view}::regclass and attnum > 0`).map(
    (row) => row.attname,
  )

/**
 * Gives a database the views of Form D of an older version: one view has fewer columns, and another does not exist yet.
 */
async function withOlderViews(sql: Sql): Promise<void> {
  await sql`drop view pub.formd_feed, pub.formd_amended`
  await sql`create view pub.formd_feed as select accession, entity_name from formd.offering`
  await sql`update core.dataset set views_hash = 'other' where slug = 'formd'`
}

test('if only the views are of another version, they are replaced: rows stay, views of other roles are made again with their rights, and dependent rollups are marked', async (t) => {
  const { sql } = await freshDatabase(t)
  await putRows(sql, 'formd.offering', [{ accession: 'a', entity_name: 'A' }])
  await withOlderViews(sql)
  await sql`create schema mine`
  await sql`create view mine.names as select entity_name from pub.formd_feed`
  await sql`grant select on mine.names to public`
  const table = async () =>
    (await sql`select 'formd.offering'::regclass::oid::text as oid, built_at from core.dataset where slug = 'formd'`)[0]
  const before = await table()
  assert.deepEqual(await reasons(sql), ['formd views'])
  await replaceViews({ sql, slices }, formd)
  assert.deepEqual(await reasons(sql), [])
  assert.deepEqual(await table(), before)
  assert.deepEqual([...(await sql`select entity_name from mine.names`)], [{ entity_name: 'A' }])
  const [rights] = await sql`select relacl::text as acl from pg_class where oid = 'mine.names'::regclass`
  assert.match(rights!.acl, /[{,]=r\//)
  for (const { id, columns } of formd.views) assert.deepEqual(await columnsOf(sql, id), Object.keys(columns))
  const marked = (await sql`select slug from core.mark order by slug`).map(({ slug }) => slug)
  assert.deepEqual(
    marked,
    followersOf(slices, formd)
      .map(({ slug }) => slug)
      .sort(),
  )
  // Views that are already replaced, for example by another process, are left alone: the dropped view stays absent.
  await sql`drop view pub.formd_amended`
  await replaceViews({ sql, slices }, formd)
  assert.equal((await sql`select to_regclass('pub.formd_amended') as name`)[0]!.name, null)
})

test('a dependent view may use a removed column only if the views of its slice are replaced too', async (t) => {
  const { sql } = await freshDatabase(t)
  await withOlderViews(sql)
  await sql`create or replace view pub.formd_feed as select accession, entity_name, 1 as gone from formd.offering`
  await sql`create view pub.rega_older as select gone from pub.formd_feed`
  await assert.rejects(replaceViews({ sql, slices }, formd), { code: '42703' })
  assert.deepEqual(await columnsOf(sql, 'pub.rega_older'), ['gone'])
  await sql`update core.dataset set views_hash = 'other' where slug = 'rega'`
  await replaceViews({ sql, slices }, formd)
  assert.deepEqual(await reasons(sql), ['rega views'])
  await replaceViews({ sql, slices }, rega)
  assert.deepEqual(await reasons(sql), [])
})

test('views are replaced after a running reader has ended, and new readers are not blocked meanwhile', async (t) => {
  const { sql, target } = await freshDatabase(t)
  await withOlderViews(sql)
  const reader = connect({ target, max: 1 })
  t.after(() => reader.end())
  const held = await reader.reserve()
  await held`begin`
  await held`select from pub.formd_feed`
  const waited = async () => {
    const rows = await sql`
      select from pg_locks where not granted and mode = 'AccessExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())`
    return rows.length > 0
  }
  let isDone = false
  const replaced = replaceViews({ sql, slices }, formd).then(() => (isDone = true))
  await until('the replacement waits for the reader', waited)
  assert.equal((await sql`select from pub.formd_feed`).count, 0)
  assert.equal(isDone, false)
  await held`commit`
  held.release()
  await replaced
  assert.deepEqual(await reasons(sql), [])
  await withOlderViews(sql)
  const still = await reader.reserve()
  await still`begin`
  await still`select from pub.formd_feed`
  await assert.rejects(replaceViews({ sql, slices, tries: 2 }, formd), { code: '55P03' })
  still.release()
  assert.deepEqual(await reasons(sql), ['formd views'])
})

test('outdated rows and a missing table are reported together with views of another version', async (t) => {
  const { sql } = await freshDatabase(t)
  await withOlderViews(sql)
  await sql`update core.dataset set parser_hash = 'other' where slug = 'formd'`
  assert.deepEqual(await reasons(sql), ['formd views', 'formd parser'])
  await sql`drop table formd.signature cascade`
  assert.deepEqual(
    (await migrate(sql, slices)).map(({ reason, lacks }) => [reason, lacks]),
    [['missing', ['formd.signature']]],
  )
})
