/** Item 5.02: who comes, who goes and who is paid, sentence by sentence. */
import { comingIn } from './coming.ts'
import { DAY, dayBehind, dayOf, effectiveOf, eventDateOf, leadingDay, noticeDay } from './days.ts'
import { goingIn } from './going.ts'
import { behind, companyPattern, maskedOf, ofCompany, type Read } from './mask.ts'
import { mentionsOf } from './names.ts'
import { paidIn } from './pay.ts'
import { type Span, sentencesOf } from './prose.ts'
import type { OfficerEvent, Said } from './said.ts'
import { besides, servedIn, subjectOf, titlesOf } from './subjects.ts'
import { CONDITION } from './unmade.ts'

export type { OfficerEvent } from './said.ts'

export interface Officer extends Span {
  name: string
  /** As it stands there; `director` of a seat on the board. Null where the sentence names none. */
  title: string | null
  event: OfficerEvent
  /** "On May 1, 2024, the Board appointed …" */
  event_date: string | null
  /** "effective June 1, 2024"; that it is effective immediately means the day of the event. */
  effective_date: string | null
}

const HISTORY =
  /\b(?:prior to|previously(?! (?:announced|disclosed|reported))|formerly|before (?:joining|that|becoming)|(?:from|since|in|until) (?:[A-Z][a-z]{2,8} )?(?:of )?(?:19|20)\d\d)\b/i
const NOW = new RegExp(`\\b[Oo]n\\s${DAY}|\\b[Ee]ffective\\b|\\bwill\\b`)
/** "no arrangement pursuant to which she was appointed": such sentences tell of nothing that happened. */
const NOTHING =
  /\bno\b[^.;]{0,80}\b(?:arrangements?|understandings?|family relationships?|transactions?)\b|\bnor\b[^.;]{0,40}\bunderstanding/i

/** Who was appointed by the sentences before, and on which day the last of them was. */
interface Before {
  officers: readonly Officer[]
  day: string | null
  /** Offices in apposition to names. */
  titles: ReadonlyMap<string, string>
}

/**
 * @param section text of the item behind its heading
 * @param company name of the filer: an office of it has no other name than the office
 * @param filed day of the filing: what is told of more than a year before is history
 * @returns the events in the order of the text, and how many were left out: a name or an office that is not certain
 */
export function officersOf(
  markdown: string,
  section: Span,
  company: string | null = null,
  filed: string | null = null,
): { officers: Officer[]; leftOut: number } {
  const { text, sentences } = sentencesOf(markdown, section)
  const { found, leftOut } = mentionsOf(text)
  const own = companyPattern(company)
  const reads = sentences.map((sentence) => ofCompany(maskedOf(sentence, found, section.start), own))
  const titles = titlesOf(reads)
  const served = servedIn(reads)
  const officeOf = (name: string) => titles.get(name) ?? served.get(name) ?? null
  const officers: Officer[] = []
  const oldest = filed ? `${Number(filed.slice(0, 4)) - 1}${filed.slice(4)}` : ''
  let left = leftOut.length
  let day: string | null = null
  for (const read of reads) {
    if (read.mentions.length > 0 && !NOTHING.test(read.masked)) {
      const { events, unsure } = eventsOf(read, officeOf, { officers, day, titles })
      left += unsure
      for (const event of events) if (!isOld(event, oldest)) add(officers, event)
      dateLater(read, officers)
    }
    for (const event of paidIn(read, titles)) {
      event.title ??=
        officers.find(({ name, title }) => name === event.name && title !== null)?.title ??
        served.get(event.name) ??
        null
      if (!officers.some(({ name, event: kind }) => name === event.name && kind === 'compensation'))
        officers.push(event)
    }
    day = eventDateOf(read.masked, day) ?? day
  }
  return { officers: officers.filter((one) => one.title !== null || !officers.some((each) => each !== one && each.name === one.name && each.event === one.event)), leftOut: left } // biome-ignore format: one line
}

const isOld = ({ event_date, effective_date }: Officer, oldest: string) =>
  (event_date ?? effective_date ?? oldest) < oldest && (effective_date ?? event_date ?? oldest) < oldest

