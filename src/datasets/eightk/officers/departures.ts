/**
 * Finds departures in a sentence: the persons, and the offices that they leave by resignation, retirement or removal.
 */

import { PROSE_FORM } from '../../../read/legal-forms.ts'
import { DAY, dayOf } from '../../../read/prose/dates.ts'
import { OPEN } from '../../../read/prose/sentences.ts'
import { isElsewhere, titleFrom } from '../../../read/prose/titles.ts'
import { laterOf } from './after-which.ts'
import type { Exchange } from './appointments.ts'
import type { FrameName } from './frames.ts'
import { type LexiconRow, type WordMatch, wordsIn } from './lexicon.ts'
import { endOf, type MaskedSentence, numbersIn, P } from './mask.ts'
import { EITHER, isAsked, isDenied, isHistory, isLimit, isPossible, isProvided, isWithdrawn } from './negation.ts'
import { goesFrom, titlesAt } from './roles.ts'
import type { OfficerEvent, OfficerStatement } from './statement.ts'
import { LIST, subjectOf } from './subjects.ts'
import { dropped } from './vetoes.ts'

/** Words before a resignation that the sentence mentions only as a cause or as a time. */
const CAUSE = /\b(?:vacanc(?:y|ies)|created|caused|resulting|due to|since|prior to|before)\b[^.;]{0,40}$/i
/**
 * Matches words that mention a termination as already known: "in connection with the termination". Another sentence may
 * report the departure.
 */
const TERMINATED =
  /\b(?:in connection with|as a result of|on account of|related to|relating to) (?:the |his |her |their )?termination$/i
const VACATED =
  /\b(?:vacanc(?:y|ies)|vacant|vacated|seats?|directorships?|positions?)\b[^.;\ue000]{0,40}\b(?:created|caused|result\w*|due|left|arising|occurring|opened|because|by|following)\b[^.;\ue000]{0,40}$/i
/**
 * Matches the words before a further person who leaves on another day: "and on April 30, 2016 of the following
 * officers: …".
 */
const AND_ON = new RegExp(
  `^[,;]?\\s(?:and )?(?:on|effective|effective on) ${DAY},? of (?:the following [a-z ]{3,40}: )?(?=${P})`,
)

const AND_OTHER = new RegExp(`^ (?:as|from) [^.;${OPEN}]{3,160}?,? and (?=${P},? (?:as|from) )`)
/**
 * Matches offices that each have their own day: "resigned as Treasurer, effective June 1, 2020, and from the Board,
 * effective July 1, 2020".
 */
const AND_FROM = new RegExp(`^[^.;${OPEN}]{3,160}?\\beffective (?:as of |on )?${DAY},? and (?:from|as) (?!of\\b)`)
const ITS_DAY = new RegExp(`^[^.;${OPEN}]{3,60}?,? effective (?:as of |on )?${DAY}`)
/** Matches a departure from a committee, which is not an event, since the person may stay on the board. */
const COMMITTEE =
  /^(?:\s(?:serving|to serve|to be|acting|(?:his|her|their) seats?))?\s(?:as|on|from|of|in)\s[^.;,\ue000]{0,70}?\b[Cc]ommittees?\b/

/**
 * Matches "from its board". After the name of a firm (`TO_FIRM`), these words mean the board of another firm: "told
 * Delta, Inc. that she would resign from its board". The filer’s own name does not match, because "the Company" has
 * replaced it.
 */
const ITS_BOARD = /^ from its [Bb]oard\b/
const TO_FIRM = new RegExp(
  String.raw`\b(?:notified|informed|told|advised) (?:\p{Lu}[\p{L}\d&’'-]{0,24},? ){1,6}${PROSE_FORM}\b`,
  'u',
)

