/**
 * Reads lists of proposals that are not lines with "1." or "(1)": lists within one paragraph, and lines with other
 * marks, bullets or no marks.
 */
import { NUMBER_WORDS, ORDINALS, ROMANS } from '../../../read/prose/numerals.ts'
import type { Proposal } from '../fact.ts'
import type { Paragraph } from '../prose.ts'
import { cellsOf } from '../recommendations/votes.ts'
import { PROPOSALS_MAX } from './numbers.ts'
import { withoutOther } from './other-business.ts'

/** Matches words before a list which show that the list is a list of proposals. */
const BEFORE_LIST =
  /\b(?:(?:following|these)\s{1,3}(?:purposes?|matters?|proposals?|items?|business|actions?|resolutions?)|(?:purposes?|matters?|proposals?|items?)\s{1,3}(?:(?:listed|described|set\s{1,3}forth|stated|shown|outlined|identified)\s{1,3})?below|matters\s{1,3}to\s{1,3}be\s{1,3}(?:vot|act|consider)ed|business\s{1,3}(?:of\s{1,3}the\s{1,3}meeting|to\s{1,3}be\s{1,3}(?:conduct|transact)ed)|voting\s{1,3}(?:items|matters|proposals)|you\s{1,3}(?:are|will\s{1,3}be)\s{1,3}voting|(?:stock|share)holders\s{1,3}(?:(?:will|to)(?=:?\s{0,3}$))|items\s{1,3}of\s{1,3}business|agenda(?!\s{1,3}(?:of|for)\s{1,3}(?:(?:the|each|its|our)\s{1,3})?(?:[\w-]{1,20}\s{1,3}){0,3}(?:committees?|boards?)\b)|purposes?\s{1,3}of|(?:consider|act|vote)\s{1,3}(?:and\s{1,3}(?:act|vote)\s{1,3})?(?:up)?on|(?:be|being|are)\s{1,3}asked(?:\s{1,3}to)?|\b(?:held|called|convened)\s{1,3}(?:in\s{1,3}order\s{1,3})?to)\b[^.]{0,400}$/i
const BEFORE_LOOK = 500
/**
 * Matches a line or cell that is only the name of the list: "Proposals:", "ITEMS OF BUSINESS", "Matters to be voted on
 * at the meeting". "Business" alone is also the name of a section about the company.
 */
const NAME_OF_LIST =
  /^\W{0,4}(?:(?:the|annual|special|meeting)\s{1,3}){0,3}(?:proposals|agenda|matters|items(?:\s{1,3}of\s{1,3}business)?)(?:\s{1,3}are|\s{1,3}(?:to\s{1,3}be\s{1,3}(?:voted|acted)\s{1,3}(?:up)?on|for\s{1,3}(?:a\s{1,3})?vote)(?:\s{1,3}at\s{1,3}(?:the|our)\s{1,3}(?:(?:annual|special)\s{1,3})?meeting)?)?[\s:]{0,4}$/i
const NAME_MAX = 80

/** Tests whether a line or cell has only the name of a list of proposals. */
export const isNameOfList = (text: string) => text.length <= NAME_MAX && NAME_OF_LIST.test(text)

/** Tests whether the text ends with words that introduce a list of proposals. */
export const introduces = (text: string) => BEFORE_LIST.test(text.slice(-BEFORE_LOOK)) || isNameOfList(text)

/** Builds one proposal of a list. Returns null if the words request nothing on which a meeting can vote. */
export type Builder = (paragraph: Paragraph, number: number, from: number, to: number) => Proposal | null

interface Part {
  paragraph: Paragraph
  from: number
  to: number
  text: string
}

const ROMAN = ROMANS.slice(0, 12)
/** Returns a character class of the circled forms of a number: ①, ❶, ➀, ➊. */
const circled = (n: number) =>
  `[${[0x2460, ...(n <= 10 ? [0x2776, 0x2780, 0x278a] : [])].map((first) => String.fromCodePoint(first + ((n - 1) % 20))).join('')}]`
