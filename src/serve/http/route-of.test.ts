import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matcherOf } from './route-of.ts'

test('a literal part of a path is preferred to a parameter, whatever the order of the routes', () => {
  const match = matcherOf([{ path: '/brokers/{cik}' }, { path: '/brokers/top' }, { path: '/funds/{cik}' }])
  assert.equal(match('/brokers/top?limit=1')?.route.path, '/brokers/top')
  assert.deepEqual(match('/funds/a%20b')?.path, { cik: 'a b' })
  assert.equal(match('/funds/x/?y'), null)
  assert.equal(match('/brokers/'), null)
  assert.equal(match('/none/top'), null)
  assert.equal(match(''), null)
})

test('a path that begins with a parameter is refused when the routes are made', () => {
  assert.throws(() => matcherOf([{ path: '/{kind}/top' }]), /begins with a parameter/)
})
