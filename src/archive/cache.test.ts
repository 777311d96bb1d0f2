import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { bytesOf, randomFor } from '../../test/support/random.ts'
import { boundedStore } from './cache.ts'
import { CorruptEntry } from './store.ts'

const random = randomFor('entries')
const KB = 1024
/** An entry of this size takes 10 KB on disk and a few bytes more. */
const SIZE = 10 * KB

async function scratch(t: TestContext, sizeMax: number) {
  const root = await mkdtemp(path.join(tmpdir(), 'openfilings-cache-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  let now = Date.parse('2026-01-01')
  const open = () => boundedStore(root, sizeMax, () => now)
  const store = open()
  async function put(cache = store, size = SIZE): Promise<string> {
    now += 1000
    return (await cache.put(Readable.from([bytesOf(random, size)]))).sha256
  }
  const size = async () => {
    const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(path.join(parentPath, name))))
    return sizes.reduce((sum, each) => sum + each.size, 0)
  }
  const use = async (sha256: string, cache = store) => {
    now += 1000
    return cache.has(sha256)
  }
  return { root, store, open, put, use, size }
}

const all = async (chunks: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(chunks))

test('evicts the least recently used entry first, and reading counts as use for every process', async (t) => {
  const { open, put, use } = await scratch(t, 100 * KB)
  const other = open()
  const first = await put()
  const second = await put()
  assert.ok(await use(first, other), 'another process uses what the first one wrote')
  const later = []
  for (let i = 0; i < 12; i++) later.push(await put())
  assert.equal(await use(second), false)
  assert.equal(await use(later[0]!), false)
  for (const sha256 of later.slice(-7)) assert.ok(await use(sha256))
})

test('three processes that write at once stay below the bound, whatever the cache contained before', async (t) => {
  const bound = 400 * KB
  const { open, put, size } = await scratch(t, bound)
  const stores = [open(), open(), open()]
  for (let i = 0; i < 150; i++) {
    await put(stores[i % 3])
    assert.ok((await size()) <= bound, `after ${i + 1} entries`)
  }
  assert.ok((await size()) > bound / 2)
  const after = open()
  await put(after)
  assert.ok((await size()) <= bound)
})

test('an entry larger than the bound can be read until the next entry is written', async (t) => {
  const { store, put, use, size } = await scratch(t, 8 * KB)
  const large = await put(store, 50 * KB)
  assert.equal((await all(store.read(large))).length, 50 * KB)
  await put(store, 1 * KB)
  assert.equal(await use(large), false)
  assert.ok((await size()) < 8 * KB)
})

test('an entry removed during a read is read to its end, and an entry removed before a read is missing', async (t) => {
  const { root, store, put } = await scratch(t, 10_000 * KB)
  const sha256 = await put(store, 3000 * KB)
  const reading = store.read(sha256)
  const first = (await reading.next()).value as Buffer
  await rm(path.join(root, sha256.slice(0, 2)), { recursive: true })
  assert.equal(first.length + (await all(reading)).length, 3000 * KB)
  await assert.rejects(all(store.read(sha256)), CorruptEntry)
})

test('removes a damaged entry and does not quarantine it, since quarantined files would not count towards the bound', async (t) => {
  const { store, put, size, use } = await scratch(t, 100 * KB)
  const entry = await put()
  await store.quarantine(entry)
  assert.equal(await size(), 0)
  assert.equal(await use(entry), false)
  await store.quarantine(entry)
})

test('reports a cache that cannot be written, and loses nothing', {
  skip: process.getuid?.() === 0 && 'root may write everywhere',
}, async (t) => {
  const { root, put } = await scratch(t, 100 * KB)
  await chmod(root, 0o500)
  await assert.rejects(put(), { code: 'EACCES' })
  await chmod(root, 0o700)
})

test('after room could not be made once, later entries are written, and the cache stays below its bound again', async (t) => {
  const { root, put, size } = await scratch(t, 100 * KB)
  // An entry that is a folder cannot be removed as a file.
  const name = '0'.repeat(64)
  const blocking = path.join(root, '00', `${name}.zst`)
  await put()
  await mkdir(blocking, { recursive: true })
  await utimes(blocking, 0, 0)
  await assert.rejects(async () => {
    for (let i = 0; i < 12; i++) await put()
  }, /directory/)
  await rm(blocking, { recursive: true })
  for (let i = 0; i < 12; i++) await put()
  assert.ok((await size()) <= 100 * KB)
})
