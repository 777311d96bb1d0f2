/**
 * The list of mutations is valid: each line that a mutation breaks is in its file, and the test that must fail exists.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { MUTATIONS } from '../mutation-list.ts'
import { checkout } from '../runner/files.ts'

test('each mutation breaks one existing line of its file, and names a test file', () => {
  const textOf = (file: string) => readFileSync(path.join(checkout, file), 'utf8')
  const wrong = MUTATIONS.filter(
    ({ file, from, to, test }) =>
      textOf(file).split(from).length !== 2 || from === to || !existsSync(path.join(checkout, test)),
  )
  assert.deepEqual(
    wrong.map(({ file, from }) => `${file}: ${from}`),
    [],
  )
  assert.ok(new Set(MUTATIONS.map(({ file }) => file)).size >= 20)
})

test('test/mutations.md lists each mutation with its test', () => {
  const readme = textRows(readFileSync(path.join(checkout, 'test/mutations.md'), 'utf8'))
  assert.deepEqual(
    readme,
    MUTATIONS.map(({ file, test }) => `${file} ${test}`),
  )
})

const textRows = (text: string): string[] =>
  [...text.matchAll(/^\| `(src\/[^`]+)` \| `[^`]+` \| `([^`]+)` \|$/gm)].map(([, file, test]) => `${file} ${test}`)
