/** The archive in a bucket, against a real S3 server behind a proxy that makes faults. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { bucketStore } from '../../src/archive/bucket.ts'
import { openObjects } from '../../src/archive/objects.ts'
import { loadClient } from '../../src/archive/s3.ts'
import { CorruptEntry, diskStore } from '../../src/archive/store.ts'
import { BucketError, UserError } from '../../src/declare/errors.ts'
import { endsRun, isAway, passes } from '../../src/ingest/failures.ts'
import { bytesOf, randomFor } from '../support/random.ts'
import { bucketServer } from '../support/s3/server.ts'

const random = randomFor('contents')
const contentOf = (length: number) => bytesOf(random, length)
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function* once(bytes: Uint8Array) {
  yield bytes
}

const all = async (chunks: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(chunks))

const nameIn = (sha256: string) => `${sha256.slice(0, 2)}/${sha256}.zst`

async function fresh(t: TestContext, { sizeMax = 1e9, timeoutMs = 2_000 } = {}) {
  const bucket = await bucketServer(t)
  const slept: number[] = []
  const sleep = async (ms: number) => void slept.push(ms)
  const place = { bucket: 'filings', prefix: 'own/', endpoint: bucket.endpoint, region: 'us-east-1' }
  const objects = openObjects(place, { timeoutMs, sleep, attempts: 4 })
  const folder = async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'bucket-'))
    t.after(() => rm(root, { recursive: true, force: true }))
    return root
  }
  t.after(() => objects.close())
  const root = await folder()
  const store = bucketStore({ objects, root, sizeMax })
  /** Opens the same bucket as another machine would. */
  const other = async () => bucketStore({ objects, root: await folder(), sizeMax })
  const fileOf = (sha256: string) => path.join(root, nameIn(sha256))
  return { bucket, objects, store, other, slept, fileOf, folder }
}

test('an entry that one machine puts can be read by another, whole and in ranges, with a single request', async (t) => {
  const { bucket, store, other } = await fresh(t)
  const content = contentOf(300_000)
  const kept = await store.put(once(content))
  assert.deepEqual(kept, { sha256: digest(content), bytes: content.length })
  const there = await other()
  assert.equal(await there.has(kept.sha256), true)
  assert.deepEqual(await all(there.read(kept.sha256)), content)
  assert.deepEqual(await all(there.read(kept.sha256, { start: 1_000, end: 200_001 })), content.subarray(1_000, 200_001))
  assert.equal(bucket.requests.filter((one) => one.startsWith('GET')).length, 1)
  const [entry, ...more] = await Array.fromAsync(there.entries())
  assert.deepEqual([entry!.sha256, entry!.size, more], [kept.sha256, await there.sizeOf(kept.sha256), []])
})

test('a put that the store confirms and loses is put again, and fails if it is lost each time', async (t) => {
  const { bucket, store, other, slept } = await fresh(t)
  const content = contentOf(5_000)
  bucket.faults.PUT = ['lose']
  const { sha256 } = await store.put(once(content))
  assert.deepEqual([await all((await other()).read(sha256)), slept], [content, [500]])
  bucket.faults.PUT = ['lose', 'lose', 'lose', 'lose']
  const lost = contentOf(5_000)
  await assert.rejects(store.put(once(lost)), (error: Error) => {
    assert.ok(error instanceof BucketError)
    assert.match(
      error.message,
      /s3:\/\/filings\/own\/ could not keep .*: it was written, but the bucket then had none of its \d+ bytes$/,
    )
    return true
  })
  assert.equal(await store.has(digest(lost)), false, 'a file of the cache would hide that the object is missing')
})

test('temporary refusals, silence and interrupted transfers are tried again with growing waits, and a denial is not', async (t) => {
  const { bucket, store, other, slept } = await fresh(t)
  const content = contentOf(50_000)
  bucket.faults.PUT = ['busy', 'slow']
  const { sha256 } = await store.put(once(content))
  assert.deepEqual(slept.splice(0), [500])
  bucket.faults.GET = ['busy', 'hang', 'cut']
  assert.deepEqual(await all((await other()).read(sha256)), content)
  assert.deepEqual(slept.splice(0), [500, 1_000, 2_000])
  bucket.faults.GET = ['busy', 'busy', 'busy', 'busy']
  await assert.rejects(all((await other()).read(sha256)), BucketError)
  assert.deepEqual(slept.splice(0), [500, 1_000, 2_000])
  bucket.faults.GET = ['denied']
  await assert.rejects(all((await other()).read(sha256)), BucketError)
  assert.deepEqual(slept, [])
})

