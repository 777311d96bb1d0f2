import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linear } from './scale.ts'

test('a scale of bars begins at zero and ends at a round value, and larger values have larger coordinates', () => {
  const { at, ticks } = linear([3, 97], [200, 0], true)
  assert.deepEqual(ticks, [0, 20, 40, 60, 80, 100])
  assert.equal(at(0), 200)
  assert.equal(at(100), 0)
  assert.equal(at(50), 100)
})

test('a scale of lines begins near the least value', () => {
  const { at, ticks } = linear([101, 109], [200, 0], false)
  assert.equal(ticks[0], 100)
  assert.equal(at(100), 200)
})

test('values below zero have coordinates, and a single value or an empty list still gives a range', () => {
  const { at } = linear([-50, 50], [100, 0], true)
  assert.equal(at(0), 50)
  assert.equal(linear([7], [100, 0], false).at(0), 100)
  assert.equal(linear([-4], [100, 0], true).at(0), 0)
  for (const values of [[], [0], [0, 0]]) assert.ok(Number.isFinite(linear(values, [100, 0], true).at(0)), `${values}`)
})
