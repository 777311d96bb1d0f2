/** One thing whose rollup rows the database refuses stops neither the refresh of all things nor a rebuild. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Slice } from '../../src/declare/dataset.ts'
import { makeRows, type Refused } from '../../src/ingest/making.ts'
import { markAll, marked } from '../../src/ingest/marks.ts'
import { rebuildProduct } from '../../src/ingest/rebuild/product.ts'
import { refreshing } from '../../src/ingest/refresh.ts'
import registry from '../../src/registry.ts'
import type { Sql, Transaction } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { randomFor } from '../support/random.ts'
import { openSampledWorld } from '../support/sampled.ts'
import { everyRow } from '../support/world.ts'

const { slices } = registry
const made = slices.filter(({ refresh }) => refresh)

async function refreshAll(sql: Sql, some: readonly Slice[] = made): Promise<Refused[]> {
  const refused: Refused[] = []
  await sql.begin((tx) => markAll(tx, some))
  await refreshing({ sql, slices, onRefused: (each) => refused.push(each) }, async () => {})
  return refused
}

/** The rollup of each slice, and the column that its refusing constraint names. */
const REFUSING: Readonly<Record<string, [table: string, column: string, keyOf: (value: string) => string]>> = {
  adv: ['adviser', 'crd', (crd) => crd],
  brochures: ['brochure', 'crd', (crd) => crd],
  companies: ['search_name', 'cik', (cik) => cik],
  documents: ['tally', 'corpus', (corpus) => corpus],
  fundreg: ['launch', 'cik', (cik) => cik],
  identifiers: ['best', 'cusip', (cusip) => cusip.slice(0, 6)],
  links: ['link', 'crd', (crd) => crd],
  ncen: ['standing', 'cik', (cik) => cik],
  nmfp: ['fund_now', 'fund', (fund) => fund],
  nport: ['fund', 'fund', (fund) => fund],
  offerings: ['offering', 'cik', (cik) => cik],
  reps: ['stint', 'indvl_pk', (pk) => pk],
  similaradvisers: ['firm', 'crd', (crd) => crd],
  thirteenf: ['filer', 'cik', (cik) => cik],
  x17a5: ['broker', 'cik', (cik) => cik],
}

/** Adds a constraint that refuses new rows with the first value of the column. @returns this value */
async function refuseOne(tx: Transaction, table: string, column: string): Promise<string> {
  const [row] = await tx<{ value: string }[]>`select min(${tx(column)}) as value from ${tx(table)}`
  assert.ok(row?.value, `the sample has rows of ${table}`)
  const value = row.value.replaceAll("'", "''")
  await tx.unsafe(`alter table ${table} add constraint refused_by_test check (${column} <> '${value}') not valid`)
  return row.value
}

test('if rows of one thing are refused, its old rows stay, the rows of all others are made, and the next run tries it again', async (t) => {
  const { sql } = await openSampledWorld(t)
  assert.deepEqual(await refreshAll(sql), [])
  const before = await everyRow(sql)
  // The search and the securities have tests of their own.
  assert.deepEqual(
    made.map(({ slug }) => slug).toSorted(),
    [...Object.keys(REFUSING), 'search', 'securities'].toSorted(),
  )
  for (const { slug, refresh } of made) assert.ok(refresh!.divide, slug)
  const keys = await sql.begin(async (tx) => {
    const found: [string, string][] = []
    for (const [slug, [table, column, keyOf]] of Object.entries(REFUSING))
      found.push([slug, keyOf(await refuseOne(tx, `${slug}.${table}`, column))])
    return found
  })
  const refused = await refreshAll(sql)
  // A manager or a fund has a key for each of its periods.
  const of = (key: string | null | undefined) => key?.split(' ')[0]
  assert.deepEqual(
    [...new Map(refused.map(({ slug, key }) => [`${slug} ${of(key)}`, [slug, of(key)]])).values()],
    keys.toSorted(),
  )
  for (const { reason } of refused) assert.match(reason, /refused_by_test/)
  const states = await marked(sql)
  assert.deepEqual(
    states.map(({ slug, waiting, refused: count, example }) => [slug, waiting, count > 0, of(example?.key)]),
    keys.toSorted().map(([slug, key]) => [slug, 0, true, key]),
  )
  assert.deepEqual(await everyRow(sql), before)
  for (const [slug, [table]] of Object.entries(REFUSING))
    await sql.unsafe(`alter table ${slug}.${table} drop constraint refused_by_test`)
  await refreshing({ sql, slices }, async () => {})
  assert.deepEqual([...(await marked(sql))], [])
  assert.deepEqual(await everyRow(sql), before)
})

