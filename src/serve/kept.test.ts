import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { kept } from './kept.ts'

/** A reading that the test ends, and how often it was begun. */
function readings() {
  const under: PromiseWithResolvers<string>[] = []
  return {
    read: () => {
      const next = Promise.withResolvers<string>()
      under.push(next)
      return next.promise
    },
    /** Ends the reading under way. */
    end: (value: string) => under.at(-1)!.resolve(value),
    fail: () => under.at(-1)!.reject(new Error('away')),
    begun: () => under.length,
  }
}

const OPTIONS = { keepMs: 30, times: 0, waitMs: 60, patienceMs: 10 }

test('whoever asks while one reading is under way waits for that one, and its value is current for a while', async () => {
  const { read, end, begun } = readings()
  const ask = kept(read, OPTIONS)
  const all = [ask(), ask(), ask()]
  end('a')
  assert.deepEqual(await Promise.all(all), Array(3).fill({ value: 'a', is: 'current' }))
  assert.deepEqual(await ask(), { value: 'a', is: 'current' })
  assert.equal(begun(), 1)
})

test('when its time is over the old value is given at once, while one other is read', async () => {
  const { read, end, begun } = readings()
  const ask = kept(read, { ...OPTIONS, waitMs: 5_000 })
  const first = ask()
  end('a')
  await first
  await sleep(40)
  const begunAt = performance.now()
  assert.deepEqual(await Promise.all([ask(), ask()]), Array(2).fill({ value: 'a', is: 'old' }))
  assert.ok(performance.now() - begunAt < 2_500, 'nobody waited for the whole time')
  assert.equal(begun(), 2)
  end('b')
  await sleep(0)
  assert.deepEqual(await ask(), { value: 'b', is: 'current' })
})

test('a reading that takes longer than anybody waits is away, with the value from before it', async () => {
  const { read, end } = readings()
  const ask = kept(read, OPTIONS)
  assert.deepEqual(await ask(), { value: null, is: 'away' })
  end('a')
  await sleep(0)
  assert.deepEqual(await ask(), { value: 'a', is: 'current' })
  await sleep(40)
  await ask()
  await sleep(60)
  assert.deepEqual(await ask(), { value: 'a', is: 'away' })
})

test('after a failure the old value is given as away, and the next reading waits for a second', async () => {
  const { read, end, fail, begun } = readings()
  const ask = kept(read, OPTIONS)
  const first = ask()
  end('a')
  await first
  await sleep(40)
  const second = ask()
  fail()
  assert.deepEqual(await second, { value: 'a', is: 'away' })
  await sleep(100)
  assert.deepEqual(await ask(), { value: 'a', is: 'away' })
  assert.equal(begun(), 2)
  await sleep(950)
  const third = ask()
  end('c')
  assert.deepEqual(await third, { value: 'c', is: 'current' })
})

test('what was dear to read is kept longer: so many times as long as it took', async () => {
  const { read, end, begun } = readings()
  const ask = kept(read, { ...OPTIONS, keepMs: 1, times: 100 })
  const first = ask()
  await sleep(20)
  end('a')
  await first
  await sleep(200)
  assert.deepEqual(await ask(), { value: 'a', is: 'current' })
  assert.equal(begun(), 1)
})

test('while its version is the same a value is current without an end, and a reading that failed is none', async () => {
  const { read, end, fail, begun } = readings()
  let version: number | null = 1
  const ask = kept(read, { ...OPTIONS, keepMs: 1, version: () => version })
  const first = ask()
  end('a')
  await first
  await sleep(20)
  assert.deepEqual(await ask(), { value: 'a', is: 'current' })
  assert.equal(begun(), 1)
  version = 2
  const second = ask()
  fail()
  assert.deepEqual(await second, { value: 'a', is: 'away' })
  version = 1
  await sleep(1_010)
  const third = ask()
  end('b')
  assert.deepEqual(await third, { value: 'b', is: 'current' })
  // Nobody knows the version: then time alone counts.
  version = null
  await sleep(20)
  const fourth = ask()
  end('c')
  assert.equal((await fourth).value, 'c')
})
