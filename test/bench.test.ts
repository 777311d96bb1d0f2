/** The bench: how much it asks for, and what it takes for a row. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { used, usedBetween } from '../bench/measure.ts'
import { measuredOf } from '../bench/program.ts'
import { markdownTable, type Row, textTable } from '../bench/report.ts'
import { part } from '../bench/share.ts'
import { bothSizes, partOf } from '../bench/turns.ts'

const whole: Row = { section: 'xml', what: 'a table', ours: 3, peer: 4, unit: 'MB/s', note: 'saxes alone' }

test('a part is its share of a number, no less than what still measures and no more than all', () => {
  assert.equal(part(5_000_000, 1), 5_000_000)
  assert.equal(part(5_000_000, 0.01), 50_000)
  assert.equal(part(5, 0.01), 1)
  assert.equal(part(2_000, 0.01, 50), 50)
  assert.equal(part(20, 0.01, 50), 20)
})

test('a part of the turns makes each request once at each size', async () => {
  const all = { requests: 900, rounds: 3, warming: 100 }
  assert.deepEqual(partOf(all, 1), all)
  assert.deepEqual(partOf(all, 0.01), { requests: 3, rounds: 1, warming: 1 })
  for (const share of [1, 0.4, 0.01]) {
    const turns = partOf(all, share)
    const asked = { small: [] as number[], large: [] as number[] }
    await bothSizes(turns, async (size, from, count) => {
      for (let at = 0; at < count; at++) asked[size].push(from + at)
      return [1]
    })
    const wanted = Array.from({ length: turns.warming + turns.requests }, (_, at) => at)
    assert.deepEqual(asked, { small: wanted, large: wanted })
  }
})

test('a ratio that depends on the machine has a mark, which the table explains', () => {
  const marked: Row = { ...whole, dependsOnMachine: true }
  assert.match(textTable([whole, marked]), / 0\.75 {2}MB\/s .*\n.* 0\.75 † {2}MB\/s .*\n\n† depends on the machine: /)
  assert.match(markdownTable([marked]), /\| 0\.75 † \|/)
  assert.doesNotMatch(textTable([whole]), /†/)
  assert.doesNotMatch(textTable([{ ...marked, peer: null }]), / †/)
})

test('what a process takes is counted: its processor time, and its reads and writes', {
  skip: process.platform !== 'linux' && 'only Linux counts reads and writes',
}, () => {
  const before = used()
  for (let n = 0; n < 100; n++) readFileSync('/proc/self/stat')
  const { processorMs, readsAndWrites } = usedBetween(before, used())
  assert.ok(processorMs > 0)
  // Each is read until its end: two reads of a file whose length is not known before.
  assert.ok(readsAndWrites! >= 200 && readsAndWrites! < 300, String(readsAndWrites))
})

test('the processor time of a program is its own', {
  skip: process.platform === 'win32' && 'there is no shell',
}, async () => {
  const busy = 'n=0; while [ $n -lt 100000 ]; do n=$((n + 1)); done; echo done'
  const { stdout, processorMs } = await measuredOf('sh', ['-c', busy])
  assert.equal(stdout, 'done')
  const { processorMs: idle } = await measuredOf('sh', ['-c', 'sleep 0.2'])
  assert.ok(processorMs! > 20 && idle! < 20, `${processorMs} ms busy, ${idle} ms idle`)
})
