/** Item 5.02: finds appointments, departures and pay, sentence by sentence. */

import { mentionsOf } from '../../read/prose/people.ts'
import { type Span, sentencesOf } from '../../read/prose/sentences.ts'
import { eventDateOf } from './days.ts'
import { type Before, eventsOf } from './officers/events.ts'
import { dateLater, FURTHER_MAX, GOES, takeBack } from './officers/later.ts'
import { type MaskedSentence, readOf, termsOf, withPronoun } from './officers/mask.ts'
import { NOTHING } from './officers/negation.ts'
import { relationsIn } from './officers/other-firm.ts'
import { DaysAbove, datePay, paidIn } from './officers/pay.ts'
import { positionsIn, positionTablesIn, withoutTables } from './officers/position-table.ts'
import type { Officer, OfficerEvent } from './officers/statement.ts'
import { employedIn, servedIn, titlesOf } from './officers/subjects.ts'
import { dropped, type Trace } from './officers/vetoes.ts'

export type { Officer, OfficerEvent } from './officers/statement.ts'

/**
 * Long: one pass over the sentences, each of which is read with the results of previous sentences. Branches: each is a
 * kind of sentence that continues, repeats or withdraws an earlier sentence.
 *
 * @param section text of the item after its heading
 * @param company name of the filer, which is removed from titles of offices
 * @param filed filing date. Events more than a year before this date are history, and are left out
 * @param trace receives what the reading finds and what it drops
 * @returns the events in the order of the text, and the number of events that were left out because a name or an office
 *   is uncertain. The number is at least 1 if the text names a person and no event was read
 */
export function officersOf(
  markdown: string,
  section: Span,
  company: string | null = null,
  filed: string | null = null,
  trace?: Trace,
): { officers: Officer[]; leftOut: number } {
  const tables = positionTablesIn(markdown, section)
  const whole = sentencesOf(markdown, section)
  const { text } = whole
  const { sentences } = tables.length === 0 ? whole : sentencesOf(withoutTables(markdown, tables), section)
  const { found: named, leftOut } = mentionsOf(text, trace)
  const found = named.filter(({ name }) => !(isFiler(name, text, company) && dropped(trace, 'filer', name)))
  const terms = termsOf(text, company)
  const reads: MaskedSentence[] = []
  for (const sentence of sentences) reads.push(withPronoun(readOf(sentence, found, section.start, terms), reads.at(-1)))
  if (trace) for (const read of reads) read.trace = trace
  const titles = titlesOf(reads)
  const served = servedIn(reads)
  const employed = employedIn(reads)
  const officers: Officer[] = []
  const causes: Officer[] = []
  const oldest = filed ? `${Number(filed.slice(0, 4)) - 1}${filed.slice(4)}` : ''
  const isOld = (one: Officer) => isBefore(one, oldest) && dropped(trace, 'old', one)
  const before: Before = {
    officers,
    day: null,
    paragraphDay: null,
    titles,
    officeOf: (name) => titles.get(name) ?? served.get(name) ?? null,
    isRelated: relationsIn(text, company),
  }
  let left = leftOut.length
  const above = new DaysAbove()
  /** Adds the events of the tables of positions that begin before `end`. */
  const addTables = (end: number) => {
    while (tables[0] && tables[0].start < end) {
      const table = tables.shift()!
      const last = reads.findLast(({ sentence }) => sentence.end <= table.start)
      const rows = positionsIn(table, last, found, section.start)
      left += rows.leftOut
      for (const event of rows.events) if (!isOld(event)) add(officers, event, trace)
    }
  }
  for (const read of reads) {
    addTables(read.sentence.start)
    trace?.sentence(read)
    if (read.sentence.isFirst) before.paragraphDay = null
    let day = eventDateOf(read.masked, before.day)
    if (read.mentions.length > 0 && !(NOTHING.test(read.masked) && dropped(trace, 'nothing', 0))) {
      const reported = eventsOf(read, before)
      left += reported.unsure
      causes.push(...reported.causes)
      for (const event of reported.events) {
        if (isOld(event)) continue
        if (reported.later.has(event)) officers.push(event)
        else add(officers, event, trace)
      }
      day ??= reported.events.at(-1)?.event_date ?? null
      dateLater(read, officers)
      takeBack(read, officers)
    }
    datePay(read, officers)
    above.add(read)
    for (const event of paidIn(read, titles, above.days)) {
      event.title ??=
        officers.find(({ name, title }) => name === event.name && title !== null && !ELECT.test(title))?.title ??
        served.get(event.name) ??
        employed.get(event.name) ??
        null
      const isPaid = officers.some(({ name, event: kind }) => name === event.name && kind === 'compensation')
      if (!(isPaid && dropped(trace, 'repeated', event))) officers.push(event)
    }
    before.day = day ?? before.day
    before.paragraphDay = day ?? before.paragraphDay
  }
  addTables(Number.POSITIVE_INFINITY)
  for (const cause of causes) {
    const isReported = officers.some(
      ({ name, event }) => name === cause.name && event !== 'compensation' && GOES.has(event) === GOES.has(cause.event),
    )
    if (!isOld(cause) && !(isReported && dropped(trace, 'repeated', cause))) officers.push(cause)
  }
  for (const one of officers) withoutOldDay(one, oldest)
  // A trust has trustees instead of directors.
  if (
    (/\bBoards? of Trustees\b/.test(text) && !/\bBoards? of Directors\b/.test(text)) ||
    (/\bas (?:an? )?(?:independent )?Trustees?\b/.test(text) && !/\bdirectors?\b/i.test(text))
  )
    for (const one of officers) if (one.title === 'director') one.title = 'trustee'
  return {
    officers: officers.filter(
      (one) =>
        one.title !== null ||
        !officers.some((each) => each !== one && each.name === one.name && each.event === one.event) ||
        !dropped(trace, 'repeated', one),
    ),
    // If a section names a person and no event was read, the section was not understood, so at least one value was left
    // out.
    leftOut: officers.length === 0 && found.length > 0 ? Math.max(1, left) : left,
  }
}

