/** A signal that aborts when time is over or when one of the given signals aborts. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #given: AbortSignal[]
  #timer: ReturnType<typeof setTimeout> | undefined
  #isLate = false

  constructor(ms: number, given: readonly (AbortSignal | undefined)[]) {
    this.#given = given.filter((signal) => signal !== undefined)
    for (const signal of this.#given) {
      signal.addEventListener('abort', this.#onAbort, { once: true })
      if (signal.aborted) this.#onAbort()
    }
    this.start(ms)
  }

  readonly #onAbort = (): void => this.#controller.abort()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether time was over. */
  get isLate(): boolean {
    return this.#isLate
  }

  /** The given signal that aborted. */
  get aborted(): AbortSignal | undefined {
    return this.#given.find((signal) => signal.aborted)
  }

  /** Counts the time again from now on. */
  start(ms: number): void {
    this.pause()
    this.#timer = setTimeout(() => {
      this.#isLate = true
      this.#controller.abort()
    }, ms)
  }

  /** Stops counting, for example while the caller is busy. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  /** Stops counting and listening. */
  end(): void {
    this.pause()
    for (const signal of this.#given) signal.removeEventListener('abort', this.#onAbort)
  }

  /** Ends the request, whose answer is not read any further. */
  abort(): void {
    this.end()
    this.#controller.abort()
  }
}
