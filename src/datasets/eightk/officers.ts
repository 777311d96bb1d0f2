/** Item 5.02: who comes, who goes and who is paid, sentence by sentence. */

import {
  appointedTo,
  besides,
  CONDITION,
  effectiveOf,
  eventDateOf,
  FIRST,
  goesFrom,
  LIST,
  maskedOf,
  numbersIn,
  P,
  type Read,
  spanOf,
  subjectOf,
  titlesAt,
  titlesOf,
} from './clauses.ts'
import { type Mention, mentionsOf } from './names.ts'
import { titleFrom } from './offices.ts'
import { paidIn } from './pay.ts'
import { CLOSE, DAY, OPEN, type Span, sentencesOf } from './prose.ts'
import type { OFFICER_EVENTS } from './tables-words.ts'
import { isDenied, isTakenBack } from './unmade.ts'

export type OfficerEvent = (typeof OFFICER_EVENTS)[number]

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

const APPOINTED = /\b(?:appointed|elected|named|promoted|hired|designated)\b/g
const ASSUMES =
  /\b(?:became|will become|assumed? (?:his|her|the) (?:new |current )?(?:position|role|office)s?(?: as| of)?|will (?:also )?(?:serve|act) as|will be|joined|will join)\s/g
const APPOINTMENT = /\b(?:appointment|election|promotion) of\s/g
const SUCCEEDED = new RegExp(`\\bsucceeded as\\s([^${OPEN};]{3,120}?)\\sby\\s(?=${P})`, 'g')
const GOES: readonly (readonly [OfficerEvent, RegExp])[] = [
  [
    'retired',
    /\bretir(?:e|es|ed|ing)\b(?! (?:plan|benefit|date|agreement|(?:the |its |all |any )?(?:\w{1,20} )?(?:notes|debt|shares|securities)))/gi,
  ],
  ['resigned', /\bresign(?:s|ed|ing)?\b/gi],
  ['retired', /\b(?:his|her|their) (?:planned|upcoming|previously announced|anticipated) retirement\b/gi],
  [
    'resigned',
    /\b(?:tendered|submitted|delivered|announced|gave notice of|notice of) (?:his|her|their) resignation\b/gi,
  ],
  ['retired', /\b(?:announced|gave notice of|notice of) (?:his|her|their) retirement\b/gi],
  ['departed', /\b(?:depart(?:s|ed)?|step(?:s|ped|ping)? down|not (?:to )?(?:stand|run|seek)(?: for)? re-?election|not (?:to )?be (?:re-?nominated|standing for re-?election)|transition(?:ed|ing)? from|ceas(?:e|es|ed|ing) to (?:serve|be)|no longer serves?|leave the company|left the company)\b/gi], // biome-ignore format: one line
  ['removed', /\b(?:was|were|been|be) (?:terminated|removed|dismissed)\b/gi],
]
const NOUN = new RegExp(`\\b(retirement|resignation|departure|removal|termination) (?:of|by)\\s(?=(?:${P}))`, 'gi')
/** "Brett Kaufman’s employment as the Chief Financial Officer … will terminate" */
const ENDS = new RegExp(
  `${OPEN}(\\d{1,4})${CLOSE}[’']s? employment(?: as ([^${OPEN};]{3,120}?))?(?: with [^${OPEN};.]{3,60}?)? (?:will (?:terminate|end)|was terminated|has been terminated|ended)`,
  'g',
)
const HISTORY =
  /\b(?:prior to|previously(?! (?:announced|disclosed|reported))|formerly|before (?:joining|that|becoming)|(?:from|since|in|until) (?:[A-Z][a-z]{2,8} )?(?:of )?(?:19|20)\d\d)\b/i
const NOW = new RegExp(`\\b[Oo]n\\s${DAY}|\\b[Ee]ffective\\b|\\bwill\\b`)
const OF_NOUN: Readonly<Record<string, OfficerEvent>> = { retirement: 'retired', resignation: 'resigned', departure: 'departed', removal: 'removed', termination: 'removed' } // biome-ignore format: one line

/**
 * @param section text of the item behind its heading
 * @param company name of the filer: an office of it has no other name than the office
 * @returns the events in the order of the text, and how many were left out: a name or an office that is not certain
 */
