/** Tests whether the filer is the subject of a verb, and whether a clause denies, supposes or repeats the act. */
import { PROSE_FORM } from '../../../read/legal-forms.ts'
import { DAY } from '../../../read/prose/dates.ts'
import { organizationsIn } from '../../../read/prose/organizations.ts'

/** Maximum length of the clause that is read before a verb. */
const CLAUSE_MAX = 1_000
const DENIED =
  /\b(?:[Nn]o(?!\.|\slater\b)|[Nn]either|nor|den(?:y|ies|ied|ying)|(?:intends?|plans?|expects?|hopes?|wishes) to (?:announce|disclose|report))\b/

/** Tests whether the words between the start of a clause and its verb deny the act of the verb, or only suppose it. */
export function isDenied(said: string, verb: number): boolean {
  const clause = clauseBefore(said, verb)
  return DENIED.test(clause) || SUPPOSED.test(clause)
}

/** Words right before an act that somebody only claims, supposes or considers. */
const SUPPOSED =
  /\b(?:(?:alleg|claim|assert|contend)\w*\sthat|assuming|whether|(?:condition|covenant|requirement|possibility|risk)s?\sthat|(?:consider|evaluat|discuss)\w*)\b[^,;]{0,120}$/i

/** Tests whether somebody only claims, supposes or considers an act. */
export const isSupposed = (said: string, verb: number): boolean => SUPPOSED.test(clauseBefore(said, verb))

const ANY_DAY = new RegExp(DAY)
const IN_YEAR = /\b[Ii]n\s(?:[A-Z][a-z]{2,8}\s(?:of\s)?)?(?:19|20)\d\d\b/

/**
 * Tests whether an act is history: the words around the verb have only a year or a month, and the sentence has no day.
 */
export const isHistory = (said: string, after: number): boolean =>
  IN_YEAR.test(said.slice(Math.max(0, after - 300), after + 300)) && !ANY_DAY.test(said)

/** Matches a description of another firm that names the filer: ", a supplier of the Company,". */
export const OTHER_FIRM = /,\s(?:an?|the)\s(?:(?!subsidiar|affiliate|division)[^,;]){1,90}\sof\sthe\sCompany,?/gi

/** Tests whether only another firm is named before a verb: "the Board of Alpha, Inc. authorized". */
export function isOfOtherFirm(said: string, verb: number): boolean {
  const before = said.slice(0, verb).replace(OTHER_FIRM, ',')
  return !/\b(?:[Tt]he\sCompany|Registrant|[Ww]e|[Oo]ur)\b/.test(before) && organizationsIn(before).length > 0
}

const clauseBefore = (said: string, verb: number): string =>
  said.slice(Math.max(0, said.lastIndexOf(';', verb) + 1, verb - CLAUSE_MAX), verb)

/** Words of an act that an earlier report stated: "as previously disclosed", "as disclosed in the Form 8-K". */
const REPORTED =
  /\b(?:[Aa]s\s(?:was\s|we\s|the\sCompany\s)?(?:previously|earlier)\s(?:disclosed|reported|announced|described)|[Aa]s\s(?:disclosed|reported|announced|described)\s(?:in|on|by)\s(?:the|its|our|an?)\s(?:[\w-]{1,20}\s){0,4}(?:Report|Form|filing|press\srelease)|(?:previously|earlier)\s(?:disclosed|reported)\s(?:on|in|that))\b/g
const ON_DAY = new RegExp(`\\b[Oo]n\\s${DAY}`, 'g')

/**
 * Tests whether the act of a verb was reported before. If two days follow words such as "as previously disclosed", the
 * second day is the day of a new act.
 */
export function isReported(said: string, verb: number): boolean {
  const clause = clauseBefore(said, verb)
  const found = [...clause.matchAll(REPORTED)].at(-1)
  if (!found) return false
  const days = [...clause.slice(found.index).matchAll(ON_DAY)].filter(
    ({ index }) => !/\bfiled\s$/.test(clause.slice(found.index, found.index + index)),
  )
  return days.length < 2
}

/** Maximum length of the text before a verb that is searched for the verb's subject. */
const BEFORE_MAX = 500
/** Maximum number of insertions between a subject and its verb. Real sentences have up to four. */
const INSERTIONS_MAX = 8
/** Commas that do not end an insertion: a comma within a day (`COMMA_IN_DAY`), and a comma before a legal form. */
const COMMA_IN_DAY = new RegExp(DAY, 'g')
const COMMA_OF_FORM = new RegExp(String.raw`,(?=\s${PROSE_FORM}\b)`, 'g')
/** Words between a subject and its verb. */
const AUXILIARY =
  /(?:\s(?:has|have|also|each|then|successfully|indirectly|directly|today|simultaneously|concurrently)){1,4}$/
