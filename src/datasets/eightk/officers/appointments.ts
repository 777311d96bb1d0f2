/** Finds appointments in a sentence: the persons, and the offices that they enter. */
import { DAY, dayOf } from '../../../read/prose/dates.ts'
import { OPEN } from '../../../read/prose/sentences.ts'
import { titleFrom } from '../../../read/prose/titles.ts'
import { wordsIn } from './lexicon.ts'
import { type MaskedSentence, numbersIn, P } from './mask.ts'
import { isAsked, isDenied, isHistory, isPossible, isWithdrawn } from './negation.ts'
import { appointedTo, officesAt, titlesAt } from './roles.ts'
import type { OfficerStatement } from './statement.ts'
import { CALLED, FIRST, LIST, subjectOf } from './subjects.ts'
import { dropped } from './vetoes.ts'

const IS =
  /\b(?:has|have|had|was|were|is|are|be|been|being|unanimously|duly|also|each|subsequently|formally|initially)\s(?:(?:appointed|nominated) and\s)?$/
/** Matches "promoted three executives: Ada Sample to" */
const THREE = new RegExp(`^\\s(?:two|three|four|five|six|seven|eight)\\s[a-z -]{3,50}:\\s(?=${P})`)
/** Matches "recommended to the Board that Ada Sample be appointed": the appointment is only possible. */
const PROPOSES = /\b(?:recommend|propos|nominat|request)\w*\b/
const TO_BE = /\bbe\s$/
/** Words before names of persons who are not appointed: "elected Treasurer upon the resignation of" */
const ENDS_BEFORE_OTHERS = /\b(?:and|or|but|with|by|from)$|\b(?:resignation|retirement|departure|death|removal)s? of$/
const HIM = /^\s(?:him|her)(?=\s)/
/**
 * Matches an office before the names: "appointed as its new Chief Financial Officer", "elected the following as
 * directors:"
 */
const ROLE_FIRST = new RegExp(
  `^\\s(?:as\\s)?([^.;${OPEN}]{3,150}?)[,:]?\\s(?:namely\\s|consisting of\\s)?(?=(?:each of )?${P})`,
)
/**
 * Matches "re-" before a verb: "re-elected" is not an event. "re-appointed to the Board" is an event, because the
 * person had left the board.
 */
const AGAIN = /\bre-?$/
const TO_BOARD = /^ to the Board\b/
/** Matches an election by holders, which is not an event, since it happens every year. */
const BY_HOLDERS = /\b(?:stockholders|shareholders|holders|members)\s(?:also\s|each\s|duly\s)?$/i
/** Matches "if he is re-elected to the Board" */
const IF = /\b(?:if|unless|in the event|assuming)\b[^.;]*$/i
/** Matches the words before "becomes" in "if Ada Sample becomes President". */
const IF_BECOMES = new RegExp(`\\b(?:if|unless|in the event(?: that)?|until|once|when) (?:he|she|${P}) $`)
/** Matches "would be appointed Chair if" */
const WOULD_BE = /\bwould (?:also )?be\s$/
/** Matches the words after a verb of election that only means a choice of the person: "elected to retire". */
const CHOSE =
  /^\s(?:not\s)?to\s(?!serve\b|act\b|perform\b|carry\b|discharge\b|assume\b|be\b|become\b|fill\b|succeed\b|replace\b|join\b|the\b|our\b|its\b)[a-z]/
/** Matches "named among the best employers", "named to the list of" */
const LISTED = /^\s(?:(?:in|among|after)\s|to\s[^.;]{0,40}\blists?\b)/
const AT_MEETING = /\b(?:at|during) (?:the|its|our|an?) [^,;]{0,60}?\b(?:annual|special|general) meeting\b[^;]{0,120}$/i

/** Matches "joined the Company on May 1, 2020 as", "will join as" */
const JOINS =
  /^(?:(?:the Company|us|our company)(?:,?\s(?:effective\s)?(?:on|as of)\s[^,.;]{3,20},\s\d{4},?)?,?\s)?(?:as|to serve as)\s/
/** Matches the words before the verb in "served until 2014, when he was succeeded as Treasurer by". */
const SINCE =
  /(?<!\d,\s)\b(?:19|20)\d\d,?\s(?:when|at which (?:time|point)|after which)\s(?:he|she|\ue000\d{1,4}\ue001)\s(?:was\s)?$/
