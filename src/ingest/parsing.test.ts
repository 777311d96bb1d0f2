import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Filing } from '../declare/documents.ts'
import type { Caller } from '../read/apart/call.ts'
import type { Problem } from '../read/xml.ts'
import { type ParseJob, parseFiling } from './parsing.ts'

const job: ParseJob = {
  parser: { module: 'ship.ts', name: 'parse' },
  header: {} as ParseJob['header'], // the parser of this test reads no header
  roles: {},
  documents: [],
}

const problem = (n: number): Problem => ({ path: `line ${n}`, value: `${n}`, reason: 'not a weight' })

/** Reads a filing whose parser reports problems in several calls. */
async function problemsOf(...calls: readonly Problem[][]): Promise<Problem[]> {
  const parse = ({ tell }: Pick<Filing, 'tell'>) => {
    for (const problems of calls) tell({ problems, unread: [] })
    return []
  }
  // `parseFiling` only loads the parser: with few rows and no documents, it requests nothing.
  const { problems } = await parseFiling(job, { load: async () => parse } as unknown as Caller)
  return problems
}

test('a filing keeps a thousand problems, however many calls report them, and says that there are more', async () => {
  const first = Array.from({ length: 600 }, (_, n) => problem(n))
  const second = Array.from({ length: 600 }, (_, n) => problem(600 + n))
  const kept = await problemsOf(first, second, [problem(1_200)])
  assert.equal(kept.length, 1_001)
  assert.deepEqual(kept.slice(0, 1_000), [...first, ...second].slice(0, 1_000))
  assert.deepEqual(kept.at(-1), { path: 'line 1000', value: '', reason: 'and more problems from here on' })
})

test('a filing with a thousand problems keeps all of them', async () => {
  const all = Array.from({ length: 1_000 }, (_, n) => problem(n))
  assert.deepEqual(await problemsOf(all.slice(0, 999), all.slice(999)), all)
})
