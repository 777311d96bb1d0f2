/** Files that a page of a publisher links to. */
import { checkedPath } from './location.ts'

/** A file that a page links to. */
export interface Link {
  /** The last part of its path. */
  name: string
  /** Below the page's own host. */
  path: string
}

/**
 * The files below the page's own host that it links to, each once, in the order of the page. Links to other hosts are left
 * out, and those whose path may not be asked for.
 *
 * @param page path of the page itself: links may be relative to it
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
