/** Item 1.02: agreements that ended, with their parties, day and fee. */
import { DAY } from '../../../read/prose/dates.ts'
import { amountFor, type ReadAmount } from '../../../read/prose/money.ts'
import type { Sentence } from '../../../read/prose/sentences.ts'
import { FURTHER_REASON, putTitles } from './agreements.ts'
import { dayBefore, firstStated, type StatedDay, statedDay } from './days.ts'
import { type Collector, collector, type NoticeRead } from './notice.ts'
import { partiesAfter, partiesOfNotice } from './parties.ts'
import { furtherIn, partsOf } from './parts.ts'
import { preparedFrom, type Section } from './prepared.ts'
import { statementsIn } from './statements.ts'
import { isDenied, isHistory, isOfOtherFirm, isReported } from './subject.ts'
import { type Title, titlesAfter, titlesBefore } from './titles.ts'

/** Maximum number of ended agreements that are read from one item. */
const ENDED_MAX = 10
const TERMINATED =
  /\b(?:terminated|was terminated|were terminated|has been terminated|termination of|(?<=\bnotice of )termination (?:from|to)|terminating)\b/
const NOT_ENDED =
  /\b(?:not|may(?!\s\d)|might|would|could|if|unless|until|upon|prior to|right to|rights? of|event of|either party|intends?|elect to|entitled to)\b[^,;]{0,60}$/i
/** Matches the firm between "notice of termination" and the agreement: "from Alpha LLC of the Lease". */
const FROM_WHOM = /^\s(?:the\s)?[A-Z][^;]{1,100}?\sof\s(?=(?:the|our|its|that|an?)\s)/
const FEE_WORDS = /\b(?:fee|payment|penalt(?:y|ies))s?\b/i
const FEE = /\b(?:termination|break-?up|early termination|reimbursement) (?:fee|payment|penalt\w+)s?\b[^.;$]{0,60}$/i

/** Reads the agreements of item 1.02. */
export function terminations(sentences: readonly Sentence[], filer: string | null): NoticeRead {
  const section = preparedFrom(
    sentences.flatMap((sentence) => partsOf(sentence, TERMINATED)),
    filer,
  )
  const out = collector()
  const all = section.sentences.flatMap(({ said }, i) => {
    const ended = endedIn(said)
    return ended ? [{ ...ended, i }] : []
  })
  for (const one of all.slice(0, ENDED_MAX)) put(section, one, out)
  for (const _ of all.slice(ENDED_MAX)) out.leave('agreement', 'the item ends more agreements than are read')
  out.leaveUnread('agreement', sentences, 'no sentence certainly says which agreement ended')
  return out.read
}

interface Ended {
  verb: number
  /** End of the verb. */
  after: number
  titles: readonly [Title, ...Title[]]
  isPassive: boolean
}

/** Returns what a sentence says about agreements that certainly ended; null for other sentences. */
function endedIn(said: string): Ended | null {
  const found = TERMINATED.exec(said)
  if (!found || NOT_ENDED.test(said.slice(Math.max(0, found.index - 80), found.index))) return null
  const [verb, after] = [found.index, found.index + found[0].length]
  if (isDenied(said, verb) || isReported(said, verb) || isHistory(said, after)) return null
  const isPassive = /^(?:was|were|has been)/.test(found[0])
  const whom = /(?:from|to)$/.test(found[0]) ? FROM_WHOM.exec(said.slice(after)) : null
  const from = after + (whom?.[0].length ?? 0)
  const [first, ...others] = isPassive ? titlesBefore(said, verb) : titlesAfter(said, from)
  if (!first || /^termination/i.test(first.title) || isOfOther(said, verb, after)) return null
  return { verb, after, titles: [first, ...others], isPassive }
}

