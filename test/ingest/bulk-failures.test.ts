/** Bad values, records, lines and members of bulk files: which ones fail alone, and which files are refused. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { bulkDataset } from '../../src/declare/dataset.ts'
import { edgarClient } from '../../src/fetch/client.ts'
import { rebuildBulk } from '../../src/ingest/bulk/rebuild.ts'
import { fleet, type Harbour, openHarbour, shipsXml, writeZip } from '../support/bulk-world.ts'
import { startHost } from '../support/edgar-host.ts'
import { randomFor } from '../support/random.ts'
import { temporaryFolder } from '../support/world.ts'

const ship = (number: number, weight: number | string = 10, name = `No. ${number}`) =>
  `<Ship number="${number}" name="${name}" weight="${weight}"/>`

const shipsOf = async ({ sql }: Harbour) =>
  (await sql`select number, name, weight from fleet.ship order by number::int`).map((row) =>
    Object.values(row).join(' '),
  )
const editionOf = async ({ sql }: Harbour) =>
  (await sql`select * from bulk.edition order by finished_at desc limit 1`)[0]!

test('a record with a value that its column cannot store is refused alone and reported with its place, and its former rows stay', async (t) => {
  const harbour = await openHarbour(t)
  await harbour.ships('2026-07-01', ship(1), ship(2), ship(3))
  await harbour.ingest()
  await harbour.ships('2026-07-02', ship(1, 11), ship(2, 99_999_999_999), ship(3, 13), ship(4, 99_999_999_999))
  const [outcome] = await harbour.ingest()
  assert.equal(outcome!.error, null)
  assert.deepEqual(await shipsOf(harbour), ['1 No. 1 11', '2 No. 2 10', '3 No. 3 13'])
  const { refused, changed, added, gone, notes } = outcome!.result!
  assert.deepEqual([refused, changed, added, gone], [2, 2, 0, 0])
  assert.match(notes.refusals[0]!.place, /ships_2026-07-02\.xml\.gz:Ship 2$/)
  assert.match(
    notes.refusals[0]!.reason,
    /"99999999999" is out of range for type integer \(COPY staged_ship, line \d, column weight/,
  )
  const [known] = await harbour.sql`select changed_day, gone_day from bulk.record where key = '2'`
  assert.deepEqual(known, { changed_day: '2026-07-01', gone_day: null })
  // The feed of the next day is correct.
  await harbour.ships('2026-07-03', ship(1, 11), ship(2, 20), ship(3, 13), ship(4, 40))
  const [next] = await harbour.ingest()
  assert.deepEqual([next!.result!.changed, next!.result!.added, next!.result!.refused], [1, 1, 0])
})

test('a record that the database refuses is refused alone, among many', async (t) => {
  const harbour = await openHarbour(t)
  const many = (weight: number, name?: string) =>
    Array.from({ length: 300 }, (_, n) => ship(n, weight, [7, 123, 299].includes(n) ? name : undefined))
  await harbour.ships('2026-07-01', ...many(1))
  await harbour.ingest()
  await harbour.sql`alter table fleet.ship add constraint never check (name <> 'Forbidden')`
  await harbour.ships('2026-07-02', ...many(2, 'Forbidden'))
  const [outcome] = await harbour.ingest()
  assert.deepEqual([outcome!.error, outcome!.result!.changed, outcome!.result!.refused], [null, 297, 3])
  assert.match(outcome!.result!.notes.refusals[0]!.reason, /"never"/)
  assert.deepEqual(
    (await shipsOf(harbour)).filter((line) => line.endsWith(' 1')),
    ['7 No. 7 1', '123 No. 123 1', '299 No. 299 1'],
  )
  assert.equal((await harbour.sql`select 1 from core.event where key = 'SHIPS/7'`).length, 0)
  // A rebuild reads the stored editions: the three records are from the day before.
  assert.deepEqual(await rebuildBulk(harbour, fleet), { editions: 2, records: 300, lost: 0 })
})

test('a record whose name is too long for an index is refused alone', async (t) => {
  const harbour = await openHarbour(t)
  await harbour.sql`create index on fleet.ship (name)`
  const random = randomFor('a long name')
  const long = Array.from({ length: 10_000 }, () => Math.floor(random() * 36).toString(36)).join('')
  await harbour.ships('2026-07-01', ship(1), ship(2, 1, long), ship(3))
  const [outcome] = await harbour.ingest()
  assert.deepEqual([outcome!.error, outcome!.result!.added, outcome!.result!.refused], [null, 2, 1])
  assert.match(outcome!.result!.notes.refusals[0]!.reason, /index row/)
})

test('a NUL is removed from a CSV value, and reported with its place', async (t) => {
  const harbour = await openHarbour(t)
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': 'VoyageID,Port\n1,A\n2,"B\0C"\n3\0,D\n' })
  const [outcome] = await harbour.ingest()
  assert.equal(outcome!.error, null)
  const ports = await harbour.sql`select voyage_id, port from fleet.voyage order by 1`
  assert.deepEqual(
    ports.map((row) => Object.values(row).join(' ')),
    ['1 A', '2 BC', '3 D'],
  )
  assert.deepEqual(
    (await editionOf(harbour)).problems.map(({ path: at, reason }: Record<string, string>) => `${at}: ${reason}`),
    [
      'Voyage_1.csv Voyage_1.csv:2/Port: NUL was removed from it',
      'Voyage_1.csv Voyage_1.csv:3/VoyageID: NUL was removed from it',
    ],
  )
})

test('an XML feed with a NUL is refused with the place of the NUL, and nothing of the feed is stored', async (t) => {
  const harbour = await openHarbour(t)
  await harbour.ships('2026-07-01', ship(1), ship(2, 1, 'a\0b'))
  const [outcome] = await harbour.ingest()
  assert.match(outcome!.error!, /ships_2026-07-01\.xml\.gz: line 3, column \d+ .*disallowed character/)
  assert.deepEqual(await shipsOf(harbour), [])
})

/** Each entry has the members of a zip or the bytes of a feed, and the reason of the refusal. */
const hostile: Record<string, { members?: Record<string, string | Buffer>; feed?: () => Buffer; reason: RegExp }> = {
  'a quote that is never closed': {
    members: { 'Voyage_1.csv': `VoyageID,Port\n1,A\n2,"${'x'.repeat(5 * 2 ** 20)}` },
    reason: /Voyage_1\.csv: the line after line 2 is longer than 4194304 characters/,
  },
  'a line without end': {
    members: { 'Voyage_1.csv': `VoyageID,Port\n${'x'.repeat(5 * 2 ** 20)}` },
    reason: /Voyage_1\.csv: the line after line 1 is longer/,
  },
  'a header of too many columns': {
    members: { 'Voyage_1.csv': `VoyageID,Port${',c'.repeat(20_000)}\n` },
    reason: /Voyage_1\.csv has 20002 columns/,
  },
  'a member that swells': {
    members: { 'Voyage_1.csv': `VoyageID,Port\n${'1,A\n'.repeat(6 * 2 ** 20)}` },
    reason: /Voyage_1\.csv is \d+ bytes that swell to \d+, more than 200 times/,
  },
  'too many members': {
    members: Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`a${n}.csv`, 'x'])),
    reason: /more than 1000 members/,
  },
  'a member of an endless name': {
    members: { [`Voyage_1${'1'.repeat(5000)}.csv`]: 'x' },
    reason: /the directory entry of Voyage_1.* has more than 4096 bytes/,
  },
  'a record of too many bytes': {
    feed: () => gzipSync(shipsXml(ship(1), `<Ship number="2">${'<!-- x -->'.repeat(2 * 2 ** 20)}</Ship>`)),
    reason: /a Ship, or a text around it, is larger than 16777216 bytes in \/Fleet\/Ships\/Ship/,
  },
  'a text without end between the records': {
    feed: () => gzipSync(shipsXml(ship(1), 'x'.repeat(20 * 2 ** 20))),
    reason: /a Ship, or a text around it, is larger than 16777216 bytes in \/Fleet\/Ships/,
  },
  'a feed that swells, though none of its records does': {
    feed: () => {
      const swollen = (number: number) => `<Ship number="${number}"><!--${' '.repeat(8 * 2 ** 20)}--></Ship>`
      return gzipSync(shipsXml(...Array.from({ length: 9 }, (_, n) => swollen(n))))
    },
    reason: /ships_2026-07-01\.xml\.gz: swells to more than 200 times its bytes$/,
  },
  'a feed whose gzip is damaged': {
    feed: () => {
      const packed = gzipSync(shipsXml(ship(1)))
      packed[packed.length - 6]! ^= 1
      return packed
    },
    reason: /ships_2026-07-01\.xml\.gz: incorrect data check$/,
  },
  'a record of too many elements': {
    feed: () => gzipSync(shipsXml(ship(1), `<Ship number="2">${'<a/>'.repeat(200_001)}</Ship>`)),
    reason: /line 3, column \d+ .*more than 200000 elements, attributes and texts in \/Fleet\/Ships\/Ship\/a/,
  },
  'an element of too many attributes': {
    feed: () =>
      gzipSync(shipsXml(`<Ship number="2" ${Array.from({ length: 200_001 }, (_, n) => `a${n}=""`).join(' ')}/>`)),
    reason: /more than 10000 paths/,
  },
  'elements of ever new names': {
    feed: () =>
      gzipSync(shipsXml(`<Ship number="2">${Array.from({ length: 20_000 }, (_, n) => `<a${n}/>`).join('')}</Ship>`)),
    reason: /more than 10000 paths/,
  },
  'a name without end': {
    feed: () => gzipSync(shipsXml(`<Ship number="2"><${'a'.repeat(100_000)}/></Ship>`)),
    reason: /a name is longer than 256 characters/,
  },
}

