import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stillClock } from '../../test/loopback.ts'
import { pace, paceOf } from './pace.ts'

test('turns are evenly spaced however many callers ask at once', async () => {
  const clock = stillClock()
  const turns = pace()
  const began = clock.now()
  const at: number[] = []
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      await turns.turn(200, clock)
      at.push(clock.now() - began)
    }),
  )
  assert.deepEqual(at, [0, 200, 400, 600, 800, 1000])
})

test('a pause holds those already waiting too, and they leave one by one after it', async () => {
  const clock = stillClock()
  const turns = pace()
  const began = clock.now()
  const at: number[] = []
  const waiting = Array.from({ length: 4 }, async () => {
    await turns.turn(200, clock)
    at.push(clock.now() - began)
  })
  turns.pause(began + 600_000)
  await Promise.all(waiting)
  // The first had left before the pause began.
  assert.deepEqual(at, [0, 600_000, 600_200, 600_400])
})

test('a shorter pause does not end a longer one', () => {
  const turns = pace()
  turns.pause(2_000)
  turns.pause(1_000)
  assert.equal(turns.pausedUntil(), 2_000)
})

test('a caller that gives up while waiting gets the reason of its signal', async () => {
  const clock = stillClock()
  const turns = pace()
  turns.pause(clock.now() + 600_000)
  const stop = new AbortController()
  const waiting = turns.turn(200, clock, stop.signal)
  stop.abort(new Error('no longer wanted'))
  await assert.rejects(waiting, /^Error: no longer wanted$/)
})

test('one host has one pace in the whole process', () => {
  const [one, same, other] = ['remote', 'remote', '127.0.0.1:8090'].map(paceOf)
  assert.equal(one!.pace, same!.pace)
  assert.notEqual(one!.pace, other!.pace)
  for (const { leave } of [one!, same!, other!]) leave()
})

test('a pause of a loopback host ends with its last client, and one of the SEC does not', () => {
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
