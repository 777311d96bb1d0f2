/**
 * Patterns for statements of revenue, net income and diluted earnings per share in releases; `headlines.ts` checks the
 * matches.
 */
import { CAPITAL_MONTH } from '../../../read/prose/dates.ts'
import type { FactName } from '../facts/fact.ts'

/**
 * Pattern of a word that can be part of the words for a period. "Europe" cannot be such a word, so a figure "in Europe
 * for the quarter" is rejected.
 */
export const PERIOD_WORD = `(?:the|its|our|this|that|these|fiscal|calendar|full|entire|current|most|recent|recently|completed|just|first|second|third|fourth|final|1st|2nd|3rd|4th|three|six|nine|twelve|thirteen|fourteen|twenty|thirty|fifty|one|two|month|months|week|weeks|quarter|year|period|half|ended|ending|end|to|date|and|of|on|${CAPITAL_MONTH}|Q[1-4]|FY|\\d{1,4})(?:-(?:month|week|quarter|year|half|six|nine|two|three|ended|end|to|date)){0,2}(?:[’']s?)?`
/** Matches "for the three months ended December 31, 2003," */
const OF_PERIOD = `(?:,?\\s(?:for|in|during)\\s(?:${PERIOD_WORD},?\\s){0,12}?${PERIOD_WORD},?)?`

const NUMBER = String.raw`(?:\d[\d,]*(?:\.\d+)?|\.\d+)`
const SCALE = String.raw`(?:\s?(?:billion|million|thousand|MM|M|B)\b)?`
/** Matches dollars; parentheses mean a loss: "$(1.5) million", "($1.5) million". */
const DOLLARS = String.raw`(?<![A-Za-z])(?:US)?(?:\(\$\s?${NUMBER}\)|\$\s?\(${NUMBER}\)|\$\s?${NUMBER})${SCALE}`
const RECORD = `(?:(?:an?|the) )?(?:all-time |quarterly )?(?:record |strong )?(?:high )?(?:of )?`
const AMOUNT = `${RECORD}(?<amount>${DOLLARS})`
const PER_SHARE_AMOUNT = String.raw`${RECORD}(?<amount>${DOLLARS}(?:\scents)?|(?<![\d.,$])${NUMBER}\s?(?:cents|¢))`

const MOVED = String.raw`(?:increas(?:ed|ing)|decreas(?:ed|ing)|rose|rising|grew|growing|declin(?:ed|ing)|fell|climbed|climbing|improv(?:ed|ing)|jumped|surged|dropped|advanced|narrowed|widened|up|down)\b`
/** Accepts "grew 46% over 2006 to"; rejects "grew 5% due to $3 million of". */
const MOVES = String.raw`${MOVED}(?:,?\s(?:by\s)?(?:[\d.]{1,6}(?:%| percent),? or )?(?:by )?${DOLLARS}(?:,? or [\d.]{1,6}(?:%| percent))?,?)?(?:(?!\b(?:due|compar\w+|attribut\w+|relat\w+|owing|thanks|contribut\w+|respons\w+|from|according|subject|which|and \$)\b)(?:[^.;$]|\.(?=\d))){0,90}?\sto`
/** Accepts "narrowed from $7.8 million in 2023 to"; the first amount is the one of the earlier period. */
const MOVES_FROM = String.raw`${MOVED}(?:\s[a-z]{2,20}ly)?\sfrom\s(?:${DOLLARS}|(?<![\d.,$])${NUMBER}\s?(?:cents|¢))${OF_PERIOD}\sto`
const REACHES = String.raw`(?:was|were|of|at|total(?:ed|led|ing|ling)|reach(?:ed|es|ing)|(?:came|comes|coming) in at|amount(?:ed|ing) to|(?:(?:was|were)\s)?(?:${MOVES}|${MOVES_FROM})|to)`

/**
 * Words that may precede a figure of the whole company, but not a figure of a segment. A full stop does not count,
 * because it may belong to an abbreviation: "U.S. sales".
 */
const WHOLE = String.raw`(?:^|[,;•]\s|\b(?:total|net|quarterly|record|consolidated|reported|reports?|posted|posts|announced|announces|with|and|on|GAAP|our|its|company|company[’']s|overall|annual|generated|delivered|delivers|achieved|achieves|quarter|year|months|half|(?:19|20)\d\d|Q[1-4])\s)`
const REVENUE = '(?:(?:net |operating )?revenues?|net sales|sales)'
const NET_INCOME = String.raw`\bnet (?:income|earnings|profits?)(?: \(loss\))?`
const OWN = `(?: attributable to (?!(?:the )?(?:non-?controlling|minority))[^.,;$]{0,60}?)?`
const TO_COMMON = String.raw`(?: \(?loss\)?)? (?:available|applicable) to (?:[\w’'.&]{1,20} ){0,4}?(?:common )?(?:share|stock)holders`

const EARNINGS = '(?:earnings|income|EPS|profits?|loss)(?: \\(loss\\))?'
const A_SHARE = '(?:per|a) (?:common )?share'
const DILUTED = '(?:basic and )?(?:fully )?diluted'
/** Matches the beginning of a line without a verb in a list: "Diluted EPS: $0.71". */
const LINE = String.raw`^(?:(?:total|record|quarterly|reported|GAAP|consolidated|net|Q[1-4]|(?:first|second|third|fourth)[- ]quarter|(?:19|20)\d\d)\s){0,4}?`
const NO_VERB = String.raw`(?:\s\((?:GAAP|EPS|diluted)\))?(?::|\s[–—-])?\s`
const SAID_SO = String.raw`(?:\s[("“”]{1,2}EPS[)"“”]{1,2})?`

