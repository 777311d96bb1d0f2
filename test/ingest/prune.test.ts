/**
 * Removal from the archive. Removed are files that newer files replace, documents that no dataset reads, and files that
 * no row names.
 */
import assert from 'node:assert/strict'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { submissions } from '../../src/archive/submissions.ts'
import { rebuildBulk } from '../../src/ingest/bulk/rebuild.ts'
import { type Pruned, prune } from '../../src/ingest/prune.ts'
import { request } from '../../src/ingest/queue.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import registry from '../../src/registry.ts'
import { fleet, type Harbour, openHarbour } from '../support/bulk-world.ts'
import { accessionOf, edgarOf, type MadeFiling } from '../support/documents-made.ts'
import { bytesOf, randomFor } from '../support/random.ts'
import { often } from '../support/soak.ts'
import { openWorld, type World } from '../support/world.ts'

const DAYS = often('days of a feed', { usual: 20, soak: 365 })
const FEEDS = often('random feeds', { usual: 12, soak: 200 })
const random = randomFor('feeds')
const ship = (number: number, name: string) => `<Ship number="${number}" name="${name}" weight="10"/>`
const dayOf = (n: number) => new Date(Date.parse('2025-01-01') + n * 86_400_000).toISOString().slice(0, 10)
const LATER = () => Date.now() + 2 * 86_400_000

const shipsOf = async ({ sql }: Harbour) =>
  (await sql`select number, name, weight from fleet.ship order by number`).map((row) => Object.values(row).join())
const recordsOf = async ({ sql }: Harbour) =>
  (await sql`select key, digest, gone_day from bulk.record order by key`).map((row) => Object.values(row).join())

async function filesOf(store: Harbour['store']): Promise<number> {
  return (await Array.fromAsync(store.entries())).length
}

const kinds = async (pruned: AsyncGenerator<Pruned>) =>
  Object.fromEntries((await Array.fromAsync(pruned)).map(({ kind, count }) => [kind, count]))
const NOTHING = { submissions: 0, editions: 0, sets: 0, unnamed: 0, texts: 0, aside: 0 }

test('the archive keeps only the newest feed of a year of daily feeds, and a rebuild from it gives every row', async (t) => {
  const harbour = await openHarbour(t)
  const names = new Map(Array.from({ length: 12 }, (_, i) => [i + 1, 'Ada']))
  const sizes: number[] = []
  for (let day = 0; day < DAYS; day++) {
    if (day % 3 > 0) names.set(1 + Math.floor(random() * 12), `Name ${day}`)
    await harbour.ships(dayOf(day), ...[...names].map(([number, name]) => ship(number, name)))
    await harbour.ingest()
    sizes.push(await filesOf(harbour.store))
  }
  assert.deepEqual([...new Set(sizes)], [1])
  assert.deepEqual(await harbour.ingest(), [], 'all of them are known as loaded')
  const before = [await shipsOf(harbour), await recordsOf(harbour)]
  const { lost } = await rebuildBulk(harbour, fleet)
  assert.deepEqual([lost, await shipsOf(harbour), await recordsOf(harbour)], [0, ...before])
})

test('over random feeds, removed, refused and returned records are rebuilt from the last feed that had them', async (t) => {
  const harbour = await openHarbour(t)
  const names = new Map(Array.from({ length: 8 }, (_, i) => [i + 1, 'Ada']))
  for (let day = 0; day < FEEDS; day++) {
    const refused = random() < 0.3 ? 1 + Math.floor(random() * 8) : 0
    for (let n = 0; n < 2; n++) {
      const number = 1 + Math.floor(random() * 8)
      if (random() < 0.4 && names.size > 2) names.delete(number)
      else names.set(number, `Name ${Math.floor(random() * 5)}`)
    }
    const feed = [...names].map(([number, name]) =>
      number === refused ? `<Ship number="${number}" weight="10"/>` : ship(number, name),
    )
    // On some days, a feed is published again under the same name, with other ships.
    await harbour.ships(dayOf(day), ...(random() < 0.2 ? feed.slice(1) : feed))
    await harbour.ingest({ acceptGone: true })
    await harbour.ships(dayOf(day), ...feed)
    if (random() < 0.5) await harbour.ingest({ acceptGone: true })
    const before = [await shipsOf(harbour), await recordsOf(harbour)]
    if (day % 6 === 5) {
      const { lost } = await rebuildBulk(harbour, fleet)
      assert.deepEqual([lost, await shipsOf(harbour), await recordsOf(harbour)], [0, ...before], `day ${day}`)
    }
  }
})

