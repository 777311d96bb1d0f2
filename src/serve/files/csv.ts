/**
 * Writes a list as CSV (RFC 4180): a header line, then a line for each row. Each line ends with CRLF. Lines that begin
 * with `#` are remarks. The last remark gives the number of rows, so that a file that was cut off can be distinguished
 * from a whole file.
 */
import type { Column } from './columns.ts'
import type { Writer } from './writer.ts'

/**
 * Text that a spreadsheet would read as a formula. It begins with a tab, a line break, or one of these signs in common
 * or full width. A plain number is safe.
 */
export const FORMULA = /^(?![+-]?\d+(?:\.\d+)?$)[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/**
 * Puts the sign `'` before text that looks like a formula, so that a spreadsheet shows the text instead of running it.
 */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/**
 * Text that must be quoted, or that may look like a formula. `#` is quoted anywhere in a text, since readers that
 * support remarks look for it anywhere. Empty text is quoted, since an empty cell means null.
 */
const SPECIAL = /[",\r\n#]|^[=+\-@\t\uFF1D\uFF0B\uFF0D\uFF20]|^$/
const NEEDS_QUOTES = /[",\r\n#]|^$/

function cell(value: unknown): string {
  if (typeof value === 'string') return SPECIAL.test(value) ? guarded(value) : value
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? guarded(JSON.stringify(value)) : String(value)
}

function guarded(text: string): string {
  const safe = withoutFormula(text)
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function csvWriter(columns: readonly Column[]): Writer {
  return {
    type: 'text/csv; charset=utf-8; header=present',
    head: `${columns.map(({ name }) => cell(name)).join(',')}\r\n`,
    page(rows) {
      let text = ''
      for (const row of rows) {
        let line = ''
        for (const { of } of columns) line += `,${cell(of(row))}`
        // Readers skip an empty line. In a file with one column, they would then skip a row, so the empty line becomes
        // `""`.
        text += `${line.slice(1) || '""'}\r\n`
      }
      return text
    },
    end(count, missing) {
      const remarks = missing.map(({ source, note }) => `# not loaded: ${onOneLine(`${source}: ${note}`)}\r\n`)
      return `${remarks.join('')}# rows: ${count}\r\n`
    },
  }
}

const onOneLine = (text: string) => text.replace(/\s+/g, ' ')
