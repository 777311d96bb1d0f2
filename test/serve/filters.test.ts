/** Filter trees in a real Postgres: their meaning, and proof that no tree can make a statement fail. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HttpError } from '../../src/declare/api-errors.ts'
import { fold } from '../../src/read/fold.ts'
import {
  type FilterField,
  type FilterFields,
  filterSql,
  OPERATORS,
  operatorsOf,
  parseFilters,
} from '../../src/serve/filters.ts'
import { unnamed } from '../../src/serve/page.ts'
import { freshDatabase } from '../support/database.ts'

const { sql } = await freshDatabase({ after })
await sql.unsafe(`
  create table specimen (
    id integer primary key, name text, folded text, amount numeric, year integer, total bigint, filed date,
    accepted timestamptz, open boolean, states text[]
  );
  create table tag (id integer, tag text);
  insert into specimen values
    (1, 'Alpha 100%', 'alpha 100%', 10.5, 2020, 5000000000, '2024-01-31', '2024-01-31T22:00:00Z', true, '{NY,CA}'),
    (2, 'alpha_b', 'alpha_b', -3, 2021, 1, '2024-02-29', '2024-02-29T22:00:00Z', false, '{}'),
    (3, 'O''Hara \\ Söhne', 'o''hara \\ sohne', 0, null, null, '2023-12-31', null, null, '{TX}'),
    (4, null, null, null, null, null, null, null, null, null);
  insert into tag values (1, 'a'), (1, 'b'), (2, 'b');
`)

const column = (name: string, kind: FilterField['kind'], type: FilterField['type']): FilterField => ({
  kind,
  type,
  meaning: name,
  expression: (sql) => sql`s.${sql(name)}`,
})
const fields: FilterFields = {
  name: column('name', 'text', 'text'),
  folded: { ...column('folded', 'text', 'text'), stored: fold, folded: true },
  called: { ...column('folded', 'text', 'text'), named: (sql, typed) => sql`s.folded like ${`${typed}%`}` },
  amount: column('amount', 'number', 'numeric'),
  year: column('year', 'number', 'integer'),
  total: column('total', 'number', 'bigint'),
  filed: column('filed', 'date', 'date'),
  accepted: column('accepted', 'date', 'timestamptz'),
  open: column('open', 'boolean', 'boolean'),
  states: column('states', 'list', 'text[]'),
  tag: {
    ...column('tag', 'text', 'text'),
    expression: (sql) => sql`t.tag`,
    within: (sql, test) => sql`exists (select from tag t where t.id = s.id and ${test})`,
  },
}

const compile = (tree: string) => filterSql(sql, parseFilters(tree, fields), fields)

/** Returns the ids of the specimens that match a tree, as digits. */
async function ids(tree: unknown): Promise<string> {
  const rows = await unnamed(sql<{ id: number }[]>`
    select id from specimen s where ${compile(JSON.stringify(tree))} order by id`)
  return rows.map(({ id }) => id).join('')
}

const leaf = (field: string, op: string, value: unknown) => ({ field, op, value })

