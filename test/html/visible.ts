/** What people see of an HTML document, by a plain walk over htmlparser2's tree: no part of the reader that is tested. */
import { type ChildNode, isTag, isText } from 'domhandler'
import { parseDocument } from 'htmlparser2'

const HIDDEN = new Set(
  'head script style template noscript object applet select datalist audio video canvas svg iframe noembed noframes title textarea ix:header ix:hidden'.split(
    ' ',
  ),
)
/** Elements within a line: text on their two sides is one word. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big c cite code del dfn em f1 f2 f3 f4 f5 f6 font i ins kbd label mark nobr q s samp small span strike strong tt u var wbr'.split(
    ' ',
  ),
)

/** Text with a blank wherever a line, a cell or a raised or lowered piece begins or ends. */
export function visibleText(html: string): string {
  const pieces: string[] = []
  const stack: { nodes: ChildNode[]; at: number; after: string; seen: boolean }[] = [
    { nodes: parseDocument(html).children, at: 0, after: '', seen: true },
  ]
  while (stack.length > 0) {
    const top = stack.at(-1)!
    const node = top.nodes[top.at++]
    if (node === undefined) {
      pieces.push(top.after)
      stack.pop()
    } else if (isText(node)) {
      if (top.seen) pieces.push(node.data)
    } else if (isTag(node)) {
      if (HIDDEN.has(node.name) || node.attribs.hidden !== undefined) continue
      const style = (node.attribs.style ?? '').toLowerCase().replace(/\s/g, '')
      // Letters of these fonts are boxes and ticks.
      if (/wingdings|symbol/.test(style + (node.attribs.face ?? '').toLowerCase())) continue
      if (/(^|;)display:none/.test(style) || /(^|;)font-size:0(pt|px|em|%)?(;|$)/.test(style)) continue
      const seen =
        /(^|;)visibility:visible/.test(style) || (top.seen && !/(^|;)visibility:(hidden|collapse)/.test(style))
      const within =
        (INLINE.has(node.name) || (node.name.startsWith('ix:') && !/display:block/.test(style))) &&
        !/padding-left|margin-left|vertical-align|display:(block|inline-block)/.test(style)
      const side = within ? '' : ' '
      pieces.push(side)
      stack.push({ nodes: node.children, at: 0, after: side, seen })
    }
  }
  return pieces
    .join('')
    .replace(/[\0-\x08\x0e-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The text that Markdown shows, its own signs taken away; images and addresses of links are no text. */
export function shownText(markdown: string): string {
  return markdown
    .replace(/!\[(?:[^\]\\]|\\.)*\]\([^)\s]*\)/g, ' ')
    .replace(/\]\([^)\s]*\)/g, '')
    .replace(/^\|(?: -{3}:? \|)+$/gm, ' ')
    .replace(/^ *(?:-|\d+\.) (?=\S)/gm, (marker) => marker.replace('-', ' '))
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replace(/\*\*\*|\*\*/g, '')
    .replace(/\s+/g, ' ')
}

/** Words and numbers, with how often each occurs. `1,234.5` is one. */
export function wordsOf(text: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const [word] of text.matchAll(/\p{N}+(?:[.,]\p{N}+)*|\p{L}+/gu)) found.set(word, (found.get(word) ?? 0) + 1)
  return found
}

/** What of `wanted` is not in `given`, with how often it is missing. */
export function missing(wanted: Map<string, number>, given: Map<string, number>): Map<string, number> {
  const found = new Map<string, number>()
  for (const [word, count] of wanted) {
    const lacks = count - (given.get(word) ?? 0)
    if (lacks > 0) found.set(word, lacks)
  }
  return found
}

export const total = (words: Map<string, number>): number => [...words.values()].reduce((sum, count) => sum + count, 0)