const letterOf = (n: number) => String.fromCharCode(96 + n)
/** Patterns of the mark of the n-th point: one pattern for each style of marks. */
const STYLES: readonly ((n: number) => string)[] = [
  (n) => `\\(${n}\\.?\\)`,
  (n) => `(?<![\\d$(.])${n}\\s?(?:\\.\\)|[.)])(?=\\s)`,
  (n) => `\\(${ROMAN[n - 1] ?? '-'}\\)`,
  (n) => `\\(${letterOf(n)}\\)`,
  (n) => `(?<![\\p{L}\\d.])${letterOf(n)}\\s?[.)](?=\\s)`,
  (n) => `(?<![\\p{L}\\d.])(?:${ROMAN[n - 1] ?? '-'})\\s?[.)](?=\\s)`,
  (n) => `\\[${n}\\]`,
  (n) => `(?<![\\p{L}\\d])#?${n}\\s{0,2}[:–—-](?=\\s)|(?<![\\p{L}\\d])#${n}(?=\\s)`,
  (n) =>
    `(?<![\\p{L}])(?:proposal|item)\\s{1,3}(?:no\\.?\\s{0,3}|number\\s{1,3})?(?:${n}|${WORDS[n - 1] ?? '-'})\\s?[.:–—-]`,
  (n) => `(?<![\\p{L}])${WORDS[n - 1] ?? '-'}\\s?[.:)–—-](?=\\s)`,
  (n) => `(?<![\\p{L}\\d])${n}(?:st|nd|rd|th)[.,:)]{0,2}(?=\\s)`,
  (n) => `(?<![^\\n])no\\.\\s{0,3}${n}(?!\\d)\\s?[.:)–—-]?(?=\\s)`,
  // Matches a number without a sign at the beginning of a line. "#1" is one too, since a blank replaces "#".
  (n) => `(?<![^\\n])\\s{0,3}${n}(?=\\s{1,6}\\p{L})`,
  (n) => `(?<![^\\n])\\s{0,3}${circled(n)}`,
  // Matches "First," and "second," in "First, to elect …; second, to ratify …".
  (n) => `(?<![\\p{L}])${ORDINALS[n - 1] ?? '-'}[,:]?(?=\\s)`,
]
const WORDS = NUMBER_WORDS.slice(0, 12)
/** The compiled patterns, by style and then by number. */
const MARKS = STYLES.map((style) => Array.from({ length: 24 }, (_, i) => new RegExp(style(i + 1), 'giu')))

/** Matches the beginning of a point without a mark. */
const ASKS =
  /^\W{0,4}(?:to\s{1,3}(?:consider|elect|ratify|approve|adopt|amend|vote|act|authori[sz]e|hold|conduct|transact|re-?elect|appoint|confirm|set|fix|change|effect|adjourn|increase|receive|grant)|(?:an?\s{1,3})?(?:advisory|non-?binding|proposal|vote|resolution)\b|(?:the\s{1,3})?(?:re-?election|election|ratification|approval|adoption|amendment|authorization|appointment|transaction)\s{1,3}(?:of|to)|consider(?:ation|ing)?\b|elect(?:ing)?\b|hold\s{1,3}an?\s{1,3}(?:non-?binding\s{1,3})?(?:advisory\s{1,3})?vote\b|ratify(?:ing)?\b|approv(?:e|ing)\b|vot(?:e|ing)\b|such\s{1,3}other|any\s{1,3}other)/i
const BULLET = /^\s{0,3}(?:--|[-*•·▪●◦–—►■□✓✔➢❖‣○◆»→]|&#8226;|o(?=\s{1,6}(?:[A-Z]|to\s)))\s{1,6}/
/** Matches the first sentence of the last point. Later sentences concern something else. */
const SENTENCE = /^.{8,900}?[\p{L}\d)”"]{2}\.(?=\s{1,3}[“"]?\p{Lu})/su

/**
 * Searches the front of a statement. Returns the longest list in which every point is a request to the holders. Points
 * without marks count only if no list with marks was found.
 */
export function enumeratedIn(front: readonly Paragraph[], build: Builder): Proposal[] {
  const marked = longestOf(front, build, (paragraph, at, introduced) => [
    inlineParts(paragraph, introduced),
    introduced ? lineParts(linesFrom(front, at)) : [],
    lineParts(belowFirst(linesOf(paragraph))),
  ])
  return marked.length > 0 ? marked : longestOf(front, build, (one, _, introduced) => [unmarkedParts(one, introduced)])
}

function longestOf(
  front: readonly Paragraph[],
  build: Builder,
  listsAt: (paragraph: Paragraph, at: number, introduced: boolean) => readonly (readonly Part[])[],
): Proposal[] {
  let longest: Proposal[] = []
  for (const [at, paragraph] of front.entries()) {
    const introduced = front.slice(Math.max(0, at - 2), at).some(({ text }) => introduces(text.trimEnd()))
    for (const parts of listsAt(paragraph, at, introduced)) {
      const requests = requestsOf(parts)
      if (requests.length <= longest.length || parts.length < 2) continue
      const list = requests.flatMap((part, i) => build(part.paragraph, i + 1, part.from, part.to) ?? [])
      if (list.length === requests.length) longest = list
    }
  }
  return longest
}

