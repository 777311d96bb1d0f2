/**
 * The connection to the database. Values are always sent as parameters; rows arrive in the form in which the API sends
 * them.
 */
import { createConnection, type Socket } from 'node:net'
import postgres from '#postgres'
import { UserError } from '../declare/errors.ts'
import { momentOf } from '../declare/moment.ts'
import { addArrays } from './arrays.ts'

export type Sql = postgres.Sql<{ bigint: string; numeric: string; date: string; timestamp: string }>
/** A part of a statement. */
export type Fragment = postgres.Fragment
export type Transaction = postgres.TransactionSql<{ bigint: string; numeric: string; date: string; timestamp: string }>

export interface Connection {
  /** `postgres://…`, or the socket folder and database of the embedded server. */
  target: string | { socket: string; port: number; user: string; password?: string; database: string; host?: string }
  max?: number
  /** Statements that run longer are cancelled; 0 for none. */
  statementTimeoutMs?: number
  /**
   * Called when the connection ends. If this is set, one permanent connection is made instead of a pool. An example is
   * the connection for an advisory lock, which is held as long as its session.
   */
  onEnd?: () => void
}

const CONNECT_TIMEOUT_SECONDS = 10
/**
 * Longest wait before a lost connection is opened again. The driver's own maximum is 20 s. With it, a request waited 13
 * s for the error that the database was unavailable, and other requests waited as long after the database was back.
 */
const BACKOFF_MAX_SECONDS = 0.5

/** Older servers lack `nulls not distinct` and `security_invoker` views. */
export const VERSION_MIN = 150000

/**
 * The only encoding that is accepted. A database in SQL_ASCII stores bytes and not characters, so lengths, case folding
 * and searches would be silently wrong.
 */
export const ENCODING = 'UTF8'
export const MAKE_ENCODED = "make one with create database … encoding 'UTF8' template template0"

/** Opens a pool. No connection is made until the first query. */
export function connect({ target, max = 10, statementTimeoutMs = 0, onEnd }: Connection): Sql {
  const options = {
    max,
    onnotice: () => {},
    // This query is not needed: arrays.ts has the types that the driver would query.
    fetch_types: false,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    backoff: (failures: number) => Math.min(3 ** failures / 100, BACKOFF_MAX_SECONDS),
    connection: {
      application_name: 'openfilings',
      TimeZone: 'UTC',
      statement_timeout: statementTimeoutMs,
      // `jit` is off, as in the embedded server: with it, each refresh of the sample's securities took 510 ms instead
      // of 7 ms.
      jit: 'off',
    },
    types: {
      // Plain dates stay `YYYY-MM-DD`, and moments get the form that answers show. Neither type becomes a Date, which
      // the time zone would shift.
      date: { to: 1082, from: [1082], serialize: (x: string) => x, parse: (x: string) => x },
      timestamp: {
        to: 1184,
        from: [1114, 1184],
        serialize: (x: string | Date) => (x instanceof Date ? x.toISOString() : x),
        parse: momentOf,
      },
    },
    // The driver would replace an idle connection after 30 to 60 minutes, and the session's locks would go with it.
    ...(onEnd ? { max: 1, max_lifetime: null, onclose: onEnd } : {}),
  }
  const sql = opened(target, options) as unknown as Sql
  addArrays(sql.options)
  return sql
}

function opened(target: Connection['target'], options: object) {
  if (typeof target === 'string') return postgres(target, { ...options, socket: socketOpener() } as object)
  const { socket, host, ...rest } = target
  return postgres({ ...options, ...rest, ...(host ? { host } : { path: socketFile(socket, target.port) }) })
}

/**
 * Opens TCP connections without Nagle's algorithm, which the driver leaves on. With it, each COPY would wait 40 ms,
 * twice, for a delayed acknowledgement (one Form D took 360 ms over TCP and 5 ms over a Unix socket). If an address has
 * several hosts, each attempt tries the next host. The driver gets the socket before the connection is made, so that
 * the driver can destroy the socket if the pool is ended meanwhile.
 */
function socketOpener() {
  let attempt = 0
  return ({ host, port }: { host: string[]; port: number[] }): Socket => {
    const at = attempt++ % host.length
    return createConnection({ host: host[at]!, port: port[at]!, noDelay: true })
  }
}

const socketFile = (folder: string, port: number) => `${folder}/.s.PGSQL.${port}`

/**
 * Makes sure that the server answers and can be used.
 *
 * @throws UserError that names the address without its password. It is thrown if the server is unreachable, refuses us
 *   or is too old, or if the database is not in UTF-8
 */
export async function assertUsable(sql: Sql, address: string): Promise<void> {
  let version: number
  let encoding: string
  try {
    const [row] = await sql<{ version: number; encoding: string }[]>`
      select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`
    ;({ version, encoding } = row!)
  } catch (cause) {
    throw new UserError(`the database at ${withoutPassword(address)} cannot be used`, { cause })
  }
  if (version < VERSION_MIN) {
    throw new UserError(
      `the database at ${withoutPassword(address)} is PostgreSQL ${Math.floor(version / 10000)}; 15 or later is needed`,
    )
  }
  if (encoding !== ENCODING)
    throw new UserError(`the database at ${withoutPassword(address)} has the encoding ${encoding}: ${MAKE_ENCODED}`)
}

/**
 * Properties of a server and its database. `trigrams`: whether pg_trgm is installed or can be installed; null if the
 * database does not exist.
 */
export async function databaseFacts(sql: Sql) {
  const [row] = await sql<
    {
      version: string
      number: number
      encoding: string
      locale: string
      bytes: number
      trigrams: string | null
      may_create: boolean
      is_replica: boolean
      lag_seconds: number | null
    }[]
  >`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding, d.datctype as locale,
      pg_database_size(current_database())::float8 as bytes,
      case when exists (select from pg_extension where extname = 'pg_trgm') then 'installed'
        when exists (select from pg_available_extensions where name = 'pg_trgm') then 'available' end as trigrams,
      has_database_privilege(current_database(), 'CREATE') as may_create,
      pg_is_in_recovery() as is_replica,
      extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 as lag_seconds
    from pg_database d where d.datname = current_database()`
  return row!
}

/** Returns the size of the database on disk, in bytes. */
export async function databaseSize(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`
  return row!.bytes
}

/** A database address without its password, so that it may be printed. A password may contain an `@`. */
export function withoutPassword(address: string): string {
  return address.replace(/^(\w+:\/\/[^/@:]*):.*@/, '$1@').replace(/([?&]\w*password=)[^&]*/gi, '$1…')
}