/** Matches "Unless terminated earlier, Ada Sample will serve until" */
const UNLESS = /^(?:\([a-e]\)\s)?(?:Unless|If|Should|In the event)\b/
const NOT_NEW = /\b(?:continu\w*|remain\w*|currently|previously|formerly)\s(?:to\s)?$/
/** Matches the text before further objects of the same verb: "… as directors and Ada Sample as Treasurer" */
const MORE = new RegExp(`^[^.;${OPEN}]{0,60}?(?:,?\\sand|,|;|;\\sand)\\s(?=${P})`)
const AT_ONCE = /^,?\s(?:(?:as|to (?:the|serve|be))\s|to\s[A-Z])/
const OBJECTS_MAX = 8

/** Returns the offices in words such as "the following persons as directors". */
function roleIn(words: string): string[] {
  const direct = titlesAt(words, 0)
  const as = words.lastIndexOf(' as ')
  return direct.length > 0 || as < 0 ? direct : titlesAt(words, as + 4)
}

interface Object {
  who: readonly number[]
  titles: readonly string[]
  /** The day of this office, if another office of the same persons has another day. */
  day: string | null
}

/**
 * Matches the words between two offices, with the day of the first office: "as Controller effective May 1, 2020, and
 * Treasurer effective"
 */
const AND_OFFICE = new RegExp(`^[^.;${OPEN}]{0,80}?,? effective (?:as of |on )?${DAY},? and (?:as )?`)
const ITS_DAY = new RegExp(`^[^.;${OPEN}]{0,60}?,? effective (?:as of |on )?${DAY}`)

/** Returns the second of two offices that each have their own day. */
function secondOffice(masked: string, who: readonly number[], at: number): Object[] {
  const first = AND_OFFICE.exec(masked.slice(at, at + 160))?.[0]
  if (!first) return []
  const { titles, end } = officesAt(masked, at + first.length)
  const day = dayOf(ITS_DAY.exec(masked.slice(end, end + 120))?.[1])
  return titles.length > 0 && day ? [{ who, titles, day }] : []
}

/**
 * Returns the persons of a list, each with the office that follows the name without an article: "Ada Sample, President;
 * and …"
 */
const officeOfEach = ({ appositions }: MaskedSentence, list: readonly number[]): Object[] =>
  list.flatMap((i) =>
    appositions[i]?.isBare && appositions[i].titles.length > 0
      ? [{ who: [i], titles: appositions[i].titles, day: null }]
      : [],
  )

/** Returns the persons after a verb of appointment, and their offices. */
function objectsAt(read: MaskedSentence, at: number): Object[] {
  const { masked } = read
  const found: Object[] = []
  for (let from = at; found.length < OBJECTS_MAX; ) {
    const [list = ''] = LIST.exec(masked.slice(from)) ?? []
    if (!FIRST.test(list)) break
    const next = from + list.length
    if (
      found.length > 0 &&
      !AT_ONCE.test(masked.slice(next - 1, next + 12)) &&
      !AT_ONCE.test(masked.slice(next, next + 12))
    )
      break
    const who = numbersIn(list)
    const { titles, end } = appointedTo(masked, next)
    const each = titles.length > 0 ? [] : officeOfEach(read, who)
    if (each.length === who.length) found.push(...each)
    else found.push({ who, titles, day: null }, ...secondOffice(masked, who, end))
    const more = MORE.exec(masked.slice(end, end + 120))?.[0]
    if (titles.length === 0 || !more) break
    from = end + more.length
  }
  return found
}

export function appointmentsIn(
  read: MaskedSentence,
  isPast: boolean,
  exchanges: readonly Exchange[],
): OfficerStatement[] {
  if (isPast) return byNoun(read)
  return [
    ...byVerb(read),
    ...byNoun(read),
    ...byHisNoun(read),
    ...byHerNoun(read),
    ...byAssuming(read),
    ...byEmployment(read),
    ...bySucceeding(read),
    ...bySuccessor(read, exchanges),
    ...byOffice(read),
  ]
}

/** Returns a list with one event; an empty list if there is no candidate person. */
function said(
  at: number,
  who: readonly number[],
  titles: readonly string[],
  more: Partial<OfficerStatement> = {},
): OfficerStatement[] {
  return who.length === 0 ? [] : [{ event: 'appointed', at, after: at, who, titles, isFuture: false, ...more }]
}