test('an object with wrong bytes is requested once more, and is then refused before its reader gets a byte', async (t) => {
  const { bucket, store, other } = await fresh(t)
  const content = contentOf(200_000)
  const { sha256 } = await store.put(once(content))
  for (const fault of ['short', 'flip'] as const) {
    bucket.faults.GET = [fault]
    assert.deepEqual(await all((await other()).read(sha256)), content)
    bucket.faults.GET = [fault, fault]
    const chunks = (await other()).read(sha256)
    await assert.rejects(chunks.next(), (error: Error) => {
      assert.ok(error instanceof CorruptEntry)
      assert.match(error.message, /^the archive entry s3:\/\/filings\/own\/.*\.zst is corrupt: it/)
      return true
    })
  }
})

test('an object with another content is refused by its digest, and set aside so that it can be fetched again', async (t) => {
  const { objects, store, other, fileOf } = await fresh(t)
  const [one, two] = [await store.put(once(contentOf(4_000))), await store.put(once(contentOf(4_000)))]
  const file = fileOf(two.sha256)
  const bytes = await readFile(file)
  const name = nameIn(one.sha256)
  await objects.put(name, {
    path: file,
    size: bytes.length,
    md5: createHash('md5').update(bytes).digest('base64'),
  })
  const there = await other()
  await assert.rejects(all(there.read(one.sha256)), /is corrupt: its content has another digest, /)
  await there.quarantine(one.sha256)
  assert.equal(await there.has(one.sha256), false)
  const aside = await Array.fromAsync(objects.list('corrupt/'))
  assert.deepEqual(
    aside.map(({ size }) => size),
    [bytes.length],
  )
  assert.equal((await Array.fromAsync(there.entries())).length, 1, 'what is set aside is not an entry')
})

test('an object whose bytes are damaged only in transfer is not set aside', async (t) => {
  const { bucket, objects, store, other } = await fresh(t)
  const content = contentOf(4_000)
  const { sha256 } = await store.put(once(content))
  const there = await other()
  bucket.faults.GET = ['flip', 'flip']
  await assert.rejects(all(there.read(sha256)), CorruptEntry)
  await there.quarantine(sha256)
  assert.deepEqual(await Array.fromAsync(objects.list('corrupt/')), [])
  assert.deepEqual(await all(there.read(sha256)), content)
})

test('a put has its file in the cache only after the bucket has the object, and a put of a missing file fails at once with the reason', async (t) => {
  const { bucket, objects, store, fileOf, slept } = await fresh(t)
  const content = contentOf(4_000)
  const file = fileOf(digest(content))
  const isCached: boolean[] = []
  bucket.choose = (method) => {
    if (method === 'PUT') isCached.push(existsSync(file))
    return undefined
  }
  await store.put(once(content))
  assert.deepEqual([isCached, existsSync(file)], [[false], true])
  const gone = { path: `${file}.gone`, size: 5, md5: 'x' }
  await assert.rejects(objects.put('ab/gone', gone), { code: 'ENOENT' })
  assert.deepEqual(slept, [])
})

test('a missing object is a corrupt entry, and a damaged file of the cache is replaced from the bucket', async (t) => {
  const { store, other, fileOf } = await fresh(t)
  await assert.rejects(all(store.read('ab'.repeat(32))), /is corrupt: it is missing/)
  await store.quarantine('ab'.repeat(32))
  const content = contentOf(4_000)
  const { sha256 } = await store.put(once(content))
  await writeFile(fileOf(sha256), 'damaged')
  assert.deepEqual(await all(store.read(sha256)), content)
  assert.equal(await store.remove(sha256, Date.now() - 60_000), null, 'the object is too young')
  assert.ok((await store.remove(sha256))! > 4_000)
  assert.deepEqual(
    [await store.has(sha256), await store.sizeOf(sha256), await store.remove(sha256)],
    [false, null, null],
  )
  assert.equal(await (await other()).has(sha256), false)
})

