/** Reads the events of one sentence: the person, the office, the day of the event and its effective day. */

import {
  dayAfter,
  effectiveOf,
  eventDateOf,
  isAtOnce,
  isFromSameDay,
  lastDay,
  leadingDay,
  noticeDay,
  onDay as onDayIn,
  respectiveDays,
  respectiveOn,
  thatDay,
  whoDay,
} from '../days.ts'
import { appointmentsIn, exchangesIn } from './appointments.ts'
import { departuresIn } from './departures.ts'
import { GOES } from './later.ts'
import { wordsIn } from './lexicon.ts'
import { endOf, type MaskedSentence, placeOf } from './mask.ts'
import { HISTORY, NOW } from './negation.ts'
import { isByOtherFirm } from './other-firm.ts'
import type { Officer, OfficerStatement } from './statement.ts'
import { officeNextTo, subjectOf } from './subjects.ts'
import { dropped } from './vetoes.ts'

/** Results of the previous sentences. */
export interface Before {
  officers: readonly Officer[]
  /** The day of the last event, for "on the same date". */
  day: string | null
  /** The day of the last event within the paragraph, for "effective immediately". */
  paragraphDay: string | null
  /** The office in apposition to each name anywhere in the text; the key is the name. */
  titles: ReadonlyMap<string, string>
  /** Returns the office that a name has anywhere in the text. */
  officeOf: (name: string) => string | null
  /** Tests whether the officers of a firm are officers of the filer. */
  isRelated: (firm: string) => boolean
}

export interface OfficerEvents {
  events: Officer[]
  /** Events that caused vacancies. Such an event counts only if no other sentence reports it. */
  causes: Officer[]
  /** Events that come after another event of the same person: "…, after which he will retire". */
  later: Set<Officer>
  /**
   * Number of dropped statements: appointments without an office, appointments to an office in which the person
   * continues, and statements in which another firm acts.
   */
  unsure: number
}

/**
 * Tests whether the new offices include the known office. In "the Chief Executive Officer … agreed to serve as
 * President and Chief Executive Officer", the person continues in the known office.
 */
const isWithin = (known: string | null, titles: readonly string[]): boolean => {
  const parts = new Set(titles.flatMap((title) => title.toLowerCase().split(PARTS)))
  return (
    known
      ?.toLowerCase()
      .split(PARTS)
      .every((part) => parts.has(part)) ?? false
  )
}
const PARTS = /,\sand\s|,\s|\sand\s/

/** Matches a relative clause between a name and a verb, which is only a remark about the person. */
const RELATIVE = /^,?\s(?:and\s)?who(?:se)?\b(?:[^,]|,\s\d{4})*$/
/** Matches "the vacancies on the Board created by" */
const ON_BOARD = /\b(?:vacanc(?:y|ies)|seats?) on (?:the|its|our) [^.;,]{0,40}?Board\b|\bdirectorships?\b/
/** Matches an event that was reported before: "who had announced his retirement". */
const HAD = /^,?\s(?:and\s)?who\shad\b(?:[^,]|,\s\d{4})*$/

/** Matches "who previously announced her intention to retire": an earlier filing has reported it. */
const PREVIOUSLY = /^,?\s(?:and\s)?who\s(?:has\s|had\s)?previously\b(?:[^,]|,\s\d{4})*$/

/** Matches the reference to an earlier event: "following the resignation of". */
const FOLLOWING = /\b(?:following|after|since|subsequent to|prior to) (?:the |his |her )?$/i
/** Matches a further act of the company, after which days belong to documents. */
const BESIDES =
  /,?\sand\s(?:the\s(?:Company|Board|Compensation Committee)|it)\s(?:has\s|have\s|also\s)*(?:entered|approved|granted|issued|amended|awarded|executed)\b/

