/** Separates the web addresses of Item 1.I: the firm's own web sites, and accounts at social-media platforms. */

/** Hosts of social-media platforms; subdomains such as `uk.linkedin.com` count too. */
const SOCIAL_MEDIA = new Set([
  ...['linkedin.com', 'linkedin.cn', 'lnkd.in', 'facebook.com', 'fb.com', 'fb.me', 'fb.watch', 'm.me', 'messenger.com'],
  ...['twitter.com', 'x.com', 't.co', 'instagram.com', 'instagr.am', 'threads.net', 'threads.com', 'youtube.com'],
  ...['youtu.be', 'tiktok.com', 'pinterest.com', 'pin.it', 'vimeo.com', 'reddit.com', 'tumblr.com', 'snapchat.com'],
  ...['flickr.com', 'medium.com', 'substack.com', 'quora.com', 'discord.gg', 'discord.com', 't.me', 'telegram.me'],
  ...['whatsapp.com', 'wa.me', 'wechat.com', 'weixin.com', 'weixin.qq.com', 'weibo.com', 'weibo.cn', 'douyin.com'],
  ...['bilibili.com', 'zhihu.com', 'xiaohongshu.com', 'line.me', 'kakao.com', 'vk.com', 'xing.com', 'bsky.app'],
  ...['mastodon.social', 'truthsocial.com', 'gettr.com', 'rumble.com', 'twitch.tv', 'clubhouse.com', 'nextdoor.com'],
  ...['alignable.com', 'yelp.com', 'glassdoor.com', 'meetup.com', 'stocktwits.com', 'seekingalpha.com', 'linktr.ee'],
  ...['about.me', 'slideshare.net', 'issuu.com', 'soundcloud.com', 'spotify.com', 'spoti.fi', 'anchor.fm'],
  ...['podbean.com', 'buzzsprout.com', 'libsyn.com', 'iheart.com', 'podcasts.apple.com', 'itunes.apple.com'],
  ...['apps.apple.com', 'plus.google.com', 'podcasts.google.com', 'play.google.com', 'maps.google.com'],
  ...['business.google.com', 'www.google.com', 'g.page', 'g.co', 'goo.gl'],
])

/** Prefixes that filers write before a host: `https:/`, `HTTP//`, `https://https://`, `LinkedIn: `. */
const SCHEME = /^(?:[a-z]{3,10}\s*(?:[:;]\s*\/*|\/\/+)\s*)+/

/**
 * Matches nearly every address. The other steps of `hostOf` find the same hosts, but for all addresses they would take
 * a tenth of the time of reading a feed.
 */
const USUAL = /^(?:https?:\/\/)?((?:[a-z0-9_-]+\.)+[a-z]{2,})(?:[/?#]|$)/i

/**
 * Returns the host of a web address as a filer writes it, in lower case. Returns null for texts without a host: `N/A`,
 * `@firm`, `LINKEDIN`, an e-mail address.
 */
export function hostOf(address: string): string | null {
  const usual = USUAL.exec(address)
  if (usual) return usual[1]!.toLowerCase()
  const plain = address.normalize('NFKC').trim().toLowerCase().replaceAll('\\', '/').replace(SCHEME, '')
  const [authority = ''] = plain.split(/[/?#\s,]/, 1)
  const labels = authority.replace(/:\d*$/, '').split('.').filter(Boolean)
  const isHost = labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}_-]+$/u.test(label))
  return isHost && /^\p{L}{2,}$|^xn--/u.test(labels.at(-1)!) ? labels.join('.') : null
}

/** Returns whether the host of an address is a social-media platform; null if the text is not a web address. */
export function isSocialMedia(address: string): boolean | null {
  const host = hostOf(address)
  if (host === null) return null
  // Tries uk.linkedin.com, linkedin.com and com.
  for (let from = 0; from >= 0; from = host.indexOf('.', from) + 1 || -1) {
    if (SOCIAL_MEDIA.has(host.slice(from))) return true
  }
  return false
}
