/**
 * Runs the statements of one request. The statements wait for a slot, run on one connection, and can be stopped. A slot
 * is returned when no other statement follows immediately, so that no slot is held while the request waits for
 * something else.
 */

import { apiError } from '../declare/api-errors.ts'
import type { Sql } from '../store/db.ts'
import { dataVersions, type Versions, versionOf, versionsOf } from '../store/meta.ts'
import type { Reader, Readers, Statement } from './readers.ts'

/** The right to use the database for at most `timeMs` milliseconds. */
export interface Slot {
  timeMs: number
  release(): void
}

/** A requested slot. */
export interface SlotRequest {
  /**
   * @throws HttpError 503 if too many requests wait or the wait was too long; after `withdraw`, the reason that was
   *   passed to `withdraw`
   */
  slot: Promise<Slot>
  withdraw(reason: Error): void
}

/** Maximum time to wait for a database server that does not end a statement after a cancellation. */
const STOP_MS = 3_000
/** Time after which a cancellation is repeated: a cancellation has no effect if it arrives before the statement. */
const CANCEL_AGAIN_MS = 250

export class Reading {
  /**
   * Makes fragments and statements like the driver's own function. Transactions and notifications are not available,
   * since requests only read.
   */
  readonly sql: Sql
  readonly #readers: Readers
  readonly #requestSlot: () => SlotRequest
  readonly #waiting: Statement[] = []
  readonly #sent = new Set<Statement>()
  #request: SlotRequest | undefined
  #slot: Slot | undefined
  #reader: Reader | undefined
  /** The value of `losses` of the reader at the time when the reader was taken. */
  #losses = 0
  #deadline: NodeJS.Timeout | undefined
  #idle: NodeJS.Immediate | undefined
  #settled: (() => void) | undefined
  #stopped: Error | undefined
  #ended = false
  #cancelling = false
  /** Data versions of each snapshot; null if they could not be read. */
  readonly #shown: (Versions | null)[] = []
  /** For each snapshot, whether tables were swapped since it began. */
  readonly #torn: Promise<boolean>[] = []