test('each operator finds the right rows', async () => {
  const cases: [field: string, op: string, value: unknown, found: string][] = [
    ['name', 'eq', 'alpha_b', '2'],
    ['name', 'ne', 'alpha_b', '134'],
    ['name', 'in', ['alpha_b', "O'Hara \\ Söhne"], '23'],
    ['name', 'not_in', ['alpha_b'], '134'],
    ['name', 'contains', 'ALPHA', '12'],
    ['name', 'starts_with', 'o', '3'],
    ['folded', 'contains', 'SÖHNE', '3'],
    ['called', 'named', 'alpha', '12'],
    ['amount', 'gt', '-3', '13'],
    ['amount', 'gte', -3, '123'],
    ['amount', 'lt', 10.5, '23'],
    ['amount', 'lte', '10.5', '123'],
    ['amount', 'between', [0, 20], '13'],
    ['amount', 'in', ['10.50', 0], '13'],
    ['year', 'eq', 2021, '2'],
    ['year', 'not_in', [2021], '134'],
    ['total', 'gt', '4999999999', '1'],
    ['filed', 'between', ['2024-01-01', '2024-01-31'], '1'],
    ['filed', 'in', ['2024-02-29', '2023-12-31'], '23'],
    ['accepted', 'gte', '2024-02-29T17:00:00-05:00', '2'],
    ['open', 'eq', false, '2'],
    ['open', 'ne', true, '234'],
    ['states', 'contains', 'CA', '1'],
    ['states', 'overlaps', ['TX', 'NY'], '13'],
    ['states', 'is_null', true, '24'],
    ['states', 'is_null', false, '13'],
    ['year', 'is_null', false, '12'],
    ['tag', 'eq', 'a', '1'],
    ['tag', 'ne', 'a', '234'],
    ['tag', 'is_null', true, '34'],
    ['tag', 'is_null', false, '12'],
  ]
  for (const [field, op, value, found] of cases) {
    assert.equal(await ids(leaf(field, op, value)), found, `${field} ${op} ${JSON.stringify(value)}`)
  }
  assert.deepEqual([...new Set(cases.map(([, op]) => op))].sort(), Object.keys(OPERATORS).sort())
})

test('the operator `is_null` finds the right rows for every kind of field, alone and within `and`, `or` and `not`', async () => {
  const rows = await sql<Record<string, unknown>[]>`
    select s.*, s.folded as called, array(select tag from tag t where t.id = s.id) as tag from specimen s order by id`
  const isEmpty = (row: Record<string, unknown>, field: string) =>
    Array.isArray(row[field]) ? (row[field] as unknown[]).length === 0 : row[field] === null
  const names = Object.keys(fields)
  const kinds = new Set<string>()
  for (const one of names) {
    kinds.add(fields[one]!.within ? 'within' : fields[one]!.kind)
    for (const other of names) {
      for (const [a, b] of [
        [true, true],
        [true, false],
        [false, true],
        [false, false],
      ] as const) {
        const [x, y] = [leaf(one, 'is_null', a), leaf(other, 'is_null', b)]
        const holds = (row: Record<string, unknown>) => [isEmpty(row, one) === a, isEmpty(row, other) === b] as const
        const found = (test: (x: boolean, y: boolean) => boolean) =>
          rows
            .filter((row) => test(...holds(row)))
            .map(({ id }) => id)
            .join('')
        const why = `${one} ${a} ${other} ${b}`
        assert.equal(
          await ids({ and: [x, y] }),
          found((p, q) => p && q),
          why,
        )
        assert.equal(
          await ids({ or: [x, { not: y }] }),
          found((p, q) => p || !q),
          why,
        )
        assert.equal(
          await ids({ not: { and: [x, { not: y }] } }),
          found((p, q) => !(p && !q)),
          why,
        )
      }
    }
  }
  assert.deepEqual([...kinds].sort(), ['boolean', 'date', 'list', 'number', 'text', 'within'])
})

test('wildcards, backslashes and quotes in a value are matched literally', async () => {
  assert.equal(await ids(leaf('name', 'contains', '%')), '1')
  assert.equal(await ids(leaf('name', 'contains', '_')), '2')
  assert.equal(await ids(leaf('name', 'contains', '\\')), '3')
  assert.equal(await ids(leaf('name', 'contains', "'")), '3')
  assert.equal(await ids(leaf('name', 'eq', "x' or true --")), '')
})

test('and, or and not combine conditions; not is the complement, including rows without a value', async () => {
  const alpha = leaf('name', 'contains', 'alpha')
  const open = leaf('open', 'eq', true)
  assert.equal(await ids({ and: [alpha, { not: open }] }), '2')
  assert.equal(await ids({ or: [open, { and: [alpha, leaf('year', 'eq', 2021)] }] }), '12')
  assert.equal(await ids({ not: { or: [open, leaf('filed', 'lt', '2024-01-01')] } }), '24')
  assert.equal(await ids({ not: { not: leaf('year', 'gt', 2020) } }), '2')
})