const ON_HEAD = /^(?:\([a-e]\)\s){0,2}On [A-Z][a-z]{2,8}\.? \d{1,2}, \d{4},?\s$/
/** Matches "On May 3, 2020, the Company announced that the Board appointed Ada Sample on May 1, 2020" */
const ANNOUNCED = /^(?:\([a-e]\)\s){0,2}On [^;\ue000]{3,90}?\sannounced\sthat\b(?!.*\bwh(?:o|ich)\b)/
const PAPER =
  /^(?:\([a-e]\)\s)?(?:[Ee]ffective|[Aa]s of|[Oo]n) [^;]{3,60}?,\s\d{4},?\s(?:the\s(?:Company|Board)|we)\s(?:and\s[^.;]{3,80}?\s)?(?:entered into|amended|executed)\b/

/**
 * Long: it reads the statements of one sentence together. Branches: one for each construction that joins or separates
 * two statements.
 */
export function eventsOf(read: MaskedSentence, before: Before): OfficerEvents {
  const { masked, mentions, trace } = read
  // In a sentence about a career, years belong to offices that the person held elsewhere or earlier.
  const isPast = HISTORY.test(masked) && !NOW.test(masked) && dropped(trace, 'career', 0)
  const isKnown = (who: readonly number[], at: number) =>
    who.some((i) => before.officers.some(({ name, event }) => name === mentions[i]!.name && event === 'appointed')) &&
    dropped(trace, 'newcomer', at)
  const exchanges = isPast ? [] : exchangesIn(read)
  const all = [...appointmentsIn(read, isPast, exchanges), ...departuresIn(read, isPast, isKnown, exchanges)].sort(
    (a, b) => a.at - b.at,
  )
  trace?.statements(all)
  const found = all
    .filter((one) => !(PREVIOUSLY.test(gapOf(masked, one) ?? '') && dropped(trace, 'previously', one.at)))
    .map((one) => ({
      ...one,
      titles: withSuccessor(one, all, read, before),
      isCause: one.isCause === true || HAD.test(gapOf(masked, one) ?? ''),
    }))
  const goesOn = ({ mayGoOn, who, titles, at }: OfficerStatement) =>
    mayGoOn === true &&
    (who.some((i) => isWithin(officeNextTo(read, i) ?? before.titles.get(mentions[i]!.name) ?? null, titles)) ||
      found.some(
        (one) =>
          one.event !== 'appointed' &&
          one.at < at &&
          one.who[0] === who[0] &&
          one.titles.some((left) => left !== titles[0] && titles.every((title) => left.startsWith(`${title}, `))),
      ))
  const certain = found.filter(
    (one) =>
      !(isByOtherFirm(masked, one, before.isRelated) && dropped(trace, 'other_firm', one.at)) &&
      (one.event !== 'appointed' ||
        (!(one.titles.length === 0 && dropped(trace, 'no_office', one.at)) &&
          !(goesOn(one) && dropped(trace, 'continues', one.at)))),
  )
  const reported: OfficerEvents = { events: [], causes: [], later: new Set(), unsure: found.length - certain.length }
  const days = respectiveDays(masked)
  const daysOn = respectiveOn(masked)
  const persons = certain.flatMap(({ who }) => who).length
  let person = 0
  for (const [n, one] of certain.entries()) {
    const { event, who, titles } = one
    const { eventDay, effective } = datesOf(read, certain, n, before)
    for (const [i, title] of apportioned(masked, who, titles)) {
      const { name } = mentions[i]!
      const office =
        title ??
        (event === 'appointed'
          ? null
          : (officeNextTo(read, i, true) ??
            (one.isLater ? null : (before.officeOf(name) ?? replacedBy(masked, i, certain)))))
      const own =
        days.length === persons ? days[person + who.indexOf(i)]! : days.length === certain.length ? days[n]! : null
      const ownDay = who.length > 1 && daysOn.length === who.length ? daysOn[who.indexOf(i)]! : null
      const { start, end } = read
      const officer = {
        start,
        end,
        name,
        title: office,
        event,
        event_date: ownDay ?? eventDay,
        effective_date: own ?? (ownDay && effective === eventDay ? ownDay : effective),
      }
      trace?.event(one, officer)
      if (one.isLater) reported.later.add(officer)
      if (!one.isCause) reported.events.push(officer)
      else
        reported.causes.push({
          ...officer,
          title:
            officer.title ??
            certain.find((other) => other.event === 'appointed')?.titles[0] ??
            (ON_BOARD.test(masked) ? 'director' : null) ??
            before.officers.findLast(({ event }) => event === 'appointed')?.title ??
            null,
        })
    }
    person += who.length
  }
  reported.causes.push(...replacedIn(read, reported.events, before), ...succeededIn(read, reported.events, before))
  return reported
}

