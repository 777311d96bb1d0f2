import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Answer } from './answer.ts'
import { answerCache, type Making, type Outcome } from './cache.ts'

function scratch({ bytesMax = 1_000_000 } = {}) {
  const data: { version: string | null } = { version: '1' }
  const outcomes: Outcome[] = []
  const cache = answerCache({ bytesMax, onOutcome: (outcome) => outcomes.push(outcome) })
  const current = () => data.version
  /** Gets an answer as a request does. */
  async function answerFor(
    address: string,
    content: string | Promise<Answer> = 'x',
    { isOver = () => false, version = () => undefined }: Partial<Making> = {},
  ): Promise<Answer | null> {
    const kept = cache.cached(address, current)
    if (kept) return kept
    const under = cache.inFlight(address, current)
    if (under) return under.answer
    const answer = typeof content === 'string' ? Promise.resolve(new Answer(content)) : content
    cache.begin(address, current, { answer, isOver, version })
    return answer.finally(() => new Promise(setImmediate))
  }
  return { data, outcomes, cache, answerFor }
}

test('an answer that was begun before a data change is returned, but neither cached nor shared with a later request', async () => {
  const { data, outcomes, answerFor } = scratch()
  const gate = Promise.withResolvers<Answer>()
  const old = answerFor('/a', gate.promise)
  data.version = '2'
  const newer = await answerFor('/a', 'new')
  gate.resolve(new Answer('old'))
  assert.equal((await old)?.body.toString(), 'old')
  assert.equal(newer?.body.toString(), 'new')
  assert.equal((await answerFor('/a', 'newest'))?.body.toString(), 'new')
  assert.deepEqual(outcomes, ['miss', 'miss', 'hit'])
})

test('an answer is cached only under the version that its own snapshot shows', async () => {
  const { data, outcomes, answerFor } = scratch()
  data.version = '5'
  await answerFor('/behind', 'x', { version: () => '4' })
  await answerFor('/behind', 'x', { version: () => '5' })
  await answerFor('/behind')
  await answerFor('/mixed', 'x', { version: () => null })
  await answerFor('/mixed')
  const gate = Promise.withResolvers<Answer>()
  // This answer is begun before the change is announced, and shows the data after the change.
  const ahead = answerFor('/ahead', gate.promise, { version: () => '6' })
  data.version = '6'
  gate.resolve(new Answer('x'))
  await ahead
  await answerFor('/ahead')
  assert.deepEqual(outcomes, ['miss', 'miss', 'hit', 'miss', 'miss', 'miss', 'hit'])
})

test('nothing is cached or shared before the data version is known', async () => {
  const { data, outcomes, answerFor } = scratch()
  data.version = null
  const gate = Promise.withResolvers<Answer>()
  const both = [answerFor('/a', gate.promise), answerFor('/a', gate.promise)]
  gate.resolve(new Answer('x'))
  await Promise.all(both)
  await answerFor('/a')
  assert.deepEqual(outcomes, ['miss', 'miss', 'miss'])
})

test('the cache stays below its maximum of bytes: the least recently used answers are dropped first, and no single answer may fill it', async () => {
  const { outcomes, cache, answerFor } = scratch({ bytesMax: 28_000 })
  for (let n = 0; n < 20; n++) {
    await answerFor(`/${n}`, 'x'.repeat(1000))
    assert.ok(cache.bytes <= 28_000)
    await answerFor('/0')
  }
  await answerFor('/long', 'x'.repeat(8000))
  await answerFor('/long', 'x'.repeat(8000))
  await answerFor('/1')
  assert.deepEqual(outcomes.slice(-3), ['miss', 'miss', 'miss'])
  assert.equal(outcomes.slice(1, 40).filter((outcome) => outcome === 'hit').length, 20)
})

test('compressed variants count towards their answer, and can evict other answers', async () => {
  const { cache, outcomes, answerFor } = scratch({ bytesMax: 50_000 })
  const answer = await answerFor('/a', 'x'.repeat(5000))
  const plain = cache.bytes
  const [packed, again] = await Promise.all([answer!.variant('gzip'), answer!.variant('gzip')])
  assert.equal(packed, again)
  assert.ok(cache.bytes >= plain + packed.length)
  for (let n = 0; n < 7; n++) await answerFor(`/${n}`, 'y'.repeat(5000))
  await answerFor('/a')
  const full = cache.bytes
  for (const coding of ['br', 'zstd'] as const) await answer!.variant(coding)
  assert.ok(cache.bytes <= 50_000 && cache.bytes !== full)
  assert.deepEqual(outcomes.slice(-1), ['hit'])
})

test('an answer in the cache holds only its own bytes, and not the larger buffer that it was a part of', async () => {
  const answer = new Answer('x'.repeat(300))
  const long = new Answer(Buffer.from('y'.repeat(2000)))
  for (const own of [
    answer.body,
    long.body,
    await long.variant('gzip'),
    await long.variant('br'),
    await long.variant('zstd'),
  ]) {
    assert.equal(own.buffer.byteLength, own.length)
  }
})

test('a run that fails returns the error to all waiting requests, and the next request begins a new run', async () => {
  const { answerFor } = scratch()
  const gate = Promise.withResolvers<Answer>()
  const both = [answerFor('/a', gate.promise), answerFor('/a', gate.promise)]
  gate.reject(new Error('broken'))
  const outcomes = await Promise.allSettled(both)
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal((await answerFor('/a', 'fine'))?.body.toString(), 'fine')
})

test('a run that was stopped is not shared with later requests', async () => {
  const { outcomes, answerFor } = scratch()
  const gate = Promise.withResolvers<Answer>()
  let over = false
  const given = answerFor('/a', gate.promise, { isOver: () => over })
  over = true
  await answerFor('/a', 'mine')
  gate.reject(new Error('the client closed the connection'))
  await assert.rejects(given)
  assert.equal((await answerFor('/a'))?.body.toString(), 'mine')
  assert.deepEqual(outcomes, ['miss', 'miss', 'hit'])
})
