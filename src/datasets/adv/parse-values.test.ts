import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cikOf, crdOf, whole } from './parse-values.ts'

test('numbers of firms are digits; what is none is told', () => {
  const told: unknown[] = []
  const tell = (value: string, reason: string) => told.push([value, reason])
  assert.deepEqual([crdOf('000361', tell), crdOf('0', tell), crdOf(null, tell)], ['361', null, null])
  assert.deepEqual([cikOf('769993', tell), cikOf('0000000000', tell), cikOf(null, tell)], ['0000769993', null, null])
  assert.deepEqual(told, [])
  assert.deepEqual([crdOf('801-1', tell), cikOf('12345678901', tell)], [null, null])
  assert.deepEqual(told, [
    ['801-1', 'is no CRD number'],
    ['12345678901', 'is no CIK'],
  ])
})

test('a count that its column cannot hold is null and told', () => {
  const told: string[] = []
  assert.equal(
    whole(2_147_483_647, (value) => told.push(value)),
    2_147_483_647,
  )
  assert.equal(
    whole(2_147_483_648, (value) => told.push(value)),
    null,
  )
  assert.deepEqual(told, ['2147483648'])
})
