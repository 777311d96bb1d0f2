/** Collects notes about files of many records while the rows of the files are read. */
import { excerpt, storable } from '../read/text.ts'
import type { Problem } from '../read/xml.ts'
import type { Sql, Transaction } from '../store/db.ts'

/** A record that could not be read, or that the database refused. Its former rows stay. */
interface Refusal {
  /** Where the record is: the file, and the record or line in this file. */
  place: string
  /** The key of the record; null if not even the key could be read. */
  key: string | null
  reason: string
}

export interface Notes {
  /** The first 1,000 refusals; the same maximum applies to paths and problems. */
  refusals: Refusal[]
  refused: number
  /** How many of the refused records the database refused. */
  denied: number
  /** How many of the refused records had an unreadable key. */
  keyless: number
  unread: Set<string>
  problems: Problem[]
  problemCount: number
  /** Number of XML members of a zip that comes in parts. */
  parts?: number
}

const KEPT_MAX = 1_000
/**
 * Maximum number of records that the database may refuse. Each refusal costs several statements, because the batch is
 * repeated in halves until only the refused record is left.
 */
const DENIED_MAX = 1_000

export const notes = (): Notes => ({
  refusals: [],
  refused: 0,
  denied: 0,
  keyless: 0,
  unread: new Set(),
  problems: [],
  problemCount: 0,
})

export function refuse(found: Notes, { place, key, reason }: Refusal): void {
  found.refused++
  if (key === null) found.keyless++
  if (found.refusals.length >= KEPT_MAX) return
  found.refusals.push({ place: storable(place), key: key && excerpt(key, 1_000), reason: excerpt(reason, 1_000) })
}

/**
 * Notes a record that the database refuses.
 *
 * @throws Error if there are too many
 */
export function deny(found: Notes, refusal: Refusal): void {
  refuse(found, refusal)
  if (++found.denied > DENIED_MAX) {
    throw new Error(`the database refuses more than ${DENIED_MAX} records, such as ${refusal.place}: ${refusal.reason}`)
  }
}

export function unread(found: Notes, path: string): void {
  if (found.unread.size < KEPT_MAX) found.unread.add(excerpt(path, 500))
}

export function noteProblems(found: Notes, problems: Iterable<Problem>): void {
  for (const problem of problems) {
    found.problemCount++
    if (found.problems.length < KEPT_MAX) found.problems.push(problem)
  }
}

/** The values for the columns of bulk.edition and bulk.filing_set. */
export const columnsOf = (sql: Sql | Transaction, { refused, refusals, unread, problems, problemCount }: Notes) => ({
  refused,
  refusals: sql.json(refusals as never),
  unread_paths: [...unread].sort(),
  problems: sql.json(problems as never),
  problem_count: problemCount,
})
