/**
 * Finds statements about officers in which another firm acts, and not the filer: "Harbor Bank had appointed Ada
 * Sample".
 */
import { PROSE_FORM } from '../../../read/legal-forms.ts'
import { OPENERS } from '../../../read/prose/openers.ts'
import type { OfficerStatement } from './statement.ts'

const NO_NAME = `(?:The|Our|Its|This|That|Each|Such|All|Company|Companies|Board|Boards|Effective|Following|On|In|At|By|As|For|Of|${OPENERS.join('|')})`
/** A name of two words or more that ends as names of firms do. A single word may be a term for the filer. */
const FIRM = String.raw`(?:(?!${NO_NAME}\b)\p{Lu}[\p{L}\d&.’'-]{0,24},?\s(?:(?:&|and|of|for)\s)?){1,6}(?:${PROSE_FORM}|Bank|Bancorp|Bancorporation|Bancshares|Trust Company|Company|Industries|Holdings|Group|Partners|Technologies|Systems|Energy|Therapeutics|Pharmaceuticals|University|Foundation|Association)`
const BODY = String.raw`(?:[’']s? (?:\p{L}{1,20} ){0,2}?(?:[Bb]oards?(?: of (?:[Dd]irectors|Trustees|Managers))?|[Cc]ommittee|directors|shareholders|stockholders))?`
const APPOSED = '(?:,\\s[^,;.\ue000]{3,80},)?'
const HELPS = '(?:has |have |had |also |duly |subsequently |unanimously |formally |recently ){0,4}'
const SAYS = '(?:announced|reported|disclosed|stated|confirmed|issued a press release announcing)'
/** Maximum length of the words between a firm and its verb. */
const BEFORE_MAX = 320

/** Matches the words right before a verb: "Harbor Bank has", "Harbor Bank’s Board of Directors". */
const ACTS = new RegExp(String.raw`(?<![\p{L}\d’'.&-])(${FIRM})\b\.?${BODY}${APPOSED}\s${HELPS}$`, 'u')
/** Matches "Harbor Bank announced that it had", "Harbor Bank announced the". */
const ANNOUNCES = new RegExp(
  String.raw`(?<![\p{L}\d’'.&-])(${FIRM})\b\.?${BODY}${APPOSED}\s${HELPS}${SAYS}\s(?:(?!\b(?:Company|Registrant|[Ww]e|[Oo]ur)\b)[^;.]){0,90}$`,
  'u',
)
/** Matches "was appointed President by Harbor Bank", "by the Board of Directors of Harbor Bank". */
const BY = new RegExp(
  String.raw`^[^;.]{0,120}?\sby\s(?:the\s(?:[Bb]oards?(?:\sof\s(?:[Dd]irectors|Trustees))?|shareholders|stockholders)\sof\s)?(${FIRM})\b(?!\s(?:and|,)\sthe\sCompany)`,
  'u',
)
/** Words that show that the office is at the filer, even if another firm appoints the person. */
const AT_FILER = /\b(?:[Tt]he (?:Company|Registrant)|[Oo]ur|[Uu]s|(?:to|on|of|join) the Board)\b/
/** Words before a firm that acts together with the filer. */
const WITH_FILER =
  /\b(?:[Tt]he Company|[Ww]e)(?:[’']s [Bb]oard)?,? (?:and|together with)(?: (?:its|our) [^,;]{0,60})?,? $/
/** Words for firms whose officers are officers of the filer, or of a part of it. */
const RELATION =
  '(?:\\b(?:subsidiar|general partner|managing member|operating partnership|(?:bank|operating|principal) (?:unit|division)|affiliate|external manager|co-registrant|predecessor|formerly)|[“"](?:the )?(?:Company|Registrant|Corporation)[”"])'

/**
 * Tests whether another firm acts in a statement. An office at that firm is not an office of the filer.
 *
 * @param isRelated whether the text calls a firm a subsidiary or general partner of the filer
 */
export function isByOtherFirm(
  masked: string,
  { at }: Pick<OfficerStatement, 'at'>,
  isRelated: (firm: string) => boolean,
): boolean {
  if (masked.includes(' | ')) return false
  const before = masked.slice(Math.max(0, at - BEFORE_MAX), at)
  const found = ACTS.exec(before) ?? ANNOUNCES.exec(before)
  const after = masked.slice(at, at + BEFORE_MAX)
  const by = found ? null : BY.exec(after)
  const firm = (found ?? by)?.[1]
  if (firm === undefined || AT_FILER.test(after.slice(0, by ? by[0].length : undefined))) return false
  return !(found && WITH_FILER.test(before.slice(0, found.index))) && !isRelated(firm)
}

/**
 * Returns a function that tests whether a firm belongs to the filer. A firm belongs to the filer if the first word of
 * its name is one of the first two words of the filer's name, or the beginning of the filer's initials (at least two
 * letters). A firm also belongs to the filer if the text describes it with a word of `RELATION`, such as "subsidiary".
 * If the filer is unknown, each firm counts as related.
 */
export function relationsIn(text: string, company: string | null): (firm: string) => boolean {
  const words = (company ?? '').toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? []
  const initials = words.map(([first]) => first).join('')
  const plain = text.replace(/\s+/g, ' ')
  const known = new Map<string, boolean>()
  return (firm) => {
    if (company === null) return true
    const own = firm.toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? []
    const first = own[0] ?? ''
    const isLike = words.slice(0, 2).includes(first) || (first.length > 1 && initials.startsWith(first))
    if (isLike || own.length === 0) return true
    const before = known.get(firm)
    if (before !== undefined) return before
    const is = isCalledRelated(plain, firm)
    known.set(firm, is)
    return is
  }
}

/**
 * Matches a description after the name of a firm: ", a wholly owned subsidiary", "(formerly", "is the general
 * partner".
 */
const DESCRIBED = new RegExp(
  String.raw`^\.?,?(?:(?:\s\([^()]{1,60}\),?){0,2}\s(?:(?:which\s)?is\s|as\s)?(?:an?|the|our|its|one\sof)\s[^.;,]{0,80}?|\s\([^()]{0,40})${RELATION}`,
  'i',
)
/** Matches a description before the name: "the Company’s subsidiary, ". */
const CALLED = new RegExp(`${RELATION}\\w*(?: of the Company)?,? (?:[“"(][^()“”"]{1,30}[)”"],? )?(?:the )?$`, 'i')

function isCalledRelated(plain: string, firm: string): boolean {
  for (let at = plain.indexOf(firm); at >= 0; at = plain.indexOf(firm, at + firm.length)) {
    const end = at + firm.length
    if (DESCRIBED.test(plain.slice(end, end + 240)) || CALLED.test(plain.slice(Math.max(0, at - 100), at))) return true
  }
  return false
}
