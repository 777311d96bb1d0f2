import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { memoized } from './memoized.ts'

/** Makes readings that the test itself ends, and counts the readings that have begun. */
function readings() {
  const under: PromiseWithResolvers<string>[] = []
  return {
    read: () => {
      const next = Promise.withResolvers<string>()
      under.push(next)
      return next.promise
    },
    /** Ends the running reading. */
    end: (value: string) => under.at(-1)!.resolve(value),
    fail: () => under.at(-1)!.reject(new Error('away')),
    begun: () => under.length,
  }
}

/** A clock that only the test advances; each advance fires the timers that are due. */
function clock(t: TestContext): (ms: number) => Promise<void> {
  let at = 0
  t.mock.method(performance, 'now', () => at)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  return async (ms) => {
    await turn()
    at += ms
    t.mock.timers.tick(ms)
    await turn()
  }
}

const OPTIONS = { keepMs: 30, times: 0, waitMs: 60, patienceMs: 10 }

test('requests during a reading wait for the same reading, and its value is `current` for a while', async (t) => {
  const pass = clock(t)
  const { read, end, begun } = readings()
  const get = memoized(read, OPTIONS)
  const all = [get(), get(), get()]
  end('a')
  assert.deepEqual(await Promise.all(all), Array(3).fill({ value: 'a', is: 'current' }))
  await pass(29)
  assert.deepEqual(await get(), { value: 'a', is: 'current' })
  assert.equal(begun(), 1)
})

test('an expired value is returned as `old` after ten milliseconds, while a new one is read', async (t) => {
  const pass = clock(t)
  const { read, end, begun } = readings()
  const get = memoized(read, OPTIONS)
  const first = get()
  end('a')
  await first
  await pass(30)
  const both = Promise.all([get(), get()])
  await pass(12)
  assert.deepEqual(await both, Array(2).fill({ value: 'a', is: 'old' }))
  assert.equal(begun(), 2)
  end('b')
  await pass(0)
  assert.deepEqual(await get(), { value: 'b', is: 'current' })
})

test('while a reading takes longer than clients wait, the state is `away` and the value is the previous one', async (t) => {
  const pass = clock(t)
  const { read, end } = readings()
  const get = memoized(read, OPTIONS)
  const first = get()
  await pass(62)
  assert.deepEqual(await first, { value: null, is: 'away' })
  end('a')
  await pass(0)
  assert.deepEqual(await get(), { value: 'a', is: 'current' })
  await pass(30)
  const second = get()
  await pass(12)
  assert.deepEqual(await second, { value: 'a', is: 'old' })
  await pass(50)
  assert.deepEqual(await get(), { value: 'a', is: 'away' })
})

test('after a failure the previous value is returned as `away`, and the next reading begins a second later at the earliest', async (t) => {
  const pass = clock(t)
  const { read, end, fail, begun } = readings()
  const get = memoized(read, OPTIONS)
  const first = get()
  end('a')
  await first
  await pass(30)
  const second = get()
  fail()
  assert.deepEqual(await second, { value: 'a', is: 'away' })
  await pass(999)
  assert.deepEqual(await get(), { value: 'a', is: 'away' })
  assert.equal(begun(), 2)
  await pass(1)
  const third = get()
  end('c')
  assert.deepEqual(await third, { value: 'c', is: 'current' })
})

test('keeps a value for a multiple of the time that reading it took', async (t) => {
  const pass = clock(t)
  const { read, end, begun } = readings()
  const get = memoized(read, { ...OPTIONS, keepMs: 1, times: 100 })
  const first = get()
  await pass(20)
  end('a')
  await first
  await pass(1_999)
  assert.deepEqual(await get(), { value: 'a', is: 'current' })
  assert.equal(begun(), 1)
  await pass(1)
  void get()
  assert.equal(begun(), 2)
})

test('a value stays `current` as long as its version is the same, but not after a failed reading', async (t) => {
  const pass = clock(t)
  const { read, end, fail, begun } = readings()
  let version: number | null = 1
  const get = memoized(read, { ...OPTIONS, keepMs: 1, version: () => version })
  const first = get()
  end('a')
  await first
  await pass(1_000_000)
  assert.deepEqual(await get(), { value: 'a', is: 'current' })
  assert.equal(begun(), 1)
  version = 2
  const second = get()
  fail()
  assert.deepEqual(await second, { value: 'a', is: 'away' })
  version = 1
  await pass(1_000)
  const third = get()
  end('b')
  assert.deepEqual(await third, { value: 'b', is: 'current' })
  // If the version is unknown, only time counts.
  version = null
  await pass(1)
  const fourth = get()
  end('c')
  assert.equal((await fourth).value, 'c')
})
