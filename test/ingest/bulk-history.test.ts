/** bulk.history: former values of records of a snapshot, across editions, corrections and rebuilds. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bulk, bulkDataset } from '../../src/declare/dataset.ts'
import type { BulkRows } from '../../src/declare/series.ts'
import { rebuildBulk } from '../../src/ingest/bulk/rebuild.ts'
import { beginSample } from '../../src/ingest/origin.ts'
import type { Element } from '../../src/read/xml.ts'
import { fleet, type Harbour, harbourDatabase, openHarbour } from '../support/bulk-world.ts'

const database = await harbourDatabase({ after })

const ship = (number: number, name: string, weight = 1) =>
  `<Ship number="${number}" name="${name}" weight="${weight}"/>`

const historyOf = async ({ sql }: Harbour) =>
  (await sql`select key, value, from_day, to_day from bulk.history order by key, from_day`).map((row) =>
    Object.values(row).join(' '),
  )

test('a name that a later edition changes is kept with its first and last day; an unchanged name stays current', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1, 'Ada'), ship(2, 'Bob'))
  await harbour.ships('2026-07-02', ship(1, 'Ada'), ship(2, 'Cy'), ship(3, 'Di'))
  await harbour.ships('2026-07-04', ship(1, 'Ada', 2), ship(2, 'Bob'))
  await harbour.ships('2026-07-05', ship(1, 'Ada'), ship(2, 'Bob'), ship(3, 'Ed'))
  await harbour.ingest()
  const expected = [
    '1 Ada 2026-07-01 ',
    '2 Bob 2026-07-01 2026-07-02',
    '2 Cy 2026-07-02 2026-07-04',
    '2 Bob 2026-07-04 ',
    // Ship 3 is gone on the 4th. Its last value stays until the ship has another value.
    '3 Di 2026-07-02 2026-07-05',
    '3 Ed 2026-07-05 ',
  ]
  assert.deepEqual(await historyOf(harbour), expected)
  await rebuildBulk(harbour, fleet)
  assert.deepEqual(await historyOf(harbour), expected)
})

test('a corrected edition replaces the values of its first version, and no value remains that was valid on no day', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1, 'Ada'), ship(2, 'Bob'))
  await harbour.ingest()
  await harbour.ships('2026-07-02', ship(1, 'Wrong'), ship(2, 'Bob'))
  await harbour.ingest()
  await harbour.ships('2026-07-02', ship(1, 'Right'), ship(2, 'Bob'))
  await harbour.ingest()
  assert.deepEqual(await historyOf(harbour), [
    '1 Ada 2026-07-01 2026-07-02',
    '1 Right 2026-07-02 ',
    '2 Bob 2026-07-01 ',
  ])
  await harbour.ships('2026-07-02', ship(1, 'Ada'), ship(2, 'Bob'))
  await harbour.ingest()
  assert.deepEqual(await historyOf(harbour), ['1 Ada 2026-07-01 ', '2 Bob 2026-07-01 '])
})

test('a rebuild with a parser that reads names differently corrects the current names, and records none as a new name', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1, 'Ada'), ship(2, 'Bob'))
  await harbour.ships('2026-07-02', ship(1, 'Cy'), ship(2, 'Bob'))
  await harbour.ingest()
  const { SHIPS, ...others } = fleet.source.series
  const louder = bulkDataset({
    ...fleet,
    source: bulk({
      collection: 'harbour',
      series: {
        ...others,
        SHIPS: {
          ...(SHIPS as Extract<typeof SHIPS, { format: 'xml' }>),
          *rows(record: Element): BulkRows {
            const name = record.text('@name')!.toUpperCase()
            yield ['ship', { number: record.text('@number'), name, weight: record.integer('@weight') }]
          },
        },
      },
    }),
  })
  await rebuildBulk(harbour, louder)
  assert.deepEqual(await historyOf(harbour), ['1 Ada 2026-07-01 2026-07-02', '1 CY 2026-07-02 ', '2 BOB 2026-07-01 '])
})

test('a record that is missing or unreadable in an edition keeps its former values', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ship(1, 'Ada'), ship(2, 'Bob'), ship(3, 'Cy'))
  await harbour.ships('2026-07-02', ship(1, 'Ada'), '<Ship name="nameless"/>')
  const outcomes = await harbour.ingest()
  assert.equal(outcomes[1]!.result!.refused, 1)
  assert.deepEqual(await historyOf(harbour), ['1 Ada 2026-07-01 ', '2 Bob 2026-07-01 ', '3 Cy 2026-07-01 '])
})

test('a dataset can keep history only of text columns, and not of series that cover periods', () => {
  const { SHIPS, VOYAGES } = fleet.source.series
  const declare = (series: object) =>
    // Wrong on purpose; the types refuse some of these declarations too.
    bulkDataset({ ...fleet, source: bulk({ collection: 'harbour', series: series as never }) })
  assert.throws(
    () => declare({ SHIPS: { ...SHIPS, remembers: { table: 'ship', columns: ['weight'] } }, VOYAGES }),
    /remembers ship\.weight, which is not a text/,
  )
  assert.throws(
    () => declare({ SHIPS: { ...SHIPS, remembers: { table: 'boat', columns: ['name'] } }, VOYAGES }),
    /remembers boat\.name/,
  )
  assert.throws(
    () => declare({ SHIPS: { ...SHIPS, kind: 'period' }, VOYAGES }),
    /remembers name, but is not a snapshot/,
  )
})

/** Numbers from 0 to 1 that are the same in each run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

test('over random editions the history equals the values of each edition in order, also after a rebuild with the history table or without it, from the archive', async (t) => {
  const harbour = await openHarbour(t, database)
  const next = random(20_261_121)
  const oracle = new Map<string, { value: string; from: string; to: string | null }[]>()
  const fleetNow = new Map<number, string>([[0, 'Constant']])
  for (let day = 1; day <= 24; day++) {
    const iso = `2026-07-${String(day).padStart(2, '0')}`
    for (let n = 0; n < 3; n++) {
      const number = 1 + Math.floor(next() * 5)
      if (next() < 0.25) fleetNow.delete(number)
      else fleetNow.set(number, ['Ada', 'Bob', 'Cy'][Math.floor(next() * 3)]!)
    }
    const twice = next() < 0.2
    const all = [...fleetNow].map(([number, name]) => ship(number, name))
    // If two records have one number and one version, the second is ignored.
    await harbour.ships(iso, ...all, ...(twice ? [ship(0, 'Ignored')] : []))
    await harbour.ingest({ originals: true })
    for (const [number, name] of fleetNow) {
      const own = oracle.get(String(number)) ?? []
      const last = own.at(-1)
      if (last?.value === name) continue
      if (last) last.to = iso
      oracle.set(String(number), [...own, { value: name, from: iso, to: null }])
    }
  }
  const expected = [...oracle]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, own]) => own.map(({ value, from, to }) => `${key} ${value} ${from} ${to ?? ''}`))
  assert.ok(expected.length > 20)
  assert.deepEqual(await historyOf(harbour), expected)
  await rebuildBulk(harbour, fleet)
  assert.deepEqual(await historyOf(harbour), expected)
  const ships = await harbour.sql`select * from fleet.ship order by number`
  // This is the state of a database that was made before histories were kept.
  await harbour.sql`truncate bulk.history`
  await rebuildBulk(harbour, fleet)
  assert.deepEqual(await historyOf(harbour), expected)
  assert.deepEqual([...(await harbour.sql`select * from fleet.ship order by number`)], [...ships])
  await harbour.ships('2026-07-25', ship(0, 'Constant'), ship(1, 'Ed'))
  await harbour.ingest({ acceptGone: true, originals: true })
  const [last] = await harbour.sql`select from_day from bulk.history where key = '1' and to_day is null`
  assert.equal(last!.from_day, '2026-07-25')
  await beginSample(harbour.sql, [fleet])
  assert.deepEqual(await historyOf(harbour), [])
})
