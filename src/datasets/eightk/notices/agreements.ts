/** Item 1.01: agreements that the filer entered into, with their parties, day and amount. */
import { DAY } from '../../../read/prose/dates.ts'
import type { Sentence } from '../../../read/prose/sentences.ts'
import { amountOf } from './agreement-amount.ts'
import { dayAfter, dayBefore, firstStated, type StatedDay, statedDay } from './days.ts'
import { kindOf } from './kinds.ts'
import { type Collector, collector, type NoticeRead } from './notice.ts'
import { partiesAfter, partiesBefore } from './parties.ts'
import { furtherIn, partsOf } from './parts.ts'
import { type Prepared, preparedFrom, type Section } from './prepared.ts'
import { ENTERED, type Statement, statementsIn } from './statements.ts'
import { type Title, titlesAfter, titlesBefore, titlesOfLine } from './titles.ts'

/** Words before the name of the indenture under which notes were issued. */
const GOVERNED =
  /\b(?:governed by|issued (?:under|pursuant to)|supplemented by|issued the [A-Z][\w ]{2,40} (?:under|pursuant to))\s(?=(?:an?|the)\s)/g

/** Reads the agreements of item 1.01. */
export function agreements(sentences: readonly Sentence[], filer: string | null): NoticeRead {
  const parts = sentences.flatMap((sentence) => partsOf(sentence, ENTERED))
  const section = preparedFrom(parts, filer)
  const out = collector()
  const days = new Set(section.sentences.flatMap(({ said }) => [dayBefore(said, said.length), startsOn(said)]))
  for (const [i, one] of section.sentences.entries()) {
    for (const statement of statementsIn(one.said)) readOne(section, i, statement, out)
    indentures(section, one, days, out)
  }
  out.leaveUnread('agreement', sentences, 'no sentence certainly says that the filer entered into an agreement')
  return out.read
}

/**
 * Reason for leaving out a further agreement with its own parties: its facts would be mixed with those of the agreement
 * before it.
 */
export const FURTHER_REASON = 'the sentence names a further agreement with other parties'

function readOne(section: Section, i: number, statement: Statement, out: Collector): void {
  const { verb, after, to, isPassive } = statement
  const { sentence, said } = section.sentences[i]!
  const titles = isPassive ? titlesBefore(said, verb) : titlesAfter(said, after)
  // After "amended", a title without a word such as agreement or lease does not count: "the Term Loan Facility" is only
  // a part of an agreement.
  if (
    said.startsWith('amended', verb) &&
    !titles.some(({ title }) => /agreement|indenture|lease|contract/i.test(title))
  )
    return
  const listed = titles.length === 0 || /\bfollowing agreements\b/i.test(said) ? listedAfter(section, i) : []
  if (titles.length === 0 && listed.length === 0) {
    // After "entered into", words without a title may still mean an agreement: "entered into transactions". After other
    // verbs they mean none: "executed on its strategy".
    if (said.startsWith('entered into', verb)) out.leave('agreement', 'the words name no certain agreement')
    return
  }
  const end = isPassive ? after : (titles.at(-1)?.end ?? after)
  const further = isPassive ? [] : furtherIn(said, end, to)
  for (const _ of further) out.leave('agreement', FURTHER_REASON)
  putTitles(titles, sentence, sentence, out)
  for (const { title, line } of listed) putTitles([{ title }], line.sentence, sentence, out)
  // "amended the Credit Agreement, dated May 1, 2020": this is the day of the original agreement, not of the amendment.
  const dated = said.startsWith('amended', verb) ? undefined : datedAfter(said, titles, end)
  const day = firstStated(dayBefore(said, verb), dated, isPassive ? dayAfter(said, after) : undefined)
  out.putDay('agreement_date', day, sentence)
  const others = partiesAfter(section, said, end, further[0]?.at ?? to)
  const parties = [...(isPassive ? [] : partiesBefore(section, said, verb)), ...others]
  for (const party of new Set(parties)) out.put('agreement_party', party, sentence)
  amountOf(section, i, { statement, titles }, out)
}

/**
 * Reads the indentures under which notes were issued. An indenture is new if its day is also a day on which, according
 * to the item, something happened.
 */
function indentures(
  section: Section,
  { said, sentence }: Prepared,
  days: ReadonlySet<StatedDay>,
  out: Collector,
): void {
  for (const { index, 0: words } of said.matchAll(GOVERNED)) {
    const titles = titlesAfter(said, index + words.length)
    const [first] = titles
    const day =
      first && /indenture/i.test(first.title)
        ? statedDay(DATED.exec(said.slice(first.end, first.end + 120))?.[1])
        : null
    if (!first || !day || !days.has(day)) continue
    putTitles([first], sentence, sentence, out)
    out.putDay('agreement_date', day, sentence)
    for (const party of new Set(partiesAfter(section, said, first.end, said.length)))
      out.put('agreement_party', party, sentence)
  }
}
const STARTS_ON = new RegExp(`^On\\s${DAY}`)
const startsOn = (said: string) => statedDay(STARTS_ON.exec(said)?.[1])

/** Adds the titles of agreements and their kinds to the facts. */
export function putTitles(titles: readonly { title: string }[], sentence: Sentence, from: Sentence, out: Collector) {
  for (const { title } of titles) {
    out.put('agreement', title, sentence, from)
    const kind = kindOf(title)
    if (kind !== 'other') out.put('agreement_kind', kind, sentence, from)
  }
}

/** Returns the agreements of a list that the sentence announces: "the following agreements:". */
function listedAfter({ sentences }: Section, i: number): { title: string; line: Prepared }[] {
  const one = sentences[i]!
  const colon = /\b(?:agreements|documents|following):/i.exec(one.said)
  if (!colon) return []
  const own = one.said
    .slice(colon.index + colon[0].length)
    .split(';')
    .flatMap(titlesOfLine)
  if (own.length > 0) return own.map((title) => ({ title, line: one }))
  const found: { title: string; line: Prepared }[] = []
  for (const line of sentences.slice(i + 1, i + 20)) {
    const titles = titlesOfLine(line.said)
    if (titles.length === 0) break
    found.push(...titles.map((title) => ({ title, line })))
  }
  return found
}

const DATED = new RegExp(
  `^,?\\s(?:(?:each|made|and|which is)\\s)?(?:dated|made|effective|executed)(?:\\sand\\seffective)?,?\\s(?:effective\\s)?(?:as\\sof\\s|on\\s)?(?:or\\sabout\\s)?${DAY}`,
)
const OF_OLDER =
  /\b(?:amendment|supplement|waiver|joinder|consent|addendum|extension|modification|assignment|termination)\b.*\b(?:to|of)\b/i
/**
 * Returns the day that the words after the titles state. Returns undefined for an amendment, since the day after its
 * title is the day of the amended agreement.
 */
const datedAfter = (said: string, titles: readonly Title[], end: number): StatedDay =>
  titles.some(({ title }) => OF_OLDER.test(title))
    ? undefined
    : firstStated(statedDay(DATED.exec(said.slice(end, end + 120))?.[1]), onAfter(said, end))
const ON_AFTER = new RegExp(
  `^(?:(?!\\b(?:which|who|whose|that|will|shall|end(?:s|ed|ing)?|commenc\\w*|begin\\w*|matur\\w*|expir\\w*|terminat\\w*|due|until|dated)\\b)[^.;]){0,200}?\\son\\s${DAY},?\\s?(?:that|to|pursuant|for|which|in|\\.|$)`,
)
const onAfter = (said: string, end: number) => statedDay(ON_AFTER.exec(said.slice(end, end + 260))?.[1])
