/** Checks the addresses of links and images for Markdown. */
import type { Image } from './block.ts'

/** Longest link address that is kept. */
const ADDRESS_MAX = 2000
const ALT_MAX = 300

/**
 * Returns an address that is harmless to follow: http, https, mailto or a place in the document. For any other address
 * it returns null. Examples of such other addresses are `javascript:` and `data:` in any spelling, and file names,
 * since the files are not next to the Markdown.
 */
export function safeAddress(href: string): string | null {
  // Browsers ignore blanks and control characters at both ends, and line ends and tabs anywhere.
  const address = href
    .replace(/[\t\r\n]/g, '')
    .replace(/^[\0-\x20\x7f-\xa0]+|(?<![\0-\x20\x7f-\xa0])[\0-\x20\x7f-\xa0]+$/g, '')
  if (address.length > ADDRESS_MAX) return null
  if (!/^(?:https?:\/\/[^/]|mailto:[^:]|#.)/i.test(address)) return null
  return address.replace(/[^\w#$&+,\-./:;=?@~!*'%]/g, (unit) => encode(unit))
}

function encode(unit: string): string {
  if (/[\ud800-\udfff]/.test(unit)) return ''
  return unit === '(' ? '%28' : unit === ')' ? '%29' : encodeURIComponent(unit)
}

/**
 * Returns the name of an image. Only its file name is kept, so that readers of the Markdown fetch no image from
 * elsewhere.
 */
export function namedImage(src: string, alt: string): Image {
  const file =
    /^[^:]*$/.test(src) || /^https?:/i.test(src) ? (/([^/\\?#]*)(?:[?#].*)?$/.exec(src.slice(-500))?.[1] ?? '') : ''
  const name = file.replace(/[^\w.-]/g, '_').slice(-100)
  const text = alt.replace(/\s+/g, ' ').trim().slice(0, ALT_MAX)
  return { alt: text === '' ? name || 'image' : text, name }
}