/** Matches words that are not an office: "was terminated as a participant". */
const AS_OTHER =
  /^ as an? (?!(?:[a-z-]+ ){0,3}(?:employee|officer|executive|director|trustee|member|manager|chair))[a-z]|^(?: from)? (?:his|her|their) (?:positions?|roles?) (?:as|of) [^.;,]{0,60}\b(?:plan|fund|foundation|estate)\b/

/**
 * Matches a departure from all offices. The office next to the name is one of them: "resigned from all positions,
 * including as a director".
 */
const ALL = /^[^.;,]{0,40}\ball\b[^.;,]{0,40}\b(?:positions|offices|capacities|roles|titles)\b[^.;]{0,80}\bincluding\b/

const LATTER =
  /^ from (?:the|his|her) (?:latter|last)(?: (two|three))?(?: (?:positions?|offices?|roles?|titles?|capacit(?:y|ies)))?\b/

/**
 * Returns the offices that a person leaves: "Ada Sample, Chairman, President and Treasurer, resigned from the latter
 * two"
 */
function latterOf(rest: string, title: string | undefined): string[] {
  const [latter, count] = LATTER.exec(rest) ?? []
  if (!latter || !title) return []
  const parts = title.split(/,\sand\s|,\s|\sand\s/)
  const last = parts.slice(-(count === 'three' ? 3 : count === 'two' ? 2 : 1))
  return last.length < parts.length ? [title.slice(title.lastIndexOf(last[0]!))] : []
}

/**
 * Returns the second of two offices that each have their own day, and the day of the second office; null if there is no
 * second office.
 */
function secondAt(masked: string, after: number): Pick<OfficerStatement, 'at' | 'titles' | 'day'> | null {
  const first = AND_FROM.exec(masked.slice(after, after + 300))?.[0]
  if (!first) return null
  const at = after + first.length
  const day = dayOf(ITS_DAY.exec(masked.slice(at, at + 120))?.[1])
  const titles = day ? titlesAt(masked, at) : []
  return titles.length > 0 ? { at, titles, day } : null
}

const OTHERS_MAX = 8

/** Tests whether a previous sentence appointed one of these persons. If so, a departure of that person is history. */
type IsKnown = (who: readonly number[], at: number) => boolean

/** Frames of departures with the person as their subject. */
const GOES: readonly (readonly [FrameName, OfficerEvent])[] = [
  ['leaves', 'retired'],
  ['leaves', 'resigned'],
  ['leaves', 'departed'],
  ['leavesNot', 'departed'],
  ['isRemoved', 'removed'],
]

/** A verb of departure that stands in a sentence. */
interface Verb {
  event: OfficerEvent
  found: WordMatch
  /** The next verb of departure, if both verbs report one act: "retire from and resign from the Board". */
  again?: WordMatch
}

const AND_AGAIN = /^(?: from| as)? and (?:(?:[a-z]+ly|also|thereby) )?(?:to )?$/

/**
 * Joins two verbs that report one act into one event. The event has the kind of the first verb, or of the second verb
 * if only the second says how the person leaves: "step down and resign".
 */
function withoutRepeated(verbs: readonly Verb[], { masked, trace }: MaskedSentence): Verb[] {
  if (verbs.length < 2) return [...verbs]
  const sorted = verbs.toSorted((a, b) => a.found.index - b.found.index)
  const kept = new Set(verbs)
  for (const [i, one] of sorted.entries()) {
    const next = sorted[i + 1]
    // A seat that the first verb implies is not the office after the second verb: "will not stand for re-election and
    // resigned as Treasurer".
    if (!next || !kept.has(one) || one.found.row().needs === 'seat') continue
    if (!AND_AGAIN.test(masked.slice(one.found.index + one.found.words.length, next.found.index))) continue
    if (!dropped(trace, 'same_act', next.found.index)) continue
    kept.delete(next)
    one.again = next.found
    if (one.event === 'departed') one.event = next.event
  }
  return verbs.filter((one) => kept.has(one))
}

