/** Reads a stream of bytes in pieces of a requested length. */
export class Pieces {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #cut: () => Error
  #held: Buffer = Buffer.alloc(0)

  /** @param cut function that makes the error for a stream that ends too early */
  constructor(stream: AsyncIterable<Uint8Array>, cut: () => Error) {
    this.#chunks = stream[Symbol.asyncIterator]()
    this.#cut = cut
  }

  /** Returns the next bytes: at least one, at most `max`. */
  async some(max: number): Promise<Buffer> {
    while (this.#held.length === 0) {
      const { done, value } = await this.#chunks.next()
      if (done) throw this.#cut()
      this.#held = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
    const piece = this.#held.subarray(0, max)
    this.#held = this.#held.subarray(piece.length)
    return piece
  }

  async *next(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      const piece = await this.some(left)
      left -= piece.length
      yield piece
    }
  }

  async exactly(length: number): Promise<Buffer> {
    return Buffer.concat(await Array.fromAsync(this.next(length)))
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0; ) left -= (await this.some(left)).length
  }

  /** Yields the rest of the stream. */
  async *rest(): AsyncGenerator<Uint8Array> {
    if (this.#held.length > 0) yield this.#held
    for (;;) {
      const { done, value } = await this.#chunks.next()
      if (done) return
      yield value
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}
