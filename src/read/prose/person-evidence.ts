/**
 * Decides whether a run of capitalized words is a person: by a given name, an office next to the words, or an
 * appointment to an office.
 */
import { GIVEN_NAMES_CUT } from './abbreviations.ts'
import { GIVEN_NAMES } from './given-names.ts'
import { isFieldWord } from './titles.ts'

/** A run of capitalized words. */
export interface Run {
  start: number
  end: number
  words: string[]
  honorific: string | undefined
}

const OFFICE = String.raw`(?:Chief\s\p{Lu}|[ES]VP\b|President|Vice President|Chair(?:man|woman|person)?\b|[Dd]irectors?\b(?!\sand\sofficers)|General Counsel|Treasurer|Controller|Co-CEO|C[EFO]O\b|chairman\b|(?:chief|[Pp]rincipal)\s(?:executive|financial|operating|accounting)\sofficer|(?:vice\s)?president\b|(?:a\s)?[Mm]ember\sof\s(?:the|our|its)\s[^,.;]{0,40}Board)`
const WHOSE = String.raw`(?:who\s(?:(?:has|had)\s(?:been|served as|been serving as)|(?:is|was|currently)\s(?:serving as|serves as)|is|was|serve[sd] as)\s|(?:an?|the|its|our|their|current|currently|former|formerly|one of the|one of our|interim|acting|independent)\s|[^,.;]{1,40}[’']s\s){0,3}(?:\p{Lu}[\p{L}-]{1,20}\s){0,3}`
const AFTER = new RegExp(
  String.raw`^,\s(?:age[sd]?\s)?\d{2}\b|^\s\((?:age\s)?\d{2}\)|^(?:,\s(?:M\.?D|Ph\.?\s?D|J\.?D|CPA|C\.P\.A|M\.?B\.?A|Esq)\.?)+|^,\s${WHOSE}${OFFICE}`,
  'u',
)
/** Matches "Chief Financial Officer Ada Sample", "director Ada Sample" */
const BEFORE =
  /(?:\bChief\s\p{Lu}\p{L}+(?:\s\p{Lu}\p{L}+)?\sOfficer|\bPresident|\bChair(?:man|woman|person)|\b[Dd]irector|\bController|\bTreasurer|\bGeneral Counsel|\bC[EFO]O)\s$/u
const VERB =
  /\b(?:appoint(?:ed|s|ing)?|elect(?:ed|s|ing)?|nam(?:ed|es|ing|e)|hir(?:ed|es|e)|promot(?:ed|es|e)|designat(?:ed|e)|terminat(?:ed|e)|remov(?:ed|e)|(?:appointment|election|promotion|resignation|retirement|departure|removal|hiring|employment) (?:of|from)) (?:Mr\.? |Ms\.? |Mrs\.? |Dr\.? )?$/
/**
 * Matches an appointment to an office that no firm can have, such as president or director; a firm may be secretary or
 * agent.
 */
const TO_OFFICE = new RegExp(
  String.raw`^,?\s(?:to\s)?(?:serve\s|act\s)?(?:(?:as|to|from)\s)?(?:(?:an?|the|its|our|his|her|their|new|interim|acting|position|role|office|of|as|Company[’']s)\s){0,6}(?:\p{Lu}[\p{L}-]{1,20}\s){0,3}(?:${OFFICE}|Class\sI|Board\sof|Board\b)`,
  'u',
)
/** Matches "Ada Sample will join the Company as Chief Financial Officer" */
const DOES = new RegExp(
  String.raw`^,?\s(?:(?!(?:that|he|she|they)\s)[a-z]+\s){0,4}(?:appointed|elected|named|promoted|join(?:ed|s)?|become[s]?|became|serve[s]?|resign(?:ed|s)?|retire[sd]?|step(?:s|ped)? down|succeed[s]?|assume[sd]?|removed|terminated|replaced|left|cease[sd]?|(?:takes?|took) over)\b[^.;]{0,60}?\s(?:as|to|from)\s(?:(?:an?|the|its|our|his|her|new|sole|officer|and|interim|acting|position|role|office|of|as|be|act|serve|Company[’']s)\s){0,6}(?:\p{Lu}[\p{L}-]{1,20}\s){0,3}(?:${OFFICE}|Class\sI|Board\b)|^\s(?:was|were|has been|have been)\s(?:[a-z]+\s)?(?:appointed|elected|named)\s(?:(?:an?|the|its)\s)?${OFFICE}`,
  'u',
)
/** Matches "will perform the functions of", "ceased to perform the duties of": only a person holds an office. */
const PERFORMS = new RegExp(
  String.raw`^,?\s(?:[a-z]+\s){0,5}?(?:perform(?:s|ing)?|assume[sd]?)\sthe\s(?:functions|duties|responsibilities)(?:\sand\s(?:functions|duties|responsibilities))?\s(?:of|as)\s(?:(?:the|its|our|interim|acting|Company[’']s)\s){0,3}(?:[Pp]rincipal\s[\p{L}\s]{6,40}[Oo]fficer|${OFFICE})`,
  'u',
)
/**
 * Matches a personal decision, which a firm cannot make: "Ada Sample notified Delta, Inc. of her decision to resign",
 * "Ada Sample tendered her resignation".
 */
