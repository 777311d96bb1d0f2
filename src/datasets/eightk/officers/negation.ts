/**
 * Recognizes events of officers that do not count, because the sentence denies or withdraws them, reports history, or
 * only mentions them.
 */
import { DAY, MONTH_NAMES } from '../../../read/prose/dates.ts'
import { dropped, type Traced } from './vetoes.ts'

/**
 * Words that show that a sentence is about a career. The years of a career belong to offices held elsewhere or earlier.
 */
export const HISTORY =
  /\b(?:prior to(?! (?:his|her|their|the|such|its) (?:resignation|retirement|departure|closing|effective|consummation|merger|meeting))|previously(?! (?:announced|disclosed|reported))|formerly|before (?:joining|that|becoming)|(?:from|since|in|until) (?:[A-Z][a-z]{2,8} )?(?:of )?(?:19|20)\d\d)\b/i
export const NOW = new RegExp(`\\b[Oo]n\\s${DAY}|\\b[Ee]ffective\\b|\\bwill\\b|\\buntil\\s${DAY}`)

/** Matches sentences that report no event: "no arrangement pursuant to which she was appointed". */
export const NOTHING =
  /\b(?:no|nor any)\b[^.;]{0,80}\b(?:arrangements?|understandings?|family relationships?|transactions?)\b|\bnor\b[^.;]{0,40}\bunderstanding|^[A-Z][A-Za-z ]{2,60} means\b|^Other than\b[^.;]{0,60}\bnone\b/i

/** Words before an event that is only possible, or did not happen. */
export const CONDITION =
  /\b(?:if|unless|in the event|may(?!\s\d)|might|whether|upon (?:a|any)|upon (?:his|her) (?:retirement|resignation|termination|death)|should|must|demand(?:s|ed|ing)?|urg(?:es|ed|ing)|request(?:s|ed|ing) that|call(?:s|ed|ing) (?:for|on|upon)|propos(?:es|ed|ing) that|(?:had|previously) provided that|defined (?:as|to)|for any reason|has not|did not|have not|rather than)\b/i

/** Matches words before an act that did not happen: "may be", "will not", "has no plans to", "declined to be". */
const NOT_DONE =
  /\b(?:may|might|could|(?:not|not yet|never|no longer)(?: (?:currently |presently )?(?:intend|plan|expect|wish|want|agree|propose)(?:ing|s|ed)? to)?|no longer (?:intends|plans|expects|wishes) to|no (?:current |present |immediate )?(?:plans?|intentions?|desire) (?:to|of)|(?<!exercis(?:e|es|ed|ing) (?:the|his|her|their) )(?:right|option|ability) to|(?:eligible|entitled|permitted) to|(?:shall|will|would) be deemed to|(?:declin|refus)(?:e|es|ed|ing) to|fail(?:s|ed)? to|(?:seek|sought|seeking|seeks|try|tries|tried|trying|attempt(?:s|ed|ing)?) to|consider(?:s|ed|ing)?|contemplat(?:e|es|ed|ing))(?: (?:be|been|being|have|have been))?(?: re-)?\s?$/

/** Matches "rejected the resignation of", "considered the appointment of" */
const TURNED_DOWN =
  /\b(?:reject(?:s|ed|ing)?|declin(?:e|es|ed|ing)(?: to accept)?|refus(?:e|es|ed|ing)(?: to accept)?|rescind(?:s|ed|ing)?|rescission of|revok(?:e|es|ed|ing)|revocation of|withdr(?:aw|aws|ew|awn|awing)|withdrawal of|cancel(?:s|l?ed|l?ing)?|postpon(?:e|es|ed|ing)|consider(?:s|ed|ing)?|not (?:to )?(?:accept|approve|confirm)(?:ed)?) (?:the |his |her |its |their )?(?:[a-z-]{1,20} ){0,2}$/

/** Matches "… was not approved", "… has been withdrawn" */
const TAKEN_BACK =
  /^[^.;,]{0,160}? (?:was|were|is|has been|have been) (?:not (?:approved|accepted|ratified|confirmed|made|effected)|rescinded|revoked|rejected|withdrawn|cancell?ed|postponed|declined)\b/

/** Matches "any director who was appointed". These words refer to no named person, even if a name comes before them. */
const ANYBODY =
  /\bany (?:[a-z]{1,20},? ){0,6}(?:who|that) (?:has |have |had )?(?:was|were|is|are|been) (?:[a-z]{1,20} or )?$/

/** Matches alternatives, which are not events: "the resignation or removal of", "death, retirement or". */
export const EITHER =
  /\b(?:resignation|retirement|removal|termination|death|departure|disability)(?:,| or) (?:[a-z]+ ){0,3}$|^ or (?:resignation|retirement|removal|termination)/i

/**
 * Matches words before an act that was only requested, or happened at another firm: "asked Ada Sample to", "from which
 * she".
 */
const WANTED =
  /\b(?:asked|requested|urged|invited)\s(?:\uE000\d{1,4}\uE001|him|her|them)\sto\s$|\b(?:(?:from|at|of)\swhich|where)\s(?:he|she|they)\s(?:has\s|had\s|was\s)?$|\b(?:date|time)\s(?:that|on\swhich|when)\s(?:he|she|they)\s$/

/** Matches "was asked to" before "resign" or "make way": the text does not say that the person did. */
const ASKED = /\b(?:was|were|been)\s(?:asked|requested|urged|invited)\s(?:by [^.;,]{3,60} )?to\s$/

