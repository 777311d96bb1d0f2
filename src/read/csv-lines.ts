/** Reads the lines of a delimited file as they arrive, the header first. */
import { pipeline } from 'node:stream'
import Papa from 'papaparse'
import { unswallowed } from './csv-swallowed.ts'
import { Source } from './encoding.ts'
import { storable } from './text.ts'

interface CsvLine {
  values: string[]
  /** Indexes of the values that contained NUL characters; the NUL characters were removed. */
  cleaned: readonly number[]
  /**
   * Whether a quote in the line is not closed. If the quote is not closed, the values after the quote are unknown. The
   * following lines, which would otherwise become part of the quoted value, are still returned as lines.
   */
  isBroken: boolean
}

/** Maximum length of a line, in characters. The longest real line, a disclosure with its text, has a few thousand. */
const LINE_MAX = 4 * 1024 * 1024

/**
 * Yields the lines of a file. Valid UTF-8 is read as UTF-8, and every other byte as cp1252, since the monthly files
 * about advisers use both encodings. In real files, quotes inside a quoted value are not doubled (`"BOTH "A" AND B"`),
 * so only a quote before a comma or a line end closes the value. A quote that is never closed spoils its own line, not
 * the lines after it.
 *
 * @param file its name, for errors
 * @throws Error if a line is too long, for example because its quote is never closed
 */
export async function* csvLines(file: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvLine> {
  const source = new Source()
  let hasNul = false
  let hasQuote = false
  let columns = 0
  let before: readonly string[] = []
  /** Characters given to the splitter since it last returned a line. */
  let held = 0
  let count = 0
  function given(text: string): string {
    hasNul ||= text.includes('\0')
    hasQuote ||= text.includes('"')
    held += text.length
    if (held > LINE_MAX) throw new Error(`${file}: the line after line ${count} is longer than ${LINE_MAX} characters`)
    return text
  }
  async function* decoded() {
    for await (const chunk of bytes) {
      // The splitter detects the kind of line end from the first text, so the first text must not be empty.
      const text = source.next(chunk)
      if (text !== '') yield given(text)
    }
    yield given(source.next(new Uint8Array(), true))
  }
  const lines = Papa.parse(Papa.NODE_STREAM_INPUT, { delimiter: ',' })
  for await (const values of pipeline(decoded, lines, () => {}) as AsyncIterable<string[]>) {
    held = 0
    count++
    columns ||= values.length
    if (!hasQuote || !values.some((value) => value.includes('\n'))) {
      yield hasNul ? cleanLine(values) : { values, cleaned: NONE, isBroken: false }
    } else {
      for (const line of unswallowed(values, columns, before))
        yield { ...cleanLine(line.values), isBroken: line.isBroken }
    }
    before = values
  }
}

const NONE: readonly number[] = []

function cleanLine(given: readonly string[]): CsvLine {
  const values = given.map(storable)
  const cleaned = [...values.keys()].filter((at) => values[at]!.length < given[at]!.length)
  return { values, cleaned, isBroken: false }
}
