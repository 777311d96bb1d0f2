import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Answer } from './answer.ts'
import { answerCache, type Outcome } from './cache.ts'

function scratch({ bytesMax = 1_000_000 } = {}) {
  const data: { version: string | null } = { version: '1' }
  const outcomes: Outcome[] = []
  const cache = answerCache({ bytesMax, version: () => data.version, onOutcome: (outcome) => outcomes.push(outcome) })
  const ask = (address: string, content = 'x') => cache.answer(address, async () => new Answer(content))
  return { data, outcomes, cache, ask }
}

test('an answer begun before a change of the data is given but not kept, nor shared with a request after it', async () => {
  const { data, outcomes, cache, ask } = scratch()
  const gate = Promise.withResolvers<Answer>()
  const old = cache.answer('/a', () => gate.promise)
  data.version = '2'
  const newer = await ask('/a', 'new')
  gate.resolve(new Answer('old'))
  assert.equal((await old)?.body.toString(), 'old')
  assert.equal(newer?.body.toString(), 'new')
  assert.equal((await ask('/a', 'newest'))?.body.toString(), 'new')
  assert.deepEqual(outcomes, ['miss', 'miss', 'hit'])
})

test('nothing is kept before the data version is known', async () => {
  const { data, outcomes, ask } = scratch()
  data.version = null
  await ask('/a')
  await ask('/a')
  assert.deepEqual(outcomes, ['miss', 'miss'])
})

test('the bytes stay below the bound; the least recently used go first, and one answer may not take it all', async () => {
  const { outcomes, cache, ask } = scratch({ bytesMax: 16_000 })
  for (let n = 0; n < 20; n++) {
    await ask(`/${n}`, 'x'.repeat(1000))
    assert.ok(cache.bytes <= 16_000)
    await ask('/0')
  }
  await ask('/long', 'x'.repeat(8000))
  await ask('/long', 'x'.repeat(8000))
  await ask('/1')
  assert.deepEqual(outcomes.slice(-3), ['miss', 'miss', 'miss'])
  assert.equal(outcomes.slice(1, 40).filter((outcome) => outcome === 'hit').length, 20)
})

test('compressed variants are counted with their answer', async () => {
  const { cache, ask } = scratch()
  const answer = await ask('/a', 'x'.repeat(5000))
  const plain = cache.bytes
  const [packed, again] = await Promise.all([answer!.variant('gzip'), answer!.variant('gzip')])
  assert.equal(packed, again)
  assert.equal(cache.bytes, plain + packed.length)
})

test('a run that fails fails for everybody who waited, and the next request tries again', async () => {
  const { cache, ask } = scratch()
  const failing = () => cache.answer('/a', () => Promise.reject(new Error('broken')))
  const outcomes = await Promise.allSettled([failing(), failing()])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal((await ask('/a', 'fine'))?.body.toString(), 'fine')
})