test('for a removed record the archive keeps that record and not the whole feed; an unreadable old feed stays, and does not fail the load', async (t) => {
  const harbour = await openHarbour(t)
  const { sql, store } = harbour
  const days = Math.min(DAYS, 40)
  const named = (number: number) => ship(number, `Name &amp; &quot;${number}&quot; &lt;é&gt;&#10;`)
  // Each of these ships comes on one day and is gone on the next.
  const feedOf = (day: number) => [1, 2, 3, 100 + day].map(named)
  for (let day = 0; day < days; day++) {
    await harbour.ships(dayOf(day), ...feedOf(day))
    const [outcome] = await harbour.ingest()
    assert.equal(outcome!.error, null)
  }
  const editions = await sql<{ files: { sha256: string }[]; rest: { sha256: string }[] | null }[]>`
    select files, rest from bulk.edition where not released order by to_day desc`
  assert.equal(editions.length, days)
  const sizeOf = async (files: { sha256: string }[] | null) => files && (await store.sizeOf(files[0]!.sha256))
  for (const [at, { files, rest }] of editions.entries()) {
    assert.equal((await sizeOf(files)) === null, at > 0)
    assert.equal((await sizeOf(rest)) === null, at === 0)
  }
  assert.equal(await filesOf(store), days)
  const before = [await shipsOf(harbour), await recordsOf(harbour)]
  const { lost } = await rebuildBulk(harbour, fleet)
  assert.deepEqual([lost, await shipsOf(harbour), await recordsOf(harbour)], [0, ...before])
  const [newest] = editions
  await store.remove(newest!.files[0]!.sha256)
  await harbour.ships(dayOf(days), ...feedOf(days))
  const [outcome] = await harbour.ingest()
  assert.equal(outcome!.error, null)
  const [row] = await sql`select count(*)::int as n from bulk.edition where not released and rest is null`
  assert.equal(row!.n, 2)
})

test('if originals are kept, the files of all editions stay, and prune does not remove them', async (t) => {
  const harbour = await openHarbour(t)
  for (const day of [0, 1, 2]) {
    await harbour.ships(dayOf(day), ship(1, `Name ${day}`))
    await harbour.ingest({ originals: true })
  }
  assert.equal(await filesOf(harbour.store), 3)
  const place = { ...harbour, catalog: { ...registry, bulk: [fleet] }, archive: '/nowhere', now: LATER }
  assert.deepEqual(await kinds(prune({ ...place, act: true })), NOTHING)
  assert.equal(await filesOf(harbour.store), 3)
})

test('files of replaced months, repeated files and files of failed loads are removed by prune, not earlier', async (t) => {
  const harbour = await openHarbour(t)
  const voyages = (port: string, ...ids: number[]) => ({
    'Voyage_1.csv': `VoyageID,Port\n${ids.map((id) => `${id},${port}`).join('\n')}\n`,
    'Load_1.csv': 'VoyageID,What,Value\n',
  })
  await harbour.voyages('2025-01-31', voyages('Oslo', 1, 2))
  await harbour.ingest()
  const first = await filesOf(harbour.store)
  await harbour.voyages('2025-02-28', voyages('Oslo', 1, 2, 3))
  await harbour.ingest()
  await harbour.store.put(Readable.from([Buffer.from('a load that failed')]))
  const place = { ...harbour, catalog: { ...registry, bulk: [fleet] }, archive: '/nowhere' }
  assert.deepEqual(
    await kinds(prune({ ...place, act: false })),
    { ...NOTHING, editions: 1 },
    'young files may belong to a load',
  )
  const found = { ...NOTHING, editions: 1, unnamed: 1 }
  assert.deepEqual(await kinds(prune({ ...place, act: false, now: LATER })), found)
  assert.equal(await filesOf(harbour.store), first + 2, 'a dry run changes nothing')
  assert.deepEqual(await kinds(prune({ ...place, act: true, now: LATER })), found)
  assert.equal(await filesOf(harbour.store), first)
  assert.deepEqual(await kinds(prune({ ...place, act: true, now: LATER })), NOTHING)
  const before = await recordsOf(harbour)
  assert.equal((await rebuildBulk(harbour, fleet)).lost, 0)
  assert.deepEqual(await recordsOf(harbour), before)
})

