/** An invented bulk dataset of two series: ships as a snapshot, voyages by month. */
import { bulk, bulkDataset } from '../../src/declare/dataset.ts'
import type { BulkRows } from '../../src/declare/series.ts'
import { integer, rollup, table, text, usd } from '../../src/declare/table.ts'
import { view } from '../../src/declare/view.ts'

const ship = table(
  'fleet.ship',
  'One row per ship and feed',
  ['feed'],
  {
    number: text('Number of the ship'),
    feed: text('Feed'),
    name: text('Name'),
    weight: integer('Weight').nullable(),
  },
  { record: 'number' },
)
const voyage = table(
  'fleet.voyage',
  'One row per voyage',
  [],
  {
    voyage_id: text('Number of the voyage'),
    port: text('Port'),
  },
  { record: 'voyage_id' },
)
const load = table(
  'fleet.load',
  'One row per load of a voyage',
  [],
  { voyage_id: text('Number of the voyage'), what: text('What is carried'), value: usd('Value').nullable() },
  { record: 'voyage_id', numbered: true },
)
const tally = rollup('fleet.tally', 'One row per ship', ['number'], {
  number: text('Number of the ship'),
  refreshed: integer('Times refreshed'),
})

const byDay = (match: RegExpExecArray) => ({ from: match[1]!, to: match[1]! })

export const fleet = bulkDataset({
  slug: 'fleet',
  label: 'Fleet',
  group: 'Tests',
  source: bulk({
    collection: 'harbour',
    series: {
      SHIPS: {
        kind: 'snapshot',
        tables: ['ship'],
        format: 'xml',
        file: /^ships_(\d{4}-\d\d-\d\d)\.xml(?:\.gz|\.zip)$/,
        days: byDay,
        members: 2,
        most: { bytes: 512 * 1024 ** 2, records: 1_000_000 },
        record: 'Ship',
        scope: { feed: 'SHIPS' },
        key: (record) => {
          const number = record.text('@number')
          if (number === null) throw new Error('no number')
          return number
        },
        version: (record) => record.text('@built') ?? '',
        *rows(record): BulkRows {
          yield [
            'ship',
            { number: record.text('@number'), name: record.text('@name')!, weight: record.integer('@weight') },
          ]
        },
        remembers: { table: 'ship', columns: ['name'] },
      },
      VOYAGES: {
        kind: 'period',
        tables: ['voyage', 'load'],
        format: 'csv',
        file: /^voyages_(\d{4}-\d\d-\d\d)(?:-part(?<part>\d))?\.zip$/,
        days: (match) => ({ from: `${match[1]!.slice(0, 8)}01`, to: match[1]! }),
        most: { bytes: 512 * 1024 ** 2, records: 1_000_000 },
        key: ['VoyageID', 'Voyage ID'],
        members: [
          {
            file: /^Voyage_\d+\.csv$/i,
            needs: ['Port'],
            rows: (line) => [
              ['voyage', { voyage_id: line.text('VoyageID', 'Voyage ID'), port: line.text('Port') ?? '?' }],
            ],
          },
          {
            file: /^Load_\d+\.csv$/i,
            needs: ['What'],
            rows: (line) => [
              [
                'load',
                {
                  voyage_id: line.text('VoyageID', 'Voyage ID'),
                  what: line.text('What'),
                  value: line.money('Value', ['N']),
                },
              ],
            ],
          },
        ],
      },
    },
  }),
  tables: { ship, voyage, load },
  rollups: { tally },
  refresh: {
    touched: (_tx, { series, keys }) => Promise.resolve(series === 'VOYAGES' ? [] : keys),
    async make(tx, keys) {
      const all = keys ?? (await tx`select number from ship`).map((row) => row.number as string)
      await tx`
        insert into tally select number, 1 from unnest(${all as string[]}::text[]) number
        on conflict (number) do update set refreshed = tally.refreshed + 1`
    },
  },
  views: {
    ship: view(
      'pub.fleet_ship',
      'One row per ship',
      { number: ship.columns.number, name: ship.columns.name, weight: ship.columns.weight },
      'select number, name, weight from ship',
    ),
  },
  routes: [],
  parser: new URL(import.meta.url),
  refreshed: new URL(import.meta.url),
})
