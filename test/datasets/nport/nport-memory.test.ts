/**
 * Memory of a process that reads a portfolio of 48 MB. A soak reads 143 MB, the size of the largest real one.
 *
 * @alone the memory of its process is measured
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from '../../../src/datasets/nport/filing.ts'
import { headerWith } from '../../support/filing-made.ts'
import { memoryInUse } from '../../support/memory.ts'
import { portfolio } from '../../support/nport/portfolio.ts'
import { often } from '../../support/soak.ts'

const MB = 2 ** 20
const SIZE = often('MB of a portfolio', { usual: 48, soak: 143 }) * MB
/** Maximum growth of memory from the first to the second half of the portfolio. */
const GROWTH_MAX = SIZE / 18

test('a portfolio of any size is read holding by holding: memory does not grow with its size', async (t) => {
  let size = 0
  async function* bytes() {
    for (const piece of portfolio(SIZE)) {
      size += piece.length
      yield piece
    }
  }
  const filing: Parameters<typeof parse>[0] = {
    header: headerWith({ form: 'NPORT-P' }),
    documents: { portfolio: bytes() },
    tell({ unread = [], problems = [] }) {
      assert.deepEqual([[...unread], [...problems]], [[], []])
    },
  }
  const rows: Record<string, number> = {}
  const most = [0, 0]
  for await (const [table] of parse(filing)) {
    rows[table] = (rows[table] ?? 0) + 1
    if (table !== 'holding' || rows[table]! % 5_000 > 0) continue
    const half = size < SIZE / 2 ? 0 : 1
    most[half] = Math.max(most[half]!, await memoryInUse())
  }
  const [first, second] = most.map((bytes) => Math.round(bytes / MB))
  t.diagnostic(`${first} MB at most in the first half, ${second} in the second; ${rows.holding} holdings`)
  assert.ok(size >= SIZE && rows.holding! > SIZE / 2_000 && rows.report === 1)
  assert.ok(most[1]! - most[0]! < GROWTH_MAX, `${first} MB, then ${second} MB`)
})