test('a dry run counts what prune then removes: the kept records of an old edition, and no file that a newer edition has too', async (t) => {
  const harbour = await openHarbour(t)
  const { sql, store } = harbour
  await harbour.ships(dayOf(9), ship(1, 'Ada'))
  await harbour.ingest()
  const [newest] = await sql<{ series: string; files: { sha256: string }[] }[]>`select series, files from bulk.edition`
  const put = (text: string) => store.put(Readable.from([Buffer.from(text)]))
  const [rest, whole] = [await put('the records that are left'), await put('an old feed')]
  const filesOfEditions = [
    { files: newest!.files, rest: null },
    { files: [{ sha256: 'a'.repeat(64) }], rest: [{ sha256: rest.sha256 }] },
    { files: [{ sha256: whole.sha256 }], rest: null },
  ]
  for (const [day, { files, rest: kept }] of filesOfEditions.entries())
    await sql`
      insert into bulk.edition (series, name, from_day, to_day, state, files, rest)
      values (${newest!.series}, ${`old ${day}`}, ${dayOf(day)}, ${dayOf(day)}, 'done', ${sql.json(files)},
        ${kept && sql.json(kept)})`
  const place = { ...harbour, catalog: { ...registry, bulk: [fleet] }, archive: '/nowhere' }
  const counts = async (act: boolean) => {
    const all = await Array.fromAsync(prune({ ...place, act }))
    return all.filter(({ count }) => count > 0).map(({ kind, count, bytes }) => [kind, count, bytes])
  }
  const broken = { ...store, sizeOf: () => Promise.reject(new Error('the disk cannot be read')) }
  await assert.rejects(kinds(prune({ ...place, store: broken, act: false })), /the disk cannot be read/)
  const dry = await counts(false)
  assert.equal(await filesOf(store), 3)
  assert.deepEqual(dry, [['editions', 2, (await store.sizeOf(rest.sha256))! + (await store.sizeOf(whole.sha256))!]])
  assert.deepEqual(await counts(true), dry)
  assert.equal(await filesOf(store), 1)
})

const picture = () =>
  `begin 644 logo.jpg\n${bytesOf(random, 60_000).toString('base64').toUpperCase().replace(/.{60}/g, '$&\n')}\n\`\nend`
const FILINGS: MadeFiling[] = Array.from({ length: 6 }, (_, i) => ({
  n: i + 1,
  form: i % 2 ? 'X-17A-5' : '8-K',
  day: '2026-07-01',
  documents: [
    i % 2
      ? {
          type: 'X-17A-5',
          filename: 'primary_doc.xml',
          content: '<XML>\n<?xml version="1.0"?>\n<edgarSubmission/>\n</XML>',
        }
      : {
          type: '8-K',
          filename: 'a8k.htm',
          content: '<html><body><p>Item 8.01. Other Events</p><p>Bolts.</p></body></html>',
        },
    { type: 'EX-10', filename: 'ex10.htm', content: `<html><body><p>Exhibit ${i} of bolts.</p></body></html>` },
    { type: 'GRAPHIC', filename: 'logo.jpg', content: picture() },
  ],
}))

/** Opens a world in the state of an earlier version, in which each submission is archived as a whole. */
async function wholes(t: Parameters<typeof openWorld>[0]): Promise<World> {
  const world = await openWorld(t, { root: await edgarOf(t, FILINGS) })
  await world.crawl({ from: '2026-07-01' })
  await world.drain({ workers: 1, submissions: submissions({ ...world, keeping: null }) })
  await world.sql`update edgar.submission set originals = false`
  return world
}

const placeOf = (world: World) => ({ ...world, catalog: registry })
const documentsOf = async (world: World, n: number) => {
  const submission = (await world.submissions.get(accessionOf(n)))!
  const all = submission.documents.map((entry) => Array.fromAsync(world.submissions.document(submission, entry)))
  return (await Promise.all(all)).map((parts) => Buffer.concat(parts).toString('latin1'))
}

test('prune removes unread documents from whole submissions; later rebuilds need no request to EDGAR, and each document is served as before', async (t) => {
  const world = await wholes(t)
  const before = await Promise.all(FILINGS.map(({ n }) => documentsOf(world, n)))
  const size = async () => (await Array.fromAsync(world.store.entries())).reduce((sum, entry) => sum + entry.size, 0)
  const large = await size()
  const estimated = (await Array.fromAsync(prune({ ...placeOf(world), act: false })))[0]!
  assert.deepEqual(
    [estimated.kind, estimated.count, estimated.isEstimate, await size()],
    ['submissions', 6, true, large],
  )
  const [done] = await Array.fromAsync(prune({ ...placeOf(world), act: true }))
  assert.equal(large - (await size()), done!.bytes)
  assert.ok(done!.bytes > large * 0.8 && Math.abs(done!.bytes - estimated.bytes) < large * 0.1)
  const requests = world.host.requests.length
  for (const slug of ['eightk', 'x17a5']) {
    const dataset = registry.filings.find((each) => each.slug === slug)!
    assert.deepEqual((await rebuild(world, dataset)).filings, 3)
  }
  assert.equal(world.host.requests.length, requests, 'nothing is fetched')
  assert.deepEqual(await Promise.all(FILINGS.map(({ n }) => documentsOf(world, n))), before)
})