/** Matches "who will continue", "who is on medical leave" after the name of a person whom another replaces. */
const STAYS =
  /\bwho (?:(?:will |shall |is to |intends to )?(?:continue|remain|stay)s?\b|is (?:[a-z]+ )?on (?:[a-z]+ ){0,2}leave\b)/

/**
 * Finds replaced persons, who leave the office that their successor enters. Such a departure counts only if no other
 * sentence reports the departure.
 */
function replacedIn(read: MaskedSentence, events: readonly Officer[], before: Before): Officer[] {
  const { masked, mentions, appositions, start, end, trace } = read
  const comes = events.filter(({ event }) => event === 'appointed')
  if (comes.length === 0) return []
  const found = [...wordsIn(read, 'replaces'), ...wordsIn(read, 'insteadOf')]
  return found.flatMap(({ groups: [digits], index, words }) => {
    const { name } = mentions[Number(digits)]!
    const [one] = comes
    // "who succeeded Ada Sample in 2015" is history.
    if (!one || comes.some((other) => other.name === name)) return []
    if (/\bwho\s$/.test(masked.slice(0, index)) && dropped(trace, 'history', index)) return []
    // "succeeds Ada Sample, who continues as Treasurer": the text does not say that she leaves an office.
    if (STAYS.test(masked.slice(index)) && dropped(trace, 'continues', index)) return []
    // In "succeeds Ada Sample as Treasurer" her departure may be long past, unless further words report it.
    const isAbout =
      (appositions[Number(digits)]?.titles.length ?? 0) > 0 || /^,\swho\b/.test(masked.slice(index + words.length))
    if (/^(?!is\b)[a-z]+s\b/.test(words) && !isAbout && dropped(trace, 'mentioned', index)) return []
    const title = comes.length === 1 ? (before.officeOf(name) ?? one.title) : before.officeOf(name)
    const isPast = /^(?:[a-z]+ed|took)\b/.test(words)
    return [
      {
        start,
        end,
        name,
        title,
        event: 'departed' as const,
        event_date: isPast ? one.event_date : null,
        effective_date: one.effective_date,
      },
    ]
  })
}

/**
 * Finds persons who "are succeeded by" a person of `events`. Such a departure counts only if no other sentence reports
 * the departure.
 */
function succeededIn(read: MaskedSentence, events: readonly Officer[], before: Before): Officer[] {
  const { mentions } = read
  if (!events.some(({ event }) => event === 'appointed')) return []
  return wordsIn(read, 'isReplaced').flatMap(({ words, groups: [role, digits], index }) => {
    const one = events.find(({ event, name }) => event === 'appointed' && name === mentions[Number(digits)]!.name)
    if (!one) return []
    return subjectOf(read, index).flatMap((i) => {
      const { name } = mentions[i]!
      if (name === one.name) return []
      const title = role ? one.title : (before.officeOf(name) ?? one.title)
      return [
        {
          ...one,
          name,
          title,
          event: 'departed' as const,
          event_date: /^(?:was|were|has)\b/.test(words) ? one.event_date : null,
        },
      ]
    })
  })
}

