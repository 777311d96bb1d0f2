/** Reads small filings in one call of a process. Each is read by itself, so a bad filing does not affect the others. */
import type { ParsedRow } from '../declare/dataset.ts'
import { type Caller, type ThrownThere, thrownOf } from '../read/apart/call.ts'
import { type ParseJob, parseFiling, type Question, type ReadFiling } from './parsing.ts'

/**
 * The result for one filing. If the filing's reader requests something that the call did not carry (`needsMore`), the
 * filing must be read alone.
 */
export type Parsed = { read: ReadFiling } | { needsMore: true } | ThrownThere

/**
 * Reads the filings.
 *
 * @param jobs with the bytes or the texts of the documents that are read
 */
export async function parseFilings(jobs: readonly ParseJob[], caller: Caller): Promise<Parsed[]> {
  const parsed: Parsed[] = []
  for (const job of jobs) parsed.push(await parsedOf(job, caller))
  return parsed
}

async function parsedOf(job: ParseJob, caller: Caller): Promise<Parsed> {
  const rows: ParsedRow[] = []
  let needsMore = false
  async function request<T>(question: unknown): Promise<T> {
    needsMore ||= !('rows' in (question as Question))
    if (needsMore) throw new Error('it is to be read alone')
    for (const row of (question as Extract<Question, { rows: unknown }>).rows) rows.push(row)
    return null as T
  }
  try {
    const read = await parseFiling(job, { ...caller, request })
    return needsMore ? { needsMore } : { read: { ...read, rows: [...rows, ...read.rows] } }
  } catch (error) {
    return needsMore ? { needsMore } : thrownOf(error)
  }
}
