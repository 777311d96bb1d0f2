/** Reads the cover of a Schedule 13D or 13G: issuer, class, CUSIP, event, and the number of the amendment. */
import { areAlike } from '../../../names/alike.ts'
import { dayInFigures, dayOf } from '../../../read/prose/dates.ts'
import { numeralOf, ORDINALS, wordsTo } from '../../../read/prose/numerals.ts'
import type { Span } from '../../../read/prose/sentences.ts'
import { cusipsOf } from './cusips.ts'
import { coverFact, type Fact, type FactOrGap, type LeftOut, leftOut } from './facts.ts'
import { evidence, GAP, type LabelledValue, oneLine, paragraphsOf, trimmed } from './plain-text.ts'
import { rulesOf } from './rules.ts'
import { isBlank, saysNone } from './values.ts'

export interface CoverContext {
  /** Names of the subject company in EDGAR's header: they identify the paragraph with the issuer's name. */
  issuerNames: readonly string[]
  /** Filing date, `YYYY-MM-DD`: it determines the century of `3/10/16`. */
  filedDate: string
  schedule: '13D' | '13G'
}

/** Maximum length of a cover. Covers have 3,000 characters, with the labels in the first half. */
const COVER_MAX = 12_000

/** The beginning of another label, which ends a value. */
const OTHER_LABEL = '\\b(?:cusip|title\\s{1,9}of|date\\s{1,9}of|name\\s{1,9}of)\\b'

/**
 * Returns patterns of one label. `below`: the label is in brackets below its value. `before`: the label begins a line,
 * and its value follows a colon. The value may then extend to a second line, unless that line has a label.
 */
const labelled = (label: string) => ({
  // The ends of lines are lost in some plain texts, so a label may be within a line, with its value after a colon or a
  // wide gap.
  within: new RegExp(
    `\\b${label.replaceAll(' ', GAP)}[^\\n:()]{0,45}?(?::|[^\\S\\n]{3,60}(?=\\S))([^\\n]{1,200})`,
    'i',
  ),
  // The value is alone on the next line or in the next paragraph.
  above: new RegExp(
    `\\b${label.replaceAll(' ', GAP)}[^\\n:()]{0,45}?:[^\\S\\n]{0,9}\\n\\s{0,80}((?!item\\b)\\S[^\\n]{0,200})`,
    'i',
  ),
  below: new RegExp(`\\(\\s{0,9}${label.replaceAll(' ', GAP)}[^()]{0,60}\\)`, 'i'),
  before: new RegExp(
    `(?:^|\\n)[^\\S\\n]{0,40}${label.replaceAll(' ', GAP)}[^\\n:]{0,40}:([^\\n]{1,200}(?:\\n(?![^\\n]*(?::|${OTHER_LABEL}))[^\\n]{0,100}\\S[^\\n]{0,100})?)`,
    'i',
  ),
})
type Label = ReturnType<typeof labelled>

const ISSUER = labelled('name of (?:the )?issuer')
const TITLE = labelled('title (?:of|and) (?:the )?class(?:es)?(?: of)?(?: and)? securities')
const CUSIP = labelled('cusip (?:numbers?|nos?\\.?)')
const EVENT = labelled('date of (?:the )?event(?:(?: which| that)? requir(?:es?|ing)(?: the)? fill?ing)?')

/**
 * @param text the result of `plainText`
 * @param end start of the first person's page, or end of the text
 */
export function coverFacts(text: string, end: number, context: CoverContext): { facts: Fact[]; leftOut: LeftOut[] } {
  const cover = text.slice(0, Math.min(end, COVER_MAX))
  const [issuer, title, cusip, event] = placesOf(cover, [ISSUER, TITLE, CUSIP, EVENT])
  const read: FactOrGap[] = [
    ...issuerOf(cover, issuer!, context.issuerNames),
    ...titleOf(text, cover, title!),
    ...cusipsOf(text, cover, cusip!),
    ...eventOf(cover, event!, cusip!, context.filedDate),
    ...(context.schedule === '13G' ? rulesOf(cover) : []),
    ...amendmentOf(cover),
  ]
  return {
    facts: read.flatMap((one) => ('value' in one ? [one] : [])),
    leftOut: read.flatMap((one) => ('value' in one ? [] : [one])),
  }
}

/**
 * Returns the text that belongs to each label: the text between the preceding label and this label, or the text after
 * it. Some covers have the day above the CUSIP, so a label that is not found after the preceding label is looked for in
 * the whole cover.
 */
