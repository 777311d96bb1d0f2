/**
 * Groups lines into records. The lines must be in the order of the records, each record before the lines that belong to
 * it.
 */
import type { SetRecord } from '../../declare/sets.ts'
import type { CsvRow } from '../../read/csv.ts'

/** One line: a record, or a line that belongs to it. */
export interface Part {
  /** The line's member; null for the member of records. */
  member: string | null
  row: CsvRow
}

const NONE: ReadonlyMap<string, readonly CsvRow[]> = new Map()

/** Makes a record without other lines. */
export const withoutLines = (row: CsvRow): SetRecord => ({ row, lines: NONE })

export function* recordsIn(parts: Iterable<Part>): Generator<SetRecord> {
  let open: Open | null = null
  for (const part of parts) {
    if (part.member === null) {
      if (open) yield open
      open = withoutLines(part.row)
    } else open = grown(open, part)
  }
  if (open) yield open
}

/** Groups lines that arrive in pages. */
export async function* pagedRecords(pages: AsyncIterable<Iterable<Part>>): AsyncGenerator<SetRecord> {
  let open: Open | null = null
  for await (const page of pages) {
    for (const part of page) {
      if (part.member === null) {
        if (open) yield open
        open = withoutLines(part.row)
      } else open = grown(open, part)
    }
  }
  if (open) yield open
}

type Open = SetRecord

/**
 * Adds a line to the open record.
 *
 * @throws Error for a line before any record
 */
function grown(open: Open | null, { member, row }: Part): Open {
  if (!open) throw new Error(`${row.file}:${row.number} belongs to no record`)
  const lines = open.lines === NONE ? new Map<string, CsvRow[]>() : (open.lines as Map<string, CsvRow[]>)
  const own = lines.get(member!)
  if (own) own.push(row)
  else lines.set(member!, [row])
  return open.lines === lines ? open : { row: open.row, lines }
}
