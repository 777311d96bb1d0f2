/** The archive keeps the documents of filings that datasets read. All other documents are fetched on request. */
import assert from 'node:assert/strict'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { CACHE } from '../../src/archive/cache.ts'
import { diskStore, type Store } from '../../src/archive/store.ts'
import { type SpineFiling, type Submissions, submissions } from '../../src/archive/submissions.ts'
import { type Reads, readsOf } from '../../src/declare/kept.ts'
import { edgarClient } from '../../src/fetch/client.ts'
import { request } from '../../src/ingest/queue.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import registry from '../../src/registry.ts'
import { noMount, smallDisk } from '../support/disk.ts'
import { accessionOf, edgarOf, type MadeFiling, pdf, uuencoded } from '../support/documents-made.ts'
import { codeOf } from '../support/error-codes.ts'
import { bytesOf, randomFor } from '../support/random.ts'
import { type Served, serveWorld } from '../support/served.ts'
import { openWorld, type World } from '../support/world.ts'

const random = randomFor('pictures')
const KB = 1024
const picture = (name: string) =>
  uuencoded(name, Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), bytesOf(random, 200 * KB)])).replace(
    /<\/?PDF>\n?/g,
    '',
  )
const page = (body: string) => `<html><body>${body}</body></html>`
const report = page('<p>Item 8.01. Other Events</p><p>On July 1 the company told of bolts.</p>')

const CURRENT = 1
const NOTICE = 2
const LISTED = 3
const FILINGS: MadeFiling[] = [
  {
    n: CURRENT,
    form: '8-K',
    day: '2026-07-01',
    documents: [
      { type: '8-K', filename: 'a8k.htm', content: report },
      { type: 'GRAPHIC', filename: 'logo.jpg', content: picture('logo.jpg') },
      { type: 'EX-99.1', filename: 'release.htm', content: page('<h1>Bolts rise</h1>') },
      { type: 'EX-10.1', filename: 'lease.htm', content: page('<p>A lease of bolts.</p>') },
      { type: 'EX-10.2', filename: 'lease.pdf', content: uuencoded('lease.pdf', pdf('A lease')) },
    ],
  },
  {
    n: NOTICE,
    form: 'X-17A-5',
    day: '2026-07-02',
    documents: [
      {
        type: 'X-17A-5',
        filename: 'primary_doc.xml',
        content: '<XML>\n<?xml version="1.0"?>\n<edgarSubmission/>\n</XML>',
      },
      { type: 'PUB', filename: 'pub.pdf', content: uuencoded('pub.pdf', pdf('Balance')) },
    ],
  },
  {
    n: LISTED,
    form: '10-K',
    day: '2026-07-03',
    documents: [
      { type: '10-K', filename: 'a10k.htm', content: page('<p>Item 1. Business</p><p>Bolts.</p>') },
      { type: 'GRAPHIC', filename: 'plant.jpg', content: picture('plant.jpg') },
    ],
  },
]

async function opened(t: Parameters<typeof openWorld>[0], filings = FILINGS): Promise<World & { root: string }> {
  const root = await edgarOf(t, filings)
  const world = await openWorld(t, { root })
  await world.crawl({ from: '2026-07-01' })
  return { ...world, root }
}

const fetches = (world: World) => world.host.requests.filter(({ path }) => path.endsWith('.txt')).length

async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = files.filter((entry) => entry.isFile()).map(({ parentPath, name }) => stat(path.join(parentPath, name)))
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
}

const rowOf = async ({ sql }: World, n: number) => {
  const [row] = await sql<{ sha256: string; kept_sha256: string | null; dropped: number[]; originals: boolean }[]>`
    select sha256, kept_sha256, dropped, originals from edgar.submission where accession = ${accessionOf(n)}`
  return row!
}

const bytesAt = async (served: Served, n: number, seq: number, query = '') => {
  const response = await served.get(`/edgar/doc/${accessionOf(n)}/${seq}${query}`)
  const { etag, type, length } = Object.fromEntries(
    ['etag', 'content-type', 'content-length'].map((name) => [
      name.replace('content-', ''),
      response.headers.get(name),
    ]),
  )
  return {
    status: response.status,
    etag,
    type,
    length,
    body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
  }
}

