/** Reads sentences that state all votes on one proposal, or for one nominee. */
import type { Sentence } from '../../../read/prose/sentences.ts'
import { type Counts, countIn, countName } from './counts.ts'
import { isOfPersons, nomineeIn } from './proposal.ts'
import { isWhole } from './table.ts'
import type { Above, Vote } from './vote.ts'

/** The choices in a vote on how often holders vote on pay: "1 year", "for two years", "every year". */
const YEARS = '(?:for\\s)?(?:every\\s)?(?:one|two|three|[123])\\syears?|(?:for\\s)?every\\s(?:other\\s)?year'
const KIND = `(${YEARS}|in\\sfavou?r|for|against|withheld|withhold|abstain(?:ed|ing)?|abstentions?|broker\\s?non-?\\s?votes?)(?![\\p{L}-])`
/** Matches a number without the comma at its end, which separates the number from the next words. */
const NUMBER = '(\\d(?:[\\d,]{0,17}\\d)?)'
/** Matches "1,234,567 shares in favor", "1,234,567 votes were cast against" */
const NUMBER_FIRST = new RegExp(
  `(?<![\\d.,$])${NUMBER}\\s(?:(?:shares?|votes?|of|common|stock|were|was|being|voted|voting|cast|represented)\\s){0,6}${KIND}`,
  'giu',
)
/**
 * Matches a number after the last kind of vote, which shows that all numbers follow their kinds: "for 1,234,567,
 * against 12".
 */
