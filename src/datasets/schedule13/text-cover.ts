/** The cover of a Schedule 13D or 13G: issuer, class, CUSIP, event, and of 13G the rule under which it is filed. */
import { areAlike } from '../../names/alike.ts'
import { validCusip } from '../../read/securityid.ts'
import { calendarDay, namedDay } from '../../read/values.ts'
import type { Fact, FactName, LeftOut } from './facts.ts'
import { GAP, oneLine, paragraphsOf, type Span, trimmed } from './legible.ts'
import { isBlank, isChecked, saysNone } from './text-values.ts'

export interface CoverContext {
  /** Names of the subject company, of EDGAR's header: they say which paragraph is the name of the issuer. */
  issuerNames: readonly string[]
  /** Day of filing, `YYYY-MM-DD`: it says the century of `3/10/16`. */
  filedDate: string
  schedule: '13D' | '13G'
}

/** A cover has 3,000 characters, and the labels stand in its first half. */
const COVER_MAX = 12_000

const words = (text: string) => text.replaceAll(' ', GAP)
/** A label stands below its value in brackets, or before it with a colon; then it may go on in a second line. */
const labelled = (label: string) => ({
  below: new RegExp(`\\(\\s{0,9}${words(label)}[^()]{0,60}\\)`, 'i'),
  before: new RegExp(
    `(?:^|\\n)[^\\S\\n]{0,40}${words(label)}[^\\n:]{0,40}:([^\\n]{1,200}(?:\\n(?![^\\n]*:)[^\\n]{0,100}\\S[^\\n]{0,100})?)`,
    'i',
  ),
})
const ISSUER = labelled('name of (?:the )?issuer')
const TITLE = labelled('title (?:of|and) (?:the )?class(?:es)?(?: of)?(?: and)? securities')
const CUSIP = labelled('cusip (?:numbers?|nos?\\.?)')
const EVENT = labelled('date of (?:the )?event which requires? (?:the )?fill?ing')
const RULES = new RegExp(words('check the appropriate box to designate the rule'), 'i')
const RULE = /\brule\s{1,9}13d\s?[-–]\s?[1li]\s?\(\s?([bcd])\s?\)/gi
const AMENDMENT = /\bamendment\s{1,9}(?:no\.?|number)\s{0,9}:?\s{0,9}(\d{1,3})\b/gi
/** Covers of pages name the CUSIP again. */
const CUSIP_OF_PAGE = /\bcusip\s{1,9}(?:no\.?|number)?\s{0,9}[:.#]?\s{0,9}([0-9a-z]{6}[ -]?[0-9a-z]{2}[ -]?\d)\b/gi

/**
 * @param text legible
 * @param end where the first page of a person begins, or that of the text
 */
export function coverFacts(
  text: string,
  end: number,
  { issuerNames, filedDate, schedule }: CoverContext,
): { facts: Fact[]; leftOut: LeftOut[] } {
  const cover = text.slice(0, Math.min(end, COVER_MAX))
  const facts: Fact[] = []
  const leftOut: LeftOut[] = []
  const add = (name: FactName, value: string, span: Span) => void facts.push({ name, value, person: null, ...span })
  const leave = (name: FactName, said: string) =>
    void leftOut.push({ name, person: null, text: oneLine(said).slice(0, 200) })
  let from = 0
  issuer()
  title()
  cusips()
  event()
  if (schedule === '13G') rules()
  amendment()
  return { facts, leftOut }

  /** What stands above a label, since the label before it; and the evidence, which has the label too. */
  function above(label: { below: RegExp; before: RegExp }): { said: Span; whole: Span } | null {
    const below = label.below.exec(cover.slice(from))
    if (below) {
      const at = from + below.index
      const found = { said: { start: from, end: at }, whole: { start: from, end: at + below[0].length } }
      from = found.whole.end
      return found
    }
    const before = label.before.exec(cover)
    if (!before) return null
    const stop = before.index + before[0].length
    return { said: { start: stop - before[1]!.length, end: stop }, whole: { start: before.index, end: stop } }
  }

  function evidence(value: Span, whole: Span): Span {
    return trimmed(cover, { start: Math.min(value.start, Math.max(whole.start, whole.end - 1)), end: whole.end })!
  }

  function issuer(): void {
    const found = above(ISSUER)
    const last = found && paragraphsOf(cover, found.said).at(-1)
    if (!found || !last) return
    const span = afterHead(last)
    const name = oneLine(cover.slice(span.start, span.end))
    // A name over two paragraphs, or one below it, is not the last paragraph alone: the header is the witness.
    if (name.length <= 150 && issuerNames.some((each) => areAlike(each, name))) {
      add('issuer_name', name, evidence(withLabel(span, found.whole), found.whole))
    } else leave('issuer_name', name)
  }

  /** In a paragraph that a whole cover was made into, the name stands behind the number of the amendment. */
  function afterHead({ start, end: stop }: Span): Span {
    const said = cover.slice(start, stop)
    const head = [...said.matchAll(/\(amendment\s{1,9}no\.?[^)]{0,40}\)|\bact\s{1,9}of\s{1,9}[1l]934\b|\bschedule\s{1,9}13[dg](?:\/a)?\b/gi)].at(-1) // biome-ignore format: one line
    return head ? (trimmed(cover, { start: start + head.index + head[0].length, end: stop }) ?? { start, end: stop }) : { start, end: stop } // biome-ignore format: one line
  }

  function title(): void {
    const found = above(TITLE)
    if (!found) return
    const all = paragraphsOf(cover, found.said)
    const span = all.length === 0 ? null : { start: all[0]!.start, end: all.at(-1)!.end }
    if (!span) return
    const value = oneLine(cover.slice(span.start, span.end))
    if (value.length > 300 || NUMBER_BESIDE.test(value) || /\b(?:schedule 13|exchange act|name of issuer)/i.test(value))
      leave('title_of_class', value)
    else if (!saysNone(value)) add('title_of_class', value, evidence(withLabel(span, found.whole), found.whole))
  }

  function cusips(): void {
    const found = above(CUSIP)
    const said = found && cover.slice(found.said.start, found.said.end)
    if (found && said && !isBlank(said) && !saysNone(said)) {
      const numbers = numbersIn(said)
      const span = trimmed(cover, found.said)!
      for (const number of numbers) add('cusip', number, evidence(withLabel(span, found.whole), found.whole))
      if (numbers.length > 0) return
      leave('cusip', said)
    }
    const valid = [...text.matchAll(CUSIP_OF_PAGE)].flatMap((match) => {
      const number = validCusip(bare(match[1]!))
      return number === null ? [] : [{ number, start: match.index, end: match.index + match[0].length }]
    })
    const [first] = valid
    if (first && valid.every(({ number }) => number === first.number)) add('cusip', first.number, first)
  }

  function event(): void {
    const found = above(EVENT)
    const last = found && paragraphsOf(cover, found.said).at(-1)
    if (!found || !last) return
    const lines = cover.slice(last.start, last.end).split('\n')
    const line = lines.at(-1)!
    const said = line.slice(line.toLowerCase().lastIndexOf('communications)') < 0 ? 0 : line.toLowerCase().lastIndexOf('communications)') + 15) // biome-ignore format: one line
    const day = dayOf(said.trim(), filedDate)
    const start = last.end - said.trimStart().length
    if (day === null) {
      if (!/communications?\)?\s*$/i.test(line)) leave('event_date', line)
    } else add('event_date', day, evidence(withLabel({ start, end: last.end }, found.whole), found.whole))
  }

  function rules(): void {
    const head = RULES.exec(cover)
    if (!head) return
    const all = [...cover.matchAll(RULE)].filter(({ index }) => index > head.index && index < head.index + 1_500)
    const three = all.slice(0, 3)
    const letters = three.map((match) => match[1]!.toLowerCase())
    if (!/^(?=.)b?c?d?$/.test(letters.join(''))) return leave('rule', head[0])
    const colon = cover.slice(0, three[0]!.index).lastIndexOf(':')
    const first = Math.max(colon + 1, head.index + head[0].length)
    const edges = three.map(({ index, 0: whole }) => ({ start: index, end: index + whole.length }))
    const last = edges.at(-1)!
    const lineEnd = last.end + /\n|$/.exec(cover.slice(last.end))!.index
    const between = [first, ...edges.map(({ end }) => end)].map((start, at) =>
      cover.slice(start, edges[at]?.start ?? lineEnd),
    )
    const isBefore = !isBlank(between[0]!)
    const boxes = (isBefore ? between.slice(0, -1) : between.slice(1)).map((box) =>
      isChecked(box.replace(/\(\s?\d\s?\)/g, ' ')),
    )
    if (boxes.includes(null)) return leave('rule', cover.slice(first, lineEnd))
    for (const [at, checked] of boxes.entries()) {
      if (!checked) continue
      const span = isBefore
        ? trimmed(cover, { start: at === 0 ? first : edges[at - 1]!.end, end: edges[at]!.end })!
        : trimmed(cover, { start: edges[at]!.start, end: edges[at + 1]?.start ?? lineEnd })!
      add('rule', `Rule 13d-1(${letters[at]})`, span)
    }
  }

  function amendment(): void {
    const stop = ISSUER.below.exec(cover)?.index ?? ISSUER.before.exec(cover)?.index ?? cover.length
    const all = [...cover.slice(0, stop).matchAll(AMENDMENT)]
    const [first] = all
    if (!first || Number(first[1]) === 0) return
    if (all.some(([, number]) => Number(number) !== Number(first[1]))) return leave('amendment_number', first[0])
    add('amendment_number', String(Number(first[1])), { start: first.index, end: first.index + first[0].length })
  }
}