test('an ingest keeps the header and the documents that the family reads, and writes no other document', async (t) => {
  const world = await opened(t)
  await world.drain({ workers: 1 })
  assert.deepEqual((await rowOf(world, CURRENT)).dropped, [2, 4, 5])
  assert.deepEqual((await rowOf(world, NOTICE)).dropped, [2])
  assert.ok((await sizeOf(world.archive)) < 40 * KB, 'the pictures have 200 KB each')
  const kept = await rowOf(world, CURRENT)
  const text = Buffer.concat(await Array.fromAsync(world.store.read(kept.kept_sha256!))).toString('latin1')
  assert.match(text, /^<SEC-DOCUMENT>[\s\S]*<TYPE>GRAPHIC\n[\s\S]*<\/SEC-DOCUMENT>\n$/)
  assert.ok(text.includes('told of bolts') && text.includes('Bolts rise') && !text.includes('A lease'))
})

test('answers about a document, its text and its filing are equal, however the document is stored or fetched', async (t) => {
  const root = await edgarOf(t, FILINGS)
  const answersOf = async (world: World) => {
    const served = await serveWorld(t, world)
    const answers: unknown[] = []
    for (const { n, documents } of FILINGS) {
      answers.push(await served.json(`/filing/${accessionOf(n)}`))
      for (const [i] of documents.entries()) {
        answers.push(await bytesAt(served, n, i + 1), await bytesAt(served, n, i + 1, '?raw=1'))
      }
    }
    for (const seq of [1, 3, 4, 5])
      answers.push(await served.json(`/doc-text/eightk/${accessionOf(CURRENT)}?sequence=${seq}`))
    await served.close()
    return answers
  }
  const loaded = async (originals: boolean) => {
    const world = await openWorld(t, { root })
    await world.crawl({ from: '2026-07-01' })
    await world.sql`update edgar.filing set first_seen_at = '2026-07-10'`
    const own = submissions({ ...world, keeping: { ...world.keeping, originals } })
    await world.drain({ workers: 1, submissions: own })
    return { ...world, submissions: own }
  }
  const whole = await answersOf(await loaded(true))
  const world = await loaded(false)
  assert.deepEqual(await answersOf(world), whole, 'the omitted documents are fetched again')
  assert.deepEqual(await answersOf(world), whole, 'the omitted documents are in the cache')
  await rm(path.join(world.archive, CACHE), { recursive: true })
  await rm(path.join(world.archive, 'derived'), { recursive: true })
  assert.deepEqual(await answersOf(world), whole, 'the omitted documents are fetched once more')
})

test('concurrent requests for a document outside the archive share one fetch, and it is not fetched again while the cache has it', async (t) => {
  const world = await opened(t)
  await world.drain({ workers: 1 })
  const before = fetches(world)
  const served = await serveWorld(t, world)
  const answers = Array.from({ length: 6 }, (_, i) => bytesAt(served, CURRENT, i % 2 ? 4 : 2))
  assert.deepEqual(
    (await Promise.all(answers)).map(({ status }) => status),
    Array(6).fill(200),
  )
  assert.equal(fetches(world), before + 1)
  await bytesAt(served, CURRENT, 5)
  assert.equal(fetches(world), before + 1)
  // Kept parts are read from the archive, even if the cache has nothing.
  await rm(path.join(world.archive, CACHE), { recursive: true })
  await bytesAt(served, CURRENT, 1)
  assert.equal(fetches(world), before + 1)
  await bytesAt(served, CURRENT, 5)
  assert.equal(fetches(world), before + 2)
})

test('a filing that was fetched for one request is not fetched again for its documents or for an ingest', async (t) => {
  const world = await opened(t)
  const served = await serveWorld(t, world)
  await served.json(`/filing/${accessionOf(CURRENT)}`)
  for (const seq of [1, 2, 3, 4, 5]) assert.equal((await bytesAt(served, CURRENT, seq)).status, 200)
  await world.drain({ datasets: ['eightk'], workers: 1 })
  assert.equal(fetches(world), 1)
})

test('a dataset that needs more documents than were kept causes one more fetch, and from then on the old and new documents are kept', async (t) => {
  const world = await opened(t)
  await world.drain({ datasets: ['eightk'], workers: 1 })
  await request(world.sql, documents, { to: '2026-07-01' })
  const before = fetches(world)
  assert.deepEqual(await world.drain({ datasets: ['documents'], workers: 1 }), { done: 1, failed: 0, unread: 0 })
  assert.equal(fetches(world), before + 1)
  assert.deepEqual((await rowOf(world, CURRENT)).dropped, [2], 'a picture has no text')
  const rows = await world.sql`select sequence from documents.document order by sequence`
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    [1, 3, 4, 5],
  )
  await world.host.close()
  for (const slug of ['documents', 'eightk']) {
    const dataset = registry.filings.find((each) => each.slug === slug)!
    assert.deepEqual(await rebuild(world, dataset), { filings: 1, failed: 0 }, `${slug} is rebuilt from the archive`)
  }
})

