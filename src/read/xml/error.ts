/** A document that is not well-formed, too large, or not shaped as its parser requires. */
export class XmlError extends Error {
  /** Bytes of the source up to and including the fault; UTF-16 units where the source was a string. */
  readonly offset: number
  /** Both count from 1. All three are 0 for a missing or repeated element, which stands in no one place. */
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
