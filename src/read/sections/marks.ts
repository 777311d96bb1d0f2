/** Finds the headings that begin or end the sections of a document whose sections only headings identify. */
import type { Markdown } from '../made-markdown.ts'
import { numeralOf } from '../prose/numerals.ts'
import { type Line, linesOf, SIGNATURES } from './lines.ts'
import type { Titled } from './titles.ts'

/** Longest heading. */
const HEADING_MAX = 120
/** Longest title that is broken over several headings. */
const BROKEN_MAX = 240
/** Level of a title that is only bold, below all levels of headings. */
export const BOLD = 7
/** Headings of papers that are bound with the document. */
const ANNEX = /^(?:annex|appendix|exhibit)\s(?:[A-Z]|\d{1,2}|[IVX]{1,4})(?:[-.:\s]|$)/i
/** Matches a further line of a title that is broken over several headings: "OF FINANCIAL CONDITION AND RESULTS". */
const REST = /^(?:of|and|for|to)\b/i

export interface TitleMark {
  /** Null for a heading that ends the section above, but begins none. */
  id: string | null
  line: Line
  /** The heading; all lines of it if it is broken over several headings. */
  name: string
  level: number
  /** The title that the heading matches; null for a heading that matches none of the titles. */
  title: Titled | null
  /** Whether the title has a number, as a proposal has. */
  isNumbered: boolean
}

type Match = Pick<TitleMark, 'id' | 'title' | 'isNumbered'>

const OTHER: Match = { id: null, title: null, isNumbered: false }

/** Returns the titles, and the other headings, in the order of the text. Any section ends at each of `covers`. */
export function marksOf(markdown: Markdown, titles: readonly Titled[], covers: readonly number[]): TitleMark[] {
  const levels = new Map(markdown.headings.map(({ start, level }) => [start, level]))
  const marks = new Marks(markdown.text, titles, new Set(covers))
  for (const line of linesOf(markdown)) marks.add(line, levels.get(line.start) ?? BOLD)
  return marks.found
}

class Marks {
  readonly found: TitleMark[] = []
  readonly #text: string
  readonly #titles: readonly Titled[]
  readonly #covers: ReadonlySet<number>
  /** The last title, until another heading follows. */
  #open: Titled | null = null
  /** The highest level of a title so far in this prospectus: that of its chapters. */
  #chapters = BOLD

  constructor(text: string, titles: readonly Titled[], covers: ReadonlySet<number>) {
    this.#text = text
    this.#titles = titles
    this.#covers = covers
  }

  add(line: Line, level: number): void {
    if (this.#covers.has(line.start)) {
      this.#chapters = BOLD
      this.#push(line, 1, OTHER)
      return
    }
    const isShort = !line.isRow && !line.isLink && line.plain.length <= HEADING_MAX
    if ((line.isHeading || line.isBold) && this.#open?.continues?.test(nameOf(line.plain))) return
    if (isShort && (this.#names(line) || this.#begins(line, level))) return
    if (isShort && (SIGNATURES.test(line.plain) || (line.isHeading && ANNEX.test(line.plain))))
      this.#push(line, 1, OTHER)
    else if (level < BOLD || (isShort && isAlone(line, this.#text))) {
      this.#push(line, level, OTHER)
      this.#open = null
    }
  }

  /** Whether the line is a title, or goes on with one. */
  #begins(line: Line, level: number): boolean {
    if (!line.isHeading && !line.isBold) return false
    if (this.#goesOn(line, level)) return true
    const known = titleOf(line.plain, this.#titles)
    if (!known || (known.title?.isApart && level > this.#chapters)) return false
    this.#push(line, level, known)
    this.#open = known.title
    return true
  }

  #push(line: Line, level: number, match: Match): void {
    this.found.push({ ...match, line, name: line.plain, level })
    if (match.title) this.#chapters = Math.min(this.#chapters, level)
  }

  /** Returns the heading that the line follows directly; null if text is between them. */
  #above(line: Line): TitleMark | null {
    const last = this.found.at(-1)
    return last && this.#text.slice(last.line.next, line.start).trim() === '' ? last : null
  }

  /** Whether the line goes on with the title above it. If only all lines together are a title, that title begins. */
  #goesOn(line: Line, level: number): boolean {
    const above = REST.test(line.plain) ? this.#above(line) : null
    if (!above || above.level !== level) return false
    const name = `${above.name} ${line.plain}`
    if (name.length > BROKEN_MAX) return false
    const match = above.title ? above : titleOf(name, this.#titles)
    if (!match) return false
    this.found.pop()
    this.#push({ ...above.line, next: line.next }, level, match)
    this.found.at(-1)!.name = name
    this.#open = match.title
    return true
  }

  /** Whether the line only names the heading above it: "(Proposal No. 2)". The section begins at that heading. */
  #names(line: Line): boolean {
    const title = this.#titles.find(({ below }) => below?.test(line.plain))
    const above = title ? this.#above(line) : null
    if (!title || !above || above.isNumbered) return false
    const match = titleOf(line.plain.replace(/^\(|\)$/g, ''), [title])
    if (!match) return false
    this.found.pop()
    this.found.push({ ...above, ...match }, ...(above.title ? [above] : []))
    return true
  }
}

/**
 * Whether a line is both in capitals and entirely bold: such a line ends the section of a title that is set in the same
 * way.
 */
const isAlone = ({ start, next, plain, isBold }: Line, text: string): boolean =>
  isBold && isCapital(plain) && /^\*\*[^*]+\*\*$/.test(text.slice(start, next).trim())

export const isCapital = (plain: string) => /\p{Lu}{4}/u.test(plain) && !/\p{Ll}/u.test(plain)

/** Returns the text of a heading in the form that the patterns of titles match. */
const nameOf = (plain: string) =>
  plain
    .replace(/^\d{1,2}\.\s*/, '')
    .replace(/(?<![.:])[.:]+$/, '')
    .replaceAll('’', "'")

function titleOf(plain: string, titles: readonly Titled[]): Match | null {
  const name = nameOf(plain)
  for (const title of titles) {
    const match = title.title.exec(name)
    if (!match) continue
    const number = match.groups?.number
    if (number === undefined) return { id: title.id, title, isNumbered: false }
    return { id: `${title.id}-${numeral(number.toLowerCase())}`, title, isNumbered: true }
  }
  return null
}

function numeral(number: string): string {
  const known = numeralOf(number)
  return known > 0 ? String(known) : number
}
