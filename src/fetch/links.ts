/** Finds the files that a publisher's page links to. */
import { checkedPath } from './location.ts'

/** A file that a page links to. */
export interface Link {
  /** The last part of the file's path. */
  name: string
  /** Path on the page's own host. */
  path: string
}

/**
 * The files that the page links to on its own host, each once, in the order of the page. Skips links to other hosts,
 * and links with a path that must not be requested.
 *
 * @param page path of the page itself, because links may be relative to it
 */
export function linksOf(page: string, html: string): Link[] {
  const host = 'https://page.invalid'
  const found = new Map<string, Link>()
  for (const [, quoted, apostrophed] of html.matchAll(/\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)) {
    const address = (quoted ?? apostrophed)!.trim()
    if (!URL.canParse(address, host + page)) continue
    const { origin, pathname } = new URL(address, host + page)
    if (origin !== host || !isAllowed(pathname)) continue
    const name = pathname.replace(/^.*\//, '')
    if (name !== '') found.set(pathname, { name, path: pathname })
  }
  return [...found.values()]
}

function isAllowed(path: string): boolean {
  try {
    return checkedPath(path) === path
  } catch {
    return false
  }
}
