/** Finds advisers that a prospectus names in words that can mean nothing else. */
import type { ROLES } from './tables-words.ts'

export interface Adviser {
  role: (typeof ROLES)[number]
  name: string
  start: number
  end: number
}

/** Pattern of a firm's name before its legal form. Names without a legal form count only after a label (`TRADE`). */
const NAME = "(?:(?:[A-Z0-9][\\w.&’'-]{0,30},?|&|and|of)\\s){1,8}"
const FORM =
  '(?:LLC|L\\.L\\.C\\.|Inc\\.?|Incorporated|L\\.P\\.|LP|LLP|Ltd\\.?|Limited|Company|Corporation|Corp\\.|N\\.A\\.)'
const FIRM = `(${NAME}${FORM})(?![\\w’'])`
/**
 * Pattern of a firm whose name ends with one of these words in place of a legal form. It is used only after a label:
 * "Investment Adviser. Sample Fund Advisors."
 */
const TRADE = `(${NAME}(?:Advisors|Advisers|Management|Associates|Partners))(?=[.*]*\\s*(?:$|[(“"\\n.]))`
const ROLE = '(?:[Ii]nvestment\\s{1,3})?([Ss]ub-?\\s?)?(?:[Aa]dvis[eo]r|[Mm]anager)\\b'
const OWN =
  "(?:(?:the|a|its|each|our)\\s{1,3})?(?:(?:Fund|Portfolio|Trust|fund|portfolio|Series)(?:[’']s|s[’'])\\s{1,3})?"
/** Matches the words between the name of a firm and its role: "(the “Adviser”), 1 Sample Street, Boston, MA 02110,". */
const APPOSITION = '(?:\\s{1,3}\\([^()]{0,120}\\))?(?:,\\s(?:[^.;:()\\n]|\\.(?=,)){0,120}?,)?,?\\s{1,3}'
const SERVES = new RegExp(
  `${FIRM}${APPOSITION}(?:serves|acts|is)\\s{1,3}(?:as\\s{1,3})?${OWN}${ROLE}(?!\\s{1,3}of\\s{1,3}the\\s{1,3}(?:Trust|Fund)[’']s\\s)`,
  'g',
)
/** Matches "The Fund’s investment adviser is Sample Advisers, LLC." */
const IS = new RegExp(`\\b(?:[Ff]und|[Pp]ortfolio|[Tt]rust)[’']s\\s{1,3}${ROLE}\\s{1,3}is\\s{1,3}${FIRM}`, 'g')
const LABEL = new RegExp(
  `^[#*\\s]{0,8}(?:Investment\\s)?(Sub-?\\s?)?[Aa]dvis[eo]rs?[.:*\\s—–-]{1,8}(?:${FIRM}|${TRADE})`,
  'gm',
)
/**
 * Matches words after the role of a firm that advises other funds and not this fund: "is a manager of hedge funds",
 * "serves as adviser to the Underlying Funds".
 */
const OF_OTHERS =
  /^\s{1,3}(?:to|of|for)\s{1,3}(?:(?:the|an?|certain|each|several|various|many|over|more\sthan|\d{1,4})\s{1,3}){0,3}(?:other|another|underlying|acquired|hedge|private|pension|institutional|separate|unaffiliated|affiliated)\b/i
const FOUND_MAX = 100
const ENDED = /^(?:[\s\S]*[a-z]{4}\.\s+)/
/**
 * Matches words at the beginning of a sentence that end with a comma: "Subject to the supervision of the Board of
 * Trustees, Sample Capital LLC serves …". Names of firms have commas too, but have none of these words before the
 * comma.
 */
const OPENING =
  /^[^.]*\b(?:Board|Trustees|Directors|Agreements?|Contracts?|Plan|Act|Funds?|Portfolios?|Trusts?|Series|Effective|Since|Until|January|February|March|April|May|June|July|August|September|October|November|December|(?:19|20)\d{2})(?:\s[\w’']{1,20}){0,4},\s+(?=[A-Z])(?!(?:LLC|L\.L\.C\.|Inc\.?|Incorporated|L\.?P\.?|LLP|Ltd\.?|Limited|N\.A\.)$)/
/**
 * Matches the word before the owner of the adviser, since the owner is not the adviser: "A subsidiary of Sample
 * Holdings, Inc., serves …".
 */
const OF_OWNER = /\b(?:of|by|with)\s+$/
/**
 * Length of the text to search. The rest is not needed, because the summary of a fund names its adviser, and comes
 * before the statement of additional information.
 */
const TEXT_MAX = 2_000_000

/**
 * Returns each firm once for each of its roles, with a position: the first at which the text names the firm in that
 * role.
 */
export function advisersOf(markdown: string): Adviser[] {
  const text = markdown.slice(0, TEXT_MAX)
  const found = new Map<string, Adviser>()
  const take = (stated: string, sub: string | undefined, at: number, end: number) => {
    const role = sub === undefined ? 'adviser' : 'subadviser'
    // "… of the Registrant. Sample Advisers LLC serves …": a name does not continue after the end of a sentence.
    const ended = ENDED.exec(stated)?.[0].length ?? 0
    const before = ended + (OPENING.exec(stated.slice(ended))?.[0].length ?? 0)
    const start = at + (before > 0 ? text.slice(at, end).indexOf(stated) + before : 0)
    const own = stated.slice(before).replace(/\s+/g, ' ').trim()
    if (/^(?:of|and|&)\s/.test(own) || OF_OWNER.test(text.slice(Math.max(0, start - 8), start))) return
    const key = `${role} ${own.toLowerCase().replace(/[.,]/g, '')}`
    if (!found.has(key) && found.size < FOUND_MAX && !/^(?:The|This|Each|Fund|Trust)\b/.test(own))
      found.set(key, { role, name: own, start, end })
  }
  for (const match of text.matchAll(LABEL))
    take((match[2] ?? match[3])!, match[1], match.index, match.index + match[0].length)
  for (const match of text.matchAll(IS)) take(match[2]!, match[1], match.index, match.index + match[0].length)
  for (const match of text.matchAll(SERVES)) {
    const end = match.index + match[0].length
    if (!OF_OTHERS.test(text.slice(end, end + 80))) take(match[1]!, match[2], match.index, end)
  }
  return [...found.values()]
}