/**
 * Reads appointments that a verb reports: "appointed Ada Sample as", "appointed as Treasurer Ada Sample", "Ada Sample
 * was appointed"
 */
function byVerb(read: MaskedSentence): OfficerStatement[] {
  const { masked } = read
  return [...wordsIn(read, 'appoints'), ...wordsIn(read, 'toAppoint')].flatMap((found) => {
    const { index, words } = found
    const after = index + words.length
    const before = masked.slice(Math.max(0, index - 160), index)
    if (isNone(read, index, after, before, words)) return []
    const isPassive = IS.test(before.replace(AGAIN, ''))
    const him = isPassive ? null : HIM.exec(masked.slice(after, after + 12))
    if (him) {
      // "expanded the duties of Ada Sample by naming her to": the pronoun means the only person that the sentence names
      // before the verb.
      const mentioned = numbersIn(masked.slice(0, index))
      const isOne = new Set(mentioned.map((i) => read.mentions[i]!.name)).size === 1
      return isOne ? said(index, mentioned.slice(-1), appointedTo(masked, after + him[0].length).titles) : []
    }
    const takesAny = !isPassive && found.row().needs !== 'person'
    const called = takesAny
      ? ((CALLED.exec(masked.slice(after, after + 160)) ?? THREE.exec(masked.slice(after, after + 80)))?.[0].length ??
        0)
      : 0
    const objects = objectsAt(read, after + Math.max(0, called - 1))
    if (objects.length > 0) return objects.flatMap(({ who, titles, day }) => said(index, who, titles, { day }))
    const later = takesAny ? objectsAfterRole(read, after) : null
    if (later) return later.flatMap(({ who, titles }) => said(index, who, titles))
    return isPassive ? asSubjects(read, index, after, before) : []
  })
}

/** Tests whether the verb reports no appointment. */
function isNone(read: MaskedSentence, at: number, after: number, before: string, verb: string): boolean {
  const { masked, trace } = read
  const rest = masked.slice(after, after + 170)
  return (
    isDenied(read, at) ||
    isHistory(read, after) ||
    (AGAIN.test(before) && !TO_BOARD.test(rest) && dropped(trace, 'again', at)) ||
    (CHOSE.test(rest.slice(0, 20)) && dropped(trace, 'choice', at)) ||
    (verb === 'named' && LISTED.test(rest.slice(0, 60)) && dropped(trace, 'listed', at)) ||
    (isConditional(before, rest) && dropped(trace, 'possible', at)) ||
    (isProposed(masked.slice(0, at)) && dropped(trace, 'proposed', at)) ||
    (isByHolders(masked, before) && dropped(trace, 'holders', at))
  )
}

const isConditional = (before: string, rest: string): boolean =>
  IF.test(before) || (WOULD_BE.test(before) && /^[^.;]{0,160}\sif\b/.test(rest))

/** Tests whether holders elect the person, as they do every year at their meeting. */
const isByHolders = (masked: string, before: string): boolean =>
  (BY_HOLDERS.test(before) && /\bmeeting\b/i.test(masked)) ||
  (AT_MEETING.test(before) && /\b(?:stock|share)?holders\b/i.test(masked))

/**
 * Tests whether an appointment is only proposed: "proposed that Ada Sample be appointed". Searches for one word after
 * the other. The time of one combined pattern would grow with the cube of a clause's length.
 */
function isProposed(before: string): boolean {
  if (!TO_BE.test(before.slice(-4))) return false
  const clause = before.slice(Math.max(before.lastIndexOf('.'), before.lastIndexOf(';')) + 1)
  const proposes = PROPOSES.exec(clause)
  return proposes !== null && /\bthat\b/.test(clause.slice(proposes.index + proposes[0].length))
}

/**
 * Returns the persons named after the office: "appointed as its Treasurer Ada Sample". Returns null if no office
 * follows the verb.
 */
function objectsAfterRole(read: MaskedSentence, after: number): Object[] | null {
  const { masked } = read
  const [role, words = ''] = ROLE_FIRST.exec(masked.slice(after, after + 220)) ?? []
  if (!role || ENDS_BEFORE_OTHERS.test(words.trim())) return null
  const titles = roleIn(words)
  if (titles.length === 0 && !/\bfollowing\b/.test(words)) return null
  const who = numbersIn(LIST.exec(masked.slice(after + role.length))?.[0] ?? '')
  return titles.length > 0 ? [{ who, titles, day: null }] : officeOfEach(read, who)
}

