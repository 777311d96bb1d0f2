import type { Missing } from '../loaded.ts'

export type Row = Readonly<Record<string, unknown>>

type Content = string | Uint8Array

/** Makes the content of a file, page by page. */
export interface Writer {
  /** Content type of the file. */
  readonly type: string
  /** Whether the format compresses its content itself, so that compressing it again gains nothing. */
  readonly isPacked?: boolean
  /** The text before the first row. */
  readonly head: string
  /** Returns the content for the rows. It is empty if the writer keeps the rows until more rows arrive. */
  page(rows: readonly Row[]): Content | Promise<Content>
  /** The end, which only a complete file has: the number of rows, and the sources that were never loaded. */
  end(rows: number, missing: readonly Missing[]): Content | Promise<Content>
}