test('each decompression bomb among bulk files is refused with its place, and nothing of it is stored', async (t) => {
  const harbour = await openHarbour(t)
  for (const [what, { members, feed, reason }] of Object.entries(hostile)) {
    const file = path.join(harbour.root, members ? 'voyages_2026-06-30.zip' : 'ships_2026-07-01.xml.gz')
    if (members) await writeZip(file, members)
    else await writeFile(file, feed!())
    const [outcome] = await harbour.ingest({ files: [file] })
    assert.match(outcome!.error!, reason, what)
    assert.ok(outcome!.error!.startsWith(path.basename(file)), what)
  }
  assert.equal((await harbour.sql`select 1 from bulk.record`).length, 0)
})

test('a file with the same name, size and date from another host counts as a new file until its content was compared', async (t) => {
  const harbour = await openHarbour(t)
  await harbour.ships('2026-07-01', ship(1))
  await harbour.ingest()
  const root = await temporaryFolder(t)
  const second = await startHost({ root: [root, path.dirname(harbour.root)] })
  t.after(() => second.close())
  const client = edgarClient({ baseUrl: second.url, userAgent: null })
  t.after(() => client.close())
  const requests = () => second.requests.filter(({ path: at }) => at.endsWith('.gz')).length
  // The first run fetches the file, whose content is the same as before. The second run does not request the file
  // again.
  assert.deepEqual([await harbour.ingest({ client }), requests()], [[], 1])
  assert.deepEqual([await harbour.ingest({ client }), requests()], [[], 1])
  await writeFile(path.join(harbour.root, 'ships_2026-07-01.xml.gz'), gzipSync(shipsXml(ship(1, 99))))
  const [other] = await harbour.ingest()
  assert.equal(other!.result!.changed, 1)
})

