/** Opens the parts of a running service from its settings: database, archive, EDGAR. */
import path from 'node:path'
import { boundedStore, CACHE } from './archive/cache.ts'
import { openStores } from './archive/open.ts'
import { placeOf } from './archive/place.ts'
import type { Store } from './archive/store.ts'
import { type Keeping, type Submissions, submissions } from './archive/submissions.ts'
import { clientOf } from './client.ts'
import type { Config } from './config.ts'
import { type Database, type DatabaseOptions, diskOf, openDatabase } from './database.ts'
import { readsOfForms } from './declare/kept.ts'
import type { ClientEvent, EdgarClient } from './fetch/client.ts'
import { bringCorrections, readCorrections } from './ingest/corrections.ts'
import { keepCompiledIn } from './read/apart/compiled.ts'
import registry from './registry.ts'
import { FETCHES_MAX } from './serve/http/costs.ts'
import { openReaders, type Readers } from './serve/readers.ts'
import { connect, type Sql } from './store/db.ts'
import { sharedPace } from './store/pace.ts'

export interface App extends Omit<Database, 'target' | 'address'> {
  /**
   * Connections for queries that must not wait for other queries: those of keys, of the data version, and of the pace
   * of requests to hosts.
   */
  keySql: Sql
  /** Connections for the queries of requests; they lead to the replica if one is set. */
  readers: Readers
  client: EdgarClient
  /** Client for the host with adviser files. */
  adviserClient: EdgarClient
  /** Client for the host with single brochures. */
  filesClient: EdgarClient
  /** Client for the host with a file for each company. */
  dataClient: EdgarClient
  /** A client of another host, with the same User-Agent and pace; closed with the app. */
  clientOf(baseUrl: string): EdgarClient
  /** All clients, so that their requests can be counted. */
  clients: readonly EdgarClient[]
  store: Store
  submissions: Submissions
  /** States which documents of submissions the archive keeps. */
  keeping: Keeping
  /**
   * Submissions for requests. They have connections of their own, so look-ups do not wait for ingest, and their
   * statements have a time limit.
   */
  lookUps: Submissions
  /** Printable address of the database. */
  database: string
  /** Names the disk of the database, for messages. */
  disk: string
}

export interface OpenOptions extends Omit<DatabaseOptions, 'max'> {
  /** Used instead of EDGAR_BASE_URL, EDGAR_DATA_URL, ADVISERINFO_BASE_URL and ADVISERINFO_FILES_URL. */
  baseUrl?: string | undefined
  onEdgar?: (event: ClientEvent) => void
  /** Archives fetched submissions as a whole. */
  originals?: boolean
}

const GB = 1e9

/**
 * Opens all parts of the service. The database is opened by `openDatabase`. Long: it opens the parts in order, and
 * closes those that are open if a later step fails.
 *
 * @throws UserError if a setting, the data folder or the database cannot be used
 */
export async function open(config: Config, options: OpenOptions = {}): Promise<App> {
  const { baseUrl, make = false, originals = false, onEdgar } = options
  const corrections = make
    ? await readCorrections(registry.slices, (setting) => config[setting as 'COMPANY_ALIASES'])
    : null
  // A batch of ingest holds one connection and sends other queries on further connections.
  const database = await openDatabase(config, { ...options, max: config.INGEST_WORKERS + 6 })
  const { sql, target, dataDir, shape, stale, lacking } = database
  const statementTimeoutMs = config.STATEMENT_TIMEOUT_SECONDS * 1000
  const keySql = connect({ target, max: 2, statementTimeoutMs })
  // One connection for each submission that requests may write at the same time, and four for looking up submissions.
  const lookUpSql = connect({ target, max: FETCHES_MAX + 4, statementTimeoutMs })
  const readers = openReaders({
    target: config.DATABASE_READ_URL ?? target,
    max: config.REQUEST_CONNECTIONS,
    statementTimeoutMs,
    snapshot: config.DATABASE_READ_URL !== null,
  })
  let closeStores = () => {}
  const close = async () => {
    const pools = [sql, keySql, lookUpSql]
    await Promise.all([...pools.map((pool) => pool.end({ timeout: 5 })), readers.end()])
    closeStores()
    await database.close()
  }
  try {
    if (corrections) await bringCorrections(sql, corrections)
    const clients: EdgarClient[] = []
    const shared = sharedPace(keySql)
    const own = (host: string) => {
      const made = clientOf(config, host, { log: onEdgar, shared })
      clients.push(made)
      return made
    }
    const client = own(baseUrl ?? config.EDGAR_BASE_URL)
    const adviserClient = own(baseUrl ?? config.ADVISERINFO_BASE_URL)
    const filesClient = own(baseUrl ?? config.ADVISERINFO_FILES_URL)
    const dataClient = own(baseUrl ?? config.EDGAR_DATA_URL)
    keepCompiledIn(path.join(dataDir, 'compiled'))
    const archive = path.join(dataDir, 'archive')
    const sizeMax = config.ARCHIVE_GB * GB
    const stores = await openStores(archive, placeOf(config), sizeMax)
    closeStores = stores.close
    const { store } = stores
    const cache = boundedStore(path.join(archive, CACHE), sizeMax)
    const keeping: Keeping = { readsOf: readsOfForms(registry), cache, originals }
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
      keeping,
      submissions: submissions({ sql, store, client, keeping }),
      lookUps: submissions({ sql: lookUpSql, store: stores.forRequests, client, keeping }),
      dataDir,
      database: database.address,
      disk: diskOf(config),
      shape,
      stale,
      lacking,
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

/**
 * Returns the app with the same archive and database, but with another EDGAR (the bundled sample). Everything that is
 * fetched from it is archived whole.
 */
export function withSource(app: App, config: Config, baseUrl: string): App {
  const client = clientOf(config, baseUrl)
  const own = { client, adviserClient: client, filesClient: client, dataClient: client }
  const { sql, store } = app
  const keeping = { ...app.keeping, originals: true }
  return { ...app, ...own, keeping, submissions: submissions({ sql, store, client, keeping }) }
}
