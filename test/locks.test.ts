/**
 * Advisory locks are numbers of a database; two with one number are one lock, and their holders wait for each other in turn.
 * That of the users of an embedded server is taken in another database than all others.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { checkout } from './world.ts'

test('every advisory lock has a number of its own', () => {
  const found = globSync('src/**/*.ts', { cwd: checkout, exclude: ['src/store/embedded/**'] }).flatMap((file) => {
    const source = readFileSync(path.join(checkout, file), 'utf8')
    return [...source.matchAll(/\b(\w+) = (4_713_\d{3})\b/g)].map(([, name, number]) => ({ file, name, number }))
  })
  assert.ok(found.length > 8, `${found.length} locks`)
  const twice = [...Map.groupBy(found, ({ number }) => number).values()].filter(({ length }) => length > 1)
  assert.deepEqual(twice, [])
})
