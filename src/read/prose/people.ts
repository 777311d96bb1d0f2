/**
 * Finds names of persons in prose. Words count as a name only if they can mean nothing else. Words that only resemble a
 * name are left out.
 */

import { PROSE_FORM } from '../legal-forms.ts'
import { GIVEN_NAMES_CUT, SAINTS } from './abbreviations.ts'
import { GIVEN_NAMES } from './given-names.ts'
import { isOpener } from './openers.ts'
import { type Evidence, evidenceIn, hasDirectors, isActing, isAppointedWith, type Run } from './person-evidence.ts'

export interface Mention {
  /** UTF-16 offsets in the input text. */
  start: number
  end: number
  /**
   * Given name, initials, surname and suffix, without "Mr." and "Dr.". "Mr. Parekh" gets the full name from elsewhere
   * in the text.
   */
  name: string
}

export interface Mentions {
  found: Mention[]
  /** Distinct names that were left out because it is uncertain whether they are persons. */
  leftOut: string[]
}

/** Follows the search for persons: `explain` prints what is reported here. */
export interface PersonTrace {
  /** @param evidence null if nothing shows that the words are a person */
  person(words: string, evidence: Evidence | null): void
}

/** Matches "al-Rashid", "d’Arcy" */
const PREFIXED = String.raw`(?:al|el|as|ben|d|dell|l|t)[-’'‘]\p{Lu}[\p{L}\p{M}’'-]{1,24}`
const WORD = String.raw`(?:(?:${GIVEN_NAMES_CUT})\.|(?:${SAINTS})\.(?=\s\p{Lu})|(?:${SAINTS})\.\p{Lu}[\p{L}’'-]{1,24}|\p{Lu}\.(?:\s?\p{Lu}\.)?|(?!(?:Jr|Sr)\b)\p{Lu}[\p{L}\p{M}’'-]{0,24}[\p{L}\p{M}]|${PREFIXED})`
const NICKNAME = String.raw`(?:\(["“‘']?\p{Lu}(?:\p{Ll}{1,14}|\.?\p{Lu}\.?)["”’']?\)|["“‘']\p{Lu}(?:\p{Ll}{1,14}|\.?\p{Lu}\.?)["”’'])`
const PARTICLES =
  'de|dei|degli|del|della|delle|di|da|do|dos|das|du|e|la|las|le|lo|los|van|von|vom|der|den|ter|ten|tot|op|zu|zum|zur|af|bin|ibn|al|el|y'
const PARTICLE = String.raw`(?:${PARTICLES})(?![\p{L}’'-])`
/**
 * Words of address, which only persons have. "General" and "Governor" are left out, since they also begin names of
 * offices. "Sr." is left out, since it ends names.
 */
const HONORIFIC =
  '(?:Mr|Ms|Mrs|Miss|Dr|Messrs|Mses)\\.?|(?:(?:Rear|Vice|Lt\\.|Brig\\.|Maj\\.)\\s)?(?:Gen|Adm|Col|Cmdr)\\.|(?:Fr|Rev|Msgr|Hon|Capt|Maj|Lt|Sen|Gov|Amb|Prof|Engr)\\.|Rabbi|Judge|Sir|Dame|Lord'
const RUN = new RegExp(
  String.raw`(?:\b(${HONORIFIC})\s(?:(?:${HONORIFIC})\s){0,2}(?:${PARTICLE}\s){0,3})?(?<![\p{L}\d’'-])(${WORD}(?:\s(?:${WORD}|${PARTICLE}|${NICKNAME})){0,7}(?:,?\s(?:Jr|Sr|II|III|IV|VI|V|2nd|3rd|4th)\.?(?![\p{L}\d]))?)`,
  'gu',
)

