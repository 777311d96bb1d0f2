/** Tests whether the filer or its subsidiary is the subject of a verb, and whether a clause denies its verb. */
import { DAY } from '../days.ts'

/** Longest clause before a verb that is read. */
const CLAUSE_MAX = 1_000
const DENIED = /\b(?:[Nn]o(?!\.|\slater\b)|[Nn]either|nor|den(?:y|ies|ied|ying))\b/

/** Tests whether the words between the start of a clause and its verb deny the verb. */
export const isDenied = (said: string, verb: number): boolean =>
  DENIED.test(said.slice(Math.max(0, said.lastIndexOf(';', verb) + 1, verb - CLAUSE_MAX), verb))

/** Longest text before a verb in which its subject is looked for. */
const BEFORE_MAX = 500
/** Maximum number of insertions between a subject and its verb. Real sentences have up to four. */
const INSERTIONS_MAX = 8
/** A comma that does not end an insertion: that of a day, and that before a legal form. */
const COMMA_IN_DAY = new RegExp(DAY, 'g')
const COMMA_OF_FORM =
  /,(?=\s(?:Inc|LLC|L\.L\.C|Ltd|L\.?P|LLP|N\.?A|Corp|Incorporated|Limited|S\.?A|N\.?V|plc|PLC|AG|National Association)\b)/g
/** Words between a subject and its verb. */
const AUXILIARY =
  /(?:\s(?:has|have|also|each|then|successfully|indirectly|directly|today|simultaneously|concurrently)){1,4}$/
const NAME = '(?:Company|Registrant|Corporation|Partnership|Trust|Bank|Issuer|Operating Partnership)'
/** "a wholly owned subsidiary of the Company", but neither "a customer of a subsidiary" nor "a former subsidiary". */
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
/** "The Company announced that it": the pronoun means the filer if the filer is the only subject before. */
const PRONOUN = /^(?:[^,;]{0,60},\s)?[Tt]he (?:Company|Registrant)\s[^;,]{0,80}\sthat,?\s(?:on\s[^;,]{0,30},?\s)?it$/
const DESCRIPTION = new RegExp(`^(?:an?|the|each|both|one|which is an?)${OF_FILER}$`)
/** An insertion that may end without a comma: "the Company, through Alpha LLC, a limited partnership". */
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
  // A comma before the verb ends an insertion, which the subject precedes.
  const isInserted = parts[last] === '' || THROUGH.test(parts[last]!)
  if (parts[last] === '') last--
  for (let hasName = false; last >= Math.max(0, parts.length - INSERTIONS_MAX); last--) {
    const words = parts.slice(0, last + 1).join(', ')
    const found = FILER.exec(words)
    // "the Company, Alpha LLC, sold": only a subsidiary has its name inserted.
    if (found) return !(found[1] && (hasName || others.has(found[1])))
    if (PRONOUN.test(words)) return true
    if (!isInserted) return false
    if (DESCRIPTION.test(parts[last]!)) return true
    hasName ||= IS_NAME.test(parts[last]!)
  }
  return false
}
