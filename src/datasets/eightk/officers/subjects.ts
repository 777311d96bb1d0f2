/** Finds the subject of a verb, and the office next to a name. */

import { RELATIVES } from '../../../read/prose/people.ts'
import { CLOSE, OPEN } from '../../../read/prose/sentences.ts'
import { isSeat, titleAt, titleBefore, titleFrom } from '../../../read/prose/titles.ts'
import { endOf, type MaskedSentence, numbersIn, P, placeOf } from './mask.ts'
import { dotted } from './roles.ts'
import { dropped, type Traced } from './vetoes.ts'

/** Matches the beginning of a list of names. */
export const FIRST = new RegExp(`^[\\s,:]{0,3}(?:each of )?${P}`)
/** Matches words of address before the name: "appointed former Senator Ada Sample". */
export const CALLED = new RegExp(
  `^\\s(?!as\\b|to\\b|the\\b|an?\\b|its\\b|our\\b|by\\b|in\\b|on\\b|at\\b|for\\b|from\\b|and\\b|effective\\b)(?:(?!(?:as|to|by|that|who|and|of|the|with|succeeding|replacing|following|upon)\\b)[\\p{L}’'&-]{2,20}\\s){1,7}?(?=${P})`,
  'u',
)
/** Matches names joined by commas and "and". */
export const LIST = new RegExp(`^[\\s,:]{0,3}(?:each of )?(?:${P}(?:[,;]?\\sand\\s|[,;]\\s)?){1,20}`)

/** Maximum distance between a verb and its subject. An office with a long name may come between the two. */
const SUBJECT_MAX = 340
const LAST = new RegExp(`${OPEN}(\\d{1,4})${CLOSE}([^${OPEN}]*)$`)
/** Matches "notice from Ada Sample that she will resign", "succeeded by Ada Sample, who will assume the role" */
const OWN = /^(?!.*\bwhere\b).*\b(?:he|she|they|his|her|their)\b|^,?\s(?:\d{2},\s)?who\s/s
/** Words after a name that introduce another person's act. */
const OTHERS =
  /;|\b(?:succeeds?|succeeded|replac(?:e|es|ed|ing)|appointed|elected(?! (?:not )?to )|named(?! executive))\b|\band (?:the )?(?:Board|Company)\b/
/** Matches "Ada Sample and the Company agreed to end his employment" */
const AGREED =
  /^,?\sand (?:the )?(?:Board|Company)(?: have| has)?(?: mutually)? (?:agreed|determined|decided)\b(?=.*\b(?:he|she|his|her)\b)/
