/** Commands and the service with their archive in a bucket, against a real S3 server behind a proxy that makes faults. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { nameOf } from '../../src/archive/bucket.ts'
import { openObjects } from '../../src/archive/objects.ts'
import { diskStore } from '../../src/archive/store.ts'
import { API_ERRORS } from '../../src/declare/api-errors.ts'
import { assertRefused, beginHere, type Env, emptyEnv, queried, run, runApart } from '../support/command.ts'
import { noMount, smallDisk } from '../support/disk.ts'
import { startHost } from '../support/edgar-host.ts'
import { codeOf } from '../support/error-codes.ts'
import { bytesOf, randomFor } from '../support/random.ts'
import { type Bucket, bucketServer, KEYS } from '../support/s3/server.ts'
import { everyRow, sample, temporaryFolder } from '../support/world.ts'

const random = randomFor('entries')

/** Settings of an archive in the bucket, and the keys for commands in other processes. */
const inBucket = ({ endpoint }: Bucket, name = 'filings'): Env => ({
  ARCHIVE_URL: `s3://${name}/archive`,
  ARCHIVE_ENDPOINT: endpoint,
  ...KEYS,
})

/** Loads four filings of one quarter. */
const LOAD = ['ingest', 'formd', '--from', '2009-01-01', '--to', '2009-03-31', '--base-url']
/** Loads six filings of several quarters: enough for nine requests for documents and some kilobytes in a cache. */
const LOAD_MORE = ['ingest', 'formd', '--from', '2021-10-01', '--to', '2024-12-31', '--base-url']

async function hostOf(t: TestContext) {
  const host = await startHost({ root: sample })
  t.after(() => host.close())
  return host
}

async function serving(t: TestContext, env: Env) {
  const { stdout } = await run(['keys', 'create', '--account', 'alice', '--general-limit', '10000'], env)
  const server = beginHere(t, ['serve', '--port', '0'], { ...env, SAMPLE: 'off' })
  const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(await server.until(/^API key: /m))!
  const get = (route: string) => fetch(`${origin}/v1${route}`, { headers: { 'x-api-key': stdout.trim() } })
  return { get, end: () => server.end() }
}

/** The address of every document that an ingest archived. */
const documentsOf = (env: Env) =>
  queried(env, async (sql) => {
    const rows = await sql<{ accession: string; seq: number }[]>`
      select accession, (d ->> 'seq')::int as seq from edgar.submission, jsonb_array_elements(documents) d
      order by accession, seq`
    return rows.map(({ accession, seq }) => `/edgar/doc/${accession}/${seq}`)
  })

const cacheFolder = ({ DATA_DIR }: Env) => path.join(DATA_DIR!, 'archive', 'bucket')

test('with the archive in a bucket that is slow, refuses requests, loses objects and cuts transfers, an ingest and the service give the same rows and bytes as with a folder', async (t) => {
  const [host, bucket] = [await hostOf(t), await bucketServer(t)]
  const folder = await emptyEnv(t)
  const remote = { ...(await emptyEnv(t)), ...inBucket(bucket) }
  bucket.faults.PUT = ['slow', 'busy', 'lose', 'pass', 'busy']
  bucket.faults.HEAD = ['pass', 'busy']
  const [first, second] = [await run([...LOAD_MORE, host.url], folder), await run([...LOAD_MORE, host.url], remote)]
  assert.deepEqual([first.status, second.status], [0, 0], first.stderr + second.stderr)
  const [rows, others] = [await queried(folder, everyRow), await queried(remote, everyRow)]
  assert.ok(rows['formd.offering']!.length > 3, `${rows['formd.offering']!.length} offerings`)
  assert.deepEqual(others, rows)
  assert.deepEqual(
    (await readdir(path.join(remote.DATA_DIR!, 'archive'))).filter((name) => /^[0-9a-f]{2}$/.test(name)),
    [],
    'no entry is outside of the cache',
  )
  const addresses = await documentsOf(folder)
  assert.ok(addresses.length > 3)
  const bodies = async (env: Env) => {
    const { get, end } = await serving(t, env)
    const all: unknown[] = []
    for (const address of addresses) {
      const answer = await get(address)
      all.push([address, answer.status, answer.headers.get('etag'), await answer.text()])
    }
    assert.equal(await end(), 0)
    return all
  }
  const wanted = await bodies(folder)
  // Another machine has an empty cache.
  await rm(cacheFolder(remote), { recursive: true })
  bucket.faults.GET = ['busy', 'pass', 'cut', 'pass', 'flip', 'pass', 'short', 'pass', 'slow']
  assert.deepEqual(await bodies(remote), wanted)
  assert.deepEqual(bucket.faults.GET, [], 'the requests have used all faults')
})

