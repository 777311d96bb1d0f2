/** Entries of dictionaries are remembered up to a number, and no entry is taken for sent that was rolled back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import nport from '../datasets/nport/index.ts'
import { Entries } from './load.ts'

/** Sends the entries of a batch. @returns how many of them were not sent before */
function batch(entries: Entries, from: number, to: number): number {
  entries.begin()
  let sent = 0
  for (let id = from; id < to; id++) if (!entries.isKnown('security', { security: String(id) })) sent++
  return sent
}

test('the entries of stored batches are known, until more than 100,000 are remembered', () => {
  const entries = new Entries(nport)
  assert.equal(batch(entries, 0, 60_000), 60_000)
  // This batch was rolled back, so it is sent again.
  assert.equal(batch(entries, 0, 60_000), 60_000)
  entries.keep()
  assert.equal(batch(entries, 0, 60_000), 0)
  assert.equal(batch(entries, 60_000, 120_000), 60_000)
  entries.keep()
  assert.equal(batch(entries, 60_000, 120_000), 0)
  assert.equal(batch(entries, 0, 10), 10)
  // In a batch with too many entries, those beyond the number are sent as often as they occur.
  assert.equal(batch(entries, 200_000, 310_000), 110_000)
  assert.equal(entries.isKnown('security', { security: '200000' }), true)
  assert.equal(entries.isKnown('security', { security: '309999' }), false)
})
