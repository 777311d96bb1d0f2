/** Recognizes totals without a label below the lines of a security or of a table. */
import type { Holding } from '../types.ts'
import { digitsOf } from './number.ts'
import type { Line } from './side.ts'
import type { Word } from './words.ts'

interface Running {
  lines: number
  value: number
  amount: number
}

const NOTHING: Running = { lines: 0, value: 0, amount: 0 }

type Marks = Pick<Holding, 'kind' | 'discretion'>
const hasMarks = ({ kind, discretion }: Marks): boolean => (kind ?? discretion) !== null
const numberOf = ({ text }: Word): number => Number(digitsOf(text))

/**
 * Sums of the lines of a table, and of those of its last security. Adds up lines only when numbers occur that may be a
 * total.
 */
export class Sums {
  readonly #lines: readonly Line[]
  #next: number
  #own = NOTHING
  #all = NOTHING

  /** @param lines all lines that were read so far; the lines of the table are added to this list later */
  constructor(lines: readonly Line[]) {
    this.#lines = lines
    this.#next = lines.length
  }

  /**
   * Tests for numbers without a name that are the sum of two or more lines. They must lack the kind and discretion that
   * the line above has. A row for another lot of the security has kind and discretion, even if its numbers happen to be
   * such a sum.
   */
  isTotal(value: Word, amount: Word, tail: Marks): boolean {
    const last = this.#lines.at(-1)
    if (last === undefined || !hasMarks(last.tail) || hasMarks(tail)) return false
    this.#catchUp()
    const [all, much] = [numberOf(value), numberOf(amount)]
    // Each value may be rounded, so the sum may differ by one for each line.
    const isOf = (sum: Running) => sum.lines >= 2 && sum.amount === much && Math.abs(sum.value - all) <= sum.lines
    return isOf(this.#own) || isOf(this.#all)
  }

  #catchUp(): void {
    for (; this.#next < this.#lines.length; this.#next++) {
      const { security, value, amount } = this.#lines[this.#next]!
      const plus = (to: Running) => ({
        lines: to.lines + 1,
        value: to.value + numberOf(value),
        amount: to.amount + numberOf(amount),
      })
      this.#own = plus(security === this.#lines[this.#next - 1]?.security ? this.#own : NOTHING)
      this.#all = plus(this.#all)
    }
  }
}
