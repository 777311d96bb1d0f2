/**
 * Reads the class of a company's securities from a line's name or title: "Series C Preferred Stock", "CL A COM", "SER I
 * CVT PFD STOCK PP". Removes from the end only words that certainly do not belong to the company's name.
 */

/** A letter or number of a class, as in Series C-1, Class AA, F1, Tranche 2. A Roman numeral counts as letters. */
const MARK = String.raw`(?:\d{1,2}(?:[.-]?[a-z])?|[a-z]{1,2}(?:[-.]?\d{1,2})?(?:-?[a-z])?|i{1,3}|iv|vi{0,3})`
const KIND = '(?:preferred|preference|pref|pfd|prefd|common|cmn|com|ordinary|ord)'
const DAY = String.raw`(?:\d{1,2}[/-]\d{1,2}[/-]\d{2,4}|\d{4}-\d{2}-\d{2})`

/** Phrases at the end of a name that state the class, the way of sale, or terms. */
const PHRASES = [
  String.raw`(?:series|ser\.?|class|cl\.?|tranche)\s+${MARK}(?![a-z0-9])`,
  // "Monzo Bank Holding Group Limited F Ordinary Shares": the letter is matched only after a legal form, since in "Fund
  // II Preferred" the II belongs to the name.
  String.raw`(?<=\b(?:inc|corp|corporation|llc|ltd|limited|plc|sa|ag|bv|nv|pbc)[.,]{0,3}\s{1,9})${MARK}\s+${KIND}`,
  KIND,
  'profit participation units?',
  'profits? interests?',
  '(?:llc |membership |member |limited partner(?:ship)? |lp |partnership )?(?:units?|interests?)',
  '(?:capital )?(?:stocks?|stk|shares?|shs)',
  'stock eq',
  '(?:convertible|conv|cvt|cv|redeemable|participating|cumulative|non[- ]?cumulative|voting|non[- ]?voting|junior|senior|seed|restricted)',
  '(?:warrants?|wts?|wrts?|rights|options?)',
  '(?:promissory |bridge |secured |unsecured |subordinated )?notes?',
  '(?:term loan|tl|simple agreement for future equity|safe notes?)',
  '(?:pp|private placement|physical|not listed or trading)',
  // "and" stands between two classes. When it is at the end of the text, the later class was removed already.
  'and',
  String.raw`\d{1,3}(?:\.\d+)?%`,
  String.raw`\d+:\d+`,
  String.raw`@?\s?(?:usd|eur|gbp)\s?\d+(?:\.\d+)?`,
  `(?:due |expir(?:es|ing) |exp )?${DAY}`,
]
const TAIL = new RegExp(String.raw`(^|[\s,;:&.(–—-])\(?(?:${PHRASES.join('|')})[\s.,;:&)–—-]*$`, 'giu')
const END = /[\s,;:&(–—-]/
/**
 * Maximum length of a phrase with its context; without this limit, searching for each phrase from the start of the name
 * would take quadratic time.
 */
const PHRASE_MAX = 400

/** @returns the name without the class, and the class; the name is empty if the text is only a class */
export function splitClass(text: string): { name: string; tail: string } {
  let name = text.trim()
  for (;;) {
    TAIL.lastIndex = Math.max(0, name.length - PHRASE_MAX)
    const found = TAIL.exec(name)
    if (!found) break
    let end = found.index + (found[1] === '.' ? 1 : 0)
    while (end > 0 && END.test(name[end - 1]!)) end--
    name = name.slice(0, end)
    if (name === '') break
  }
  return {
    name,
    tail: text
      .trim()
      .slice(name.length)
      .replace(/^[\s,;:–—-]+/u, ''),
  }
}

type Kind = 'common' | 'preferred' | 'warrant' | 'debt' | 'units'

const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['warrant', /\b(?:warrants?|wts?|wrts?)\b/],
  ['debt', /\b(?:notes?|loan|tl|future equity)\b/],
  ['preferred', /\b(?:preferred|preference|pref|pfd|prefd)\b/],
  ['common', /\b(?:common|cmn|com|ordinary|ord)\b/],
  ['units', /\b(?:units?|interests?)\b/],
]

/** Kinds of class by asset category (item C.4.a), for texts that state no kind. */
const ASSETS: Readonly<Record<string, Kind>> = { EC: 'common', EP: 'preferred', DBT: 'debt', LON: 'debt' }

/**
 * Returns the class in one spelling: "series c-1 preferred", "class a common", "common"; " + " joins several classes.
 * The class comes from the text, else from the asset category; null if neither states a class.
 *
 * @param tail the text after the company's name
 * @param assetCat asset category of the line, item C.4.a
 */
export function classOf(tail: string, assetCat: string | null): string | null {
  const parts = tail
    .toLowerCase()
    .split(/\band\b|[;&+]|\d{1,3}(?:\.\d+)?%/u)
    .map((part) => labelOf(part))
    .filter((label) => label !== null)
  const stated = [...new Set(parts.map((label) => withKind(label, parts.length === 1 ? assetCat : null)))].sort()
  return stated.length > 0 ? stated.join(' + ') : (ASSETS[assetCat ?? ''] ?? null)
}

interface Label {
  mark: string | null
  kind: Kind | null
}

function labelOf(part: string): Label | null {
  const lettered = new RegExp(String.raw`\b(series|ser|class|cl|tranche)\.?\s+(${MARK})(?![a-z0-9])`).exec(part)
  const bare = new RegExp(String.raw`^[\s,(-]*(${MARK})\s+${KIND}\b`).exec(part)
  const word = lettered && { ser: 'series', cl: 'class' }[lettered[1]!]
  const mark = lettered ? `${word ?? lettered[1]} ${lettered[2]}` : bare ? `class ${bare[1]}` : null
  const kind = KINDS.find(([, pattern]) => pattern.test(part))?.[0] ?? null
  return mark === null && kind === null ? null : { mark, kind }
}

function withKind({ mark, kind }: Label, assetCat: string | null): string {
  const kindName = kind ?? ASSETS[assetCat ?? ''] ?? null
  return [mark, kindName].filter((part) => part !== null).join(' ')
}
