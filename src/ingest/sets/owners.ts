/**
 * Maps the number of each record of a set to the filing of the record, since lines of other members give only the
 * number of the record. A record costs eight bytes, so the eight million holdings of the largest quarter of Form N-PORT
 * cost 64 MB, all outside the heap.
 */

/**
 * Maximum number of filings of a set; the largest sets have 13,000 filings. The number of a record and the number of
 * its filing share one double, so that both are sorted together and without a callback.
 */
const FILINGS_MAX = 2 ** 17
const NUMBER_MAX = 2 ** 53 / FILINGS_MAX

/**
 * Refuses a set with too many filings, so that no set uses up all memory. Must be called before another filing is
 * added.
 *
 * @throws Error for a set of too many filings
 */
export function assertFewFilings({ size }: { size: number }): void {
  if (size >= FILINGS_MAX) throw new Error(`has lines of more than ${FILINGS_MAX} filings`)
}

export class Owners {
  #known = new Float64Array(1 << 16)
  #length = 0
  #isSorted = true
  #last = 0
  readonly #numbers = new Map<string, number>()
  readonly #accessions: string[] = []

  /**
   * Adds a record.
   *
   * @returns true if the number can be kept, which is possible only for numbers below 2^36
   */
  add(accession: string, record: number | null): boolean {
    if (record === null || record < 0 || record >= NUMBER_MAX) return false
    const entry = record * FILINGS_MAX + this.#numberOf(accession)
    if (this.#length === this.#known.length) {
      const larger = new Float64Array(this.#length * 2)
      larger.set(this.#known)
      this.#known = larger
    }
    if (this.#length > 0 && this.#known[this.#length - 1]! > entry) this.#isSorted = false
    this.#known[this.#length++] = entry
    return true
  }

  /**
   * Must be called once, after the last record.
   *
   * @returns the filings that cannot be loaded because several records have the same number, each with the reason
   */
  close(): Map<string, string> {
    this.#known = this.#known.subarray(0, this.#length)
    if (!this.#isSorted) this.#known.sort()
    const bad = new Map<string, string>()
    for (let at = 1; at < this.#length; at++) {
      const record = this.#recordAt(at)
      if (this.#recordAt(at - 1) !== record) continue
      for (const one of [at - 1, at])
        bad.set(this.#accessionAt(one), `has the record number ${record}, which several records have`)
    }
    return bad
  }

  /** Returns the filing of a record; null for an unknown number. */
  of(record: number | null): string | null {
    if (record === null || record < 0 || record >= NUMBER_MAX) return null
    // The record that was found last and the record after it are tried first, since the lines of other members are in
    // the order of the records, or nearly in that order.
    for (const at of [this.#last, this.#last + 1]) {
      if (at < this.#length && this.#recordAt(at) === record) return this.#found(at)
    }
    let [from, to] = [0, this.#length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.#recordAt(middle) < record) from = middle + 1
      else to = middle
    }
    return from < this.#length && this.#recordAt(from) === record ? this.#found(from) : null
  }

  #found(at: number): string {
    this.#last = at
    return this.#accessionAt(at)
  }

  #recordAt(at: number): number {
    return Math.floor(this.#known[at]! / FILINGS_MAX)
  }

  #accessionAt(at: number): string {
    return this.#accessions[this.#known[at]! % FILINGS_MAX]!
  }

  /**
   * The number of a filing.
   *
   * @throws Error for a set of too many filings
   */
  #numberOf(accession: string): number {
    const known = this.#numbers.get(accession)
    if (known !== undefined) return known
    assertFewFilings(this.#numbers)
    const number = this.#accessions.push(accession) - 1
    this.#numbers.set(accession, number)
    return number
  }
}
