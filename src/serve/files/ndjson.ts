/** Writes a list as NDJSON: one line with an object for each row, and a last line with the number of rows. */
import { inOrder, only } from '../../declare/fields.ts'
import type { Writer } from './writer.ts'

/**
 * @param names the declared members of a row
 * @param chosen the fields that the request chooses; null for all
 */
export const ndjsonWriter = (names: readonly string[], chosen: readonly string[] | null): Writer => ({
  type: 'application/x-ndjson',
  head: '',
  page(rows) {
    let text = ''
    for (const row of rows) text += `${JSON.stringify(chosen ? only(row, chosen) : inOrder(row, names))}\n`
    return text
  },
  end(rows, missing) {
    return `${JSON.stringify({ _end: { rows, ...(missing.length > 0 && { not_loaded: missing }) } })}\n`
  },
})
