/** The pages to which the links of a thing lead, each with its number of rows. */
import { thousands } from '../../declare/thousands.ts'
import { type Html, html } from '../html.ts'
import type { Linker } from './linker.ts'

export type Links = Readonly<Record<string, { url: string; count?: number }>>

/** Shows the links that have a page; null if no link has one. */
export function leadsOf(links: Links | undefined, to: Linker): Html | null {
  // A link is named after its operation, or after the role of the thing to which it leads, such as `issuer`.
  const isRole = (name: string, url: string, title: string) =>
    /^[a-z]+$/.test(name) && name !== to.operationAt(url) && !title.toLowerCase().includes(name)
  const found = Object.entries(links ?? {})
    .flatMap(([name, { url, count }]) => {
      const page = to.pageOf(url)
      if (page === null) return []
      const title = to.titleAt(url) ?? name
      return [
        {
          page,
          text: isRole(name, url, title) ? `${title}: ${name}` : title,
          count,
        },
      ]
    })
    .filter(({ page }, n, all) => all.findIndex((other) => other.page === page) === n)
  if (found.length === 0) return null
  return html`<nav class="leads" aria-label="More about this">
<ul>
${found.map(({ page, text, count }) => html`<li><a href="${page}">${text}</a>${count !== undefined && html` <span class="count">${thousands(count)}</span>`}</li>\n`)}</ul>
</nav>`
}