const NOTIFIES =
  /^,?\s(?:has\s|had\s)?(?:(?:notified|informed|advised|told)\s[^;]{2,100}?\s(?:of|that)\s(?:his|her|he|she)\s(?:decision|intention|intent|resignation|retirement|plans?|would|will|was|is|had|has|intends|does|did)|(?:tendered|submitted|delivered|gave|provided|announced|communicated)\s(?:[^;.]{0,80}?\s)?(?:his|her)\s(?:[a-z]+\s){0,3}?(?:decision|intention|intent|resignation|retirement|departure|notice))\b/
/** Matches "appointed a new director, Ada Sample, to the Board" */
const A_DIRECTOR = /\b(?:appointed|elected|named)\s(?:an?|one)\s(?:[a-z-]+\s){0,3}director,\s$/
/** Matches the beginning of a table cell before the name. */
const CELL = /\|\s$/
const OFFICE_IN_CELL =
  /^\s(?:\|\s)?(?:\p{Lu}[\p{L}-]{1,20},?\s(?:(?:and|&)\s)?){0,4}(?:Chief|President|Vice President|[ES]VP\b|C[EFO]O\b|Chair|Director|General Counsel|Treasurer|Controller|Secretary)/u

/** Tests whether the text after a run states an act that only a person can do: entering or leaving an office. */
export const isActing = (text: string, end: number): boolean =>
  DOES.test(text.slice(end, end + 140).replace(/\s+/g, ' '))

/**
 * Tests whether two runs are appointed together to an office. If one of the two is a person, the other is a person too.
 */
export const isAppointedWith = (text: string, start: number, end: number): boolean => {
  const after = text.slice(end, end + 140).replace(/\s+/g, ' ')
  return VERB.test(text.slice(Math.max(0, start - 60), start)) && (TO_OFFICE.test(after) || TO_FILL.test(after))
}
const TO_FILL =
  /^,?\sto\sfill\s(?:the|a|two|both|existing|newly)\s(?:[a-z]+\s){0,3}(?:vacanc(?:y|ies)|seats?|directorships?)\b/
/** Words for an auditor. The vacancy that an auditor leaves can be filled by a firm. */
const OF_AUDITOR = /\b(?:audit|accountant)/i

/** Tests for the name of a firm after its directors: "the board of directors of Harbor Steel, and Ada Sample …" */
export const hasDirectors = (text: string, { start }: Run): boolean =>
  /\b[Dd]irectors?\s{1,3}of\s{1,3}(?:the\s{1,3})?$/.test(text.slice(Math.max(0, start - 30), start))

const IS_CUT = new RegExp(`^(?:${GIVEN_NAMES_CUT})\\.$`)

/** What shows that a run of words is a person. */
export type Evidence =
  | 'honorific'
  | 'surname after an honorific'
  | 'given name'
  | 'age, degree or office after the name'
  | 'office before the name'
  | 'own decision'
  | 'appointment to an office'
  | 'act of an officer'
  | 'cell next to an office'
  | 'list with persons'

/**
 * Returns the evidence in the words of a run, or in the words next to it. Returns null if nothing shows that the run is
 * a person.
 */
export function evidenceIn(text: string, { words, start, end }: Run): Evidence | null {
  if (GIVEN_NAMES.has(words[0]!.toLowerCase()) || IS_CUT.test(words[0]!)) return 'given name'
  if (/^\p{Lu}\.$/u.test(words[0]!) && GIVEN_NAMES.has(words[1]!.toLowerCase())) return 'given name'
  const before = text.slice(Math.max(0, start - 60), start)
  const after = text.slice(end, end + 140).replace(/\s+/g, ' ')
  if (AFTER.test(after)) return 'age, degree or office after the name'
  if (isFieldWord(words.at(-1)!)) return null
  if (NOTIFIES.test(after)) return 'own decision'
  if (A_DIRECTOR.test(before) || BEFORE.test(before.replace(/\s+/g, ' '))) return 'office before the name'
  if (VERB.test(before) && (TO_OFFICE.test(after) || (TO_FILL.test(after) && !OF_AUDITOR.test(after))))
    return 'appointment to an office'
  if (DOES.test(after) || PERFORMS.test(after)) return 'act of an officer'
  return CELL.test(before) && OFFICE_IN_CELL.test(after) ? 'cell next to an office' : null
}
