/**
 * Converts the text of filings to HTML. The text is Markdown that the pipeline made from untrusted documents.
 * A library parses the text and knows where each part begins, so passages of the text can be marked. The library makes
 * no HTML: escaping templates in this module write all HTML, and a tag in the text stays text.
 */
import type { SyntaxNode } from '@lezer/common'
import { type InlineContext, type MarkdownConfig, parser, Strikethrough, Table } from '@lezer/markdown'
import { decodeHTML } from 'entities/decode'
import { type Html, html, joined } from './html.ts'
import { anchorOf } from './prose.ts'

/** A passage to mark, in UTF-16 units of the whole text; the shown text may be a part of the whole text. */
export interface Mark {
  from: number
  to: number
  /** The anchor of the passage, so that an address can lead to the passage. */
  id?: string
  kind: 'here' | 'fact' | 'found'
}

export interface TextOptions {
  /** The position in the whole text at which the shown text begins. */
  offset?: number
  /** Marks may overlap: a letter gets the most important one. */
  marks?: readonly Mark[]
  /** The address of a heading by its anchor, for links within the document; null if the heading has no address. */
  placeOf?: (anchor: string) => string | null
}

/**
 * Limits the time that a paragraph takes. After each blank the library looks for the end of the line, and after each
 * bracket for another bracket. The time for both grows with the square of the number of blanks or brackets.
 */
const BOUNDED: MarkdownConfig = {
  parseInline: [
    {
      name: 'Bounded',
      before: 'Escape',
      parse(cx, next, pos) {
        if (pos === cx.offset && signsIn(cx) > SIGNS) return cx.end
        if (next !== BLANK) return -1
        let after = pos + 1
        while (cx.char(after) === BLANK) after++
        const isWithinLine = after < cx.end && cx.char(after) !== NEWLINE
        return isWithinLine && after > pos + 1 ? after : -1
      },
    },
  ],
}

const BLANK = 0x20
const NEWLINE = 0x0a

function signsIn({ text }: InlineContext): number {
  let signs = 0
  for (let n = 0; n < text.length; n++) if (SIGN.has(text.charCodeAt(n))) signs++
  return signs
}

/**
 * The pipeline never writes HTML or link definitions, so anything that looks like them is text. A quote or indented
 * code in the text is never intended, and both could be nested without limit.
 */
const reader = parser.configure([
  Table,
  Strikethrough,
  BOUNDED,
  {
    remove: ['HTMLBlock', 'HTMLTag', 'Blockquote', 'IndentedCode', 'LinkReference', 'SetextHeading', 'Autolink'],
  },
])

/** Maximum depth of lists and emphasis. Lists and emphasis at a deeper level are shown as Markdown source. */
const DEPTH = 24
/**
 * Maximum number of Markdown signs in a paragraph. A paragraph with more signs than this is shown as Markdown source:
 * the time for brackets grows with the square of their number, and 20,000 take a second.
 */
const SIGNS = 600

/** The text as HTML. The time is proportional to the length of the text. */
export function textHtml(markdown: string, options: TextOptions = {}): Html {
  const writer = new Writer(markdown, options)
  return isCostly(markdown) ? writer.plainly() : writer.whole()
}

function isCostly(markdown: string): boolean {
  let signs = 0
  for (let at = 0; at < markdown.length; ) {
    const newline = markdown.indexOf('\n', at)
    const end = newline < 0 ? markdown.length : newline
    // The parser reads each cell of a table separately.
    if (end === at || markdown[at] === '|') signs = 0
    NESTED.lastIndex = at
    if (NESTED.test(markdown)) return true
    for (let n = at; n < end; n++) {
      if (!SIGN.has(markdown.charCodeAt(n))) continue
      if (markdown[n] === '|') signs = 0
      else if (++signs > SIGNS) return true
    }
    at = end + 1
  }
  return false
}