export function officersOf(
  markdown: string,
  section: Span,
  company: string | null = null,
): { officers: Officer[]; leftOut: number } {
  const { text, sentences } = sentencesOf(markdown, section)
  const { found, leftOut } = mentionsOf(text)
  const reads = sentences.map((sentence) => ofCompany(maskedOf(sentence, found, section.start), company))
  const titles = titlesOf(reads)
  const officers: Officer[] = []
  const add = (one: Officer) => {
    const same = officers.filter(({ name, event }) => name === one.name && event === one.event)
    // Who retires "will step down" as well: the sentence that says how counts.
    if (one.event === 'departed' && officers.some(({ name, event }) => name === one.name && HOW.has(event))) return
    if (one.title === null ? same.length === 0 : !same.some(({ title }) => isSame(title, one.title!)))
      officers.push(one)
  }
  let left = leftOut.length
  for (const read of reads) {
    if (read.mentions.length === 0) continue
    const { events, unsure } = eventsOf(read, titles, officers)
    left += unsure
    for (const event of events) add(event)
    accept(read, officers)
    for (const event of paidIn(read, titles)) {
      event.title ??= officers.find(({ name, title }) => name === event.name && title !== null)?.title ?? null
      if (!officers.some(({ name, event: kind }) => name === event.name && kind === 'compensation'))
        officers.push(event)
    }
  }
  return { officers: officers.filter((one) => one.title !== null || !officers.some((each) => each !== one && each.name === one.name && each.event === one.event)), leftOut: left } // biome-ignore format: one line
}

/** Whether two titles are one office, which is of a part of the company in one of them. */
const isSame = (known: string | null, title: string): boolean =>
  known !== null && (known === title || known.startsWith(`${title} of `) || title.startsWith(`${known} of `))

/** "of AFC Gamma, Inc.": where the filer has no name, a company by its legal form is taken for it. */
const LEGAL =
  /\sof\s(?:the\s)?(?:\p{Lu}[\p{L}\d&-]{0,24},?\s){1,6}(?:Corporation|Corp|Incorporated|Inc|Company|Co|LLC|L\.P|Ltd|plc|N\.A)\b/gu

/** The filer's own name, by its first word, stands as "the Company" behind "of". */
function ofCompany(read: Read, company: string | null): Read {
  const [word] = /[\p{L}\d][\p{L}\d&-]*/u.exec(company?.replace(/^the\s/i, '') ?? '') ?? []
  const named = word ? new RegExp(`\\sof\\s(?:the\\s)?${word}(?![\\p{L}\\d])`, 'giu') : LEGAL
  return { ...read, masked: read.masked.replace(named, ' of the Company') }
}

/** "She accepted the appointment effective as of July 31, 2019." (0001193125-19-191922) */
function accept({ masked, mentions }: Read, officers: readonly Officer[]): void {
  const at = /\baccepted (?:the|his|her) (?:appointment|election|position|offer)\b/.exec(masked)?.index
  if (at === undefined) return
  const effective_date = effectiveOf(masked, { from: at, to: masked.length, isFirst: false, event_date: null })
  const names = subjectOf(masked, at).map((i) => mentions[i]!.name)
  for (const one of officers) if (one.event === 'appointed' && names.includes(one.name)) one.effective_date ??= effective_date // biome-ignore format: one line
}

const HOW: ReadonlySet<OfficerEvent> = new Set(['retired', 'resigned', 'removed'])

interface Event {
  event: OfficerEvent
  /** Which mentions. */
  who: readonly number[]
  titles: readonly (string | null)[]
  /** Where it stands in the masked sentence. */
  at: number
}

