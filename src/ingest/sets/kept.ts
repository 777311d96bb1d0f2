/**
 * Keeps the lines of a set between its two passes, in a temporary file. The lines of some filings form a group, so that
 * the second pass reads all lines of a filing together, in whatever order they are in the set. Sorting the lines in the
 * database took a quarter of the processor time of a load.
 */
import { bytesAt, type TemporaryFile, temporaryFile } from '../../read/temporary.ts'

export interface KeptLine {
  /** Number of the filing. */
  filing: number
  /** Number of the member. */
  member: number
  /** Number of the line; the first line after the header has the number 1. */
  line: number
  content: string
}

/** The largest quarter of Form N-PORT has some 2 GB, so a group has some 4 MB. */
const GROUPS = 512
/**
 * Number of bytes that a group writes at a time; all groups together hold at most 8 MB in memory. Every write takes
 * some 30 µs.
 */
const BLOCK = 16 * 1024

interface Group {
  /** The contents of the lines that were added since the last `settle`. */
  text: string
  /** The contents of the lines that were added before the last `settle` and are not in the file yet, as bytes. */
  bytes: Buffer
  length: number
  /** Four numbers for each line: filing, member, line, and number of characters. */
  numbers: number[]
  /**
   * The group's blocks in the file, from byte `from` to byte `to`. Each block has the contents of some lines and then,
   * from byte `numbers` on, the four numbers of each of these lines.
   */
  blocks: { from: number; numbers: number; to: number }[]
}

const NOTHING = Buffer.alloc(0)
/** How many numbers are kept for each line. */
const WIDTH = 4

/** The lines of one set. Lines are added first, and read after `finish`. */
export class KeptLines {
  readonly #temporary: TemporaryFile
  readonly #groups: readonly Group[] = Array.from({ length: GROUPS }, () => ({
    ...{ text: '', bytes: NOTHING, length: 0, numbers: [], blocks: [] },
  }))
  #touched: Group[] = []

  private constructor(temporary: TemporaryFile) {
    this.#temporary = temporary
  }

  static async open(): Promise<KeptLines> {
    return new KeptLines(await temporaryFile('set', 'the lines of sets are kept'))
  }

  /** Returns the group of a filing. The lines of all filings of a group are read together. */
  static groupOf(filing: number): number {
    return filing % GROUPS
  }

  add(filing: number, member: number, line: number, content: string): void {
    const group = this.#groups[KeptLines.groupOf(filing)]!
    if (group.text === '') this.#touched.push(group)
    group.text += content
    group.numbers.push(filing, member, line, content.length)
  }

  /**
   * Converts the added lines to bytes. Must be called after every few lines: a line that is a part of a larger text
   * keeps this whole text in memory.
   */
  async settle(): Promise<void> {
    for (const group of this.#touched) {
      const { text } = group
      group.text = ''
      const size = Buffer.byteLength(text)
      if (group.length + size > group.bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(BLOCK, group.length + size))
        group.bytes.copy(larger, 0, 0, group.length)
        group.bytes = larger
      }
      group.length += group.bytes.write(text, group.length)
      if (group.length >= BLOCK) await this.#write(group)
    }
    this.#touched = []
  }

  /** Must be called after the last line. */
  async finish(): Promise<void> {
    await this.settle()
    for (const group of this.#groups) {
      if (group.numbers.length > 0) await this.#write(group)
      group.bytes = NOTHING
    }
  }

  /** Yields the lines of a group in the order in which they were added, some at a time. */
  async *linesOf(group: number): AsyncGenerator<KeptLine[]> {
    for (const { from, numbers, to } of this.#groups[group]!.blocks) {
      const bytes = await bytesAt(this.#temporary.file, from, to)
      yield linesIn(bytes.toString('utf8', 0, numbers - from), bytes.subarray(numbers - from))
    }
  }

  async close(): Promise<void> {
    await this.#temporary.close()
  }

  async #write(group: Group): Promise<void> {
    const { bytes, length } = group
    const numbers = new Uint8Array(new Int32Array(group.numbers).buffer)
    const { from, to } = await this.#temporary.append(Buffer.concat([bytes.subarray(0, length), numbers]))
    group.blocks.push({ from, numbers: from + length, to })
    if (bytes.length > BLOCK) group.bytes = NOTHING
    group.length = 0
    group.numbers = []
  }
}

function linesIn(text: string, numbers: Buffer): KeptLine[] {
  const of = new Int32Array(numbers.buffer.slice(numbers.byteOffset, numbers.byteOffset + numbers.length))
  const lines: KeptLine[] = []
  let from = 0
  for (let at = 0; at < of.length; at += WIDTH) {
    const to = from + of[at + 3]!
    lines.push({ filing: of[at]!, member: of[at + 1]!, line: of[at + 2]!, content: text.slice(from, to) })
    from = to
  }
  return lines
}