export function departuresIn(
  read: MaskedSentence,
  isPast: boolean,
  isKnown: IsKnown,
  exchanges: readonly Exchange[],
): OfficerStatement[] {
  const verbs = GOES.flatMap(([frame, event]) => wordsIn(read, frame, event).map((found): Verb => ({ event, found })))
  // One search finds the notices of all kinds of departures, because a search per kind would be slow: each search of
  // this frame costs as much as a search for the longest list of verbs.
  verbs.push(...wordsIn(read, 'notice').map((found): Verb => ({ event: found.row().event!, found })))
  const byVerbs = withoutRepeated(verbs, read).flatMap((verb) => byVerb(read, verb, isPast, isKnown))
  if (isPast) return [...byVerbs, ...byNoun(read, isKnown), ...byOther(read), ...byDay(read, isKnown)]
  return [
    ...byVerbs,
    ...byNoun(read, isKnown),
    ...byEmployments(read),
    ...byHisNoun(read, isKnown),
    ...byRemoving(read),
    ...byExchange(read, exchanges),
    ...byOther(read),
    ...byEnd(read),
    ...byDay(read, isKnown),
  ]
}

/** Returns a list with one event; an empty list if there is no candidate person. */
function said(
  event: OfficerEvent,
  at: number,
  who: readonly number[],
  more: Partial<OfficerStatement> = {},
): OfficerStatement[] {
  return who.length === 0 ? [] : [{ event, at, who, titles: [], isFuture: false, ...more }]
}

/** Tests whether the verb reports no departure. */
const isNone = (read: MaskedSentence, at: number, words: string): boolean =>
  isPossible(read, at) || isDenied(read, at) || isAsked(read, at) || isLimit(read, at, at + words.length)

/** Tests whether the person leaves no office of the filer. `roles` has the offices that the sentence names. */
function isNoOffice(
  { masked, trace }: MaskedSentence,
  at: number,
  after: number,
  { roles, needs }: { roles: readonly string[]; needs: LexiconRow['needs'] },
): boolean {
  const isDirect = needs === 'office' || needs === 'move'
  const rest = `${isDirect ? ' as' : ''}${masked.slice(after, after + 160)}`
  return (
    (roles.length === 0 && COMMITTEE.test(rest.slice(0, 110)) && dropped(trace, 'committee', at)) ||
    (roles.length === 0 && AS_OTHER.test(rest) && dropped(trace, 'other_role', at)) ||
    (ITS_BOARD.test(rest) && TO_FIRM.test(masked.slice(0, at)) && dropped(trace, 'other_firm', at)) ||
    (/^ from /.test(rest) && isElsewhere(rest.replace(/^ from/, ' of')) && dropped(trace, 'other_firm', at))
  )
}

/** Reads departures that a verb reports: "Ada Sample resigned as Treasurer" */
function byVerb(
  read: MaskedSentence,
  { event, found, again }: Verb,
  isPast: boolean,
  isKnown: IsKnown,
): OfficerStatement[] {
  const { masked } = read
  const { index: at, words } = found
  if (isNone(read, at, words)) return []
  const last = again ?? found
  const after = last.index + last.words.length
  // The search for the subject includes the words of the verb, since the pronoun in "of his resignation" identifies
  // the person.
  const who = subjectOf(read, after)
  const isDone = /^(?:was|were|been)\b|^\S*ed\b|^(?:left|died)\b/i.test(words)
  // Earlier retirements of a newly appointed director are history (0000049826-16-000241).
  if (isDone && (isPast || isKnown(who, at) || isHistory(read, after))) return []
  const roles = goesFrom(masked, after)
  if (isNoOffice(read, at, after, { roles, needs: last.row().needs })) return []
  const titles = officesLeft(read, last.row(), roles, who, after)
  const second = titles.length > 0 ? secondAt(masked, after) : null
  const firsts = second ? titles.filter((title) => !second.titles.includes(title)) : titles
  const isFuture = !isDone
  const later = laterOf(masked.slice(0, at))
  if (later)
    return said(event, at, who, {
      titles: titles.length > 0 ? titles : later.titles,
      isFuture,
      isLater: true,
      day: later.day,
    })
  const next = last.row().needs === 'move' ? nextOffice(masked, after) : undefined
  return [
    ...said(event, at, who, { titles: firsts, isFuture }),
    ...(second && firsts.length > 0 ? said(event, second.at, who, { ...second, isFuture }) : []),
    ...(next ? [{ event: 'appointed', at, who, titles: [next], isFuture } as const] : []),
  ]
}

