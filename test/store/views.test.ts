/** Views that slices publish for each other. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { dataset } from '../../src/declare/dataset.ts'
import { columnType, text } from '../../src/declare/table.ts'
import { view } from '../../src/declare/view.ts'
import registry from '../../src/registry.ts'
import { openSampledWorld } from '../support/sampled.ts'

const root = path.resolve(import.meta.dirname, '../..')
const views = registry.slices.flatMap((slice) => slice.views)

const { sql } = await openSampledWorld({ after })

test('every view has the columns that it declares, in order and with their types', async () => {
  assert.ok(views.length >= 7)
  for (const { id, columns } of views) {
    const stored = await sql<{ name: string; type: string }[]>`
      select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = ${id}::regclass and attnum > 0 order by attnum`
    const declared = Object.entries(columns).map(([name, type]) => ({
      name,
      type: columnType(type)!.postgres.replace(' collate "C"', ''),
    }))
    assert.deepEqual([...stored], declared, id)
  }
})

/**
 * Views that are empty: the sample has no amendments of these forms, and no portal of it states its file number.
 */
const WITHOUT_ROWS = [
  'pub.cfportal_code',
  ...['pub.ownership_joint_derivative', 'pub.ownership_joint_security'],
  ...['pub.form144_amended', 'pub.npx_amended', 'pub.ncen_amended'],
]

test('all rows of every view over the sample match the declared columns, with nulls only in nullable columns', async () => {
  const empty: string[] = []
  for (const { id, row } of views) {
    const rows = await sql`select * from ${sql(id)}`
    if (rows.length === 0) empty.push(id)
    for (const each of rows) row.strict().parse(each)
  }
  assert.deepEqual(empty, WITHOUT_ROWS)
})

test('each view of `pub` that the SQL of a slice names is published by a slice', () => {
  const published = new Set<string>(views.map(({ id }) => id))
  const files = globSync('src/{datasets,products}/*/queries{*.ts,/**/*.ts}', { cwd: root })
  const read = files.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/\bpub\.\w+/g)].map(([name]) => [file, name] as const),
  )
  assert.ok(read.length > 5)
  assert.deepEqual(
    read.filter(([, name]) => !published.has(name)),
    [],
  )
})

test('a view is refused if it has another slice’s name, an invalid name, no description or an untyped column', () => {
  const place = view('pub.elsewhere_place', 'One row per place', { name: text('Name') }, 'select name from place')
  const formd = registry.datasets.find(({ slug }) => slug === 'formd')!
  assert.throws(
    // The types are wrong on purpose: a declared dataset is not a valid input for a declaration.
    () => dataset({ ...formd, views: { place } } as never),
    /view pub\.elsewhere_place must be called pub\.formd_/,
  )
  assert.throws(() => view('pub.Place', 'One row per place', {}, 'select'), /is not a plain lower-case name/)
  assert.throws(() => view('pub.formd_place', '', {}, 'select'), /does not say what a row is/)
  const untyped = { name: text('Name').optional() }
  assert.throws(
    () => view('pub.formd_place', 'One row per place', untyped, 'select'),
    /pub\.formd_place\.name has no Postgres type/,
  )
})
