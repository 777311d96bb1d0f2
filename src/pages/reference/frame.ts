/** Parts that pages of the reference share: the list of guides and operations, the search, and small elements. */
import { assetPath } from '../assets.ts'
import { type Html, html, verbatim } from '../html.ts'
import { layout } from '../layout.ts'
import type { Operation, Reference } from './model.ts'

/** Allows a line break before each slash of a path. */
export const breakable = (path: string): Html =>
  html`${path.split(/(?=\/)/).map((part, index) => html`${index > 0 && verbatim('<wbr>')}${part}`)}`

export const methodMark = (method: string): Html => html`<span class="method">${method}</span>`

/** A list with more choices than this is shown only after a click. */
const CHOICES_SHOWN = 12

export function choices(all: readonly string[]): Html | null {
  if (all.length === 0) return null
  const list = html`<ul class="choices">${all.map((choice) => html`<li><code>${choice}</code></li> `)}</ul>`
  return all.length <= CHOICES_SHOWN
    ? list
    : html`<details class="more"><summary>One of ${all.length} values</summary>${list}</details>`
}

export interface ReferencePage {
  title: string
  description: string
  /** Address of the page without host and without `.md`. */
  address: string
  body: Html
}

/** Returns the HTML of a page of the reference. */
export function framed(reference: Reference, { title, description, address, body }: ReferencePage): string {
  return layout({
    title,
    description,
    part: 'reference',
    tools: html`<a class="search-open" href="/docs#operations" data-script="${assetPath('search.js')}" data-index="/docs/search.json">${GLASS}<span class="words">Search</span> <kbd>/</kbd></a>`,
    sidebar: { name: 'Guides and operations', content: sidebar(reference, address) },
    body,
    styles: ['reference.css'],
    scripts: ['reference.js'],
    markdown: `${address}.md`,
  })
}

const GLASS = verbatim(
  '<svg viewBox="0 0 20 20" width="15" height="15" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true"><circle cx="8.5" cy="8.5" r="5.5"/><path d="M13 13l4.5 4.5"/></svg>',
)

/** @param address of the page that shows the sidebar */
function sidebar({ groups, guides, data }: Reference, address: string): Html {
  const isHere = (href: string) => href === address && verbatim(' aria-current="page"')
  const item = (operation: Operation) =>
    html`<li><a href="/docs/${operation.id}" title="${operation.path}"${isHere(`/docs/${operation.id}`)}>${operation.summary}</a></li>\n`
  return html`<ul class="start"><li><a href="/docs"${isHere('/docs')}>How to begin</a></li>${data.length > 0 && html`<li><a href="/docs/data"${isHere('/docs/data')}>Data by family</a></li>`}</ul>
${
  guides.length > 0 &&
  html`<h2>Guides</h2>
<ul>
${guides.map(({ href, title }) => html`<li><a href="${href}"${isHere(href)}>${title}</a></li>\n`)}</ul>
`
}${groups.map(
  ({ title, operations }) => html`<h2>${title}</h2>
<ul>
${operations.map(item)}</ul>
`,
)}`
}
