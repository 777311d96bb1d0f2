import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { pack, sizeOf, unpack } from '../read/packed.ts'
import { type Derived, derivedIn } from './derived.ts'

const KEY = { sha256: 'ab'.repeat(32), name: 'text-1', version: 'c0ffee'.repeat(4) }

interface Scratch {
  root: string
  derived: Derived
  made: () => number
  get(key?: Partial<typeof KEY>): Promise<{ n: number }>
  /** Returns the path of the only derived file. */
  file(): Promise<string>
}

async function scratch(t: TestContext): Promise<Scratch> {
  const root = await mkdtemp(path.join(tmpdir(), 'openfilings-derived-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const derived = derivedIn(root, path.join(root, 'derived'), path.join(root, 'tmp'))
  let made = 0
  return {
    root,
    derived,
    made: () => made,
    get: (key = {}) => derived.get({ ...KEY, ...key }, async () => ({ n: ++made, text: 'x'.repeat(1000) })),
    async file() {
      const all = await readdir(path.join(root, 'derived'), { recursive: true, withFileTypes: true })
      const [one] = all.filter((entry) => entry.isFile())
      return path.join(one!.parentPath, one!.name)
    },
  }
}

test('finds a derived text again by digest, name and version', async (t) => {
  const { get, made, root } = await scratch(t)
  assert.equal((await get()).n, 1)
  assert.equal((await get()).n, 1)
  for (const other of [{ sha256: 'cd'.repeat(32) }, { name: 'text-2' }, { version: 'decade'.repeat(4) }])
    await get(other)
  assert.equal(made(), 4)
  const again = derivedIn(root, path.join(root, 'derived'), path.join(root, 'tmp'))
  assert.equal((await again.get<{ n: number }>(KEY, async () => assert.fail('the value is made again'))).n, 1)
  assert.deepEqual(await readdir(path.join(root, 'tmp')), [])
})

test('makes a derived text once for concurrent requests, and again after a failure', async (t) => {
  const { get, made, derived } = await scratch(t)
  await Promise.all(Array.from({ length: 20 }, () => get()))
  assert.equal(made(), 1)
  const broken = { ...KEY, name: 'broken' }
  const fail = () => derived.get(broken, () => Promise.reject(new Error('no bytes')))
  const outcomes = await Promise.allSettled([fail(), fail()])
  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  assert.equal(await derived.get(broken, async () => 'made'), 'made')
})

test('returns a text packed as stored, and also as JSON if it is small; makes a damaged text again', async (t) => {
  const { derived, file } = await scratch(t)
  let made = 0
  const get = async (value: unknown) => {
    const { packed, json } = await derived.packed(KEY, async () => pack([++made, value]))
    assert.equal(sizeOf(packed), JSON.stringify([made, value]).length)
    return [unpack<[number, unknown]>(packed), json?.toString() ?? null] as const
  }
  for (const size of [1, 100, 300, 70_000, 600_000, 17_000_000]) {
    const value = 'x'.repeat(size)
    const json = (n: number) => (size > 500_000 ? null : JSON.stringify([n, value]))
    const first = made + 1
    assert.equal(await derived.json(KEY), null)
    for (let i = 0; i < 2; i++) assert.deepEqual(await get(value), [[first, value], json(first)])
    assert.equal((await derived.json(KEY))?.toString() ?? null, json(first))
    const name = await file()
    const bytes = await readFile(name)
    bytes[bytes.length - 6]! ^= 0xff
    await writeFile(name, bytes)
    assert.equal(await derived.json(KEY), null)
    assert.deepEqual(await get(value), [[first + 1, value], json(first + 1)])
    await rm(name)
  }
  for (const other of [Buffer.alloc(0), Buffer.from('not compressed, by no means')]) assert.equal(sizeOf(other), null)
})

test('makes a derived text again if it is damaged, cut off, empty or not JSON', async (t) => {
  const { get, made, file } = await scratch(t)
  await get()
  const name = await file()
  const damages = [
    async () => truncate(name, 20),
    async () => truncate(name, 0),
    async () => writeFile(name, 'not compressed'),
    async () => {
      const bytes = await readFile(name)
      bytes[bytes.length - 6]! ^= 0xff
      await writeFile(name, bytes)
    },
    async () => rm(name),
  ]
  for (const [i, damage] of damages.entries()) {
    await damage()
    assert.equal((await get()).n, i + 2)
    assert.equal((await get()).n, i + 2)
  }
  assert.equal(made(), damages.length + 1)
})

test('if nothing can be written, makes a derived text again for each request', {
  skip: process.getuid?.() === 0 && 'root may write everywhere; the next test is a similar one',
}, async (t) => {
  const { get, root } = await scratch(t)
  await chmod(root, 0o500)
  assert.equal((await get()).n, 1)
  assert.equal((await get()).n, 2)
  await chmod(root, 0o700)
})

test('makes a derived text for each request if a file is in the place of the folder of derived texts', async (t) => {
  const { get, root } = await scratch(t)
  await writeFile(path.join(root, 'derived'), 'in the way')
  assert.deepEqual([(await get()).n, (await get()).n], [1, 2])
})

test('refuses a key that is not a valid file name', async (t) => {
  const { get } = await scratch(t)
  for (const bad of [{ sha256: '../x' }, { name: '../../x' }, { version: '/' }, { name: '' }]) {
    assert.throws(() => void get(bad), RangeError)
  }
})