test('the cache stays within its limit, and entries that it dropped are read from the bucket', async (t) => {
  const { bucket, store } = await fresh(t, { sizeMax: 100_000 })
  const contents = Array.from({ length: 12 }, () => contentOf(20_000))
  for (const content of contents) await store.put(once(content))
  for (const content of contents) assert.deepEqual(await all(store.read(digest(content))), content)
  assert.ok(bucket.requests.filter((one) => one.startsWith('GET')).length >= 7)
})

test('if nothing listens at the endpoint, a put fails with a reason that contains no keys', async (t) => {
  const { bucket, store } = await fresh(t)
  await bucket.stop()
  await assert.rejects(store.put(once(contentOf(100))), (error: Error) => {
    assert.ok(error instanceof BucketError)
    assert.match(error.message, /ECONNREFUSED/)
    // Only this filing fails, and the next run tries it again. The error code is not mistaken for one of the database.
    assert.deepEqual([endsRun(error), isAway(error), passes(error)], [false, false, true])
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /Signature|S3RVER/)
    return true
  })
})

test('an interrupted put fails, its incomplete object is refused and replaced by the next put, and two machines that put one content at once leave a complete object', async (t) => {
  const { bucket, store, other } = await fresh(t)
  const content = contentOf(400_000)
  const there = await other()
  bucket.faults.PUT = ['half', 'half', 'half', 'half']
  await assert.rejects(store.put(once(content)), BucketError)
  // The server of this test stores the half that it received, which a real store should not do.
  await assert.rejects(all(there.read(digest(content))), CorruptEntry)
  await store.put(once(content))
  assert.deepEqual(await all(there.read(digest(content))), content)
  bucket.faults.PUT = ['half']
  const [one, two] = await Promise.all([store.put(once(content)), there.put(once(content))])
  assert.deepEqual(one, two)
  assert.deepEqual(await all((await other()).read(one.sha256)), content)
})

test('if a store hangs in the middle of an answer, the call is given up at its time limit and tried again', async (t) => {
  const { bucket, objects, store, other, slept } = await fresh(t, { timeoutMs: 600 })
  const content = contentOf(50_000)
  const { sha256 } = await store.put(once(content))
  bucket.faults.GET = ['stall']
  assert.deepEqual(await all((await other()).read(sha256)), content)
  bucket.faults.GET = ['stall', 'hang']
  assert.equal((await Array.fromAsync(objects.list(''))).length, 1)
  bucket.faults.PUT = ['hang']
  await store.put(once(contentOf(100)))
  bucket.faults.DELETE = ['hang']
  await objects.remove(nameIn(sha256))
  assert.deepEqual(bucket.faults, { GET: [], PUT: [], DELETE: [] }, 'the requests have used all faults')
  // On a busy machine, an answer may be too late even without a fault.
  assert.ok(slept.length >= 5, slept.join())
  bucket.choose = () => 'hang'
  await assert.rejects(objects.head(nameIn(sha256)), /could not look up .*: .*600 ms/)
})

test('a bucket in another region is refused with the name of that region, and its address is not followed', async (t) => {
  const { bucket, store, slept } = await fresh(t)
  bucket.choose = () => 'moved'
  await assert.rejects(store.put(once(contentOf(100))), (error: Error) => {
    assert.ok(error instanceof BucketError && endsRun(error))
    assert.match(
      error.message,
      /could not keep .*; the bucket is in the region eu-north-1, so set AWS_REGION=eu-north-1$/,
    )
    return true
  })
  assert.deepEqual([slept, bucket.requests.length], [[], 1])
})

