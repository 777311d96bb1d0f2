/** Item 5.02: finds appointments, departures and pay, sentence by sentence. */
import { eventDateOf } from './days.ts'
import { type Before, eventsOf } from './events.ts'
import { dateLater, FURTHER_MAX, GOES } from './later.ts'
import { type MaskedSentence, readOf, termsOf, withPronoun } from './mask.ts'
import { mentionsOf } from './names.ts'
import { NOTHING } from './negation.ts'
import type { Officer, OfficerEvent } from './officer-statement.ts'
import { type Days, isRowOf, paidIn, paidOn } from './pay.ts'
import { type Span, sentencesOf } from './prose.ts'
import { servedIn, titlesOf } from './subjects.ts'

export type { Officer, OfficerEvent } from './officer-statement.ts'

/**
 * Long: one pass over the sentences, each read together with the results of those before it. Branches: each is a
 * sentence that continues, repeats or withdraws another.
 *
 * @param section text of the item after its heading
 * @param company name of the filer, which titles of its own offices leave out
 * @param filed filing date: days more than a year earlier are history
 * @returns the events in the order of the text, and the number that were left out because a name or an office is
 *   uncertain
 */
export function officersOf(
  markdown: string,
  section: Span,
  company: string | null = null,
  filed: string | null = null,
): { officers: Officer[]; leftOut: number } {
  const { text, sentences } = sentencesOf(markdown, section)
  const { found: named, leftOut } = mentionsOf(text)
  const found = named.filter(({ name }) => !isFiler(name, text, company))
  const terms = termsOf(text, company)
  const reads: MaskedSentence[] = []
  for (const sentence of sentences) reads.push(withPronoun(readOf(sentence, found, section.start, terms), reads.at(-1)))
  const titles = titlesOf(reads)
  const served = servedIn(reads)
  const officers: Officer[] = []
  const causes: Officer[] = []
  const oldest = filed ? `${Number(filed.slice(0, 4)) - 1}${filed.slice(4)}` : ''
  const before: Before = {
    officers,
    day: null,
    paragraphDay: null,
    titles,
    officeOf: (name) => titles.get(name) ?? served.get(name) ?? null,
  }
  let left = leftOut.length
  let above: Days = { event_date: null, effective_date: null }
  for (const read of reads) {
    if (read.sentence.isFirst) before.paragraphDay = null
    let day = eventDateOf(read.masked, before.day)
    if (read.mentions.length > 0 && !NOTHING.test(read.masked)) {
      const told = eventsOf(read, before)
      left += told.unsure
      causes.push(...told.causes)
      for (const event of told.events) {
        if (isOld(event, oldest)) continue
        if (told.later.has(event)) officers.push(event)
        else add(officers, event)
      }
      day ??= told.events.at(-1)?.event_date ?? null
      dateLater(read, officers)
    }
    if (!isRowOf(read.masked)) above = paidOn(read.masked)
    for (const event of paidIn(read, titles, above)) {
      event.title ??=
        officers.find(({ name, title }) => name === event.name && title !== null)?.title ??
        served.get(event.name) ??
        null
      if (!officers.some(({ name, event: kind }) => name === event.name && kind === 'compensation'))
        officers.push(event)
    }
    before.day = day ?? before.day
    before.paragraphDay = day ?? before.paragraphDay
  }
  for (const cause of causes)
    if (
      !isOld(cause, oldest) &&
      !officers.some(
        ({ name, event }) =>
          name === cause.name && event !== 'compensation' && GOES.has(event) === GOES.has(cause.event),
      )
    )
      officers.push(cause)
  for (const one of officers) withoutOldDay(one, oldest)
  // A trust has no directors.
  if (
    (/\bBoards? of Trustees\b/.test(text) && !/\bBoards? of Directors\b/.test(text)) ||
    (/\bas (?:an? )?(?:independent )?Trustees?\b/.test(text) && !/\bdirectors?\b/i.test(text))
  )
    for (const one of officers) if (one.title === 'director') one.title = 'trustee'
  return {
    officers: officers.filter(
      (one) =>
        one.title !== null ||
        !officers.some((each) => each !== one && each.name === one.name && each.event === one.event),
    ),
    leftOut: left,
  }
}

/**
 * A filer named like a person, "Amber Lake" of Amber Lake Technologies, is a person only if the text has Mr. or Ms.
 * Lake.
 */
function isFiler(name: string, text: string, company: string | null): boolean {
  if (!company?.toLowerCase().startsWith(`${name.toLowerCase()} `)) return false
  const surname = name.slice(name.lastIndexOf(' ') + 1)
  return !['Mr. ', 'Ms. ', 'Mrs. ', 'Dr. ', 'Mr ', 'Ms '].some((honorific) => text.includes(honorific + surname))
}

const isOld = ({ event_date, effective_date }: Officer, oldest: string) =>
  (event_date ?? effective_date ?? oldest) < oldest && (effective_date ?? event_date ?? oldest) < oldest

/** A day more than a year back belongs to a document, or to another event that the sentence mentions. */
function withoutOldDay(one: Officer, oldest: string): void {
  if (one.event_date !== null && one.event_date < oldest) one.event_date = null
  if (one.effective_date !== null && one.effective_date < oldest) one.effective_date = null
}

/** If an event is reported twice, the first counts; facts that only the second states are added if it is close by. */
function add(officers: Officer[], one: Officer): void {
  const same = officers.filter(({ name, event }) => name === one.name && isAlike(event, one.event))
  // A retiring person also "will step down": the sentence with the specific kind counts. "His employment will end" adds
  // nothing if the person's resignation was already found.
  const left =
    one.title === null && GOES.has(one.event)
      ? officers.find(({ name, event }) => name === one.name && GOES.has(event))
      : undefined
  const told =
    left ??
    same.find(({ title }) => one.title === null || (title !== null && isSame(title, one.title))) ??
    same.find((other) => other.title === null && isFurther(other, one))
  if (!told) {
    officers.push(one)
    return
  }
  if (!HOW.has(told.event) && HOW.has(one.event)) told.event = one.event
  if (one.end - told.start > FURTHER_MAX) return
  const isNew =
    (told.title === null && one.title !== null) ||
    (told.effective_date === null && one.effective_date !== null) ||
    (told.event_date === null && one.event_date !== null)
  if (!isNew) return
  told.title ??= one.title
  told.effective_date ??= one.effective_date
  told.event_date ??= one.event_date
  told.end = Math.max(told.end, one.end)
}

const HOW: ReadonlySet<OfficerEvent> = new Set(['retired', 'resigned', 'removed'])
/** Tests whether two events are one: a departure is also a retirement, a resignation or a removal. */
const isAlike = (one: OfficerEvent, other: OfficerEvent) =>
  one === other || (GOES.has(one) && GOES.has(other) && (one === 'departed' || other === 'departed'))

/** Tests whether a later statement with an office is the same event as a statement without an office. */
const isFurther = (told: Officer, one: Officer) =>
  (one.event === 'departed' || one.event === told.event || (told.event === 'departed' && told.event_date === null)) &&
  (told.event_date ?? one.event_date) === (one.event_date ?? told.event_date) &&
  (told.effective_date ?? one.effective_date) === (one.effective_date ?? told.effective_date)

/** Tests whether two titles are one office: one adds a part of the company, or is one of two offices held together. */
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
