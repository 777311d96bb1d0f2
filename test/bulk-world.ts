/** A bulk dataset of two series, invented, and a publisher on loopback to fetch it from: for tests of ingest/bulk. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { diskStore, type Store } from '../src/archive/store.ts'
import { bulk, bulkDataset } from '../src/declare/dataset.ts'
import type { BulkRows } from '../src/declare/series.ts'
import { integer, money, records, rollup, text } from '../src/declare/table.ts'
import { edgarClient } from '../src/fetch/client.ts'
import { type BulkOptions, type EditionOutcome, ingestBulk } from '../src/ingest/bulk/ingest.ts'
import type { Sql } from '../src/store/db.ts'
import { migrate } from '../src/store/schema.ts'
import { ZipWriter } from './adv/zip.ts'
import { freshDatabase } from './database.ts'
import { type Host, startHost } from './edgar-host.ts'
import { temporaryFolder } from './world.ts'

const ship = records('fleet.ship', ['number', 'feed'], {
  number: text('Number of the ship'),
  feed: text('Feed'),
  name: text('Name'),
  weight: integer('Weight').nullable(),
})
const voyage = records('fleet.voyage', ['voyage_id'], { voyage_id: text('Number of the voyage'), port: text('Port') })
const load = records(
  'fleet.load',
  ['voyage_id'],
  { voyage_id: text('Number of the voyage'), what: text('What is carried'), value: money('Value').nullable() },
  { numbered: true },
)
const tally = rollup('fleet.tally', ['number'], {
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
  async refresh(tx, changed) {
    if (changed?.series === 'VOYAGES') return
    const keys = changed?.keys ?? (await tx`select number from fleet.ship`).map((row) => row.number as string)
    await tx`
      insert into fleet.tally select number, 1 from unnest(${keys as string[]}::text[]) number
      on conflict (number) do update set refreshed = tally.refreshed + 1`
  },
  routes: [],
  parser: pathToFileURL(import.meta.filename),
})

export interface Harbour {
  sql: Sql
  store: Store
  host: Host
  root: string
  ingest(options?: Partial<BulkOptions>): Promise<EditionOutcome[]>
  /** Writes a feed and puts it on the list. */
  ships(day: string, ...ships: string[]): Promise<void>
  /** Writes a month, `{ 'Voyage_1.csv': '…' }`, and puts it on the list. */
  voyages(day: string, members: Record<string, string | Buffer>, part?: number): Promise<void>
}

type After = { after(fn: () => Promise<void>): void }

export async function openHarbour(t: After): Promise<Harbour> {
  const { sql } = await freshDatabase(t)
  await migrate(sql, [fleet])
  const root = await temporaryFolder(t)
  const folder = path.join(root, 'lists')
  await mkdir(folder)
  const host = await startHost({ root })
  t.after(() => host.close())
  const client = edgarClient({ baseUrl: host.url, userAgent: null })
  t.after(() => client.close())
  const store = diskStore(path.join(await temporaryFolder(t), 'archive'))
  const listed = new Map<string, { name: string; size: string; date: string }>()
  async function put(name: string, content: Buffer | null) {
    if (content) await writeFile(path.join(folder, name), content)
    const size = content ? String(content.length) : `part ${listed.size}`
    listed.set(name, { name, size, date: String(listed.size) })
    await writeFile(path.join(folder, 'list.json'), JSON.stringify({ files: [...listed.values()] }))
  }
  return {
    sql,
    store,
    host,
    root: folder,
    ingest: (options = {}) =>
      ingestBulk({ sql, datasets: [fleet], store, client, manifests: ['/lists/list.json'], ...options }),
    ships: (day, ...ships) => put(`ships_${day}.xml.gz`, gzipSync(shipsXml(...ships))),
    async voyages(day, members, part) {
      const name = `voyages_${day}${part ? `-part${part}` : ''}.zip`
      await writeZip(path.join(folder, name), members)
      await put(name, null)
    },
  }
}

export const shipsXml = (...ships: string[]) =>
  `<?xml version="1.0" encoding="ISO-8859-1"?>\n<Fleet><Ships>${ships.join('\n')}</Ships></Fleet>`

export async function writeZip(file: string, members: Record<string, string | Buffer>): Promise<void> {
  const zip = await ZipWriter.create(file, '2026-01-01')
  for (const [name, content] of Object.entries(members)) await zip.add(name, [Buffer.from(content)])
  await zip.close()
}