/** Matches the title of a person who has not entered the office yet: "Chief Financial Officer–Elect". */
const ELECT = /[–—-][Ee]lect$/

/**
 * Tests whether a name is the filer's own. "Amber Lake", in a report of Amber Lake Technologies, is a person only if
 * the text has Mr. or Ms. Lake.
 */
function isFiler(name: string, text: string, company: string | null): boolean {
  if (!company?.toLowerCase().startsWith(`${name.toLowerCase()} `)) return false
  const surname = name.slice(name.lastIndexOf(' ') + 1)
  return !['Mr. ', 'Ms. ', 'Mrs. ', 'Dr. ', 'Mr ', 'Ms '].some((honorific) => text.includes(honorific + surname))
}

/** Tests whether an event is more than a year before the filing. */
const isBefore = ({ event_date, effective_date }: Officer, oldest: string) =>
  (event_date ?? effective_date ?? oldest) < oldest && (effective_date ?? event_date ?? oldest) < oldest

/**
 * Removes days that are more than a year before the filing. Such a day belongs to a document, or to another event that
 * the sentence mentions.
 */
function withoutOldDay(one: Officer, oldest: string): void {
  if (one.event_date !== null && one.event_date < oldest) one.event_date = null
  if (one.effective_date !== null && one.effective_date < oldest) one.effective_date = null
}

/**
 * Adds an event. If an event is reported twice, the first report counts. Facts that only the second report states are
 * added if the second report is near the first.
 */
function add(officers: Officer[], one: Officer, trace: Trace | undefined): void {
  const same = officers.filter(
    (other) =>
      other.name === one.name &&
      isAlike(other.event, one.event) &&
      (other.event === one.event || !isOnOtherDay(other, one)),
  )
  // A sentence with a specific kind of departure ("retire") takes precedence over a sentence without a specific kind
  // ("step down"). "His employment will end" adds nothing if the person's resignation was already found.
  const left =
    one.title === null && GOES.has(one.event)
      ? officers.find((other) => other.name === one.name && GOES.has(other.event) && !isOnOtherDay(other, one))
      : undefined
  const earlier =
    left ??
    same.find(({ title }) => one.title === null || (title !== null && isSame(title, one.title))) ??
    same.find((other) => other.title === null && isFurther(other, one))
  if (!earlier || !dropped(trace, 'repeated', one)) {
    officers.push(one)
    return
  }
  if (!HOW.has(earlier.event) && HOW.has(one.event)) earlier.event = one.event
  if (one.end - earlier.start > FURTHER_MAX) return
  const isNew =
    (earlier.title === null && one.title !== null) ||
    (earlier.effective_date === null && one.effective_date !== null) ||
    (earlier.event_date === null && one.event_date !== null)
  if (!isNew) return
  earlier.title ??= one.title
  earlier.effective_date ??= one.effective_date
  earlier.event_date ??= one.event_date
  earlier.end = Math.max(earlier.end, one.end)
}

/** "Steps down as Treasurer on June 30, and will retire on December 31" are two events. */
const isOnOtherDay = (one: Officer, other: Officer) =>
  one.effective_date !== null && other.effective_date !== null && one.effective_date !== other.effective_date

const HOW: ReadonlySet<OfficerEvent> = new Set(['retired', 'resigned', 'removed'])
/** Tests whether two kinds of events may be one event: a departure may be a retirement, a resignation or a removal. */
const isAlike = (one: OfficerEvent, other: OfficerEvent) =>
  one === other || (GOES.has(one) && GOES.has(other) && (one === 'departed' || other === 'departed'))

/** Tests whether a later statement with an office is the same event as a statement without an office. */
const isFurther = (earlier: Officer, one: Officer) =>
  (one.event === 'departed' ||
    one.event === earlier.event ||
    (earlier.event === 'departed' && earlier.event_date === null)) &&
  (earlier.event_date ?? one.event_date) === (one.event_date ?? earlier.event_date) &&
  (earlier.effective_date ?? one.effective_date) === (one.effective_date ?? earlier.effective_date)

/**
 * Tests whether two titles mean the same office: they are equal, one adds a part of the company (`President of Europe`),
 * or the known title lists all offices of the other. `Director` alone is not looked for in such a list.
 */
const isSame = (known: string, title: string): boolean => {
  const [one, other] = [spelt(known), spelt(title)]
  if (one === other || one.startsWith(`${other} of `) || other.startsWith(`${one} of `)) return true
  const parts = new Set(one.split(PARTS))
  return other !== 'director' && other.split(PARTS).every((part) => parts.has(part))
}
const PARTS = /,\sand\s|,\s|\sand\s/
/** Spells out "CFO" as "Chief Financial Officer". */
const spelt = (title: string) =>
  title.replace(/\bC([EFOTIAM])O\b/g, (short, letter: string) => CHIEFS[letter] ?? short).toLowerCase()
const CHIEFS: Readonly<Record<string, string>> = { E: 'Chief Executive Officer', F: 'Chief Financial Officer', O: 'Chief Operating Officer', T: 'Chief Technology Officer', I: 'Chief Information Officer', A: 'Chief Accounting Officer', M: 'Chief Marketing Officer' } // biome-ignore format: a table
