/** Compares the temporary file that holds the lines of a set with a map of the same lines. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { messageOf } from '../../src/declare/errors.ts'
import { type KeptLine, KeptLines } from '../../src/ingest/sets/kept.ts'
import { seeded } from '../runner/files.ts'
import { noMount, onDisk } from '../support/disk.ts'
import { temporaryFolder } from '../support/world.ts'

/** Lets temporary files go to the folder until the test ends. */
function useFolder(t: TestContext, folder: string): void {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
}

test('the lines of every group come back in their order, whatever their length and characters', async () => {
  const random = seeded(17)
  const expected = new Map<number, KeptLine[]>()
  const kept = await KeptLines.open()
  for (let n = 0; n < 20_000; n++) {
    const filing = Math.floor(random() ** 2 * 2_000)
    const length = random() < 0.002 ? 40_000 : Math.floor(random() * 60)
    const content = ['', 'a\tb\\', 'é\r', '\u{1f680}'][n % 4]! + 'x'.repeat(length)
    const line = { filing, member: n % 7, line: n, content }
    const group = KeptLines.groupOf(filing)
    expected.set(group, [...(expected.get(group) ?? []), line])
    kept.add(filing, line.member, line.line, content)
    if (random() < 0.01) await kept.settle()
  }
  await kept.finish()
  assert.ok(expected.size > 500)
  for (const [group, lines] of expected) {
    assert.deepEqual((await Array.fromAsync(kept.linesOf(group))).flat(), lines)
  }
  await kept.close()
})

test('the file of lines has no name, so that a killed load leaves nothing', {
  skip: process.platform === 'win32',
}, async (t) => {
  const folder = await temporaryFolder(t)
  useFolder(t, folder)
  const kept = await KeptLines.open()
  kept.add(1, 0, 1, 'x'.repeat(100_000))
  await kept.finish()
  assert.deepEqual(await readdir(folder), [])
  await kept.close()
})

test('if a disk has no room for another file, the error names the setting of its folder, and no folder stays', {
  skip: noMount,
}, async (t) => {
  // The two inodes are those of the disk itself and of the folder.
  await onDisk(t, '1m,nr_inodes=2', async (folder) => {
    useFolder(t, folder)
    await assert.rejects(KeptLines.open(), /^Error: the lines of sets are kept in .*; let TMPDIR name a folder/)
    assert.deepEqual(await readdir(folder), [])
  })
})

test('the error for a full disk names the setting of its folder', { skip: noMount }, async (t) => {
  await onDisk(t, '64k', async (folder) => {
    useFolder(t, folder)
    const kept = await KeptLines.open()
    kept.add(1, 0, 1, 'x'.repeat(200_000))
    await assert.rejects(kept.settle(), (error) => {
      const start = `the lines of sets are kept in ${folder}; let TMPDIR name a folder with room for them: ENOSPC: `
      assert.ok(messageOf(error).startsWith(start), messageOf(error))
      return (error as NodeJS.ErrnoException).code === 'ENOSPC'
    })
    await kept.close()
  })
})
