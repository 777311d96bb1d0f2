/** The page at `/docs`: how to begin, and the groups with their operations. */
import { html } from '../html.ts'
import { anchorOf, inline, prose } from '../prose.ts'
import { breakable, framed, methodMark } from './frame.ts'
import { guide } from './guide.ts'
import { summaryOf } from './markdown.ts'
import type { Reference } from './model.ts'

export function startPage(reference: Reference): string {
  const { title, version, groups } = reference
  const text = guide(reference)
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!)
  return framed(reference, {
    title: `API reference · ${title}`,
    description: `How to begin with ${title}, and every operation of its API.`,
    address: '/docs',
    body: html`<header class="head">
<p class="over">Version ${version}</p>
<h1>${title} API reference</h1>
<p class="lead">${inline(summaryOf(reference))}</p>
<ul class="jumps">${[...sections, 'Operations'].map((heading) => html`<li><a href="#${anchorOf(heading)}">${heading}</a></li>`)}</ul>
</header>
<div class="guide">
${prose(text)}</div>
<h2 id="operations">Operations</h2>
${groups.map(
  (group) => html`<section class="group" aria-labelledby="group-${group.name}">
<h3 id="group-${group.name}">${group.title}</h3>
${group.description && html`<p>${inline(group.description)}</p>`}
<ul class="operations">
${group.operations.map(({ id, method, path, summary }) => html`<li><a href="/docs/${id}">${methodMark(method)}<span class="path">${breakable(path)}</span><span class="summary">${inline(summary)}</span></a></li>\n`)}</ul>
</section>
`,
)}`,
  })
}
