import type { Missing } from '../loaded.ts'

export type Row = Readonly<Record<string, unknown>>

/** Makes the text of a file, page by page. */
export interface Writer {
  /** Content type of the file. */
  readonly type: string
  /** The text before the first row. */
  readonly head: string
  page(rows: readonly Row[]): string
  /** The end, which only a complete file has: the number of rows, and the sources that were never loaded. */
  end(rows: number, missing: readonly Missing[]): string
}
