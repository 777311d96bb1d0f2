/**
 * Comments on tables and views have their own digest, so a changed description rebuilds no table.
 *
 * @server it replaces comments while another session holds a lock
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import formd from '../../src/datasets/formd/index.ts'
import registry from '../../src/registry.ts'
import { connect, type Sql } from '../../src/store/db.ts'
import { storedOf } from '../../src/store/definition.ts'
import { definitionOf, differences, migrate } from '../../src/store/schema.ts'
import { freshDatabase } from '../support/database.ts'
import { putRows } from '../support/list-walks.ts'

const { slices } = registry
const reasons = async (sql: Sql) => (await migrate(sql, slices)).map(({ slug, reason }) => `${slug} ${reason}`)
const commentOf = async (sql: Sql, relation: string) =>
  (await sql<{ text: string }[]>`select obj_description(${relation}::regclass, 'pg_class') as text`)[0]!.text
const storedHash = async (sql: Sql, slug: string) =>
  (await storedOf(sql)).find((row) => row.slug === slug)!.comments_hash

/** Gives Form D the comments of an older version. */
async function withOlderComments(sql: Sql): Promise<void> {
  await sql`comment on table formd.offering is 'Older words'`
  await sql`comment on view pub.formd_feed is 'Older words'`
  await sql`comment on column pub.formd_feed.accession is null`
  await sql`update core.dataset set comments_hash = 'older' where slug = 'formd'`
}

/** The lines of joint-digests.tsv whose tables and views are those of this code, by slug. */
async function presentJoints(): Promise<Map<string, { whole: string; tables: string; views: string }>> {
  const text = await readFile(new URL('../../src/store/joint-digests.tsv', import.meta.url), 'utf8')
  const now = new Map(slices.map((slice) => [slice.slug, definitionOf(slice)]))
  const found = text.split('\n').flatMap((line) => {
    const [slug = '', whole = '', tables = '', views = '', ...then] = line.split('\t')
    const { ddlHash, viewsHash } = now.get(slug) ?? {}
    return then[0] === ddlHash && then[1] === viewsHash ? [[slug, { whole, tables, views }] as const] : []
  })
  return new Map(found)
}

test('a start replaces comments of an older version and rebuilds nothing, and commands that only read leave them as they are', async (t) => {
  const { sql } = await freshDatabase(t)
  await putRows(sql, 'formd.offering', [{ accession: 'a', entity_name: 'A' }])
  const comment = await commentOf(sql, 'pub.formd_feed')
  await withOlderComments(sql)
  const built = async () =>
    (await sql`select 'formd.offering'::regclass::oid::text as oid, built_at from core.dataset where slug = 'formd'`)[0]
  const before = await built()
  assert.deepEqual((await differences(sql, slices)).stale, [])
  assert.equal(await commentOf(sql, 'pub.formd_feed'), 'Older words')
  assert.deepEqual(await reasons(sql), [])
  assert.deepEqual(await built(), before)
  assert.equal(await commentOf(sql, 'pub.formd_feed'), comment)
  assert.notEqual(await commentOf(sql, 'formd.offering'), 'Older words')
  const [column] = await sql`select col_description('pub.formd_feed'::regclass, 1) as text`
  assert.notEqual(column!.text, null)
  assert.equal(await storedHash(sql, 'formd'), definitionOf(formd).commentsHash)
  assert.equal((await sql`select from formd.offering`).count, 1)
})

test('comments of a slice whose tables or views are of another version stay until these are replaced', async (t) => {
  const { sql } = await freshDatabase(t)
  for (const column of ['ddl_hash', 'views_hash']) {
    await withOlderComments(sql)
    await sql`update core.dataset set ${sql(column)} = 'other' where slug = 'formd'`
    assert.deepEqual(await reasons(sql), [`formd ${column === 'ddl_hash' ? 'definition' : 'views'}`])
    assert.equal(await commentOf(sql, 'formd.offering'), 'Older words')
    const { ddlHash, viewsHash } = definitionOf(formd)
    await sql`update core.dataset set ddl_hash = ${ddlHash}, views_hash = ${viewsHash} where slug = 'formd'`
    assert.deepEqual(await reasons(sql), [])
    assert.notEqual(await commentOf(sql, 'formd.offering'), 'Older words')
  }
})

test('a start does not wait for another process that takes statistics of a table: the next start replaces the comments', async (t) => {
  const { sql, target } = await freshDatabase(t)
  await withOlderComments(sql)
  const other = connect({ target, max: 1 })
  t.after(() => other.end())
  const held = await other.reserve()
  await held`begin`
  await held`lock table formd.signature in share update exclusive mode`
  assert.deepEqual(await reasons(sql), [])
  assert.equal(await commentOf(sql, 'formd.offering'), 'Older words')
  assert.equal(await storedHash(sql, 'formd'), 'older')
  await held`commit`
  held.release()
  assert.deepEqual(await reasons(sql), [])
  assert.notEqual(await commentOf(sql, 'formd.offering'), 'Older words')
})

test('an error other than a held lock ends a start that replaces comments', async (t) => {
  const { sql } = await freshDatabase(t)
  await withOlderComments(sql)
  await sql`alter table formd.offering rename column entity_name to older_name`
  await assert.rejects(migrate(sql, slices), { code: '42703' })
})

test('digests of older versions, which included comments, are replaced if they fit the tables and views of this code; else they count as changed', async (t) => {
  const { sql } = await freshDatabase(t)
  const joints = await presentJoints()
  const [one, two] = [...joints.keys()]
  assert.ok(one && two)
  const three = slices.find(({ slug }) => slug !== one && slug !== two)!.slug
  const older = async (slug: string, ddlHash: string, viewsHash: string | null) =>
    sql`
      update core.dataset set ddl_hash = ${ddlHash}, views_hash = ${viewsHash}, comments_hash = null
      where slug = ${slug}`
  await older(one, joints.get(one)!.tables, joints.get(one)!.views)
  await older(two, joints.get(two)!.whole, null)
  await older(three, joints.get(one)!.tables, joints.get(one)!.views)
  assert.deepEqual(
    (await differences(sql, slices)).stale.map(({ slug, reason }) => [slug, reason]),
    [[three, 'definition']],
  )
  assert.deepEqual(await reasons(sql), [`${three} definition`])
  for (const slug of [one, two]) {
    const [row] = await sql`select * from core.dataset where slug = ${slug}`
    const { ddlHash, viewsHash, commentsHash } = definitionOf(slices.find((each) => each.slug === slug)!)
    assert.deepEqual([row!.ddl_hash, row!.views_hash, row!.comments_hash], [ddlHash, viewsHash, commentsHash])
  }
  await older(three, 'older', null)
  assert.deepEqual(await reasons(sql), [`${three} definition`])
  // A command that only reads may run before the migrations that add these columns.
  await older(one, joints.get(one)!.whole, null)
  await sql`alter table core.dataset drop column comments_hash, drop column views_hash`
  const { ddlHash, viewsHash } = definitionOf(slices.find((each) => each.slug === one)!)
  const stored = (await storedOf(sql)).find(({ slug }) => slug === one)!
  assert.deepEqual([stored.ddl_hash, stored.views_hash, stored.comments_hash], [ddlHash, viewsHash, null])
})
