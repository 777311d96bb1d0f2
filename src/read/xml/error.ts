/** A document is not well-formed, too large, or not shaped as its parser requires. */
export class XmlError extends Error {
  /** Bytes of the source up to and including the fault. Where the source was a string it counts UTF-16 units. */
  readonly offset: number
  /** Both count from 1. All three are 0 for an element that is missing or repeated, since that has no single place. */
  readonly line: number
  readonly column: number
  constructor(message: string, offset = 0, line = 0, column = 0) {
    super(line === 0 ? message : `line ${line}, column ${column} (offset ${offset}): ${message}`)
    this.name = 'XmlError'
    this.offset = offset
    this.line = line
    this.column = column
  }
}
