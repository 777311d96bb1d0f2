/** Finds which day in a sentence is the day of the event, and which is the effective day. */
import { DAY, dayOf } from '../../read/prose/dates.ts'
import { OPEN } from '../../read/prose/sentences.ts'

const ON_DAY = new RegExp(`\\b[Oo]n\\s${DAY}`)
/** Returns the first day that follows "on": the day on which something happened. */
export const onDay = (text: string): string | null => dayOf(ON_DAY.exec(text)?.[1])

/**
 * Matches "On May 1, 2024" at the beginning of a sentence or after a comma, and "The Company announced May 1, 2024,
 * that".
 */
const ON = new RegExp(
  `(?:^|[,)]\\s|\\bAlso\\s)(?:[Oo]n|[Oo]n or about)\\s${DAY}|^(?:\\([a-e]\\)\\s(?:and\\s)?){0,3}[^.;,${OPEN}]{3,60}\\sannounced\\s${DAY},?\\sthat\\b`,
)
/** Matches "announced that on May 1, 2024, the Board appointed" */
const THAT_ON = new RegExp(
  `^[^.;${OPEN}]{3,200}?\\bthat,?\\s(?:as previously (?:disclosed|announced|reported),?\\s)?on\\s(?:or about\\s)?${DAY}`,
)
/** Matches "At a meeting held on May 1, 2024, the Board appointed …" */
const AT_MEETING = new RegExp(
  `^(?:[^.;,${OPEN}]{3,90},\\s)?(?:[Aa]t|[Dd]uring|[Ff]ollowing|[Bb]y|[Pp]ursuant to|[Uu]pon|[Ii]n(?= an? (?:letter|notice|e-?mail))|[Ii]n connection with|[Cc]oncurrently with|[Ii]mmediately (?:following|after|prior to))\\s(?:an?\\s|its\\s|the\\s)?[^.;,${OPEN}]{0,60}?(?:meeting|consent|resolutions?|letter|notice|e-?mail|closing|effective time|consummation|completion|merger|Merger|Closing|Effective Time)[^.;,${OPEN}]{0,60}?\\s(?:on|held|dated|dated as of|of)\\s${DAY}`,
)
/** Matches "At a May 1, 2024 meeting" */
const A_MEETING = new RegExp(`^(?:At|During|Following)\\s(?:an?|its|the)\\s${DAY}\\s[a-z ]{0,40}meeting\\b`)
/** Words after which a day is the day of a filing, a document or a meeting, and not the day of the event. */
const OTHER_DAY = /\b(?:filed|dated|ended|as of|Form 8-K|annual meeting)\b[^,]{0,40}$/i
const SAME_DAY = /^(?:Also,?\s)?[Oo]n\s(?:the same|that same|that|such)\s(?:day|date)\b/
/**
 * Tests whether a sentence begins with words such as "effective the same day". These words mean the day of the previous
 * sentence.
 */
export const isFromSameDay = (masked: string): boolean =>
  /^(?:Also,?\s)?(?:[Ee]ffective|[Aa]s of)\s(?:as of |on )?(?:the same|that same|that|such)\s(?:day|date)\b/.test(
    masked,
  )

/**
 * Returns the day on which the events of a sentence happened.
 *
 * @param before day of the previous sentence, for "on the same date"
 */
export function eventDateOf(said: string, before: string | null = null): string | null {
  const masked = said.replace(LETTERS, '')
  if (SAME_DAY.test(masked)) return before
  const found = THAT_ON.exec(masked) ?? ON.exec(masked) ?? AT_MEETING.exec(masked) ?? A_MEETING.exec(masked)
  if (!found) return null
  const head = masked.slice(0, found.index)
  if (head.includes(OPEN) || head.length > HEAD_MAX || OTHER_DAY.test(head)) return null
  return dayOf(found[1] ?? found[2])
}

/** Matches "notified the Company on June 1, 2024 that he resigns": the day comes before the verb of the event. */
const NOTICE = new RegExp(
  `\\b(?:notified|informed|advised|told|announced|tendered|submitted|delivered|gave|provided|agreed|determined|decided)\\b(?:(?!\\b(?:that|will|would|to (?:step|resign|retire|leave|depart|cease|relinquish))\\b)[^;${OPEN}]){0,80}?\\son\\s${DAY}`,
)
/**
 * Matches the day on which the Board or the Company acts, after a clause about another party: "…, on June 1, 2024, the
 * Board".
 */
