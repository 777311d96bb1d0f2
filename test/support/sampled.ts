/**
 * The bundled sample, loaded once by the program itself: each test gets a clone of the database and a copy of its
 * archive.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import registry from '../../src/registry.ts'
import { connect } from '../../src/store/db.ts'
import { migrate } from '../../src/store/schema.ts'
import { type FreshDatabase, freshDatabase, type Template } from './database.ts'
import { copyOwn, isMade, keepMade, madeDigest } from './made.ts'
import { overTcp } from './tcp.ts'
import { checkout, openWorld, temporaryFolder, type World } from './world.ts'

const ARCHIVE = 'archive'
type After = Parameters<typeof freshDatabase>[0]

const SAMPLE: Template = {
  name: 'sample',
  digest: madeDigest,
  isKept: () => isMade(ARCHIVE),
  async fill(target) {
    const later: (() => Promise<unknown>)[] = []
    const t = { after: (fn: () => Promise<unknown>) => void later.unshift(fn) }
    try {
      const DATA_DIR = path.join(await temporaryFolder(t as After), 'data')
      const { target: DATABASE_URL } = await overTcp(t as After, { target })
      const env = { PATH: process.env.PATH ?? '', DATA_DIR, DATABASE_URL }
      await promisify(execFile)(process.execPath, [path.join(checkout, 'bin/openfilings.mjs'), 'sample'], { env })
      await keepMade(ARCHIVE, (to) => cp(path.join(DATA_DIR, 'archive'), to, { recursive: true }))
      const sql = connect({ target, max: 1 })
      // Brings the database into the state that autovacuum would make within a minute of a load.
      await sql`vacuum analyze`
      await sql.end()
    } finally {
      for (const fn of later) await fn()
    }
  },
}

/** The sample's indexes, read once. */
const INDEXED: Template = {
  name: 'indexed',
  digest: madeDigest,
  async fill(target) {
    const later: (() => Promise<unknown>)[] = []
    const t = { after: (fn: () => Promise<unknown>) => void later.unshift(fn) }
    const sql = connect({ target })
    try {
      await migrate(sql, registry.slices)
      await (await openWorld(t as After, { database: { sql, target } })).crawl()
    } finally {
      for (const fn of later) await fn()
      await sql.end()
    }
  },
}

/**
 * Opens a world that has read the indexes of the sample but none of its filings. Reading the indexes takes two seconds.
 *
 * @param root a copy of the sample, whose filings the test may have changed
 */
export async function openIndexedWorld(t: After, { root }: { root?: string } = {}): Promise<World> {
  const database = await freshDatabase(t, { template: INDEXED })
  return openWorld(t, { database, ...(root && { root }) })
}

/**
 * Opens a world that has read the sample. Its EDGAR received no requests.
 *
 * @param options if `archived` is false, the archive has lost all its documents
 */
export async function openSampledWorld(t: After, { archived = true } = {}): Promise<World> {
  const world = await openWorld(t, { database: await freshDatabase(t, { template: SAMPLE }) })
  if (archived) await copyOwn(ARCHIVE, world.archive)
  return world
}

/** Makes a database with the sample on the server of TEST_DATABASE_URL, and its archive in a new data folder. */
export async function sampledDatabase(t: After, DATA_DIR: string): Promise<FreshDatabase> {
  const database = await freshDatabase(t, { template: SAMPLE })
  await mkdir(DATA_DIR)
  await copyOwn(ARCHIVE, path.join(DATA_DIR, 'archive'))
  return database
}