/**
 * Returns the office that the successor enters and the person leaves: "to replace Ada Sample, who resigned",
 * "concurrently with the retirement of Ada Sample".
 */
const replacedBy = (masked: string, i: number, all: readonly OfficerStatement[]): string | null =>
  /\b(?:to replace|to succeed|replacing|succeeding|(?:takes?|took|taken|taking) over (?:as [^.;\ue000]{3,120}? )?from|(?:concurrent(?:ly)? with|upon|at the time of|simultaneous(?:ly)? with|by reason of|due to|as a result of) the (?:[a-z]+ )?(?:retirement|resignation|departure|removal|death)s? of)\s$/.test(
    masked.slice(0, placeOf(masked, i)),
  )
    ? (all.find(({ event }) => event === 'appointed')?.titles[0] ?? null)
    : null

/** Returns the text between the nearest name before a verb and the verb; null if the names follow the verb. */
function gapOf(masked: string, { who, at }: OfficerStatement): string | null {
  const place = Math.max(-1, ...who.map((i) => endOf(masked, i)).filter((one) => one <= at))
  return place < 0 ? null : masked.slice(place, at)
}

/**
 * Returns the day of an event and its effective day. Long: it tries several ways to state a day, in a fixed order.
 * Branches: one for each of these ways.
 */
function datesOf(
  { masked }: MaskedSentence,
  all: readonly OfficerStatement[],
  n: number,
  before: Before,
): { eventDay: string | null; effective: string | null } {
  const one = all[n]!
  const { at, who, isFuture } = one
  const next = all.slice(n + 1).find((other) => other.at > at && other.who[0] !== who[0])
  const to = next?.at ?? masked.length
  // If the subject is the appointing party, the names follow the verb, and the day follows the names.
  const places = who.map((i) => endOf(masked, i))
  const last = Math.max(one.after ?? at, ...places.filter((place) => place < to))
  const onDay = dayAfter(masked, last, to)
  if (one.isCause)
    return { eventDay: onDay, effective: effectiveOf(masked, { from: at, to, isFirst: false, event_date: null }) }
  const gap = gapOf(masked, one)
  const isRelative = gap !== null && RELATIVE.test(gap)
  const isAfter = one.after !== undefined && one.event !== 'appointed' && FOLLOWING.test(masked.slice(0, at))
  const head =
    isAfter || (isRelative && (!isFuture || n === 0) && !isAtOnce(masked, at, to))
      ? null
      : eventDateOf(masked, before.day)
  // In "On July 1, 2025, Ada Sample will step down", the day is in the future, so it is the effective day.
  const isToCome =
    isFuture &&
    gap !== null &&
    /^\s(?:will|shall)\s[^;]*$/.test(gap) &&
    ON_HEAD.test(masked.slice(0, placeOf(masked, who[0]!)))
  const notice = gap === null ? null : isRelative ? whoDay(gap) : noticeDay(gap)
  const verb = all.slice(n + 1).find((other) => other.at > Math.max(at, last))?.at ?? masked.length
  const that = thatDay(masked.slice(0, Math.min(to, verb)), last, before.day)
  const announced = head !== null && !isFuture && onDay !== null && ANNOUNCED.test(masked) ? onDay : null
  const eventDay = isToCome
    ? null
    : (notice ??
      announced ??
      head ??
      (isRelative ? null : noticeDay(masked.slice(0, at))) ??
      (isFuture ? null : (onDay ?? that.on ?? dayAboveList(masked, at, places))))
  // In "Effective June 1, 2020, the Company amended its agreement with …", the day is not the day of a departure.
  const isPaper = one.event !== 'appointed' && PAPER.test(masked)
  const aside = BESIDES.exec(masked.slice(at, to))?.index
  const reach = {
    from: at,
    to: aside === undefined ? to : at + aside,
    isFirst: n === 0 && !isRelative && !isPaper,
    event_date: eventDay ?? before.paragraphDay,
  }
  const ownDay = onDay !== head ? onDay : null
  const effective =
    one.day ??
    effectiveOf(masked, reach) ??
    // "Effective June 30, 2020, she will step down, and will retire on December 31, 2020": the second act has its own
    // day.
    (isFuture && n > 0 ? ownDay : null) ??
    (isRelative || isPaper ? null : headDay(masked, reach.event_date, before.day)) ??
    (isFuture ? (ownDay ?? that.on) : null) ??
    (isToCome ? head : null) ??
    lastDay(masked.slice(at, to)) ??
    dayBefore(masked, all, n)
  const isNow = eventDay === null && effective !== null && isAtOnce(masked, at, to)
  return { eventDay: isNow ? effective : eventDay, effective: effective ?? that.from }
}

