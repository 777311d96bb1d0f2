import assert from 'node:assert/strict'
import test from 'node:test'
import { written } from './statement.ts'

test('fragments become one text, with their values numbered in the order of the text', () => {
  const { text, values } = written((sql) => {
    const some = [sql.unsafe('a, '), sql`(${2}) as b`]
    return sql`select ${some} from ${sql('edgar.filing')} where c = ${'x'} and d = any(${['y', 'z']})`
  })
  assert.equal(text, 'select a,  ($1) as b from "edgar"."filing" where c = $2 and d = any($3)')
  assert.deepEqual(values, [2, 'x', ['y', 'z']])
})

test('a quote in a name cannot end the name', () => {
  assert.equal(written((sql) => sql`${sql('a"; drop table b')}`).text, '"a""; drop table b"')
})

test('plain text with values is refused, since the values would be lost', () => {
  assert.throws(() => written((sql) => sql.unsafe('select $1', [1])), /has no parameters here/)
})
