/**
 * Reads the lines of a tab-separated file as they arrive, the header first. A quote does not protect a tab or the end
 * of a line.
 */
import { NOTHING, Source } from './encoding.ts'
import { storable } from './text.ts'

/**
 * Maximum length of a line, in characters. The longest line of a real set, a cover with additional information, has a
 * few thousand.
 */
const LINE_MAX = 4 * 1024 * 1024

/**
 * Yields lines in groups, as they arrived: yielding one line at a time took twice as long as all other work here.
 *
 * @param file its name, for errors
 * @throws Error if a line is too long
 */
export async function* tsvLines(file: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const source = new Source()
  let rest = ''
  let count = 0
  const plain = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)
  function given(text: string): string[] {
    const lines = (rest + storable(text)).split('\n')
    rest = lines.pop()!
    count += lines.length
    if (rest.length > LINE_MAX) throw new Error(`${file}: line ${count + 1} is longer than ${LINE_MAX} characters`)
    return lines.map(plain)
  }
  for await (const chunk of bytes) yield given(source.next(chunk))
  // The end of the file may complete several lines.
  yield given(source.next(NOTHING, true))
  if (rest !== '') yield [plain(rest)]
}

/** Returns one value of a line; empty if the line has fewer. */
export function tsvValue(line: string, at: number): string {
  let from = 0
  for (let column = 0; column < at; column++) {
    const tab = line.indexOf('\t', from)
    if (tab < 0) return ''
    from = tab + 1
  }
  const end = line.indexOf('\t', from)
  return end < 0 ? line.slice(from) : line.slice(from, end)
}

/**
 * Returns all values of a line.
 *
 * @param isQuoted whether values that contain a quote are enclosed in quotes, with their own quotes doubled. If so,
 * such a value is returned as it was before it was quoted. A value that does not follow this rule stays as it is
 */
export function tsvValues(line: string, isQuoted: boolean): string[] {
  const values = line.split('\t')
  return isQuoted && line.includes('"') ? values.map(unquoted) : values
}

function unquoted(value: string): string {
  if (value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return value
  const inside = value.slice(1, -1)
  const hasSingle = inside.replaceAll('""', '').includes('"')
  return hasSingle ? value : inside.replaceAll('""', '"')
}

/** Returns the number of values of a line. */
export function tsvCount(line: string): number {
  let count = 1
  for (let at = line.indexOf('\t'); at >= 0; at = line.indexOf('\t', at + 1)) count++
  return count
}