function placesOf(cover: string, labels: readonly Label[]): (LabelledValue | null)[] {
  let from = 0
  const below = labels.map(({ below }): Span | null => {
    const found = below.exec(cover.slice(from))
    const start = found ? from + found.index : (below.exec(cover)?.index ?? null)
    if (start === null) return null
    const end = start + (found ?? below.exec(cover)!)[0].length
    from = Math.max(from, end)
    return { start, end }
  })
  const columns = columnsOf(cover, below)
  return labels.map(({ above, before, within }, nth) => {
    const found = below[nth]
    const column = columns.get(nth)
    if (column) return column
    if (found) {
      const start = Math.max(0, ...below.flatMap((other) => (other && other.end <= found.start ? [other.end] : [])))
      return { value: { start, end: found.start }, whole: { start, end: found.end } }
    }
    const inLine = before.exec(cover) ?? within.exec(cover)
    const other = inLine ?? above.exec(cover)
    if (!other) return null
    const start = other.index + other[0].length - other[1]!.length
    const length = ANOTHER.exec(other[1]!)?.index ?? other[1]!.length
    if (!inLine && length > ALONE_MAX) return null
    const end = start + length
    return { value: { start, end }, whole: { start: other.index, end } }
  })
}
/** Maximum length of a value in the line or paragraph after its label. A longer text is about something else. */
const ALONE_MAX = 60
const ANOTHER = new RegExp(`\\s${OTHER_LABEL}`, 'i')

/**
 * Returns the values of labels that are next to each other on one line, by the index of the label. The line above has
 * the values in the same order, with a gap between them. If the number of parts of that line is not the number of
 * labels, nothing shows which value belongs to which label.
 */
function columnsOf(cover: string, labels: readonly (Span | null)[]): Map<number, LabelledValue> {
  const found = new Map<number, LabelledValue>()
  const placed = labels.flatMap((label, nth) => (label ? [{ nth, ...label }] : [])).sort((a, b) => a.start - b.start)
  const lines = Map.groupBy(placed, ({ start }) => cover.lastIndexOf('\n', start))
  for (const [lineStart, row] of lines) {
    if (row.length < 2 || lineStart < 0) continue
    const from = Math.max(0, ...placed.flatMap(({ end }) => (end <= lineStart ? [end] : [])))
    const above = trimmed(cover, { start: from, end: lineStart })
    if (!above || !isBlank(cover.slice(lineStart, row[0]!.start))) continue
    const last = Math.max(above.start, cover.lastIndexOf('\n', above.end - 1) + 1)
    const parts = [...cover.slice(last, above.end).matchAll(/\S+(?: \S+)*/g)]
    if (parts.length !== row.length) continue
    for (const [at, { nth }] of row.entries()) {
      const start = last + parts[at]!.index
      const value = { start, end: start + parts[at]![0].length }
      found.set(nth, { value, whole: { start, end: row.at(-1)!.end } })
    }
  }
  return found
}

const NAME_MAX = 150

/**
 * Reads the issuer's name from the last paragraph. The name is used only if the header confirms it, since the name may
 * span two paragraphs or be below its label.
 */
function issuerOf(cover: string, place: LabelledValue | null, names: readonly string[]): FactOrGap[] {
  const last = place && paragraphsOf(cover, place.value).at(-1)
  if (!place || !last) return []
  const span = afterHead(cover, last)
  const name = oneLine(cover.slice(span.start, span.end))
  const isCertain = name.length <= NAME_MAX && names.some((each) => areAlike(each, name))
  return [isCertain ? coverFact('issuer_name', name, evidence(cover, span, place)) : leftOut('issuer_name', name)]
}

const HEAD = /\(amendment\s{1,9}no\.?[^)]{0,40}\)|\bact\s{1,9}of\s{1,9}[1l]934\b|\bschedule\s{1,9}13[dg](?:\/a)?\b/gi

/** In a paragraph that contains a whole cover, the name follows the number of the amendment. */
function afterHead(cover: string, paragraph: Span): Span {
  const head = [...cover.slice(paragraph.start, paragraph.end).matchAll(HEAD)].at(-1)
  if (!head) return paragraph
  return trimmed(cover, { start: paragraph.start + head.index + head[0].length, end: paragraph.end }) ?? paragraph
}

/** Matches the CUSIP on covers that have it next to the title. */
const NUMBER_IN_LINE =
  /\b(?=[0-9A-Z]{0,8}\d{3})[0-9A-Z]{8,9}\b|\b(?=[0-9A-Z]{0,5}\d{3})[0-9A-Z]{6}[ -]{1,3}[0-9A-Z]{2}[ -]{0,3}\d\b/
const TITLE_MAX = 300

