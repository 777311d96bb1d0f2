/** The two encodings in which the publisher's files come. */

export type Encoding = 'utf8' | 'cp1252'

/** Windows-1252 0x80 to 0x9F; a space where none is assigned. */
const C1 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

export function bytesOf(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf8') return Buffer.from(text)
  return Buffer.from(
    text.replace(/[^\0-\xff]/g, (unit) => {
      const at = C1.indexOf(unit)
      if (at < 0) throw new Error(`${unit} is not in cp1252`)
      return String.fromCharCode(0x80 + at)
    }),
    'latin1',
  )
}
