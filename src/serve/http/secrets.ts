/** Removes possible keys, in any encoding, from text that came from outside, before the text is logged. */

/**
 * Finds text that follows the id of a key, and any 20 letters and digits in a row. A secret has 28 letters and digits
 * in a row, and at least as many in every encoding (base64, hex, the other case). Text that is meant to be logged has
 * fewer in a row: an accession has 18.
 */
const SECRET = /(of_[a-z0-9]{8}_)[a-z0-9]+|[a-z0-9]{20,}/gi

/**
 * Matches the parts of a text that are decoded one by one. An HTML character reference such as `&#65;` contains three
 * of the separators (`&`, `#`, `;`), but it means one character, so it is not split.
 */
const PART = /(?:&#x?[0-9a-f]{1,6};|[^\s/?&=#;,:"'()<>[\]{}|])+/gi

const ENCODED = /%(?:u00)?([0-9a-f]{2})|\\(?:u00|x)([0-9a-f]{2})|&#x0*([0-9a-f]{2});|&#0*(\d{2,3});/gi
/** Maximum number of layers of encoding. A text with more layers is an attempt to hide something. */
const ROUNDS_MAX = 10

/** Characters that mark encoded text: every encoding has one of them. */
const MORE = /[%\\\0]|&#/

const REDACTED = '[redacted]'

const redacted = (text: string) => text.replace(SECRET, (_, id = '') => id + REDACTED)

/** Replaces the parts of the text that may be keys. All other parts stay unchanged. */
export function withoutKeys(text: string): string {
  if (!MORE.test(text)) return redacted(text)
  if (isHarmless(text)) return text
  return text.replace(PART, (part) => {
    const plain = decoded(part)
    if (plain === null) return REDACTED
    const shown = redacted(plain)
    return shown === plain ? part : shown
  })
}

/**
 * Whether the text is plain after one decoding and contains nothing that may be a key. Nearly all addresses pass this
 * test, which takes a fifth of the time of decoding part by part.
 */
function isHarmless(text: string): boolean {
  try {
    const plain = decodeURIComponent(text)
    return !MORE.test(plain) && plain.search(SECRET) < 0
  } catch {
    return false
  }
}

/** Removes every layer of encoding; null if there are too many layers. */
function decoded(part: string): string | null {
  let text = part
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = text.replace(ENCODED, (_, percent, escaped, hex, decimal) =>
      String.fromCharCode(decimal === undefined ? Number.parseInt(percent ?? escaped ?? hex, 16) : Number(decimal)),
    )
    // UTF-16 has a NUL next to each letter, even if the text is encoded again.
    const plain = next.replaceAll('\0', '')
    if (plain === text) return text
    text = plain
  }
  return null
}

/**
 * Whether a request may carry the id that its client gave it. The id must be short and plain, and must not look like a
 * key. 20 letters and digits in a row are allowed only in a trace id (up to 32 hexadecimal digits) or a ULID (26 digits
 * and capitals).
 */
export function isPlainId(id: string): boolean {
  if (!/^[\w.-]{1,64}$/.test(id)) return false
  return id
    .split(/[_.-]/)
    .every((part) => part.length < 20 || /^([0-9a-f]{20,32}|[0-7][0-9A-HJKMNP-TV-Z]{25})$/.test(part))
}
