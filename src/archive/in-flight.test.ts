import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InFlight } from './in-flight.ts'

test('requests made while work is in progress share its result, and a later request starts new work', async () => {
  const all = new InFlight()
  const first = Promise.withResolvers<number>()
  let begun = 0
  const share = (result: Promise<number>) =>
    all.share('a', () => {
      begun++
      return result
    })
  const both = [share(first.promise), share(Promise.resolve(2))]
  void all.share('b', () => first.promise)
  assert.deepEqual([begun, all.size], [1, 2])
  first.resolve(1)
  assert.deepEqual(await Promise.all(both), [1, 1])
  assert.equal(await share(Promise.resolve(3)), 3)
  assert.deepEqual([begun, all.size], [2, 0])
})

test('an error is passed to all callers, and the failed work is not kept', async () => {
  const all = new InFlight()
  const fail = () => all.share('a', () => Promise.reject(new Error('no')))
  const outcomes = await Promise.allSettled([fail(), fail()])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(all.size, 0)
  assert.equal(await all.share('a', async () => 1), 1)
})
