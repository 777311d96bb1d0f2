import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stillClock } from '../../test/support/loopback.ts'
import { aloneIntervalOf, intervalOf, Pace, paceOf, type SharedPace } from './pace.ts'

test('turns are evenly spaced, however many callers ask for one at the same time', async () => {
  const clock = stillClock()
  const turns = new Pace()
  const began = clock.now()
  const at: number[] = []
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      await turns.turn({ intervalMs: 200, clock })
      at.push(clock.now() - began)
    }),
  )
  assert.deepEqual(at, [0, 200, 400, 600, 800, 1000])
})

test('a pause also stops callers that already wait; they continue one by one after the pause', async () => {
  const clock = stillClock()
  const turns = new Pace()
  const began = clock.now()
  const at: number[] = []
  const waiting = Array.from({ length: 4 }, async () => {
    await turns.turn({ intervalMs: 200, clock })
    at.push(clock.now() - began)
  })
  turns.pause(began + 600_000)
  await Promise.all(waiting)
  // The first request had left before the pause began.
  assert.deepEqual(at, [0, 600_000, 600_200, 600_400])
})

test('a shorter pause does not end a longer one', () => {
  const turns = new Pace()
  turns.pause(2_000)
  turns.pause(1_000)
  assert.equal(turns.pausedUntil, 2_000)
})

test('a caller that aborts while it waits gets the reason of its signal', async () => {
  const clock = stillClock()
  const turns = new Pace()
  turns.pause(clock.now() + 600_000)
  const stop = new AbortController()
  const waiting = turns.turn({ intervalMs: 200, clock, signal: stop.signal })
  stop.abort(new Error('no longer wanted'))
  await assert.rejects(waiting, /^Error: no longer wanted$/)
})

test('all clients of a host in the process share one pace', () => {
  const [one, same, other] = ['remote', 'remote', '127.0.0.1:8090'].map(paceOf)
  assert.equal(one!.pace, same!.pace)
  assert.notEqual(one!.pace, other!.pace)
  for (const { leave } of [one!, same!, other!]) leave()
})

test('the pause of a loopback host ends with its last client; the pause of the SEC does not', () => {
  for (const [host, isKept] of [
    ['127.0.0.1:8090', false],
    ['remote', true],
  ] as const) {
    const [one, other] = [paceOf(host), paceOf(host)]
    one.pace.pause(1_000)
    one.leave()
    assert.equal(paceOf(host).pace, other.pace)
    other.leave()
    paceOf(host).leave()
    other.leave()
    assert.equal(paceOf(host).pace === other.pace, isKept)
  }
})

/** A shared pace that gives these turns one after the other, and then repeats the last. */
const answering = (...turns: Awaited<ReturnType<SharedPace['take']>>[]): SharedPace & { turnsTaken: number } => {
  const shared = {
    turnsTaken: 0,
    take: async () => turns[Math.min(shared.turnsTaken++, turns.length - 1)]!,
    pause: async () => {},
  }
  return shared
}
const in100 = { waitMs: 100, pausedMs: 0, reason: null }

test('a process takes a shared turn only after it has used the turn before', async () => {
  const clock = stillClock()
  const shared = answering(in100)
  const turns = new Pace()
  const began = clock.now()
  const at: [number, number][] = []
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      await turns.turn({ intervalMs: 120, clock, shared })
      at.push([shared.turnsTaken, clock.now() - began])
    }),
  )
  assert.deepEqual(
    at.map(([, ms]) => ms),
    [100, 200, 300],
  )
  assert.ok(at.every(([turnsTaken], i) => turnsTaken <= i + 2))
})

test('a pause that another process started stops this process too, and is reported once', async () => {
  const clock = stillClock()
  const paused = (pausedMs: number) => ({ waitMs: 0, pausedMs, reason: 'refused over there' })
  const reported: unknown[] = []
  const turns = new Pace()
  const began = clock.now()
  const shared = answering(paused(600_000), paused(3), in100)
  await turns.turn({
    intervalMs: 120,
    clock,
    shared,
    onPause: (until, reason) => reported.push([until - began, reason]),
  })
  assert.deepEqual(reported, [[600_000, 'refused over there']])
  assert.equal(clock.now() - began, 600_103)
})

test('if a pause starts while a caller waits for its turn, a new turn is taken after the pause', async () => {
  const clock = stillClock()
  const turns = new Pace()
  const began = clock.now()
  const sleep = (ms: number) => {
    if (clock.now() === began) turns.pause(began + 5_000)
    return clock.sleep(ms)
  }
  await turns.turn({ intervalMs: 120, clock: { ...clock, sleep }, shared: answering(in100) })
  assert.equal(clock.now() - began, 5_100)
})

test('a process that is late for its turn takes a new one; if it is late for three turns, it uses the third', async () => {
  const clock = stillClock()
  const late = { ...clock, sleep: (ms: number) => clock.sleep(ms + 200) }
  const shared = answering(in100)
  await new Pace().turn({ intervalMs: 120, clock: late, shared })
  assert.equal(shared.turnsTaken, 3)
})

test('a slower round trip than usual makes a turn late; a constantly long round trip does not', async () => {
  const clock = stillClock()
  const tookMs = [150, 150, 400, 150]
  let turnsTaken = 0
  const shared = { ...answering(in100), take: async () => clock.sleep(tookMs[turnsTaken++]!).then(() => in100) }
  const turns = new Pace()
  await turns.turn({ intervalMs: 120, clock, shared })
  await turns.turn({ intervalMs: 120, clock, shared })
  assert.equal(turnsTaken, 2)
  await turns.turn({ intervalMs: 120, clock, shared })
  assert.equal(turnsTaken, 4)
})

test('without the shared pace, four processes together stay within the limit, and each still gets turns', async () => {
  for (const perSecond of [1, 2, 3, 4, 5, 7, 8, 10]) {
    const alone = aloneIntervalOf(intervalOf(perSecond))
    // The most requests that one of the four processes can send in a second. If the limit is below four a second, a
    // process sends less than one request a second, so its average is compared.
    const inSecond = perSecond < 4 ? 1000 / alone : Math.ceil(1000 / alone)
    assert.ok(4 * inSecond <= perSecond, `${perSecond}: ${alone}`)
  }
  const clock = stillClock()
  const turns = new Pace()
  const began = clock.now()
  const at: number[] = []
  const shared = answering(null, null, null, in100)
  for (let i = 0; i < 4; i++) {
    await turns.turn({ intervalMs: 240, clock, shared })
    at.push(clock.now() - began)
  }
  assert.deepEqual(at, [0, 1200, 2400, 2500])
})

test('a caller that aborts does not wait for the callers before it', async () => {
  const clock = stillClock()
  const turns = new Pace()
  const stop = new AbortController()
  const never = { ...answering(), take: () => new Promise<never>(() => {}) }
  void turns.turn({ intervalMs: 240, clock, shared: never })
  const waiting = turns.turn({ intervalMs: 240, clock, shared: never, signal: stop.signal })
  stop.abort(new Error('no longer wanted'))
  await assert.rejects(waiting, /^Error: no longer wanted$/)
  await assert.rejects(turns.turn({ intervalMs: 240, clock, shared: never, signal: stop.signal }), /no longer wanted/)
})