test('while the bucket is away, documents are answered 503 with Retry-After and everything else 200; later, documents are served again', async (t) => {
  const [host, bucket] = [await hostOf(t), await bucketServer(t)]
  const env = { ...(await emptyEnv(t)), ...inBucket(bucket) }
  assert.equal((await run([...LOAD, host.url], env)).status, 0)
  const [address] = await documentsOf(env)
  const [, , , accession] = address!.split('/')
  await rm(cacheFolder(env), { recursive: true })
  const { get, end } = await serving(t, env)
  const refused = async (route: string) => {
    const answer = await get(route)
    assert.equal(codeOf(answer.status, await answer.json()), 'archive_unavailable', route)
    assert.equal(answer.headers.get('retry-after'), API_ERRORS.archive_unavailable.headers['retry-after'])
  }
  bucket.isAway = true
  await refused(`${address}?format=json`)
  assert.equal((await get(`/formd/filings/by-accession/${accession}`)).status, 200)
  const lookUp = (await (await get(`/filing/${accession}`)).json()) as { documents_note?: string }
  assert.equal(lookUp.documents_note, API_ERRORS.archive_unavailable.message)
  bucket.isAway = false
  // The object exists but cannot be read. The answer has not begun, so the client gets an error and not half of a
  // document.
  bucket.choose = (method) => (method === 'GET' ? 'cut' : undefined)
  await refused(`${address}?format=json`)
  bucket.choose = (method) => (method === 'GET' ? 'denied' : undefined)
  await refused(`${address}?format=json`)
  bucket.choose = () => undefined
  assert.equal((await get(address!)).status, 200)
  assert.equal(await end(), 0)
})

test('a filing that the bucket does not keep fails alone, and the next ingest stores it', async (t) => {
  const [host, bucket] = [await hostOf(t), await bucketServer(t)]
  const env = { ...(await emptyEnv(t)), ...inBucket(bucket) }
  let lost: string | undefined
  bucket.choose = (method, url) => {
    if (method !== 'PUT') return undefined
    lost ??= url
    return url === lost ? 'lose' : undefined
  }
  const first = await run([...LOAD, host.url], env)
  assert.equal(first.status, 1)
  const states = () =>
    queried(env, async (sql) => {
      const rows = await sql<{ state: string; error: string | null; passing: boolean }[]>`
        select distinct state, error, passing from edgar.task where dataset = 'formd' order by state`
      return rows.map(({ state, error, passing }) => [state, error?.replace(/[0-9a-f]{64}/, 'DIGEST') ?? null, passing])
    })
  const [done, failed] = await states()
  assert.deepEqual(done, ['done', null, false])
  assert.match(
    String(failed![1]),
    /^s3:\/\/filings\/archive\/ could not keep ..\/DIGEST\.zst: it was written, but the bucket then had none of its \d+ bytes$/,
  )
  assert.equal(failed![2], true)
  bucket.choose = () => undefined
  const second = await run([...LOAD, host.url], env)
  assert.equal(second.status, 0, second.stderr)
  assert.deepEqual(await states(), [['done', null, false]])
})

