import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exceeded, limiter, rateHeaders } from '../../src/serve/limits.ts'

test('a bucket allows its limit within a minute of the first request, and allows it again after this minute', async (t) => {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 0 })
  const limits = limiter()
  const take = () => limits.take('key', 'search', 2)
  assert.deepEqual(await take(), { bucket: 'search', limit: 2, remaining: 1, resetSeconds: 60, allowed: true })
  t.mock.timers.tick(20_500)
  assert.deepEqual(await take(), { bucket: 'search', limit: 2, remaining: 0, resetSeconds: 40, allowed: true })
  assert.equal((await take()).allowed, false)
  t.mock.timers.tick(39_499)
  assert.deepEqual(await take(), { bucket: 'search', limit: 2, remaining: 0, resetSeconds: 1, allowed: false })
  t.mock.timers.tick(1)
  assert.deepEqual(await take(), { bucket: 'search', limit: 2, remaining: 1, resetSeconds: 60, allowed: true })
})

test('buckets and keys are counted separately', async () => {
  const limits = limiter()
  await limits.take('a', 'search', 1)
  assert.equal((await limits.take('a', 'search', 1)).allowed, false)
  assert.equal((await limits.take('a', 'general', 1)).allowed, true)
  assert.equal((await limits.take('b', 'search', 1)).allowed, true)
})

test('reading the state of a limit does not count as a request', async () => {
  const limits = limiter()
  assert.equal((await limits.peek('key', 'general', 3)).remaining, 3)
  await limits.take('key', 'general', 3)
  assert.equal((await limits.peek('key', 'general', 3)).remaining, 2)
  assert.equal((await limits.peek('key', 'general', 3)).remaining, 2)
})

test('a raised or lowered limit applies at once', async () => {
  const limits = limiter()
  for (let n = 0; n < 5; n++) await limits.take('key', 'search', 5)
  assert.equal((await limits.take('key', 'search', 5)).allowed, false)
  assert.deepEqual((await limits.take('key', 'search', 100)).remaining, 93)
  assert.equal((await limits.take('key', 'search', 3)).remaining, 0)
})

test('concurrent requests are all counted', async () => {
  const limits = limiter()
  const all = await Promise.all(Array.from({ length: 50 }, () => limits.take('key', 'search', 10)))
  assert.equal(all.filter(({ allowed }) => allowed).length, 10)
})

test('the old and the new rate-limit headers agree with the 429', () => {
  const state = { bucket: 'search', limit: 10, remaining: 0, resetSeconds: 42, allowed: false } as const
  assert.deepEqual(rateHeaders(state), {
    'ratelimit-limit': '10',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '42',
    'ratelimit-policy': '"search";q=10;w=60',
    ratelimit: '"search";r=0;t=42',
  })
  const { status, message, headers } = exceeded(state)
  assert.deepEqual([status, headers], [429, { 'retry-after': '42' }])
  assert.equal(message, 'the search limit of 10 requests a minute is exceeded for this key; try again in 42 seconds')
})

test('a clock that is set forward begins a new window, and the timer of the old window does not end the new window early', async (t) => {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 0 })
  const limits = limiter()
  await limits.take('key', 'search', 10)
  t.mock.timers.setTime(61_000)
  assert.equal((await limits.take('key', 'search', 10)).remaining, 9)
  t.mock.timers.tick(1_000) // the timer of the old window is due
  assert.equal((await limits.take('key', 'search', 10)).remaining, 8)
})

test('a clock that is set back does not lengthen a window', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let clock = 100_000
  const limits = limiter(() => clock)
  await limits.take('key', 'search', 10)
  await limits.take('key', 'search', 10)
  clock = 0
  assert.equal((await limits.peek('key', 'search', 10)).remaining, 8)
  t.mock.timers.tick(60_000)
  assert.equal((await limits.take('key', 'search', 10)).remaining, 9)
})