/** Reads the appointment of the subjects of a passive verb: "Ada Sample and John Sample were appointed" */
function asSubjects(read: MaskedSentence, at: number, after: number, before: string): OfficerStatement[] {
  const { masked } = read
  const isFuture = /\b(?:will|to) be\s$/.test(before)
  const first = /\b(?:appointed|nominated) and\s$/.exec(before)?.[0].length ?? 0
  const who = subjectOf(read, at - first)
  // In a list, each person has the office next to the name.
  const each = masked.includes(':', after) ? officeOfEach(read, who) : []
  if (each.length < who.length) return said(at, who, appointedTo(masked, after).titles, { isFuture })
  return each.flatMap((one) => said(at, one.who, one.titles, { isFuture }))
}

/** Tests whether the appointed person gets the office of another person: "to succeed Ada Sample", "as her successor". */
const isReplacing = (read: MaskedSentence, at: number): boolean =>
  [...wordsIn(read, 'replaces'), ...wordsIn(read, 'asSuccessor')].some(
    ({ index }) => index >= at && /^(?:,?\s)?$/.test(read.masked.slice(at, index)),
  )

/** Reads appointments that a noun reports: "the appointment of Ada Sample as" */
function byNoun(read: MaskedSentence): OfficerStatement[] {
  const { masked, trace } = read
  return wordsIn(read, 'appointmentOf').flatMap(({ index, words }) => {
    const end = index + words.length
    const after = end + (CALLED.exec(` ${masked.slice(end, end + 160)}`)?.[0].length ?? 1) - 1
    const [list] = LIST.exec(masked.slice(after)) ?? []
    if (!list || !FIRST.test(list) || isWithdrawn(read, index, after + list.length)) return []
    if (isHistory(read, after + list.length)) return []
    const isNone = (titles: readonly string[]) =>
      titles.length === 0 && !isReplacing(read, after + list.length) && dropped(trace, 'no_office', index)
    return objectsAt(read, after).flatMap(({ who, titles }) => (isNone(titles) ? [] : said(index, who, titles)))
  })
}

function byHisNoun(read: MaskedSentence): OfficerStatement[] {
  const { masked, trace } = read
  return [...wordsIn(read, 'appointmentOfHis'), ...wordsIn(read, 'titleChanges')].flatMap(
    ({ index, words, groups }) => {
      const after = index + words.length
      if (isHistory(read, after)) return []
      const titles = words.endsWith('to ') ? titlesAt(masked, after) : appointedTo(masked, after).titles
      if (titles.length === 0 && !isReplacing(read, after) && dropped(trace, 'no_office', index)) return []
      return said(index, [Number(groups[0])], titles)
    },
  )
}

function byHerNoun(read: MaskedSentence): OfficerStatement[] {
  const { masked, mentions, trace } = read
  const who = numbersIn(masked)
  if (new Set(who.map((i) => mentions[i]!.name)).size !== 1) return []
  return wordsIn(read, 'herAppointment').flatMap(({ index, words }) => {
    const after = index + words.length
    const { titles } = appointedTo(masked, after)
    if ((titles.length === 0 && dropped(trace, 'no_office', index)) || isHistory(read, after)) return []
    return said(index, who.slice(0, 1), titles, { after, isCause: true })
  })
}

/** Reads offices that a person assumes: "Ada Sample will serve as", "took over the role of" */
function byAssuming(read: MaskedSentence): OfficerStatement[] {
  const { masked, trace } = read
  if (UNLESS.test(masked) && dropped(trace, 'possible', 0)) return []
  return wordsIn(read, 'enters').flatMap(({ index, words }) => {
    const after = index + words.length
    // The day follows the name of the predecessor: "took over the role of Treasurer from Ada Sample on May 1, 2020".
    const from = wordsIn(read, 'replaces').map((other) => ({ from: other.index, to: other.index + other.words.length }))
    const last = from.find((other) => other.from <= index && other.to > after)?.to ?? after
    if (isNotNew(read, index) || isDenied(read, index) || isHistory(read, after) || isHistory(read, last)) return []
    if (IF_BECOMES.test(masked.slice(Math.max(0, index - 60), index)) && dropped(trace, 'possible', index)) return []
    const [joins = ''] = /join/.test(words) ? (JOINS.exec(masked.slice(after, after + 90)) ?? []) : []
    const { titles } = officesAt(masked, after + joins.length)
    if (titles.length === 0) return []
    const isFuture = /\b(?:will|to|joins|is)\b/.test(words)
    const mayGoOn = /\b(?:serve|act|be)\b/.test(words)
    return said(index, subjectOf(read, index), titles, { after: last, isFuture, mayGoOn })
  })
}

