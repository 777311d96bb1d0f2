/** Lines of a tab-separated file as they arrive, the header first. Quotes are characters as any other. */
import { NOTHING, Source } from './encoding.ts'
import { storable } from './text.ts'

/** Characters of a line. The longest of a real set, a cover with additional information, has some thousand. */
const LINE_MAX = 4 * 1024 * 1024

/**
 * @param file its name, for errors
 * @throws Error when a line is too long
 */
export async function* tsvLines(file: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const source = new Source()
  let rest = ''
  let count = 0
  const valuesOf = (line: string) => storable(line.endsWith('\r') ? line.slice(0, -1) : line).split('\t')
  function* given(text: string): Generator<string[]> {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield valuesOf(line)
    count += lines.length
    if (rest.length > LINE_MAX) throw new Error(`${file}: line ${count + 1} is longer than ${LINE_MAX} characters`)
  }
  for await (const chunk of bytes) yield* given(source.next(chunk))
  // What the end decides may be several lines.
  yield* given(source.next(NOTHING, true))
  if (rest !== '') yield valuesOf(rest)
}
