/** Writes a feed as Atom (RFC 4287), with links to further pages (RFC 5005). */
import { escaped } from '../escaped.ts'
import type { Entry, FeedDocument } from './document.ts'

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8'

/** Characters that no XML 1.0 document may have, not even as references, including unpaired surrogates. */
const FORBIDDEN =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * Escapes text for content and attributes. A carriage return becomes a reference, since a reader of XML would take it
 * for the end of a line.
 */
const text = (value: string) => escaped(value.replace(FORBIDDEN, '\ufffd')).replaceAll('\r', '&#13;')

const link = (rel: string, href: string, type: string, title?: string) =>
  `<link rel="${rel}" type="${type}" href="${text(href)}"${title === undefined ? '' : ` title="${text(title)}"`}/>`

const entryOf = ({ id, title, updated, author, page, json, text: content }: Entry) => `<entry>
<id>${text(id)}</id>
<title>${text(title)}</title>
<updated>${updated}</updated>
${author === null ? '' : `<author><name>${text(author)}</name></author>\n`}${link('alternate', page, 'text/html')}
${link('related', json, 'application/json', 'JSON')}
<content type="text">${text(content)}</content>
</entry>
`

export function atomOf(feed: FeedDocument): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${text(feed.id)}</id>
<title>${text(feed.title)}</title>
<subtitle>${text(feed.subtitle)}</subtitle>
<updated>${feed.updated}</updated>
<author><name>OpenFilings</name></author>
<generator>OpenFilings</generator>
${link('self', feed.self, 'application/atom+xml')}
${link('alternate', feed.page, 'text/html')}
${feed.next === null ? '' : `${link('next', feed.next, 'application/atom+xml')}\n`}${feed.entries.map(entryOf).join('')}</feed>
`
}
