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
  /** 1 for the first line after the header. */
  line: number
  content: string
}

/** The largest quarter of Form N-PORT has some 2 GB, so a group has some 4 MB. */
const GROUPS = 512
/** Number of bytes that a group writes at a time; all groups together hold at most 8 MB in memory. */
const BLOCK = 16 * 1024

interface Group {
  /** Lines that were added since the last `settle`. */
  text: string
  /** Bytes that wait to be written. */
  waiting: Buffer | null
  length: number
  /** Places in the file. Every block has whole lines. */
  blocks: { from: number; to: number }[]
}

/** The lines of one set. Lines are added first, and read after `finish`. */
export class KeptLines {
  readonly #temporary: TemporaryFile
  readonly #groups: readonly Group[] = Array.from({ length: GROUPS }, () => ({
    ...{ text: '', waiting: null, length: 0, blocks: [] },
  }))
  #touched: Group[] = []

  private constructor(temporary: TemporaryFile) {
    this.#temporary = temporary
  }

  static async open(): Promise<KeptLines> {
    return new KeptLines(await temporaryFile('set', 'the lines of sets are kept'))
  }

  /** Groups of filings: the lines of all filings of a group are read together. */
  static groupOf(filing: number): number {
    return filing % GROUPS
  }

  add(filing: number, member: number, line: number, content: string): void {
    const group = this.#groups[KeptLines.groupOf(filing)]!
    if (group.text === '') this.#touched.push(group)
    group.text += `${filing}\t${member}\t${line}\t${content}\n`
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
      if (group.length + size > BLOCK) await this.#flush(group)
      if (size > BLOCK) await this.#write(group, Buffer.from(text))
      else {
        group.waiting ??= Buffer.allocUnsafeSlow(BLOCK)
        group.length += group.waiting.write(text, group.length)
      }
    }
    this.#touched = []
  }

  /** Must be called after the last line. */
  async finish(): Promise<void> {
    await this.settle()
    for (const group of this.#groups) {
      await this.#flush(group)
      group.waiting = null
    }
  }

  /** Yields the lines of a group in the order in which they were added, some at a time. */
  async *linesOf(group: number): AsyncGenerator<KeptLine[]> {
    for (const { from, to } of this.#groups[group]!.blocks) {
      const bytes = await bytesAt(this.#temporary.file, from, to)
      yield linesIn(bytes.toString())
    }
  }

  async close(): Promise<void> {
    await this.#temporary.close()
  }

  async #flush(group: Group): Promise<void> {
    if (group.length === 0) return
    await this.#write(group, group.waiting!.subarray(0, group.length))
    group.length = 0
  }

  async #write(group: Group, bytes: Buffer): Promise<void> {
    group.blocks.push(await this.#temporary.append(bytes))
  }
}

const [TAB, ZERO] = [9, 48] as const

function linesIn(text: string): KeptLine[] {
  const lines: KeptLine[] = []
  let at = 0
  const number = () => {
    let value = 0
    for (let code = text.charCodeAt(at++); code !== TAB; code = text.charCodeAt(at++)) value = value * 10 + code - ZERO
    return value
  }
  while (at < text.length) {
    const [filing, member, line] = [number(), number(), number()]
    const end = text.indexOf('\n', at)
    lines.push({ filing, member, line, content: text.slice(at, end) })
    at = end + 1
  }
  return lines
}
