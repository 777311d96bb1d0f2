/** Tests that arrays of every PostgreSQL type reach the database and come back unchanged. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { connect } from './db.ts'

const { sql, target } = await freshDatabase({ after }, { empty: true })

test('null in an array is read as null, for every type of PostgreSQL', async () => {
  const types = await sql<{ name: string }[]>`
    select format_type(oid, null) as name from pg_type
    where typarray <> 0 and typtype <> 'c' and oid < 10000 and typname <> 'box' order by oid`
  assert.ok(types.length > 70)
  const columns = types.map(({ name }, at) => `array[null, null]::${name}[] as "${at}"`)
  const [row] = await sql.unsafe(`select ${columns.join(', ')}`)
  const others = types.filter((_, at) => !Array.isArray(row![at]) || row![at].some((value: unknown) => value !== null))
  assert.deepEqual(others, [])
})

test('texts in an array are read unchanged: empty, quoted, or with characters of the array syntax', async () => {
  const texts = [
    '',
    ' ',
    'NULL',
    'null',
    '"',
    '\\',
    '\\"',
    '{',
    '}',
    ',',
    '{a,"b"}',
    'a\nb',
    '’',
    '\u{1f600}',
    "'",
    'plain',
  ]
  const [row] = await sql`
    select ${texts}::text[] as all_of_them, ${[...texts, null]}::text[] as with_null, ${[]}::text[] as none,
      ${null}::text[] as no_array, array_length(${texts}::text[], 1) as length`
  assert.deepEqual(
    { ...row },
    {
      ...{ all_of_them: texts, with_null: [...texts, null], none: [], no_array: null, length: texts.length },
    },
  )
})

test('elements of an array are sent and read like single values', async () => {
  const at = new Date('2026-01-02T03:04:05.678Z')
  // The driver's types do not include a list of JSON values.
  const objects = [{ a: '"x", \\' }, null] as unknown as string[]
  const [row] = await sql`
    select ${[1, null, -3]}::int[] as ints, ${['9007199254740993', null]}::bigint[] as bigints,
      ${['1.50', null]}::numeric[] as numerics, ${[1.5, null]}::float8[] as floats,
      ${['2026-01-02', null]}::date[] as dates, ${[at.toISOString(), null]}::timestamptz[] as moments,
      array[true, null, false] as booleans, ${objects}::jsonb[] as jsons,
      ${['pg_class']}::regclass[] as classes, ${["'a' & 'b'"]}::tsquery[] as queries,
      array['\\x00ff', null]::bytea[] as bytes, array['1', null]::numeric[] as written`
  const [alone] = await sql`select ${at.toISOString()}::timestamptz as moment, '\\x00ff'::bytea as byte`
  assert.deepEqual(
    { ...row },
    {
      ints: [1, null, -3],
      bigints: ['9007199254740993', null],
      numerics: ['1.50', null],
      floats: [1.5, null],
      dates: ['2026-01-02', null],
      moments: [alone!.moment, null],
      booleans: [true, null, false],
      jsons: [{ a: '"x", \\' }, null],
      classes: ['pg_class'],
      queries: ["'a' & 'b'"],
      bytes: [alone!.byte, null],
      written: ['1', null],
    },
  )
})

test('nested arrays, and arrays whose first index is not 1, are read completely', async () => {
  const [row] = await sql`
    select ${[['a', 'b,}'], ['{', null]]}::text[] as nested, '{{{1},{2}},{{3},{NULL}}}'::int[] as deep,
      '[0:1]={5,6}'::int[] as from_zero, '[-1:0][2:3]={{1,2},{3,4}}'::int[] as of_two, '{}'::int[] as none,
      array[row(1, 'a b'), null] as records, '{1,2}'::int2vector[] as vectors`
  assert.deepEqual(
    { ...row },
    {
      nested: [
        ['a', 'b,}'],
        ['{', null],
      ],
      deep: [
        [[1], [2]],
        [[3], [null]],
      ],
      from_zero: [5, 6],
      of_two: [
        [1, 2],
        [3, 4],
      ],
      none: [],
      records: ['(1,"a b")', null],
      vectors: ['1', '2'],
    },
  )
  // This list is wrong on purpose: one of its values is undefined.
  await assert.rejects(async () => sql`select ${['a', undefined as unknown as string]}::text[]`, /undefined/)
})

test('a new connection sends no query by itself', async (t) => {
  const own = connect({ target, max: 1 })
  t.after(() => own.end())
  const reserved = await own.reserve()
  const sessions = await sql<{ query: string }[]>`
    select query from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
  assert.deepEqual(
    sessions.map(({ query }) => query),
    [''],
  )
  reserved.release()
})
