import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { EdgarError } from './answer.ts'
import { hostOf } from './host.ts'
import type { ClientEvent } from './options.ts'
import { Tries } from './tries.ts'

/** The tries of one path. Nothing is sent to the host, and its clock moves only by waits. */
function triesOf(t: TestContext, own: { attempts?: number } = {}) {
  const waits: number[] = []
  const events: ClientEvent[] = []
  const host = hostOf({
    ...{ baseUrl: 'http://127.0.0.1:1', userAgent: null, now: () => 1_000, random: () => 1 },
    sleep: async (ms) => void waits.push(ms),
    log: (event) => events.push(event),
    ...own,
  })
  t.after(host.leave)
  const { signal } = new AbortController()
  const tries = new Tries(host, '/a')
  return { host, waits, events, tries, failed: (error: unknown) => tries.before(error, signal) }
}

test('waits double with each failure, and a path that failed too often is not tried again', async (t) => {
  const { tries, waits, failed } = triesOf(t, { attempts: 4 })
  const error = new EdgarError('network', 'broken')
  for (let n = 1; n < 4; n++) await failed(error)
  assert.deepEqual(waits, [1_000, 2_000, 4_000])
  await assert.rejects(failed(error), error)
  assert.equal(tries.failed, 4)
})

test('a download that gained a megabyte has all its tries again; a smaller gain does not count', async (t) => {
  const { tries, waits, failed } = triesOf(t, { attempts: 3 })
  const error = new EdgarError('truncated', 'broke off')
  await failed(error)
  tries.cameOn(1024 * 1024 - 1)
  await failed(error)
  assert.deepEqual([tries.failed, waits], [2, [1_000, 2_000]])
  tries.cameOn(1024 * 1024)
  assert.equal(tries.failed, 0)
  await failed(error)
  assert.deepEqual(waits, [1_000, 2_000, 1_000])
})

test('a block pauses all paths of the host and allows one more try; it does not count as a failure of the path', async (t) => {
  const { host, tries, waits, events, failed } = triesOf(t)
  const block = new EdgarError('throttled', 'rate page', { blocked: true })
  await failed(block)
  assert.deepEqual([host.turns.pausedUntil, tries.failed, waits], [601_000, 0, []])
  await assert.rejects(failed(block), block)
  const { pauses, retries } = host.counts.snapshot()
  assert.deepEqual([pauses, retries, events.map(({ event }) => event)], [2, 1, ['edgar.pause', 'edgar.pause']])
})

test('a permanent failure is thrown at once, and so is a failure that the signal caused', async (t) => {
  const { tries, waits, failed } = triesOf(t)
  await assert.rejects(failed(new EdgarError('refused', 'no')), { kind: 'refused' })
  const bug = new TypeError('of the reader')
  await assert.rejects(failed(bug), bug)
  const ended = AbortSignal.abort(new Error('stopped'))
  await assert.rejects(tries.before(new EdgarError('network', 'broken'), ended), /stopped/)
  assert.deepEqual([tries.failed, waits], [0, []])
})