/**
 * Returns the offices that a person leaves. They are the offices after the verb, the office next to the name, or the
 * board seat that the verb implies.
 */
function officesLeft(
  { masked, appositions }: MaskedSentence,
  { needs }: LexiconRow,
  roles: readonly string[],
  who: readonly number[],
  after: number,
): string[] {
  const apposition = who.length === 1 ? (appositions[who[0]!]?.titles ?? []) : []
  if (roles.length > 0) return [...new Set([...roles, ...(ALL.test(masked.slice(after)) ? apposition : [])])]
  if (needs === 'seat') return ['director']
  const rest = masked.slice(after, after + 60)
  return who.length === 1 && LATTER.test(rest) ? latterOf(rest, apposition[0]) : fromHere(needs, masked, after)
}

/** Returns the new office: "transitioned from Treasurer to the role of Controller" */
function nextOffice(masked: string, after: number): string | undefined {
  const to = /^[^.;]{3,80}?\sto\s(?:become\s|serve as\s)?(?:the (?:role|position|office) of\s)?/.exec(
    masked.slice(after, after + 120),
  )
  return to ? titleFrom(masked, after + to[0].length)?.title : undefined
}

function listAt(masked: string, at: number): { who: number[]; end: number } {
  const who = numbersIn(LIST.exec(masked.slice(at))?.[0] ?? '')
  return { who, end: who.length > 0 ? endOf(masked, who.at(-1)!) : at }
}

/** Returns further persons and their offices: "… of Ada Sample as President and John Sample as Treasurer" */
function othersAt(masked: string, at: number): { who: number[]; titles: string[]; after: number }[] {
  const others: { who: number[]; titles: string[]; after: number }[] = []
  for (let from = at; others.length < OTHERS_MAX; from = others.at(-1)!.after) {
    const next = AND_OTHER.exec(masked.slice(from, from + 240))
    if (!next) break
    const { who, end } = listAt(masked, from + next[0].length)
    const titles = goesFrom(masked, end)
    if (who.length === 0 || titles.length === 0 || titles.some((title) => /^(?:interim|acting)\b/i.test(title))) break
    others.push({ who, titles, after: end })
  }
  return others
}

/**
 * Reads departures that a noun reports: "the resignation of Ada Sample as Treasurer", "a letter of resignation from Ada
 * Sample"
 */
function byNoun(read: MaskedSentence, isKnown: IsKnown): OfficerStatement[] {
  const { masked, trace } = read
  return [...wordsIn(read, 'nounOf'), ...wordsIn(read, 'letterOf')].flatMap((found) => {
    const { index: at, words, groups } = found
    const { who, end } = listAt(masked, at + words.length)
    const before = masked.slice(0, at)
    if (isPossible(read, at) || (EITHER.test(before) && dropped(trace, 'either', at))) return []
    if (isWithdrawn(read, at, end) || isHistory(read, end) || isProvided(read, at, end)) return []
    const isVacated = VACATED.test(before)
    // "In connection with the termination of her employment" mentions a departure that another sentence may report.
    const isRepeated = TERMINATED.test(`${before.slice(-60)}${groups[0]!.toLowerCase()}`)
    const isCause = CAUSE.test(before) || isVacated || isRepeated
    if (isCause && !isVacated && !isRepeated && dropped(trace, 'mentioned', at)) return []
    if (!isCause && isKnown(who, at)) return []
    const event = found.row().event!
    return [
      ...said(event, at, who, { titles: goesFrom(masked, end), after: end, isCause }),
      ...othersAt(masked, end).flatMap((other) => said(event, at, other.who, { ...other, isCause })),
    ]
  })
}

