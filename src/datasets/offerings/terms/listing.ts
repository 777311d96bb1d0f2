/**
 * Finds the exchange and the symbols of present or future trading. Also finds three statements: that this is the
 * initial public offering, that the securities have no market, and that the company is a blank check company.
 */

const EXCHANGES: readonly (readonly [RegExp, string])[] = [
  [/\bNYSE\s+American\b|\bNYSE\s+MKT\b|\bAmerican\s+Stock\s+Exchange\b|\bNYSE\s+Amex\b/gi, 'NYSE American'],
  [/\bNYSE\s+Arca\b/gi, 'NYSE Arca'],
  [/\bNYSE\s+Texas\b|\bNYSE\s+Chicago\b/gi, 'NYSE Texas'],
  [/\bNew\s+York\s+Stock\s+Exchange\b|\bNYSE\b/gi, 'NYSE'],
  // Nasdaq exchanges of Stockholm and its neighbours are not in the United States.
  [
    /\bNasdaq\b(?!\s+(?:First|Stockholm|Copenhagen|Helsinki|Iceland|Nordic|Baltic|Dubai|Riga|Tallinn|Vilnius))/gi,
    'Nasdaq',
  ],
  [/\bCboe\b(?!\s+(?:Canada|Europe|Australia))/gi, 'CboeBZX'],
]
const ABROAD =
  /\b(?:Nasdaq\s+(?:First|Stockholm|Copenhagen|Helsinki|Iceland|Nordic|Baltic|Dubai)|Cboe\s+(?:Canada|Europe|Australia)|(?:Toronto|TSX|London|Australian|Hong\s+Kong|Tel\s+Aviv|Oslo|Swiss|Frankfurt|Tokyo|Korea|Singapore|Shanghai|Shenzhen|Bombay|Johannesburg|Taiwan|Canadian|Mexican|Brazilian|Euronext|Irish|Luxembourg|Bermuda|Warsaw|Indonesia)\b[\w\s]{0,30}?(?:Exchange|Market)?|(?:TSX|TSXV|AIM|ASX|SEHK|HKEX|KOSDAQ|KOSPI|B3|TASE|Euronext|Borsa|B[öo]rse|Bourse)\b|(?!York|American|Nasdaq|NASDAQ|Term|Texas|Chicago|National)[A-Z]\w{1,30}\s+(?:Stock|Securities)\s+Exchange)/g

