/** What is noted while a set is read, beside the rows of its filings. */
import { excerpt, storable } from '../../read/text.ts'
import type { Problem } from '../../read/xml.ts'

interface Refusal {
  /** Member and line. */
  place: string
  /** Accession number; null where that could not be read. */
  key: string | null
  reason: string
}

export interface SetNotes {
  /** The first 1,000. */
  refusals: Refusal[]
  refused: number
  unread: Set<string>
  problems: Problem[]
  problemCount: number
}

const KEPT_MAX = 1_000

export const setNotes = (): SetNotes => ({
  refusals: [],
  refused: 0,
  unread: new Set(),
  problems: [],
  problemCount: 0,
})

export function refuse(found: SetNotes, { place, key, reason }: Refusal): void {
  found.refused++
  if (found.refusals.length >= KEPT_MAX) return
  found.refusals.push({ place: storable(place), key: key && excerpt(key), reason: excerpt(reason, 1_000) })
}

export function unread(found: SetNotes, path: string): void {
  if (found.unread.size < KEPT_MAX) found.unread.add(excerpt(path, 500))
}

export function told(found: SetNotes, problems: Iterable<Problem>): void {
  for (const problem of problems) {
    found.problemCount++
    if (found.problems.length < KEPT_MAX) found.problems.push(problem)
  }
}
