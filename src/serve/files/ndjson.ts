/** A list as NDJSON: each row an object on a line of its own, and a last line that counts them. */
import type { Writer } from './writer.ts'

export const ndjsonWriter = (): Writer => ({
  type: 'application/x-ndjson',
  head: '',
  page(rows) {
    let text = ''
    for (const row of rows) text += `${JSON.stringify(row)}\n`
    return text
  },
  end(rows, missing) {
    return `${JSON.stringify({ _end: { rows, ...(missing.length > 0 && { not_loaded: missing }) } })}\n`
  },
})
