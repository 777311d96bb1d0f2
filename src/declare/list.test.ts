import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { effortOf } from '../../test/support/effort.ts'
import { inputReader } from '../serve/http/input.ts'
import { choice, day, get, isList, limit, list, type Route, states } from './route.ts'

const route: Route = get('/lists', {
  name: 'lists',
  tag: 'filings',
  summary: 'For tests',
  input: {
    label: list(z.string(), 'Free text', { commas: true }).optional(),
    name: list(z.string(), 'Text').optional(),
    state: states.optional(),
    any: list(z.string(), 'May be empty', { min: 0 }).optional(),
    one: choice(['a', 'b'], 'No list').optional(),
    from: day('First day').optional(),
    limit: limit({ max: 50, default: 10 }),
  },
  output: z.unknown(),
  run: async () => null,
})
const read = inputReader(route)
const given = (query: string) => {
  const { limit: _, ...values } = read(`/v1/lists?${query}`, {}).values
  return values
}

test('commas separate values; blanks around values, and empty values, are dropped', () => {
  assert.deepEqual(given('name=a,b'), { name: ['a', 'b'] })
  assert.deepEqual(given('name=+a+,,+b%2C'), { name: ['a', 'b'] })
  assert.deepEqual(given('state=ny,tx'), { state: ['NY', 'TX'] })
  assert.deepEqual(given('name=O"Hara,5"'), { name: ['O"Hara', '5"'] })
})

test('a value in double quotes keeps its commas, and two double quotes within it mean one', () => {
  assert.deepEqual(given('name="a,+b",c'), { name: ['a, b', 'c'] })
  assert.deepEqual(given('name=c+,+"a,+b"+'), { name: ['c', 'a, b'] })
  assert.deepEqual(given('name="say+""a,b"""'), { name: ['say "a,b"'] })
  assert.deepEqual(given('state="NY",tx'), { state: ['NY', 'TX'] })
  assert.deepEqual(given('any=""'), { any: [] })
})

test('a parameter that is a list may be repeated, each time with one value or several', () => {
  assert.deepEqual(given('name=a&name=b'), { name: ['a', 'b'] })
  assert.deepEqual(given('state=NY,CA&state=tx'), { state: ['NY', 'CA', 'TX'] })
  assert.deepEqual(given('name="a,b"&name=c'), { name: ['a,b', 'c'] })
})

test('also matches an unquoted value as a whole if the list’s values may contain commas', () => {
  assert.deepEqual(given('label=Stone,+clay+and+glass'), {
    label: ['Stone', 'clay and glass', 'Stone, clay and glass'],
  })
  assert.deepEqual(given('label=a&label=b,c'), { label: ['a', 'b', 'c', 'b,c'] })
  assert.deepEqual(given('label="b,c"'), { label: ['b,c'] })
  assert.deepEqual(given('label=a'), { label: ['a'] })
})

test('refuses an unended quote, text next to a quoted value, no value, and too many values; the error names the parameter', () => {
  const refused = (query: string, message: RegExp) =>
    assert.throws(() => given(query), { status: 400, message }, query.slice(0, 40))
  refused('name="a,b', /^name: a double quote is not closed, or there is text next to a quoted value$/)
  refused('name="a"b', /^name: a double quote is not closed/)
  refused('name=', /^name: must have at least 1 value$/)
  refused('name=,&name="+"', /^name: must have at least 1 value$/)
  refused('state=NY&state=TEX', /^state: value 2 must be a code of a state or country.*did you mean TX \(Texas\)\?$/)
  refused(`name=${'x'.repeat(2001)}`, /^name: must have at most 2000 characters$/)
  refused(`name=a&name=${'x'.repeat(2001)}`, /^name: value 2 must have at most 2000 characters$/)
  refused(`name=${Array.from({ length: 101 }, () => 'x').join()}`, /^name: must have at most 100 values$/)
  refused('name=a&name=%00', /^name: must not contain NUL/)
})

test('reports an invalid day once, and a limit beyond either bound with both bounds', () => {
  for (const text of ['0000-00-00', '0000-01-01', '2026-02-30', 'x'])
    assert.throws(() => given(`from=${text}`), { status: 400, message: 'from: must be a day, YYYY-MM-DD' })
  for (const text of ['-1', '0', '51', '1.5', 'x', ''])
    assert.throws(() => given(`limit=${text}`), { status: 400, message: 'limit: must be a whole number from 1 to 50' })
})

test('refuses a repeated parameter that does not take a list', () => {
  assert.throws(() => given('one=a&one=a'), { status: 400, message: /^one: given more than once; give it once$/ })
  assert.ok(isList(route.input.shape.label!) && !isList(route.input.shape.one!))
})

test('thousands of blanks or quotes in a list are read in an instant', async () => {
  for (const filler of [' ', '"', ' "', '","']) {
    const ms = await effortOf(() => {
      try {
        given(`name=${encodeURIComponent(`a${filler.repeat(1900 / filler.length)}b`)}`)
      } catch {}
    })
    assert.ok(ms < 1000, `${ms} ms`)
  }
})

test('refuses rows that are not an array of objects, naming the route’s path; an answer of plain values has no rows', () => {
  const given = (output: z.ZodType, rows?: 'rows') =>
    get('/given', {
      name: 'given',
      tag: 'filings',
      summary: 'For tests',
      input: {},
      output,
      rows,
      run: async () => null,
      // These rows are wrong on purpose: the types refuse them too.
    } as never)
  assert.throws(
    () => given(z.object({ rows: z.array(z.string()) }), 'rows'),
    /\/given: rows is not an array of objects/,
  )
  assert.equal(given(z.array(z.string())).list, null)
  assert.equal(given(z.array(z.object({ a: z.string() }))).list?.member, null)
})
