import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainJoin, joins } from './bond.ts'

test('explainJoin names the signal that decides whether a name continues on the next line', () => {
  const explained = (first: string, next: string) => [joins(first, next), explainJoin(first, next)?.name]
  assert.deepEqual(explained('INTERNATIONAL BUSINESS &', 'MACHINES'), [2, 'ends within a name'])
  assert.deepEqual(explained('GENERAL MOTORS', 'Corp'), [2, 'begins within a name, or with a legal form'])
  assert.deepEqual(explained('ADVANCED MICRO', 'Technologies New'), [1, 'has only words that continue a name'])
  assert.deepEqual(explained('GENERAL MOTORS CORP', 'GENERAL MILLS'), [-2, 'ends with a legal form'])
  assert.deepEqual(explained('GENERAL', ''), [0, 'one of them is empty'])
  assert.deepEqual(explained('GENERAL', 'MOTORS'), [0, undefined])
})
