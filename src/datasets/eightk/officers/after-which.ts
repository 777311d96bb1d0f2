/**
 * Finds a departure that follows a time in which the person keeps an office: "will remain as Chairman until May 1,
 * 2020, after which he will retire".
 */
import { DAY, dayOf } from '../../../read/prose/dates.ts'
import { P } from './mask.ts'
import { titlesAt } from './roles.ts'

/** Matches "after which he will retire", "at which time she will resign" */
const AFTER_WHICH = new RegExp(
  `\\b(?:after|following|upon|at|on) which(?: (?:time|point|date|day))?,? (?:(?:he|she)|${P}) (?:[a-z]+ ){0,3}$`,
)
const STAYS = /\b(?:remain|continue|serve|stay)\w*\b[^.;]{0,80}?\sas\s/
const UNTIL_DAY = new RegExp(`\\b(?:until|through)(?: and including)? ${DAY}`)

/**
 * Reads the words before the verb of a departure. Returns the offices that the person keeps until the departure, and
 * the day of the departure; null if the words do not report a later departure.
 */
export function laterOf(before: string): { titles: string[]; day: string | null } | null {
  if (!AFTER_WHICH.test(before)) return null
  const stays = STAYS.exec(before)
  return {
    titles: stays ? titlesAt(before, stays.index + stays[0].length) : [],
    day: dayOf(UNTIL_DAY.exec(before)?.[1]),
  }
}
