/** The two encodings of the publisher's files. */

export type Encoding = 'utf8' | 'cp1252'

/** Characters of Windows-1252 for the bytes 0x80 to 0x9F, with a space for each byte that has none. */
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