test('if the cache has a damaged copy of a submission, an ingest that needs more of it fetches it again', async (t) => {
  const world = await opened(t)
  await world.drain({ datasets: ['eightk'], workers: 1 })
  assert.equal((await bytesAt(await serveWorld(t, world), CURRENT, 2)).status, 200)
  const { sha256 } = await rowOf(world, CURRENT)
  const file = path.join(world.archive, CACHE, sha256.slice(0, 2), `${sha256}.zst`)
  const bytes = await readFile(file)
  bytes[bytes.length >> 1]! ^= 1
  await writeFile(file, bytes)
  await request(world.sql, documents, { to: '2026-07-01' })
  const before = fetches(world)
  assert.deepEqual(await world.drain({ datasets: ['documents'], workers: 1 }), { done: 1, failed: 0, unread: 0 })
  assert.equal(fetches(world), before + 1)
  assert.deepEqual((await rowOf(world, CURRENT)).dropped, [2])
})

/**
 * Returns the archive of a worker that fetches the filing CURRENT while another worker archives it too, with the given
 * documents: these are recorded first.
 */
async function overtaken(world: World, reads: Reads) {
  const [filing] = await world.sql<SpineFiling[]>`
    select accession, form_type, filed_date, path from edgar.filing where accession = ${accessionOf(CURRENT)}`
  const other = { filing: filing!, submission: await world.submissions.obtain(filing!, { reads }) }
  let isRecorded = false
  const put: Store['put'] = async (body) => {
    const stored = await world.store.put(body)
    if (!isRecorded) await world.sql.begin((tx) => world.submissions.record(tx, [other]))
    isRecorded = true
    return stored
  }
  return submissions({ ...world, store: { ...world.store, put } })
}

const documents = registry.filings.find(({ slug }) => slug === 'documents')!

for (const [what, read] of [
  ['an ingest', (world: World, own: Submissions) => world.drain({ datasets: ['eightk'], submissions: own })],
  ['a request', (_: World, own: Submissions) => own.get(accessionOf(CURRENT))],
] as const) {
  test(`${what} that fetches a filing leaves in the archive the documents that another worker stored meanwhile`, async (t) => {
    const world = await opened(t)
    await read(world, await overtaken(world, readsOf(documents)))
    assert.deepEqual((await rowOf(world, CURRENT)).dropped, [2])
    await world.host.close()
    const served = await serveWorld(t, world)
    for (const seq of [1, 3, 4, 5]) assert.equal((await bytesAt(served, CURRENT, seq)).status, 200)
  })
}

test('if two workers archive different documents of a filing, one fails for now, and its next try keeps the documents of both', async (t) => {
  const world = await opened(t)
  await request(world.sql, documents, { to: '2026-07-01' })
  const own = await overtaken(world, ({ type }) => type === 'GRAPHIC')
  const { done, failed } = await world.drain({ datasets: ['documents'], submissions: own })
  assert.deepEqual([done, failed], [0, 1])
  const [task] = await world.sql`select error, passing from edgar.task where dataset = 'documents'`
  assert.equal(task!.passing, true)
  assert.match(task!.error, /^another worker archived other documents of 0009000077-26-000001 meanwhile/)
  assert.deepEqual((await rowOf(world, CURRENT)).dropped, [4, 5])
  assert.deepEqual(await world.drain({ datasets: ['documents'] }), { done: 1, failed: 0, unread: 0 })
  assert.deepEqual((await rowOf(world, CURRENT)).dropped, [])
})

test('if the archive has lost the documents of a filing, a fetch with fewer documents replaces its entry', async (t) => {
  const world = await opened(t)
  await request(world.sql, documents, { to: '2026-07-01' })
  await world.drain({ datasets: ['documents'] })
  await world.store.quarantine((await rowOf(world, CURRENT)).kept_sha256!)
  await world.drain({ datasets: ['eightk'] })
  assert.deepEqual((await rowOf(world, CURRENT)).dropped, [2, 4, 5])
})

test('a batch takes all tasks of its last filing, so that no filing is fetched twice', async (t) => {
  const older = FILINGS[0]!
  const others = Array.from({ length: 19 }, (_, i): MadeFiling => ({ ...older, n: 100 + i, day: '2026-07-02' }))
  const world = await opened(t, [older, ...others])
  await request(world.sql, documents, { to: '2026-07-01' })
  // The older filing has two tasks. They come after 19 others, and a batch has 20.
  const { done } = await world.drain({ datasets: ['eightk', 'documents'], workers: 1 })
  assert.deepEqual([done, fetches(world)], [21, 20])
})

