/**
 * The pages of a list, one after the other. Each page is read separately, so no connection is held between two pages.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { JsonText, type Route } from '../../declare/route.ts'
import { isWithoutSlot } from '../http/fair-semaphore.ts'
import type { Missing } from '../loaded.ts'
import type { Row } from './writer.ts'

export const PAGE_ROWS = 2000

const RETRY_MS = 1_000

export type Input = Readonly<Record<string, unknown>>

export interface Page {
  rows: readonly Row[]
  missing: readonly Missing[]
  /** The input of the next page; null on the last page. */
  next: Input | null
}

/**
 * The input of the first page. If the whole list is wanted, the pages are large, and each page is requested by a
 * cursor. A file ends with the number of its rows, so the rows are not counted in advance.
 */
export function firstOf({ input: { shape } }: Route, { count: _, ...values }: Input, isWhole: boolean): Input {
  if (!isWhole) return values
  return { ...values, limit: PAGE_ROWS, ...('paginate' in shape && { paginate: 'cursor' }) }
}

/**
 * @param answer the answer of `run` to `input`
 * @param isWhole whether the file continues after this page
 */
export function pageOf({ list, input: { shape } }: Route, input: Input, answer: unknown, isWhole: boolean): Page {
  const { member } = list!
  const plain: unknown = answer instanceof JsonText ? JSON.parse(answer.text) : answer
  if (member === null) return { rows: plain as Row[], missing: [], next: null }
  const { next_cursor: cursor, not_loaded, ...others } = plain as Record<string, unknown>
  const hasNext = isWhole && typeof cursor === 'string'
  return {
    rows: (others[member] as Row[] | null | undefined) ?? [],
    missing: (not_loaded as Missing[] | undefined) ?? [],
    // The cursor determines where the page begins, so the offset must not skip rows again.
    next: hasNext ? { ...input, cursor, ...('offset' in shape && { offset: 0 }) } : null,
  }
}

/**
 * Reads a page that is not the first. If the page gets no slot, it is requested again. Otherwise the file would be cut
 * off whenever the service is busy for a few seconds. A client can wait longer for a page of a file than for another
 * answer.
 *
 * @throws what `read` throws, and the signal's reason
 */
export async function patiently<T>(
  read: () => Promise<T>,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<T> {
  const end = performance.now() + waitMs
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!isWithoutSlot(error) || performance.now() > end) throw error
      await sleep(RETRY_MS, undefined, { signal })
    }
  }
}
