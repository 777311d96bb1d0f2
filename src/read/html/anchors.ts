/**
 * Redirects links within a document to headings of its Markdown, since headings are the only anchors that Markdown has.
 */

export interface Anchors {
  /** Adds anchors whose text is below the last heading. */
  add(names: readonly string[]): void
  heading(text: string, names: readonly string[]): void
  /** Returns the text in which links within the document lead to headings, if the heading is known. */
  resolved(text: string): string
}

/** Maximum number of anchors that are kept of a document. */
const NAMES_MAX = 100_000
const LINK = /\]\(#([^\s()]+)\)/g

export function openAnchors(): Anchors {
  const places = new Map<string, string>()
  const used = new Map<string, number>()
  let current = ''
  const add = (names: readonly string[]) => {
    if (current === '') return
    for (const name of names) if (places.size < NAMES_MAX && !places.has(name)) places.set(name, current)
  }
  return {
    add,
    heading(text, names) {
      const slug = slugOf(text)
      const times = used.get(slug) ?? 0
      used.set(slug, times + 1)
      current = times === 0 ? slug : `${slug}-${times}`
      add(names)
    },
    resolved(text) {
      if (places.size === 0 || !text.includes('](#')) return text
      return text.replace(LINK, (link, name) => {
        const place = places.get(name)
        return place === undefined ? link : `](#${place})`
      })
    },
  }
}

/** Returns the name that GitHub and most other readers use for links to a heading. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
