/**
 * Writes a paragraph's text as Markdown: escapes characters that have a meaning in Markdown, and marks emphasis, links
 * and images.
 */
import { IMAGE, type Image, type Paragraph } from './block.ts'
import { type Mark, marksOf } from './marks.ts'

/** The position of a text (a heading, a cell, …). It decides which characters have a meaning in Markdown. */
export type Place = 'text' | 'heading' | 'cell'

const SPECIAL = /[\\`*_~<&[\]|!\ufffc\n]|^[#>=+\-:\d]|#$/
const SPECIALS = /_+|[\\`*~<&[\]|!\ufffc\n]/g
/** Characters that have a meaning in Markdown at the start of a line. */
const LINE = /^(?:#{1,6}(?=\s|$)|[>|[=]|[-+](?=\s|$)|-[-\s]|:-)/
const NUMBERED = /^\d{1,9}(?=[.)](?:\s|$))/
const ENTITY = /&(?:#\w{1,10}|[a-zA-Z]\w{0,40});/y
const BLANK = /\s/
const WORD = /[\p{L}\p{N}]/u
/** Number of characters at the start of a line that are examined. */
const BEGINNING = 16

/** Returns the text with its marks; in a heading or a cell, the text is on one line. */
export function inline(paragraph: Paragraph, place: Place): string {
  const { plain, images } = paragraph
  const marks = marksOf(paragraph, place === 'text')
  if (marks.length === 0 && !SPECIAL.test(plain)) return plain
  return marked(plain, marks, images, place)
}

function marked(plain: string, marks: readonly Mark[], images: readonly Image[], place: Place): string {
  let out = ''
  let kept = 0
  let mark = 0
  let image = 0
  let inLink = false
  const insert = (until: number) => {
    for (; mark < marks.length && marks[mark]!.at <= until; mark++) {
      const { at, put, link } = marks[mark]!
      out += plain.slice(kept, at) + put
      kept = at
      if (link !== undefined) inLink = link
    }
  }
  const beginLine = () => {
    if (place !== 'text' || marks[mark]?.at === kept) return
    const escaped = beginning(plain.slice(kept, kept + BEGINNING))
    out += escaped
    kept += Math.max(escaped.length - 1, 0)
  }
  beginLine()
  SPECIALS.lastIndex = kept
  for (let found = SPECIALS.exec(plain); found !== null; found = SPECIALS.exec(plain)) {
    const at = found.index
    const end = at + found[0].length
    insert(at)
    const opensLink = marks[mark]?.at === end && marks[mark]!.link === true
    const put = plain[at] === IMAGE ? picture(images[image++]) : replacement(plain, at, end, place, inLink, opensLink)
    if (put === null) continue
    out += plain.slice(kept, at) + put
    kept = end
    if (plain[at] === '\n') beginLine()
    SPECIALS.lastIndex = kept
  }
  insert(plain.length)
  out += plain.slice(kept)
  return place === 'heading' ? out.replace(/(?<!#)#+$/, '\\$&') : out
}

/** Returns the escaped start of a line, one character longer than the original; empty if there is nothing to escape. */
function beginning(line: string): string {
  if (LINE.test(line)) return `\\${line[0]}`
  const number = NUMBERED.exec(line)?.[0]
  return number === undefined ? '' : `${number}\\${line[number.length]}`
}

/**
 * Returns the replacement of a character; null if the character needs no escaping. Branches: each is a character with a
 * meaning in Markdown.
 */
function replacement(
  text: string,
  at: number,
  end: number,
  place: Place,
  inLink: boolean,
  opensLink: boolean,
): string | null {
  const next = text[end] ?? ' '
  const before = text[at - 1] ?? ' '
  switch (text[at]) {
    case '_':
      // A row of underscores is a line to write on, and is shortened to three.
      if (end - at > 3) return '\\_\\_\\_'
      return WORD.test(before) && WORD.test(next) ? null : '\\_'.repeat(end - at)
    case '*':
      return at > 0 && BLANK.test(before) && BLANK.test(next) ? null : '\\*'
    case '<':
      return /[a-zA-Z/!?]/.test(next) ? '&lt;' : null
    case '&':
      ENTITY.lastIndex = at
      return ENTITY.test(text) ? '&amp;' : null
    case '[':
      return inLink || next === '^' ? '\\[' : null
    case ']':
      return inLink || /[([:]/.test(next) ? '\\]' : null
    case '!':
      return next === '[' || opensLink ? '\\!' : null
    case '|':
      return place === 'cell' ? '\\|' : null
    case '\n':
      return place === 'text' ? '  \n' : ' '
    default:
      return `\\${text[at]}`
  }
}

function picture(image: Image | undefined): string {
  const { alt = '', name = '' } = image ?? {}
  return `![${alt
    .replace(/[\\[\]<>&`*_|!]/g, '\\$&')
    .replaceAll('\\<', '&lt;')
    .replaceAll('\\&', '&amp;')}](${name})`
}