/** Of an event that is told twice the first counts; what only the second says of it is taken where it stands close by. */
function add(officers: Officer[], one: Officer): void {
  const same = officers.filter(({ name, event }) => name === one.name && isAlike(event, one.event))
  // Who retires "will step down" as well: the sentence that says how counts.
  const told = same.find(({ title }) => one.title === null || (title !== null && isSame(title, one.title)))
  if (!told) {
    officers.push(one)
    return
  }
  if (!HOW.has(told.event) && HOW.has(one.event)) told.event = one.event
  if (one.end - told.start > FURTHER_MAX) return
  if ((told.effective_date ?? one.effective_date) === told.effective_date && (told.event_date ?? one.event_date) === told.event_date) return // biome-ignore format: one line
  told.effective_date ??= one.effective_date
  told.event_date ??= one.event_date
  told.end = Math.max(told.end, one.end)
}

/** How long the evidence of one event may be: sentences that follow one another. */
const FURTHER_MAX = 1_200
const HOW: ReadonlySet<OfficerEvent> = new Set(['retired', 'resigned', 'removed'])
/** Who goes goes once, whatever the words. */
const isAlike = (one: OfficerEvent, other: OfficerEvent) => one === other || (GOES.has(one) && GOES.has(other) && (one === 'departed' || other === 'departed')) // biome-ignore format: one line
const GOES: ReadonlySet<OfficerEvent> = new Set([...HOW, 'departed'])

/** Whether two titles are one office: of a part of the company in one of them, or one of two that somebody holds together. */
const isSame = (known: string, title: string): boolean => {
  const [one, other] = [known.toLowerCase(), title.toLowerCase()]
  if (one === other || one.startsWith(`${other} of `) || other.startsWith(`${one} of `)) return true
  const parts = new Set(one.split(PARTS))
  return other !== 'director' && other.split(PARTS).every((part) => parts.has(part))
}
const PARTS = /,\sand\s|,\s|\sand\s/

/** "the Chief Executive Officer … agreed to serve as President and Chief Executive Officer" goes on. */
const isWithin = (known: string | null, titles: readonly string[]): boolean => {
  const parts = new Set(titles.flatMap((title) => title.toLowerCase().split(PARTS)))
  return (
    known
      ?.toLowerCase()
      .split(PARTS)
      .every((part) => parts.has(part)) ?? false
  )
}

/**
 * Days that a later sentence gives to an event: "She accepted the appointment effective as of July 31, 2019"
 * (0001193125-19-191922), "his retirement from the Company on December 31, 2021" (0000892712-21-000019).
 */
