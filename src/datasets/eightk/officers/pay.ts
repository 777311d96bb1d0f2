/** Finds persons whose pay is stated: in item 5.02(e), and with an appointment or a departure. */
import { DAY, dayOf } from '../../../read/prose/dates.ts'
import { titleFrom } from '../../../read/prose/titles.ts'
import { boardDay, effectiveOf, eventDateOf } from '../days.ts'
import { FURTHER_MAX } from './later.ts'
import { type MaskedSentence, placeOf } from './mask.ts'
import { CONDITION } from './negation.ts'
import type { Officer } from './statement.ts'
import { officeNextTo } from './subjects.ts'
import { dropped } from './vetoes.ts'

const PAID =
  /\b(?:base salar(?:y|ies)|annual salary|salary|bonus(?:es)?|cash incentive|incentive (?:award|opportunity)|equity (?:award|grant)s?|restricted (?:stock|shares?)|stock options?|stock units?|share units?|RSUs|PSUs|retainer|(?:employment|separation|transition|retention)(?: (?:and|&) (?:general )?release)? agreements?|offer letters?|severance|compensation|retirement (?:agreement|benefit)|change[- ](?:of|in)[- ]control (?:and severance )?agreements?|awards?|sign-on|(?:board|committee|director) fees|options (?:under|to purchase|for)|options?(?= under the))\b|\$[\d,]+ (?:per|a|each) (?:quarter|year|month|annum)/i
const PAYS =
  /\b(?:approv(?:e|ed|es|ing)|grant(?:ed|s)|award(?:ed|s)?|increas(?:e|ed|es)|reduc(?:e|ed|es)|entered into|amended|extend(?:ed|ing|s)|receive[sd]?|adopted|entitled|will be|pays?|paid|opportunity|amendment|participates?|salary (?:is|was|remains|of))\b/i
/** Words of statements on documents, plans and relations, which are not about pay. */
const NO_PAY =
  /\b(?:qualified in (?:its|their) entirety|does not purport|no (?:arrangements|family|transactions)|(?<!\bcompensation[^.;]{0,40})indemnification agreement|(?:will|does|did|shall) not (?:receive|be paid|be entitled to|earn) (?:any )?(?:additional |separate |other |further |increased |incremental |extra )?(?:compensation|salary|fees)|no (?:additional|separate|increased|incremental|extra) compensation|family relationships|Item 40[14])\b|^(?!.*(?:\$|\b(?:will|to) receive\b|\b(?:granted|awarded|increased)\b)).*\b(?:is|are|was|were) not eligible (?:to participate|for)\b|^(?!.*\b(?:will|to) receive\b).*\bincorporated (?:herein )?by reference\b/i

/** Matches "approved one-time awards on June 24, 2026" */
const DECIDED = new RegExp(`\\b(?:approved|granted)\\b[^.;,]{0,100}?\\son\\s${DAY}`)

/** Matches an act that decides on pay, or announces several such acts. */
const ACTS =
  /\b(?:approved|granted|awarded|authorized|increased)\b|\b(?:took|taken|approved) the following (?:[a-z]+ ){0,3}actions?\b/
/** Matches words that announce a table. */
const ANNOUNCES = /\bfollowing\b|\bset forth\b|\bbelow\b|\btable\b|:\s?$/

/** Finds the days that apply to the rows of a table, while the sentences above it are read. */
export class DaysAbove {
  #above: Days = { event_date: null, effective_date: null }
  /** The day of the last decision on pay above the table. */
  #acted: string | null = null
  #isAnnounced = false

