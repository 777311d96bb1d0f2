/** Item 5.03: amendments of bylaws and articles, and changes of the fiscal year, with their days. */

import { DAY, MONTH_NAMES } from '../../../read/prose/dates.ts'
import { organizationsIn } from '../../../read/prose/organizations.ts'
import type { Sentence } from '../../../read/prose/sentences.ts'
import { namedDay } from '../../../read/values.ts'
import { dayBefore, firstStated, type StatedDay, statedDay } from './days.ts'
import { type Collector, collector, type NoticeRead } from './notice.ts'
import { preparedFrom } from './prepared.ts'
import { isReported, isSupposed } from './subject.ts'

const ACT =
  /\b(?:approved|adopted|amended(?: and restated)?|filed(?! (?:as|herewith|on|by|under)\b)(?! with (?!the (?:[A-Z][\w’']{1,20} ){0,3}(?:Secretary|Department|Division|Registrar|Office|State|Corporation|Companies)\b))|executed|made|effected|ratified|changed)\b/g
/** The documents that a filer may amend, and the words for each. */
const PAPERS: readonly (readonly ['bylaws' | 'articles', RegExp])[] = [
  ['bylaws', /\bby-?\s?laws\b/i],
  [
    'articles',
    /\b(?:(?:articles|certificates?|memorandum) of (?:incorporation|association|amendment|organization|formation|designations?|elimination|correction|change)|(?:articles|statements?) (?:supplementary|of designations?)|charter|certificate (?:regarding|amending|eliminating))\b/i,
  ],
]
/** Words of a change that is planned, denied, conditional or long past. */
const NOT_MADE =
  /\b(?:propos(?:e|es|ed|al|als)|recommend\w*|will (?:seek|submit|ask|propose)|subject to (?:the )?(?:approval|adoption)|subject to (?:stock|share)holders?|intends?|plans? to|expects? to|if approved|effective (?:only )?(?:if|(?:up)?on (?:the )?(?:approval|adoption) (?:by|of) (?:the |its )?(?:stock|share)holders)|if (?:the |its )?(?:stock|share)holders|not (?:approved|adopted|amended|changed)|(?:did|does|has|have) not|rejected|withdr\w+|abandon\w*|may (?:be )?amend\w*|would (?:amend|change|be (?:amended|changed)))\b/i
const BEFORE_MAX = 200
const REACH = 320
/** Words between a verb and a document which show that the document is not the object of the verb. */
const OTHER_OBJECT =
  /\b(?:agreement|indenture|policy|plan|code of|pursuant to|in accordance with|as set forth|under|permitted|required|provided|contemplated|authori[sz]ed|by (?:the|its|our))\b/i

/**
 * The last act that the sentences have reported so far: its day and the words of its verb. `words` is empty before the
 * first act.
 */
interface Act {
  day: StatedDay
  words: string
}

interface Change {
  verb: number
  words: string
}

/** Reads item 5.03. */
export function amendments(sentences: readonly Sentence[], filer: string | null): NoticeRead {
  const section = preparedFrom(sentences, filer)
  const out = collector()
  let last: Act = { day: undefined, words: '' }
  for (const { said, sentence } of section.sentences) {
    const year = fiscalYear(said, sentence, out)
    const change = NOT_MADE.test(said) || isOfOther(said) ? null : changeIn(said)
    if (!change) {
      if (last.words !== '' && !year && OF_IT.test(said))
        out.putDay('amendment_effective_date', effectiveIn(said, last), sentence)
      continue
    }
    for (const paper of papersIn(said, change)) out.put('amended', paper, sentence)
    const day = firstStated(dayBefore(said, change.verb), dayAtEnd(said, change))
    out.putDay('amendment_date', day, sentence)
    // A day that no calendar has is not kept. Otherwise it would be counted as left out a second time, as the effective
    // day.
    last = { day: firstStated(day, last.day) ?? undefined, words: change.words }
    out.putDay('amendment_effective_date', effectiveIn(said, last), sentence)
  }
  out.leaveUnread('amended', sentences, 'no sentence certainly says what was amended')
  return out.read
}

/** Matches a description of a firm by its relation to the filer: ", a subsidiary of the Company". */
const OF_FILER = /^,\s(?:an?|the|one of the)\s[^,;]{1,90}\sof\sthe\sCompany\b/

/**
 * Tests whether an act does not count, because the board of a related firm did it, because an earlier report stated it,
 * or because somebody only claims, supposes or considers it.
 */
function isOfOther(said: string): boolean {
  const board = /\b[Bb]oards?\s(?:of\s[Dd]irectors\s)?of\s/.exec(said)
  const [firm] = board ? organizationsIn(said.slice(board.index + board[0].length, board.index + 120)) : []
  const act = said.search(ACT)
  const rest = board && firm ? said.slice(board.index + board[0].length + firm.end) : ''
  return (firm?.start === 0 && OF_FILER.test(rest)) || (act >= 0 && (isReported(said, act) || isSupposed(said, act)))
}

/** Matches a verb in the passive: "The Bylaws were amended". */
const PASSIVE = /\b(?:was|were|has been|have been)\s(?:further\s)?(?:amended|adopted|approved|filed(?! as))/

function changeIn(said: string): Change | null {
  for (const { index, 0: words } of said.matchAll(ACT)) {
    const window = said.slice(index + words.length, index + words.length + REACH)
    const paper = firstPaper(window)
    if (paper && !OTHER_OBJECT.test(window.slice(0, paper.start))) return { verb: index, words }
  }
  const passive = PASSIVE.exec(said)
  if (!passive || !firstPaper(said.slice(Math.max(0, passive.index - BEFORE_MAX), passive.index))) return null
  return { verb: passive.index, words: passive[0] }
}

const firstPaper = (words: string) =>
  PAPERS.flatMap(([paper, pattern]) => {
    const found = pattern.exec(words)
    return found ? [{ paper, start: found.index, end: found.index + found[0].length }] : []
  }).sort((a, b) => a.start - b.start)[0]

/**
 * Returns the first document after the verb (before the verb in the passive), and a second document that "and" joins to
 * the first.
 */
function papersIn(said: string, { verb, words }: Change): ('bylaws' | 'articles')[] {
  const isPassive = /^(?:was|were|has|have)/.test(words)
  const window = isPassive ? said.slice(Math.max(0, verb - BEFORE_MAX), verb) : said.slice(verb, verb + REACH)
  const first = firstPaper(window)
  if (!first) return []
  const rest = window.slice(first.end, first.end + 120)
  const second = firstPaper(rest)
  const isJoined =
    second &&
    second.paper !== first.paper &&
    /^(?:(?!\bto\b)[^,;.]){0,20}\sand\s(?:(?!\bto\b)[^,;.]){0,50}$/.test(rest.slice(0, second.start))
  return isJoined ? [first.paper, second.paper] : [first.paper]
}

const AT_END = new RegExp(`\\bon\\s${DAY}(?:,?\\s(?:and|with|to)\\b|\\.?$)`)
const dayAtEnd = (said: string, { verb }: Change) => statedDay(AT_END.exec(said.slice(verb))?.[1])

/** Matches the beginning of a sentence about an amendment that an earlier sentence reports. */
const OF_IT =
  /^(?:(?:The|This|These|Such|Each)\s(?:[\w’'-]{1,20}\s){0,6}?(?:amendments?|bylaws|by-laws|articles|certificate|charter|change|restated|filing)\b)/i
const EFFECTIVE_ON = new RegExp(
  `\\b(?:effective|take[sn]? effect|took effect)\\b(?:\\s(?:upon filing|upon its filing))?(?:\\s(?:as of|on|at|from|beginning))?(?:\\s(?:[\\w:.]{1,12}\\s){0,5}?(?:on|of)?)?\\s?${DAY}`,
  'i',
)
const AT_ONCE =
  /\beffective (?:immediately|(?:up)?on (?:its |their |such )?(?:adoption|approval)|(?:on|as of) (?:that|such|the same) (?:date|day)|as of the date (?:thereof|of (?:adoption|approval)))\b|\bimmediately effective\b|\bwith immediate effect\b|\beffective,? immediately\b/i
const AT_FILING =
  /\beffective (?:(?:up)?on|as of|at) (?:the |its |their |such )?(?:date of |time of |day of )?(?:the |its |such )?filing\b/i

/**
 * Words before a day that is not the day of the amendment: for example, the first day of trading after a split, or the
 * day of an appointment.
 */
const OF_OTHER =
  /\b(?:trad(?:e[ds]?|ing)|quot(?:ed|ation)|symbol|listed|CUSIP|dividends?|offering|appoint\w*|resign\w*|elect(?:ed|ion)|expected|split-adjusted)\b[^;]{0,120}$/i

/**
 * Returns the day on which a change takes effect. It is the day that the words name, or the day of the act if the
 * change takes effect with the act.
 */
function effectiveIn(said: string, { day, words }: Act): StatedDay {
  const found = EFFECTIVE_ON.exec(said)
  const stated = found && !OF_OTHER.test(said.slice(0, found.index)) ? statedDay(found[1]) : undefined
  if (stated !== undefined) return stated
  if (AT_ONCE.test(said)) return day
  return AT_FILING.test(said) && /filed/.test(words) ? day : undefined
}

const MONTH_DAY = `(${MONTH_NAMES})\\s(\\d{1,2})(?:st|nd|rd|th)?`
const CHANGES_YEAR =
  /\bchang\w+\b[^.;]{0,80}\b(?:fiscal|financial)[ -]years?(?:[- ]end(?:ing)?)?\b|\b(?:fiscal|financial)[ -]year(?:[- ]end(?:ing)?)?\b[^.;]{0,60}\bchang\w+\b/i
const NEW_END = new RegExp(
  `\\bto\\s(?:(?:the|a|an|year|fiscal|period|ending|ended|ends?|on|be|twelve|12|months?|calendar|of each year)\\s){0,9}?${MONTH_DAY}`,
  'g',
)

/** Reads the new end of the fiscal year; "the last Saturday in May" is left out. Returns whether a change was read. */
function fiscalYear(said: string, sentence: Sentence, out: Collector): boolean {
  if (!CHANGES_YEAR.test(said) || NOT_MADE.test(said) || isOfOther(said)) return false
  if (isSupposed(said, CHANGES_YEAR.exec(said)!.index)) return false
  // The days are read in the leap year 2000, since a fiscal year may end on February 29.
  const ends = [...said.matchAll(NEW_END)].map(([, month, day]) => namedDay('2000', month, day)?.slice('2000-'.length))
  if (new Set(ends).size !== 1 || /\b(?:last|first|nearest|closest)\s(?:[A-Z][a-z]+day|to)\b/.test(said)) {
    out.leave('fiscal_year_end', 'the words name no certain day')
    return false
  }
  out.put('amended', 'fiscal_year', sentence)
  out.putDay('fiscal_year_end', ends[0] ?? null, sentence)
  const verb = CHANGES_YEAR.exec(said)!.index
  out.putDay('amendment_date', dayBefore(said, verb), sentence)
  return true
}