const BOARD_ON = new RegExp(
  `,\\s(?:and\\s)?on\\s${DAY},?\\s(?:the|our|its)\\s(?:Company|Board|Compensation|Nominating)`,
)
export const boardDay = (masked: string): string | null => dayOf(BOARD_ON.exec(masked)?.[1])
/**
 * Matches "who on June 1, 2024 tendered his resignation". Only a notice may stand between the day and the verb, since
 * other words there may be about another act.
 */
const WHO_ON = new RegExp(
  `^,?\\s(?:and\\s)?who\\son\\s(?:or about\\s)?${DAY},?\\s(?:(?:notified|informed|advised|told)\\s[^,;${OPEN}]{3,80})?$`,
)
/** Returns the day of a relative clause, if the clause ends before the verb of the event. */
export const whoDay = (clause: string): string | null => dayOf(WHO_ON.exec(clause)?.[1])
export const noticeDay = (before: string): string | null =>
  dayOf(NOTICE.exec(before)?.[1] ?? BOARD_ON.exec(before)?.[1])

/** Resolves "on that date", "as of such date" to the last named day, or else to the day of the previous sentence. */
export function thatDay(
  masked: string,
  from: number,
  before: string | null,
): { on: string | null; from: string | null } {
  const found = THAT_DAY.exec(masked.slice(from))
  if (!found) return { on: null, from: null }
  const named = [...masked.slice(0, from + found.index).matchAll(EACH_DAY)].at(-1)?.[1]
  const day = named ? dayOf(named) : before
  return /^on\b/i.test(found[0]) ? { on: day, from: null } : { on: null, from: day }
}
const THAT_DAY = /\b(?:on|as of|effective|effective on|effective as of) (?:that|such|the same|said) (?:date|day)\b/i
const EACH_DAY = new RegExp(DAY, 'g')

/** Returns the effective day of each event in "effective June 1, 2024 and July 1, 2024, respectively" */
export const respectiveDays = (masked: string): (string | null)[] =>
  [...(RESPECTIVE.exec(masked)?.[0] ?? '').matchAll(EACH_DAY)].map(([, day]) => dayOf(day))
const RESPECTIVE = new RegExp(
  `\\beffective (?:as of |on )?${DAY}(?:,? (?:and )?(?:effective )?(?:as of |on )?${DAY}){1,8},? respectively`,
)

/** Returns the day of each person in "on June 1, 2020 and June 2, 2020, respectively, each of" */
export const respectiveOn = (masked: string): (string | null)[] =>
  [...(RESPECTIVE_ON.exec(masked)?.[0] ?? '').matchAll(EACH_DAY)].map(([, day]) => dayOf(day))
const RESPECTIVE_ON = new RegExp(`\\b[Oo]n ${DAY}(?:,? (?:and )?(?:on )?${DAY}){1,8},? respectively`)

/** Returns the last day of work: "she resigned; her last day will be June 30, 2020" */
export const lastDay = (text: string): string | null => dayOf(LAST_DAY.exec(text)?.[1])
const LAST_DAY = new RegExp(
  `\\b(?:his|her|their) last day(?: [^.;,${OPEN}]{3,40}?)? (?:will be|is|was|being|is expected to be) ${DAY}`,
)

/** Matches the letter of a part of the item before a sentence: "(d) At its June 8, 2020 meeting". */
const LETTERS = /^(?:\(?[a-h]\),?(?:\s?(?:and|&))?\s?(?:\(\d\)\s?)?){1,5}(?=[A-Z])/

/**
 * Maximum length of the text before a day of an event. A longer text describes something else, so its day is not read.
 */
const HEAD_MAX = 260

/** Matches "effective June 1", "effective as of the close of business on June 1", "effective on or about June 1" */
const EFFECTIVE = new RegExp(
  String.raw`\b(?:(?:with effect|take[sn]? effect|effective)\b(?:\s(?:as of|on or about|on|from|at|upon|with|beginning|commencing|by|to be|until))?|commenc(?:ing|e)(?:\s(?:as of|on))?|beginning(?:\s(?:as of|on))?|starting(?:\s(?:as of|on))?|(?<!dated )(?<!dated)as of|on or about)[\s,]{1,2}(?:[\w:.’'-]{1,20},?\s){0,14}?${DAY}`,
  'i',
)
/** Words after which a day is uncertain or has another meaning. */
const UNSURE =
  /\b(?:later of|earlier of|no later than|not later than|prior to|before|ended|ending|dated|filed|filing|expir\w*|year|quarter|through|until|unless|if|and|meeting to be held)\b/i