test('a missing bucket, wrong keys or missing keys end an ingest with one line that contains no key, and doctor names the settings', async (t) => {
  const [host, bucket] = [await hostOf(t), await bucketServer(t)]
  const env = await emptyEnv(t)
  const refusal = async (more: Env, reason: RegExp) => {
    const { status, stdout, stderr } = await run([...LOAD, host.url], { ...env, ...more })
    assert.equal(status, 1)
    assert.match(stderr, reason)
    assert.doesNotMatch(stdout + stderr, /S3RVER|hunter|Signature=|\n {4}at /)
    const found = await run(['doctor'], { ...env, ...more, EDGAR_BASE_URL: host.url, ADVISERINFO_BASE_URL: host.url })
    const line = found.stdout.split('\n').find((each) => each.includes('archive: '))!
    assert.match(line, /^FAIL {2}archive: s3:\/\//)
    assert.match(line, reason)
    assert.match(line, /ARCHIVE_URL, ARCHIVE_ENDPOINT, AWS_REGION and the keys \(AWS_ACCESS_KEY_ID/)
    assert.doesNotMatch(found.stdout, /S3RVER|hunter/)
  }
  await refusal(
    inBucket(bucket, 'missing'),
    /s3:\/\/missing\/archive\/ could not keep .*: The specified bucket does not exist/,
  )
  process.env.AWS_ACCESS_KEY_ID = 'hunter2'
  await refusal(inBucket(bucket), /could not keep .*: The AWS Access Key Id you provided does not exist in our records/)
  for (const name of Object.keys(KEYS)) delete process.env[name]
  // Without this setting, the client would look for the role of a machine.
  Object.assign(process.env, { AWS_EC2_METADATA_DISABLED: 'true' })
  t.after(() => delete process.env.AWS_EC2_METADATA_DISABLED)
  await refusal(inBucket(bucket), /could not keep .*: Could not load credentials from any providers/)
})

test('two processes with caches of their own share a bucket, and each reads what the other stored', async (t) => {
  const [host, bucket] = [await hostOf(t), await bucketServer(t)]
  const one = { ...(await emptyEnv(t)), ...inBucket(bucket) }
  const two = { ...one, DATA_DIR: path.join(await temporaryFolder(t), 'data') }
  const ended = await Promise.all([one, two].map((env) => runApart([...LOAD, host.url], env)))
  for (const { status, stderr } of ended) assert.equal(status, 0, stderr)
  const failed = await queried(one, (sql) => sql`select from edgar.task where dataset = 'formd' and state <> 'done'`)
  assert.equal(failed.length, 0)
  const addresses = await documentsOf(one)
  for (const env of [one, two]) {
    const { get, end } = await serving(t, env)
    for (const address of addresses) assert.equal((await get(address)).status, 200)
    assert.equal(await end(), 0)
  }
})

test('if the bucket becomes unavailable during a rebuild, the served rows stay, and the next rebuild continues', async (t) => {
  const [host, bucket] = [await hostOf(t), await bucketServer(t)]
  const env = { ...(await emptyEnv(t)), ...inBucket(bucket) }
  assert.equal((await run([...LOAD, host.url], env)).status, 0)
  const before = await queried(env, everyRow)
  await rm(cacheFolder(env), { recursive: true })
  let reads = 0
  bucket.choose = (method) => (method === 'GET' && ++reads > 2 ? 'busy' : undefined)
  const left = await run(['rebuild', 'formd'], env)
  assert.equal(left.status, 1)
  assert.match(left.stderr, /the rebuild stops at \S+, and the next rebuild continues there: .*could not read/)
  assert.doesNotMatch(left.stderr, /\n {4}at /)
  assert.deepEqual(await queried(env, everyRow), before)
  bucket.choose = () => undefined
  assert.equal((await run(['rebuild', 'formd'], env)).status, 0)
  assert.deepEqual(await queried(env, everyRow), before)
})

test('status says where the archive is and what the cache has, and doctor tests the bucket and leaves nothing', async (t) => {
  const [host, bucket] = [await hostOf(t), await bucketServer(t)]
  const env: Env = { ...(await emptyEnv(t)), ...inBucket(bucket), ARCHIVE_GB: '3' }
  assert.equal((await run([...LOAD_MORE, host.url], env)).status, 0)
  const objects = openObjects({ bucket: 'filings', prefix: 'archive/', endpoint: bucket.endpoint, region: null })
  t.after(() => objects.close())
  const names = async () => (await Array.fromAsync(objects.list(''))).map(({ name }) => name)
  const before = await names()
  const status = await run(['status'], env)
  assert.match(
    status.stdout,
    /^archive {3}s3:\/\/filings\/archive\/ \(its cache \S+\/archive\/bucket\/[0-9a-f]{12} has \d+ kB of at most 3\.0 GB\)$/m,
  )
  const { archive } = JSON.parse((await run(['status', '--json'], env)).stdout)
  assert.deepEqual([archive.url, archive.max, archive.former], ['s3://filings/archive/', 3e9, null])
  assert.ok(archive.bytes > 1_000)
  const doctor = async () => {
    const { stdout } = await run(['doctor'], { ...env, EDGAR_BASE_URL: host.url, ADVISERINFO_BASE_URL: host.url })
    return stdout.split('\n').filter((line) => /: archive|archive( folder)?: /.test(line))
  }
  assert.deepEqual(await doctor(), [
    'ok    archive: s3://filings/archive/ can be written, read and listed, and its objects can be removed',
  ])
  assert.deepEqual(await names(), before)
  bucket.choose = (method) => (method === 'DELETE' ? 'denied' : undefined)
  assert.match(
    (await doctor())[0]!,
    /^FAIL {2}archive: s3:\/\/filings\/archive\/ could not remove probe\/.*; check ARCHIVE_URL/,
  )
  bucket.choose = (method) => (method === 'DELETE' ? 'lose' : undefined)
  assert.match((await doctor())[0]!, /^FAIL .* still has an object that was removed; /)
  bucket.choose = (method, url) => (method === 'GET' && url.includes('probe/') ? 'flip' : undefined)
  assert.match((await doctor())[0]!, /^FAIL .* returns other bytes than those that were written; /)
  bucket.choose = () => undefined
  bucket.relist = (xml) => xml.replace(/<Contents>.*<\/Contents>/s, '')
  assert.match((await doctor())[0]!, /^FAIL .* does not list an object that was written; /)
  bucket.relist = (xml) => xml
  for (const name of (await names()).filter((each) => each.startsWith('probe/'))) await objects.remove(name)
  // An entry of a folder that was used before the bucket.
  await diskStore(path.join(env.DATA_DIR!, 'archive')).put(once(bytesOf(random, 100)))
  assert.match(
    (await run(['status'], env)).stdout,
    /^folder {4}\S+\/archive has entries that the bucket may lack: "openfilings archive copy"/m,
  )
  assert.match(
    (await doctor())[1]!,
    /^warn {2}archive folder: \S+\/archive has entries that the bucket of ARCHIVE_URL may lack/,
  )
})

test('prune removes day-old objects of the bucket that no row names or that are set aside', async (t) => {
  const [host, bucket] = [await hostOf(t), await bucketServer(t)]
  const env: Env = { ...(await emptyEnv(t)), ...inBucket(bucket) }
  assert.equal((await run([...LOAD, host.url], env)).status, 0)
  const objects = openObjects({ bucket: 'filings', prefix: 'archive/', endpoint: bucket.endpoint, region: null })
  t.after(() => objects.close())
  const names = async () => (await Array.fromAsync(objects.list(''))).map(({ name }) => name).sort()
  const named = await names()
  const file = path.join(env.DATA_DIR!, 'file')
  const bytes = bytesOf(random, 300)
  await writeFile(file, bytes)
  const [young, old] = [bytesOf(random, 100), bytesOf(random, 100)].map((each) =>
    nameOf(createHash('sha256').update(each).digest('hex')),
  )
  const added = [young!, old!, 'corrupt/young.zst', 'corrupt/old.zst', 'other/object']
  const md5 = createHash('md5').update(bytes).digest('base64')
  for (const name of added) await objects.put(name, { path: file, size: bytes.length, md5 })
  const dayAndHour = 25 * 60 * 60 * 1000
  for (const name of [...named, old!, 'corrupt/old.zst', 'other/object'])
    await bucket.age(`archive/${name}`, dayAndHour)
  const counts = /^unnamed +1 entry {2}300 bytes: .*\n(?:.*\n)*aside +1 file {2}300 bytes: /m
  const listed = await run(['prune'], env)
  assert.match(listed.stdout, counts)
  assert.deepEqual(await names(), [...named, ...added].sort(), 'the command only lists')
  bucket.choose = (method) => (method === 'DELETE' ? 'denied' : undefined)
  const refused = await run(['prune', '--yes'], env)
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /s3:\/\/filings\/archive\/ could not remove /)
  assert.deepEqual(await names(), [...named, ...added].sort())
  bucket.choose = () => undefined
  const pruned = await run(['prune', '--yes'], env)
  assert.equal(pruned.status, 0, pruned.stderr)
  assert.match(pruned.stdout, counts)
  assert.deepEqual(await names(), [...named, young!, 'corrupt/young.zst', 'other/object'].sort())
  assert.match(
    (await run(['archive', 'verify'], env)).stderr,
    new RegExp(`${path.basename(young!, '.zst')}: .*corrupt`),
  )
})

async function* once(bytes: Uint8Array) {
  yield bytes
}

test('archive copy moves a folder into a bucket and back: it resumes after a stop, skips entries that are there already, and refuses damaged ones', async (t) => {
  const bucket = await bucketServer(t)
  const DATA_DIR = await temporaryFolder(t)
  const env: Env = { DATA_DIR, ...inBucket(bucket) }
  const folder = path.join(DATA_DIR, 'archive')
  const disk = diskStore(folder)
  const contents = new Map<string, Buffer>()
  for (let i = 0; i < 30; i++) {
    const bytes = bytesOf(random, 2_000)
    contents.set((await disk.put(once(bytes))).sha256, bytes)
  }
  const [damaged] = contents.keys()
  const file = path.join(folder, nameOf(damaged!))
  await writeFile(file, 'damaged')
  bucket.choose = (method) => (method === 'PUT' ? 'slow' : undefined)
  const stopped = beginHere(t, ['archive', 'copy'], env)
  await new Promise((resolve) => setTimeout(resolve, 400))
  assert.equal(await stopped.end('SIGINT'), 130, stopped.stderr())
  assert.match(stopped.stdout(), /^archive copy, stopped: \d+ copied, 0 were there already/m)
  bucket.choose = () => undefined
  const rest = await run(['archive', 'copy'], env)
  assert.equal(rest.status, 1)
  const [, copied, present] = /^archive copy: (\d+) copied, (\d+) were there already, 1 failed, /m.exec(
    rest.stdout + rest.stderr,
  )!
  assert.equal(Number(copied) + Number(present), 29)
  assert.ok(Number(present) > 0, 'what the stopped run copied is not copied again')
  assert.match(rest.stderr, new RegExp(`${damaged}: the archive entry .* is corrupt: it cannot be decompressed`))
  await disk.put(once(contents.get(damaged!)!))
  const last = await run(['archive', 'copy'], env)
  assert.deepEqual([last.status, last.stderr], [0, ''])
  assert.match(last.stdout, /^archive copy: 1 copied, 29 were there already, \d+ kB$/m)

  const back = await temporaryFolder(t)
  const other: Env = { ...env, DATA_DIR: back }
  assert.match(
    (await run(['archive', 'copy', '--back'], other)).stdout,
    /^archive copy: 30 copied, 0 were there already/m,
  )
  assert.match(
    (await run(['archive', 'copy', '--back'], other)).stdout,
    /^archive copy: 0 copied, 30 were there already/m,
  )
  const there = diskStore(path.join(back, 'archive'))
  for (const [sha256, bytes] of contents)
    assert.deepEqual(Buffer.concat(await Array.fromAsync(there.read(sha256))), bytes)
  assert.match((await run(['archive', 'verify'], { DATA_DIR: back })).stdout, /^archive verify: 30 sound/m)
  assert.match((await run(['archive', 'verify'], env)).stdout, /^archive verify: 30 sound/m)
})

test('a copy back onto a full disk ends with one line that names the folder, and the next copy needs room only for the entries', {
  skip: noMount,
}, async (t) => {
  const bucket = await bucketServer(t)
  const env: Env = { DATA_DIR: await temporaryFolder(t), ...inBucket(bucket) }
  const disk = diskStore(path.join(env.DATA_DIR!, 'archive'))
  for (let i = 0; i < 30; i++) await disk.put(once(bytesOf(random, 2_000)))
  assert.equal((await run(['archive', 'copy'], env)).status, 0)

  const small = await smallDisk(t)
  const folder = path.join(small.folder, 'archive')
  const full = { ...env, DATA_DIR: small.folder }
  await small.fill()
  bucket.requests.length = 0
  const ended = await run(['archive', 'copy', '--back', '--json'], full)
  assert.equal(ended.status, 1)
  assert.ok(ended.stderr.includes(`the archive ${folder} cannot be written: its disk is full: make room (ENOSPC`))
  assert.equal(ended.stderr.match(/\n/g)?.length, 1)
  const summary = JSON.parse(ended.stdout.trim().split('\n').at(-1)!)
  assert.deepEqual(
    [summary.outcome, summary.copied, summary.failed, summary.next],
    ['problems', 0, 0, ['openfilings archive copy --back']],
  )
  assert.ok(bucket.requests.length < 12, 'entries after the first ones are not fetched')
  const files = await readdir(small.folder, { recursive: true })
  assert.deepEqual(
    files.filter((name) => /\.(part|zst)$/.test(name)),
    [],
  )

  await small.free()
  const rest = await run(['archive', 'copy', '--back'], full)
  assert.deepEqual([rest.status, rest.stderr], [0, ''])
  assert.match(rest.stdout, /^archive copy: 30 copied, 0 were there already/m)
  const written = await readdir(small.folder, { recursive: true })
  assert.equal(written.filter((name) => name.endsWith('.zst')).length, 30)
})

test('a copy that the bucket damages fails, archive verify names damaged entries of a bucket and of a folder, and wrong calls are refused', async (t) => {
  const bucket = await bucketServer(t)
  const DATA_DIR = await temporaryFolder(t)
  const env: Env = { DATA_DIR, ...inBucket(bucket) }
  const folder = path.join(DATA_DIR, 'archive')
  const { sha256 } = await diskStore(folder).put(once(bytesOf(random, 3_000)))
  bucket.faults.GET = ['pass', 'flip']
  // The first GET lists the folder.
  const flipped = await run(['archive', 'copy'], env)
  assert.equal(flipped.status, 1)
  assert.match(flipped.stderr, /was not stored correctly: (?:it cannot be decompressed|its content)/)
  const objects = openObjects({ bucket: 'filings', prefix: 'archive/', endpoint: bucket.endpoint, region: null })
  t.after(() => objects.close())
  const wrong = path.join(DATA_DIR, 'wrong')
  await writeFile(wrong, 'wrong')
  await objects.put(nameOf(sha256), { path: wrong, size: 5, md5: createHash('md5').update('wrong').digest('base64') })
  const verified = await run(['archive', 'verify'], env)
  assert.equal(verified.status, 1)
  assert.match(
    verified.stderr,
    new RegExp(`${sha256}: the archive entry s3://filings/archive/.* is corrupt: it cannot be decompressed`),
  )
  await writeFile(path.join(folder, nameOf(sha256)), 'wrong')
  const own = await run(['archive', 'verify', '--json'], { DATA_DIR })
  assert.equal(own.status, 1)
  const [problem, summary] = own.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event !== 'progress')
  assert.deepEqual(
    [problem.event, problem.sha256, summary.outcome, summary.failed],
    ['entry_failed', sha256, 'problems', 1],
  )
  assertRefused(await run(['archive', 'copy'], { DATA_DIR }), /archive copy needs the setting ARCHIVE_URL/)
  assertRefused(await run(['archive', 'verify', '--back'], env), /archive verify does not take --back/)
  bucket.choose = () => 'denied'
  assertRefused(await run(['archive', 'copy'], env), /s3:\/\/filings\/archive\/ could not list/)
})