/** Words of firms, bodies, laws and documents. Capitalized words that include one of these are not a person. */
const ORGANIZATION = new Set(
  `company companies corporation corp inc incorporated llc llp lp ltd limited plc bank banc bancorp bancshares group holdings
  holding trust fund funds partners partnership associates foundation university college school institute institution hospital
  capital ventures management advisors securities services solutions systems technologies technology industries international
  national america american brands energy pharmaceuticals therapeutics sciences networks media communications entertainment
  association agency department ministry commission court committee board council exchange nasdaq nyse office bureau act code
  rule regulation section item form exhibit report agreement plan amendment policy program award awards stock shares common
  class series meeting statement statements proxy schedule part road street avenue boulevard plaza drive lane
  suite floor center centre building tower park square index indexes community merger acquisition sub parent sponsor holdco
  newco combination transaction transactions business`.split(/\s+/),
)
/** Words before or after a name that are not part of it. */
const NEXT_TO_NAME = new Set(
  `chief executive officer officers president presidents vice senior director directors chairman chairwoman chairperson chair
  secretary treasurer controller counsel general principal financial operating accounting technology information marketing
  revenue people human resources head interim acting independent lead non-executive named registrant issuer effective on in at
  as of for from by with and or the a an this that these those our its his her their he she they it we mr ms mrs dr messrs mses
  miss following upon pursuant prior since after before during until under also further additionally previously currently
  accordingly however when while where if both each all any such no not
  january february march april may june july august september october november december monday tuesday wednesday thursday friday
  saturday sunday ceo cfo coo cto cio cao evp svp co-ceo co-ceos co-president co-presidents member members appointment election
  resignation retirement departure termination promotion compensation employment separation transition severance retention
  consulting offer letter salary bonus new united states north south east west york fiscal year annual quarter title position
  name age executives end immediate corporate regional global worldwide operations sales finance engineering former founder
  co-founder sir hon dear ii iii iv v vi 2nd 3rd 4th jr sr names appoints elects announces promotes hires welcomes adds tel telephone contact
  contacts inquiries investor investors relations media public governor senator ambassador admiral colonel captain professor
  congressman congresswoman mayor minister commissioner administrator lieutenant honorable`.split(/\s+/),
)
/** Firms that are named like a person. */
const FIRMS = new Set([
  ...[
    'charles schwab',
    'raymond james',
    'william blair',
    'eli lilly',
    'arthur andersen',
    'robert half',
    'edward jones',
  ],
  ...[
    'philip morris',
    'howard hughes',
    'john deere',
    'dean witter',
    'paul weiss',
    'walt disney',
    'john hancock',
    'franklin templeton',
  ],
  ...[
    'franklin resources',
    'ross stores',
    'martin marietta',
    'lee enterprises',
    'dean foods',
    'ralph lauren',
    'tommy hilfiger',
  ],
  ...[
    'calvin klein',
    'michael kors',
    'steve madden',
    'kenneth cole',
    'estee lauder',
    'perry ellis',
    'thomas weisel',
    'ernst young',
  ],
])

