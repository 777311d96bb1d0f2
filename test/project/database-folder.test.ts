/** The folder that tests choose for their databases. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { databaseFolder } from '../support/database-folder.ts'
import { noMount, onDisk } from '../support/disk.ts'
import { temporaryFolder } from '../support/world.ts'

const linux = process.platform === 'linux'
const given = process.env.TMPDIR
beforeEach(() => {
  delete process.env.TMPDIR
})
afterEach(() => {
  if (given !== undefined) process.env.TMPDIR = given
})

const MB = 2 ** 20

test('a folder in memory with enough room is used, unless TMPDIR names a folder', { skip: !linux }, async (t) => {
  const memory = await temporaryFolder(t)
  assert.equal(databaseFolder(memory, MB), memory)
  process.env.TMPDIR = path.dirname(memory)
  assert.equal(databaseFolder(memory, MB), path.dirname(memory))
})

test('a folder that does not exist or has too little room is not used', async (t) => {
  const memory = await temporaryFolder(t)
  assert.equal(databaseFolder(path.join(memory, 'none'), MB), tmpdir())
  assert.equal(databaseFolder(memory, Number.MAX_SAFE_INTEGER), tmpdir())
})

test('a folder in memory is used only if it is writable and programs may run in it', {
  skip: noMount,
}, async (t) => {
  for (const [options, isTaken] of [
    ['2m', true],
    ['2m,ro', false],
    ['2m,noexec', false],
  ] as const) {
    await onDisk(t, options, async (disk) => assert.equal(databaseFolder(disk, MB), isTaken ? disk : tmpdir(), options))
  }
})