/** A pattern of a figure, with rules for checking a match. */
export interface Pattern {
  name: FactName
  pattern: RegExp
  /** Set if the amount precedes the words that name the figure; the words before the amount may then name a charge. */
  isBefore?: true
  /** Set for net income after preferred dividends, which counts only if no other pattern for net income matches. */
  isLast?: true
}

const made = (name: FactName, source: string, rest: Omit<Pattern, 'name' | 'pattern'> = {}): Pattern => ({
  name,
  pattern: new RegExp(source, 'gi'),
  ...rest,
})

export const PATTERNS: readonly Pattern[] = [
  made('revenue', `${WHOLE}${REVENUE}${OF_PERIOD}\\s${REACHES}\\s${AMOUNT}`),
  made(
    'revenue',
    `(?:^|\\b(?:on|reports?|reported|posted)\\s(?:record\\s)?)${AMOUNT}\\s(?:of|in)\\s(?:total |net |record )*(?:revenues?|net sales)\\b`,
  ),
  made('revenue', `${LINE}${REVENUE}${NO_VERB}${AMOUNT}`),
  made('net_income', `${NET_INCOME}${OWN}${OF_PERIOD}\\s${REACHES}\\s${AMOUNT}`),
  made('net_income', `\\bnet loss(?:es)?(?: and (?:net )?loss per share)?${OWN}${OF_PERIOD}\\s${REACHES}\\s${AMOUNT}`),
  made(
    'net_income',
    `${NET_INCOME} and ${DILUTED} ${EARNINGS}(?: ${A_SHARE})?${OF_PERIOD}\\s(?:was|were|of)\\s${AMOUNT}(?=,? and \\$)`,
  ),
  made('net_income', `${LINE}net (?:income|earnings|profit|loss)${NO_VERB}${AMOUNT}`),
  // Utilities write "reported earnings of" for net income. Without a per-share figure after the phrase, the amount may
  // be another figure.
  made(
    'net_income',
    `\\b(?:reported|reports|posted)\\s(?:${PERIOD_WORD}\\s){0,4}?earnings of ${AMOUNT}(?=,? or \\$?[\\d.]{1,6} (?:cents )?(?:per|a) (?:diluted )?(?:common )?share)`,
  ),
  made(
    'net_income',
    `\\bearned ${AMOUNT}(?=,? or \\$?[\\d.]{1,6} (?:cents )?(?:per|a) (?:diluted )?(?:common )?share)`,
  ),
  made('net_income', `\\blost ${AMOUNT}(?=,? or \\$?[\\d.]{1,6} (?:cents )?(?:per|a) (?:diluted )?(?:common )?share)`),
  made('net_income', `\\bnet (?:income|earnings|loss)${TO_COMMON}${OF_PERIOD}\\s${REACHES}\\s${AMOUNT}`, {
    isLast: true,
  }),
  made(
    'eps_diluted',
    `${NET_INCOME} and ${DILUTED} ${EARNINGS}(?: ${A_SHARE})?${OF_PERIOD}\\s(?:was|were|of)\\s${DOLLARS},? and ${PER_SHARE_AMOUNT}(?=,? respectively)`,
  ),
  made(
    'eps_diluted',
    `\\b${EARNINGS}(?: ${A_SHARE})?,? ?(?:(?:per|a) ${DILUTED} (?:common )?share|[(–—-]?\\s?${DILUTED}\\)?,?)${SAID_SO}${OF_PERIOD}\\s${REACHES}\\s${PER_SHARE_AMOUNT}`,
  ),
  made(
    'eps_diluted',
    `\\b${DILUTED} (?:net )?${EARNINGS}(?: ${A_SHARE})?${SAID_SO}${OF_PERIOD}\\s${REACHES}\\s${PER_SHARE_AMOUNT}`,
  ),
  made(
    'eps_diluted',
    `\\b${EARNINGS} ${A_SHARE}${OF_PERIOD}\\s(?:was|were|of)\\s${PER_SHARE_AMOUNT} on a ${DILUTED} basis`,
  ),
  made('eps_diluted', `\\b${EARNINGS} per share on a ${DILUTED} basis${OF_PERIOD}\\s(?:was|of)\\s${PER_SHARE_AMOUNT}`),
  made(
    'eps_diluted',
    `${LINE}(?:${DILUTED} (?:net )?${EARNINGS}(?: ${A_SHARE})?|${EARNINGS}(?: ${A_SHARE})? per ${DILUTED} share)${NO_VERB}${PER_SHARE_AMOUNT}`,
  ),
  made(
    'eps_diluted',
    `${PER_SHARE_AMOUNT} (?:(?:per|a) ${DILUTED} (?:common )?share|${A_SHARE}(?:,| [–—-])? \\(?${DILUTED}\\)?|${A_SHARE} on a ${DILUTED} basis|${DILUTED} EPS|${DILUTED} (?:earnings|income) ${A_SHARE})`,
    { isBefore: true },
  ),
]

/** Words after an amount that belongs only to a part of the company: "from the Defense segment", "in Europe". */
export const PART_AFTER = new RegExp(
  `^,?\\s(?:from|in|for|by|under|related to|attributable to|associated with)\\s(?:the\\s|its\\s|our\\s|a\\s)?(?!\\(?(?:US)?\\$|${PERIOD_WORD}\\b|last|prior|previous|year|same|comparable|corresponding|approximately|about|continuing|operations|all|each|line|cash|constant|addition|accordance|spite|excess|part|comparison|an?\\b|[a-z-]{1,20}-quarter)[A-Za-z]`,
  'i',
)
