import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Slot } from '../reading.ts'
import { type Acquisition, FairSemaphore, type Refusal, type SemaphoreOptions } from './fair-semaphore.ts'

const CLASSES = {
  point: { slots: 1, timeMs: 1 },
  list: { slots: 0.8, timeMs: 2 },
  heavy: { slots: 0.3, timeMs: 3 },
}
type Cost = keyof typeof CLASSES

function scratch(own: Partial<Omit<SemaphoreOptions<Cost>, 'onRefusal'>> = {}) {
  const refused: [Cost, Refusal][] = []
  const all = new FairSemaphore({ classes: CLASSES, max: 10, onRefusal: (...what) => refused.push(what), ...own })
  /** Names of the requests that got a slot, in the order in which they got it. */
  const got: string[] = []
  const held = new Map<string, Slot>()
  const acquire = (name: string, keyIds: string | string[], cost: Cost = 'point'): Acquisition => {
    const acquisition = all.acquire(cost, [keyIds].flat())
    acquisition.slot.then(
      (slot) => {
        got.push(name)
        held.set(name, slot)
      },
      () => {},
    )
    return acquisition
  }
  const many = (n: number, keyId: string, cost?: Cost) =>
    Array.from({ length: n }, (_, i) => acquire(`${keyId}${i}`, keyId, cost))
  const release = async (name: string) => {
    held.get(name)!.release()
    await turn()
  }
  const running = () => all.running('point') + all.running('list') + all.running('heavy')
  return { all, acquire, many, got, release, refused, running }
}

test('one key alone gets half of the slots, and two keys together leave some slots free', async () => {
  const { many, got, all } = scratch()
  many(20, 'a')
  await turn()
  assert.equal(got.length, 5)
  assert.equal(all.waiting('point'), 15)
  many(20, 'b')
  await turn()
  assert.deepEqual(got.slice(5), ['b0', 'b1', 'b2'])
  many(20, 'c')
  await turn()
  assert.deepEqual(got.slice(8), ['c0'])
})

test('with a single slot all requests are served, one after the other', async () => {
  const { many, got, release } = scratch({ max: 1 })
  many(2, 'a', 'heavy')
  many(1, 'b', 'list')
  await turn()
  assert.deepEqual(got, ['a0'])
  await release('a0')
  assert.deepEqual(got, ['a0', 'a1'])
  await release('a1')
  assert.deepEqual(got, ['a0', 'a1', 'b0'])
})

test('keys are served round-robin, each in its own order, however many requests of one key are waiting', async () => {
  const { many, acquire, got, release } = scratch({ max: 4 })
  many(2, 'x')
  many(1, 'y')
  many(1, 'z')
  many(50, 'a')
  acquire('b0', 'b')
  acquire('c0', 'c')
  acquire('c1', 'c')
  await turn()
  assert.deepEqual(got, ['x0', 'x1', 'y0', 'z0'])
  await release('x0')
  await release('x1')
  await release('y0')
  await release('z0')
  assert.deepEqual(got.slice(4), ['a0', 'b0', 'c0'])
  await release('b0')
  assert.deepEqual(got.slice(7), ['a1'])
  await release('a0')
  assert.deepEqual(got.slice(8), ['c1'])
})

test('expensive requests of all keys together leave slots for cheap requests, even of the same keys', async () => {
  const { many, acquire, got, release } = scratch()
  for (const key of ['a', 'b', 'c', 'd']) many(3, key, 'heavy')
  await turn()
  assert.deepEqual(got, ['a0', 'a1', 'a2'])
  for (const key of ['e', 'f', 'g', 'h', 'i', 'j']) acquire(key, key, 'list')
  await turn()
  assert.deepEqual(got.slice(3), ['e', 'f', 'g', 'h', 'i'])
  acquire('cheap', 'd')
  await turn()
  assert.deepEqual(got.slice(8), ['cheap'])
  await release('e')
  assert.deepEqual(got.slice(9), ['j'])
})

test('one key alone gets at most half of the slots for expensive requests, so another key gets a slot immediately', async () => {
  const classes = { ...CLASSES, heavy: { ...CLASSES.heavy, areShared: true as const } }
  const { many, acquire, got, release, all } = scratch({ max: 16, classes })
  many(30, 'a', 'heavy')
  await turn()
  assert.deepEqual(got, ['a0', 'a1'])
  assert.equal(all.waiting('heavy'), 28)
  acquire('b0', 'b', 'heavy')
  acquire('b1', 'b')
  await turn()
  assert.deepEqual(got.slice(2), ['b0', 'b1'])
  await release('a0')
  assert.deepEqual(got.slice(4), ['a2'])
})