const NUMBER_AFTER = /^[\s,:(=–—-]{0,4}(?:(?:a|total|of|by|with|shares?|votes?|were)\s){0,4}\d/i
/** Words before a number that is not a count: "on Proposal 2 for". */
const OF_NAME = /\b(?:proposals?|items?|matters?|resolutions?|nos?\.?|numbers?)\s$/i
/** Matches "10 votes for each share", "in 2026 for the fiscal year" */
const FOR_EACH = /^for\s(?:each|every|an?|one|all|fiscal|the\s(?:fiscal\s)?year|the\s(?:terms?|period))\b/i
/** Words before a number of votes that a proposal requires. */
const NEEDED_BEFORE = /\b(?:requir\w*|needed|needs|necessary|minimum|at least|quorum)\b[^.;,]{0,40}$/i
const NEEDED_AFTER = /^[^.;,(]{0,40}\b(?:required|needed|necessary)\b/i
const NEAR = 60
const OTHER_MEETING = /\b(?:last year|(?:prior|previous|preceding|earlier) (?:year|annual|special|meeting))/i
/**
 * Words which show that counts are not the votes cast: they count proxies received before the vote, or the vote did not
 * take place.
 */
const NOT_CAST =
  /\bproxies (?:had been|have been|were) received\b|\b(?:not|never) (?:put|submitted|brought) to (?:a|the) vote\b/i
/** Words before the counts of one class of shares. Such counts are only a part of the vote. */
const OF_CLASS = /\b(?:Class|Series)\s[A-Z\d]\b[^.;]{0,60}$/
/**
 * Matches "For: 1,234,567", "Against – 12", "Abstain 1,234;". Does not match "Abstain 1,234, for", since the number may
 * belong to either word.
 */
const KIND_FIRST = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:votes|shares)\\s(?:cast\\s)?)?${KIND}(?:\\s?[:=–—-]\\s?|\\s(?=\\d{1,3}(?:,\\d{3})+\\s?(?:[;.(]|$)))${NUMBER}(?!,?\\d|\\.\\d|\\s?%)`,
  'giu',
)
/** Matches every kind of vote, and every number with a comma. */
const ANY = new RegExp(`(?<![\\p{L}\\d-])${KIND}|(?<![\\d.,$])(\\d{1,3}(?:,\\d{3})+)`, 'giu')
const OF_MEETING = /\b(?:quorum|outstanding|represent\w*|entitled)\b/i

/**
 * @returns the vote; `uncertain` if the sentence has counts of several votes or of an unknown vote; null without counts
 */
export function voteInSentence(sentence: Sentence, above: Above): Vote | 'uncertain' | null {
  const text = sentence.text.replace(/["“”‘’]/g, ' ').replace(/\s/g, ' ')
  const plain = text.replace(/ {2,}/g, ' ')
  const numberFirst = [...plain.matchAll(NUMBER_FIRST)].map(({ 0: said, 1: number, 2: kind, index }) => ({
    ...{ number, kind, index },
    kindAt: index + said.length - kind!.length,
    end: index + said.length,
  }))
  const kindFirst = [...plain.matchAll(KIND_FIRST)].map(({ 0: said, 1: kind, 2: number, index }) => ({
    ...{ number, kind, index },
    kindAt: index,
    end: index + said.length,
  }))
  const found = [numberFirst, kindFirst].find((each) => each.length > 1)
  if (found === numberFirst && NUMBER_AFTER.test(plain.slice(found.at(-1)!.end, found.at(-1)!.end + NEAR)))
    return 'uncertain'
  if (!found) return isUnread(plain) ? 'uncertain' : null
  if (isOfOtherVote(plain, found[0]!.index) || found.some((one) => isOfOther(plain, one))) return 'uncertain'
  const counts: Counts = {}
  for (const { number, kind } of found) {
    const name = countName(kind!.replace(/^for (?=\S)/i, ''))
    const value = countIn(number!)
    if (name === null || value === null || name in counts) return 'uncertain'
    counts[name] = value
  }
  if (!isWhole(counts)) return isUnread(plain) ? 'uncertain' : null
  const span = { start: sentence.start, end: sentence.end }
  const lead = plain
    .slice(0, found[0]!.index)
    .replace(/[\s:–—,-]{1,6}$/, '')
    .trim()
  const isNamed = 'votes_withheld' in counts
  const isCertain = isNamed && !('votes_against' in counts)
  const nominee = isOfPersons(above, { isNamed, isCertain }) ? nomineeIn(lead) : null
  if (nominee === null && (above.proposal === null || above.isElection)) return 'uncertain'
  return { number: null, title: null, ...above.proposal, nominee, counts, ...span }
}

/** Tests whether counts are those of another meeting, of proxies before the vote, or of one class of shares. */
const isOfOtherVote = (plain: string, at: number): boolean =>
  OTHER_MEETING.test(plain) || NOT_CAST.test(plain) || OF_CLASS.test(plain.slice(0, at))

interface CountMention {
  number: string | undefined
  kind: string | undefined
  index: number
  kindAt: number
  end: number
}

/** Tests whether a number is not a count: the number of a proposal, a year, votes per share, or required votes. */
function isOfOther(plain: string, { number, kind, index, kindAt, end }: CountMention): boolean {
  const before = plain.slice(Math.max(0, index - NEAR), index)
  return (
    (kindAt > index && /^(?:19|20)\d\d$/.test(number!)) ||
    OF_NAME.test(before) ||
    (/^for$/i.test(kind!) && FOR_EACH.test(plain.slice(kindAt, kindAt + NEAR))) ||
    NEEDED_BEFORE.test(before) ||
    NEEDED_AFTER.test(plain.slice(end, end + NEAR))
  )
}

/** Tests whether a sentence has counts of several kinds of votes in an unknown form. */
function isUnread(plain: string): boolean {
  const found = [...plain.matchAll(ANY)].map(({ 1: kind, 2: number }) => ({
    kind: kind === undefined ? null : countName(kind),
    number,
  }))
  const kinds = new Set(found.flatMap(({ kind }) => kind ?? []))
  if (kinds.size < 2 || found.filter(({ number }) => number !== undefined).length < 2) return false
  const next = found.flatMap(({ kind }, i) =>
    kind !== null && (found[i - 1]?.number !== undefined || found[i + 1]?.number !== undefined) ? [kind] : [],
  )
  return new Set(next).size > 1 || !OF_MEETING.test(plain)
}