/**
 * Reads a list of persons who each have their own day. Their offices are next to their names: "the termination of
 * employment on May 1, 2020 of Ada Sample, and on June 1, 2020 of".
 */
function byEmployments(read: MaskedSentence): OfficerStatement[] {
  const { masked, appositions } = read
  return wordsIn(read, 'employmentsOf', 'removed').flatMap(({ index, words, groups }) => {
    const found: OfficerStatement[] = []
    if (isPossible(read, index)) return found
    let next: readonly (string | undefined)[] | null = [words, ...groups]
    for (let from = index, tries = 0; next && tries < OTHERS_MAX; tries++) {
      const { who, end } = listAt(masked, from + next[0]!.length)
      const day = dayOf(next[1])
      for (const i of who) found.push(...said('removed', index, [i], { titles: appositions[i]?.titles ?? [], day }))
      from = end
      next = AND_ON.exec(masked.slice(end, end + 160))
    }
    return found
  })
}

function byHisNoun(read: MaskedSentence, isKnown: IsKnown): OfficerStatement[] {
  const { masked, trace } = read
  return wordsIn(read, 'nounOfHis').flatMap((found) => {
    const { index: at, words, groups } = found
    const after = at + words.length
    const before = masked.slice(0, at)
    const who = [Number(groups[0])]
    const isCause = VACATED.test(before)
    const isMentioned = !/^ (?:as|from) /.test(masked.slice(after, after + 6)) || CAUSE.test(before)
    if (isPossible(read, at) || (!isCause && isMentioned && dropped(trace, 'mentioned', at))) return []
    if (!isCause && isKnown(who, at)) return []
    return said(found.row().event!, at, who, { titles: goesFrom(masked, after), after, isCause })
  })
}

