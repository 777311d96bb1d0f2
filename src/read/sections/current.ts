/**
 * Finds the items of a current report (8-K): their numbers have had two parts since 2004-08-23, and were 1 to 12
 * before.
 */
import type { Markdown } from '../made-markdown.ts'
import { itemCode } from '../sgml/items.ts'
import { type Line, linesOf, REFERENCE, SIGNATURES, SIGNED, withoutPageLabel } from './lines.ts'
import { confidenceOf, type Section } from './section.ts'

const NUMBER = String.raw`([1-9]\s?[.,:-]\s?\d{2}|\d{1,2})(?![\d.]*\d)\s?((?:\([a-z]\)[\s,]{0,2}){0,6})`
/**
 * Matches the word "Item" with common errors: a stray blank within the word, and characters that look like its first or
 * last letter.
 */
const ITEM = new RegExp(
  String.raw`^["“([•·–—-]{0,2}\s?[il1]\s?t\s?e\s?(?:m|rn)(?:\s?s)?\s?(?:nos?\b\.?\s?|no\.?\s?|numbers?\s|#\s?|[:_–—-]\s?)?${NUMBER}`,
  'i',
)
/** Matches a two-part number without the word "Item". Such a number counts only with the title of its item. */
const BARE = /^(\d\.\d{2})(?!\d)()/
/**
 * Matches further numbers in a heading of several items: "Items 1.01(a) and 5.02(e)", "Item 2.02 and Item 7.01"
 * (0000939057-08-000013).
 */