test('a full queue refuses requests, but never requests of a key that has few waiting requests', async () => {
  const { many, acquire, refused, all } = scratch({ waitingMax: 16 })
  const acquisitions = many(40, 'a')
  await turn()
  assert.equal(all.waiting('point'), 8)
  const [refusal] = (await Promise.allSettled(acquisitions.map(({ slot }) => Promise.race([slot, turn()])))).filter(
    ({ status }) => status === 'rejected',
  )
  const { status, message, headers } = (refusal as PromiseRejectedResult).reason
  assert.deepEqual([status, message], [503, 'the queue of waiting requests is full; send fewer requests at a time'])
  assert.equal(headers['retry-after'], '1')
  assert.equal(refused.length, 40 - 5 - 8)
  many(20, 'b')
  assert.equal(all.waiting('point'), 8 + 4)
  acquire('c0', 'c')
  acquire('c1', 'c')
  acquire('c2', 'c')
  assert.equal(all.waiting('point'), 8 + 4 + 2)
})

test('refuses a request that waited too long, and removes it from all queues', async () => {
  const { many, acquire, all, release, refused } = scratch({ max: 1, waitMs: 20 })
  many(1, 'a')
  const late = acquire('late', 'b', 'list')
  await assert.rejects(late.slot, { status: 503, message: /busy with other requests for 0.02 seconds/ })
  assert.deepEqual(refused, [['list', 'late']])
  assert.equal(all.waiting('list'), 0)
  await release('a0')
  assert.equal(all.running('point') + all.running('list'), 0)
})

test('a request for several keys takes one slot, for the key whose turn comes first', async () => {
  const { many, acquire, got, release, running, all } = scratch()
  many(8, 'a')
  await turn()
  const shared = acquire('shared', 'a')
  await turn()
  assert.ok(!got.includes('shared'))
  shared.join('b')
  await turn()
  assert.equal(got.at(-1), 'shared')
  assert.equal(all.waiting('point'), 3)
  for (const name of ['a0', 'a1', 'a2', 'a3', 'a4', 'shared']) await release(name)
  assert.deepEqual(got.slice(-3), ['a5', 'a6', 'a7'])
  assert.equal(running(), 3)
})

test('a request gives up the turn of a key that leaves it, and the turns of all its keys if it is withdrawn', async () => {
  const { many, acquire, all, got, release } = scratch({ max: 1 })
  many(1, 'a')
  const shared = acquire('shared', ['a', 'b'])
  shared.leave('a')
  const other = acquire('other', 'a')
  shared.withdraw(new Error('hung up'))
  await assert.rejects(shared.slot, /hung up/)
  shared.withdraw(new Error('again'))
  shared.join('c')
  assert.equal(all.waiting('point'), 1)
  await release('a0')
  assert.deepEqual(got, ['a0', 'other'])
  other.withdraw(new Error('too late'))
  assert.equal(all.running('point'), 1)
})

test('a slot that is released twice becomes free only once', async () => {
  const { many, release, running } = scratch({ max: 2 })
  many(1, 'a')
  await turn()
  await release('a0')
  await release('a0')
  many(5, 'b')
  many(5, 'c')
  await turn()
  assert.equal(running(), 2)
})

test('with random requests and releases, no key has more than its share and no slot or request is lost', async () => {
  const { all } = scratch({ max: 7, waitingMax: 40, waitMs: 60_000 })
  let seed = 7
  const random = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * n)
  }
  const held: { keyId: string; slot: Slot }[] = []
  const acquisitions = new Set<Acquisition>()
  for (let step = 0; step < 5000; step++) {
    const keyId = `k${random(5)}`
    const action = random(10)
    if (action < 5) {
      const acquisition = all.acquire((['point', 'list', 'heavy'] as const)[random(3)]!, [keyId])
      acquisitions.add(acquisition)
      acquisition.slot
        .then(
          (slot) => held.push({ keyId, slot }),
          () => {},
        )
        .finally(() => acquisitions.delete(acquisition))
    } else if (action < 6) [...acquisitions][random(acquisitions.size)]?.withdraw(new Error('gone'))
    else held.splice(random(held.length), 1)[0]?.slot.release()
    await turn()
    const running = all.running('point') + all.running('list') + all.running('heavy')
    assert.equal(running, held.length)
    assert.ok(running <= 7 && all.running('heavy') <= 2 && all.running('heavy') + all.running('list') <= 5)
    assert.equal(all.free, 7 - running)
    for (const key of ['k0', 'k1', 'k2', 'k3', 'k4']) {
      assert.equal(all.heldBy(key), held.filter((each) => each.keyId === key).length)
      assert.ok(all.heldBy(key) <= 4)
    }
  }
  for (let at = held.pop(); at; at = held.pop()) {
    at.slot.release()
    await turn()
  }
  assert.equal(acquisitions.size, 0)
  assert.equal(all.waiting('point') + all.waiting('list') + all.waiting('heavy'), 0)
})
