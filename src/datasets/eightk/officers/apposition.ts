/**
 * Reads the office in apposition to a name: "Ada Sample, President", "Ada Sample (President)", "Ada Sample, who serves
 * as President", "its President, Ada Sample".
 */
import { PROSE_FORM } from '../../../read/legal-forms.ts'
import { CLOSE, OPEN } from '../../../read/prose/sentences.ts'
import { isSeat, titleBefore, titleFrom } from '../../../read/prose/titles.ts'
import { firmOf, partsOf, seatEnd, withFirm } from './roles.ts'

/** What an apposition says about one name. */
export interface Apposition {
  /** Offices that the apposition names; empty if they are offices at another firm. */
  titles: readonly string[]
  /**
   * Whether the apposition has the form of an appointment: "Ada Sample, President", and not "Ada Sample, the
   * President".
   */
  isBare: boolean
  /** Whether the office is a former one. */
  isFormer: boolean
}

const OPENS = /^(?:,\s|\s\(|\s[–—-]\s)/
const WHO =
  /^(?:(?:and\s)?who\s(?:is|was|serves as|served as|has served as|had served as|had been|has been|has been serving as|had been serving as|currently serves as|is currently serving as|is serving as|is currently|is also|previously served as|most recently served as)\s)?(?:currently\s|presently\s|formerly\s|previously\s|also\s|each\s|both\s|most recently\s)?/
const ARTICLE =
  /^(?:an?|the|its|our|their|his|her|one of|each|both|currently|former|formerly)\s|^[^,;()]{1,60}?[’']s?\s/
/** Matches "of the Company since 2015", "of Sample Bank", "for the past ten years" */
const TAIL = new RegExp(
  String.raw`^(?:\s(?:of|at|for|with)(?:\s(?:the|its|our|of|&|both|each|and(?=\s[A-Z]|\sthe\s)|[A-Z][\w&.’'-]{0,24})(?:,\s${PROSE_FORM}\b\.?)?){1,10})?(?:\s(?:since|for|from|until)\s(?:[A-Z][a-z]{2,8}\s)?(?:\d{1,2},\s)?[^,;()\ue000]{2,24})?`,
)
/** Matches the legal form at the end of a firm’s name, since the office may be at a firm. */
const LEGAL = new RegExp(String.raw`^,?\s${PROSE_FORM}\b\.?`)
/** Words after a comma that do not begin an apposition, because they continue the sentence. */
const NO_APPOSITION = /^(?:as|to|in|on|at|by|for|from|effective|until|with|will|was|has|had|is|and|or|but|to be)\s/
const SIGN_MAX = 160

interface ReadApposition extends Apposition {
  /** End of the apposition, exclusive. */
  end: number
}

/** Reads the offices at the start of an apposition, and finds its end. */
function officesIn(whole: string, at: number): Omit<ReadApposition, 'isFormer'> | null {
  let end = at
  const titles: string[] = []
  const isBare = !ARTICLE.test(whole.slice(at, at + 80))
  let isOwn = true
  for (let tries = 0; tries < 4; tries++) {
    const rest = whole.slice(end, end + SIGN_MAX)
    if (isSeat(rest)) {
      titles.push('director')
      end += seatEnd(rest)
    } else {
      const one = titleFrom(whole, end)
      if (!one) break
      if (one.isElsewhere) isOwn = false
      const firm = firmOf(whole, one.end)
      titles.push(...withFirm(partsOf(one.title), firm))
      end = one.end + firm.length
    }
    end += LEGAL.exec(whole.slice(end, end + 12))?.[0].length ?? 0
    end += TAIL.exec(whole.slice(end, end + SIGN_MAX))![0].length
    const joined = /^,?\s(?:and|as well as)\s(?:as\s)?(?:also\s)?/.exec(whole.slice(end, end + 24))?.[0]
    if (!joined || whole[end + joined.length] === OPEN) break
    const next = whole.slice(end + joined.length, end + joined.length + SIGN_MAX)
    if (!isSeat(next) && !titleFrom(whole, end + joined.length)) break
    end += joined.length
  }
  if (titles.length === 0) return null
  return { end, titles: isOwn ? titles : [], isBare }
}

/** Reads the apposition that follows a name; `at` is the end of the name. */
function afterName(whole: string, at: number): (ReadApposition & { from: number; closes: number }) | null {
  const opens = OPENS.exec(whole.slice(at, at + 3))?.[0]
  if (!opens) return null
  const who = WHO.exec(whole.slice(at + opens.length, at + opens.length + 80))![0]
  const from = at + opens.length + who.length
  if (NO_APPOSITION.test(whole.slice(from, from + 14))) return null
  const found = officesIn(whole, from)
  if (!found) return null
  const isFormer =
    /formerly|previously|was\s|served as|had|most recently/.test(who) ||
    /^(?:the\s|an?\s)?former\b/.test(whole.slice(from, from + 20))
  const closes = opens.includes('(') ? /^\)/ : /^(?:,(?=\s)|(?=;)|(?=\.?$)|(?=\.\s)|(?=\sand\s\ue000))/
  const close = closes.exec(whole.slice(found.end, found.end + 12))
  if (!close) return { ...found, isBare: found.isBare && who === '', isFormer, from: at, closes: -1 }
  const isBracket = opens.includes('(')
  return { ...found, isBare: found.isBare && who === '', isFormer, from: at, closes: found.end + (isBracket ? 1 : 0) }
}

const NAME = new RegExp(`${OPEN}(\\d{1,4})${CLOSE}`, 'g')
/** Matches "Ada Sample and John Sample, each a director": the apposition applies to all. */
const OF_ALL =
  /^,\s(?:(?:each|both|all)\s|(?:(?:the|two|three|four|current|independent)\s){0,3}directors\b|(?:our|its|the Company[’']s)\s(?:[a-z-]+\s){0,3}directors\b)/
/** Matches an office that several names share: "directors", "Board members". */
const IN_PLURAL = /\b(?:directors|members)\s$/i
const JOINED = /^,?\s(?:and\s)?$/
/** Matches "of its President, Ada Sample": the office applies only to the next name. */
const ITS =
  /(?<=(?:^|\b(?:of|from|with|that|and|by)|,)\s)(?:its|our|the Company[’']s|their)\s(?:(?:current|former|new)\s)?[^,;.\ue000]{3,90},\s$/

/** Matches "the resignation of director Ada Sample", "the retirement of Chief Executive Officer Ada Sample" */
const OF_TITLE =
  /(?<=\b(?:of|from|by)\s)(?:[A-Z][\w,&-]{0,24}\s(?:(?:and|of)\s)?|directors?\s|(?:[Bb]oard|BOD)\smembers?\s){1,9}$/

/** Removes the appositions from a sentence, and returns what they state about each name. */
export function withoutAppositions(
  whole: string,
  names: number,
): { masked: string; appositions: (Apposition | null)[] } {
  const appositions: (Apposition | null)[] = Array.from({ length: names }, () => null)
  if (whole.startsWith('|') || whole.includes(' | ')) return { masked: whole, appositions }
  let masked = ''
  let from = 0
  for (const match of whole.matchAll(NAME)) {
    const i = Number(match[1])
    const end = match.index + match[0].length
    const before = whole.slice(Math.max(from, match.index - 120), match.index)
    const its = (ITS.exec(before) ?? OF_TITLE.exec(before))?.[0]
    const title = its ? titleBefore(whole, match.index) : null
    if (its && title) {
      appositions[i] = { titles: partsOf(title), isBare: !its.includes(','), isFormer: /\sformer\s/.test(its) }
      masked += whole.slice(from, match.index - its.length)
      from = match.index
      // An office in the plural applies to the names after it too: "the resignations of directors Ada Sample and John
      // Sample".
      for (let one = i; IN_PLURAL.test(its) && one + 1 < names && JOINED.test(between(whole, one)); one++)
        appositions[one + 1] = appositions[i]
    }
    const found = afterName(whole, end)
    if (found) {
      const { titles, isBare, isFormer } = found
      appositions[i] ??= { titles, isBare, isFormer }
      if (OF_ALL.test(whole.slice(end, end + 80))) {
        for (let one = i - 1; one >= 0 && JOINED.test(between(whole, one)); one--)
          appositions[one] ??= { titles, isBare, isFormer }
      }
      if (found.closes >= 0) {
        masked += whole.slice(from, found.from)
        from = found.closes
      }
    }
  }
  return { masked: masked + whole.slice(from), appositions }
}

/** Returns the text between a name and the next name. */
function between(whole: string, i: number): string {
  const sign = `${OPEN}${i}${CLOSE}`
  const at = whole.indexOf(sign) + sign.length
  return whole.slice(at, whole.indexOf(`${OPEN}${i + 1}${CLOSE}`))
}
