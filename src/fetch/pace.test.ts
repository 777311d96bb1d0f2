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
  assert.equal(paceOf('remote'), paceOf('remote'))
  assert.notEqual(paceOf('remote'), paceOf('127.0.0.1:8090'))
})

test('a pause of one clock holds nobody who lives by another', () => {
  const [one, other] = [stillClock(), stillClock()]
  paceOf('127.0.0.1:8090', one.now).pause(one.now() + 1_000)
  assert.equal(paceOf('127.0.0.1:8090', other.now).pausedUntil(), 0)
  assert.equal(paceOf('127.0.0.1:8090', one.now).pausedUntil(), one.now() + 1_000)
})
