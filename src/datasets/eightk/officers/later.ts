/**
 * Changes events by what later sentences say: adds a day that a later sentence states, and removes a departure that a
 * later sentence takes back.
 */
import { DAY, dayOf } from '../../../read/prose/dates.ts'
import { effectiveOf } from '../days.ts'
import type { MaskedSentence } from './mask.ts'
import { CONDITION } from './negation.ts'
import type { Officer, OfficerEvent } from './statement.ts'
import { subjectOf } from './subjects.ts'
import { dropped } from './vetoes.ts'

/** Maximum length of the consecutive sentences that are the evidence of one event. */
export const FURTHER_MAX = 1_200
/** Events in which a person leaves. */
export const GOES: ReadonlySet<OfficerEvent> = new Set(['retired', 'resigned', 'removed', 'departed'])
const isAppointed = (event: OfficerEvent) => event === 'appointed'
const goes = (event: OfficerEvent) => GOES.has(event)

/**
 * Sets the effective day of a person's events if a later sentence states the day: "She accepted the appointment
 * effective as of July 31, 2019" (0001193125-19-191922), "his retirement from the Company on December 31, 2021"
 * (0000892712-21-000019).
 */
export function dateLater(read: MaskedSentence, officers: readonly Officer[]): void {
  const { sentence, masked, mentions } = read
  const date = (
    names: readonly string[],
    isOf: (event: OfficerEvent) => boolean,
    dayOn: (event_date: string | null) => string | null,
  ) => {
    const open = officers.filter(
      ({ name, event, effective_date }) => names.includes(name) && isOf(event) && effective_date === null,
    )
    for (const one of open.filter(({ start }) => start === open[0]!.start)) {
      const day = dayOn(one.event_date)
      if (!day || sentence.end - one.start > FURTHER_MAX) continue
      one.effective_date = day
      one.end = Math.max(one.end, sentence.end)
    }
  }
  const from = (at: number) => (event_date: string | null) =>
    effectiveOf(masked, { from: at, to: masked.length, isFirst: false, event_date })
  const accepted = /\baccepted (?:the|his|her) (?:appointment|election|position|offer)\b/.exec(masked)?.index
  if (accepted !== undefined) {
    const who = subjectOf(read, accepted).map((i) => mentions[i]!.name)
    date(who, isAppointed, from(accepted))
  }
  const names = [...new Set(mentions.map(({ name }) => name))]
  if (names.length !== 1) return
  const noun = OWN_NOUN.exec(masked)
  if (noun) date(names, /app|elec|prom/.test(noun[1]!) ? isAppointed : goes, from(noun.index))
  if (CONDITION.test(masked)) return
  const leaves = dayOf(HIS_LEAVE.exec(masked)?.[1])
  if (leaves) date(names, goes, () => leaves)
  const stays = dayOf(STAYS.exec(masked)?.[1])
  if (stays) date(names, goes, () => stays)
  const [, starts, start] = STARTS.exec(masked) ?? []
  const begins = dayOf(starts ?? start)
  if (begins) date(names, isAppointed, () => begins)
}

/**
 * Removes the departures of a person that a later sentence takes back or puts off without a day: "Mr. Sample intends to
 * defer his retirement" (0001171843-23-004227).
 */
export function takeBack({ sentence, masked, mentions, trace }: MaskedSentence, officers: Officer[]): void {
  const names = new Set(mentions.map(({ name }) => name))
  if (names.size !== 1 || !TAKES_BACK.test(masked) || CONDITION.test(masked)) return
  for (let at = officers.length - 1; at >= 0; at--) {
    const one = officers[at]!
    if (names.has(one.name) && goes(one.event) && one.start < sentence.start && dropped(trace, 'taken_back', one))
      officers.splice(at, 1)
  }
}
const TAKES_BACK = new RegExp(
  `\\b(?:(?:withdr(?:aws?|ew|awn)|rescind(?:s|ed)?|revoke[sd]?) (?:his|her|their)|(?:defer(?:s|red)?|postpone[sd]?|delay(?:s|ed)?) (?:his|her|their) (?!(?:[^.;]{0,120}?)(?:${DAY}|\\buntil\\b))) ?(?:[a-z]+ ){0,3}(?:resignation|retirement|departure)\\b`,
)

/** Matches "Ada Sample’s appointment is effective May 1" */
const OWN_NOUN =
  /\uE001[’']s? (appointment|election|promotion|resignation|retirement|departure) (?:is|was|will be|became|becomes|shall be|will become|takes|will take|took|shall take)(?: to be)? (?=effec(?:tive|t)\b)/
const HIS_LEAVE = new RegExp(
  `\\b(?:his|her|their) (?:retirement|resignation|departure|separation)(?: from [^.;,]{3,60})? (?:on|effective|effective on|effective as of) ${DAY}`,
)
/** Matches "she will remain employed until January 3, 2011" */
const STAYS = new RegExp(
  `\\b(?:remain|continue) (?:employed(?: (?:by|with) the Company)?|in (?:his|her) (?:current )?(?:executive )?(?:roles?|positions?|capacity)|to serve in (?:his|her|that|such) (?:current )?(?:roles?|positions?|capacity))(?: with the Company)? (?:until|through) ${DAY}`,
)
/** Matches "will assume her duties on July 1", "is expected to begin employment on July 1" */
const STARTS = new RegExp(
  `\\b(?:assume|begin|start|commence)s? (?:(?:his|her) (?:new )?)?(?:duties|responsibilities|role|position|employment|work|service|tenure|in (?:his|her|this) (?:new )?(?:role|position))(?: with the Company| at the Company)? (?:on|effective|as of|on or about|effective as of) ${DAY}|\\bstart date (?:of|(?:as [^.;,]{3,80} )?(?:is|will be|is expected to be))(?: on or about)? ${DAY}`,
)
