/** Finds the records of each filing in their member. In most sets the records of a filing are adjacent. */
import type { Line } from './lines.ts'
import { assertFewFilings } from './owners.ts'

/** The records of one filing. */
export interface Run {
  lines: number
  /** Line number of the first record. */
  first: number
  /** Number of characters. */
  size: number
  /** True if the records can be held in memory while they are read: they are adjacent and not too large. */
  isHeld: boolean
}

/**
 * Maximum number of characters of one filing's records that are held in memory, which is about 60,000 lines. The
 * largest filing of 2013 Q2 has 10,268 lines.
 */
export const HELD_MAX = 8 * 1024 ** 2

/** Finds the records of each filing, by accession. Calls `each` with every record. */
export async function runsOf(
  lines: AsyncIterable<readonly Line[]>,
  each?: (line: Line) => void,
): Promise<Map<string, Run>> {
  const runs = new Map<string, Run>()
  let accession: string | undefined
  let run: Run
  for await (const some of lines) {
    for (const line of some) {
      each?.(line)
      if (line.accession !== accession) {
        accession = line.accession
        const before = runs.get(accession)
        if (!before) assertFewFilings(runs)
        run = before ?? { lines: 0, first: line.number, size: 0, isHeld: true }
        if (before) run.isHeld = false
        runs.set(accession, run)
      }
      run!.lines++
      run!.size += line.content.length
      if (run!.size > HELD_MAX) run!.isHeld = false
    }
  }
  return runs
}

/** Yields the records of each filing whose records can be held in memory, in the order of the member. */
export async function* heldRuns(
  lines: AsyncIterable<readonly Line[]>,
  runs: ReadonlyMap<string, Run>,
): AsyncGenerator<Line[]> {
  let held: Line[] = []
  for await (const some of lines) {
    for (const line of some) {
      if (!runs.get(line.accession)!.isHeld) continue
      if (held.length > 0 && held[0]!.accession !== line.accession) {
        yield held
        held = []
      }
      held.push(line)
    }
  }
  if (held.length > 0) yield held
}

/** Sorts lines by `positionOf`; lines with equal positions keep the order of the member. */
export function inOrder(lines: readonly Line[], positionOf: (line: Line) => number): readonly Line[] {
  const positions = lines.map(positionOf)
  const isOrdered = positions.every((position, at) => at === 0 || positions[at - 1]! <= position)
  return isOrdered ? lines : lines.toSorted((a, b) => positionOf(a) - positionOf(b))
}