function put(section: Section, { i, verb, after, titles, isPassive }: Ended & { i: number }, out: Collector): void {
  const { said, sentence } = section.sentences[i]!
  putTitles(titles, sentence, sentence, out)
  const last = titles.at(-1)!.end
  const next = section.sentences[i + 1]
  const day = dayOfEnd(said, verb, isPassive ? after : last)
  out.putDay('termination_date', day, sentence)
  if (day === undefined && next) out.putDay('termination_date', dayInNext(next.said), next.sentence, sentence)
  const further = furtherIn(said, last, isPassive ? verb : said.length)
  for (const _ of further) out.leave('agreement', FURTHER_REASON)
  const named = partiesAfter(section, said, last, further[0]?.at ?? said.length)
  const own = (named.length > 0 ? named : partiesOfNotice(section, said, isPassive ? verb : titles[0].start)).map(
    (party) => ({ party, sentence }),
  )
  for (const one of own.length > 0 ? own : partiesOfTitle(section, titles[0].title))
    out.put('agreement_party', one.party, one.sentence)
  const hasFee = out.putAmount('termination_fee', feeIn(said), sentence)
  if (!hasFee && !sentence.isPart && next && /\bpa(?:id|ys?)\b/.test(next.said))
    out.putAmount('termination_fee', feeIn(next.said), next.sentence, sentence)
}

/**
 * Matches "The termination will be effective on June 1, 2026", in the sentence after the one that reports the
 * termination.
 */
const ENDS = new RegExp(
  `^(?:The|Such|This)\\stermination\\s(?:(?:will\\sbe|is|was|became|becomes|will\\sbecome|shall\\sbe)\\seffective|(?:takes|took|will\\stake)\\seffect)(?:\\s(?:on|as\\sof))?\\s${DAY}`,
)
const dayInNext = (said: string): StatedDay => statedDay(ENDS.exec(said)?.[1])

/** Words of a fee that is denied, waived or conditional. */
const NOT_DUE =
  /\b(?:if|would|may(?!\s\d)|might|could|unless|not|no(?!\.)|neither|nor|only\s(?:upon|if|in|when|after)|without|waiv\w+|claim\w*|disput\w+|alleg\w+|assert\w*|demand\w*|forg[io]\w+|den(?:y|ies|ied))\b/i

/** Returns the only fee that a sentence states without a condition. */
const feeIn = (said: string): ReadAmount =>
  !FEE_WORDS.test(said) || NOT_DUE.test(said)
    ? { value: null, reason: null }
    : amountFor(said, ({ start }) => FEE.test(said.slice(Math.max(0, start - 100), start)))

/**
 * Tests for an agreement of another firm: "Alpha terminated its Lease with Beta". If the other party is the filer, the
 * agreement counts as the filer's.
 */
function isOfOther(said: string, verb: number, after: number): boolean {
  const rest = said.slice(after, after + 400)
  if (!/^\s(?:its|their)\s/.test(rest) || !isOfOtherFirm(said, verb)) return false
  return !/\b(?:with|between|among)\s(?:[^.;]{0,160}\s)?(?:the Company(?![’'])|us\b)/.test(rest.replace(OF_FIRM, ''))
}
/** Matches a description of another firm that names the filer: ", a customer of the Company". */
const OF_FIRM = /,\s(?:an?|the)\s[^,;.]{1,90}\sof\sthe\sCompany/g

/**
 * Returns the parties of the agreement with this title. The parties are read from the sentence which says that the
 * filer entered into the agreement.
 */
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

/**
 * Matches the day in "terminated the Lease, effective May 1, 2024". No "with" may follow, since "effective May 1, 2024
 * with Alpha" describes a new agreement.
 */
const EFFECTIVE = new RegExp(
  `^[^;]{0,160}?,?\\s(?<!\\b(?:amended|restated|dated|and)\\s)effective(?:\\s(?:as\\sof|on|upon))?\\s${DAY}(?!,?\\s(?:with|between|among|by\\sand)\\b)`,
)
const ON = new RegExp(
  `^(?:(?!\\b(?:dated|pursuant|entered|amended|made|that|which|originally|matur\\w*|expir\\w*)\\b)[^.;]){0,160}?,?\\s(?:on|as of)\\s${DAY}`,
)
/** Words which show that a day is the day of a notice or an approval. Such a day is not the end of the agreement. */
const NOTIFIED = /\b(?:notices?|notif\w+|approv\w+|inform\w+|deliver\w+|elect(?:ed|s|ion)?|agreed|will)\b/i

/** Returns the day on which an agreement ended; undefined if the words have only the day of a notice. */
function dayOfEnd(said: string, verb: number, end: number): StatedDay {
  const rest = said.slice(end, end + 240)
  const effective = statedDay(EFFECTIVE.exec(rest)?.[1])
  if (effective !== undefined) return effective
  const before = dayBefore(said, verb)
  if (NOTIFIED.test(said)) return /^Effective\b/.test(said) ? before : undefined
  return firstStated(before, statedDay(ON.exec(rest)?.[1]))
}