test('each kind of thing in the search is refused alone, whichever source it comes from', async (t) => {
  const { sql } = await openSampledWorld(t)
  const kinds = await sql<
    { kind: string; id: string }[]
  >`select kind, min(id) as id from search.entity group by kind order by kind`
  const codes = await sql<{ source: string; id: string; accession: string | null }[]>`
    select distinct on (source) source, id, accession from search.code order by source, id, accession`
  assert.ok(kinds.length >= 7 && codes.length >= 10, `${kinds.length} kinds, ${codes.length} sources of codes`)
  const before = await everyRow(sql)
  const ids = kinds.map(({ id }) => id)
  // The stored codes and things are equal to those that a refresh makes, so nothing would be inserted.
  await sql`update search.entity set weight = weight + 1`
  await sql`update search.code set what = what || '?'`
  const list = (values: readonly string[]) => values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')
  await sql.unsafe(
    `alter table search.entity add constraint refused_by_test check (id not in (${list(ids)})) not valid`,
  )
  const filed = codes.flatMap(({ accession, source }) => (accession === null ? [] : [[source, accession] as const]))
  const unfiled = codes.filter(({ accession }) => accession === null)
  await sql.unsafe(`alter table search.code add constraint refused_by_test check (
    (accession is null or accession not in (${list(filed.map(([, accession]) => accession))}))
    and (accession is not null or id not in (${list(unfiled.map(({ id }) => id))}))) not valid`)
  const refused = await refreshAll(sql, [slices.find(({ slug }) => slug === 'search')!])
  const keys = new Set(refused.map(({ key }) => key))
  assert.ok(!keys.has(null) && refused.every(({ slug, key }) => slug === 'search' && key!.includes(' ')))
  const things = new Set([...keys].map((key) => key!.split(' ').slice(1).join(' ')))
  for (const { id } of kinds) assert.ok(things.has(id.split(' ').slice(1).join(' ')), id)
  for (const [source, accession] of filed) assert.ok(keys.has(`${source} ${accession}`), `${source} ${accession}`)
  for (const { source, id } of unfiled) assert.ok(things.has(id.split(' ').slice(1).join(' ')), `${source} ${id}`)
  assert.ok(keys.size <= kinds.length + codes.length, [...keys].join())
  for (const table of ['entity', 'code'])
    await sql.unsafe(`alter table search.${table} drop constraint refused_by_test`)
  await refreshing({ sql, slices }, async () => {})
  assert.deepEqual([...(await marked(sql))], [])
  assert.deepEqual(await everyRow(sql), before)
})

/** Puts a text of 4,000 letters into every column with text, each into another row as far as there are rows. */
async function poison(sql: Sql): Promise<number> {
  const random = randomFor('texts for no index')
  const letters = () => Array.from({ length: 4_000 }, () => String.fromCharCode(97 + random() * 26)).join('')
  let poisoned = 0
  for (const { id } of slices.flatMap(({ tables }) => Object.values(tables))) {
    const rows = await sql<{ at: string }[]>`select ctid::text as at from ${sql(id)} order by ctid limit 400`
    const columns = await sql<{ name: string; type: string }[]>`
      select attname as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = ${id}::regclass and attnum > 0 and not attisdropped and format_type(atttypid, null) in ('text', 'text[]')
      order by attnum`
    for (const [n, { name, type }] of rows.length === 0 ? [] : columns.entries()) {
      const { at } = rows[Math.floor((n * rows.length) / columns.length)]!
      const value = type === 'text' ? letters() : [letters()]
      // An index or a trigger of the table itself refuses some texts: a load then refuses the filing or record alone.
      const { count } = await sql`update ${sql(id)} set ${sql(name)} = ${value} where ctid = ${at}::tid`.catch(() => ({
        count: 0,
      }))
      poisoned += count
    }
  }
  return poisoned
}

test('a text of 4,000 letters may be in any stored column: a refresh of everything, and the rebuild of a product, leave out only the things that have it', async (t) => {
  const { sql } = await openSampledWorld(t)
  assert.ok((await poison(sql)) > 600)
  const refused = await refreshAll(sql)
  assert.ok(refused.length > 0)
  for (const { slug, key, reason } of refused) assert.ok(key !== null, `${slug}: ${reason}`)
  const reasons = async () =>
    (
      await sql<{ slug: string; key: string }[]>`
    select slug, key from core.mark where slug in ('search', 'securities', 'identifiers', 'links') order by slug, key`
    ).map(({ slug, key }) => [slug, key])
  const before = await reasons()
  for (const product of made.filter(({ tables }) => Object.keys(tables).length === 0))
    await rebuildProduct({ sql, slices }, product)
  assert.deepEqual(await reasons(), before)
})

test('a mark that cannot be divided is refused as a whole with its own reason, and the transaction continues', async (t) => {
  const { sql } = await freshDatabase(t)
  const ncen = slices.find(({ slug }) => slug === 'ncen')!
  const refuse = (text: string) => async (tx: Transaction) => {
    await tx`select ${text}::text::int`
    return []
  }
  const slice = {
    ...ncen,
    refresh: {
      ...ncen.refresh!,
      make: async (tx: Transaction) => void (await refuse('of make')(tx)),
      divide: refuse('of divide'),
    },
  }
  const marks = await sql.begin(async (tx) => {
    await makeRows(tx, slice as Slice, null)
    return tx<{ key: string | null; reason: string }[]>`select key, reason from core.mark where reason is not null`
  })
  assert.equal(marks.length, 1)
  assert.equal(marks[0]!.key, null)
  assert.match(marks[0]!.reason, /"of make"/)
})

test('a refused mark is tried again by the next run, even if the clock of the database was set back by an hour', async (t) => {
  const { sql } = await freshDatabase(t)
  const x17a5 = slices.find(({ slug }) => slug === 'x17a5')!
  await sql`insert into core.mark ${sql({ slug: 'x17a5', key: '0000000001', reason: 'refused by a test' })}`
  await sql`update core.mark set made_at = made_at + interval '1 hour'`
  const refused: Refused[] = []
  await refreshing({ sql, slices: [x17a5], onRefused: (each) => refused.push(each) }, async () => {})
  assert.deepEqual(
    [refused, await sql`select from core.mark where slug = 'x17a5'`.then((rows) => rows.length)],
    [[], 0],
  )
})