// Fuzzing: trees of any shape with values of every type. The same seed gives the same trees.

function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const texts = [
  'D',
  '',
  "'",
  '%',
  '_\\',
  'a\0b',
  '株',
  '\ud800',
  '\u0301',
  '; drop table specimen',
  'x'.repeat(300),
  '$1',
  '{}',
  '{"}',
]
const numbers = [
  0,
  -0,
  1,
  -1.5,
  2 ** 31,
  2 ** 53,
  1e21,
  1e308,
  1e-9,
  '9'.repeat(40),
  '9'.repeat(60),
  '1.',
  '+1',
  '-',
  '٣',
  '9223372036854775808',
]
const moments = [
  '2024-02-29',
  '2023-02-29',
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '99999-01-01',
  'infinity',
  'now',
  '2024-01-01T00:00:00Z',
  '2024-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
  '0001-01-01T00:00:00+14:00',
  '2024-06-30T23:59:60Z',
  '2024-01-01T24:00:00Z',
]
const others = [null, true, false, {}, [], [[]], { field: 'name' }]
const fitting: Record<FilterField['type'], readonly unknown[]> = {
  text: texts,
  'text[]': texts,
  numeric: numbers,
  integer: numbers,
  bigint: numbers,
  date: moments,
  timestamptz: moments,
  boolean: [true, false],
}

function treeMaker(random: () => number): (depth: number) => unknown {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const anything = [...texts, ...numbers, ...moments, ...others]
  const value = (name: string) => pick(random() < 0.9 ? fitting[fields[name]?.type ?? 'text'] : anything)
  const make = (depth: number): unknown => {
    const shape = random()
    const parts = () => Array.from({ length: Math.floor(random() * 4) }, () => make(depth + 1))
    if (shape < 0.02) return pick(anything)
    if (depth < 9 && shape < 0.45) return { [pick(['and', 'or'])]: parts() }
    if (depth < 9 && shape < 0.6) return { not: make(depth + 1) }
    const field = random() < 0.97 ? pick(Object.keys(fields)) : pick(['nope', '__proto__', "name'; --"])
    const fits = fields[field] && random() < 0.95 ? operatorsOf(fields[field]) : Object.keys(OPERATORS)
    const op = random() < 0.97 ? pick<string>(fits) : pick(['like', '=', ''])
    const list = op === 'in' || op === 'not_in' || op === 'between' || op === 'overlaps'
    return leaf(
      field,
      op as string,
      list ? [value(field), value(field)] : op === 'is_null' ? pick([true, false]) : value(field),
    )
  }
  return make
}

test('each of 3,000 random trees is refused with 400 or runs, and a tree and its negation together match all rows', async () => {
  const make = treeMaker(generator(20_261_121))
  const seen = { refused: 0, ran: 0, nested: 0 }
  for (let i = 0; i < 3000; i++) {
    const tree = JSON.stringify(make(0))
    try {
      const condition = compile(tree)
      const [row] = await unnamed(sql<{ held: number; contrary: number }[]>`
        select count(*) filter (where ${condition})::int as held,
          count(*) filter (where ${compile(`{"not":${tree}}`)})::int as contrary
        from specimen s`)
      assert.equal(row!.held + row!.contrary, 4, tree)
      seen.ran++
      if (/^\{"(and|or|not)/.test(tree)) seen.nested++
    } catch (error) {
      if (!(error instanceof HttpError)) throw new Error(`failed on ${tree}`, { cause: error })
      assert.equal(error.status, 400)
      assert.match(error.message, /^filters[.:]/)
      seen.refused++
    }
  }
  // The generator must produce both kinds of trees, or the test proves nothing.
  assert.ok(seen.ran > 500 && seen.refused > 500 && seen.nested > 100, JSON.stringify(seen))
})