test('prune keeps documents that a requested dataset has read, and submissions that are kept as originals', async (t) => {
  const world = await wholes(t)
  const documents = registry.filings.find(({ slug }) => slug === 'documents')!
  await request(world.sql, documents, {})
  await world.drain({ datasets: ['documents'], workers: 1 })
  await world.sql`update edgar.submission set originals = true where accession = ${accessionOf(2)}`
  await kinds(prune({ ...placeOf(world), act: true }))
  const rows = await world.sql`select dropped from edgar.submission order by accession`
  assert.deepEqual(
    rows.map(({ dropped }) => dropped),
    [[3], [], [3], [3], [3], [3]],
  )
})

test('a document that was looked up before prune replaced its submission can still be read', async (t) => {
  const world = await wholes(t)
  const submission = (await world.submissions.get(accessionOf(1)))!
  const before = await documentsOf(world, 1)
  await kinds(prune({ ...placeOf(world), act: true }))
  for (const [i, entry] of submission.documents.entries()) {
    const read = await Array.fromAsync(world.submissions.document(submission, entry))
    assert.equal(Buffer.concat(read).toString('latin1'), before[i])
  }
})

test('prune loses nothing if it is stopped between any two steps, and the next prune removes the rest', async (t) => {
  const world = await wholes(t)
  const before = await Promise.all(FILINGS.map(({ n }) => documentsOf(world, n)))
  for (let step = 1; ; step++) {
    let left = step
    const failing =
      <A extends unknown[], R>(act: (...given: A) => Promise<R>) =>
      (...given: A) =>
        left-- > 0 ? act(...given) : Promise.reject(new Error('killed'))
    const { put, remove } = world.store
    const store = { ...world.store, put: failing(put), remove: failing(remove) }
    const ended = await Array.fromAsync(prune({ ...placeOf(world), store, act: true, now: LATER })).catch(() => null)
    if (step % 4 === 0 || ended) {
      const dataset = registry.filings.find(({ slug }) => slug === 'eightk')!
      assert.deepEqual(await rebuild({ ...world }, dataset), { filings: 3, failed: 0 })
    }
    if (ended) break
  }
  assert.deepEqual(await kinds(prune({ ...placeOf(world), act: true, now: LATER })), NOTHING)
  assert.equal(await filesOf(world.store), FILINGS.length)
  assert.deepEqual(await Promise.all(FILINGS.map(({ n }) => documentsOf(world, n))), before)
})

test('prune removes texts of other versions, and damaged entries and leftovers of killed processes that are a day old', async (t) => {
  const world = await openWorld(t)
  const derived = path.join(world.archive, 'derived', 'c0ffeec0ffee', 'ab')
  const corrupt = path.join(world.archive, 'corrupt')
  for (const folder of [derived, corrupt]) await mkdir(folder, { recursive: true })
  await writeFile(path.join(derived, 'text.json.zst'), 'x'.repeat(500))
  await writeFile(path.join(corrupt, 'one.zst'), 'x'.repeat(300))
  await writeFile(path.join(corrupt, 'old.zst'), 'x'.repeat(200))
  await utimes(path.join(corrupt, 'old.zst'), 1, 1)
  const found = await Array.fromAsync(prune({ ...placeOf(world), act: true }))
  const bytes = Object.fromEntries(found.map(({ kind, bytes }) => [kind, bytes]))
  assert.deepEqual([bytes.texts, bytes.aside], [500, 200])
  assert.deepEqual(await readdir(path.join(world.archive, 'derived')), [])
  assert.deepEqual(await readdir(corrupt), ['one.zst'])
})

test('an entry is not removed if it was written after the given time', async (t) => {
  const { store } = await openWorld(t)
  const { sha256 } = await store.put(Readable.from([Buffer.from('an entry')]))
  assert.equal(await store.remove(sha256, Date.now() - 60_000), null)
  assert.ok(await store.has(sha256))
  const size = await store.sizeOf(sha256)
  assert.equal(await store.remove(sha256), size)
  assert.deepEqual([await store.sizeOf(sha256), await store.remove(sha256)], [null, null])
})
