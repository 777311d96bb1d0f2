/** Addresses of links and images that may stand in Markdown. */
import type { Image } from './block.ts'

/** A longer one leads nowhere. */
const ADDRESS_MAX = 2000
const ALT_MAX = 300

/**
 * An address that can do no harm where it is followed: http, https, mailto or a place in the document. Everything else is
 * null, `javascript:` and `data:` in any spelling among it, and so are names of files, which are not beside the Markdown.
 */
export function safeAddress(href: string): string | null {
  // Browsers skip blanks and controls at the ends, and line ends and tabs anywhere.
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

/** What an image is called. Only the name of its file is kept, so that nothing is fetched from elsewhere. */
export function namedImage(src: string, alt: string): Image {
  const file =
    /^[^:]*$/.test(src) || /^https?:/i.test(src) ? (/([^/\\?#]*)(?:[?#].*)?$/.exec(src.slice(-500))?.[1] ?? '') : ''
  const name = file.replace(/[^\w.-]/g, '_').slice(-100)
  const said = alt.replace(/\s+/g, ' ').trim().slice(0, ALT_MAX)
  return { alt: said === '' ? name || 'image' : said, name }
}
