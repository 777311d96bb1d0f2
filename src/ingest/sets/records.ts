/** Groups the lines of a filing into records. */
import type { SetRecord } from '../../declare/sets.ts'
import type { CsvRow } from '../../read/csv.ts'

/** One line: a record, or a line that belongs to it. */
export interface Part {
  /** The line's member; null for the member of records. */
  member: string | null
  row: CsvRow
}

const NONE: ReadonlyMap<string, readonly CsvRow[]> = new Map()

/**
 * Yields the records of a filing in the order of their numbers; records with the same number keep their order. Each
 * record has its lines from `parts`, in the order of `parts`.
 */
export function* joined<T>(
  records: readonly T[],
  parts: readonly T[],
  { positionOf, partOf }: { positionOf: (line: T) => number; partOf: (line: T) => Part },
): Generator<SetRecord> {
  const byPosition = parts.length > 0 ? Map.groupBy(parts, positionOf) : null
  for (const { position, line } of inOrder(records, positionOf)) {
    const own = byPosition?.get(position)
    yield { row: partOf(line).row, lines: own ? byMember(own.map(partOf)) : NONE }
  }
}

function byMember(parts: readonly Part[]): Map<string, CsvRow[]> {
  const lines = new Map<string, CsvRow[]>()
  for (const { member, row } of parts) {
    const own = lines.get(member!)
    if (own) own.push(row)
    else lines.set(member!, [row])
  }
  return lines
}

function inOrder<T>(lines: readonly T[], positionOf: (line: T) => number): { position: number; line: T }[] {
  const placed = lines.map((line) => ({ position: positionOf(line), line }))
  const isOrdered = placed.every(({ position }, at) => at === 0 || placed[at - 1]!.position <= position)
  return isOrdered ? placed : placed.sort((a, b) => a.position - b.position)
}

/**
 * Groups lines that arrive in pages, in the order of the records, each record before the lines that belong to it.
 *
 * @throws Error for a line before any record
 */
export async function* pagedRecords(pages: AsyncIterable<Iterable<Part>>): AsyncGenerator<SetRecord> {
  let record: Part | null = null
  let parts: Part[] = []
  for await (const page of pages) {
    for (const part of page) {
      if (part.member !== null) {
        if (!record) throw new Error(`${part.row.file}:${part.row.number} belongs to no record`)
        parts.push(part)
        continue
      }
      if (record) yield { row: record.row, lines: byMember(parts) }
      record = part
      parts = []
    }
  }
  if (record) yield { row: record.row, lines: byMember(parts) }
}