/** Tests whether somebody was only asked for the departure at `at`. */
export const isAsked = ({ masked, trace }: Traced, at: number): boolean =>
  ASKED.test(masked.slice(Math.max(0, at - 100), at)) && dropped(trace, 'wanted', at)

/** Maximum distance between a denial and the verb after it. */
const BEFORE_MAX = 80

/** Tests whether the verb at `at` is denied, or concerns no named person. */
export function isDenied({ masked, trace }: Traced, at: number): boolean {
  const before = masked.slice(Math.max(0, at - BEFORE_MAX), at)
  return (
    (NOT_DONE.test(before) && dropped(trace, 'denied', at)) ||
    (ANYBODY.test(before) && dropped(trace, 'anybody', at)) ||
    (WANTED.test(before) && dropped(trace, 'wanted', at))
  )
}

/** Tests whether words before the verb at `at` make it depend on a condition. */
export const isPossible = ({ masked, trace }: Traced, at: number): boolean =>
  CONDITION.test(masked.slice(0, at)) && dropped(trace, 'possible', at)

/** Tests whether "the appointment of …", from `at` to `end`, was rejected or withdrawn. */
export const isWithdrawn = ({ masked, trace }: Traced, at: number, end: number): boolean =>
  (TURNED_DOWN.test(masked.slice(Math.max(0, at - BEFORE_MAX), at)) || TAKEN_BACK.test(masked.slice(end, end + 200))) &&
  dropped(trace, 'withdrawn', at)

/**
 * Words before a verb in the present tense. With these words, the verb only sets a time limit: "until she resigns",
 * "after Ada Sample leaves".
 */
const LIMITS =
  /\b(?:until|while|once|when|after|unless|before|(?:as|so) long as|whenever)\s(?:he|she|\uE000\d{1,4}\uE001)\s(?:[a-z]+\s)?$/
const HAS_DAY = new RegExp(`^[^.;]{0,90}?${DAY}`)

/**
 * Tests whether a departure (such as "resigns", from `at` to `after`) only sets the time limit of another statement.
 */
export const isLimit = ({ masked, trace }: Traced, at: number, after: number): boolean =>
  /s$|s (?:the|his|her|to|from|down)\b/.test(masked.slice(at, after)) &&
  LIMITS.test(masked.slice(Math.max(0, at - 60), at)) &&
  !HAS_DAY.test(masked.slice(after)) &&
  dropped(trace, 'time_limit', at)

/** Matches "a termination by", "an involuntary termination of": such a noun names no event. */
const ANY_NOUN = /\b(?:an?|any)\s(?:(?!notice|letter|tender|written|formal)[a-z-]{1,20}\s){0,2}$/
/** Words before a termination that an agreement provides for, without saying that it happened. */
const PROVIDES =
  /\b(?:following|after|upon|until|before|prior to|(?:in|for) (?:the )?(?:case|event)s? of|during|of) (?:the |such )?$/i
/**
 * Matches "the awards will be forfeited", "will continue to vest": a consequence of a departure that is only possible.
 */
const BENEFITS =
  /\b(?:will|shall|would|may|continues? to|are|is) (?:be |become |immediately |automatically |continue to ){0,3}(?:forfeit|vest|entitled|exercisable|accelerat|lapse|expire|payable)/
const ITS_DAY = new RegExp(`^[^.;]{0,120}?${DAY}`)

/**
 * Tests whether "the termination of Ada Sample’s employment" or "the retirement of Ada Sample", from `at` to `end`, is
 * a case that an agreement provides for. In such a case no day follows, and the sentence states the consequences of the
 * case.
 */
export const isProvided = ({ masked, trace }: Traced, at: number, end: number): boolean =>
  isCase(masked, at, end) && dropped(trace, 'provided', at)

function isCase(masked: string, at: number, end: number): boolean {
  if (ITS_DAY.test(masked.slice(end))) return false
  const before = masked.slice(Math.max(0, at - 60), at)
  if (
    /\b(?:includes?|means|constitutes?) (?:the |an? )?$/.test(before) ||
    (PROVIDES.test(before) && BENEFITS.test(masked))
  )
    return true
  if (!/^termination/i.test(masked.slice(at, at + 11))) return false
  return (
    ANY_NOUN.test(before) ||
    (PROVIDES.test(before) &&
      /^[’']s?\s(?:employment|services?)\b/.test(masked.slice(end, end + 14)) &&
      /\b(?:shall|would|may|will be (?:entitled|eligible|able|paid|subject))\b/.test(masked))
  )
}

const YEAR = new RegExp(
  String.raw`\blast (?:year|month|fall|spring|summer|winter)\b|\b(?:years?|months?) ago\b|\bin\s(?:${MONTH_NAMES})\b(?!\s\d)|\b(?:in|since|from|during|until|between|through|of)\s(?:(?:early|late|mid)[- ]?)?(?:(?:${MONTH_NAMES})(?:\sof)?,?\s)?(?:19|20)\d\d\b`,
)
/** Matches the beginning of a different statement. */
const BREAK = /;|,\s(?:having|who|after|where|following|succeeding|replacing|and|with)\b|\shaving\b|\ue000/
const DAYS = new RegExp(DAY)

/**
 * Tests whether the words after a verb give only a year or a month. An office since 2015, for example, is not an event.
 */
export function isHistory({ masked, trace }: Traced, after: number): boolean {
  const rest = masked.slice(after, after + 160)
  const window = rest.slice(0, BREAK.exec(rest)?.index ?? rest.length)
  const year = YEAR.exec(window)
  return year !== null && !DAYS.test(window.slice(0, year.index + year[0].length)) && dropped(trace, 'history', after)
}
