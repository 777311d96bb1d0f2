/** Splits the beginning of a press release into lines, each with the heading or text above that applies to the line. */
import { type Sentence, type Span, sentencesOf } from '../../../read/prose/sentences.ts'
import { type Kind, kindsIn, nearestKind } from './spans.ts'

export interface Context {
  /** Text above that applies to this line: a heading, an announcement, or the line before a list. */
  above: string
  /** The span of time with which an earlier sentence of the paragraph begins: "For the nine months, … Revenue was". */
  carried: Kind | null
  /** Whether the line is below a heading on expectations, or on adjusted figures. */
  isOther: boolean
  /** Whether the line is below a heading on a segment. */
  isPart: boolean
  /**
   * Whether the line is below a short heading that names neither a span nor the kind of figures. Such a heading,
   * "Widgets", may name a part of the company.
   */
  isTopic: boolean
}

type SentenceText = Pick<Sentence, 'start' | 'end' | 'text'>

export interface Line extends Span {
  /** Text of the line, with all white space as blanks. */
  text: string
  context: Context
}

const BULLET = /^\|?\s*\\?(?:--?|[*•·▪◦●■–]|\d{1,2}\.|o)\s/
const ANNOUNCES = /\b(?:reports?|reported|announce[sd]?|results|highlights)\b/i
const OF_OTHER =
  /\b(?:guidance|outlook|expects?|expected|forecasts?|anticipates?|estimates?|targets?|non-GAAP|adjusted|pro forma)\b/i
const OF_PART = /\b(?:segments?|divisions?|business units?|subsidiar\w+|by (?:region|product))\b/i
/** Maximum length of a heading. A longer line is text and not a heading. */
const HEADING_MAX = 160

/**
 * Returns text first, then separate lines, then titles, because a title rounds the figures of the text and of lists.
 */
export function linesOf(markdown: string, max: number): Line[] {
  const head = { start: 0, end: Math.min(markdown.length, max) }
  const inText = new Set(sentencesOf(markdown, head).sentences.map(({ start }) => start))
  const sentences = sentencesOf(markdown, head, { headings: true }).sentences.flatMap((one) => pointsOf(one, markdown))
  const ranked: Line[][] = [[], [], []]
  let standing = NOTHING
  let list: Context | null = null
  let paragraph = -1
  let carried: Kind | null = null
  for (const sentence of sentences) {
    const text = plainOf(sentence)
    const line = markdown.slice(markdown.lastIndexOf('\n', sentence.start - 1) + 1, sentence.end)
    const isTitle = line.startsWith('#')
    const isBullet = BULLET.test(line)
    const isHeading = !isBullet && !inText.has(sentence.start) && !line.startsWith('|') && text.length <= HEADING_MAX
    const begins = beginOf(markdown, sentence.start)
    if (begins !== paragraph) carried = null
    paragraph = begins
    if (!isBullet) list = null
    const context = { ...(list ?? standing), carried }
    ranked[isTitle ? 2 : inText.has(sentence.start) ? 0 : 1]!.push({
      start: sentence.start,
      end: sentence.end,
      text,
      context: isHeading || isTitle ? NOTHING : context,
    })
    if (isHeading) standing = { ...under(text, standing), isTopic: isTitle && isTopic(text) }
    else if (/:\s*$/.test(text)) list = introduces(text, context)
    else if (isNarrower(text, standing.above)) standing = { ...standing, above: text }
    carried = openingOf(text) ?? carried
  }
  return ranked.flat()
}

/**
 * Tests whether an announcement, and not the text above it, says which span the lines below it are about. Without text
 * above, the announcement must name a span. If the text names several spans, the announcement must name exactly one.
 */
function isNarrower(text: string, above: string): boolean {
  const kinds = kindsIn(text)
  return ANNOUNCES.test(text) && (above === '' ? kinds.size > 0 : kinds.size === 1 && kindsIn(above).size > 1)
}

const NOTHING: Context = { above: '', carried: null, isOther: false, isPart: false, isTopic: false }

/** Returns the span at the beginning of a sentence: "For the nine months ended", "Q4 operating income was" */
const openingOf = (text: string): Kind | null =>
  nearestKind(text.slice(0, /^(?:For|In|During)\b/.test(text) ? 60 : 25), 0, 0)

/** Splits a list into its points. For lists of figures only: a list of persons is read as one sentence. */
function pointsOf({ start, end, text }: Sentence, markdown: string): SentenceText[] {
  const starts = [start, ...[...markdown.slice(start, end).matchAll(POINT)].map(({ index }) => start + index + 1)]
  return starts.map((from, i) => {
    const to = (starts[i + 1] ?? end + 1) - 1
    return { start: from, end: to, text: starts.length === 1 ? text : text.slice(from - start, to - start) }
  })
}
const POINT = /\n(?=[^\S\n]*[-*•·]\s)/g

/** Removes the bullet of a list. Some bullets are letters that a symbol font displays as symbols. */
const plainOf = ({ text }: SentenceText) =>
  text
    .replace(/\s/g, ' ')
    .replace(/^[^A-Za-z\d$(“"]{1,12}/, '')
    .replace(/^(?:[onlqvwu]|X\|)\s+(?=\S)/, '')

const beginOf = (markdown: string, at: number) =>
  Math.max(markdown.lastIndexOf('\n\n', at), markdown.lastIndexOf('\n- ', at))

function under(heading: string, before: Context): Context {
  const isNews = ANNOUNCES.test(heading)
  const isOther = OF_OTHER.test(heading) && !/(?<!non-)\bGAAP\b/i.test(heading) && !IS_NEWS.test(heading)
  const isPart = OF_PART.test(heading)
  const kinds = kindsIn(heading)
  if (isNews && !/\b(?:results|highlights)\b/i.test(heading))
    return kinds.size > 0 ? { ...NOTHING, above: heading } : before
  if (isOther || isPart || kinds.size > 0)
    return {
      ...NOTHING,
      above: kinds.size > 0 ? heading : before.above,
      isOther: isOther && !/\b(?:reports?|announces?)\b/i.test(heading),
      isPart: isPart && !/\b(?:reports?|announces?)\b/i.test(heading),
    }
  return before
}

/** Matches a title that is news and not a heading of the following text: "ADJUSTED INCOME UP 4%". */
const IS_NEWS = /[%$]|\b(?:up|down|increas\w+|decreas\w+|raises?|grows?|rose|updates?|reaffirms?)\b/i

const isTopic = (heading: string) => heading.split(' ').length <= 4 && !NEUTRAL.test(heading)
const NEUTRAL =
  /\b(?:results?|revenues?|sales|income|earnings|profits?|loss|highlights|summary|overview|quarter\w*|year|months|financial|operating|operations|performance|company|consolidated|total|release|news|contacts?|exhibit|inc|corp|corporation|ltd|llc|plc|GAAP|statements?)\b/i

const introduces = (text: string, before: Context): Context => ({
  ...before,
  above: kindsIn(text).size > 0 ? text : before.above,
  isOther: before.isOther || (OF_OTHER.test(text) && !/\b(?:results|reported|announced)\b/i.test(text)),
})