const NAME = '(?:Company|Registrant|Corporation|Partnership|Trust|Bank|Issuer|Operating Partnership)'
/**
 * Matches "a wholly owned subsidiary of the Company", but neither "a customer of a subsidiary" nor "a former
 * subsidiary".
 */
const OWN_WORDS = String.raw`(?:\s(?!(?:of|to|by|with|for|from|former)\b)[\w-]{1,20}){0,6}\ssubsidiar(?:y|ies)`
const OF_FILER = `${OWN_WORDS} of (?:the ${NAME}|ours)`
/** Words right before a subject: the start of a clause, not a relative clause such as "warrants that the Company". */
const LEAD = String.raw`(?:^|[,:]\s|\d{4}\s|\bDate\s|\b(?:announc|report|disclos|confirm|stat)[a-z]{0,4}\s(?:[^;,]{0,80}\s)?that\s)`
const SUBJECTS = [
  `[Tt]he (${NAME})`,
  'Registrant',
  '[Ww]e',
  `(?:[Aa]n?|[Tt]he|[Cc]ertain|[Oo]ne of the)${OF_FILER}`,
  String.raw`(?:[Tt]he (?:Company|Registrant)[’']s|[Oo]ur)${OWN_WORDS}(?:\s\p{Lu}[^,]{0,80})?`,
  String.raw`(?:[Tt]he Company|[Ww]e)(?:,|,?\s(?:and|(?:acting\s)?(?:by\sand\s)?through|via))\s(?:(?:one|certain|each) of )?(?:its|our)${OWN_WORDS}(?:\s\p{Lu}[^,]{0,80})?`,
]
const FILER = new RegExp(`${LEAD}(?:${SUBJECTS.join('|')})$`, 'u')
/**
 * Matches "The Company announced that it". The pronoun means the filer if the filer is the only subject before the
 * pronoun.
 */
const PRONOUN = /^(?:[^,;]{0,60},\s)?[Tt]he (?:Company|Registrant)\s[^;,]{0,80}\sthat,?\s(?:on\s[^;,]{0,30},?\s)?it$/
const DESCRIPTION = new RegExp(`^(?:an?|the|each|both|one|which is an?)${OF_FILER}$`)
/**
 * Matches the beginning of an insertion that may end without a comma: "the Company, through Alpha LLC, a limited
 * partnership".
 */
const THROUGH = /^(?:acting\s)?(?:by\sand\s)?(?:through|via|together with|along with)\s/
const IS_NAME = /^\p{Lu}[\w.’&-]{0,30}(?:\s\p{Lu}[\w.’&-]{0,30}){0,7}$/u

/**
 * Tests whether the last subject before a verb is the filer, "we", or a subsidiary of the filer.
 *
 * @param others short names of other firms; "the Bank" is not the filer if it is one of them
 */
export function isOfFiler(said: string, verb: number, others: ReadonlyMap<string, string>): boolean {
  const from = Math.max(0, said.lastIndexOf(';', verb) + 1, verb - BEFORE_MAX)
  const isCut = from > 0 && from === verb - BEFORE_MAX
  const parts = (isCut ? `… ${said.slice(from, verb)}` : said.slice(from, verb))
    .trim()
    .replace(COMMA_IN_DAY, (day) => day.replace(',', ''))
    .replace(COMMA_OF_FORM, '')
    .replace(AUXILIARY, '')
    .split(/,\s?/)
  let last = parts.length - 1
  // A comma before the verb ends an insertion; the subject is before the insertion.
  const isInserted = parts[last] === '' || THROUGH.test(parts[last]!)
  if (parts[last] === '') last--
  for (let hasName = false; last >= Math.max(0, parts.length - INSERTIONS_MAX); last--) {
    const words = parts.slice(0, last + 1).join(', ')
    const found = FILER.exec(words)
    // A name may be inserted after words for a subsidiary: "our subsidiary, Alpha LLC, sold". After other words for the
    // filer, the subject is uncertain: "the Company, Alpha LLC, sold".
    if (found) return !(found[1] && (hasName || others.has(found[1])))
    if (PRONOUN.test(words)) return true
    if (!isInserted) return false
    if (DESCRIPTION.test(parts[last]!)) return true
    hasName ||= IS_NAME.test(parts[last]!)
  }
  return false
}