/**
 * Item 2(d) of Schedule 13G repeats the title; a filer who omits the title on the cover gives it only in that item
 * (0000354204-01-001100).
 */
const ITEM_TITLE =
  /\bitem\s{0,9}2\s?\(d\)\W{0,9}title\s{1,9}of\s{1,9}class(?:es)?\s{1,9}of\s{1,9}securities\b[^\S\n]{0,9}[:.]?[^\S\n]{0,40}(?:\n\s{0,40})?(\S[^\n]{0,200})/i

function titleOf(text: string, cover: string, place: LabelledValue | null): FactOrGap[] {
  if (!place) {
    const item = ITEM_TITLE.exec(text)
    if (!item || /\bitem\s/i.test(item[1]!) || saysNone(item[1]!)) return []
    return [
      coverFact(
        'title_of_class',
        oneLine(item[1]!),
        trimmed(text, { start: item.index, end: item.index + item[0].length })!,
      ),
    ]
  }
  const span = trimmed(cover, place.value)
  if (!span) return []
  const value = oneLine(cover.slice(span.start, span.end))
  if (saysNone(value)) return []
  const isOther = NUMBER_IN_LINE.test(value) || /\b(?:schedule 13|exchange act|name of issuer)/i.test(value)
  if (value.length > TITLE_MAX || isOther) return [leftOut('title_of_class', value)]
  return [coverFact('title_of_class', value, evidence(cover, span, place))]
}

/** If one paragraph contains the whole cover, this is the last word before the day of the event. */
const CONTACT = 'communications)'

/** Matches a CUSIP before the day, if both are on one line. */
const AFTER_CUSIP =
  /^.*\bcusip\s{0,3}(?:#|nos?\.?|numbers?)?\s{0,3}:?\s{0,9}(?:[0-9a-z]{8,10}|[0-9a-z]{6}[ -]{1,3}[0-9a-z]{2}(?:[ -]{0,3}\d)?)\s{1,60}(?=\S)/i

/**
 * @param cusip place of the CUSIP. If the labels of CUSIP and event follow each other, the value above the first label
 *   may have the day too
 */
function eventOf(
  cover: string,
  place: LabelledValue | null,
  cusip: LabelledValue | null,
  filedDate: string,
): FactOrGap[] {
  const own = place && paragraphsOf(cover, place.value).at(-1)
  const last = own ?? (place && cusip && paragraphsOf(cover, cusip.value).at(-1))
  if (!place || !last) return []
  const line = cover.slice(last.start, last.end).split('\n').at(-1)!
  const contact = line.toLowerCase().lastIndexOf(CONTACT)
  const text = (contact < 0 ? line : line.slice(contact + CONTACT.length)).trim().replace(AFTER_CUSIP, '')
  const day = dayOf(text) ?? dayInFigures(text, filedDate)
  if (text === '' || (!own && day === null)) return []
  if (day === null) return [leftOut('event_date', text)]
  return [coverFact('event_date', day, evidence(cover, { start: last.end - text.length, end: last.end }, place))]
}

const WORDS = `${wordsTo(20)}|${ORDINALS.join('|')}`
/** Matches `Amendment No. 3`, `Amendment No. Three`, `(Amendment #3)` whose sign is a blank here, `Third Amendment`. */
const AMENDMENT = new RegExp(
  `\\bamendment\\s{1,9}(?:no\\.?|number)\\s{0,9}:?\\s{0,9}(\\d{1,3}\\b|(?:${WORDS})\\b(?!-| {1,3}(?:${wordsTo(9)})\\b))|\\(\\s{0,9}amendment\\s{1,9}(\\d{1,3})\\s{0,9}\\)|(?<![-\\w])(?<!twenty\\s)(${ORDINALS.join('|')})\\s{1,9}amendment\\b`,
  'gi',
)

const amendmentNumber = (text: string): number =>
  /^\d/.test(text) ? Number(text) : numeralOf(text) || ORDINALS.indexOf(text.toLowerCase()) + 1

/** Reads the number of the amendment. Ignores "Amendment 0" of an original. */
function amendmentOf(cover: string): FactOrGap[] {
  const stop = ISSUER.below.exec(cover)?.index ?? ISSUER.before.exec(cover)?.index ?? cover.length
  const all = [...cover.slice(0, stop).matchAll(AMENDMENT)]
  const [first] = all
  const numbers = all.map(([, after, alone, before]) => amendmentNumber((after ?? alone ?? before)!))
  const [number] = numbers
  if (!first || !number) return []
  if (numbers.some((one) => one !== number)) return [leftOut('amendment_number', first[0])]
  return [coverFact('amendment_number', String(number), { start: first.index, end: first.index + first[0].length })]
}
