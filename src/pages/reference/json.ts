/** Marks the keys, strings and other values of JSON, so that a style can colour them. */
import { type Html, html, joined } from '../html.ts'

const TOKEN = /((?<!\\)"(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Returns the unchanged text with its keys, strings and other values marked. The text may be cut off anywhere. */
export function colouredJson(text: string): Html {
  const parts: (Html | string)[] = []
  let from = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon] = match
    parts.push(text.slice(from, match.index))
    if (colon !== undefined) parts.push(html`<span class="j-key">${string}</span>${colon}`)
    else parts.push(html`<span class="${string === undefined ? 'j-word' : 'j-text'}">${whole}</span>`)
    from = match.index + whole.length
  }
  parts.push(text.slice(from))
  return joined(parts)
}
