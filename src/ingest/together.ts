/**
 * Reads several small filings in one call of a reading process. The round trip of a call takes as long as reading a
 * Form D.
 */
import type { Limits } from '../read/apart/call.ts'
import { callApart, Thrown } from '../read/apart/process.ts'
import { NoProcess } from '../read/apart/start.ts'
import { ofFiling } from './documents.ts'
import { Stopped } from './failures.ts'
import type { ParseJob, ReadFiling } from './parsing.ts'
import type { Parsed } from './parsing-together.ts'

/** Maximum number of filings of a call, and of bytes of their documents. */
const FILINGS = 20
const BYTES = 512 * 1024
/** A larger filing gets a separate call. */
export const SHARED_BYTES = 64 * 1024

const PARSER = new URL('parsing-together.ts', import.meta.url)

/**
 * Thrown if the filing's reader requested something that the call did not include: the filing must then be read alone.
 */
export class NeedsMore extends Error {}

interface Reading {
  signal: AbortSignal | undefined
  limits: Partial<Limits>
}

interface Waiting extends PromiseWithResolvers<ReadFiling> {
  job: ParseJob
}

/** Gathers filings until a call is full. */
export class Together {
  readonly #reading: Reading
  #waiting: Waiting[] = []
  #bytes = 0

  constructor(reading: Reading) {
    this.#reading = reading
  }

  /**
   * Reads a filing. The filing waits for other filings: the call begins once it is full, or when `begin` is called.
   *
   * @param job the filing to read, with the bytes or texts of its documents
   * @param size number of these bytes
   * @throws whatever `rowsOf` of documents.ts throws; NeedsMore
   */
  read(job: ParseJob, size: number): Promise<ReadFiling> {
    const waiting: Waiting = { ...Promise.withResolvers<ReadFiling>(), job }
    this.#waiting.push(waiting)
    this.#bytes += size
    if (this.#waiting.length >= FILINGS || this.#bytes >= BYTES) this.begin()
    return waiting.promise
  }

  /** Begins the call with the waiting filings. */
  begin(): void {
    const some = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    if (some.length > 0) void this.#call(some)
  }

  async #call(some: readonly Waiting[]): Promise<void> {
    const { signal, limits } = this.#reading
    const input = some.map(({ job }) => job)
    try {
      const call = { module: PARSER, name: 'parseFilings', input }
      const parsed = await callApart<Parsed[]>(call, { signal, limits })
      for (const [at, each] of parsed.entries()) {
        if ('read' in each) some[at]!.resolve(each.read)
        else if ('needsMore' in each) some[at]!.reject(new NeedsMore())
        else some[at]!.reject(ofFiling(new Thrown(each)))
      }
    } catch (error) {
      if (signal?.aborted) for (const { reject } of some) reject(new Stopped('stopped', { cause: signal.reason }))
      else if (some.length === 1 || error instanceof NoProcess) for (const { reject } of some) reject(error)
      // One of the filings exceeds a limit, or makes the reading process end. Separate calls show which filing it is.
      else for (const each of some) await this.#call([each])
    }
  }
}
