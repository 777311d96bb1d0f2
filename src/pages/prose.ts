/**
 * Converts the Markdown of the project's descriptions and guides to HTML: headings, paragraphs, lists, tables, fences,
 * code, links, strong. Anything else is shown as typed, HTML included.
 */
import { type Html, html, joined } from './html.ts'

/** Code, strong, and links to this service or by https. */
const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^[\]]+)\]\(((?:https:\/\/|\/|#)[^()\s]*)\)/g

/** Converts the Markdown within one paragraph: code, strong, and links. */
export function inline(text: string): Html {
  const parts: (Html | string)[] = []
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, label, href] = match
    parts.push(text.slice(from, match.index))
    if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (strong !== undefined) parts.push(html`<strong>${inline(strong)}</strong>`)
    else parts.push(html`<a href="${href}">${inline(label!)}</a>`)
    from = match.index + whole.length
  }
  parts.push(text.slice(from))
  return joined(parts)
}

/** Converts blocks, which blank lines separate. The lines of a paragraph are joined to one line. */
export function prose(markdown: string): Html {
  const blocks = markdown.split(/^(```[\s\S]*?^```$)/m).flatMap((part) => {
    return part.startsWith('```') ? [part] : part.split(/\n{2,}/)
  })
  const taken = new Set<string>()
  return joined(
    blocks.map((block) => block.trim()).flatMap((block) => (block === '' ? [] : [html`${blockOf(block, taken)}\n`])),
  )
}

/** @param taken anchors of the headings before the block */
function blockOf(block: string, taken: Set<string>): Html {
  const lines = block.split('\n')
  const heading = lines.length === 1 ? /^(#{2,4}) (.+)$/.exec(block) : null
  if (heading) return headingOf(heading[1]!.length, heading[2]!, taken)
  if (block.startsWith('```')) return html`<pre tabindex="0"><code>${lines.slice(1, -1).join('\n')}</code></pre>`
  const items = itemsOf(lines, /^- /)
  if (items) return html`<ul>${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`
  const steps = itemsOf(lines, /^\d+\. /)
  if (steps) return html`<ol>${steps.map((step) => html`<li>${inline(step)}</li>`)}</ol>`
  if (lines.every((line) => line.startsWith('|'))) return tableOf(lines)
  return html`<p>${inline(lines.join(' '))}</p>`
}

/** The items of a list, whose further lines are indented; null if the lines are not a list of this kind. */
function itemsOf(lines: readonly string[], mark: RegExp): string[] | null {
  const items: string[] = []
  for (const line of lines) {
    if (mark.test(line)) items.push(line.replace(mark, ''))
    else if (items.length > 0 && /^ {2}/.test(line)) items.push(`${items.pop()} ${line.trim()}`)
    else return null
  }
  return items
}

/** The anchor of a heading: its words in lower case. */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function headingOf(level: number, text: string, taken: Set<string>): Html {
  if (level > 3) return html`<h4>${inline(text)}</h4>`
  const anchor = freeAnchor(anchorOf(text), taken)
  return level === 2 ? html`<h2 id="${anchor}">${inline(text)}</h2>` : html`<h3 id="${anchor}">${inline(text)}</h3>`
}

/** The anchor of a heading; a later heading with the same words gets a number, as `tables-2`. */
function freeAnchor(anchor: string, taken: Set<string>): string {
  let free = anchor
  for (let n = 2; taken.has(free); n++) free = `${anchor}-${n}`
  taken.add(free)
  return free
}

function tableOf(lines: readonly string[]): Html {
  const cells = (line: string) =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll('\\|', '|')))
  const [head, , ...rows] = lines
  return html`<div class="wide" tabindex="0"><table><thead><tr>${cells(head!).map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row).map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
}
