/** A document is not well-formed, is too large, or does not have the structure that its parser requires. */
export class XmlError extends Error {
  /** Bytes of the source up to and including the fault; UTF-16 units if the source was a string. */
  readonly offset: number
  /**
   * Line and column count from 1. Offset, line and column are 0 for an element that is missing or repeated, since such
   * an element has no single position.
   */
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
