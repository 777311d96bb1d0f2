/** Options of a server. */
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Catalog } from '../../declare/catalog.ts'
import type { AdmittingSubmissions, FindSignedIn } from '../../declare/ports.ts'
import type { Sql } from '../../store/db.ts'
import type { Described } from '../described.ts'
import type { Limiter } from '../limits.ts'
import type { Readers } from '../readers.ts'
import type { KeyedRequests } from './keyed-requests.ts'
import type { Pages } from './pages.ts'

export interface ServerOptions {
  catalog: Catalog
  /** A pool of the primary, for keys and the data versions, which must not wait for requests. It is not closed here. */
  sql: Sql
  /** A pool for the queries of `/metrics`, which can be slow. Default: `sql`. */
  metricsSql?: Sql
  /** The folder whose disk usage `/metrics` shows, if any. */
  dataDir?: string
  /** The connections with which answers are read. They are not closed here. */
  readers: Readers
  /**
   * Maximum time of a request's statement. A request of the class `heavy` may take all of this time; a request of a
   * cheaper class may take a part of it.
   */
  statementTimeoutMs?: number
  /** How long a request may wait for a connection. */
  slotWaitMs?: number
  /** How long a request waits for the fetch of a filing that is not in the archive. */
  fetchWaitMs?: number
  /** How long a request may take to arrive. */
  requestTimeoutMs?: number
  submissions: AdmittingSubmissions
  now: () => Date
  log: Logger
  /** Paths of routes that answer self-serve keys with 403; `*` stands for any characters. */
  selfServeClosed: readonly string[]
  /** Returns null if data can be queried, else the reason why it cannot. */
  isReady(): Promise<string | null>
  /**
   * Returns why these slices (by slug) cannot be queried at the moment; null if they can. Their routes answer 503 with
   * this reason.
   */
  whyClosed?: (slugs: readonly string[]) => string | null
  /** The document that is served as `/v1/openapi.json`. */
  openapi: Described
  /** Pages for people, if there are any. */
  pages?: Pages
  /** Whether everyone may see pages that show data; if not, a reader needs a key. Default: false. */
  publicPages?: boolean
  /** Adds `/mcp` to the server. It answers by making requests with the client's key. */
  mcp?: (fastify: FastifyInstance, requests: KeyedRequests, hosts: readonly string[]) => void
  /** Finds the person who is signed in, if people can sign in. */
  signedIn?: FindSignedIn
  /** Maximum number of bytes of all cached answers. */
  cacheBytes?: number
  /** Host names, in addition to localhost and IP addresses, under which pages may be requested without a key. */
  allowedHosts?: readonly string[]
  /** Whether to trust `X-Forwarded-For`: true, or the addresses of the proxies that may send it. */
  trustProxy?: boolean | string
  /** Counts requests. Default: a limiter that counts in this process. */
  limiter?: Limiter
  /** How long the next page of a file may wait for a slot before the file is cut off. */
  fileSlotWaitMs?: number
  /** How long a client of a file may read nothing before its connection is closed. */
  fileStallMs?: number
  /** How long a client of a stream may read nothing of the sent data before its connection is closed. */
  streamStallMs?: number
  /** Interval at which a stream sends a sign of life and checks its key again. */
  heartbeatMs?: number
  /** How long the client of an answer that is neither a file nor a stream may read nothing. */
  answerStallMs?: number
  /** Maximum number of connections at a time. */
  connectionsMax?: number
  /** Resolves the host name on which to listen. Default: the system's resolver. */
  addressesOf?: (host: string) => Promise<string[]>
  /** How long `close` lets running requests finish. */
  closeWaitMs?: number
}
