/**
 * Reads a ticker by its structure. JPM-PC (preferred series C of JPM), T-PC and TPC are three different tickers, while
 * JPM-PC, JPMpC, JPM.PR.C, JPM PRC and JPM^C are the same.
 */

type TickerKind = 'plain' | 'class' | 'preferred' | 'warrant' | 'unit' | 'right'

export interface Ticker {
  root: string
  kind: TickerKind
  /** Letter of the class or series; empty if there is none. */
  series: string
  /** The key, equal for every spelling of this ticker: JPM, BRK.B, JPM.PR.C. */
  key: string
}

/** A root has up to 10 characters. A longer text than TEXT_MAX is not examined. */
const ROOT = '([A-Z0-9]{1,10})'
const TEXT_MAX = 40

/** Separates a class from the root: BRK-B in the SEC's lists, BRK.B, BRK/B and BRK B elsewhere. */
const SEP = "[-./_' ]"

/**
 * An exchange or a label before a ticker: NASDAQ:TWK. The label of another kind of number is not treated as an
 * exchange.
 */
const BEFORE = /^(?!CIK|CUSIP|ISIN|LEI)[A-Z][A-Z ]{0,19}:/
/**
 * A suffix for the United States or one of its markets, as terminals write it: TWK US, TWK.US, TWK US EQUITY,
 * TWK:NASDAQ.
 */
const AFTER = /(?: U[SNWQRAPFV](?: EQUITY)?|[-./]US)$/
const MARKET = /:(?:US|NYSE|NASDAQ|AMEX|OTC)$/

/** How each kind of ticker is spelled after the root; the last group is the series. */
const KINDS: readonly (readonly [kind: TickerKind, pattern: RegExp])[] = [
  ['preferred', new RegExp(`^${ROOT}(?:${SEP}PR?${SEP}?|\\^)([A-Z]?)$`)],
  ['warrant', new RegExp(`^${ROOT}(?:${SEP}W[ST]${SEP}?|\\+)([A-Z]?)$`)],
  ['unit', new RegExp(`^${ROOT}(?:${SEP}UN?|=)()$`)],
  ['right', new RegExp(`^${ROOT}${SEP}R[IT]?()$`)],
  ['class', new RegExp(`^${ROOT}${SEP}(?:CL(?:ASS)?${SEP})?([A-Z])$`)],
  ['plain', new RegExp(`^${ROOT}()$`)],
]

const MARKS: Readonly<Record<TickerKind, string>> = {
  plain: '',
  class: '',
  preferred: '.PR',
  warrant: '.WS',
  unit: '.UN',
  right: '.RT',
}

function made(root: string, kind: TickerKind, series: string): Ticker {
  return { root, kind, series, key: `${root}${MARKS[kind]}${series === '' ? '' : `.${series}`}` }
}

/**
 * Returns the possible readings of a text as a ticker, the likeliest first. Returns none if the text cannot be a
 * ticker. TWK UN is TWK in New York, or the units of TWK. BRKB is the ticker BRKB, or class B of BRK. The letters of a
 * preferred series are never guessed: TPC is not T-PC.
 */
export function tickersOf(typed: string): Ticker[] {
  if (typed.length > TEXT_MAX) return []
  // The consolidated tape writes "JPMpC": only the case of the letters distinguishes it from JPMPC.
  const tape = /^\$?([A-Z]{1,6})p([A-Z]?)$/.exec(typed.trim())
  if (tape) return [made(tape[1]!, 'preferred', tape[2]!)]
  const text = typed
    .toUpperCase()
    .replace(/[‐-―−]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[ "'([]|[ "')\]]$/g, '')
    .trim()
  const bare = text.replace(MARKET, '').replace(BEFORE, '').trim().replace(/^\$ ?/, '')
  const readings = [bare.replace(AFTER, ''), bare].flatMap((each) => read(each))
  const [first] = readings
  const joined = /^([A-Z]{2,4})([AB])$/.exec(first?.kind === 'plain' ? first.root : '')
  if (joined) readings.push(made(joined[1]!, 'class', joined[2]!))
  return readings.filter(({ key }, at) => readings.findIndex((other) => other.key === key) === at)
}

function read(text: string): Ticker[] {
  for (const [kind, pattern] of KINDS) {
    const [, root, series] = pattern.exec(text) ?? []
    if (root !== undefined) return [made(root, kind, series ?? '')]
  }
  return []
}

/** Returns the key of a ticker as a filer states it; null if the text states no ticker. */
export const tickerKey = (stated: string): string | null => tickersOf(stated)[0]?.key ?? null

const SEPARATORS = ['-', '.', '/', ' ', '']
const CODES: Readonly<Record<TickerKind, readonly string[]>> = {
  plain: [],
  class: [''],
  preferred: ['P', 'PR', 'PR-', 'PR.', 'PR ', 'PR/'],
  warrant: ['WT', 'WS', 'WS.', 'WS-', 'WS/'],
  unit: ['UN', 'U'],
  right: ['RI', 'RT', 'R'],
}

/** Returns the spellings of a ticker in all sources, first the spelling of the SEC's lists. */
export function spellings({ root, kind, series }: Ticker): string[] {
  if (kind === 'plain') return [root]
  const apart = SEPARATORS.filter((each) => each !== '')
  return apart.flatMap((separator) => CODES[kind].map((code) => `${root}${separator}${code}${series}`))
}

/**
 * Returns the tickers that a filer states in one field: "BRK.A, BRK.B", "NYSE: JPM", "GOOG; GOOGL", "(Nasdaq: FOX and
 * FOXA)".
 */
export function statedTickers(stated: string): Ticker[] {
  const parts = stated
    .slice(0, 200)
    .replace(/^\s*[([]|[)\]]\s*$/g, '')
    .split(/[,;|]|\s(?:and|or|AND|OR|&|-|\/)\s/)
  const found = parts.flatMap((part) => tickersOf(part).slice(0, 1))
  return found.filter(({ key, root }, at) => /[A-Z]/.test(root) && found.findIndex((other) => other.key === key) === at)
}
