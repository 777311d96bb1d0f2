/** A guide as a page and as Markdown. */
import { html } from '../html.ts'
import { inline, prose } from '../prose.ts'
import { framed } from './frame.ts'
import type { Guide } from './guides.ts'
import type { Operation, Reference } from './model.ts'
import { ORIGIN } from './request.ts'

/** @param over the link above the title, to the list that contains the page */
export function guidePage(
  reference: Reference,
  { title, lead, text, href }: Guide,
  over = html`<a href="/docs#guides">Guide</a>`,
): string {
  return framed(reference, {
    title: `${title} · ${reference.title}`,
    description: lead,
    address: href,
    body: html`<header class="head">
<p class="over">${over}</p>
<h1>${title}</h1>
<p class="lead">${inline(served(lead, ''))}</p>
</header>
<div class="guide">
${prose(served(withReferences(text, reference, ''), ''))}</div>`,
  })
}

export const guideMarkdown = (reference: Reference, { title, lead, text }: Guide): string =>
  `# ${title}\n\n${served(lead, '.md')}\n\n${served(withReferences(text, reference, '.md'), '.md')}\n\n[All guides and operations](/docs.md)\n`

/**
 * Makes links between guides lead to their pages. Other documents of the repository are not served, so links to them
 * are replaced by their labels.
 *
 * @param ending of an address: `.md` for Markdown
 */
const served = (markdown: string, ending: string): string =>
  markdown
    .replace(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, (_, name, anchor = '') => `](/docs/guides/${name}${ending}${anchor})`)
    .replace(/\[([^[\]]+)\]\(\.\.[^()]*\)/g, '$1')

/** A line after each block of commands names the operations that the commands request. */
function withReferences(markdown: string, { operations }: Reference, ending: string): string {
  return markdown.replace(/^```sh\n([\s\S]*?)^```$/gm, (block, commands: string) => {
    const paths = Array.from(commands.matchAll(/'([^'\s]+)'/g), ([, address]) => address!)
      .filter((address) => address.startsWith(ORIGIN))
      .map((address) => new URL(address).pathname)
    const shown = [...operations.values()].filter((one) => paths.some((path) => isOf(one, path)))
    const links = shown.map(({ path, id }) => `[\`${path}\`](/docs/${id}${ending})`)
    return links.length === 0 ? block : `${block}\n\nAll parameters and members: ${links.join(', ')}.`
  })
}

const isOf = ({ path }: Operation, address: string): boolean => {
  const parts = path.split('/')
  const own = address.split('/')
  return parts.length === own.length && parts.every((part, at) => part.startsWith('{') || part === own[at])
}