/** Returns the day at the beginning of a sentence: "Effective June 1, 2020", "Effective the same date". */
const headDay = (masked: string, event_date: string | null, before: string | null): string | null =>
  isFromSameDay(masked) ? before : leadingDay(masked, event_date)

/** Returns the day on which a person leaves another office for this one: "will step down, effective May 1, to become" */
function dayBefore(masked: string, all: readonly OfficerStatement[], n: number): string | null {
  const [before, one] = [all[n - 1], all[n]!]
  if (!before || before.event === 'appointed' || before.who[0] !== one.who[0]) return null
  if (!/,\sto\s(?:[a-z]+ly\s)?$/.test(masked.slice(before.at, one.at))) return null
  return effectiveOf(masked, { from: before.at, to: one.at, isFirst: false, event_date: null })
}

/** Returns the day between the verb and the names of a list: "were elected directors on May 1, 2020:". */
function dayAboveList(masked: string, at: number, places: readonly number[]): string | null {
  const names = masked.slice(at, Math.max(at, ...places))
  const colon = names.indexOf(':')
  return colon < 0 ? null : onDayIn(names.slice(0, colon))
}

/** Maximum distance between the verb of an appointment and the name of the predecessor. */
const REPLACES_MAX = 60
/** Matches the word between the name of a predecessor and an office. The successor enters that office. */
const OF_OFFICE = /^\s(?:as|in)\b/

/** Returns the predecessor whom the words after a verb of appointment name: "to succeed Ada Sample". */
function predecessorAt(read: MaskedSentence, at: number): number | undefined {
  const { masked } = read
  const found = wordsIn(read, 'replaces').find(({ index, words }) => {
    const gap = masked.slice(at, Math.max(at, index))
    return index >= at - 'will '.length && isNear(gap) && !OF_OFFICE.test(masked.slice(index + words.length))
  })
  return found && Number(found.groups[0])
}

/** Tests whether words after a verb of appointment refer to an office that another statement names: "as her successor". */
const isSuccessor = (read: MaskedSentence, at: number): boolean =>
  wordsIn(read, 'asSuccessor').some(({ index }) => index >= at && isNear(read.masked.slice(at, index)))
const isNear = (gap: string) => gap.length <= REPLACES_MAX && !/[.;]/.test(gap)

/** Matches a vacancy that the words do not place on the board: it is in the office of the person who leaves. */
const VACANCY = /^[^.;]{0,80}?\bfill(?:ing)? the (?:resulting |vacated )?vacanc(?:y|ies)\b(?! on\b)/
/** Matches words about the board, or its size: "increased the number of directors". */
const OF_BOARD = /\b(?:directors?|directorships?|seats?|size|members?|expand(?:ed|s|ing)?|increas(?:ed|es|ing)?)\b/i

/**
 * If the appointed person only fills "the vacancy", and the text does not say that the vacancy is on the board, returns
 * the offices that a person left. Otherwise returns the offices of the appointment.
 */
