/** Bulk files: editions of series, of which only the changes are loaded. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after as afterFile, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { edgarClient } from '../../src/fetch/client.ts'
import { rebuildBulk } from '../../src/ingest/bulk/rebuild.ts'
import { after } from '../../src/store/events.ts'
import { dataVersions, versionOf, versionsOf } from '../../src/store/meta.ts'
import { fleet, type Harbour, harbourDatabase, openHarbour, shipsXml, writeZip } from '../support/bulk-world.ts'

const database = await harbourDatabase({ after: afterFile })

const ship = (number: number, weight: number | string = 10, more = '') =>
  `<Ship number="${number}" name="No. ${number}" weight="${weight}" ${more}/>`

const shipsOf = async ({ sql }: Harbour) => [...(await sql`select number, weight from fleet.ship order by number`)]
const fate = async ({ sql }: Harbour, key: number) => {
  const [row] = await sql`select first_day, changed_day, gone_day from bulk.record where key = ${String(key)}`
  return row && Object.values(row)
}
const changes = async ({ sql }: Harbour) =>
  (await after(sql, 0, 1000)).map(({ slug, key, what }) => `${slug} ${key} ${what}`)

test('a feed is compared with the one before: new, changed, removed and returned records get the day of the change', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1), ship(2), ship(3))
  await harbour.ingest()
  await harbour.ships('2026-07-02', ship(1), ship(2, 20), ship(4))
  await harbour.ingest()
  await harbour.ships('2026-07-03', ship(1), ship(2, 20), ship(3), ship(4))
  const [third] = await harbour.ingest()
  assert.deepEqual(await changes(harbour), [
    'fleet null added',
    'fleet SHIPS/2 corrected',
    'fleet SHIPS/3 removed',
    'fleet SHIPS/4 added',
    'fleet SHIPS/3 added',
  ])
  assert.deepEqual(await fate(harbour, 1), ['2026-07-01', '2026-07-01', null])
  assert.deepEqual(await fate(harbour, 2), ['2026-07-01', '2026-07-02', null])
  assert.deepEqual(await fate(harbour, 3), ['2026-07-01', '2026-07-03', null])
  assert.equal(third!.result!.back, 1)
})

test('rows of a removed record stay, with the day of the removal', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1), ship(2))
  await harbour.ships('2026-07-02', ship(1))
  await harbour.ingest()
  assert.equal((await shipsOf(harbour)).length, 2)
  assert.deepEqual(await fate(harbour, 2), ['2026-07-01', '2026-07-01', '2026-07-02'])
})

test('loading the same feed a second time changes nothing, whether it comes from the list, as a file or with --again', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1), ship(2))
  await harbour.ingest()
  const version = async () => versionOf(versionsOf(await dataVersions(harbour.sql)), ['fleet', 'bulk'])
  const before = await version()
  assert.deepEqual(await harbour.ingest(), [])
  assert.deepEqual(await harbour.ingest({ files: [path.join(harbour.root, 'ships_2026-07-01.xml.gz')] }), [])
  const [again] = await harbour.ingest({ again: true })
  assert.deepEqual([again!.result!.added, again!.result!.changed, again!.result!.gone], [0, 0, 0])
  assert.equal(await version(), before)
  assert.equal(harbour.host.requests.filter(({ path: at }) => at.includes('.gz')).length, 2)
})

test('rollups are refreshed once per run, and only for changed records', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-06-30', ship(1), ship(2, 4))
  await harbour.ships('2026-07-01', ship(1), ship(2))
  await harbour.ingest()
  await harbour.ships('2026-07-02', ship(1), ship(2, 5))
  await harbour.ingest()
  const rows = await harbour.sql`select number, refreshed from fleet.tally order by number`
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ['1', 1],
      ['2', 2],
    ],
  )
})

test('a zip with a missing part is refused before anything is changed', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1), ship(2))
  await harbour.ingest()
  const file = path.join(harbour.root, 'ships_2026-07-02.xml.zip')
  await writeZip(file, { 'a1.xml': shipsXml(ship(1)) })
  const [outcome] = await harbour.ingest({ files: [file] })
  assert.match(outcome!.error!, /ships_2026-07-02\.xml\.zip: only 1 of 2 parts are there/)
  assert.deepEqual(await fate(harbour, 2), ['2026-07-01', '2026-07-01', null])
  await writeZip(file, { 'a1.xml': shipsXml(ship(1)), 'a2.xml': shipsXml(ship(2)) })
  assert.equal((await harbour.ingest({ files: [file] }))[0]!.error, null)
})

test('a truncated feed is an error with the name of the feed, and nothing of it is stored', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1), ship(2))
  await harbour.ingest()
  await harbour.ships('2026-07-02', ship(1, 99), ship(2))
  const file = path.join(harbour.root, 'ships_2026-07-02.xml.gz')
  await writeFile(file, (await readFile(file)).subarray(0, -12))
  const [outcome] = await harbour.ingest({ files: [file] })
  assert.match(outcome!.error!, /ships_2026-07-02\.xml\.gz/)
  assert.deepEqual(await shipsOf(harbour), [
    { number: '1', weight: 10 },
    { number: '2', weight: 10 },
  ])
  const [edition] = await harbour.sql`select state, error from bulk.edition where name = 'ships_2026-07-02.xml.gz'`
  assert.equal(edition!.state, 'failed')
})

test('a record that cannot be read fails alone, keeps its rows and does not count as removed', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1), ship(2), ship(3))
  await harbour.ingest()
  await harbour.ships('2026-07-02', ship(1), '<Ship name="nameless"/>', ship(2))
  const [outcome] = await harbour.ingest()
  assert.equal(outcome!.result!.refused, 1)
  assert.match(outcome!.result!.notes.refusals[0]!.place, /Ship 2$/)
  // The record without a readable key may be ship 3, so no record counts as gone.
  assert.equal(outcome!.result!.gone, 0)
  assert.equal((await shipsOf(harbour)).length, 3)
})

test('an unreadable value is null with its place and reason', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1, 'heavy'))
  const [outcome] = await harbour.ingest()
  assert.deepEqual(await shipsOf(harbour), [{ number: '1', weight: null }])
  assert.equal(outcome!.result!.notes.problems[0]!.value, 'heavy')
})

test('if records of a feed have the same key but different versions, the newest version is stored', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1, 1, 'built="2001"'), ship(1, 2, 'built="2003"'), ship(1, 3, 'built="2002"'))
  await harbour.ingest()
  assert.deepEqual(await shipsOf(harbour), [{ number: '1', weight: 2 }])
})

test('a feed that is older than the last loaded feed is skipped', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-02', ship(1))
  await harbour.ingest()
  await harbour.ships('2026-07-01', ship(1), ship(2))
  assert.deepEqual(await harbour.ingest(), [])
})

test('a feed that lacks a quarter of the known records is refused unless an option allows it', async (t) => {
  const harbour = await openHarbour(t, database)
  const many = Array.from({ length: 300 }, (_, i) => ship(i + 1))
  await harbour.ships('2026-07-01', ...many)
  await harbour.ingest()
  await harbour.ships('2026-07-02', ...many.slice(0, 150))
  const [refused] = await harbour.ingest()
  assert.match(refused!.error!, /lacks 150 of 300 known records/)
  const [taken] = await harbour.ingest({ acceptGone: true })
  assert.equal(taken!.result!.gone, 150)
})

const voyagesOf = async ({ sql }: Harbour) =>
  (await sql`select voyage_id, port from fleet.voyage order by 1`).map((row) => Object.values(row).join(' '))
const loadsOf = async ({ sql }: Harbour) =>
  (await sql`select voyage_id, n, what, value from fleet.load order by 1, 2`).map((row) => Object.values(row).join(' '))

const PORTS = 'VoyageID,"Port"\r\n1,"Cádiz"\r\n2,"OLD "NEW" PORT, NORTH"\r\n'
const LOADS = '"Voyage ID",What,Value\n1,salt,10.50\n1,tin,N\n2,"wool,\nraw",x\n'

test('a record of a monthly file combines lines of several members, and lines without a key are numbered', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.voyages('2026-06-30', { 'Voyage_20260630.csv': PORTS, 'folder/LOAD_20260630.csv': LOADS })
  const [outcome] = await harbour.ingest()
  assert.equal(outcome!.error, null)
  assert.equal(outcome!.result!.records, 2)
  assert.deepEqual(await voyagesOf(harbour), ['1 Cádiz', '2 OLD "NEW" PORT, NORTH'])
  assert.deepEqual(await loadsOf(harbour), ['1 1 salt 10.5', '1 2 tin ', '2 1 wool,\nraw '])
  assert.deepEqual(
    outcome!.result!.notes.problems.map(({ value }) => value),
    ['x'],
  )
})

test('feeds of missed days that are no longer listed are fetched in order while the host still has them', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1), ship(2), ship(3))
  await harbour.ingest()
  const missed = (day: string, ...ships: string[]) =>
    writeFile(path.join(harbour.root, `ships_${day}.xml.gz`), gzipSync(shipsXml(...ships)))
  await missed('2026-07-03', ship(1), ship(3))
  // This feed is older than the days that are requested from the host.
  await missed('2026-06-30', ship(9))
  await harbour.ships('2026-07-06', ship(1))
  const before = harbour.host.requests.length
  const outcomes = await harbour.ingest()
  assert.deepEqual(
    outcomes.map(({ edition, error }) => [edition.to, error]),
    [
      ['2026-07-03', null],
      ['2026-07-06', null],
    ],
  )
  assert.deepEqual(await fate(harbour, 2), ['2026-07-01', '2026-07-01', '2026-07-03'])
  assert.deepEqual(await fate(harbour, 3), ['2026-07-01', '2026-07-01', '2026-07-06'])
  const requested = harbour.host.requests.slice(before).map(({ path: at, status }) => `${at.slice(-13, -7)} ${status}`)
  assert.deepEqual(requested.slice(1), ['-07-02 404', '-07-03 200', '-07-04 404', '-07-05 404', '-07-06 200'])
  assert.equal((await harbour.ingest()).length, 0)
  assert.equal(harbour.host.requests.length, before + 7, 'each day is requested once')
  // A file that cannot be fetched fails alone.
  await harbour.ships('2026-07-08', ship(1), ship(4))
  harbour.host.setFaults('unavailable:path=ships_2026-07-07')
  const client = edgarClient({ baseUrl: harbour.host.url, userAgent: null, attempts: 1 })
  t.after(() => client.close())
  const [lost, listed] = await harbour.ingest({ client })
  assert.match(lost!.error!, /answered 503/)
  assert.equal(listed!.result!.added, 1)
})

test('a .gz file that HTTP already decompressed, because the host declared a content encoding, is read', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1))
  for (const content of [shipsXml(ship(1), ship(2)), gzipSync(shipsXml(ship(1), ship(2), ship(3))), '', '<']) {
    const file = path.join(harbour.root, 'ships_2026-07-01.xml.gz')
    await writeFile(file, content)
    const [{ error, result } = { error: '', result: null }] = await harbour.ingest({ again: true })
    assert.equal(error === null, content.length > 1)
    assert.equal(result?.records ?? 0, content.length < 2 ? 0 : typeof content === 'string' ? 2 : 3)
  }
})

test('monthly files in UTF-8 and in cp1252 give the same rows', async (t) => {
  const harbour = await openHarbour(t, database)
  const text = 'VoyageID,Port\n1,Cádiz – “Süd”\n'
  const bytes = Buffer.from(text.replace('–', '\x96').replace('“', '\x93').replace('”', '\x94'), 'latin1')
  await harbour.voyages('2026-05-31', { 'Voyage_1.csv': text })
  await harbour.ingest()
  assert.deepEqual(await voyagesOf(harbour), ['1 Cádiz – “Süd”'])
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': bytes.toString('latin1') === '' ? '' : bytes })
  await harbour.ingest()
  assert.deepEqual(await voyagesOf(harbour), ['1 Cádiz – “Süd”'])
})

test('a monthly file without a needed column is refused, and the error names the file and the column', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': 'VoyageID,Harbour\n1,X\n' })
  const [outcome] = await harbour.ingest()
  assert.match(outcome!.error!, /Voyage_1\.csv lacks the column Port/)
})

test('a line with a wrong number of values fails alone, with its place', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': 'VoyageID,Port\n1,A\n2,B,C\n3,D\n' })
  const [outcome] = await harbour.ingest()
  assert.deepEqual(await voyagesOf(harbour), ['1 A', '3 D'])
  assert.deepEqual(outcome!.result!.notes.refusals, [
    { place: 'Voyage_1.csv:2', key: '2', reason: '3 values for 2 columns' },
  ])
})

test('if an identifier occurs twice in a monthly file, only its last line counts', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': 'VoyageID,Port\n1,A\n1,B\n' })
  await harbour.ingest()
  assert.deepEqual(await voyagesOf(harbour), ['1 B'])
})

test('if records of a feed have the same key and no version, the first counts, and the key is reported if the records differ', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1), ship(2, 20), ship(2, 30), ship(3), ship(3), ship(2, 20))
  const [outcome] = await harbour.ingest()
  assert.deepEqual(
    (await shipsOf(harbour)).map(({ number, weight }) => [number, Number(weight)]),
    ['1', '2', '3'].map((number) => [number, number === '2' ? 20 : 10]),
  )
  const { records, notes } = outcome!.result!
  assert.equal(records, 3)
  assert.deepEqual(
    [notes.problems, notes.problemCount],
    [
      [{ path: '2', value: '2 records', reason: 'these records have the same key and differ; the first one is kept' }],
      1,
    ],
  )
})

test('a restated month replaces its records and removes the records that it no longer has; other months stay', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.voyages('2026-05-31', { 'Voyage_1.csv': 'VoyageID,Port\n1,A\n' })
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': 'VoyageID,Port\n2,B\n3,C\n' })
  await harbour.ingest()
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': 'VoyageID,Port\n3,CC\n4,D\n' })
  const [outcome] = await harbour.ingest()
  assert.deepEqual(await voyagesOf(harbour), ['1 A', '3 CC', '4 D'])
  const { added, changed, gone } = outcome!.result!
  assert.deepEqual([added, changed, gone], [1, 1, 1])
})

test('a record that occurs in two months stays if the older month is restated without it', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.voyages('2026-05-31', { 'Voyage_1.csv': 'VoyageID,Port\n1,A\n2,B\n' })
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': 'VoyageID,Port\n1,A\n3,C\n' })
  await harbour.ingest()
  await harbour.voyages('2026-05-31', { 'Voyage_1.csv': 'VoyageID,Port\n2,B\n' })
  await harbour.ingest()
  assert.deepEqual(await voyagesOf(harbour), ['1 A', '2 B', '3 C'])
  assert.equal((await rebuildBulk(harbour, fleet)).lost, 0)
  assert.deepEqual(await voyagesOf(harbour), ['1 A', '2 B', '3 C'])
})

test('an older month does not replace the rows of a record from a newer month', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': 'VoyageID,Port\n1,new\n' })
  await harbour.ingest()
  await harbour.voyages('2026-05-31', { 'Voyage_1.csv': 'VoyageID,Port\n1,old\n2,B\n' })
  await harbour.ingest()
  assert.deepEqual(await voyagesOf(harbour), ['1 new', '2 B'])
})

test('a set in parts is one edition, and is refused while a part is missing', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': 'VoyageID,Port\n1,A\n' }, 1)
  const [alone] = await harbour.ingest()
  assert.match(alone!.error!, /part 2 is missing/)
  await harbour.voyages('2026-06-30', { 'Load_1.csv': 'VoyageID,What,Value\n1,salt,2\n' }, 2)
  const [both] = await harbour.ingest()
  assert.equal(both!.error, null)
  assert.deepEqual([await voyagesOf(harbour), await loadsOf(harbour)], [['1 A'], ['1 1 salt 2']])
})

test('records with the same key in two series do not affect each other', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': 'VoyageID,Port\n1,A\n', 'Load_1.csv': LOADS })
  await harbour.ingest()
  await harbour.ships('2026-07-01', ship(1))
  await harbour.ships('2026-07-02', ship(1, 5))
  await harbour.ingest()
  assert.deepEqual(await voyagesOf(harbour), ['1 A'])
  assert.deepEqual((await loadsOf(harbour)).length, 3)
})

test('a rebuild from the archive gives the same rows, including the rows of removed records', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1), ship(2), ship(3))
  await harbour.ships('2026-07-02', ship(1), ship(2, 7))
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': PORTS, 'Load_1.csv': LOADS })
  await harbour.ingest()
  const all = async () => [await shipsOf(harbour), await voyagesOf(harbour), await loadsOf(harbour)]
  const before = await all()
  const result = await rebuildBulk(harbour, fleet)
  assert.deepEqual(result, { editions: 3, records: 5, lost: 0 })
  assert.deepEqual(await all(), before)
  assert.deepEqual(
    (await harbour.ingest({ again: true })).map(({ result: r }) => r!.changed),
    [0, 0],
  )
})

test('a stopped load stores nothing and does not count as a failure; the next run loads the file', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1))
  const stop = new AbortController()
  const reading = async function* (bytes: AsyncIterable<Uint8Array>) {
    for await (const chunk of bytes) {
      stop.abort()
      yield chunk
    }
  }
  const { store } = harbour
  const stopping = { ...store, read: (sha256: string) => reading(store.read(sha256)) as ReturnType<typeof store.read> }
  assert.deepEqual(await harbour.ingest({ store: stopping, signal: stop.signal }), [])
  assert.deepEqual(await harbour.sql`select name from bulk.edition`.then((rows) => [...rows]), [])
  assert.equal((await harbour.ingest())[0]!.result!.added, 1)
})

test('a load that is stopped after the fetch of its zip and before its reading stores nothing', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.voyages('2026-07-31', { 'Voyage_1.csv': 'VoyageID,Port\n1,A\n', 'Load_1.csv': 'VoyageID,What\n1,B\n' })
  const stop = new AbortController()
  const onRead = (_: unknown, read: number, total: number) => read === total && stop.abort()
  assert.deepEqual(await harbour.ingest({ onRead, signal: stop.signal }), [])
  assert.deepEqual(await harbour.sql`select name from bulk.edition`.then((rows) => [...rows]), [])
  assert.equal((await harbour.ingest())[0]!.result!.added, 1)
})

test('a list that names a path outside its folder is refused', async (t) => {
  const harbour = await openHarbour(t, database)
  await writeFile(path.join(harbour.root, 'list.json'), JSON.stringify({ files: [{ name: '../../etc/passwd' }] }))
  await assert.rejects(harbour.ingest(), /list\.json/)
})
