import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpError } from '../declare/api-errors.ts'
import {
  conjuncts,
  type FilterField,
  type FilterFields,
  fieldsIn,
  OPERATORS,
  operatorsOf,
  parseFilters,
} from './filters.ts'

const field = (kind: FilterField['kind'], type: FilterField['type'], more: Partial<FilterField> = {}): FilterField => ({
  kind,
  type,
  meaning: 'a field of this test',
  expression: (sql) => sql`x`,
  ...more,
})

const fields: FilterFields = {
  form_type: field('text', 'text'),
  cik: field('text', 'text', {
    operators: ['eq', 'in'],
    stored: (value) => (/^\d{1,10}$/.test(value) ? value.padStart(10, '0') : null),
  }),
  amount: field('number', 'numeric'),
  year: field('number', 'integer'),
  count: field('number', 'bigint'),
  filed: field('date', 'date'),
  accepted: field('date', 'timestamptz'),
  open: field('boolean', 'boolean'),
  states: field('list', 'text[]'),
  name: field('text', 'text', { named: (sql, typed) => sql`x = ${typed}` }),
}

const parse = (tree: unknown) => parseFilters(typeof tree === 'string' ? tree : JSON.stringify(tree), fields)

function refused(tree: unknown, message: string | RegExp): void {
  assert.throws(
    () => parse(tree),
    (error: unknown) => {
      assert.ok(error instanceof HttpError && error.code === 'invalid_filters', String(error))
      if (typeof message === 'string') assert.equal(error.message, message)
      else assert.match(error.message, message)
      return true
    },
  )
}

const leaf = (name: string, op: string, value: unknown) => ({ field: name, op, value })

test('a tree keeps its structure when parsed, and its values are converted to their stored form', () => {
  const tree = { or: [leaf('cik', 'in', [320193, '1']), { not: leaf('amount', 'gte', 1.5) }, leaf('open', 'eq', true)] }
  assert.deepEqual(parse(tree), {
    or: [
      { field: 'cik', op: 'in', values: ['0000320193', '0000000001'] },
      { not: { field: 'amount', op: 'gte', values: ['1.5'] } },
      { field: 'open', op: 'eq', values: [true] },
    ],
  })
})

test('the error for an unknown operator has its path, and lists the operators of the field', () => {
  refused(
    { and: [leaf('form_type', 'eq', 'D'), leaf('form_type', 'like', 'D%')] },
    'filters.and[1].op: "like" is not an operator of form_type; use one of eq, ne, in, not_in, contains, starts_with, is_null',
  )
  refused(leaf('cik', 'contains', '32'), 'filters.op: "contains" is not an operator of cik; use one of eq, in')
})

test('a long value is quoted without half a character', () => {
  refused(leaf('amount', 'eq', `${'x'.repeat(55)}😀 and more`), /^\P{Cs}*$/u)
})

test('the error for an unknown field has its path, and lists the existing fields', () => {
  refused(
    { not: { or: [leaf('nope', 'eq', 1)] } },
    /^filters\.not\.or\[0\]\.field: "nope" is not a field; use one of form_type, cik, /,
  )
  refused(leaf('__proto__', 'eq', 1), /is not a field/)
  refused(leaf('constructor', 'eq', 1), /is not a field/)
  refused({ op: 'eq', value: 1 }, /^filters: has none of/)
})

test('the error for a field that belongs elsewhere explains where it can be used', () => {
  assert.throws(
    () => parseFilters(JSON.stringify(leaf('industry', 'eq', 'x')), fields, (name) => `${name} is elsewhere`),
    /filters\.field: "industry" industry is elsewhere/,
  )
})

test('refuses an invalid tree, and names the path of the error', () => {
  refused('{', 'filters: not JSON')
  refused('null', /^filters: null is not an object/)
  refused('[]', /^filters: \[\] is not an object/)
  refused('1', /^filters: 1 is not an object/)
  refused({}, /^filters: has none of/)
  refused({ and: 5 }, 'filters.and: 5 is not an array of at least one node')
  refused({ or: [] }, 'filters.or: [] is not an array of at least one node')
  refused({ and: [leaf('open', 'eq', true), 'x'] }, /^filters\.and\[1\]: "x" is not an object/)
  refused({ and: [leaf('open', 'eq', true)], or: [] }, 'filters: "or" cannot be combined with "and"')
  refused({ ...leaf('open', 'eq', true), note: 1 }, 'filters: "note" cannot be combined with "field"')
})