  constructor(readers: Readers, requestSlot: () => SlotRequest) {
    this.#readers = readers
    this.#requestSlot = requestSlot
    this.sql = redirected(readers.sql, (statement) => this.#run(statement))
  }

  /**
   * Version of the data of these slices in the snapshot that the statements read. Null if the statements read several
   * versions, or a snapshot whose versions could not be read. Undefined if nothing was read, or if there are no
   * snapshots.
   */
  version(slugs: readonly string[]): string | null | undefined {
    const [first, ...others] = this.#shown.map((versions) => versions && versionOf(versions, slugs))
    return others.every((version) => version === first) ? first : null
  }

  /**
   * Whether tables were swapped during a snapshot. A rebuild gives the names of tables to new tables. An older snapshot
   * then finds the new tables but does not see their rows, so the data that was read is a mix of old and new. Must be
   * called after `end`.
   */
  async isTorn(): Promise<boolean> {
    return (await Promise.all(this.#torn)).some((torn) => torn)
  }

  /** The reason why the reading was stopped; undefined if it was not stopped. */
  get stopped(): Error | undefined {
    return this.#stopped
  }

  /**
   * Ends the reading's statements, including those that the server is running. The slot is returned when the server has
   * ended them.
   */
  stop(reasonOf: () => Error): void {
    if (this.#stopped || this.#ended) return
    const reason = reasonOf()
    this.#stopped = reason
    this.#request?.withdraw(reason)
    if (this.#sent.size > 0) void this.#cancel()
  }

  /**
   * Must be called when no other statement will follow. If one statement failed, other statements of the request may
   * still run; `end` stops them.
   */
  end(): void {
    if (this.#sent.size > 0 || this.#request) this.stop(hasEnded)
    this.#ended = true
    if (this.#sent.size === 0) this.#release()
  }

  #run(statement: Statement): void {
    const refused = this.#stopped ?? (this.#ended ? hasEnded() : undefined)
    if (refused) statement.reject(refused)
    else if (this.#reader) this.#send(this.#reader, statement)
    else {
      this.#waiting.push(statement)
      if (!this.#request) void this.#begin()
    }
  }

  async #begin(): Promise<void> {
    this.#request = this.#requestSlot()
    try {
      const slot = await this.#request.slot
      if (this.#stopped) {
        slot.release()
        throw this.#stopped
      }
      this.#slot = slot
      this.#reader = this.#readers.take()
      this.#losses = this.#reader.losses
      this.#deadline = setTimeout(() => this.stop(tooExpensive), slot.timeMs)
      if (this.#readers.snapshot) this.#beginSnapshot(this.#reader)
      for (const statement of this.#waiting.splice(0)) this.#send(this.#reader, statement)
    } catch (error) {
      for (const statement of this.#waiting.splice(0)) statement.reject(error)
    } finally {
      this.#request = undefined
    }
  }

  /** Begins the snapshot together with the first statement, without a separate round trip. */
  #beginSnapshot(reader: Reader): void {
    reader.sendText('begin isolation level repeatable read, read only').catch(() => {}) // the next statement fails too
    const versions = dataVersions(this.#readers.sql)
    this.#send(reader, versions as unknown as Statement)
    versions.then(
      (rows) => this.#shown.push(versionsOf(rows)),
      () => this.#shown.push(null),
    )
  }

  #send(reader: Reader, statement: Statement): void {
    // After a loss, the driver would open the connection again and run the statement outside of the transaction.
    if (reader.losses !== this.#losses) {
      statement.reject(apiError('connection_lost'))
      return
    }
    clearImmediate(this.#idle)
    this.#sent.add(statement)
    reader.send(statement)
    const settled = () => {
      this.#sent.delete(statement)
      if (this.#sent.size === 0) this.#pause()
      this.#settled?.()
    }
    statement.then(settled, settled)
  }

  /**
   * Releases the slot in the next turn of the event loop. If another statement follows immediately, it comes before
   * that turn. If no statement comes, the request is waiting for something else.
   */
  #pause(): void {
    if (this.#ended) this.#release()
    else this.#idle = setImmediate(() => this.#release())
  }

  #release(): void {
    // A cancellation that arrives late would end a statement of the next request that uses the connection.
    if (this.#cancelling) return
    clearImmediate(this.#idle)
    clearTimeout(this.#deadline)
    const reader = this.#reader
    if (!reader) return
    this.#reader = undefined
    // The promise is not awaited: the connection sends its next statement after this statement anyway.
    if (this.#readers.snapshot && reader.losses === this.#losses) {
      const looked = swapped(this.#readers.sql)
      reader.send(looked as unknown as Statement)
      this.#torn.push(
        looked.then(
          ([row]) => row!.swapped,
          // A statement or the connection failed, so there is no answer.
          () => false,
        ),
      )
      reader.sendText('commit').catch(() => {})
    }
    this.#readers.give(reader)
    this.#slot!.release()
  }

  async #cancel(): Promise<void> {
    const reader = this.#reader!
    this.#cancelling = true
    const lost = Promise.withResolvers<void>()
    const patience = setTimeout(() => {
      reader.renew()
      lost.resolve()
    }, STOP_MS)
    const cancelled: Promise<void>[] = []
    while (this.#sent.size > 0) {
      const next = Promise.withResolvers<void>()
      this.#settled = next.resolve
      const again = setTimeout(next.resolve, CANCEL_AGAIN_MS)
      const active = [...this.#sent].find((statement) => statement.active)
      // If the cancellation cannot be sent, it is repeated until the connection is discarded.
      if (active) cancelled.push(reader.cancel(active).catch(() => {}))
      await next.promise
      clearTimeout(again)
    }
    await Promise.race([Promise.all(cancelled), lost.promise])
    clearTimeout(patience)
    this.#cancelling = false
    this.#release()
  }
}

/**
 * Whether a schema's name now refers to a schema that is not the schema of the snapshot. This can be detected because
 * rows of pg_namespace come from the snapshot, but a name is resolved to its current schema.
 */
const swapped = (sql: Sql) => sql<[{ swapped: boolean }]>`
  select coalesce(bool_or(to_regnamespace(quote_ident(nspname)) is distinct from oid::regnamespace), false) as swapped
  from pg_namespace where nspname !~ '^pg_'`

const hasEnded = () => new Error('the request has ended')

const tooExpensive = () => apiError('query_too_expensive')

/** Makes statements like `sql`, but sends them to `run`. Fragments are parts of other statements and are not sent. */
function redirected(sql: Sql, run: (statement: Statement) => void): Sql {
  const own = <T>(made: T): T => {
    if (made instanceof Promise) (made as unknown as Statement).handler = run
    return made
  }
  const unsafe = (...given: Parameters<Sql['unsafe']>) => own(sql.unsafe(...given))
  return new Proxy(sql, {
    apply: (target, self, given) => own(Reflect.apply(target, self, given)),
    get: (target, name) => {
      if (name === 'unsafe') return unsafe
      if (NOT_FOR_REQUESTS.has(name)) throw new Error(`${String(name)} is not available to requests: they only read`)
      return Reflect.get(target, name)
    },
  })
}

const NOT_FOR_REQUESTS: ReadonlySet<string | symbol> = new Set(['begin', 'reserve', 'listen', 'notify', 'file', 'end'])