const MORE = new RegExp(
  String.raw`^\s?(?:,|;|and(?:\/or|\salso)?|[&+]|\/|,\sand|plus|(?:combined |together )?with)\s?(?:items?\s?)?(?:nos?\b\.?\s?)?${NUMBER}`,
  'i',
)
/** Matches a further item with its title: "Results of Operations and Item 7.01. Regulation FD Disclosure". */
const FURTHER = /(?:\sand|[;,/&])\s?items?\s(?:no\.?\s)?([1-9]\.\d{2})[.:)]?\s?[–—-]?\s?(.{0,60})/gi
const SIGN = /^[\s.:)–—-]{0,6}/
/** The last lines of the cover. A heading above them is the title of the page (0001000180-10-000081). */
const COVER = /^\(former name|pre-commencement communications pursuant to rule 13e-4/i
const NOT_APPLICABLE = /^[\s(]*(?:not applicable|none|n\/a|no response|omitted|not required)[\s.)*]*$/i
const CONTENTS = /(?:\.{3}|\s)\s?\d{1,3}$/
/** Longest heading: a longer line is a paragraph with its text in the same line. */
const PARAGRAPH = 280
/** Maximum number of headings and signatures; no document has as many items and references to items. */
const MARKS_MAX = 5_000

/** A title without its number subtracts this from the confidence. */
const ALONE = 0.25
/** Shortest title that counts without its number: a shorter one ("Other Events") may be the heading of anything. */
const TITLE_MIN = 24

interface Heading {
  ids: readonly string[]
  title: string
  line: Line
  isSet: boolean
  isTitled: boolean
  /**
   * Whether the heading is a title without a number. Such a heading counts only if no heading has the number of its
   * item.
   */
  isAlone: boolean
  /** The lines between this heading and the next heading or signature. */
  body: { count: number; first: string }
}

/**
 * Returns the items in the order of the text, which may differ from the form's order. If items share a heading, or
 * their headings follow each other directly, they share the text as well. An item that says only "not applicable" is
 * left out. An item after the signatures is left out too, since exhibits of old filings quote other reports there.
 */
export function currentReportItems(markdown: Markdown): Section[] {
  const { headings, unknown, end } = kept(headingsOf(markdown))
  return headings.flatMap(({ ids, title, line, isSet, isTitled, isAlone }, i): Section[] => {
    let last = i
    while (headings[last]!.body.count === 0 && headings[last + 1]) last++
    const following = headings[last + 1]?.line.start ?? end ?? markdown.text.length
    const stop = unknown.find((at) => at > headings[last]!.line.start && at < following) ?? following
    const sure = confidenceOf({ isSet, isTitled, length: stop - line.next }) - (isAlone ? ALONE : 0)
    const confidence = Math.round(sure * 100) / 100
    return ids.map((id) => ({ id, title, start: line.start, end: stop, confidence, doubt: null }))
  })
}

interface Landmarks {
  headings: Heading[]
  /** Offsets of the lines with the heading "Signatures". */
  signatures: number[]
  /** Offsets of headings with the number of an item that the form does not have. */
  unknown: number[]
  cover: number
}

function headingsOf(markdown: Markdown): Landmarks {
  const found: Landmarks = { headings: [], signatures: [], unknown: [], cover: 0 }
  let open: Heading | null = null
  for (const line of linesOf(markdown)) {
    if ((SIGNATURES.test(line.plain) || SIGNED.test(line.plain)) && !line.isRow) {
      found.signatures.push(line.start)
      open = null
    } else {
      if (found.headings.length < 3 && COVER.test(line.plain)) found.cover = line.start
      const heading = headingOf(line)
      if (heading === 'unknown') {
        if (found.unknown.length < MARKS_MAX) found.unknown.push(line.start)
        open = null
      } else if (heading) {
        found.headings.push(heading)
        open = heading
        if (found.headings.length + found.signatures.length >= MARKS_MAX) break
      } else if (open) {
        if (open.body.count === 0) open.body.first = line.plain
        open.body.count++
      }
    }
  }
  return found
}

/** Returns the heading that is on a line. Branches: each is a way in which filers write the number of an item. */
function headingOf(found: Line): Heading | 'unknown' | null {
  const unlabelled = withoutPageLabel(found)
  const line = unlabelled === null ? found : { ...found, plain: unlabelled }
  const item = ITEM.exec(line.plain)
  const [whole, first, letters] = item ?? BARE.exec(line.plain) ?? []
  if (!whole) return titleAlone(line)
  const ids = [first!]
  let rest = line.plain.slice(whole.length)
  for (let more = MORE.exec(rest); more && ids.length < 12; more = MORE.exec(rest)) {
    ids.push(more[1]!)
    rest = rest.slice(more[0].length)
  }
  // "Item 5.02(b)of" is a reference to an item, not a heading.
  if (letters !== '' && REFERENCE.test(rest.trimStart())) return null
  rest = rest.replace(SIGN, '')
  if (REFERENCE.test(rest) || /^(?:through|thru)\b/i.test(rest)) return null
  if (line.plain.length < PARAGRAPH) {
    for (const [, number, title] of rest.matchAll(FURTHER)) if (titles(number!, title!)) ids.push(number!)
  }
  const codes = [...new Set(ids.map((id) => id.replace(/\s/g, '').replace(/[,:-]/, '.')))].filter(isCode)
  if (codes.length === 0 && item && isUnknown(line, first!, rest)) return 'unknown'
  if (codes.length === 0 || (!item && (line.isRow || !titles(codes[0]!, rest)))) return null
  // After the label of a page, only a heading with the title of its item counts.
  if (unlabelled !== null && !titles(codes[0]!, rest)) return null
  const isTitled = /^\p{Lu}/u.test(rest) && (line.plain.length < PARAGRAPH || titles(codes[0]!, rest))
  const isSet = line.isHeading || line.isBold || /^ITEM/.test(line.plain)
  if (!isSet && !isTitled && rest !== '') return null
  if (NOT_APPLICABLE.test(rest.replace(/^.*[.:–—-]\s*(?=not applicable|none\b)/i, ''))) return null
  const body = line.plain.length < PARAGRAPH ? { count: 0, first: '' } : { count: 1, first: rest }
  return { ids: codes, title: line.plain, line, isSet, isTitled, isAlone: false, body }
}

/**
 * Finds a title without a number that is set as a heading: "Departure of Directors or Certain Officers; Election of
 * Directors".
 */
function titleAlone(line: Line): Heading | null {
  const { plain } = line
  if (!(line.isHeading || line.isBold) || line.isRow || line.isLink || plain.length < TITLE_MIN || plain.length > 200)
    return null
  if (/[;,]$|\p{Ll}\.\s+\p{Lu}/u.test(plain)) return null
  const title = plain.replace(/^[^\p{L}]{0,8}/u, '')
  const ids = ['2020-01-01', '2000-01-01'].flatMap((era) => itemCode(title, '8-K', era) ?? []).filter(isCode)
  return ids.length > 0
    ? { ids, title: plain, line, isSet: true, isTitled: true, isAlone: true, body: { count: 0, first: '' } }
    : null
}

/**
 * Whether a heading has a two-part number that is not the number of any item: the text below such a heading belongs to
 * no item.
 */
const isUnknown = (line: Line, number: string, rest: string): boolean =>
  (line.isHeading || line.isBold || /^ITEM/.test(line.plain)) &&
  !line.isRow &&
  !line.isLink &&
  line.plain.length < PARAGRAPH &&
  /^\d\s?[.]\s?\d{2}$/.test(number) &&
  /^\p{Lu}/u.test(rest)

/**
 * Returns a day on which the numbering of this code was in use: the numbering in two parts, or the earlier numbering.
 */
const eraOf = (code: string) => (code.includes('.') ? '2020-01-01' : '2000-01-01')
const isCode = (code: string) => itemCode(code, '8-K', eraOf(code)) === code
/** Whether the words are the title that the form gives the item with this code. */
export const titles = (code: string, title: string): boolean => itemCode(title, '8-K', eraOf(code)) === code

/**
 * Leaves out a table of contents that has a line for the signatures. The table is recognised by its items: all of them
 * come again after that line, with more text.
 */
function withoutContents(own: readonly Heading[], signatures: readonly number[]): readonly Heading[] {
  const [first, second] = signatures.filter((at) => own[0] !== undefined && at > own[0].line.start)
  if (first === undefined || second === undefined) return own
  const before = own.filter(({ line }) => line.start < first)
  const after = own.filter(({ line }) => line.start > first && line.start < second)
  const again = new Set(after.flatMap(({ ids }) => ids))
  const isShorter = after.length > 0 && first - before[0]!.line.start < second - after[0]!.line.start
  return isShorter && before.every(({ ids }) => ids.every((id) => again.has(id)))
    ? own.filter(({ line }) => line.start > first)
    : own
}

function kept({ headings, signatures, unknown, cover }: Landmarks) {
  // A report never uses both numberings of Form 8-K. So a heading with a number of the other numbering is quoted from
  // an annual report. It is left out.
  const numbered = headings.filter(({ isAlone }) => !isAlone)
  const isNew = (numbered.length > 0 ? numbered : headings).some(({ ids }) => ids.some((id) => id.includes('.')))
  const known = new Set(numbered.flatMap(({ ids }) => ids))
  const ofTime = headings.flatMap((heading): Heading[] => {
    const ids = heading.ids.filter((id) => !heading.isAlone || (id.includes('.') === isNew && !known.has(id)))
    return ids.some((id) => id.includes('.')) === isNew && ids.length > 0 ? [{ ...heading, ids }] : []
  })
  const own = withoutContents(ofTime, signatures)
  const lastOf = new Map(own.flatMap((heading, i) => heading.ids.map((id) => [id, i] as const)))
  const isAgain = (heading: Heading, i: number) => heading.ids.every((id) => lastOf.get(id)! > i)
  const isOfContents = ({ line, body }: Heading) =>
    body.count === 0 || line.isLink || CONTENTS.test(line.plain) || line.start < cover
  const real = own.filter((heading, i) => !(isOfContents(heading) && isAgain(heading, i)))
  const firstText = real.find(({ body }) => body.count > 0)
  const end = firstText && signatures.find((at) => at > firstText.line.start)
  const seen = new Set<string>()
  const chosen = real.filter(({ ids, line }) => {
    if (end !== undefined && line.start > end) return false
    const isFirst = ids.some((id) => !seen.has(id))
    for (const id of ids) seen.add(id)
    return isFirst
  })
  const answered = chosen.filter(({ body }) => !(body.count === 1 && NOT_APPLICABLE.test(body.first)))
  return { headings: answered, unknown, end }
}
