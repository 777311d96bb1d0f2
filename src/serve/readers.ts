/**
 * The database connections with which requests read. Each connection serves one request at a time: in a pool that
 * pipelines, a short statement can be queued after a statement that takes seconds.
 */
import { type Connection, connect, type Sql } from '../store/db.ts'

/**
 * A statement as the driver makes it. The function `handler` sends the statement. The driver sets `handler` to the
 * handler of the statement's pool. This module replaces `handler`, since postgres.js has no public way to choose a
 * statement's connection.
 */
export interface Statement extends Promise<unknown> {
  handler: (statement: Statement) => void
  canceller: ((statement: Statement) => Promise<void>) | null
  /** The driver's flag that prevents running a statement twice. */
  executed: boolean
  /** Whether the server is running this statement now. */
  active: boolean
  reject(error: unknown): void
}

/** A connection that opens with its first statement, and opens again after it was lost. */
export interface Reader {
  /** Runs a statement after all statements that were sent before. */
  send(statement: Statement): void
  /** Like `send`, for a statement of plain text without values. */
  sendText(text: string): Promise<unknown>
  /** Asks the server to end the statement that it is running. @throws if the server cannot be reached */
  cancel(active: Statement): Promise<void>
  /** Number of times that the connection was lost, together with any transaction on it. */
  readonly losses: number
  /** Drops the connection and the statements on it, for a server that does not answer at all. */
  renew(): void
}

export interface Readers {
  /** How many requests can read at once. */
  readonly max: number
  /**
   * Whether each request reads from one snapshot, together with the data version that it shows. Used if a replica is
   * read, since its data can be older than the version that the primary announced.
   */
  readonly snapshot: boolean
  /** Makes statements and fragments, but runs none. */
  readonly sql: Sql
  /**
   * Takes a connection that no other request uses. A connection must be free: the caller never takes more than `max`
   * connections.
   */
  take(): Reader
  give(reader: Reader): void
  /** Resolves when the server answers, however busy the connections are. */
  check(): Promise<void>
  end(): Promise<void>
}

/**
 * Age at which a connection is replaced: the memory that the server uses for a connection grows, and a host name can be
 * given to another machine.
 */
const LIFETIME_MS = 45 * 60_000

/** Prepares connections for requests. Each connection is opened by its first statement. */
export function openReaders(options: {
  target: Connection['target']
  max: number
  /** Time after which the server ends a statement by itself; 0 for never. */
  statementTimeoutMs?: number
  snapshot?: boolean
}): Readers {
  const { target, max, statementTimeoutMs = 0, snapshot = false } = options
  const open = (onEnd: () => void) => connect({ target, statementTimeoutMs, onEnd })
  const all = Array.from({ length: max }, () => new OwnReader(open))
  // The connection that was returned last is taken first. So only a few connections are used, and these already have
  // prepared statements.
  const free = all.toReversed()
  const checking = connect({ target, max: 1, statementTimeoutMs })
  return {
    max,
    snapshot,
    sql: checking,
    take() {
      const reader = free.pop()
      if (!reader) throw new Error(`more than ${max} requests need a database connection at once`)
      if (reader.isSpent()) reader.renew()
      return reader
    },
    give: (reader) => void free.push(reader as OwnReader),
    check: async () => {
      await checking`select 1`
    },
    end: async () => {
      await Promise.all([checking.end({ timeout: 5 }), ...all.map((reader) => reader.end())])
    },
  }
}

class OwnReader implements Reader {
  losses = 0
  readonly #open: (onEnd: () => void) => Sql
  #sql: Sql
  #isLost = false
  #openedAt = performance.now()
  #handler: Statement['handler']
  #canceller: NonNullable<Statement['canceller']>

  constructor(open: (onEnd: () => void) => Sql) {
    this.#open = open
    this.#sql = this.#opened()
    ;[this.#handler, this.#canceller] = waysOf(this.#sql)
  }

  #opened(): Sql {
    const sql: Sql = this.#open(() => {
      if (this.#sql !== sql) return
      this.losses++
      this.#isLost = true
    })
    this.#isLost = false
    return sql
  }

  send(statement: Statement): void {
    statement.executed = true
    this.#handler(statement)
  }

  sendText(text: string): Promise<unknown> {
    const statement = this.#sql.unsafe(text) as unknown as Statement
    this.send(statement)
    return statement
  }

  cancel(active: Statement): Promise<void> {
    return this.#canceller(active)
  }

  renew(): void {
    const old = this.#sql
    this.losses++
    this.#sql = this.#opened()
    ;[this.#handler, this.#canceller] = waysOf(this.#sql)
    this.#openedAt = performance.now()
    old.end({ timeout: 0 }).catch(() => {}) // the old connection is not used any more, so its errors do not matter
  }

  /**
   * Whether the connection is too old or was lost. The driver opens a lost connection again. But the first statement on
   * the new connection fails, with the error by which the server ended the former connection (postgres.js 3.4.9).
   */
  isSpent(): boolean {
    return this.#isLost || performance.now() - this.#openedAt > LIFETIME_MS
  }

  end(): Promise<void> {
    return this.#sql.end({ timeout: 5 })
  }
}

/** Returns how a pool runs and cancels statements: the handler and the canceller that it sets on each statement. */
function waysOf(sql: Sql): [Statement['handler'], NonNullable<Statement['canceller']>] {
  const { handler, canceller } = sql`` as unknown as Statement
  return [handler, canceller!]
}
