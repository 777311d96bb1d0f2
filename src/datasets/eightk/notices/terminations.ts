/** Item 1.02: agreements that ended, with their parties, day and fee. */
import { DAY, dayOf } from '../days.ts'
import type { Sentence } from '../prose.ts'
import { putTitles } from './agreements.ts'
import { dayBefore } from './days.ts'
import { amountsIn } from './money.ts'
import { collector, type NoticeRead } from './notice.ts'
import { partiesAfter } from './parties.ts'
import { isReference, preparedFrom, type Section } from './prepared.ts'
import { statementsIn } from './statements.ts'
import { isDenied } from './subject.ts'
import { titlesAfter, titlesBefore } from './titles.ts'

/** Maximum number of agreements that one item ends. */
const ENDED_MAX = 10
const TERMINATED = /\b(?:terminated|was terminated|were terminated|has been terminated|termination of|terminating)\b/
const NOT_ENDED =
  /\b(?:not|may|might|would|could|if|unless|until|upon|prior to|right to|rights? of|event of|either party|intends?|elect to|entitled to)\b[^,;]{0,60}$/i
const FEE = /\b(?:termination|break-?up|early termination|reimbursement) (?:fee|payment|penalt\w+)s?\b[^.;$]{0,60}$/i

/** Reads the agreements of item 1.02. */
export function terminations(sentences: readonly Sentence[], filer: string | null): NoticeRead {
  const section = preparedFrom(sentences, filer)
  const out = collector()
  let ended = 0
  for (const [i, { said, sentence }] of section.sentences.entries()) {
    const found = TERMINATED.exec(said)
    if (!found || NOT_ENDED.test(said.slice(Math.max(0, found.index - 80), found.index))) continue
    if (isDenied(said, found.index)) continue
    const end = found.index + found[0].length
    const isPassive = /^(?:was|were|has been)/.test(found[0])
    const titles = isPassive ? titlesBefore(said, found.index) : titlesAfter(said, end)
    if (titles.length === 0 || /^(?:termination|Termination)/.test(titles[0]!.title)) continue
    if (++ended > ENDED_MAX) break
    putTitles(titles, sentence, sentence, out)
    const last = titles.at(-1)!.end
    out.put('termination_date', dayOfEnd(said, found.index, isPassive ? end : last), sentence)
    const own = partiesAfter(section, said, last, said.length).map((party) => ({ party, sentence }))
    for (const one of own.length > 0 ? own : partiesOfTitle(section, titles[0]!.title))
      out.put('agreement_party', one.party, one.sentence)
    const next = section.sentences[i + 1]
    const fee = feeIn(said)
    if (fee !== null) out.put('termination_fee', fee, sentence)
    else if (next && /\bpa(?:id|ys)\b/.test(next.said))
      out.put('termination_fee', feeIn(next.said), next.sentence, sentence)
  }
  if (out.read.facts.length === 0 && sentences.length > 0 && !isReference(sentences))
    out.leave('agreement', 'no sentence certainly says which agreement ended')
  return out.read
}

/** Words of a fee that is denied, waived or conditional. */
const NOT_DUE =
  /\b(?:if|would|may|might|could|unless|not|no(?!\.)|neither|nor|without|waiv\w+|forg[io]\w+|den(?:y|ies|ied))\b/i

/** Returns the only fee that a sentence states without a condition. */
function feeIn(said: string): string | null {
  const fees = amountsIn(said).filter(({ start }) => FEE.test(said.slice(Math.max(0, start - 100), start)))
  return fees.length === 1 && !NOT_DUE.test(said) ? fees[0]!.value : null
}

/** Parties of the agreement with a title, from the sentence that says when it was made. */
function partiesOfTitle(section: Section, title: string): { party: string; sentence: Sentence }[] {
  for (const { said, sentence } of section.sentences) {
    for (const { after, to, isPassive } of statementsIn(said)) {
      const made = isPassive ? undefined : titlesAfter(said, after)[0]
      if (made?.title.toLowerCase().endsWith(title.toLowerCase()))
        return partiesAfter(section, said, made.end, to).map((party) => ({ party, sentence }))
    }
  }
  return []
}

/** "terminated the Lease, effective May 1, 2024": without "with" after it, since a new agreement is described so. */
const EFFECTIVE = new RegExp(
  `^[^;]{0,160}?,?\\s(?<!\\b(?:amended|restated|dated|and)\\s)effective(?:\\s(?:as\\sof|on|upon))?\\s${DAY}(?!,?\\s(?:with|between|among|by\\sand)\\b)`,
)
const ON = new RegExp(
  `^(?:(?!\\b(?:dated|pursuant|entered|amended|made|that|which|originally|matur\\w*|expir\\w*)\\b)[^.;]){0,160}?,?\\s(?:on|as of)\\s${DAY}`,
)
/** Words of a day on which the end was notified or approved, which is not the day of the end. */
const NOTIFIED = /\b(?:notices?|notif\w+|approv\w+|inform\w+|deliver\w+|elect(?:ed|s|ion)?|agreed|will)\b/i

/** Returns the day on which an agreement ended; null if the words have only the day of a notice. */
function dayOfEnd(said: string, verb: number, end: number): string | null {
  const rest = said.slice(end, end + 240)
  const effective = dayOf(EFFECTIVE.exec(rest)?.[1])
  if (effective) return effective
  const before = dayBefore(said, verb)
  if (NOTIFIED.test(said)) return /^Effective\b/.test(said) ? before : null
  return before ?? dayOf(ON.exec(rest)?.[1])
}
