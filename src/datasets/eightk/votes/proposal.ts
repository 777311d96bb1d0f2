/** Reads the proposal that a paragraph, or the label of a row, names. */
import { wordsTo } from '../../../read/prose/numerals.ts'
import { sentenceAt } from '../../../read/prose/sentences.ts'

export interface Proposal {
  /** Number of the proposal as the text writes it: 1, ii, "Two". */
  number: string | null
  title: string | null
}

const SPELT = wordsTo(12)
const NAMED = new RegExp(
  `^(?:(?:stockholder|shareholder|company|management|board|agenda|ballot|proxy) )?(?:proposal|item|matter|resolution)\\s{0,2}(?:no\\.?|number|#)?\\s{0,2}(\\d{1,2}[a-z]?|${SPELT}|[ivx]{1,5})(?!\\.\\d|[\\p{L}\\d])[\\s.:)–—-]{0,6}(.{0,2000})$`,
  'isu',
)
const NUMBERED = /^\(?(\d{1,2}|[ivx]{1,4}|[a-l])[.)](?:\s{1,6}(\S.{0,2000}))?$/isu
/** Matches a note to a table: "(1) Includes 200,000 shares voted by proxy." */
const NOTE =
  /^(?:\(?\d\)|\*)\s{1,6}(?:includes?|excludes?|represents?|reflects?|consists?|shares|votes|abstentions?|broker|based|does not|percentages?|rounded|subject)\b/i
const TITLE_MAX = 400

/** Returns the proposal whose number the words begin with; null if they do not begin with a number. */
export function proposalIn(words: string): Proposal | null {
  if (NOTE.test(words)) return null
  const [, number, rest = ''] = NAMED.exec(words) ?? NUMBERED.exec(words) ?? []
  // The initial of "J. Robert Smith" is not the letter of a proposal.
  const isPerson = /^\p{Lu}\.\s/u.test(words) && nomineeIn(words) !== null
  return number === undefined || isPerson ? null : { number: number.toLowerCase(), title: titleIn(rest) }
}

/**
 * Returns the first sentence of the words, without the punctuation at its end. Returns null for words that are not a
 * title.
 */
export function titleIn(words: string): string | null {
  const from = words.length - words.trimStart().length
  const sentence = words.slice(from, sentenceAt(words, from).end)
  const title = sentence
    .replace(/(?<=.{8})[:;]\s.*$/su, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\s.:;,–—-]{1,6}$/, '')
    // Removes "for" at the end, which belongs to the counts that follow.
    .replace(/,?\s(?:votes\s)?for$/i, '')
  return title.length < 4 || title.length > TITLE_MAX || !/\p{L}{3}/u.test(title) ? null : title
}

/** Tests whether the words concern the election of persons. */
export const isElection = (words: string): boolean =>
  /\b(?:directors?|trustees?|nominees?|managers)\b/i.test(words) &&
  /\belect|\bre-elect|\bnominees?\b|^(?:the )?directors?\b/i.test(words)

const NAME_WORD = String.raw`(?:\p{Ll}{0,3}\p{Lu}[\p{L}’'.-]{0,24}|["“(‘]\p{Lu}\p{L}{1,16}["”)’]|d[aeiu]|de[lrn]|v[ao]n|la|le|den|ter|bin|al|y|e)`
const NAME = new RegExp(String.raw`^${NAME_WORD}(?:,?\s${NAME_WORD}){1,7}$`, 'u')
/** Words of proposals and of rows with totals, which are not names. */
const NO_NAME =
  /\b(?:approv\w*|ratif\w*|elect\w*|proposals?|amend\w*|compens\w*|directors?|plans?|votes?|auditors?|totals?|percent\w*|company|class|frequency|stock\w*|merger|agreement|series|common|adjourn\w*|appoint\w*|independent|years?|shares?|advisory|executive|say|pay|resolution|board|public|accounting|firm|nominees?|for|against|abstain\w*|withh\w*|llp|pllc|llc|inc|corp|ltd|change|split|reverse|holders?|sale|charter|by-?laws?|dissolution|liquidation|conversion|incorporation|reincorporation|domestication|redomestication|extension|increase|authori[sz]\w*|incentive|issuance|transaction|reorgani[sz]ation|business|matters)\b/i