/** Lists within lists on one line, deeper than in any real text. A rule of many dashes is not a list. */
const NESTED = /(?:[ \t]*(?:[-+*]|\d{1,9}[.)])(?=[ \t])){50}(?![-* \t]*$)/my

const SIGN = new Set(Array.from('[]*_`~!<|', (sign) => sign.charCodeAt(0)))

class Writer {
  readonly #text: string
  readonly #marks: readonly Mark[]
  readonly #placeOf: (anchor: string) => string | null
  /** Anchors of marks and headings that were already written. */
  readonly #written = new Set<string>()
  /** The first mark that does not end before the text that is being written. */
  #next = 0

  constructor(text: string, { offset = 0, marks = [], placeOf = () => null }: TextOptions) {
    this.#text = text
    this.#placeOf = placeOf
    this.#marks = flat(
      marks.map((mark) => ({ ...mark, from: mark.from - offset, to: mark.to - offset })),
      text.length,
    )
  }

  whole(): Html {
    return this.#children(reader.parse(this.#text).topNode, 0)
  }

  /** The paragraphs as Markdown source. */
  plainly(): Html {
    const parts: Html[] = []
    for (let at = 0; at < this.#text.length; ) {
      const gap = this.#text.indexOf('\n\n', at)
      const end = gap < 0 ? this.#text.length : gap
      if (end > at) parts.push(html`<p class="typed">${this.#run(at, end)}</p>\n`)
      at = end + 2
    }
    return joined(parts)
  }

  #children(node: SyntaxNode, depth: number): Html {
    const parts: Html[] = []
    for (let child = node.firstChild; child; child = child.nextSibling) parts.push(this.#block(child, depth + 1))
    return joined(parts)
  }

  /** Branches: each is a kind of block. */
  #block(node: SyntaxNode, depth: number): Html {
    const { name } = node
    const level = /^ATXHeading([1-6])$/.exec(name)?.[1]
    if (level !== undefined) return this.#heading(node, Number(level))
    if (depth > DEPTH) return html`<p class="typed">${this.#run(node.from, node.to)}</p>\n`
    switch (name) {
      case 'Paragraph':
        return html`<p>${this.#inline(node, depth)}</p>\n`
      case 'BulletList':
        return html`<ul>${this.#items(node, depth)}</ul>\n`
      case 'OrderedList':
        return html`<ol start="${this.#first(node)}">${this.#items(node, depth)}</ol>\n`
      case 'Table':
        return this.#table(node, depth)
      case 'FencedCode':
        return html`<pre tabindex="0">${this.#code(node)}</pre>\n`
      case 'HorizontalRule':
        return html`<hr>\n`
      case 'ListMark':
        return joined([])
      default:
        return html`<p>${this.#inline(node, depth)}</p>\n`
    }
  }

  /** Headings of the text are at lower levels than the heading of the page. */
  #heading(node: SyntaxNode, level: number): Html {
    const sign = node.firstChild?.to ?? node.from
    const blanks = /^[ \t]*/.exec(this.#text.slice(sign, node.to))![0].length
    const words = this.#between(node, sign + blanks, node.to, 0)
    const anchor = `t-${anchorOf(this.#text.slice(node.from, node.to).replace(/^#+ */, '').slice(0, 200))}`
    const isFirst = !this.#written.has(anchor)
    this.#written.add(anchor)
    const id = isFirst && html` id="${anchor}"`
    if (level <= 1) return html`<h2${id}>${words}</h2>\n`
    if (level === 2) return html`<h3${id}>${words}</h3>\n`
    return level === 3 ? html`<h4${id}>${words}</h4>\n` : html`<h5${id}>${words}</h5>\n`
  }

  #items(list: SyntaxNode, depth: number): Html[] {
    const items: Html[] = []
    for (let item = list.firstChild; item; item = item.nextSibling) {
      const parts: Html[] = []
      for (let child = item.firstChild; child; child = child.nextSibling) {
        if (child.name === 'ListMark') continue
        // The text of a list item is written without the tag of a paragraph.
        parts.push(child.name === 'Paragraph' ? this.#inline(child, depth + 1) : this.#block(child, depth + 2))
      }
      items.push(html`<li>${parts}</li>\n`)
    }
    return items
  }

  #first(list: SyntaxNode): string {
    const mark = list.firstChild?.firstChild
    return mark ? (/^\d+/.exec(this.#text.slice(mark.from, mark.to))?.[0] ?? '1') : '1'
  }

  #table(table: SyntaxNode, depth: number): Html {
    const rows: Html[] = []
    let head: Html | null = null
    let right: boolean[] = []
    const line = (row: SyntaxNode, tag: 'th' | 'td') => {
      const cells = this.#cells(row, depth)
      const each = (cell: Html, n: number) =>
        tag === 'th'
          ? html`<th scope="col"${right[n] && html` class="number"`}>${cell}</th>`
          : html`<td${right[n] && html` class="number"`}>${cell}</td>`
      return cells.some(({ text }) => text !== '') ? html`<tr>${cells.map(each)}</tr>\n` : null
    }
    const delimiter = table.getChild('TableDelimiter')
    if (delimiter) {
      const given = this.#text.slice(delimiter.from, delimiter.to).replace(/^\s*\||\|\s*$/g, '')
      right = given.split('|').map((each) => each.trim().endsWith(':'))
    }
    for (let child = table.firstChild; child; child = child.nextSibling) {
      if (child.name === 'TableHeader') head = line(child, 'th')
      else if (child.name === 'TableRow') rows.push(line(child, 'td') ?? html``)
    }
    return html`<div class="wide" tabindex="0"><table>${head && html`<thead>${head}</thead>\n`}<tbody>
${rows}</tbody></table></div>\n`
  }

  /** An empty cell has no node, only the signs around it. */
  #cells(row: SyntaxNode, depth: number): Html[] {
    const cells: Html[] = []
    let cell: Html | null = null
    for (let child = row.firstChild; child; child = child.nextSibling) {
      if (child.name === 'TableCell') cell = this.#inline(child, depth)
      else if (child.name === 'TableDelimiter') {
        if (child.from > row.from) cells.push(cell ?? html``)
        cell = null
      }
    }
    if (cell) cells.push(cell)
    return cells
  }

  #code(node: SyntaxNode): Html {
    const parts = node.getChildren('CodeText').map(({ from, to }) => this.#run(from, to))
    return html`<code>${parts}</code>`
  }

  #inline(node: SyntaxNode, depth: number): Html {
    const parts: Html[] = []
    let { from } = node
    for (let child = node.firstChild; child; child = child.nextSibling) {
      parts.push(this.#run(from, child.from))
      parts.push(depth > DEPTH ? this.#run(child.from, child.to) : this.#word(child, depth + 1))
      from = child.to
    }
    parts.push(this.#run(from, node.to))
    return joined(parts.filter(({ text }) => text !== ''))
  }

  /** Branches: each is a kind of sign within a line. */
  #word(node: SyntaxNode, depth: number): Html {
    switch (node.name) {
      case 'Emphasis':
        return html`<em>${this.#inline(node, depth)}</em>`
      case 'StrongEmphasis':
        return html`<strong>${this.#inline(node, depth)}</strong>`
      case 'Strikethrough':
        return html`<s>${this.#inline(node, depth)}</s>`
      case 'InlineCode':
        return html`<code>${this.#inline(node, depth)}</code>`
      case 'Link':
        return this.#link(node, depth)
      case 'Image':
        return this.#picture(node)
      case 'Escape':
        return this.#run(node.from + 1, node.to)
      case 'Entity':
        return this.#marked(node.from, node.to, decodeHTML(this.#text.slice(node.from, node.to)))
      case 'HardBreak':
        return html`<br>\n`
      case 'HeaderMark':
      case 'EmphasisMark':
      case 'StrikethroughMark':
      case 'CodeMark':
      case 'LinkMark':
        return joined([])
      default:
        return this.#run(node.from, node.to)
    }
  }

  #link(node: SyntaxNode, depth: number): Html {
    const url = node.getChild('URL')
    const marks = node.getChildren('LinkMark')
    // `[words]` without an address is plain text.
    if (!url || marks.length < 2) return this.#run(node.from, node.to)
    const label = this.#between(node, marks[0]!.to, marks[1]!.from, depth)
    const href = this.#text.slice(url.from, url.to)
    if (href.startsWith('#')) {
      const place = this.#placeOf(anchorOf(href.slice(1)))
      return place === null ? label : html`<a href="${place}">${label}</a>`
    }
    if (!/^(https?:\/\/[^/]|mailto:[^:])/i.test(href)) return label
    return html`<a href="${href}" rel="noopener noreferrer nofollow">${label}</a>`
  }

  #between(node: SyntaxNode, from: number, to: number, depth: number): Html {
    const parts: Html[] = []
    let at = from
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child.from < from || child.to > to) continue
      parts.push(
        this.#run(at, child.from),
        depth > DEPTH ? this.#run(child.from, child.to) : this.#word(child, depth + 1),
      )
      at = child.to
    }
    return joined([...parts, this.#run(at, to)])
  }

  /** No picture is fetched: its description is shown instead. */
  #picture(node: SyntaxNode): Html {
    const marks = node.getChildren('LinkMark')
    if (!node.getChild('URL') || marks.length < 2) return this.#run(node.from, node.to)
    const alt = this.#text.slice(marks[0]!.to, marks[1]!.from).replace(/\\(?=[!-/:-@[-`{-~])/g, '')
    return html`<span class="picture">Picture: ${decodeHTML(alt)}</span>`
  }

  #run(from: number, to: number): Html {
    return this.#marked(from, to, null)
  }

  /**
   * Writes text with its marks. A part of the source that represents other text, such as `&amp;`, is marked as a whole.
   */
  #marked(from: number, to: number, instead: string | null): Html {
    if (from >= to) return joined([])
    while (this.#next < this.#marks.length && this.#marks[this.#next]!.to <= from) this.#next++
    const parts: (Html | string)[] = []
    let at = from
    for (let n = this.#next; n < this.#marks.length && this.#marks[n]!.from < to; n++) {
      const mark = this.#marks[n]!
      const [begin, end] = [Math.max(mark.from, at), Math.min(mark.to, to)]
      if (begin >= end) continue
      if (instead !== null) return this.#mark(mark, instead)
      parts.push(this.#text.slice(at, begin), this.#mark(mark, this.#text.slice(begin, end)))
      at = end
    }
    return joined([...parts, instead ?? this.#text.slice(at, to)])
  }

  #mark({ id, kind }: Mark, text: string): Html {
    const isFirst = id !== undefined && !this.#written.has(id)
    if (isFirst) this.#written.add(id)
    return html`<mark class="${kind}"${isFirst && html` id="${id}"`}>${text}</mark>`
  }
}

/** Kinds of marks, the most important first. */
const RANK = ['here', 'found', 'fact'] as const

/**
 * Returns marks that are within the text and do not overlap, in the order of the text. Where marks overlap, the most
 * important one remains.
 */
function flat(marks: readonly Mark[], length: number): Mark[] {
  const taken: Mark[] = []
  const byRank = [...marks].sort((a, b) => RANK.indexOf(a.kind) - RANK.indexOf(b.kind) || a.from - b.from)
  for (const mark of byRank) {
    let from = Math.max(mark.from, 0)
    const to = Math.min(mark.to, length)
    const pieces: Mark[] = []
    for (const other of taken) {
      if (other.to <= from || other.from >= to) continue
      if (other.from > from) pieces.push({ ...mark, from, to: other.from })
      from = other.to
    }
    if (from < to) pieces.push({ ...mark, from, to })
    taken.push(...pieces)
    taken.sort((a, b) => a.from - b.from)
  }
  return taken
}