function eventsOf(
  { sentence, masked, mentions }: Read,
  known: ReadonlyMap<string, string>,
  before: readonly Officer[],
): { events: Officer[]; unsure: number } {
  let unsure = 0
  const found: Event[] = []
  const put = (event: OfficerEvent, at: number, who: readonly number[], titles: readonly (string | null)[]) => {
    if (who.length > 0 && titles.length > 0) found.push({ event, at, who, titles })
    else if (who.length > 0) unsure++
  }
  // What an officer was elsewhere, or before, is told in years.
  const isPast = HISTORY.test(masked) && !NOW.test(masked)
  for (const match of isPast ? [] : masked.matchAll(APPOINTED)) {
    if (isDenied(masked, match.index)) continue
    const after = match.index + match[0].length
    const [list] = LIST.exec(masked.slice(after)) ?? []
    if (list && FIRST.test(list))
      put('appointed', match.index, numbersIn(list), appointedTo(masked, after + list.length))
    else if (
      /\b(?:has|have|had|was|were|is|are|be|been|unanimously)\s$/.test(
        masked.slice(Math.max(0, match.index - 14), match.index),
      )
    ) {
      put('appointed', match.index, subjectOf(masked, match.index), appointedTo(masked, after))
    }
  }
  for (const match of masked.matchAll(APPOINTMENT)) {
    const after = match.index + match[0].length
    const [list] = LIST.exec(masked.slice(after)) ?? []
    if (list && FIRST.test(list) && !isTakenBack(masked, match.index, after + list.length)) {
      const titles = appointedTo(masked, after + list.length)
      if (titles.length > 0) put('appointed', match.index, numbersIn(list), titles)
    }
  }
  for (const match of isPast ? [] : masked.matchAll(ASSUMES)) {
    const titles = titlesAt(masked, match.index + match[0].length)
    if (titles.length > 0) put('appointed', match.index, subjectOf(masked, match.index), titles)
  }
  for (const match of masked.matchAll(SUCCEEDED)) {
    const [list = ''] = LIST.exec(masked.slice(match.index + match[0].length)) ?? []
    const title = titleFrom(match[1]!, 0)?.title
    if (title) put('appointed', match.index, numbersIn(list), [title])
  }
  for (const [event, verb] of GOES) {
    for (const match of masked.matchAll(verb)) {
      if (CONDITION.test(masked.slice(0, match.index)) || isDenied(masked, match.index)) continue
      const who = subjectOf(masked, match.index)
      // What a new director retired from is history (0000049826-16-000241).
      if (/ed$/i.test(match[0]) && (isPast || isKnown(who, mentions, before))) continue
      const after = match.index + match[0].length
      const roles = goesFrom(masked, after)
      put(event, match.index, who, roles.length > 0 ? roles : [null])
      const to = /^[^.;]{3,80}?\sto\s/.exec(masked.slice(after))
      const next = match[0].startsWith('transition') && to ? titleFrom(masked, after + to[0].length)?.title : undefined
      if (next) put('appointed', match.index, who, [next])
    }
  }
  for (const match of masked.matchAll(ENDS)) {
    if (CONDITION.test(masked.slice(0, match.index))) continue
    const title = match[2] ? titleFrom(match[2], 0)?.title : undefined
    put(
      /(?:was|has been) terminated/.test(match[0]) ? 'removed' : 'departed',
      match.index,
      [Number(match[1])],
      [title ?? null],
    )
  }
  for (const match of masked.matchAll(NOUN)) {
    if (CONDITION.test(masked.slice(0, match.index))) continue
    const [list = ''] = LIST.exec(masked.slice(match.index + match[0].length)) ?? []
    if (isTakenBack(masked, match.index, match.index + match[0].length + list.length)) continue
    if (isKnown(numbersIn(list), mentions, before)) continue
    const roles = goesFrom(masked, match.index + match[0].length + list.length)
    put(OF_NOUN[match[1]!.toLowerCase()]!, match.index, numbersIn(list), roles.length > 0 ? roles : [null])
  }
  found.sort((a, b) => a.at - b.at)
  const event_date = eventDateOf(masked)
  const events = found.flatMap(({ event, at, who, titles }, n): Officer[] => {
    const next = found.slice(n + 1).find((other) => other.at > at && other.who[0] !== who[0])
    const effective_date = effectiveOf(masked, {
      from: at,
      to: next?.at ?? masked.length,
      isFirst: n === 0,
      event_date,
    })
    const own = apportioned(masked, who, titles)
    return own.map(([i, title]) => {
      const { name } = mentions[i]!
      const office = title ?? (event === 'appointed' ? null : (besides(masked, i) ?? known.get(name) ?? null))
      return { ...spanOf(sentence), name, title: office, event, event_date, effective_date }
    })
  })
  return { events, unsure }
}

/** Whether one of them was appointed by a sentence before. */
const isKnown = (who: readonly number[], mentions: readonly Mention[], before: readonly Officer[]) =>
  who.some((i) => before.some(({ name, event }) => name === mentions[i]!.name && event === 'appointed'))

/** "X and Y … as Chief Executive Officer and President, respectively" */
function apportioned(
  masked: string,
  who: readonly number[],
  titles: readonly (string | null)[],
): (readonly [number, string | null])[] {
  const parts = titles.length === 1 ? (titles[0]?.split(/,?\sand\s/) ?? []) : titles
  if (who.length > 1 && parts.length === who.length && /\brespectively\b/.test(masked)) {
    return who.map((i, n) => [i, parts[n]!] as const)
  }
  return who.flatMap((i) => titles.map((title) => [i, who.length > 1 ? singular(title) : title] as const))
}

/** "Co-Presidents" of two is what each of them is. */
const singular = (title: string | null) => title?.replace(/^(Co-(?:President|CEO|Chair))s(?=$| of )/, '$1') ?? null