function byRemoving(read: MaskedSentence): OfficerStatement[] {
  const { masked, trace } = read
  return wordsIn(read, 'removes').flatMap(({ index: at, words }) => {
    const verb = at + (words.startsWith('to ') ? 'to '.length : 0)
    if (isPossible(read, at) || isDenied(read, at) || isDenied(read, verb)) return []
    const { who, end } = listAt(masked, at + words.length)
    // Accepts "terminated Ada Sample’s employment". Rejects "terminated Ada Sample’s agreement" and "removed Ada
    // Sample’s successor".
    const rest = /^[’']s?\s(?:employment\b)?/.exec(masked.slice(end, end + 16))?.[0]
    if (rest && !rest.includes('employment') && dropped(trace, 'of_another', at)) return []
    return [
      ...said('removed', at, who, { titles: goesFrom(masked, end + (rest?.length ?? 0)) }),
      ...othersAt(masked, end).flatMap((other) => said('removed', at, other.who, other)),
    ]
  })
}

const byExchange = (read: MaskedSentence, exchanges: readonly Exchange[]): OfficerStatement[] =>
  exchanges.flatMap(({ index, goes, ...more }) =>
    isPossible(read, index) || isDenied(read, index) || isAsked(read, index) ? [] : said('departed', index, goes, more),
  )

/** Finds eliminated offices, employment that was ended by agreement, and persons who are not nominated again. */
function byOther(read: MaskedSentence): OfficerStatement[] {
  const { masked } = read
  return [
    ...wordsIn(read, 'officeOfIsEliminated').flatMap(({ index, groups: [who] }) =>
      said('removed', index, [Number(who)]),
    ),
    ...wordsIn(read, 'hisOfficeIsEliminated').flatMap(({ index, words, groups: [role] }) =>
      said('removed', index, subjectOf(read, index + words.length), { titles: officeIn(role) }),
    ),
    ...wordsIn(read, 'endsEmployment').flatMap(({ index, words, groups: [who] }) =>
      isPossible(read, index) || isDenied(read, index + 'to '.length)
        ? []
        : said('departed', index, [Number(who)], {
            titles: goesFrom(masked, index + words.length),
            after: index + words.length,
            isFuture: true,
          }),
    ),
    ...wordsIn(read, 'leavesOut').flatMap(({ index, words }) =>
      said('departed', index, listAt(masked, index + words.length).who, { titles: ['director'] }),
    ),
  ]
}

/** Matches the rest of "her employment will terminate automatically upon her death". */
const BY_ITSELF = /^ (?:automatically\b|(?:upon|on) (?:his|her|the) (?:death|disability)\b)/

/** Finds persons whose employment ended or will end, and the office that the words name. */
function byEnd(read: MaskedSentence): OfficerStatement[] {
  const { masked, trace } = read
  const eventOf = (verb: string) => (/(?:was|has been|is being) terminated/.test(verb) ? 'removed' : 'departed')
  const isFuture = (verb: string) => /will|would|shall|terminates|ends/.test(verb)
  const ends = wordsIn(read, 'employmentEnds').flatMap(({ index, words, groups }) => {
    const [one, other, role = '', verb = ''] = groups
    if (isPossible(read, index)) return []
    if (BY_ITSELF.test(masked.slice(index + words.length)) && dropped(trace, 'provided', index)) return []
    const titles = officeOf(role)
    return said(eventOf(verb), index, [Number(one ?? other)], { titles, isFuture: isFuture(verb) })
  })
  const whose = wordsIn(read, 'whoseEmploymentEnds').flatMap(({ index, words, groups: [who, role, verb = ''] }) => {
    if (isPossible(read, index)) return []
    const after = index + words.length
    const titles = officeOf(role)
    return said(eventOf(verb), after - verb.length, [Number(who)], { titles, after, isFuture: isFuture(verb) })
  })
  return [...ends, ...whose]
}

/** Finds persons for whom the sentence gives the last day in an office. */
function byDay(read: MaskedSentence, isKnown: IsKnown): OfficerStatement[] {
  const { masked, trace } = read
  const last = wordsIn(read, 'lastDay').flatMap(({ index, words, groups: [who] }) => {
    const titles = officeIn(/\bas ([^.;]{3,100}?) (?:will be|is|was)/.exec(words)?.[1])
    return said('departed', index, [Number(who)], { titles, isFuture: true })
  })
  const served = wordsIn(read, 'servedUntil').flatMap(({ index, words, groups: [day] }) => {
    const who = subjectOf(read, index)
    if (isKnown(who, index) || isPossible(read, index)) return []
    if (titleFrom(masked, index + words.length)?.isElsewhere && dropped(trace, 'other_firm', index)) return []
    return said('departed', index, who, { titles: titlesAt(masked, index + words.length), day: dayOf(day) })
  })
  return [...last, ...served]
}

/** Returns the office in words such as " with the Company as Treasurer". */
const officeOf = (role = ''): string[] => officeIn(/\bas ([^.;]{3,120})$/.exec(role)?.[1])

function officeIn(words: string | undefined): string[] {
  const office = words ? titleFrom(words, 0)?.title : undefined
  return office ? [office] : []
}

/** Matches "resigned his directorship" */
const SEAT = /^\s(?:from )?(?:his|her|their) (?:directorships?\b|(?:[Bb]oard )?seats?\b(?! (?:on|at|of)\b))/

/**
 * Returns the office that follows the verb directly ("transitioned from Treasurer"), or `director` for a board seat.
 */
function fromHere(needs: LexiconRow['needs'], masked: string, after: number): string[] {
  if (SEAT.test(masked.slice(after, after + 40))) return ['director']
  return needs === 'office' || needs === 'move' ? goesFrom(` as${masked.slice(after, after + 180)}`, 0) : []
}
