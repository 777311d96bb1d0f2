/**
 * Work that is being done, by a name. Its state is the promises that have not settled; `share` adds one, and each goes by
 * itself when it settles.
 */
export class InFlight {
  readonly #running = new Map<string, Promise<unknown>>()

  /** How many there are. */
  get size(): number {
    return this.#running.size
  }

  /** Begins this work unless work of that name is being done, and gives everybody who asks meanwhile the same promise. */
  share<T>(name: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(name) as Promise<T> | undefined
    if (running) return running
    const begun = work().finally(() => this.#running.delete(name))
    this.#running.set(name, begun)
    return begun
  }
}