function officesVacated(
  { at, titles, who }: OfficerStatement,
  all: readonly OfficerStatement[],
  { masked }: MaskedSentence,
  officers: readonly Officer[],
): readonly string[] {
  if (titles.length !== 1 || titles[0] !== 'director') return titles
  const from = Math.max(at, ...who.map((i) => endOf(masked, i)))
  if (!VACANCY.test(masked.slice(from, from + 140)) || OF_BOARD.test(masked)) return titles
  const own = all.filter(({ event, titles: left }) => event !== 'appointed' && left.length > 0)
  const last = officers.at(-1)
  const left =
    own.length > 0
      ? own.flatMap((one) => one.titles)
      : officers.flatMap(({ name, event, title }) => (name === last?.name && GOES.has(event) && title ? [title] : []))
  return left.length === 0 || left.includes('director') ? titles : [...new Set(left.map(permanent))]
}

/** Removes "interim" from the title of a predecessor. The text would say so if the successor were interim too. */
const permanent = (title: string): string => title.replace(/^(?:interim|acting)\s/i, '')

/**
 * Gives the successor the office that a person leaves in the same or the previous sentence: "appointed Ada Sample as
 * her replacement".
 */
function withSuccessor(
  one: OfficerStatement,
  all: readonly OfficerStatement[],
  read: MaskedSentence,
  { officers, officeOf }: Before,
): readonly string[] {
  const { mentions } = read
  const { event, at, titles } = one
  if (event !== 'appointed') return titles
  if (titles.length > 0) return officesVacated(one, all, read, officers)
  const i = predecessorAt(read, at)
  if (i !== undefined) {
    const leaving = all.find((other) => other.event !== 'appointed' && other.who.includes(i))?.titles[0]
    const { name } = mentions[i]!
    const left = officers.findLast((other) => other.name === name && GOES.has(other.event))
    const office = leaving ?? left?.title ?? officeOf(name)
    return office ? [permanent(office)] : titles
  }
  const isSucceeded = [...wordsIn(read, 'succeededBy'), ...wordsIn(read, 'fallsTo')].some(({ index }) => index === at)
  if (!isSucceeded && !isSuccessor(read, at)) return titles
  const leaver = all.findLast((other) => other.event !== 'appointed' && other.at < at)
  if (leaver) {
    const office = officeOf(mentions[leaver.who[0]!]!.name)
    return leaver.titles.length > 0 ? leaver.titles.map(permanent) : office ? [permanent(office)] : titles
  }
  // "Ada Sample, our Treasurer, will be succeeded by": the successor enters the office next to the name.
  const [left] = isSucceeded ? subjectOf(read, at) : []
  const own = left === undefined ? null : officeNextTo(read, left, true)
  if (own) return [permanent(own)]
  const last = officers.at(-1)
  if (!last || last.event === 'appointed') return titles
  return officers.flatMap(({ name, event: how, title }) =>
    name === last.name && how === last.event && title ? [permanent(title)] : [],
  )
}

/** Assigns each office to its person: "X and Y … as Chief Executive Officer and President, respectively" */
function apportioned(
  masked: string,
  who: readonly number[],
  titles: readonly string[],
): (readonly [number, string | null])[] {
  if (titles.length === 0) return who.map((i) => [i, null] as const)
  const split = (by: RegExp) => (titles.length === 1 ? titles[0]!.split(by) : titles)
  const parts = [split(/,?\sand\s/), split(PARTS)].find((some) => some.length === who.length) ?? []
  if (who.length > 1 && parts.length > 0 && /\brespectively\b/.test(masked)) {
    return who.map((i, n) => [i, parts[n]!] as const)
  }
  return who.flatMap((i) => titles.map((title) => [i, who.length > 1 ? singular(title) : title] as const))
}

/** Returns the singular of an office that several persons share: "Co-Presidents" becomes "Co-President". */
const singular = (title: string) =>
  title.replace(/\b(Officer|President|Chair|Director|Vice President|Treasurer|Secretary|CEO)s(?=$| of |,| and )/g, '$1')
