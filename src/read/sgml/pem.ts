/**
 * Removes the escapes of the privacy-enhanced mail around submissions of 1993 to about 2010. A line of the original
 * that begins with a dash has `- ` before it (RFC 1421, 4.3.2.2). All 87 such submissions of the corpus are escaped
 * throughout.
 */
const ESCAPED = Buffer.from('\n- -')
const HELD = ESCAPED.length - 1

/**
 * Removes the escapes, whatever the chunk boundaries are. The first byte of the first chunk must be at the start of a
 * line.
 */
export class DashUnescaper {
  // Begins with a line feed, which marks the start of the text and is not returned.
  private held: Buffer = Buffer.from('\n')
  private first = true

  /** Returns the bytes that are final after this piece. */
  feed(bytes: Buffer): Buffer {
    const text = Buffer.concat([this.held, bytes])
    const parts: Buffer[] = []
    let from = this.first ? 1 : 0
    let found = text.indexOf(ESCAPED)
    while (found >= 0) {
      parts.push(text.subarray(from, found + 1))
      from = found + HELD
      found = text.indexOf(ESCAPED, from)
    }
    const settled = Math.max(from, text.length - HELD)
    if (text.length <= HELD) {
      this.held = text
      return Buffer.alloc(0)
    }
    parts.push(text.subarray(from, settled))
    this.held = text.subarray(settled)
    this.first = false
    return Buffer.concat(parts)
  }

  /** Returns bytes that were held back as the possible start of an escape, if the escape did not follow. */
  finish(): Buffer {
    return this.held.subarray(this.first ? 1 : 0)
  }
}
