/** Reads small filings in one call of a process: each alone, so that one that cannot be read costs the others nothing. */
import type { ParsedRow } from '../declare/dataset.ts'
import { type Caller, saidOf, type ThrownThere } from '../read/apart/call.ts'
import { type ParseJob, parseFiling, type Question, type Read } from './parsing.ts'

export type Parsed = { read: Read } | ThrownThere

/** @param jobs with the bytes of all their documents: nothing is asked for */
export async function parseFilings(jobs: readonly ParseJob[], caller: Caller): Promise<Parsed[]> {
  const parsed: Parsed[] = []
  for (const job of jobs) parsed.push(await parsedOf(job, caller))
  return parsed
}

async function parsedOf(job: ParseJob, caller: Caller): Promise<Parsed> {
  const rows: ParsedRow[] = []
  async function ask<T>(question: unknown): Promise<T> {
    for (const row of (question as Extract<Question, { rows: unknown }>).rows) rows.push(row)
    return null as T
  }
  try {
    const read = await parseFiling(job, { ...caller, ask })
    return { read: { ...read, rows: [...rows, ...read.rows] } }
  } catch (error) {
    return saidOf(error)
  }
}
