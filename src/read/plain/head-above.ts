/** Joins the titles of a table to its rows, if only an empty line is between the two. */
import type { Block } from '../html/block.ts'
import { untaggedBlocks } from './untagged.ts'

/** Maximum number of lines of the titles. */
const TITLES_MAX = 8

/** The last lines that ended with an empty line, which may be the titles of the rows below. */
export class HeadAbove {
  #lines: readonly string[] = []
  #block: Block | null = null
  /** Text of the block before these lines were added to it; empty if the block has only these lines. */
  #before = ''

  /**
   * @param blocks the blocks above; if the lines of the last block become the head of the table, they are removed
   * @returns the table with its head; null if the lines and the rows are not certainly a table
   */
  tableWith(rows: readonly string[], blocks: Block[]): Block[] | null {
    const block = blocks.at(-1)
    if (block === undefined || block !== this.#block) return null
    const table = untaggedBlocks([...this.#lines, '', ...rows])
    if (table === null) return null
    if (this.#before === '') blocks.pop()
    else if (block.kind === 'fence') block.text = this.#before
    return table
  }

  /** Keeps lines that were just added to the blocks, if they are one block or the end of the last block. */
  keepLast(
    lines: readonly string[],
    blocks: readonly Block[],
    above: { last: Block | undefined; before: string },
  ): void {
    const block = blocks.at(-1)!
    const isEnd = block === above.last
    const isOne = isEnd || blocks.at(-2) === above.last
    this.#lines = lines
    this.#block = isOne && lines.length <= TITLES_MAX ? block : null
    this.#before = isEnd ? above.before : ''
  }

  forget(): void {
    this.#block = null
  }
}