const AT_ONCE =
  /\bwith immediate effect\b|\beffect(?:ive(?:ly)?)?,? (?:immediately|(?:on |as of )?(?:such|that|the same) (?:date|day)|as of the date)\b/i

/** Tests whether the words state an immediate effect. */
export const isAtOnce = (masked: string, from: number, to: number): boolean =>
  AT_ONCE.test(masked.slice(from, to)) || AT_ONCE.test(masked.slice(EACH.exec(masked)?.index ?? masked.length))

export interface Reach {
  /** Start of the text that is searched for the day: the position of the event's verb. */
  from: number
  /** End of the text that is searched: the verb of the next event. */
  to: number
  /** Whether this event is the first, so that the words before its verb belong to it. */
  isFirst: boolean
  event_date: string | null
}

/**
 * Matches "…, in each case effective June 1, 2024", "each effective immediately": the day applies to all events of the
 * sentence.
 */
const EACH = /\b(?:in each case|each|both|all)(?:,| to be| of which (?:is|are|will be))? effective\b/i

/** Returns the effective day of an event. Words before the verb count only for the first event. */
export function effectiveOf(masked: string, { from, to, isFirst, event_date }: Reach): string | null {
  const each = EACH.exec(masked)
  const all = each ? said(masked.slice(each.index), event_date) : null
  return all ?? said(masked.slice(from, to), event_date) ?? (isFirst ? said(masked.slice(0, from), event_date) : null)
}

function said(text: string, event_date: string | null): string | null {
  const found = EFFECTIVE.exec(text)
  const atOnce = AT_ONCE.exec(text)
  if (atOnce && (!found || atOnce.index <= found.index)) return event_date
  if (!found || UNSURE.test(found[0])) return null
  return afterPaper(text.slice(Math.max(0, found.index - 40), found.index), dayOf(found[1]), event_date)
}

/**
 * Drops an effective day that is earlier than the day of the event and follows the name of a document. Such a day is
 * the day of the document: "under the Plan, effective as of March 4".
 */
const afterPaper = (before: string, day: string | null, event_date: string | null): string | null =>
  day !== null && event_date !== null && day < event_date && PAPER_BEFORE.test(before) ? null : day
const PAPER_BEFORE =
  /\b(?:plan|agreement|program|policy|by-?laws|charter|indenture|guidelines|arrangement|contract|letter|amendment)s?(?:\s(?:is|was|made|that (?:is|was)|which (?:is|was)))?,?\s?$/i

/**
 * Returns the day at the beginning of a sentence, which applies to all events of the sentence: "Effective June 1, 2024,
 * …".
 */
export function leadingDay(masked: string, event_date: string | null): string | null {
  const found = LEADING.exec(masked) ?? IN_HEAD.exec(masked)
  if (!found || UNSURE.test(found[0].slice(found[0].search(/effective/i)))) return null
  return afterPaper(masked.slice(0, found[0].search(/effective/i)), dayOf(found[1]), event_date)
}
/** Matches "Pursuant to the agreement, effective at the closing on June 1, 2024, …" */
const IN_HEAD = new RegExp(`^(?:[^;.${OPEN}]{3,120}?,\\s)?[Ee]ffective\\b[^;.${OPEN}]{0,50}?\\s${DAY},\\s`)
const LEADING = new RegExp(
  `^(?:[\\s(]{0,3}[a-e]\\),?){0,5}\\s?Effective(?:,| as of| on|)(?: the close of business on)?\\s${DAY},?\\s`,
)

/**
 * Matches "resigned on June 1, 2024", "will retire on June 1, 2024": the day stands between the verb and the next
 * person.
 */
const DAY_AFTER = new RegExp(`^[^;${OPEN}]{0,160}?\\s(?:on|by|be|is|was)\\s(?:or about\\s)?${DAY}`)
export const dayAfter = (masked: string, from: number, to: number): string | null => {
  const [whole, day] = DAY_AFTER.exec(masked.slice(from, to)) ?? []
  return whole &&
    !/\b(?:dated|filed|ended|effect|effective|held|commenced|beginning|starting|entered into|as of|until|through)\b/i.test(
      whole,
    )
    ? dayOf(day)
    : null
}
