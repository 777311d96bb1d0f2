/** Finds persons whose pay is stated: in item 5.02(e), and with an appointment or a departure. */
import { DAY, dayOf, effectiveOf, eventDateOf } from './days.ts'
import { type MaskedSentence, placeOf } from './mask.ts'
import { CONDITION } from './negation.ts'
import type { Officer } from './officer-statement.ts'
import { titleFrom } from './offices.ts'
import { officeNextTo } from './subjects.ts'

const PAID =
  /\b(?:base salar(?:y|ies)|annual salary|salary|bonus(?:es)?|cash incentive|incentive (?:award|opportunity)|equity (?:award|grant)s?|restricted (?:stock|shares?)|stock options?|stock units?|share units?|RSUs|PSUs|retainer|employment agreements?|severance|compensation|retirement (?:agreement|benefit)|change of control agreements?|awards?|sign-on|(?:board|committee|director) fees|options (?:under|to purchase|for)|options?(?= under the))\b|\$[\d,]+ (?:per|a|each) (?:quarter|year|month|annum)/i
const PAYS =
  /\b(?:approv(?:e|ed|es|ing)|grant(?:ed|s)|award(?:ed|s)?|increas(?:e|ed|es)|entered into|amended|extend(?:ed|ing|s)|receive[sd]?|adopted|entitled|will be|pays?|paid|opportunity|amendment|participates?|salary (?:is|was|remains|of))\b/i
/** Words of statements on documents, plans and relations, which are not about pay. */
const NO_PAY =
  /\b(?:qualified in (?:its|their) entirety|does not purport|no (?:arrangements|family|transactions)|(?<!\bcompensation[^.;]{0,40})indemnification agreement|(?:will|does|did|shall) not (?:receive|be paid|be entitled to|earn) (?:any )?(?:additional |separate |other |further )?(?:compensation|salary|fees)|no (?:additional|separate) compensation|family relationships|Item 40[14])\b|^(?!.*\b(?:will|to) receive\b).*\bincorporated (?:herein )?by reference\b/i

/** Matches "approved one-time awards on June 24, 2026" */
const DECIDED = new RegExp(`\\b(?:approved|granted)\\b[^.;,]{0,100}?\\son\\s${DAY}`)

/** Words before a person who is not the person who is paid. */
const NOT_PAID =
  /\b(?:successor [^.;,]{0,60} to|to succeed|succeeds?|succeeding|succeeded by|replac(?:es|ing)|replaced by|report(?:s|ing)? to|signed by) (?:the )?$/
/** Matches a relative clause, which only adds a remark. */
const ASIDE = /,\swho\b[^,;.]*(?:,\s\d{4}\b[^,;.]*)?/g

/** The days that a sentence states. */
export interface Days {
  event_date: string | null
  effective_date: string | null
}

/** Returns the day on which pay was decided, and its effective day. */
export function paidOn(masked: string): Days {
  const event_date = eventDateOf(masked) ?? dayOf(DECIDED.exec(masked)?.[1])
  const reach = { from: 0, to: masked.length, isFirst: true, event_date }
  return { event_date, effective_date: effectiveOf(masked.replace(ASIDE, ','), reach) }
}

/** Tests whether a sentence is a row of a table. */
export const isRowOf = (masked: string): boolean => masked.includes(' | ')

/**
 * Returns the persons whose pay the sentence states.
 *
 * @param above days of the sentence above a table, which apply to its rows
 */
export function paidIn(read: MaskedSentence, known: ReadonlyMap<string, string>, above: Days): Officer[] {
  const { sentence, masked, mentions } = read
  if (mentions.length === 0) return []
  const plain = masked.replace(
    /\b(?:Human Resources and |Management Development and )?Compensation[^.;,]{0,60}?Committees?\b/g,
    ' ',
  )
  const isRow = isRowOf(masked) && /[$%]/.test(masked)
  if (!isRow && (!PAID.test(plain) || !PAYS.test(plain) || NO_PAY.test(plain) || CONDITION.test(plain))) return []
  const own = paidOn(masked)
  const event_date = own.event_date ?? (isRow ? above.event_date : null)
  const effective_date = own.effective_date ?? (isRow ? above.effective_date : null)
  return mentions.flatMap(({ name }, i) => {
    if (NOT_PAID.test(masked.slice(0, placeOf(masked, i)))) return []
    const services = /\bfor (?:his|her) services? as\s/.exec(masked)
    const served =
      services && mentions.length === 1 ? titleFrom(masked, services.index + services[0].length)?.title : null
    const title = officeNextTo(read, i) ?? known.get(name) ?? served ?? null
    const { start, end } = sentence
    return isRow && i > 0
      ? []
      : [{ start, end, name, title, event: 'compensation' as const, event_date, effective_date }]
  })
}