test('a submission that is archived whole stays whole, and is read without a fetch', async (t) => {
  const world = await opened(t)
  // An earlier version left this state, in which no column records omitted parts.
  await world.drain({ workers: 1, submissions: submissions({ ...world, keeping: null }) })
  await world.sql`update edgar.submission set originals = false`
  assert.equal((await rowOf(world, CURRENT)).kept_sha256, null)
  await world.host.close()
  const served = await serveWorld(t, world)
  for (const seq of [1, 2, 3, 4, 5]) assert.equal((await bytesAt(served, CURRENT, seq)).status, 200)
  const eightk = registry.filings.find(({ slug }) => slug === 'eightk')!
  assert.deepEqual(await rebuild(world, eightk), { filings: 1, failed: 0 })
})

test('if EDGAR is unreachable, a document outside the archive gets a 503 with the reason and the remedy, and archived documents are served', async (t) => {
  const world = await opened(t)
  await world.drain({ workers: 1 })
  const client = edgarClient({ baseUrl: 'https://www.sec.gov', userAgent: null })
  t.after(() => client.close())
  const served = await serveWorld(t, { ...world, submissions: submissions({ ...world, client }) })
  assert.equal((await bytesAt(served, CURRENT, 1)).status, 200)
  for (const route of [`/edgar/doc/${accessionOf(CURRENT)}/2`, `/doc-text/eightk/${accessionOf(CURRENT)}?sequence=4`]) {
    const refused = await served.get(route, { 'x-api-key': served.keys.full, accept: 'application/json' })
    const body = (await refused.json()) as { error: string }
    assert.equal(codeOf(refused.status, body), 'edgar_unavailable')
    const { error } = body
    assert.match(error, /^document [24] of this filing is not kept in the archive, and .*EDGAR_USER_AGENT/)
  }
})

test('while the disk of the archive is full, a filing outside the archive is answered 503; once there is room, it is served', {
  skip: noMount,
}, async (t) => {
  const world = await opened(t)
  const disk = await smallDisk(t)
  const archive = path.join(disk.folder, 'archive')
  const served = await serveWorld(t, { ...world, submissions: submissions({ ...world, store: diskStore(archive) }) })
  await disk.fill()
  const route = `/filing/${accessionOf(LISTED)}`
  const refused = await served.get(route)
  assert.equal(codeOf(refused.status, (await refused.json()) as { error: string }), 'archive_unavailable')
  assert.ok(refused.headers.get('retry-after'))
  await disk.free()
  assert.equal((await served.get(route)).status, 200)
})

test('a submission that has changed at EDGAR is read again before any part of it is served', async (t) => {
  const world = await opened(t)
  await world.drain({ workers: 1 })
  const file = path.join(world.root, 'Archives/edgar/data/9000000077', `${accessionOf(CURRENT)}.txt`)
  const before = await readFile(file, 'latin1')
  await writeFile(file, before.replace('A lease of bolts.', 'A lease of bolts and nuts.'), 'latin1')
  const served = await serveWorld(t, world)
  const first = await served.get(`/edgar/doc/${accessionOf(CURRENT)}/4?format=json`)
  assert.deepEqual([first.status, first.headers.get('retry-after')], [503, '1'])
  assert.equal(codeOf(503, await first.json()), 'submission_changed')
  const second = await bytesAt(served, CURRENT, 4)
  assert.match(second.body, /bolts and nuts/)
  assert.match((await bytesAt(served, CURRENT, 5)).body, /%PDF/)
})

test('if the cache loses an entry between two reads, the document is fetched again and the request succeeds', async (t) => {
  const world = await opened(t)
  await world.drain({ workers: 1 })
  const { cache } = world.keeping
  // Simulates that another process makes room in the cache at every possible moment.
  const has = async (sha256: string) => {
    const found = await cache.has(sha256)
    await rm(path.join(world.archive, CACHE, sha256.slice(0, 2)), { recursive: true, force: true })
    return found
  }
  const own = submissions({ ...world, keeping: { ...world.keeping, cache: { ...cache, has } } })
  const submission = (await own.get(accessionOf(CURRENT)))!
  const entry = submission.documents[3]!
  await own.bring(submission, entry)
  assert.match(Buffer.concat(await Array.fromAsync(own.document(submission, entry))).toString(), /A lease of bolts/)
})

test('an interrupted fetch leaves nothing in the archive, and the next fetch stores the whole document', async (t) => {
  const world = await opened(t)
  world.host.setFaults('cut:path=.txt,first=1')
  await world.drain({ datasets: ['eightk'], workers: 1 })
  assert.deepEqual(await readdir(path.join(world.archive, 'tmp')), [])
  const kept = (await readdir(world.archive)).filter((name) => /^[0-9a-f]{2}$/.test(name))
  assert.equal(kept.length, 1)
})
