/** Every real Form 25-NSE of the corpus. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from '../../../src/datasets/form25/parse.ts'
import { corpus } from '../../support/corpus.ts'
import { rowsRead } from '../../support/rows-read.ts'
import { headOf, submissionsBelow } from '../../support/submission-files.ts'

test('all real delisting notices are read completely, without a problem', { skip: corpus.skip }, () => {
  const root = path.join(corpus.folder!, 'sec')
  let read = 0
  for (const file of submissionsBelow(root)) {
    const text = readFileSync(path.join(root, 'Archives', file), 'latin1')
    if (!/^CONFORMED SUBMISSION TYPE:\s+25-NSE/m.test(text)) continue
    const document = /<XML>\s*([\s\S]*?)<\/XML>/.exec(text)![1]!
    const { rows, unread, problems } = rowsRead(parse, document, [], { form: headOf(text).form })
    assert.equal(rows.length, 1, file)
    assert.deepEqual([unread, problems], [[], []], file)
    read++
  }
  assert.ok(read >= 3, `${read} notices`)
})