function dateLater({ sentence, masked, mentions }: Read, officers: readonly Officer[]): void {
  const date = (names: readonly string[], isOf: (event: OfficerEvent) => boolean, day: string | null) => {
    const one = officers.find(({ name, event, effective_date }) => names.includes(name) && isOf(event) && effective_date === null) // biome-ignore format: one line
    if (!one || !day || sentence.end - one.start > FURTHER_MAX) return
    one.effective_date = day
    one.end = Math.max(one.end, sentence.end)
  }
  const accepted = /\baccepted (?:the|his|her) (?:appointment|election|position|offer)\b/.exec(masked)?.index
  if (accepted !== undefined) {
    const day = effectiveOf(masked, { from: accepted, to: masked.length, isFirst: false, event_date: null })
    date(
      subjectOf(masked, accepted).map((i) => mentions[i]!.name),
      (event) => event === 'appointed',
      day,
    )
  }
  const names = new Set(mentions.map(({ name }) => name))
  const noun = names.size === 1 ? OWN_NOUN.exec(masked) : null
  if (noun) date([...names], (event) => (/app|elec|prom/.test(noun[1]!) ? event === 'appointed' : GOES.has(event)), effectiveOf(masked, { from: noun.index, to: masked.length, isFirst: false, event_date: null })) // biome-ignore format: one line
  const leaves = names.size === 1 && !CONDITION.test(masked) ? HIS_LEAVE.exec(masked)?.[1] : undefined
  if (leaves) date([...names], (event) => GOES.has(event), dayOf(leaves))
}
/** "Ada Sample’s appointment is effective May 1" */
const OWN_NOUN =
  /\uE001[’']s? (appointment|election|promotion|resignation|retirement|departure) (?:is|was|will be|became|becomes|shall be|will become)(?: to be)? effective\b/
const HIS_LEAVE = new RegExp(`\\b(?:his|her|their) (?:retirement|resignation|departure|separation)(?: from [^.;,]{3,60})? (?:on|effective|effective on|effective as of) ${DAY}`) // biome-ignore format: one line

function eventsOf(
  { sentence, masked, mentions }: Read,
  officeOf: (name: string) => string | null,
  before: Before,
): { events: Officer[]; unsure: number } {
  // What an officer was elsewhere, or before, is told in years.
  const isPast = HISTORY.test(masked) && !NOW.test(masked)
  const isKnown = (who: readonly number[]) =>
    who.some((i) => before.officers.some(({ name, event }) => name === mentions[i]!.name && event === 'appointed'))
  const all = [...comingIn(masked, isPast), ...goingIn(masked, isPast, isKnown)].sort((a, b) => a.at - b.at)
  const found = all.map((one) => ({ ...one, titles: withSuccessor(one, all, { masked, mentions }, officeOf) }))
  const goesOn = ({ mayGoOn, who, titles }: Said) => mayGoOn === true && who.some((i) => isWithin(besides(masked, i) ?? before.titles.get(mentions[i]!.name) ?? null, titles)) // biome-ignore format: one line
  const certain = found.filter((one) => one.event !== 'appointed' || (one.titles.length > 0 && !goesOn(one)))
  const event_date = eventDateOf(masked, before.day)
  const leading = leadingDay(masked)
  const events = certain.flatMap((one, n): Officer[] => {
    const { event, at, who, titles, isFuture } = one
    const next = certain.slice(n + 1).find((other) => other.at > at && other.who[0] !== who[0])
    const to = next?.at ?? masked.length
    // The day stands behind the names, which stand behind the verb of who appoints.
    const last = Math.max(one.after ?? at, ...who.map((i) => behind(masked, i)).filter((place) => place < to))
    const onDay = dayBehind(masked, last, to)
    const happened = event_date ?? noticeDay(masked.slice(0, at)) ?? (isFuture ? null : onDay)
    const effective =
      effectiveOf(masked, { from: at, to, isFirst: n === 0, event_date: happened }) ??
      leading ??
      (isFuture && onDay !== event_date ? onDay : null)
    return apportioned(masked, who, titles).map(([i, title]) => {
      const { name } = mentions[i]!
      const office = title ?? (event === 'appointed' ? null : (besides(masked, i, true) ?? officeOf(name)))
      return { start: sentence.start, end: sentence.end, name, title: office, event, event_date: happened, effective_date: effective } // biome-ignore format: one line
    })
  })
  return { events, unsure: found.length - certain.length }
}

const REPLACES = /^[^.;]{0,60}?\b(?:to replace|to succeed|replacing|succeeding)\s\uE000(\d{1,4})\uE001(?!\s(?:as|in)\b)/
const REPLACEMENT =
  /^[^.;]{0,60}?\bas\s(?:his|her|(?:an?|the|its)|\uE000\d{1,4}\uE001[’']s?)\s(?:replacement|successor)\b(?!\s(?:as|in)\b)/

/** "appointed Ada Sample as her replacement": to the office that somebody leaves in the same sentence. */
function withSuccessor(
  { event, at, titles }: Said,
  all: readonly Said[],
  { masked, mentions }: Pick<Read, 'masked' | 'mentions'>,
  officeOf: (name: string) => string | null,
): readonly string[] {
  if (event !== 'appointed' || titles.length > 0) return titles
  const replaced = REPLACES.exec(masked.slice(at, at + 200))?.[1]
  if (replaced !== undefined) {
    const i = Number(replaced)
    const leaving = all.find((one) => one.event !== 'appointed' && one.who.includes(i))?.titles[0]
    const office = leaving ?? officeOf(mentions[i]!.name)
    return office ? [office] : titles
  }
  if (!REPLACEMENT.test(masked.slice(at, at + 200))) return titles
  const leaver = all.findLast((one) => one.event !== 'appointed' && one.at < at)
  if (!leaver) return titles
  const office = leaver.titles[0] ?? officeOf(mentions[leaver.who[0]!]!.name)
  return office ? [office] : titles
}

/** "X and Y … as Chief Executive Officer and President, respectively" */
function apportioned(
  masked: string,
  who: readonly number[],
  titles: readonly string[],
): (readonly [number, string | null])[] {
  if (titles.length === 0) return who.map((i) => [i, null] as const)
  const parts = titles.length === 1 ? titles[0]!.split(/,?\sand\s/) : titles
  if (who.length > 1 && parts.length === who.length && /\brespectively\b/.test(masked)) {
    return who.map((i, n) => [i, parts[n]!] as const)
  }
  return who.flatMap((i) => titles.map((title) => [i, who.length > 1 ? singular(title) : title] as const))
}

/** "Co-Presidents" of two is what each of them is. */
const singular = (title: string) => title.replace(/\b(Officer|President|Chair|Director|Vice President|Treasurer|Secretary|CEO)s(?=$| of |,| and )/g, '$1') // biome-ignore format: one line
