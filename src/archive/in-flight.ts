/**
 * Computations in flight, by name. Its state is the promises that have not settled: `share` adds a promise, and each
 * promise is removed when it settles.
 */
export class InFlight {
  readonly #running = new Map<string, Promise<unknown>>()

  /** Number of computations in flight. */
  get size(): number {
    return this.#running.size
  }

  /**
   * Begins the computation unless a computation of that name is in flight, and gives all callers the same promise until
   * it settles.
   */
  share<T>(name: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(name) as Promise<T> | undefined
    if (running) return running
    const begun = work().finally(() => this.#running.delete(name))
    this.#running.set(name, begun)
    return begun
  }
}
