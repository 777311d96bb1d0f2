/** The parts of a running service put together from its settings: database, archive, EDGAR. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { diskStore, type Store } from './archive/store.ts'
import { type Submissions, submissions } from './archive/submissions.ts'
import type { Config } from './config.ts'
import { UserError } from './declare/errors.ts'
import { type ClientEvent, type EdgarClient, edgarClient } from './fetch/client.ts'
import { bringCorrections, readCorrections } from './ingest/corrections.ts'
import registry from './registry.ts'
import { FETCHES_MAX } from './serve/http/costs.ts'
import { openReaders, type Readers } from './serve/readers.ts'
import { assertUsable, type Connection, connect, type Sql, withoutPassword } from './store/db.ts'
import { claimFolder, defaultDataDir, hasDatabase, openEmbedded } from './store/embedded.ts'
import { assertThere, isMade, migrate, type Stale, syncFamilies } from './store/schema.ts'

/** Folder of the checkout or the installed package. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

export async function packageVersion(): Promise<string> {
  return JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')).version
}

/** Where the project is kept: `https://github.com/openfilings/openfilings`. */
export async function projectAddress(): Promise<string> {
  const { repository } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
}

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
  /** Of the host with single brochures. */
  filesClient: EdgarClient
  /** Of the host with a file for each company. */
  dataClient: EdgarClient
  /** A client of another host, with the same manners; closed with the app. */
  clientOf(baseUrl: string): EdgarClient
  /** All clients, for what they sent. */
  clients: readonly EdgarClient[]
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
  /** Instead of EDGAR_BASE_URL, EDGAR_DATA_URL, ADVISERINFO_BASE_URL and ADVISERINFO_FILES_URL. */
  baseUrl?: string | undefined
  /** Makes the data folder and the database where there are none; otherwise that is refused. */
  make?: boolean
  log?: (line: string) => void
  onProgress?: (what: string, done: number, total: number | null) => void
  onEdgar?: (event: ClientEvent) => void
  /** The folder of the embedded database was removed while it was served. */
  onRemoved?: (error: Error) => void
}

/**
 * Opens everything and brings the database to the code's shape.
 *
 * @throws UserError when a setting, the data folder or the database cannot be used
 */
export async function open(config: Config, options: OpenOptions = {}): Promise<App> {
  const { baseUrl, make = false, log = () => {}, onEdgar } = options
  const { path: dataDir, reason } = dataDirOf(config)
  if (reason) log(`data folder ${dataDir}: ${reason}`)
  const corrections = make
    ? await readCorrections(registry.slices, (setting) => config[setting as 'COMPANY_ALIASES'])
    : null
  // The embedded server makes its own folder, open to the account it runs as.
  if (make && config.DATABASE_URL) await claimFolder(dataDir)
  if (!make && !config.DATABASE_URL && !hasDatabase(dataDir)) throw noDatabase(`in the data folder ${dataDir}`)
  const database = await openDatabase(config, dataDir, options)
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
    if (!make && !(await isMade(sql))) throw noDatabase(`at ${withoutPassword(database.address)}`)
    if (config.DATABASE_READ_URL) await assertUsable(readers.sql, config.DATABASE_READ_URL)
    const stale = await migrate(sql, registry.slices)
    // Who looks, or rebuilds what is missing, may go on; who serves or loads would fail at the first table that is not there.
    if (make) assertThere(stale)
    await syncFamilies(sql, registry)
    if (corrections) await bringCorrections(sql, corrections)
    const clients: EdgarClient[] = []
    const own = (host: string) => {
      const made = clientOf(config, host, onEdgar)
      clients.push(made)
      return made
    }
    const client = own(baseUrl ?? config.EDGAR_BASE_URL)
    const adviserClient = own(baseUrl ?? config.ADVISERINFO_BASE_URL)
    const filesClient = own(baseUrl ?? config.ADVISERINFO_FILES_URL)
    const dataClient = own(baseUrl ?? config.EDGAR_DATA_URL)
    const store = diskStore(path.join(dataDir, 'archive'))
    return {
      sql,
      keySql,
      readers,
      client,
      adviserClient,
      filesClient,
      dataClient,
      clientOf: own,
      clients,
      store,
      submissions: submissions({ sql, store, client }),
      lookUps: submissions({ sql: lookUpSql, store, client }),
      dataDir,
      database: database.address,
      stale,
      close: async () => {
        await Promise.all(clients.map((each) => each.close()))
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
  const own = { client, adviserClient: client, filesClient: client, dataClient: client }
  return { ...app, ...own, submissions: submissions({ sql: app.sql, store: app.store, client }) }
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

/** The data folder that is meant, there or not, with the reason for it where it is an unusual one. */
export function dataDirOf(config: Config): { path: string; reason?: string } {
  return config.DATA_DIR ? { path: path.resolve(config.DATA_DIR) } : defaultDataDir(process.cwd())
}

const noDatabase = (where: string) =>
  new UserError(
    `there is no OpenFilings database ${where}: "openfilings serve", "ingest" or "sample" makes one; ` +
      'DATA_DIR names another folder, DATABASE_URL another server',
  )

async function openDatabase(
  config: Config,
  dataDir: string,
  options: OpenOptions,
): Promise<{ target: Connection['target']; address: string; close(): Promise<void> }> {
  const url = config.DATABASE_URL
  const { log = () => {}, onProgress = () => {}, onRemoved = () => {} } = options
  return url
    ? { target: url, address: url, close: async () => {} }
    : openEmbedded({ dataDir, log, onProgress, onRemoved })
}