test('a long list is read page by page, and a list that ends too early or repeats a page is refused', async (t) => {
  const { bucket, objects, store } = await fresh(t)
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'bucket-')), 'file')
  t.after(() => rm(path.dirname(file), { recursive: true }))
  await writeFile(file, '')
  const md5 = createHash('md5').update('').digest('base64')
  const names = Array.from({ length: 1_001 }, (_, i) => `many/${String(i).padStart(4, '0')}`)
  const [first, ...others] = names
  await objects.put(first!, { path: file, size: 0, md5 })
  bucket.copy(
    `own/${first}`,
    others.map((name) => `own/${name}`),
  )
  const listed = async () => (await Array.fromAsync(objects.list('many/'))).map(({ name }) => name)
  const before = bucket.requests.length
  assert.deepEqual(await listed(), names)
  assert.equal(bucket.requests.length - before, 2)
  bucket.relist = (xml) => xml.replace(/<NextContinuationToken>.*?<\/NextContinuationToken>/, '')
  await assert.rejects(listed(), /s3:\/\/filings\/own\/ says that its list continues/)
  let second: string | undefined
  // The second page names itself as the next one.
  bucket.relist = (xml) => {
    second ??= /<NextContinuationToken>.*?<\/NextContinuationToken>/.exec(xml)?.[0]
    return xml.replace('<IsTruncated>false', `${second}<IsTruncated>true`)
  }
  await assert.rejects(listed(), /s3:\/\/filings\/own\/ says that its list continues/)
  // An object without a time might be young.
  const { sha256 } = await store.put(once(contentOf(100)))
  bucket.relist = (xml) => xml.replace(/<LastModified>.*?<\/LastModified>/g, '')
  const [entry] = await Array.fromAsync(store.entries())
  assert.deepEqual([entry!.sha256, entry!.writtenAt], [sha256, Number.POSITIVE_INFINITY])
})

test('if the cache cannot be written, a read fails after one request and says why', async (t) => {
  const { bucket, objects, store, folder } = await fresh(t)
  const { sha256 } = await store.put(once(contentOf(4_000)))
  const root = await folder()
  // Puts a file in the place of the folder for files that are being written.
  await writeFile(path.join(root, 'tmp'), '')
  const unwritable = bucketStore({ objects, root, sizeMax: 1e9 })
  const before = bucket.requests.length
  await assert.rejects(all(unwritable.read(sha256)), (error: Error) => {
    assert.ok(!(error instanceof BucketError || error instanceof CorruptEntry))
    assert.match(error.message, /ENOTDIR|EEXIST/)
    return true
  })
  assert.equal(bucket.requests.length - before, 1)
})

test('an entry that the bucket lacks or has damaged is read from the folder that had the archive, and only damaged objects are set aside', async (t) => {
  const { objects, store, folder } = await fresh(t)
  const old = await folder()
  const former = diskStore(old)
  const moved = bucketStore({ objects, root: await folder(), sizeMax: 1e9, former })
  const [content, other] = [contentOf(4_000), contentOf(4_000)]
  const { sha256 } = await former.put(once(content))
  assert.equal(await store.has(sha256), false)
  assert.equal(await moved.has(sha256), true)
  assert.deepEqual(await all(moved.read(sha256)), content)
  const damaged = await former.put(once(other))
  await writeFile(path.join(old, nameIn(damaged.sha256)), 'damaged')
  await assert.rejects(all(moved.read(damaged.sha256)), CorruptEntry)
  await moved.quarantine(damaged.sha256)
  assert.equal(await moved.has(damaged.sha256), false, 'the entry is missing, so it is fetched again')
  await moved.put(once(other))
  assert.deepEqual(await all(store.read(damaged.sha256)), other)
  // The object is damaged, and the file of the folder is sound.
  const third = contentOf(4_000)
  const { sha256: both } = await former.put(once(third))
  const file = path.join(old, nameIn(sha256))
  const bytes = await readFile(file)
  const md5 = createHash('md5').update(bytes).digest('base64')
  await objects.put(nameIn(both), { path: file, size: bytes.length, md5 })
  assert.deepEqual(await all(moved.read(both)), third)
  await moved.quarantine(both)
  assert.deepEqual([await objects.head(nameIn(both)), await former.has(both)], [null, true])
  await rm(old, { recursive: true })
  await assert.rejects(all(moved.read('ab'.repeat(32))), /it is missing/)
})

test('without the client of S3 a bucket is refused with the command that installs it', async (t) => {
  const { folder } = await fresh(t)
  const elsewhere = pathToFileURL(path.join(await folder(), 'module.js')).href
  assert.throws(
    () => loadClient([elsewhere]),
    (error: Error) => {
      assert.ok(error instanceof UserError)
      assert.match(error.message, /^ARCHIVE_URL needs the client of S3 .* run "npm ci --prefix .*deploy.s3-client"$/)
      return true
    },
  )
})
