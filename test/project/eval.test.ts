/** `npm run eval`: what it counts, its table, and its failures. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Compared } from '../eval/pile.ts'
import type { Recorded } from '../eval/recorded.ts'
import { scoreOf } from '../eval/score.ts'
import { missesOf, type Scored, tableOf } from '../eval/table.ts'
import { checkout } from '../runner/files.ts'
import { temporaryFolder } from '../support/world.ts'

const pile: Compared[] = [
  { of: 'a', typed: [{ kind: 'day', value: '2026-01-02' }], read: [{ kind: 'day', value: '2026-01-02' }] },
  { of: 'b', typed: [{ kind: 'day', value: '2026-01-03' }], read: [] },
  { of: 'c', typed: [], read: [{ kind: 'name', value: 'Jane Roe' }] },
]

test('one right, one missing and one wrong fact give exactly this table, with the recorded figures of the pile', () => {
  const scored: Scored[] = [{ set: 'newest', reader: 'made', name: 'three', score: scoreOf(pile) }]
  const recorded: Recorded[] = [
    { set: 'newest', reader: 'made', name: 'three', when: 'first', typed: 2, read: 4, right: 1, wrong: 3 },
    { set: 'held out', reader: 'made', name: 'lost', when: 'later', typed: 5, read: 4, right: 4, wrong: 0 },
  ]
  const lines = tableOf(scored, recorded)
  assert.deepEqual(lines, [
    'set         reader           fact                           when   typed  read right wrong missing  recall precision',
    '----------- ---------------- ------------------------------ ------ ----- ----- ----- ----- ------- ------- ---------',
    'held out    made             = lost                         later      5     4     4     0       1  80.0 %   100.0 %',
    'newest      made             day                            now        2     1     1     0       1  50.0 %   100.0 %',
    'newest      made             name                           now        0     1     0     1       0       -     0.0 %',
    'newest      made             = three                        now        2     2     1     1       1  50.0 %    50.0 %',
    'newest      made             = three                        first      2     4     1     3       1  50.0 %    25.0 %',
    'newest      all                                             now        2     2     1     1       1  50.0 %    50.0 %',
  ])
  assert.ok(lines.every(({ length }) => length <= 120))
  assert.deepEqual(missesOf(scored), [
    'wrong: newest: made: c: name Jane Roe',
    'missing: newest: made: b: day 2026-01-03',
  ])
})

test('a fact that is read twice counts as wrong once, unless the pile allows repetitions; a fact with another value counts as missing and wrong', () => {
  const day = (value: string) => ({ kind: 'day', value })
  const twice = [{ of: 'a', typed: [day('1')], read: [day('1'), day('1')] }]
  assert.deepEqual(scoreOf(twice).kinds.get('day'), { typed: 1, read: 2, right: 1, wrong: 1 })
  assert.deepEqual(scoreOf(twice, { isRepeatable: true }).kinds.get('day'), { typed: 1, read: 2, right: 1, wrong: 0 })
  const other = scoreOf([{ of: 'a', typed: [day('1')], read: [day('2')] }])
  assert.deepEqual(other.kinds.get('day'), { typed: 1, read: 1, right: 0, wrong: 1 })
  assert.deepEqual([other.missing.length, other.wrong.length], [1, 1])
  const kinds = scoreOf([{ of: 'a', typed: [day('1')], read: [{ kind: 'name', value: '1' }] }])
  assert.deepEqual([kinds.missing.length, kinds.wrong.length], [1, 1])
})

interface Ended {
  code: number
  out: string
  error: string
}

const evaluate = (...options: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const args = [path.join(checkout, 'test/eval.ts'), ...options]
    execFile(process.execPath, args, (error, out, said) => {
      resolve({ code: error ? Number(error.code) : 0, out, error: said })
    })
  })

test('without the corpus the typed sentences and fixtures are read, and the other piles are counted as left out', async () => {
  const { code, out, error } = await evaluate('--corpus', path.join(checkout, 'nowhere'), '--misses')
  assert.deepEqual([code, error], [0, ''])
  assert.match(out, /^development eightk officers {2}= sentences .* now .* 100\.0 % {3}100\.0 %$/m)
  assert.match(out, /^development x17a5 .*= sentences/m)
  assert.match(out, /^development thirteenf text .*= fixture/m)
  assert.match(out, /\n\d+ of \d+ piles are left out: the corpus is not at /)
  assert.match(out, /\nwrong facts, which are worse than missing ones: 0 of \d{4} facts read\n/)
  assert.doesNotMatch(out, /^newest .* now/m)
  assert.deepEqual(
    out.split('\n').filter((line) => line.length > 120),
    [],
  )
})

test('a truth that is missing or not valid JSON ends the evaluation with an error that names the file', async (t) => {
  const folder = await temporaryFolder(t)
  const files = ['eightk', 'proxies', 'offerings', 'fundreg', 'x17a5', 'schedule13']
  for (const file of files)
    cpSync(path.join(checkout, 'test/datasets', file), path.join(folder, file), { recursive: true })
  writeFileSync(path.join(folder, 'proxies/proxies-truth.json'), '{"cut')
  const cut = await evaluate('--truths', folder)
  assert.deepEqual([cut.code, cut.out], [1, ''])
  assert.match(cut.error, /^proxies\/proxies-truth\.json is not valid JSON: .+\n$/)
  rmSync(path.join(folder, 'eightk/eightk-sentences/going.txt'))
  const missing = await evaluate('--truths', folder)
  assert.deepEqual([missing.code, missing.out], [1, ''])
  assert.match(missing.error, /^eightk\/eightk-sentences\/going\.txt cannot be read: ENOENT.+\n$/)
})