/** Words for what holders are asked to decide. The name of a class of shares or of its holders does not count. */
const REQUEST =
  /\b(?:approv\w*|ratif\w*|(?:re-?)?elect(?:ion|ed)?|proposals?|amend\w*|adopt\w*|adjourn\w*|appoint\w*|advisory|frequency|say|compensation|merger|resolution|authori[sz](?:e|ation)|issu(?:e|ance)|change|split|sale|increase|decrease|dissolution|liquidation|conversion|reincorporation|redomestication|extension|reorgani[sz]ation|disclos(?:e|ure)|polic(?:y|ies)|proxy access|written consent|special meetings?|independent (?:board )?chair\w*|lobbying|by-?laws|charter|certificate|articles)\b|\bplan$|^(?:to )?(?:set|permit|allow|require|report|reduce|eliminate|provide|establish|declassify|remove|limit|separate|request|publish|prepare|create|enable|give|prohibit|repeal|implement|conduct|consider|transact)\s\S{1,40}\s\S/i

/** Tests whether the words name a proposal, and not a person or a class of holders. */
export const isRequest = (words: string): boolean => REQUEST.test(words)

/**
 * Beginnings of words that occur in proposals on different subjects. Such words do not show that two proposals have the
 * same subject.
 */
const SHARED =
  /^(?:appro|adopt|stock|share|holde|propo|votes?|votin|voted|compa|meeti|annua|speci|follo|with|this|that|were|been|have|from|their|such|each|board|resul|total|count|common|commo|below|matte|item|numbe|which|there|under|certa|agree|inclu|regar|respe|cast|forth|table)$/

const PAY = /\bpay\b/g
const ACCOUNTANTS = /\baccount(?:ants?|ing firm)\b/g

const stems = (words: string): Set<string> =>
  new Set(
    [
      ...words
        .toLowerCase()
        .replace(PAY, 'compensation')
        .replace(ACCOUNTANTS, 'auditors')
        .matchAll(/\p{L}{4,}/gu),
    ]
      .map(([word]) => word.slice(0, 5))
      .filter((stem) => !SHARED.test(stem)),
  )

/** Tests whether the words name another proposal: they have no word of their subject in common with the title. */
export function isAnother(words: string, title: string): boolean {
  if (!REQUEST.test(words) || (isElection(words) && isElection(title))) return false
  const own = stems(title)
  const said = stems(words)
  return said.size > 0 && ![...said].some((stem) => own.has(stem))
}

/** Signs that a row concerns a person, from the row and its heads. */
export interface Sign {
  /** Whether heads mention persons, or votes were withheld. */
  isNamed: boolean
  /** Whether the head is "Nominee", or the votes are of a kind that only persons get. */
  isCertain: boolean
}

/**
 * Tests whether a row or sentence may concern a person. Below a proposal that is not an election, no row or sentence
 * concerns a person.
 */
export const isOfPersons = (
  { proposal, isElection: isOfElection }: { proposal: Proposal | null; isElection: boolean },
  { isNamed, isCertain }: Sign,
): boolean =>
  isOfElection ||
  (proposal?.title
    ? isNamed && /\b(?:re-?)?elect|^(?:the )?(?:directors?|trustees?|nominees?)\b/i.test(proposal.title)
    : isCertain)

/**
 * Matches the number of a row before a name: "1a.", "1(a)", "1.01", "(b)", "(ii)", "A)". A capital with a full stop
 * does not match, since it is an initial.
 */
const OF_ROW =
  /^(?:\(?\d{1,2}[.)]|\d{1,2}\.\d{1,2}[.)]?|\(?\d{1,2}[-.]?\s?\(?[A-Za-z]\)?[.):]?(?:\s?[-–—])?(?=\s)|\(?(?:[a-z]|[ivx]{1,4})[.)]|\(?[A-Z]\)|[-•·])\s+/

/**
 * Returns the name of a person, without the number of its row and without footnote marks. Returns null if the words are
 * not certainly a name.
 */
export function nomineeIn(words: string): string | null {
  const name = words
    .replace(OF_ROW, '')
    .replace(/(?:\s?\(\d\)|\s?\*{1,3}|,)$/, '')
    .trim()
  return NAME.test(name) && !NO_NAME.test(name) ? name : null
}
