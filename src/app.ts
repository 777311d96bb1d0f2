/** The parts of a running service put together from its settings: database, archive, EDGAR. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Config } from './config.ts'
import { assertUsable, type Connection, connect, type Sql } from './core/db.ts'
import { type Submissions, submissions } from './core/edgar/archive.ts'
import { type ClientEvent, type EdgarClient, edgarClient } from './core/edgar/client.ts'
import { diskStore, type Store } from './core/edgar/store.ts'
import { defaultDataDir, openEmbedded } from './core/embedded.ts'
import { UserError } from './core/errors.ts'
import { FETCHES_MAX } from './core/http.ts'
import { openReaders, type Readers } from './core/readers.ts'
import { migrate, type Stale, syncFamilies } from './core/schema.ts'
import registry from './registry.ts'

/** Folder of the checkout or the installed package. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** Address of the bundled sample, a small EDGAR in a folder. */
export const SAMPLE_URL = pathToFileURL(path.join(root, 'sample')).href

export interface App {
  sql: Sql
  /** For keys and the data version, which must not wait behind anything. */
  keySql: Sql
  /** What requests read with: a replica when one is set. */
  readers: Readers
  client: EdgarClient
  /** Of the host with adviser files. */
  adviserClient: EdgarClient
  store: Store
  submissions: Submissions
  /** The same for requests: what they wait for is not ingest, and statements time out. */
  lookUps: Submissions
  dataDir: string
  /** Printable address of the database. */
  database: string
  /** Datasets whose tables were built by other code. */
  stale: Stale[]
  close(): Promise<void>
}

export interface OpenOptions {
  /** Instead of EDGAR_BASE_URL and ADVISERINFO_BASE_URL. */
  baseUrl?: string | undefined
  log?: (line: string) => void
  onEdgar?: (event: ClientEvent) => void
}

/**
 * Opens everything and brings the database to the code's shape.
 *
 * @throws UserError when a setting, the data folder or the database cannot be used
 */
export async function open(config: Config, { baseUrl, log = () => {}, onEdgar }: OpenOptions = {}): Promise<App> {
  const dataDir = await dataDirOf(config, log)
  const database = await openDatabase(config, dataDir, log)
  // A batch of ingest holds one connection and asks on others.
  const sql = connect({ target: database.target, max: config.INGEST_WORKERS + 6 })
  const statementTimeoutMs = config.STATEMENT_TIMEOUT_SECONDS * 1000
  const keySql = connect({ target: database.target, max: 2, statementTimeoutMs })
  // One for each submission that may be written at once, and some to look others up with.
  const lookUpSql = connect({ target: database.target, max: FETCHES_MAX + 4, statementTimeoutMs })
  const readers = openReaders({
    target: config.DATABASE_READ_URL ?? database.target,
    max: config.REQUEST_CONNECTIONS,
    statementTimeoutMs,
    snapshot: config.DATABASE_READ_URL !== null,
  })
  const close = async () => {
    const pools = [sql, keySql, lookUpSql]
    await Promise.all([...pools.map((pool) => pool.end({ timeout: 5 })), readers.end()])
    await database.close()
  }
  try {
    await assertUsable(sql, database.address)
    if (config.DATABASE_READ_URL) await assertUsable(readers.sql, config.DATABASE_READ_URL)
    const stale = await migrate(sql, registry.datasets)
    await syncFamilies(sql, registry)
    const client = clientOf(config, baseUrl ?? config.EDGAR_BASE_URL, onEdgar)
    const adviserClient = clientOf(config, baseUrl ?? config.ADVISERINFO_BASE_URL, onEdgar)
    const store = diskStore(path.join(dataDir, 'archive'))
    return {
      sql,
      keySql,
      readers,
      client,
      adviserClient,
      store,
      submissions: submissions({ sql, store, client }),
      lookUps: submissions({ sql: lookUpSql, store, client }),
      dataDir,
      database: database.address,
      stale,
      close: async () => {
        await Promise.all([client.close(), adviserClient.close()])
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The same archive and database, but filings come from another EDGAR: the bundled sample. */
export function withSource(app: App, config: Config, baseUrl: string): App {
  const client = clientOf(config, baseUrl)
  return { ...app, client, adviserClient: client, submissions: submissions({ sql: app.sql, store: app.store, client }) }
}

/** A client of one host, with the operator's manners. */
export function clientOf(config: Config, baseUrl: string, log?: (event: ClientEvent) => void): EdgarClient {
  return edgarClient({
    baseUrl,
    userAgent: config.EDGAR_USER_AGENT,
    perSecond: config.EDGAR_REQUESTS_PER_SECOND,
    ...(log ? { log } : {}),
  })
}

async function dataDirOf(config: Config, log: (line: string) => void): Promise<string> {
  const chosen = config.DATA_DIR ? { path: path.resolve(config.DATA_DIR) } : defaultDataDir(process.cwd())
  if ('reason' in chosen && chosen.reason) log(`data folder ${chosen.path}: ${chosen.reason}`)
  // The embedded server makes its own folder, open to the account it runs as.
  if (!config.DATABASE_URL) return chosen.path
  try {
    await mkdir(chosen.path, { recursive: true })
  } catch (cause) {
    throw new UserError(`the data folder ${chosen.path} cannot be made; set DATA_DIR to one that can`, { cause })
  }
  return chosen.path
}

async function openDatabase(
  config: Config,
  dataDir: string,
  log: (line: string) => void,
): Promise<{ target: Connection['target']; address: string; close(): Promise<void> }> {
  const url = config.DATABASE_URL
  return url ? { target: url, address: url, close: async () => {} } : openEmbedded({ dataDir, log })
}
