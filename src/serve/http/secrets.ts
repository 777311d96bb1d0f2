/** What of a text from outside may be logged: everything but what could be a key, whatever it was written in. */

/**
 * What follows the id of a key, however much of it; and 20 letters and digits in a row: a secret is 28, and is as many or
 * more in whatever it is turned into (base64, hex, the other case), while what is logged on purpose has fewer, as 18 in an
 * accession.
 */
const SECRET = /(of_[a-z0-9]{8}_)[a-z0-9]+|[a-z0-9]{20,}/gi

/** Between these an encoding begins anew. A character reference of HTML holds three of them and is one character. */
const PART = /(?:&#x?[0-9a-f]{1,6};|[^\s/?&=#;,:"'()<>[\]{}|])+/gi

const ENCODED = /%(?:u00)?([0-9a-f]{2})|\\(?:u00|x)([0-9a-f]{2})|&#x0*([0-9a-f]{2});|&#0*(\d{2,3});/gi
/** Who encodes more often than this wants to hide something. */
const ROUNDS_MAX = 10

/** What an encoding needs. */
const MORE = /[%\\\0]|&#/

const REDACTED = '[redacted]'

const redacted = (text: string) => text.replace(SECRET, (_, id = '') => id + REDACTED)

/** The text without what may be a key. It stays as it came but for that. */
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

/** Plain once decoded, and without anything that may be a key: nearly all addresses, found out in a fifth of the time. */
function isHarmless(text: string): boolean {
  try {
    const plain = decodeURIComponent(text)
    return !MORE.test(plain) && plain.search(SECRET) < 0
  } catch {
    return false
  }
}

/** With every encoding taken off; null when there is no end to them. */
function decoded(part: string): string | null {
  let text = part
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = text.replace(ENCODED, (_, percent, escaped, hex, decimal) =>
      String.fromCharCode(decimal === undefined ? Number.parseInt(percent ?? escaped ?? hex, 16) : Number(decimal)),
    )
    // UTF-16 has a NUL beside each letter, also beside those of what is encoded once more.
    const plain = next.replaceAll('\0', '')
    if (plain === text) return text
    text = plain
  }
  return null
}

/**
 * May a request be named by what its client calls it? Short and plain, and no key: hexadecimal digits, 32 at most, are a trace
 * id, 26 digits and capitals a ULID; nothing else needs 20 letters and digits in a row.
 */
export function isPlainId(id: string): boolean {
  if (!/^[\w.-]{1,64}$/.test(id)) return false
  return id
    .split(/[_.-]/)
    .every((part) => part.length < 20 || /^([0-9a-f]{20,32}|[0-7][0-9A-HJKMNP-TV-Z]{25})$/.test(part))
}