function byEmployment(read: MaskedSentence): OfficerStatement[] {
  return [...wordsIn(read, 'employmentBegins'), ...wordsIn(read, 'firstDay')].flatMap(({ index, words, groups }) => {
    const [person, office = '', day] = groups
    const after = index + words.length
    if (isDenied(read, index) || isHistory(read, after) || isNotNew(read, index)) return []
    const titles = titlesAt(office, 0)
    if (titles.length === 0) return []
    const who = person ? [Number(person)] : subjectOf(read, after)
    return said(index, who, titles, { after, isFuture: true, ...(day ? { day: dayOf(day) } : {}) })
  })
}

/** Tests whether the person continues in the office. */
const isNotNew = ({ masked, trace }: MaskedSentence, at: number): boolean =>
  NOT_NEW.test(masked.slice(0, at)) && dropped(trace, 'continues', at)

/** Reads successions: "Ada Sample will succeed John Sample as Treasurer" */
function bySucceeding(read: MaskedSentence): OfficerStatement[] {
  const { masked, trace } = read
  if (UNLESS.test(masked) && dropped(trace, 'possible', 0)) return []
  return wordsIn(read, 'succeeds').flatMap(({ index, words }) => {
    const after = index + words.length
    if (isDenied(read, index) || isHistory(read, after)) return []
    if (IF_BECOMES.test(masked.slice(Math.max(0, index - 60), index)) && dropped(trace, 'possible', index)) return []
    const isFuture = !/^(?:\S{1,12}ed|took)\s/.test(words)
    const isNamed = /\s$/.test(words)
    // In "Ada Sample, who succeeded John Sample, resigned", the appointment is history.
    const isRemark = !isNamed && !isFuture && /\bwho\s$/.test(masked.slice(0, index))
    if (isRemark && dropped(trace, 'history', index)) return []
    const titles = titlesAt(masked, after)
    if (isNamed && titles.length === 0) return []
    return said(index, subjectOf(read, index), titles, { after, isFuture })
  })
}

/** Tests whether a succession ("is succeeded by", at `at`) is denied, depends on a condition, or is history. */
function isNoSuccession(read: MaskedSentence, at: number): boolean {
  const { masked, trace } = read
  if (isPossible(read, at) || isDenied(read, at) || isAsked(read, at)) return true
  return SINCE.test(masked.slice(Math.max(0, at - 80), at)) && dropped(trace, 'history', at)
}

/** Finds a successor in a sentence about the person who leaves: "was succeeded by Ada Sample". */
function bySuccessor(read: MaskedSentence, exchanges: readonly Exchange[]): OfficerStatement[] {
  const { masked, trace } = read
  const listAt = (from: number) => LIST.exec(masked.slice(from))?.[0] ?? ''
  const inOffice = wordsIn(read, 'succeededBy').flatMap(({ index, words }) => {
    if (isNoSuccession(read, index)) return []
    const from = index + words.length
    const list = listAt(from)
    return said(index, numbersIn(list), appointedTo(masked, from + list.length).titles)
  })
  const as = wordsIn(read, 'succeededAs').flatMap(({ index, words, groups: [role = ''] }) => {
    const office = titleFrom(role, 0)
    if (office === null || isNoSuccession(read, index)) return []
    if (office.isElsewhere && dropped(trace, 'other_firm', index)) return []
    return said(index, numbersIn(listAt(index + words.length)), [office.title], { isFuture: true })
  })
  const inExchange = exchanges.flatMap(({ index, comes, ...more }) =>
    isNoSuccession(read, index) ? [] : said(index, comes, more.titles, more),
  )
  return [...inOffice, ...as, ...inExchange]
}

/** Matches the seat before "was taken by Ada Sample". */
const SEAT_BEFORE =
  /\b(?:(?:seat|directorship)s?(?: on (the|its|our))?|vacanc(?:y|ies) on (the|its|our))\b[^.;]{0,120}$/