/** Removes "other business" from the end of a list, where it is a separate point, or a part of the last point. */
function requestsOf(parts: readonly Part[]): readonly Part[] {
  const last = parts.at(-1)
  if (!last) return parts
  const own = last.paragraph.text.slice(last.from, last.to)
  const length = withoutOther(own)
  return [...parts.slice(0, -1), ...(length === 0 ? [] : [partOf(last.paragraph, last.from, last.from + length)])]
}

/** Returns the points of a list within one paragraph: "(1) To elect …; (2) to ratify …". */
function inlineParts(paragraph: Paragraph, introduced: boolean): Part[] {
  const { text } = paragraph
  if (text.startsWith('|')) return cellParts(paragraph)
  let best: Part[] = []
  for (const marks of MARKS) {
    const places: { from: number; to: number }[] = []
    for (const mark of marks) {
      mark.lastIndex = places.at(-1)?.to ?? 0
      const found = mark.exec(text)
      if (!found) break
      places.push({ from: found.index, to: found.index + found[0].length })
    }
    const [first] = places
    if (!first || places.length < 2 || places.length <= best.length || places.length > PROPOSALS_MAX) continue
    const head = text.slice(0, first.from)
    if (!(introduces(head.trimEnd()) || (introduced && /^\W*$/.test(head)))) continue
    best = places.map(({ to: from }, i) => {
      const stop = places[i + 1]?.from ?? lastStop(text, from)
      return partOf(paragraph, from, stop)
    })
  }
  return best
}

/** Returns the points of a row that has only the name of the list and the list: "| Proposals: | (1) To elect …; |". */
function cellParts({ start, text }: Paragraph): Part[] {
  const [name = '', words = '', ...others] = cellsOf(text).filter((cell) => cell !== '')
  if (others.length > 0 || words === '' || !isNameOfList(name)) return []
  const from = start + text.lastIndexOf(words)
  return inlineParts({ start: from, end: from + words.length, text: words }, true)
}

const REQUEST =
  /\bto\s{1,3}(?:consider|elect(?!\s{1,3}to\b)|re-?elect|ratify|approve|adopt|amend|vote|act|authori[sz]e|transact|confirm|increase|change)\b/gi
/**
 * Matches words that can begin a point, but can also continue a point or a sentence: "to approve the merger, and to
 * authorize the officers".
 */
const CONTINUES = /^to\s{1,3}(?:vote|authori[sz]e|change)\b/i
/**
 * Matches the first of several aims that one proposal may have: "a proposal to adopt …", "an amendment to increase …".
 */
const AIM =
  /\b(?:(?:proposal|resolution)s?\s{1,3}to|(?:amend|amendments?)\b[^;]{0,200}\bto\s{1,3}(?:increase|decrease|reduce|change|adopt|effect|authori[sz]e|provide|permit|allow|eliminate|remove|add))\b[^;]{0,400},\s{0,3}(?:and\s{0,3})?$/i

/**
 * Matches the words before the first request in a sentence about the meeting: "the meeting will be held on May 14, 2026
 * at 10:00 a.m.,".
 */
const HELD = /\bmeeting\b[^.;]{0,200}\b(?:held|called|convened)\b(?:[^.;ap]|[ap](?!\.m)|[ap]\.m\.?){0,200}$/i

/** Returns the points of a list without marks within one paragraph: "to elect …; to ratify …, and to approve …". */
function unmarkedParts(paragraph: Paragraph, introduced: boolean): Part[] {
  const { text } = paragraph
  if (text.startsWith('|')) return []
  const places: number[] = []
  for (const { index } of text.matchAll(REQUEST)) {
    const before = text.slice(Math.max(0, index - BEFORE_LOOK), index)
    const isFirst = (introduced && /^\W*$/.test(before)) || introduces(`${before}to`) || HELD.test(before)
    const isFurther = /[;,]\s{1,3}(?:and\s{1,3})?$/.test(before) && !CONTINUES.test(text.slice(index, index + 20))
    if (places.length === 0 ? isFirst : isFurther) places.push(index)
  }
  if (places.length < 2 || places.length > PROPOSALS_MAX) return []
  const end = lastStop(text, places.at(-1)!)
  // Requests of different sentences are not points of one list.
  if (/[\p{L}\d)”"]{2}\.\s{1,3}["“]?\p{Lu}/u.test(text.slice(places[0]!, end - 1))) return []
  const parts = places.map((from, i) => partOf(paragraph, from, places[i + 1] ?? end))
  // The words after the first aim of a proposal may be its second aim. Then the parts may not be separate proposals, so
  // none is returned.
  return parts.slice(0, -1).some((part) => AIM.test(part.text)) ? [] : parts
}