  /** Adds the next sentence; rows of a table change nothing. */
  add({ sentence, masked }: MaskedSentence): void {
    if (isRowOf(masked)) return
    this.#above = paidOn(masked)
    if (this.#above.event_date !== null && ACTS.test(masked)) this.#acted = this.#above.event_date
    this.#isAnnounced = ANNOUNCES.test(masked) || (this.#isAnnounced && !sentence.isFirst)
  }

  /**
   * Returns the days that apply to the rows. The day of an act counts if the paragraph of the act, or a later
   * paragraph, announces the table: "took the following actions".
   */
  get days(): Days {
    const { event_date, effective_date } = this.#above
    return { event_date: event_date ?? (this.#isAnnounced ? this.#acted : null), effective_date }
  }
}

/** Words before a person whose pay the sentence does not state. */
const NOT_PAID =
  /\b(?:successor [^.;,]{0,60} to|to succeed|succeeds?|succeeding|succeeded by|replac(?:es|ing)|replaced by|report(?:s|ing)? to|signed by) (?:the )?$/
/** Matches a relative clause, which only adds a remark. */
const ASIDE = /,\swho\b[^,;.]*(?:,\s\d{4}\b[^,;.]*)?/g

/** Matches "for her services as", "in connection with his new role as", "during which she would serve as" */
const SERVICES =
  /\b(?:(?:for|in|with) (?:his|her) (?:services?|(?:new |current |expanded )?(?:role|position|capacity)) as|(?:would|will|to) (?:continue to |remain employed [^.;,]{0,40}? and )?serve as)\s(?:the Company[’']s\s)?/

/** The days that a sentence states. */
export interface Days {
  event_date: string | null
  effective_date: string | null
}

/** Returns the day on which pay was decided, and its effective day. */
export function paidOn(masked: string): Days {
  const event_date = eventDateOf(masked) ?? dayOf(DECIDED.exec(masked)?.[1]) ?? boardDay(masked)
  const reach = { from: 0, to: masked.length, isFirst: true, event_date }
  return { event_date, effective_date: effectiveOf(masked.replace(ASIDE, ','), reach) }
}

/** Matches "The new agreement was entered into on May 1, 2020" */
const ENTERED = new RegExp(
  `\\b[Aa]greement\\b[^.;]{0,60}?\\s(?:was|were) (?:entered into|executed|signed) (?:as of|on|effective) ${DAY}`,
)

/** Adds the day of an agreement on pay, if one sentence reports the agreement and a later sentence states the day. */
export function datePay({ sentence, masked, mentions }: MaskedSentence, officers: readonly Officer[]): void {
  const day = dayOf(ENTERED.exec(masked)?.[1])
  const names = new Set(mentions.map(({ name }) => name))
  if (!day || names.size !== 1) return
  for (const one of officers) {
    if (one.event !== 'compensation' || !names.has(one.name) || one.event_date !== null) continue
    if (sentence.end - one.start > FURTHER_MAX) continue
    one.event_date = day
    one.end = Math.max(one.end, sentence.end)
  }
}

/** Tests whether a sentence is a row of a table. */
export const isRowOf = (masked: string): boolean => masked.includes(' | ')

/**
 * Returns the persons whose pay the sentence states.
 *
 * @param above days of the sentence above a table, which apply to its rows
 */
export function paidIn(read: MaskedSentence, known: ReadonlyMap<string, string>, above: Days): Officer[] {
  const { sentence, masked, mentions, trace } = read
  if (mentions.length === 0) return []
  const plain = masked.replace(
    /\b(?:Human Resources and |Management Development and )?Compensation[^.;,]{0,60}?Committees?\b/g,
    ' ',
  )
  // In "a new agreement (which may be extended)", only the bracket has a condition, so text in brackets is not searched
  // for conditions.
  const conditions = plain.replace(/\([^()]*\)/g, ' ')
  const isRow = isRowOf(masked) && /[$%]/.test(masked)
  if (!isRow && (!PAID.test(plain) || !PAYS.test(plain))) return []
  if (!isRow && NO_PAY.test(plain) && dropped(trace, 'no_pay', 0)) return []
  if (!isRow && CONDITION.test(conditions) && dropped(trace, 'possible', 0)) return []
  const own = paidOn(masked)
  const event_date = own.event_date ?? (isRow ? above.event_date : null)
  const effective_date = own.effective_date ?? (isRow ? above.effective_date : null)
  return mentions.flatMap(({ name }, i) => {
    const place = placeOf(masked, i)
    if (NOT_PAID.test(masked.slice(0, place)) && dropped(trace, 'not_paid', place)) return []
    if (isRow && i > 0 && dropped(trace, 'second_in_row', place)) return []
    const services = SERVICES.exec(masked)
    const served =
      services && new Set(mentions.map((one) => one.name)).size === 1
        ? titleFrom(masked, services.index + services[0].length)?.title
        : null
    const title = officeNextTo(read, i) ?? known.get(name) ?? served ?? null
    const { start, end } = sentence
    return [{ start, end, name, title, event: 'compensation' as const, event_date, effective_date }]
  })
}