/** Where covers have title and CUSIP side by side. */
const NUMBER_BESIDE = /\b(?=[0-9A-Z]{0,8}\d{3})[0-9A-Z]{8,9}\b/

/** From the value to the end of what was matched, which is its label where that stands below. */
const withLabel = (value: Span, whole: Span): Span => ({ start: Math.max(whole.start, Math.min(value.start, whole.end)), end: whole.end }) // biome-ignore format: one line

const bare = (text: string) => text.replace(/[\s-]/g, '').toUpperCase()

/** One number in any spelling, or several of which each is one; a single one that is none stays as it is written. */
function numbersIn(said: string): string[] {
  const one = bare(said.replace(/[*:]/g, ''))
  if (/^[0-9A-Z]{9}$/.test(one)) return [one]
  const valid = [...said.matchAll(/\b[0-9A-Z]{6}[ -]?[0-9A-Z]{2}[ -]?\d\b/gi)].flatMap(
    ([number]) => validCusip(bare(number)) ?? [],
  )
  if (valid.length > 0) return [...new Set(valid)]
  return /^[0-9A-Z]{6,12}$/.test(one) && /\d/.test(one) && one.length === said.trim().length ? [one] : []
}

/** A day alone: `May 14, 2001`, `12/18/2020`, `3/10/16`. */
function dayOf(text: string, filedDate: string): string | null {
  const [, month, date, year] =
    /^([A-Za-z]{3,9})\.?\s{1,9}(\d{1,2})(?:st|nd|rd|th)?\s?,?\s{0,9}(\d{4})\.?$/.exec(text) ?? []
  if (year !== undefined) return isMonth(month!) ? namedDay(year, month, date) : null
  const [, m, d, y] = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/.exec(text) ?? []
  if (y === undefined) return null
  const full = y.length === 4 ? y : `20${y}` <= filedDate.slice(0, 4) ? `20${y}` : `19${y}`
  return calendarDay(full, m, d)
}

const isMonth = (text: string) =>
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i.test(
    text,
  )