test('length, depth, nodes and lists are capped, each at its stated limit', () => {
  const nested = (depth: number): unknown => (depth === 1 ? leaf('open', 'eq', true) : { not: nested(depth - 1) })
  parse(nested(8))
  refused(nested(9), /^filters(\.not){8}: nested more than 8 deep$/)
  const wide = (nodes: number) => ({ and: Array.from({ length: nodes - 1 }, () => leaf('open', 'eq', true)) })
  parse(wide(100))
  refused(wide(101), /^filters\.and\[99\]: more than 100 nodes$/)
  const many = (length: number) =>
    leaf(
      'form_type',
      'in',
      Array.from({ length }, () => 'D'),
    )
  parse(many(100))
  refused(many(101), 'filters.value: 101 values; in takes 1 to 100')
  refused(many(0), 'filters.value: 0 values; in takes 1 to 100')
  refused(leaf('form_type', 'eq', 'x'.repeat(8192)), 'filters: longer than 8192 characters')
  refused('['.repeat(8000), 'filters: not JSON')
})

test('a value that Postgres could not cast is refused before it is sent to Postgres', () => {
  const cases: [name: string, good: unknown[], bad: unknown[]][] = [
    ['form_type', ['D', "';--", 4], ['', 'a\0b', true, null, ['D'], {}]],
    ['cik', ['320193', 320193], ['12345678901', 'x', -1, 1.5]],
    [
      'amount',
      ['-12.5', 0, 1.25, '9'.repeat(40)],
      ['9'.repeat(41), '1e5', 1e300, 1e-7, 'NaN', 'Infinity', '0x10', ' 1'],
    ],
    ['year', [2024, '-2147483648', '2147483647'], ['2147483648', 1.5, '1.0', '']],
    ['count', ['9223372036854775807', 5], ['9223372036854775808', 9007199254740992]],
    [
      'filed',
      ['2024-02-29', '0001-01-01', '9999-12-31'],
      ['2023-02-29', '0000-01-01', '10000-01-01', '2024-1-1', 'now', 20240101],
    ],
    [
      'accepted',
      ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.123+23:59'],
      ['2024-01-01', '2024-01-01T00:00:00', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00'],
    ],
    ['open', [true, false], ['true', 1, null]],
  ]
  for (const [name, good, bad] of cases) {
    for (const value of good) parse(leaf(name, 'eq', value))
    for (const value of bad) refused(leaf(name, 'eq', value), /^filters\.value: .* is not /)
  }
  refused(leaf('filed', 'between', ['2024-01-01']), 'filters.value: between takes two values')
  refused(leaf('filed', 'between', ['2024-01-01', 'x']), 'filters.value[1]: "x" is not a day, YYYY-MM-DD')
  refused(leaf('form_type', 'in', 'D'), 'filters.value: "D" is not an array, but in requires one')
  refused(leaf('filed', 'is_null', 'yes'), 'filters.value: "yes" is not true or false')
})

test('a value in a message is cut short', () => {
  refused(leaf('filed', 'eq', 'x'.repeat(500)), /^filters\.value: "x{56}… is not a day/)
})

test('every operator belongs to a kind and is documented', () => {
  const used = new Set(Object.values(fields).flatMap((one) => operatorsOf(one)))
  assert.deepEqual([...used].sort(), Object.keys(OPERATORS).sort())
  for (const { meaning } of Object.values(OPERATORS)) assert.ok(meaning.length > 3)
})

test('required conditions are found through nested `and`s, but not through `or` or `not`', () => {
  const a = leaf('open', 'eq', true)
  const tree = parse({ and: [a, { and: [leaf('year', 'eq', 1), { or: [a, leaf('filed', 'eq', '2024-01-01')] }] }] })
  assert.deepEqual(
    conjuncts(tree).map((part) => [...fieldsIn(part)]),
    [['open'], ['year'], ['open', 'filed']],
  )
})