/** The dataset as a later version declares it: with an index on names. */
const { ship: ships } = fleet.tables
const indexed = bulkDataset({ ...fleet, tables: { ...fleet.tables, ship: { ...ships!, indexes: ['(name)'] } } })
const random = randomFor('a name that is too long')
const LONG = Array.from({ length: 10_000 }, () => Math.floor(random() * 36).toString(36)).join('')

test('a record whose text is too long for an index of a later version is the only record that the rebuild loses, and is reported with its edition; a later load or rebuild stores it', async (t) => {
  const harbour = await openHarbour(t)
  const { sql } = harbour
  await harbour.ships('2026-07-01', ship(1), ship(2, 10, LONG), ship(3))
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': 'VoyageID,Port\n2,Here\n' })
  await harbour.ingest()
  const reported: string[] = []
  const onLost = (name: string, { key, reason }: { key: string; reason: string }) =>
    void reported.push(`${name} ${key}: ${reason}`)
  const refusedIn = async () =>
    (await sql`select refused, refusals from bulk.edition where series = 'SHIPS' order by to_day`).map((row) => [
      row.refused,
      row.refusals.map(({ key }: { key: string }) => key),
    ])
  const lost = { editions: 2, records: 3, lost: 1 }
  assert.deepEqual(await rebuildBulk({ ...harbour, slices: [indexed], onLost }, indexed), lost)
  assert.match(reported.join('\n'), /^ships_2026-07-01\S* 2: index row requires 10\d+ bytes, .* \(index of ship\)$/)
  assert.deepEqual(await shipsOf(harbour), ['1 No. 1 10', '3 No. 3 10'])
  assert.deepEqual((await sql`select voyage_id from fleet.voyage`).length, 1, 'the same key in another series stays')
  assert.deepEqual(await refusedIn(), [[1, ['2']]])
  // Another rebuild tries the record again, and counts it once.
  assert.deepEqual(await rebuildBulk({ ...harbour, slices: [indexed], onLost }, indexed), lost)
  assert.deepEqual(await refusedIn(), [[1, ['2']]])
  // The feed of the next day has the same text, and the feed after that has a short text.
  await harbour.ships('2026-07-02', ship(1), ship(2, 10, LONG), ship(3))
  const load = { slices: [indexed], datasets: [indexed] }
  const [second] = await harbour.ingest(load)
  assert.equal(second!.result!.refused, 1, 'the record does not count as unchanged')
  await harbour.ships('2026-07-03', ship(1), ship(2, 10, 'short'), ship(3))
  const [third] = await harbour.ingest(load)
  assert.deepEqual([third!.error, third!.result!.refused, third!.result!.changed], [null, 0, 1])
  assert.deepEqual(await shipsOf(harbour), ['1 No. 1 10', '2 short 10', '3 No. 3 10'])
  // Without the index, the rebuild stores every record.
  await harbour.ships('2026-07-04', ship(1), ship(2, 10, LONG), ship(3))
  await harbour.ingest(load)
  assert.deepEqual((await rebuildBulk(harbour, fleet)).lost, 0)
})

test('a record that a rebuild could not store is stored by the rebuild of a version that can', async (t) => {
  const harbour = await openHarbour(t)
  await harbour.ships('2026-07-01', ship(1), ship(2, 10, LONG))
  await harbour.ingest()
  await rebuildBulk({ ...harbour, slices: [indexed] }, indexed)
  assert.deepEqual(await shipsOf(harbour), ['1 No. 1 10'])
  assert.deepEqual(await rebuildBulk(harbour, fleet), { editions: 1, records: 2, lost: 0 })
  assert.deepEqual(await shipsOf(harbour), ['1 No. 1 10', `2 ${LONG} 10`])
  const { refused, refusals } = await editionOf(harbour)
  assert.deepEqual([refused, refusals], [0, []])
  assert.equal((await harbour.sql`select from bulk.record where digest like '%!'`).length, 0)
})
