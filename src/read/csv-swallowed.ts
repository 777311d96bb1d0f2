/**
 * Finds lines that an unclosed quote made part of a value. Real texts have line ends within quotes, so the text after a
 * line end counts as lines only if it looks like lines. The time grows with the length of the value.
 */

/** The values of a line, and whether the line has a quote that is not closed. */
export interface Split {
  values: string[]
  isBroken: boolean
}

/**
 * Yields the lines that a parsed line contains; if there is no sign of swallowed lines, yields only the line itself.
 *
 * @param before the previous line; its numbers show what numbers look like in this file
 */
export function* unswallowed(values: string[], columns: number, before: readonly string[]): Generator<Split> {
  const isNext = (line: string, own: readonly string[]) =>
    line.split(',', columns).length >= columns && [before, own].some((like) => isLine(Fields.of(line), columns, like))
  for (const [at, value] of values.entries()) {
    const own = values.slice(0, at)
    const lines = linesOf(value, values.slice(at + 1))
    const next = lines.findIndex((line, n) => n > 0 && isNext(line, own))
    if (next < 0) continue
    yield { values: [...own, ...lines[0]!.split(',')], isBroken: true }
    let open: Fields | null = null
    for (const line of lines.slice(next)) {
      if (open && isNext(line, own)) {
        yield { values: open.values, isBroken: true }
        open = null
      }
      open ??= new Fields()
      open.add(line)
      if (open.isOpen) continue
      yield { values: open.values, isBroken: false }
      open = null
    }
    if (open) yield { values: open.values, isBroken: true }
    return
  }
  yield { values, isBroken: false }
}

/**
 * Returns the lines from which a value was made. The quote that ended the value is part of the last of these lines, and
 * the values after the quote are the rest of this line. If the file ended within the value, the last line has no such
 * quote.
 */
function linesOf(value: string, after: readonly string[]): string[] {
  if (!value.includes('\n')) return []
  const lines = value.split(/\r?\n/)
  const last = lines.pop()!
  const isEnd = after.length === 0 && !Fields.isOpen(last)
  return [...lines, isEnd ? last : `${last}"${after.map((text) => `,"${text.replaceAll('"', '""')}"`).join('')}`]
}

/**
 * Whether the values look like a line: each column has a value, and the numbers look like the numbers of another line.
 */
function isLine(values: readonly string[], columns: number, like: readonly string[]): boolean {
  if (values.length !== columns) return false
  let numbers = 0
  for (const [at, value] of like.entries()) {
    if (!/^\s*\d+\s*$/.test(value)) continue
    const own = values[at] ?? ''
    if (!/^\s*\d+\s*$/.test(own) || Math.abs(own.trim().length - value.trim().length) > 1) return false
    numbers++
  }
  return numbers > 0
}

/** Splits a record of one or more lines into values, by the rules of `csvLines`. */
class Fields {
  readonly values: string[] = []
  /** Whether a quote is open. A quoted value closes before a comma or a line end. */
  isOpen = false

  static of(line: string): string[] {
    const fields = new Fields()
    fields.add(line)
    return fields.values
  }

  static isOpen(line: string): boolean {
    const fields = new Fields()
    fields.add(line)
    return fields.isOpen
  }

  add(line: string): void {
    let at = 0
    if (this.isOpen) at = this.#quoted(line, 0, `${this.values.pop()}\n`)
    while (at <= line.length) {
      if (line[at] === '"') {
        at = this.#quoted(line, at + 1, '')
        continue
      }
      const comma = line.indexOf(',', at)
      const end = comma < 0 ? line.length : comma
      this.values.push(line.slice(at, end))
      at = end + 1
    }
  }

  /** @returns the index at which the next value begins; an index after the end of the line if there is no next value */
  #quoted(line: string, from: number, before: string): number {
    let at = line.indexOf('"', from)
    while (at >= 0 && at + 1 < line.length && line[at + 1] !== ',')
      at = line.indexOf('"', at + (line[at + 1] === '"' ? 2 : 1))
    this.isOpen = at < 0
    this.values.push(before + line.slice(from, at < 0 ? undefined : at).replaceAll('""', '"'))
    return at < 0 ? line.length + 1 : at + 2
  }
}
