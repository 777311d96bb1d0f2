import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tsvValues } from './tsv-lines.ts'

test('a quoted value is read without the quotes that were added to it, and other quotes stay', () => {
  for (const [value, read] of [
    ['"Amends the form (""Original Form"") of the owner"', 'Amends the form ("Original Form") of the owner'],
    ['"SPECIMEN MOTORS DEL ""NEW"""', 'SPECIMEN MOTORS DEL "NEW"'],
    ['"plain"', 'plain'],
    ['""', ''],
    ['""""', '"'],
    // These values do not follow the rule, so nothing shows which of their quotes belong to the value.
    ['"', '"'],
    ['"""', '"""'],
    ['"one" and "two"', '"one" and "two"'],
    ['4" pipe', '4" pipe'],
    ['"open', '"open'],
  ] as const) {
    assert.deepEqual(tsvValues(`a\t${value}\t`, true), ['a', read, ''], value)
    assert.deepEqual(tsvValues(`a\t${value}\t`, false), ['a', value, ''], value)
  }
  assert.deepEqual(tsvValues('a\tb', true), ['a', 'b'])
})
