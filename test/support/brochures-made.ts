/**
 * Makes brochures of invented firms, as zips and PDFs with names like those of IARD and IAPD, for tests of the dataset.
 */
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { diskStore, type Store } from '../../src/archive/store.ts'
import adv from '../../src/datasets/adv/index.ts'
import brochures from '../../src/datasets/brochures/index.ts'
import { edgarClient } from '../../src/fetch/client.ts'
import { type BulkOptions, type EditionOutcome, ingestBulk } from '../../src/ingest/bulk/ingest.ts'
import type { Sql } from '../../src/store/db.ts'
import { migrate } from '../../src/store/schema.ts'
import { writeZip } from './bulk-world.ts'
import { freshDatabase } from './database.ts'
import { documentPdf } from './pdf/made.ts'
import { temporaryFolder } from './world.ts'

export const slices = [adv, brochures]

export interface Library {
  sql: Sql
  store: Store
  folder: string
  /** The archive's folder. */
  archive: string
  /** Returns the files that were derived from an entry. */
  derivedOf(sha256: string): Promise<string[]>
  parts: Pick<BulkOptions, 'sql' | 'slices' | 'datasets' | 'store' | 'client'>
  /** Writes a zip with the given name and loads it. */
  zip(name: string, members: Record<string, string | Buffer>, options?: Partial<BulkOptions>): Promise<EditionOutcome[]>
  /** Loads files. */
  ingest(files: readonly string[], options?: Partial<BulkOptions>): Promise<EditionOutcome[]>
  write(name: string, content: string | Buffer): Promise<string>
  /** Returns the versions in the order of their ids. */
  versions(): Promise<Record<string, unknown>[]>
}

type After = { after(fn: () => Promise<void>): void }

export async function openLibrary(t: After): Promise<Library> {
  const { sql } = await freshDatabase(t)
  await migrate(sql, slices)
  const folder = await temporaryFolder(t)
  const archive = path.join(await temporaryFolder(t), 'archive')
  const store = diskStore(archive)
  // Nothing is fetched, since the files are on disk.
  const client = edgarClient({ baseUrl: `file://${folder}`, userAgent: null })
  t.after(() => client.close())
  const parts = { sql, slices, datasets: [brochures], store, client }
  const ingest = (files: readonly string[], options: Partial<BulkOptions> = {}) =>
    ingestBulk({ ...parts, files, ...options })
  const write = async (name: string, content: string | Buffer) => {
    await writeFile(path.join(folder, name), content)
    return path.join(folder, name)
  }
  return {
    ...{ sql, store, folder, archive, parts, ingest, write },
    derivedOf: async (sha256) =>
      (await readdir(archive, { recursive: true }))
        .filter((name) => path.basename(name).startsWith(sha256) && name.endsWith('.json.zst'))
        .map((name) => path.join(archive, name)),
    async zip(name, members, options) {
      await writeZip(path.join(folder, name), members)
      return ingest([path.join(folder, name)], options)
    },
    versions: async () => [...(await sql<Record<string, unknown>[]>`select * from brochures.version order by id`)],
  }
}

/** A PDF of headings (`# Item 5`) and paragraphs. */
export const pdfOf = (...lines: string[]): Buffer =>
  documentPdf({ parts: lines.map((line) => (line.startsWith('# ') ? { heading: line.slice(2) } : { text: line })) })
