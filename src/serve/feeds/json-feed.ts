/** Writes a feed as JSON Feed 1.1 (jsonfeed.org). */
import type { FeedDocument } from './document.ts'

export const JSON_FEED_TYPE = 'application/feed+json; charset=utf-8'

export function jsonFeedOf({ title, subtitle, self, page, next, entries }: FeedDocument): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    feed_url: self,
    description: subtitle,
    ...(next !== null && { next_url: next }),
    items: entries.map(({ id, title: named, updated, author, page: url, json, text }) => ({
      id,
      url,
      external_url: json,
      title: named,
      content_text: text,
      date_published: updated,
      ...(author !== null && { authors: [{ name: author }] }),
    })),
  })
}
