/**
 * Files that run on another database server. They are the files that test the server, and as many others as are needed
 * to send every statement of the first run.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fewest, testFiles } from '../on-server.ts'
import { currentFile } from '../runner/current.ts'
import { allTestFiles, serverReason } from '../runner/files.ts'
import { OF_OTHER_THINGS, SAME_ANYWHERE, secondRun } from '../second-run.ts'
import { randomFor } from '../support/random.ts'
import { checkout } from '../support/world.ts'

const source = (file: string) => readFileSync(path.join(checkout, file), 'utf8')

test('a run on another database server skips only test files that open no database or do not test the server', {
  skip: secondRun,
}, () => {
  const { onServer, leftOut } = testFiles()
  assert.equal(new Set([...onServer, ...leftOut]).size, allTestFiles().length)
  assert.ok(leftOut.every((file) => !file.includes('node_modules')))
  // These files open databases directly, through helpers, or in separate commands.
  for (const file of ['test/store/schema.test.ts', 'test/serve/contract.test.ts', 'test/ingest/crash.test.ts']) {
    assert.ok(onServer.includes(file), file)
  }
  assert.ok(leftOut.includes('src/read/xml.test.ts') && onServer.length > 100)
  for (const file of [...SAME_ANYWHERE, ...OF_OTHER_THINGS]) assert.ok(leftOut.includes(file), `${file} is there`)
  // This file contains both words of the pattern below, but opens no database.
  const others = leftOut.filter((file) => file !== currentFile() && !OF_OTHER_THINGS.includes(file))
  const opening = others.filter((file) => /freshDatabase|TEST_DATABASE_URL/.test(source(file)))
  assert.deepEqual(opening, [])
  assert.ok(onServer.filter((file) => serverReason(file) !== null).length > 10)
})

test('the chosen files send every statement part that any file sent, include the mandatory files, and have no superfluous file', {
  skip: secondRun,
}, () => {
  const random = randomFor('files')
  const below = (n: number) => Math.floor(random() * n)
  for (let round = 0; round < 50; round++) {
    const noted = Array.from({ length: 1 + below(30) }, (_, n) => ({
      file: `${n}.test.ts`,
      wall: random() * 20,
      parts: [...new Set(Array.from({ length: below(12) }, () => `part ${below(60)}`))],
    }))
    const always = new Set(noted.filter(() => below(8) === 0).map(({ file }) => file))
    const chosen = fewest(noted, always)
    const sentBy = (files: readonly string[]) =>
      new Set(noted.flatMap(({ file, parts }) => (files.includes(file) ? parts : [])))
    const all = sentBy(noted.map(({ file }) => file))
    assert.equal(new Set(chosen).size, chosen.length)
    assert.equal(sentBy(chosen).size, all.size)
    for (const file of always) assert.ok(chosen.includes(file))
    for (const file of chosen)
      if (!always.has(file)) assert.ok(sentBy(chosen.filter((other) => other !== file)).size < all.size, file)
  }
})

test('if two files send the same statements, the file that costs less is chosen', { skip: secondRun }, () => {
  const parts = ['select one', 'select two']
  const noted = [
    { file: 'dear.test.ts', wall: 9, parts },
    { file: 'cheap.test.ts', wall: 1, parts },
  ]
  assert.deepEqual(fewest(noted, new Set()), ['cheap.test.ts'])
  assert.deepEqual(fewest(noted, new Set(['dear.test.ts'])), ['dear.test.ts'])
})
