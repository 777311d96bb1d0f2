import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inFlight } from './in-flight.ts'

test('a key has so many at once and all keys together so many; what has ended makes room, once', () => {
  const streams = inFlight('streams', { max: 2, maxOfAll: 3 })
  const end = streams.begin('a')
  streams.begin('a')
  assert.throws(() => streams.begin('a'), { code: 'too_many_at_once', message: /this key has 2 streams under way/ })
  streams.begin('b')
  assert.throws(() => streams.begin('b'), { code: 'too_many_in_all', message: /the server has 3 streams under way/ })
  end()
  end()
  assert.equal(streams.count, 2)
  streams.begin('b')
  assert.throws(() => streams.begin('c'), { status: 503 })
})
