/** Lines of a delimited file as they arrive, the header first. */
import { pipeline } from 'node:stream'
import Papa from 'papaparse'
import { Source } from './encoding.ts'
import { storable } from './text.ts'

interface CsvLine {
  values: string[]
  /** Which values had NUL characters, which were taken out. */
  cleaned: readonly number[]
}

/** Characters of a line. The longest real one, a disclosure with its text, has some thousand. */
const LINE_MAX = 4 * 1024 * 1024

/**
 * Valid UTF-8 is read as that, and every other byte as cp1252: the monthly files come in either. Real files do not double
 * quotes inside a quoted value (`"BOTH "A" AND B"`), so only a quote before a comma or a line end closes the value.
 *
 * @param file its name, for errors
 * @throws Error when a line is too long, such as one whose quote is never closed
 */
export async function* csvLines(file: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvLine> {
  const source = new Source()
  let hasNul = false
  /** Characters given to the splitter since a line last came out of it. */
  let held = 0
  let count = 0
  function given(text: string): string {
    hasNul ||= text.includes('\0')
    held += text.length
    if (held > LINE_MAX) throw new Error(`${file}: the line after line ${count} is longer than ${LINE_MAX} characters`)
    return text
  }
  async function* decoded() {
    for await (const chunk of bytes) {
      // The splitter learns the kind of line end from the first text, so that must not be empty.
      const text = source.next(chunk)
      if (text !== '') yield given(text)
    }
    yield given(source.next(new Uint8Array(), true))
  }
  const lines = Papa.parse(Papa.NODE_STREAM_INPUT, { delimiter: ',' })
  for await (const values of pipeline(decoded, lines, () => {}) as AsyncIterable<string[]>) {
    held = 0
    count++
    yield hasNul ? cleanLine(values) : { values, cleaned: NONE }
  }
}

const NONE: readonly number[] = []

function cleanLine(given: readonly string[]): CsvLine {
  const values = given.map(storable)
  return { values, cleaned: [...values.keys()].filter((at) => values[at]!.length < given[at]!.length) }
}
