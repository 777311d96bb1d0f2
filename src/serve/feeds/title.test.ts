import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { text } from '../../declare/table.ts'
import { factsOf, titleOf } from './title.ts'

test('a long name or text is never cut within a character', () => {
  const shape = z.object({ company_name: text('Name of the company') }).shape
  for (const first of ['', 'a']) {
    const row = { company_name: first + '\u{1f600}'.repeat(3_000) }
    for (const cut of [titleOf(row, shape), factsOf(row, shape)]) {
      assert.ok(cut.length > 100 && cut.length <= 4_000)
      assert.ok(cut.isWellFormed())
    }
  }
})