/** Matches a surname after an honorific. The surname may also be a word in names of firms and streets: "Ms. Park". */
const SURNAME = /\b(?:Mr|Ms|Mrs|Miss|Dr)\.?\s(\p{Lu}[\p{L}’'-]{1,24}?)(?=[’']s\b|[^\p{L}’'-]|$)/gu

/** Maximum number of runs of capitalized words; no real item about officers has as many. */
const RUNS_MAX = 4_000
const SUFFIX = /^(?:II|III|IV|V|VI|2nd|3rd|4th|Jr\.?|Sr\.?)$/
/** Abbreviations that cannot end a name. A name that ends with one of these is incomplete. */
const IS_CUT = new RegExp(`^(?:${SAINTS})\\.?$`)
const LEADS = new RegExp(`^(?:\\(|["“‘']|(?:${PARTICLES})$)`)
/**
 * @param text text of one item. The time is proportional to its length, even for hostile text.
 * @param trace follows the reading
 */
export function mentionsOf(text: string, trace?: PersonTrace): Mentions {
  const parks = new Set([...text.matchAll(SURNAME)].map(([, word]) => word!.toLowerCase()))
  const runs = runsOf(text, parks)
  const honored = new Set(runs.flatMap(({ honorific, words }) => (honorific ? [words.at(-1)!.toLowerCase()] : [])))
  // Example: "Messrs. Page and Brin"
  for (const [, one] of text.matchAll(
    /\b(?:Messrs|Mses)\.?\s[^.;]{1,80}?\sand\s(?:Mr\.\s|Ms\.\s)?(\p{Lu}[\p{L}’'-]{1,24})/gu,
  )) {
    honored.add(one!.replace(/[’']s$/, '').toLowerCase())
  }
  // Short forms that the text defines for later mentions: Hollis Harris (“Harris”). The short form of a firm matches no
  // person.
  const called = new Set(
    [...text.matchAll(/\([“"](\p{Lu}[\p{L}’'-]{1,24})[”"]\)/gu)].map(([, one]) => one!.toLowerCase()),
  )
  const persons: string[] = []
  const leftOut = new Set<string>()
  const found: Mention[] = []
  const full = runs.filter((run) => run.words.length >= 2 && (run.honorific || !hasDirectors(text, run)))
  const evidence = full.map((run): Evidence | null => {
    if (run.honorific !== undefined) return 'honorific'
    return surnamesOf(run.words).some((one) => honored.has(one)) ? 'surname after an honorific' : evidenceIn(text, run)
  })
  for (const [i, { words }] of full.entries()) {
    if (evidence[i] === null && isInList(text, full, evidence, i)) evidence[i] = 'list with persons'
    trace?.person(words.join(' '), evidence[i]!)
    if (evidence[i] === null) {
      if (words.every((word) => word.length > 2)) leftOut.add(words.join(' '))
      continue
    }
    const at = persons.findIndex((person) => isSame(person.split(' '), words))
    if (at < 0) persons.push(words.join(' '))
    // "Michael Marks" in a heading is Michael E. Marks in the sentence, so the longer name replaces the shorter one.
    else if (words[0] === persons[at]!.split(' ')[0] && words.length > persons[at]!.split(' ').length)
      persons[at] = words.join(' ')
  }
  // "Mr. Tyson is the son of our Chairman, John H. Tyson": elsewhere "Mr. Tyson" is not the father.
  const isOfKin = (person: string) =>
    runs
      .filter(({ words }) => words.length >= 2 && isSame(person.split(' '), words))
      .every(({ start }) => OF_KIN.test(text.slice(Math.max(0, start - 120), start)))
  const relatives = new Set(persons.filter(isOfKin))
  for (const { start, end, words, honorific } of runs) {
    const surname = surnameOf(words)
    const known =
      words.length >= 2
        ? persons.filter((person) => isSame(person.split(' '), words))
        : persons.filter((person) => !relatives.has(person) && surnamesOf(person.split(' ')).includes(surname))
    // "Mr. Nordstrom" is ambiguous if two persons have that name.
    if (known.length === 1 && (words.length >= 2 || honorific || honored.has(surname) || called.has(surname)))
      found.push({ start, end, name: known[0]! })
  }
  return { found, leftOut: [...leftOut] }
}

/** Words for relatives. */
export const RELATIVES =
  '(?:son|daughter|brother|sister|spouse|wife|husband|father|mother|nephew|niece|cousin|grandson|granddaughter)(?:-in-law)?'
/** Words before the name of a relative. */
const OF_KIN = new RegExp(`\\b${RELATIVES}\\sof\\s[^.;]{0,90}$`)

/** Matches the words between two names of a list. */
const BETWEEN = /^,?\s(?:and\s)?(?:Mr\.?\s|Ms\.?\s|Mrs\.?\s|Dr\.?\s)?$/
/** Tests whether a run is a person because it is in a list with persons. */
function isInList(text: string, runs: readonly Run[], evidence: readonly (Evidence | null)[], i: number): boolean {
  const joined = (one: number, other: number) =>
    one >= 0 && other < runs.length && BETWEEN.test(text.slice(runs[one]!.end, runs[other]!.start))
  const is = (at: number) => (evidence[at] ?? null) !== null
  return (
    // Example: "Xyz Abc and Ada Sample resigned from the Board"
    (is(i + 1) && joined(i, i + 1) && isActing(text, runs[i + 1]!.end)) ||
    // Example: "appointed Ada Sample and Xyz Abc to the Board". No firm can have such an office, so both are persons.
    (joined(i - 1, i) && isAppointedWith(text, runs[i - 1]!.start, runs[i]!.end)) ||
    (joined(i, i + 1) && isAppointedWith(text, runs[i]!.start, runs[i + 1]!.end)) ||
    (is(i - 1) && is(i + 1) && joined(i - 1, i) && joined(i, i + 1)) ||
    (is(i - 1) && is(i - 2) && joined(i - 2, i - 1) && joined(i - 1, i)) ||
    (is(i + 1) && is(i + 2) && joined(i, i + 1) && joined(i + 1, i + 2))
  )
}

/**
 * Tests whether two names can be the same person, by the surnames and the beginnings of the given names: Andrew J. and
 * Andy Harmening, N. John and John Simmons.
 */
const isSame = (one: readonly string[], other: readonly string[]) =>
  surnameOf(one) === surnameOf(other) &&
  givenOf(one).some((name) => givenOf(other).includes(name)) &&
  !(
    one[0] === other[0] &&
    initialOf(one) !== null &&
    initialOf(other) !== null &&
    initialOf(one) !== initialOf(other)
  ) &&
  (suffixOf(one) === suffixOf(other) || suffixOf(one) === '' || suffixOf(other) === '')

/** Returns the initial between the given name and the surname: a father and a son may differ only in this initial. */
const initialOf = (words: readonly string[]): string | null =>
  words.slice(1, -1).find((word) => /^\p{Lu}\.$/u.test(word)) ?? null

/**
 * Returns the beginnings of the given names. After an initial, the second given name also counts, since it may be the
 * name in use.
 */
const givenOf = (words: readonly string[]) =>
  (/^\p{Lu}\.$/u.test(words[0]!) && words.length > 2 ? words.slice(0, 2) : words.slice(0, 1)).map((word) =>
    word.slice(0, 2),
  )

const suffixOf = (words: readonly string[]) => (SUFFIX.test(words.at(-1)!) ? words.at(-1)!.replace('.', '') : '')

/** Returns the surnames by which a person may be called: "Mr. Niles" is Christopher J. Del Moral-Niles. */
const surnamesOf = (words: readonly string[]): string[] => {
  const surname = surnameOf(words)
  const and = words.indexOf('y')
  // The first of two surnames comes before "y": "Dr. Zuniga" is Fernando Zuniga y Rivero.
  return [
    surname,
    ...(surname.includes('-') ? [surname.split('-').at(-1)!] : []),
    ...(and > 1 ? [words[and - 1]!.toLowerCase()] : []),
  ]
}

const surnameOf = (words: readonly string[]) =>
  words
    .filter((word) => !SUFFIX.test(word))
    .at(-1)!
    .toLowerCase()

function runsOf(text: string, surnames: ReadonlySet<string>): Run[] {
  const runs: Run[] = []
  for (const match of text.matchAll(RUN)) {
    const [, honorific, body] = match
    runs.push(...split(match.index + match[0].length - body!.length, body!, honorific, text, surnames))
    if (runs.length >= RUNS_MAX) break
  }
  return runs
}

/** Matches a legal form or "&" after a run of words, which is then the name of a firm. */
const AFTER_FIRM = new RegExp(String.raw`^(?:,?\s${PROSE_FORM}(?![\w-])|\s&)`)

/**
 * Returns the parts of a run that can be names. "Apple’s Chief Executive Officer Tim Cook" has one such part. Long: it
 * passes over the words of a run once, and applies the rules for where a name ends.
 */
function split(
  at: number,
  body: string,
  honorific: string | undefined,
  text: string,
  surnames: ReadonlySet<string>,
): Run[] {
  const words = [...body.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    word,
    start: at + index,
    end: at + index + word.length,
  }))
  if (!honorific && words.length > 1 && isOpener(words[0]!.word, text, at)) words.shift()
  if (words.some(({ word }) => ORGANIZATION.has(bare(word)) && !surnames.has(bare(word)) && !IN_BRACKETS.test(word)))
    return []
  // A run that ends with an office may be a person even if "&" follows: "Ada Sample / President & Chief Operating
  // Officer" are two lines of a cell.
  const isOffice = NEXT_TO_NAME.has(bare(words.at(-1)!.word))
  if (!isOffice && AFTER_FIRM.test(text.slice(at + body.length, at + body.length + 24))) return []
  const runs: Run[] = []
  let open: typeof words = []
  const close = (isFirst: boolean) => {
    while (open.length > 0 && LEADS.test(open[0]!.word)) open.shift()
    const spelt = open.map(({ word }) => word)
    const isName =
      open.length > 0 &&
      open.length <= 6 &&
      (spelt.every(isNameWord) ||
        isInCapitals(
          spelt,
          text.slice(Math.max(0, open[0]!.start - 16), open[0]!.start),
          text.slice(open.at(-1)!.end, open.at(-1)!.end + 16),
        ))
    const last = open.at(-1)
    if (isName && !/^\p{Lu}\.$/u.test(last!.word) && !IS_CUT.test(last!.word)) {
      const own = open.map(({ word }, i) =>
        i === open.length - 1 ? word.replace(/[’']s?$/, '') : word.replace(/,$/, ''),
      )
      const possessive = last!.word.length - own.at(-1)!.length
      if (!FIRMS.has(own.join(' ').toLowerCase())) {
        const end = last!.end - (SUFFIX.test(last!.word) ? 0 : possessive)
        runs.push({ start: open[0]!.start, end, words: own, honorific: isFirst ? honorific : undefined })
      }
    }
    open = []
  }
  let isFirst = true
  for (const each of words) {
    if (
      (NEXT_TO_NAME.has(bare(each.word)) || (IN_BRACKETS.test(each.word) && ORGANIZATION.has(bare(each.word)))) &&
      !/^\p{Lu}\.$/u.test(each.word) &&
      !(open.length >= 2 && SUFFIX.test(each.word))
    ) {
      close(isFirst)
      isFirst = false
      continue
    }
    open.push(each)
    if (/[’']s$/.test(each.word)) {
      close(isFirst)
      isFirst = false
    }
  }
  close(isFirst)
  return runs
}

/** Matches a word in brackets: "(Bank)" in "Chief Operating Officer (Bank) Ada Sample". */
const IN_BRACKETS = /^\(.*\)$/

const bare = (word: string) => word.toLowerCase().replace(/[’']s$|[.,()"“”]+/g, '')

/**
 * Tests for a word that can be part of a name. Words in capitals are headings or ticker symbols, except suffixes and
 * initials.
 */
const isNameWord = (word: string) => SUFFIX.test(word) || /^\p{Lu}\./u.test(word) || !isCapitals(word)
const isCapitals = (word: string) => /^\p{Lu}{2,}$/u.test(word.replace(/[’']s$|[.,]/g, ''))

/**
 * Tests for a person in capitals: "JOHN A. SMITH resigned". Requires a common given name, and words in lower case on
 * both sides.
 */
const isInCapitals = (words: readonly string[], before: string, after: string): boolean =>
  words.length >= 2 &&
  words.every((word) => SUFFIX.test(word) || /^\p{Lu}\.$/u.test(word) || isCapitals(word)) &&
  GIVEN_NAMES.has(words[0]!.toLowerCase()) &&
  /(?:^|\p{Ll}[^\p{L}]{0,14}|\b(?:Mr|Ms|Mrs|Dr)\.?\s)$/u.test(before) &&
  /^[^\p{L}]{0,12}(?:\p{Ll}|$)/u.test(after)
