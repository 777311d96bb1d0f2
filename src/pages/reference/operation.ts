/** The page of one operation, at `/docs/{operationId}`. */
import { capital } from '../../declare/capital.ts'
import { type Html, html, verbatim } from '../html.ts'
import { inline, prose } from '../prose.ts'
import { fieldTree } from './field-tree.ts'
import { breakable, choices, framed, methodMark } from './frame.ts'
import { colouredJson } from './json.ts'
import { exampleText, factsOf } from './markdown.ts'
import type { Content, Operation, Parameter, Reference } from './model.ts'
import { snippets } from './request.ts'
import { tryForm } from './try.ts'

/** Maximum number of lines of an example on a page. The Markdown version of the page has all lines. */
const LINES_MAX = 400

export function operationPage(reference: Reference, operation: Operation): string {
  const { id, method, path, summary, description, parameters, contents, failures } = operation
  const group = reference.groups.find(({ operations }) => operations.includes(operation))!
  const examples = contents.filter(({ example }) => example !== null)
  return framed(reference, {
    title: `${method} ${path} · ${reference.title}`,
    description: summary,
    address: `/docs/${id}`,
    body: html`<header class="head">
<p class="over"><a href="/docs#group-${group.name}">${group.title}</a></p>
<h1 class="operation">${inline(summary)}</h1>
<div class="address">${methodMark(method)}<code>${breakable(path)}</code><a class="button main to-try" href="#try">Try it</a></div>
</header>
<div class="split">
<div class="described">
${operation.deprecated && html`<p class="old"><strong>Deprecated.</strong> It still answers, but it will be removed.</p>`}
${prose(description)}
<p class="facts">${inline(factsOf(operation))} <a href="/docs/${id}.md">This page as Markdown</a></p>
<h2 id="parameters">Parameters</h2>
${parameters.length === 0 ? html`<p>This operation has no parameters.</p>` : parameterTable(parameters)}
${tryForm(operation)}
<h2 id="answer">Answer</h2>
${contents.map((content) => answer(content, reference))}
<h2 id="errors">Other answers</h2>
<div class="wide" tabindex="0"><table class="statuses"><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>${failures.map(({ status, meaning }) => html`<tr><td><span class="status ${Number(status) >= 400 && 'bad'}">${status}</span></td><td>${inline(meaning)}</td></tr>\n`)}</tbody></table></div>
</div>
<div class="rail">
<section class="panel" aria-label="Request">
${languages(operation)}
</section>
${examples.map(({ type, example }) => exampleOf(type, example, id))}
</div>
</div>`,
  })
}

/** The request in each language, in tabs. The tabs are radio buttons, so they need no script. */
function languages(operation: Operation): Html {
  const made = snippets(operation)
  const tab = (language: string, index: number) =>
    html`<input type="radio" name="language" id="language-${index}"${index === 0 && verbatim(' checked')}><label for="language-${index}">${language}</label>\n`
  return html`<fieldset class="tabs"><legend class="unseen">Language</legend>
${made.map(({ language }, index) => tab(language, index))}${made.map(({ language, code }, index) => html`<pre class="tab-${index}" tabindex="0" aria-label="${language}"><code>${code}</code></pre>\n`)}</fieldset>`
}

function exampleOf(type: string, example: unknown, id: string): Html {
  const lines = exampleText(example).split('\n')
  const shown = lines.slice(0, LINES_MAX).join('\n')
  const cut = lines.length - LINES_MAX
  return html`<section class="panel" aria-label="Example answer, ${type}">
<p class="panel-head">Example answer <span class="soft">${type}</span></p>
<pre tabindex="0"><code>${typeof example === 'string' ? shown : colouredJson(shown)}</code></pre>
${cut > 0 && html`<p class="cut">${cut} more lines <a href="/docs/${id}.md">in Markdown</a></p>`}
</section>
`
}

function answer({ type, shape, description, fields }: Content, reference: Reference): Html {
  return html`<p class="content"><span class="type">${type}</span>${shape !== null && html` <span class="soft">${shape}</span>`}</p>
${shape === null && html`<p>The bytes of the document, with its own content type.</p>`}
${prose(description)}
${fields.length > 0 && fieldTree(fields, reference)}`
}

function parameterTable(parameters: readonly Parameter[]): Html {
  return html`<table class="parameters"><thead><tr><th scope="col">Name</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${parameters.map(
  (each) => html`<tr id="parameter-${each.name}">
<td><code>${each.name}</code> <span class="type">${each.type}</span> ${each.required ? html`<span class="must">required</span>` : null}${each.in !== 'query' && html` <span class="soft">in the ${each.in}</span>`}</td>
<td>${prose(each.description)}${choices(each.choices)}${limitsOf(each)}</td>
</tr>
`,
)}</tbody></table>`
}

function limitsOf({ limits, default: standard, example }: Parameter): Html | null {
  const parts = [
    ...limits.map((limit) => html`<span>${capital(limit)}</span>`),
    ...(standard === null ? [] : [html`<span>Default <code>${standard}</code></span>`]),
    ...(example === null ? [] : [html`<span>Example <code>${example}</code></span>`]),
  ]
  return parts.length === 0 ? null : html`<p class="limits">${parts.map((part) => html`${part} `)}</p>`
}