/** Matches the office before "was assumed by Ada Sample", which may be the office of the person who leaves. */
const OFFICE_BEFORE = new RegExp(
  `\\b(?:(?:his|her|their) |${P}[’']s? |(?=[a-z]{4,16} (?:of|as)))(?:positions?|roles?|offices?|posts?|titles?|duties|place)(?: (?:of|as) ([^.;${OPEN}]{3,100}?))?,?\\s$`,
)

/**
 * Returns the office of the seat that stands before "was taken by": a board seat, unless the words name another body
 * ("her seat on the Audit Committee").
 */
function seatIn(before: string): string[] {
  const [seat, ...articles] = SEAT_BEFORE.exec(before) ?? []
  if (seat === undefined) return []
  const on = articles.find((article) => article !== undefined)
  return on === undefined ? ['director'] : titlesAt(seat, seat.indexOf(` on ${on}`) + ' on '.length)
}

/** Reads offices that come to a person: "the office of Treasurer fell to Ada Sample", "her seat was taken by" */
function byOffice(read: MaskedSentence): OfficerStatement[] {
  const { masked, trace } = read
  return wordsIn(read, 'fallsTo').flatMap(({ index, words }) => {
    const after = index + words.length
    if (isNoSuccession(read, index) || isHistory(read, after)) return []
    const before = masked.slice(Math.max(0, index - 200), index)
    const [office, role] = OFFICE_BEFORE.exec(before) ?? []
    const titles = role ? titlesAt(role, 0) : seatIn(before)
    // If the sentence names a committee before the verb, the seat may be a seat on that committee.
    if (!role && /\b[Cc]ommittees?\b/.test(masked.slice(0, index)) && dropped(trace, 'committee', index)) return []
    const isOffice = titles.length > 0 || (office !== undefined && role === undefined)
    if (!isOffice && dropped(trace, 'no_office', index)) return []
    const who = numbersIn(LIST.exec(masked.slice(after))?.[0] ?? '')
    return said(index, who, titles, { isFuture: /^(?:will|shall)\b/.test(words) })
  })
}

/** A person who takes the place of another in an office. */
export interface Exchange {
  index: number
  goes: readonly number[]
  comes: readonly number[]
  titles: readonly string[]
  after?: number
  isFuture?: boolean
}

/** Finds exchanges: "replaced Ada Sample as Treasurer with John Sample", "Ada Sample gave way to John Sample as Treasurer". */
export const exchangesIn = (read: MaskedSentence): Exchange[] => [...replacesIn(read), ...handsIn(read)]

/** Matches the words of a future act before "hand over" and "give way". */
const WILL = /\b(?:will|shall|to)\s(?:[a-z]+ly\s|then\s|also\s)?$/

/** Finds offices that a person gives to another: "Ada Sample handed over the office of Treasurer to John Sample" */
function handsIn(read: MaskedSentence): Exchange[] {
  const { masked, trace } = read
  const hands = wordsIn(read, 'handsOver').map(({ index, words, groups: [role = '', comes] }) => {
    return { index, words, comes, titles: titlesAt(role, 0) }
  })
  const ways = wordsIn(read, 'givesWay').map(({ index, words, groups: [comes] }) => {
    return { index, words, comes, titles: appointedTo(masked, index + words.length).titles }
  })
  return [...hands, ...ways].flatMap(({ index, words, comes, titles }) => {
    const after = index + words.length
    if (isHistory(read, after)) return []
    if (titles.length === 0 && dropped(trace, 'no_office', index)) return []
    const goes = subjectOf(read, index)
    if (goes.length === 0) return []
    const isFuture = WILL.test(masked.slice(0, index)) || /^will\b/.test(words)
    return [{ index, goes, comes: [Number(comes)], titles, after, isFuture }]
  })
}

/** Finds replacements: "replaced Ada Sample as Treasurer with John Sample", "… with John Sample as Treasurer". */
function replacesIn(read: MaskedSentence): Exchange[] {
  const { masked, trace } = read
  return wordsIn(read, 'exchanges').flatMap(({ index, words, groups: [goes, role] }) => {
    const from = index + words.length
    const list = LIST.exec(masked.slice(from))?.[0] ?? ''
    const titles = role ? titlesAt(role, 0) : appointedTo(masked, from + list.length).titles
    if (titles.length === 0 && dropped(trace, 'no_office', index)) return []
    return [{ index, goes: [Number(goes)], comes: numbersIn(list), titles }]
  })
}
