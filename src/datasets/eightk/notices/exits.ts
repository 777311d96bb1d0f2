/** Item 2.05: the day of a decision to exit or dispose of activities, and the costs that the filer expects. */

import {
  amountsIn,
  BOUND_REASON,
  isBound,
  isRange,
  OTHER_CURRENCY_REASON,
  othersIn,
} from '../../../read/prose/money.ts'
import type { Sentence } from '../../../read/prose/sentences.ts'
import { dayBefore } from './days.ts'
import { type Collector, collector, type NoticeRead } from './notice.ts'
import { preparedFrom } from './prepared.ts'
import { isOfOtherFirm, isReported, isSupposed } from './subject.ts'

const DECIDED =
  /\b(?:committed (?:itself )?to|approved|adopted|authori[sz]ed|determined to|decided to|announced|initiated|commenced|implemented|finalized)\b/
const PLAN =
  /\b(?:plans?|restructuring|reductions?|clos(?:e|es|ing|ure)|exit|workforce|headcount|initiatives?|program|consolidat\w+|wind[- ]down|discontinu\w+|reali?gn\w*|reorgani[sz]\w+|relocat\w+|shut\w*)\b/i
const NOT_MADE =
  /\b(?:not|may(?!\s\d)|might|could|if|whether|propos\w+|consider\w*|evaluat\w+|previously|as part of its ongoing)\b[^;]{0,60}$/i
const COSTS = /\b(?:charges?|costs?|expenses?|expenditures)\b/i
const EXPECTS =
  /\b(?:expect(?:s|ed|ing)?|estimat\w+|anticipat\w+|project(?:s|ed)|will (?:be|incur|record|recogni[sz]e|total)|to (?:incur|record|be))\b/i
/** Words before costs that the filer has already spent or recorded. */
const PAST =
  /(?<!\b(?:be|been expected to be)\s)\b(?:incurred|recorded|recogni[sz]ed|charged|spent|earlier|prior|previous)\b/gi
/** Words of amounts that are not exit costs. */
const OTHER =
  /\b(?:savings?|save|benefits? (?:of|from)|revenues?|sales|proceeds|reduc(?:e|ing) (?:annual|operating|its))\b/i
const UNKNOWN =
  /\b(?:cannot|unable to|not (?:yet |currently )?(?:able|possible|in a position|expect\w*|anticipat\w+))\b/i
/** Words after which amounts are parts of the preceding sum. */
const PARTS =
  /\b(?:consist\w*|compris\w+|includ\w+|of which|related to|relating to|for (?:severance|employee)|associated with)\b/i
const WHOLE = /\b(?:total|aggregate|overall|in the range of)\b/i

interface Cost {
  low: string
  high: string
  isWhole: boolean
  sentence: Sentence
}

/** Reads item 2.05. */
export function exits(sentences: readonly Sentence[], filer: string | null): NoticeRead {
  const out = collector()
  const costs: Cost[] = []
  let decided = false
  const doubts = new Set<string>()
  for (const { said, sentence } of preparedFrom(sentences, filer).sentences) {
    const act = DECIDED.exec(said)
    if (
      act &&
      !decided &&
      PLAN.test(said.slice(act.index)) &&
      !NOT_MADE.test(said.slice(Math.max(0, act.index - 80), act.index)) &&
      !isReported(said, act.index) &&
      !isSupposed(said, act.index) &&
      !isOfOtherFirm(said, act.index)
    ) {
      const day = dayBefore(said, act.index)
      out.putDay('exit_date', day, sentence)
      decided = day !== undefined
    }
    // A cost that was reported before is not read, since it may have changed.
    const cost = isReported(said, said.length) ? null : costIn(said)
    if (typeof cost === 'string') doubts.add(cost)
    else if (cost) costs.push({ ...cost, sentence })
  }
  putCost(costs, [...doubts], out)
  out.leaveUnread('exit_cost', sentences, 'no sentence certainly states a day or a cost')
  return out.read
}

/** Tests whether the last verb before an amount is about a cost of the past. */
function isPast(before: string): boolean {
  const past = [...before.matchAll(PAST)].at(-1)
  return past !== undefined && !EXPECTS.test(before.slice(past.index))
}

const SEVERAL = 'the sentences state several costs'

/**
 * Returns the expected cost that a sentence states, or the reason why its amounts are not one cost or one range.
 * Returns null if the sentence states no expected cost.
 */
function costIn(text: string): Omit<Cost, 'sentence'> | string | null {
  const expects = EXPECTS.exec(text)
  if (!COSTS.test(text) || !expects || OTHER.test(text) || UNKNOWN.test(text)) return null
  if (isOfOtherFirm(text, expects.index)) return null
  const all = amountsIn(text).filter(({ start }) => !isPast(text.slice(0, start)))
  const [first, second] = all
  if (othersIn(text).some(({ start }) => !isPast(text.slice(0, start)))) return OTHER_CURRENCY_REASON
  if (!first) return null
  if (isBound(text.slice(0, first.start))) return BOUND_REASON
  const isWhole = WHOLE.test(text.slice(Math.max(0, first.start - 120), first.start))
  if (PARTS.test(text.slice(0, first.start)) && !isWhole) return SEVERAL
  const parts = PARTS.exec(text.slice(first.end))?.index
  const end = parts === undefined ? text.length : first.end + parts
  const own = all.filter(({ start }) => start < end)
  if (second && own.length === 2 && isRange(text, first, second))
    return { low: first.value, high: second.value, isWhole }
  return own.length === 1 ? { low: first.value, high: first.value, isWhole } : SEVERAL
}

/**
 * Adds the cost that the text calls the total, or else the only cost. If the costs differ, or if another sentence is
 * uncertain, the cost is left out with the reason.
 *
 * @param doubts reasons why amounts of other sentences are not one cost
 */
function putCost(costs: readonly Cost[], doubts: readonly string[], out: Collector): void {
  const whole = costs.filter(({ isWhole }) => isWhole)
  const some = whole.length > 0 ? whole : costs
  const [one] = some
  if (!one && doubts.length === 0) return
  const isOne =
    one && (one.isWhole || doubts.length === 0) && some.every(({ low, high }) => low === one.low && high === one.high)
  if (!isOne) {
    out.leave('exit_cost', one || doubts.length > 1 ? SEVERAL : doubts[0]!)
    return
  }
  if (one.low === one.high) out.put('exit_cost', one.low, one.sentence)
  else {
    out.put('exit_cost_low', one.low, one.sentence)
    out.put('exit_cost_high', one.high, one.sentence)
  }
}
