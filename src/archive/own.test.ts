/** If somebody plants links in the archive, no file outside of it is read as an entry, written, touched or removed. */
import assert from 'node:assert/strict'
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { boundedStore } from './cache.ts'
import { CorruptEntry, diskStore, type Store } from './store.ts'

const skip = process.platform === 'win32' && 'a link takes rights there that an account lacks'
const LONG_AGO = new Date('2020-01-01')
const CONTENT = Buffer.from('an original')

interface Scratch {
  root: string
  store: Store
  sha256: string
  /** File of the entry. */
  file: string
  /** A folder next to the archive. */
  outside: string
  /** Asserts that the folder next to the archive has the same files as before, with the same times. */
  assertUntouched: () => Promise<void>
}

/**
 * An archive with one entry, and a folder next to the archive. That folder has a copy of the entry with the same name,
 * and an old file.
 */
async function scratch(t: TestContext): Promise<Scratch> {
  const folder = await mkdtemp(path.join(tmpdir(), 'openfilings-links-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const [root, outside] = [path.join(folder, 'archive'), path.join(folder, 'outside')]
  const store = diskStore(root)
  const { sha256 } = await store.put(Readable.from([CONTENT]))
  const file = path.join(root, sha256.slice(0, 2), `${sha256}.zst`)
  await mkdir(outside)
  await copyFile(file, path.join(outside, path.basename(file)))
  await writeFile(path.join(outside, 'letter.part'), 'mine')
  for (const name of await readdir(outside)) await utimes(path.join(outside, name), LONG_AGO, LONG_AGO)
  const state = async () => {
    const names = (await readdir(outside)).sort()
    return Promise.all(
      names.map(async (name) => {
        const { mtimeMs, atimeMs: _, size } = await stat(path.join(outside, name))
        return { name, mtimeMs, size, content: await readFile(path.join(outside, name), 'latin1') }
      }),
    )
  }
  const before = await state()
  return { root, store, sha256, file, outside, assertUntouched: async () => assert.deepEqual(await state(), before) }
}

const all = (bytes: AsyncIterable<Uint8Array>) => Array.fromAsync(bytes).then((chunks) => Buffer.concat(chunks))
const isCorrupt = (reason: RegExp) => (error: Error) => error instanceof CorruptEntry && reason.test(error.message)

test('an entry that is a link is corrupt, whatever it leads to, and is replaced when it is put again', {
  skip,
}, async (t) => {
  const { store, sha256, file, outside, assertUntouched } = await scratch(t)
  for (const target of [path.basename(file), 'letter.part', 'nowhere']) {
    await rm(file)
    await symlink(path.join(outside, target), file)
    await assert.rejects(all(store.read(sha256)), isCorrupt(/it is a link$/), target)
    await assert.rejects(all(store.read(sha256, { start: 0, end: 2 })), isCorrupt(/it is a link$/), target)
    if (target === 'letter.part') await store.quarantine(sha256)
    await store.put(Readable.from([CONTENT]))
    assert.deepEqual(await all(store.read(sha256)), CONTENT)
  }
  await rm(file)
  await symlink(path.join(outside, path.basename(file)), file)
  assert.notEqual(await store.remove(sha256), null)
  await assertUntouched()
})

test('finds no entry in a folder that is a link, and reads, writes, sets aside and removes nothing there', {
  skip,
}, async (t) => {
  const { root, store, sha256, file, outside, assertUntouched } = await scratch(t)
  await rm(path.dirname(file), { recursive: true })
  await symlink(outside, path.dirname(file))
  await assert.rejects(all(store.read(sha256)), isCorrupt(/it is reached through a link$/))
  await assert.rejects(all(store.read(sha256, { start: 0, end: 2 })), isCorrupt(/it is reached through a link$/))
  await assert.rejects(store.put(Readable.from([CONTENT])), {
    message: `${path.dirname(file)} is a link, and the archive writes nothing through a link: remove the link`,
  })
  await store.quarantine(sha256)
  assert.equal(await store.remove(sha256), null)
  assert.deepEqual(await Array.fromAsync(store.entries()), [])
  assert.deepEqual(await readdir(path.join(root, 'tmp')), [])
  await assertUntouched()
})

test('writes and sweeps nothing if the folder of partial files is a link', { skip }, async (t) => {
  const { root, sha256, outside, assertUntouched } = await scratch(t)
  await rm(path.join(root, 'tmp'), { recursive: true })
  await symlink(outside, path.join(root, 'tmp'))
  // A store of another process, which sweeps at its first put.
  const other = diskStore(root)
  await assert.rejects(
    other.put(Readable.from(['new'])),
    /tmp is a link, and the archive writes nothing through a link/,
  )
  await assert.rejects(other.remove(sha256), /tmp is a link/)
  assert.equal(await other.derived.get({ sha256, name: 'text', version: 'c0ffee'.repeat(4) }, async () => 7), 7)
  await assertUntouched()
  await rm(path.join(root, 'tmp'))
  await other.put(Readable.from(['new']))
})

test('a file of another name in the folder of partial files stays, however old it is', { skip }, async (t) => {
  const { root } = await scratch(t)
  for (const name of ['old.part', 'letter.txt']) {
    await writeFile(path.join(root, 'tmp', name), 'x')
    await utimes(path.join(root, 'tmp', name), LONG_AGO, LONG_AGO)
  }
  await diskStore(root).put(Readable.from(['new']))
  assert.deepEqual(await readdir(path.join(root, 'tmp')), ['letter.txt'])
})

test('reads and writes no derived file through a link or below a link', { skip }, async (t) => {
  const { root, store, sha256, outside, assertUntouched } = await scratch(t)
  const key = { sha256, name: 'text', version: 'c0ffee'.repeat(4) }
  const folder = path.join(root, 'derived', key.version.slice(0, 12))
  const get = (value: string) => store.derived.get(key, async () => value)
  assert.equal(await get('first'), 'first')
  assert.equal(await get('second'), 'first')
  const file = path.join(folder, sha256.slice(0, 2), `${sha256}.text.json.zst`)
  const aside = path.join(path.dirname(root), 'aside')
  await rename(file, aside)
  await symlink(aside, file)
  assert.equal(await get('by a link'), 'by a link')
  assert.equal(await get('and kept'), 'by a link')
  await rm(path.join(root, 'derived'), { recursive: true })
  await mkdir(path.join(root, 'derived'))
  await symlink(outside, folder)
  assert.equal(await get('behind one'), 'behind one')
  assert.equal(await get('again'), 'again')
  await assertUntouched()
})

test('a full cache removes only its own entries', { skip }, async (t) => {
  const { root, sha256, file, outside, assertUntouched } = await scratch(t)
  await rm(path.dirname(file), { recursive: true })
  await symlink(outside, path.dirname(file))
  await mkdir(path.join(root, 'zz'))
  const own = sha256.startsWith('00') ? '11' : '00'
  await mkdir(path.join(root, own))
  await writeFile(path.join(root, own, 'letter.txt'), 'mine')
  await utimes(path.join(root, own, 'letter.txt'), LONG_AGO, LONG_AGO)
  const cache = boundedStore(root, 10)
  for (let n = 0; n < 3; n++) await cache.put(Readable.from([`entry ${n}`])).catch(() => null)
  assert.equal((await Array.fromAsync(cache.entries())).length, 1)
  assert.equal(await readFile(path.join(root, own, 'letter.txt'), 'latin1'), 'mine')
  await cache.has(sha256)
  await assertUntouched()
})