const SYMBOLS = /\bsymbols?:?\s{1,9}((?:,?\s{0,3}(?:and\s{1,3})?[“"‘']\s?[A-Z][A-Z.\- ]{0,9}?[,.]?\s?[”"’'][,.]?)+)/g
const SYMBOL = /[“"‘']\s?([A-Z][A-Z.\- ]{0,9}?)[,.]?\s?[”"’']/g
const IS_LISTED =
  /\b(?:(?:is|are)\s+(?:currently\s+|presently\s+|also\s+|dually\s+)*|(?:has|have)\s+been\s+)(?:listed|traded|quoted)(?:\s+(?:and|for)\s+(?:traded|trading))?\s+(?:on|under)\b|(?<!\b(?:will|to|may|shall|would)\s+)\btrades?\s+(?:on|under)\b/i
/**
 * Matches words for another company: "Our parent’s stock is listed …", "…, whose shares are listed". The listing of
 * another company does not make the issuer a listed company.
 */
const OF_ANOTHER = /\b(?:parent|whose|sponsor|affiliate)\b(?:(?!\b(?:our|we)\b).){0,200}$/is
/**
 * Matches words of an intention. In "is quoted on the OTCQB, and we have applied to list it on Nasdaq", the second
 * market is only a future market.
 */
const INTENDED =
  /\b(?:appl(?:y|ied|ying|ication)|intend\w*|expect\w*|plan\w*|propos\w*|anticipat\w*|seek\w*|will|approved|to\s+(?:be\s+)?list(?:ed)?)\b/i
/** Maximum distance between a symbol and an exchange that follows it: "under the symbol “ABC” on the Nasdaq". */
const EXCHANGE_DISTANCE_MAX = 60
/** Matches the first word of a new sentence after “ABC.”. */
const BEGINS = /^\s+(?:We|Our|The|This|In|If|It|Prior|Upon|There|As|On|After|Before|No)\b/

export interface Listing {
  name: 'ticker' | 'exchange' | 'listed'
  value: string
  /** Position of the word "symbol" in the text. */
  at: number
}

/**
 * Assigns an exchange to each symbol: the exchange between the previous symbol and this symbol, or an exchange shortly
 * after this symbol. Omits symbols of foreign exchanges. If the words about a symbol name two exchanges, both are
 * omitted.
 *
 * @param startOf returns the start of an offset's sentence
 */
export function listingsOf(text: string, startOf: (at: number) => number): Listing[] {
  const found: Listing[] = []
  let after = 0
  for (const { index, 0: whole, 1: symbols } of text.matchAll(SYMBOLS)) {
    const from = Math.max(startOf(index), after)
    const sentence = text.slice(startOf(index), index)
    const own = text.slice(from, index)
    after = index + whole.length
    const named = exchangesOf(own)
    const rest = text.slice(after, after + EXCHANGE_DISTANCE_MAX)
    const following = whole.endsWith('.') || BEGINS.test(rest) ? '' : /^[^.;]*/.exec(rest)![0]
    const { names, isAbroad } = named.names.length > 0 || named.isAbroad ? named : exchangesOf(following)
    if (isAbroad) continue
    const listed = IS_LISTED.exec(own)
    if (listed && OF_ANOTHER.test(sentence.slice(0, sentence.length - own.length + listed.index))) continue
    const [exchange] = names
    // "NYSE American" does not also mean NYSE.
    const only = exchange && names.every((name) => name === exchange || exchange.startsWith(name)) ? exchange : null
    const take = (name: Listing['name'], value: string) => found.push({ name, value, at: index })
    for (const [, symbol] of symbols!.matchAll(SYMBOL)) take('ticker', symbol!.trim())
    if (only) take('exchange', only)
    if (only && listed && isOn(own.slice(listed.index + listed[0].length))) take('listed', only)
  }
  return found
}

/**
 * Tests whether the words after "is listed on" name an exchange of the United States before any words of an intention.
 */
function isOn(after: string): boolean {
  const places = EXCHANGES.map(([pattern]) => after.search(pattern)).filter((at) => at >= 0)
  return !INTENDED.test(after.slice(0, places.length > 0 ? Math.min(...places) : after.length))
}

/** Returns exchanges in a part of a sentence, and whether the last of them is foreign. */
function exchangesOf(text: string): { names: string[]; isAbroad: boolean } {
  const last = (pattern: RegExp) => [...text.matchAll(pattern)].at(-1)?.index ?? -1
  const places = EXCHANGES.map(([pattern, name]) => ({ name, at: last(pattern) })).filter(({ at }) => at >= 0)
  const abroad = last(ABROAD)
  return {
    names: places.map(({ name }) => name),
    isAbroad: abroad >= 0 && places.every(({ at }) => at < abroad),
  }
}

const IS_INITIAL =
  /\b(?:this\s+is|is)\s+(?:an?|our|the)\s+(?:(?:firm|commitment|firm-commitment|underwritten|proposed|best-efforts|self-underwritten|direct)\s+){0,3}initial\s+public\s+offering\b|\bin\s+this\s+initial\s+public\s+offering\b|\b(?:is|are)\s+(?:offering|selling)\b[^.]{0,200}?\bin\s+(?:our|its|this|an)\s+initial\s+public\s+offering\b|\brelates\s+to\s+(?:our|the|an)\s+initial\s+public\s+offering\b/i
/**
 * Matches statements that the issuer's equity has no market. Statements about warrants and notes do not count, since
 * listed companies make them too.
 */
const NO_MARKET =
  /\bno\s+(?:established\s+)?(?:public\s+)?(?:trading\s+)?market\s+(?:(?:currently\s+)?exists(?:\s+for)?|for)\s+(?:any\s+of\s+)?(?:(?:our|the|these|such|shares|its|this)\s*)?(?:class\s+[a-c]\s+)?(?:common|ordinary|shares?\b|stock|units?\b|securities|adss?\b|american|limited)(?!\s+(?:warrants?|purchase))/i
const NO_MARKET_YET =
  /\bno\s+(?:established\s+)?public\s+(?:trading\s+)?market\s+(?:currently\s+)?exists\b(?!\s+for)|\bnot\s+been\s+an?\s+(?:established\s+)?public\s+(?:trading\s+)?market\s+for\s+(?:our|the|these|its)\s+(?:class\s+[a-c]\s+)?(?:common|ordinary|shares?|stock|units?|adss?|american)/i

/** Returns the position of a statement that this is the initial public offering; -1 without such a statement. */
export const initialOf = (text: string): number => IS_INITIAL.exec(text)?.index ?? -1

/**
 * Returns the position of a statement that the offered securities have no public market; -1 without such a statement.
 */
export const noMarketOf = (text: string): number =>
  [NO_MARKET, NO_MARKET_YET].map((pattern) => pattern.exec(text)?.index ?? -1).find((at) => at >= 0) ?? -1

const SPAC = /\b(?:is|are)\s+an?\s+(?:[a-z-]+,?\s+){0,6}?blank\s+check\s+(?:company|corporation)\b/i

/** Returns the position of a statement that the company is a blank check company; -1 without such a statement. */
export const spacOf = (text: string): number => SPAC.exec(text)?.index ?? -1
