/** Values of Form ADV that need more than the strict readers' types, and the rows that its parsers yield. */
import type { Rows } from '../../core/table.ts'
import type * as tables from './tables.ts'

type Yielded = Rows<typeof tables> extends Generator<infer R> ? R : never

/** A row of that table: a column that is missing or mistyped does not compile. */
export type Row<K extends keyof typeof tables> = Extract<Yielded, readonly [K, unknown]>[1]

/** Records a value that cannot be used. */
type Tell = (value: string, reason: string) => void

/** A CRD number as it is compared: digits without leading zeros. Zero stands for none. */
export function crdOf(given: string | null, tell: Tell): string | null {
  if (given === null) return null
  if (/^\d{1,10}$/.test(given)) return given.replace(/^0+/, '') || null
  tell(given, 'is no CRD number')
  return null
}

export function cikOf(given: string | null, tell: Tell): string | null {
  if (given === null) return null
  if (/^\d{1,10}$/.test(given)) return /^0+$/.test(given) ? null : given.padStart(10, '0')
  tell(given, 'is no CIK')
  return null
}

/** What an `integer` column holds: one accounts figure beyond it must not refuse a whole edition. */
export function whole(value: number | null, tell: Tell): number | null {
  if (value === null || Math.abs(value) < 2 ** 31) return value
  tell(`${value}`, 'is larger than any such count')
  return null
}

/**
 * Platforms on which Item 1.I asks for accounts besides web sites. Firms list them in any order, often first, so the web
 * site of a firm is the first address that is at none of them.
 */
const SOCIAL_MEDIA = new Set([
  ...['linkedin.com', 'lnkd.in', 'facebook.com', 'fb.com', 'fb.me', 'twitter.com', 'x.com', 't.co', 'instagram.com'],
  ...[
    'youtube.com',
    'youtu.be',
    'tiktok.com',
    'threads.net',
    'threads.com',
    'pinterest.com',
    'vimeo.com',
    'reddit.com',
  ],
  ...['tumblr.com', 'snapchat.com', 'flickr.com', 'medium.com', 'quora.com', 'discord.gg', 'discord.com', 't.me'],
  ...['telegram.me', 'whatsapp.com', 'wa.me', 'wechat.com', 'weibo.com', 'xing.com', 'bsky.app', 'mastodon.social'],
  ...['truthsocial.com', 'rumble.com', 'twitch.tv', 'clubhouse.com', 'nextdoor.com', 'alignable.com', 'yelp.com'],
  ...['glassdoor.com', 'meetup.com', 'stocktwits.com', 'linktr.ee', 'slideshare.net', 'soundcloud.com', 'spotify.com'],
  ...['plus.google.com', 'podcasts.google.com', 'podcasts.apple.com', 'itunes.apple.com', 'apps.apple.com'],
  ...['play.google.com', 'g.page', 'goo.gl', 'maps.google.com', 'business.google.com', 'about.me', 'substack.com'],
])

/**
 * Whether an address of Item 1.I is at a social-media platform; null for what is no web address (`N/A`, an e-mail
 * address). Filers write `HTTP://X.COM/…`, `www.gs.com`, `https:/www.gs.com`.
 */
export function isSocialMedia(address: string): boolean | null {
  const [, host] = /^(?:https?:\/*)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)\.?(?::\d+)?(?:[/?#]|$)/i.exec(address) ?? []
  if (host === undefined) return null
  const labels = host.toLowerCase().split('.')
  return labels.some((_, at) => SOCIAL_MEDIA.has(labels.slice(at).join('.')))
}