const lastStop = (text: string, from: number) =>
  from + (SENTENCE.exec(text.slice(from))?.[0].length ?? text.length - from)

const partOf = (paragraph: Paragraph, from: number, to: number): Part => ({
  paragraph,
  from,
  to,
  text: paragraph.text.slice(from, to).trim(),
})

const linesFrom = (front: readonly Paragraph[], at: number) => front.slice(at, at + PROPOSALS_MAX).flatMap(linesOf)

/** Returns the lines of a paragraph below the line that introduces a list: line breaks may separate the points. */
function belowFirst(lines: readonly Part[]): readonly Part[] {
  const at = lines.findIndex(({ text }) => introduces(text.trimEnd()))
  return at < 0 ? [] : lines.slice(at + 1)
}

/**
 * Returns the longest list of consecutive lines that all begin with the next mark of one style, with a bullet, or with
 * words of a proposal.
 */
function lineParts(lines: readonly Part[]): Part[] {
  if (lines.length < 2) return []
  const lettered = STYLES.flatMap((_, style) => {
    const parts = lettersOf(lines, MARKS[style]!)
    return parts.length > 1 ? [parts] : []
  })
  const bullets = whileOf(lines, ({ text }) => BULLET.exec(text)?.[0].length ?? null)
  const plain = whileOf(lines, ({ text }) => (BULLET.test(text) ? null : 0))
  const all = [...lettered, bullets, plain.every(({ text }) => ASKS.test(text)) ? plain : []]
  return all.reduce((most, each) => (each.length > most.length ? each : most))
}

/**
 * Reads a row of a table that has a mark and words, or only words. The span of the part ends with the words, and is as
 * long as the text of the part (the mark, a blank and the words). So an offset in the text also fits the span.
 */
function rowsOf(paragraph: Paragraph): Part[] {
  const cells = cellsOf(paragraph.text).filter((cell) => cell !== '')
  const words = cells.at(-1) ?? ''
  if (cells.length === 0 || cells.length > 2 || (cells.length === 2 && cells[0]!.length > 20)) return []
  const start = paragraph.text.lastIndexOf(words)
  const text = cells.join(' ')
  const from = start - (text.length - words.length)
  return start < 0 || from < 0 ? [] : [{ paragraph, from, to: start + words.length, text }]
}

const linesOf = (paragraph: Paragraph): Part[] =>
  paragraph.text.startsWith('|')
    ? rowsOf(paragraph)
    : [...paragraph.text.matchAll(/[^\n]+/g)].flatMap(({ 0: line, index }) =>
        line.trim() === '' ? [] : [{ ...partOf(paragraph, index, index + line.length), text: line }],
      )

function lettersOf(lines: readonly Part[], marks: readonly RegExp[]): Part[] {
  const parts: Part[] = []
  for (const line of lines) {
    const mark = marks[parts.length]
    if (!mark) break
    mark.lastIndex = 0
    const found = mark.exec(line.text)
    if (!found || !/^\W*$/.test(line.text.slice(0, found.index))) break
    parts.push(partOf(line.paragraph, line.from + found.index + found[0].length, line.to))
  }
  return parts.length < 2 ? parts : withNext(parts, marks)
}

/** Matches the end of a point before the next one: "; and". */
const BEFORE_NEXT = /[;,]\s{1,3}(?:and\s{1,3})?$/i

/** Splits the last point if it has the next points too, as in texts without blank lines between points. */
function withNext(given: readonly Part[], marks: readonly RegExp[]): Part[] {
  const parts = [...given]
  for (let mark = marks[parts.length]; mark !== undefined; mark = marks[parts.length]) {
    const { paragraph, from, to } = parts.at(-1)!
    const text = paragraph.text.slice(from, to)
    mark.lastIndex = 0
    const found = mark.exec(text)
    if (!found || !BEFORE_NEXT.test(text.slice(0, found.index).slice(-20))) break
    parts.splice(
      -1,
      1,
      partOf(paragraph, from, from + found.index),
      partOf(paragraph, from + found.index + found[0].length, to),
    )
  }
  return parts
}

/** Returns the parts of consecutive lines, up to the first line that is not a point. */
function whileOf(lines: readonly Part[], lengthOf: (line: Part) => number | null): Part[] {
  const parts: Part[] = []
  for (const line of lines) {
    const length = lengthOf(line)
    const part = length === null ? null : partOf(line.paragraph, line.from + length, line.to)
    if (!part || !ASKS.test(part.text)) break
    parts.push(part)
    // A full stop ends the list if the first point does not end with a full stop.
    if (/\.\s*$/.test(part.text) && parts.length > 1 && !/\.\s*$/.test(parts[0]!.text)) break
  }
  return parts
}