/** Matches "Ada Sample tendered, and the Board accepted, her resignation" */
const ACCEPTED = /,? and (?:the|our|its) (?:Board|Company)[^.;,]{0,60} accepted(?=,? (?:his|her|their)\b)/
/** Matches "until a new Treasurer has been", "once a successor is" */
const NOBODY = /\b(?:until|once|when|while|before|after|if)\s(?:an?|the|its|another|such)\s[^,]*$/
/** Matches the words after the name in "Ada Sample’s successor", but not in "Ada Sample’s decision to". */
const OF_ANOTHER =
  /^[’']s?\s(?!and\s|(?:intention|intent|decision|plans?|desire|election|notice|letter)\s|(?:[a-z]+\s){0,2}employment\b|last day\b)/
/** Words before the recipient of a notice, who is not the person who leaves. */
const NOTIFIED = /\b(?:notified|informed|told|advised|to|between|between [^.;]{3,60} and)\s$/

/** Matches "informed of the decision by Ada Sample to retire", "notified of Ada Sample’s intent to" */
const DECIDES =
  /^(?:[’']s?\s(?:intention|intent|decision|plans?|desire|election|choice|wish)|,)?\s(?:not\s)?to\s[^.;,]{3,90}$/
const KIN =
  /^,\s(?:an?|the|son|daughter|brother|sister|spouse|wife|husband|father|mother|grandson|granddaughter|nephew|niece)\b[^,;]*$/
/**
 * Matches words before a name which show that the person is not the subject: "succeeded" in "succeeded Ada Sample as
 * Treasurer and became a director".
 */
const OBJECT = /\b(?:succeed(?:s|ed|ing)?|replac(?:e|es|ed|ing)|join(?:s|ed|ing)?|report(?:s|ing)? to|alongside)\s$/

/**
 * Matches a relative clause about capitalized words that may be a name: "from Ottilie Sample, who is leaving". The verb
 * is about that person.
 */
const WHO_OF_UNKNOWN =
  /\b(?:from|for|by|with|of|succe[a-z]{2,5}|replac[a-z]{1,3}) (?:Mr\. |Ms\. )?((?:\p{Lu}[\p{L}.’'-]{0,20} ){1,3}\p{Lu}[\p{L}’'-]{1,20}), who\b(?:[^,;]|,\s\d{4})*$/u

/**
 * Returns the nearest name before a verb, and the names joined to it; none if the subject is ambiguous. Branches: each
 * is a construction in which the nearest name before a verb is not its subject.
 */
export function subjectOf({ masked, trace }: Traced, verb: number): number[] {
  const before = masked.slice(Math.max(0, verb - SUBJECT_MAX), verb)
  const [, number, gap = ''] = LAST.exec(before) ?? []
  if (number === undefined) return listedAfter(masked, verb)
  const last = Number(number)
  if (
    (OTHERS.test(gap.replace(AGREED, ' agreed').replace(ACCEPTED, '')) || NOBODY.test(gap)) &&
    dropped(trace, 'other_subject', verb)
  )
    return []
  const unknown = WHO_OF_UNKNOWN.exec(gap)?.[1]
  if (unknown !== undefined && titleAt(unknown, 0) === null && dropped(trace, 'other_subject', verb)) return []
  if (OF_ANOTHER.test(gap) && !/\band (?:he|she)\s/.test(gap) && dropped(trace, 'of_another', verb)) return []
  const head = masked.slice(0, placeOf(masked, last))
  // Example: "Delta Partners, whose manager is Ada Sample, resigned"
  if (/\bwhose\s[^,;]{2,60}\s(?:is|was)\s$/.test(head) && dropped(trace, 'of_another', verb)) return []
  // Example: "Ada Sample, the widow of John Sample, was"
  if (
    /\bof\s$/.test(head) &&
    last > 0 &&
    gap.startsWith(',') &&
    KIN.test(masked.slice(endOf(masked, last - 1), placeOf(masked, last)))
  )
    return joinedTo(masked, last - 1)
  if (OBJECT.test(head) && !OWN.test(gap)) return subjectOf({ masked: head.replace(OBJECT, ''), trace }, head.length)
  // After a word such as "joined", the name may be that of a firm, so the person is unknown. An example is "joined
  // Harbor Lake, where he was appointed".
  if (/\b(?:at|with|for|joined|joining)\s$/.test(head) && !OWN.test(gap) && dropped(trace, 'not_subject', verb))
    return []
  if (/\b(?:of|from|by)\s$/.test(head) && !OWN.test(gap) && !DECIDES.test(gap) && dropped(trace, 'not_subject', verb))
    return []
  // "Ada Sample notified John Sample of her decision", and "until Ada Sample comes, at which time he will": the pronoun
  // may mean either person.
  if (
    last > 0 &&
    (NOTIFIED.test(head) || /,\s[^,]*\b(?:he|she|they)\s/.test(gap)) &&
    /\b(?:he|she|they|his|her|their)\b/.test(gap) &&
    !isJoined(masked, last) &&
    dropped(trace, 'ambiguous', verb)
  )
    return []
  const who = joinedTo(masked, last)
  // In "the election of Ada Sample and John Sample’s decision to retire", only the last person decides, so only that
  // person is the subject.
  const isOne =
    who.length > 1 &&
    /^[’']/.test(gap) &&
    /\b(?:appointment|election|promotion|resignation|retirement|departure|nomination|hiring)s? of (?:each of )?$/.test(
      masked.slice(0, placeOf(masked, who[0]!)),
    )
  return isOne ? [last] : who
}

/** Returns the persons of the list after a verb: "The following directors resigned from the Board: …" */
function listedAfter(masked: string, verb: number): number[] {
  if (!/\bfollowing (?:[a-z-]+ ){0,5}[a-z]+\b/i.test(masked.slice(Math.max(0, verb - SUBJECT_MAX), verb))) return []
  const colon = COLON.exec(masked.slice(verb, verb + SUBJECT_MAX))?.[0]
  return colon ? numbersIn(LIST.exec(masked.slice(verb + colon.length))?.[0] ?? '') : []
}
const COLON = new RegExp(`^[^:${OPEN}]{3,200}(?=:\\s?${P})`)

const JOINT = /^[,;]?\s(?:and\s)?$|^,\s[^.;]{3,90},\sand\s$/
const isJoined = (masked: string, last: number) =>
  last > 0 && JOINT.test(masked.slice(endOf(masked, last - 1), placeOf(masked, last)))

/** Returns a name, and the names before it in the same list. */
function joinedTo(masked: string, last: number): number[] {
  const who = [last]
  while (isJoined(masked, who[0]!)) who.unshift(who[0]! - 1)
  return who
}

/**
 * Returns the title in apposition to a name (after or before the name), or in the next cell of a table.
 *
 * @param isLeaving if true, also accepts a former office, which may be the office that the person leaves
 */
export function officeNextTo(
  { masked, appositions: known }: MaskedSentence,
  i: number,
  isLeaving = false,
): string | null {
  if (masked.startsWith('|') || masked.includes(' | ')) return inCell(masked, endOf(masked, i))
  const one = known[i]
  // A former office such as "former director of Delta" is at another company, so it is not returned.
  if (one) return one.isFormer && !isLeaving && / of /.test(one.titles[0] ?? '') ? null : (one.titles[0] ?? null)
  return titleBefore(masked, placeOf(masked, i))
}

/** Maximum length of a title in a cell. */
const CELL_MAX = 140

/**
 * Returns the title next to a name in a row of a table. The title follows in the cell of the name, or fills the next
 * cell: "President, Sample USA".
 */
function inCell(masked: string, at: number): string | null {
  // Example: "| Ada Sample, Chief Financial Officer |"
  const separator = /^(?:,\s|\s\()(?=\p{Lu})/u.exec(masked.slice(at, at + 4))?.[0]
  if (separator) return titleFrom(masked, at + separator.length)?.title ?? null
  const rest = masked.slice(at, at + CELL_MAX)
  const cell = /^\s\|\s([^|]{2,})\s\|/.exec(rest)?.[1]?.trim()
  if (!cell) {
    // Example: "| Ada Sample President, Sample Inc. and Treasurer (Principal Financial Officer) |"
    const own = /^\s([^|()\d$]{2,}?)(?:\s\([^()|]{2,60}\))?\s\|/.exec(rest)?.[1]
    return own && titleAt(own, 0) ? dotted(own) : (titleFrom(masked, at + 1)?.title ?? null)
  }
  return titleFrom(cell, 0) && !/\d|\$/.test(cell) ? cell : null
}

/** Matches "succeeds Luca Maestri in the role of CFO" */
const SUCCEEDS = new RegExp(
  `\\b(?:succeeds?|succeeded|succeeding|replaces?|replacing)\\s${OPEN}(\\d{1,4})${CLOSE}\\s(?:in the (?:role|position) of|as)\\s`,
  'g',
)
/** Matches "elected as President, succeeding Ada Sample" */
const SUCCEEDING = new RegExp(
  `\\b(?:as|to|(?:appointed|elected|named)(?=\\s[A-Z]))\\s([^${OPEN};.]{3,120}?),?\\s(?:succeeding|replacing|to succeed|to replace)\\s${OPEN}(\\d{1,4})${CLOSE}(?!\\s(?:as|in)\\b)`,
  'g',
)
/**
 * Matches offices at the filer only: "Ada Sample has served as our Controller since 2015", "joined the Company in 2007
 * and is its Controller".
 */
const SERVES = new RegExp(
  `${OPEN}(\\d{1,4})${CLOSE}\\s(?:[^.;${OPEN}]{3,100}?\\sand\\s)?(?:has served as|serves as|currently serves as|(?:had|has) been serving as|most recently served as|is currently|(?:will )?continues? to serve as|will continue in (?:his|her) (?:current )?(?:capacity|role|position) as|had served as|had been|has been|(?:is|was) (?=(?:its|our|the Company[’']s)\\s))\\s?(?!an? (?!director\\b|member of the [Bb]oard))`,
  'g',
)
/** Matches "Ada Sample’s continued employment as" */
const EMPLOYED = new RegExp(
  `${OPEN}(\\d{1,4})${CLOSE}[’']s? (?:continued |continuing )?(?:employment|services?) as (?!an? (?!director\\b))`,
  'g',
)
/**
 * Words before the name of a relative. The office next to that name is the office of the relative, who may have the
 * same name as the person.
 */
const RELATIVE = new RegExp(`\\b${RELATIVES} of (?:the late )?$`)

/** Matches "the successor Treasurer to Ada Sample", "the position of Treasurer, held by Ada Sample" */
const HELD = new RegExp(
  `\\b(?:successor ([^.;,${OPEN}]{3,100}?) to|(?:position|office|role) of ([^.;${OPEN}]{3,100}?),? (?:currently |previously |formerly )?held by) ${OPEN}(\\d{1,4})${CLOSE}`,
  'g',
)

/** Collects the offices of persons from the whole text: in appositions, or next to the name of a successor. */
export function titlesOf(reads: readonly MaskedSentence[]): Map<string, string> {
  const titles = new Map<string, string>()
  const put = (name: string, title: string | null | undefined) => {
    if (title && !titles.has(name)) titles.set(name, title)
  }
  for (const read of reads) {
    const { masked, mentions } = read
    for (const [i, { name }] of mentions.entries())
      if (!RELATIVE.test(masked.slice(0, placeOf(masked, i)))) put(name, officeNextTo(read, i))
    for (const match of masked.matchAll(SUCCEEDS)) {
      put(mentions[Number(match[1])]!.name, titleFrom(masked, match.index + match[0].length)?.title)
    }
    for (const match of masked.matchAll(SUCCEEDING)) {
      put(mentions[Number(match[2])]!.name, titleFrom(match[1]!, 0)?.title)
    }
    for (const match of masked.matchAll(HELD)) {
      put(mentions[Number(match[3])]!.name, titleFrom((match[1] ?? match[2])!, 0)?.title)
    }
  }
  return titles
}

/**
 * Collects the offices that persons hold at the time of the report. A departure without a stated office is from these
 * offices.
 */
export const servedIn = (reads: readonly MaskedSentence[]): Map<string, string> => officesBy(SERVES, reads)

/** Collects the offices in which persons are employed, according to the text. */
export const employedIn = (reads: readonly MaskedSentence[]): Map<string, string> => officesBy(EMPLOYED, reads)

function officesBy(pattern: RegExp, reads: readonly MaskedSentence[]): Map<string, string> {
  const titles = new Map<string, string>()
  for (const { masked, mentions } of reads) {
    for (const match of masked.matchAll(pattern)) {
      const { name } = mentions[Number(match[1])]!
      const at = match.index + match[0].length
      const title = isSeat(masked.slice(at, at + 80))
        ? { title: 'director', isElsewhere: false }
        : titleFrom(masked, at)
      if (title && !title.isElsewhere && !titles.has(name)) titles.set(name, title.title)
    }
  }
  return titles
}
