/** @alone the memory of its process is measured */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { noMount, onDisk } from '../../test/support/disk.ts'
import { memoryInUse } from '../../test/support/memory.ts'
import { bytesOf, randomFor } from '../../test/support/random.ts'
import { DiskError } from '../declare/errors.ts'
import { CorruptEntry, diskStore } from './store.ts'

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function* chunked(bytes: Uint8Array, size = 100_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const list: Buffer[] = []
  for await (const chunk of chunks) list.push(chunk)
  return Buffer.concat(list)
}

const random = randomFor('contents')

/** 1.5 MB, of which half is repeated, so that the content can be compressed, but not to almost nothing. */
const CONTENT = Buffer.concat(
  Array.from({ length: 30 }, (_, i) => Buffer.concat([bytesOf(random, 25_000), Buffer.alloc(25_000, i)])),
)

async function fresh(t: TestContext) {
  const root = await mkdtemp(path.join(tmpdir(), 'store-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const fileOf = (sha256: string) => path.join(root, sha256.slice(0, 2), `${sha256}.zst`)
  return { root, store: diskStore(root), fileOf }
}

/** Returns the open descriptors of this process that lead to the file; none on systems other than Linux. */
async function openFiles(file: string): Promise<string[]> {
  if (process.platform !== 'linux') return []
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  return (await Promise.all(links)).filter((link) => link === file)
}

/** Every file below the folder, except those of the temporary folder. */
async function visible(root: string): Promise<string[]> {
  const found = await readdir(root, { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('tmp')).map((entry) => entry.name)
}

test('reads back what was put, stored under its own digest', async (t) => {
  const { root, store } = await fresh(t)
  const kept = await store.put(chunked(CONTENT))
  assert.deepEqual(kept, { sha256: digest(CONTENT), bytes: CONTENT.length })
  assert.equal(await store.has(kept.sha256), true)
  assert.deepEqual(await all(store.read(kept.sha256)), CONTENT)
  assert.deepEqual(await visible(root), [`${kept.sha256}.zst`])
  assert.deepEqual(await readdir(path.join(root, 'tmp')), [])
})

test('stores empty content too', async (t) => {
  const { store } = await fresh(t)
  const kept = await store.put(chunked(Buffer.alloc(0)))
  assert.deepEqual(kept, { sha256: digest(Buffer.alloc(0)), bytes: 0 })
  assert.equal((await all(store.read(kept.sha256))).length, 0)
})

test('a range read returns the same bytes as a slice of the whole content', async (t) => {
  const { store } = await fresh(t)
  const { sha256 } = await store.put(chunked(CONTENT))
  const last = CONTENT.length
  const edges = [0, 1, 131_071, 131_072, 131_073, 700_000, last - 1, last]
  for (const start of edges) {
    for (const end of edges.filter((edge) => edge >= start)) {
      assert.ok((await all(store.read(sha256, { start, end }))).equals(CONTENT.subarray(start, end)), `${start}…${end}`)
    }
  }
  assert.ok((await all(store.read(sha256, { start: last - 3, end: last + 10 }))).equals(CONTENT.subarray(last - 3)))
})

test('refuses an invalid range', async (t) => {
  const { store } = await fresh(t)
  const sha256 = digest(CONTENT)
  for (const [start, end] of [
    [-1, 5],
    [5, 4],
    [0, Number.NaN],
    [0.5, 2],
  ] as const) {
    assert.throws(() => store.read(sha256, { start, end }), RangeError)
  }
})

test('refuses a name that is not a digest', async (t) => {
  const { store } = await fresh(t)
  const names = ['', '../../etc/passwd', 'a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), `${'a'.repeat(64)}\n`]
  for (const name of names) {
    assert.throws(() => store.read(name), RangeError)
    await assert.rejects(store.has(name), RangeError)
    await assert.rejects(store.quarantine(name), RangeError)
  }
})

test('reading a damaged entry throws a CorruptEntry that names the file', async (t) => {
  const { store, fileOf } = await fresh(t)
  const { sha256 } = await store.put(chunked(CONTENT))
  const file = fileOf(sha256)
  const good = await readFile(file)
  const other = await store.put(chunked(Buffer.from('something else')))
  const flipped = Buffer.from(good)
  flipped[good.length >> 1]! ^= 0x10
  const damage: [string, Buffer][] = [
    ['empty', Buffer.alloc(0)],
    ['cut in half', good.subarray(0, good.length >> 1)],
    ['without its last byte', good.subarray(0, -1)],
    ['with one bit flipped', flipped],
    ['no zstd at all', Buffer.from('<html>503</html>')],
    ['content of another entry', await readFile(fileOf(other.sha256))],
  ]
  for (const [what, bytes] of damage) {
    await writeFile(file, bytes)
    await assert.rejects(all(store.read(sha256)), (error) => {
      assert.ok(error instanceof CorruptEntry, `${what}: ${error}`)
      assert.equal(error.file, file)
      assert.equal(error.sha256, sha256)
      assert.ok(error.message.includes(file))
      return true
    })
  }
})

test('reads a small entry whole, throws CorruptEntry if it is damaged, and closes its file in both cases', async (t) => {
  const { store, fileOf } = await fresh(t)
  const content = bytesOf(random, 3_000)
  const { sha256 } = await store.put(chunked(content, 700))
  const file = fileOf(sha256)
  const good = await readFile(file)
  const several = await Promise.all(
    Array.from({ length: 20 }, (_, n) => all(store.read(sha256, { start: n, end: 2_000 + n }))),
  )
  for (const [n, found] of several.entries()) assert.deepEqual(found, content.subarray(n, 2_000 + n))
  for (const bytes of [Buffer.alloc(0), good.subarray(0, good.length >> 1), Buffer.from('<html>503</html>')]) {
    await writeFile(file, bytes)
    await assert.rejects(all(store.read(sha256)), CorruptEntry)
    await assert.rejects(all(store.read(sha256, { start: 0, end: 10 })), CorruptEntry)
  }
  await rm(file)
  await mkdir(file)
  await assert.rejects(all(store.read(sha256)), { code: 'EISDIR' })
  assert.deepEqual(await openFiles(file), [])
})

test('an entry that is small on disk and large when decompressed comes in chunks', async (t) => {
  const { store } = await fresh(t)
  const content = Buffer.alloc(3_000_000, 'x')
  const { sha256 } = await store.put(chunked(content))
  const lengths: number[] = []
  for await (const chunk of store.read(sha256)) lengths.push(chunk.length)
  assert.ok(Math.max(...lengths) <= 128 * 1024, `a chunk of ${Math.max(...lengths)} bytes`)
  assert.deepEqual(await all(store.read(sha256)), content)
})

test('reading a missing entry throws CorruptEntry, since such an entry must be fetched again too', async (t) => {
  const { store } = await fresh(t)
  assert.equal(await store.has(digest(CONTENT)), false)
  await assert.rejects(all(store.read(digest(CONTENT))), CorruptEntry)
  await assert.rejects(all(store.read(digest(CONTENT), { start: 0, end: 1 })), CorruptEntry)
})

test('a range read of a truncated entry throws CorruptEntry instead of returning fewer bytes', async (t) => {
  const { store, fileOf } = await fresh(t)
  const { sha256, bytes } = await store.put(chunked(CONTENT))
  const good = await readFile(fileOf(sha256))
  await writeFile(fileOf(sha256), good.subarray(0, good.length >> 1))
  await assert.rejects(all(store.read(sha256, { start: bytes - 100, end: bytes })), CorruptEntry)
})

test('a quarantined entry is gone from its place, kept aside, and can be put again', async (t) => {
  const { root, store, fileOf } = await fresh(t)
  const { sha256 } = await store.put(chunked(CONTENT))
  await writeFile(fileOf(sha256), 'garbage')
  await store.quarantine(sha256)
  await store.quarantine(sha256)
  assert.equal(await store.has(sha256), false)
  assert.equal((await readdir(path.join(root, 'corrupt'))).length, 1)
  await store.put(chunked(CONTENT))
  assert.ok((await all(store.read(sha256))).equals(CONTENT))
})

test('putting content again repairs a damaged entry', async (t) => {
  const { store, fileOf } = await fresh(t)
  const { sha256 } = await store.put(chunked(CONTENT))
  await writeFile(fileOf(sha256), 'garbage')
  await store.put(chunked(CONTENT))
  assert.ok((await all(store.read(sha256))).equals(CONTENT))
})

test('concurrent puts of the same content leave one whole entry', async (t) => {
  const { root, store } = await fresh(t)
  const kept = await Promise.all(
    [1, 2, 3, 4].map((n) => (n % 2 ? store : diskStore(root)).put(chunked(CONTENT, n * 7919))),
  )
  assert.equal(new Set(kept.map((entry) => entry.sha256)).size, 1)
  assert.deepEqual(await visible(root), [`${digest(CONTENT)}.zst`])
  assert.ok((await all(store.read(digest(CONTENT)))).equals(CONTENT))
})

test('a put whose body fails midway leaves no file, and throws the error of the body', async (t) => {
  const { root, store } = await fresh(t)
  const broken = async function* () {
    yield CONTENT.subarray(0, 400_000)
    throw new Error('the line went dead')
  }
  await assert.rejects(store.put(broken()), /^Error: the line went dead$/)
  assert.deepEqual(await visible(root), [])
  assert.deepEqual(await readdir(path.join(root, 'tmp')), [])
})

test('a put on a full or read-only disk is refused, the error names the folder and the remedy, and puts succeed once the disk allows them', {
  skip: noMount,
}, async (t) => {
  await onDisk(t, '1m', async (disk) => {
    const store = diskStore(path.join(disk, 'archive'))
    const large = bytesOf(randomFor('a large entry'), 2_000_000)
    const refused = async (words: string) => {
      const error: unknown = await store.put(chunked(large)).catch((error) => error)
      assert.ok(error instanceof DiskError, String(error))
      assert.ok(error.message.startsWith(`the archive ${disk}/archive cannot be written: ${words} (`), error.message)
      return error.code
    }
    assert.equal(await refused('its disk is full: make room'), 'ENOSPC')
    execFileSync('mount', ['-o', 'remount,ro', disk])
    assert.equal(await refused('its disk is read-only: make the disk writable'), 'EROFS')
    execFileSync('mount', ['-o', 'remount,rw,size=8m', disk])
    assert.equal((await store.put(chunked(large))).bytes, large.length)
  })
})

test('an error of the source that looks like an error of the disk is passed on as it is', async (t) => {
  const { store } = await fresh(t)
  const unreadable = Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES', syscall: 'open' })
  const broken = async function* () {
    yield CONTENT.subarray(0, 100)
    throw unreadable
  }
  await assert.rejects(store.put(broken()), (error) => error === unreadable)
})

test('reads and look-ups in an archive of another account are refused, and the error names the remedy', {
  skip: process.platform !== 'linux' || process.getuid!() !== 0,
}, async (t) => {
  const { root, store } = await fresh(t)
  const { sha256 } = await store.put(chunked(CONTENT))
  process.seteuid!(65534)
  try {
    const isOurs = (error: unknown) =>
      error instanceof DiskError &&
      /: this user has no right to do so: give the folder .* \(EACCES: /.test(error.message)
    await assert.rejects(store.has(sha256), isOurs)
    await assert.rejects(all(store.read(sha256)), isOurs)
    await assert.rejects(store.put(chunked(CONTENT)), isOurs)
  } finally {
    process.seteuid!(0)
  }
  assert.ok(await store.has(sha256), root)
})

test('a folder of temporary files that cannot be swept stops puts only until it is mended', async (t) => {
  const { root, store } = await fresh(t)
  // A folder in place of a file: it cannot be removed like a file.
  const wrong = path.join(root, 'tmp', 'old.part')
  await mkdir(wrong, { recursive: true })
  await utimes(wrong, 0, 0)
  await assert.rejects(store.put(chunked(CONTENT)), /old\.part/)
  await rm(wrong, { recursive: true })
  assert.equal((await store.put(chunked(CONTENT))).bytes, CONTENT.length)
})

test('closes the file if its reader stops early', {
  skip: process.platform !== 'linux',
  timeout: 10_000,
}, async (t) => {
  const { store, fileOf } = await fresh(t)
  const { sha256 } = await store.put(chunked(CONTENT))
  const held = async () => (await openFiles(fileOf(sha256))).length > 0
  for await (const chunk of store.read(sha256)) {
    assert.ok(chunk.length > 0)
    assert.equal(await held(), true)
    break
  }
  while (await held()) await new Promise((done) => setTimeout(done, 5))
})

test('a process killed in the middle of a put leaves nothing visible, and its leftovers are removed once they are old', async (t) => {
  const { root, store } = await fresh(t)
  const endless = `
    import { randomBytes } from 'node:crypto'
    import { diskStore } from ${JSON.stringify(new URL('./store.ts', import.meta.url).href)}
    await diskStore(${JSON.stringify(root)}).put((async function* () {
      for (let n = 0; ; n++) {
        yield randomBytes(1_000_000)
        if (n === 8) console.log('under way')
        if (n > 8) await new Promise((done) => setTimeout(done, 20))
      }
    })())`
  const child = spawn(process.execPath, ['--input-type=module', '-e', endless], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await gone
  const [leftover, ...more] = await readdir(path.join(root, 'tmp'))
  assert.ok(leftover && more.length === 0)
  assert.deepEqual(await visible(root), [])

  await store.put(chunked(CONTENT))
  assert.deepEqual(await readdir(path.join(root, 'tmp')), [leftover], 'a young file may belong to a living process')
  const old = Date.now() / 1000 - 2 * 86_400
  await utimes(path.join(root, 'tmp', leftover), old, old)
  await diskStore(root).put(chunked(CONTENT))
  assert.deepEqual(await readdir(path.join(root, 'tmp')), [])
})

test('a large body passes through in small pieces and is never whole in memory', async (t) => {
  const { store } = await fresh(t)
  const piece = bytesOf(random, 1_000_000)
  const count = 100
  const before = await memoryInUse()
  let peak = before
  const { sha256, bytes } = await store.put(
    (async function* () {
      for (let n = 0; n < count; n++) {
        if (n % 20 === 0) peak = Math.max(peak, await memoryInUse())
        yield Buffer.from(piece)
      }
    })(),
  )
  assert.equal(bytes, count * piece.length)
  t.diagnostic(`writing takes ${Math.round((peak - before) / 1e4) / 100} MB`)
  let [size, chunks] = [0, 0]
  for await (const chunk of store.read(sha256)) {
    size += chunk.length
    if (chunks++ % 200 === 0) peak = Math.max(peak, await memoryInUse())
  }
  assert.equal(size, bytes)
  t.diagnostic(`with reading ${Math.round((peak - before) / 1e4) / 100} MB`)
  // 100 MB are put and read. If the store collected these bytes in memory, one of the measurements would show at least
  // half of them.
  assert.ok(peak - before < 25e6, `${Math.round((peak - before) / 1e6)} MB more`)
})
