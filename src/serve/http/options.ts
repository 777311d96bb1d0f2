/** Options of a server. */
import type { Logger } from 'pino'
import type { Catalog } from '../../declare/catalog.ts'
import type { AdmittingSubmissions } from '../../declare/ports.ts'
import type { Sql } from '../../store/db.ts'
import type { Described } from '../described.ts'
import type { Limiter } from '../limits.ts'
import type { Readers } from '../readers.ts'
import type { Pages } from './pages.ts'

export interface ServerOptions {
  catalog: Catalog
  /** A pool of the primary, for keys and the data versions: neither may wait after requests. It is not closed here. */
  sql: Sql
  /** A pool for the queries of `/metrics`, which can take a moment; `sql` unless another is given. */
  metricsSql?: Sql
  /** The folder whose disk `/metrics` shows, if any. */
  dataDir?: string
  /** The connections with which answers are read. They are not closed here. */
  readers: Readers
  /** Maximum time of a request's statement. Expensive classes get all of this time, cheap classes a part of it. */
  statementTimeoutMs?: number
  /** How long a request may wait for a connection. */
  slotWaitMs?: number
  /** How long a request waits for a filing that is not in the archive. */
  fetchWaitMs?: number
  /** How long a request may take to arrive. */
  requestTimeoutMs?: number
  submissions: AdmittingSubmissions
  now: () => Date
  log: Logger
  /** Paths of routes that answer self-serve keys with 403; `*` stands for any characters. */
  selfServeClosed: readonly string[]
  /** Null once data can be queried, else the reason why it cannot. */
  isReady(): Promise<string | null>
  /** Why these slices (by slug) cannot be queried at the moment: their routes answer 503 with this reason. */
  whyClosed?: (slugs: readonly string[]) => string | null
  /** Served as `/v1/openapi.json`. */
  openapi: Described
  /** Pages for people, if there are any. */
  pages?: Pages
  /** Whether pages that show data are for everyone; if not, a reader needs a key. Default: false. */
  publicPages?: boolean
  /** How many bytes kept answers may take. */
  cacheBytes?: number
  /** Host names, in addition to localhost and addresses, by which pages without a key may be requested. */
  allowedHosts?: readonly string[]
  /** Whether to trust `X-Forwarded-For`: true, or the addresses of the proxies that may send it. */
  trustProxy?: boolean | string
  /** Counts requests; in this process unless another limiter is given. */
  limiter?: Limiter
  /** How long the next page of a file may wait for a slot before the file breaks off. */
  fileSlotWaitMs?: number
  /** How long a client may read nothing of a file. */
  fileStallMs?: number
  /** How long a client that follows a stream may read nothing of what it was sent. */
  streamStallMs?: number
  /** Interval at which a stream sends a sign of life and checks its key again. */
  heartbeatMs?: number
  /** How long a client may read nothing of any other answer. */
  answerStallMs?: number
  /** Maximum number of connections at a time. */
  connectionsMax?: number
  /** The addresses of a name to listen on; those of the system unless given. */
  addressesOf?: (host: string) => Promise<string[]>
  /** How long `close` lets running requests finish. */
  closeWaitMs?: number
}
