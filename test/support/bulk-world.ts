/** The dataset of fleet.ts and a loopback publisher that serves it, for tests of ingest/bulk. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { diskStore, type Store } from '../../src/archive/store.ts'
import type { Slice } from '../../src/declare/dataset.ts'
import { edgarClient } from '../../src/fetch/client.ts'
import { type BulkOptions, type EditionOutcome, ingestBulk } from '../../src/ingest/bulk/ingest.ts'
import type { Sql } from '../../src/store/db.ts'
import { migrate } from '../../src/store/schema.ts'
import { ZipWriter } from './adv/zip.ts'
import { freshDatabase } from './database.ts'
import { type Host, startHost } from './edgar-host.ts'
import { fleet } from './fleet.ts'
import { type Reused, reusedDatabase } from './reused.ts'
import { temporaryFolder } from './world.ts'

export { fleet }

export interface Harbour {
  sql: Sql
  slices: readonly Slice[]
  store: Store
  host: Host
  root: string
  ingest(options?: Partial<BulkOptions>): Promise<EditionOutcome[]>
  /** Writes a feed and adds this feed to the list. */
  ships(day: string, ...ships: string[]): Promise<void>
  /** Writes a month, `{ 'Voyage_1.csv': '…' }`, and adds it to the list. */
  voyages(day: string, members: Record<string, string | Buffer>, part?: number): Promise<void>
}

type After = { after(fn: () => Promise<void>): void }

/** A database that all tests of a file use, one after the other. */
export const harbourDatabase = (t: After): Promise<Reused> => reusedDatabase(t, (sql) => migrate(sql, [fleet]))

/** @param database a database that `harbourDatabase` made, which is emptied here; if absent, a new database */
export async function openHarbour(t: After, database?: Reused): Promise<Harbour> {
  const { sql } = database ? await database.emptied() : await freshDatabase(t)
  if (!database) await migrate(sql, [fleet])
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
    slices: [fleet],
    store,
    host,
    root: folder,
    ingest: (options = {}) =>
      ingestBulk({
        sql,
        slices: [fleet],
        datasets: [fleet],
        store,
        client,
        manifests: ['/lists/list.json'],
        ...options,
      }),
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
