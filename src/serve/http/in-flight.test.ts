import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inFlight } from './in-flight.ts'

test('limits long answers for each key and for all keys together; an ended answer frees its slot only once', () => {
  const streams = inFlight('streams', { max: 2, maxOfAll: 3 })
  const end = streams.begin('a')
  streams.begin('a')
  assert.throws(() => streams.begin('a'), { code: 'too_many_at_once', message: /this key has 2 streams running/ })
  streams.begin('b')
  assert.throws(() => streams.begin('b'), { code: 'too_many_in_all', message: /the server has 3 streams running/ })
  end()
  end()
  assert.equal(streams.count, 2)
  streams.begin('b')
  assert.throws(() => streams.begin('c'), { status: 503 })
})
