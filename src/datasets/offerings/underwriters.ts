/**
 * Underwriters at the foot of a cover. Their names stand side by side as they were set, with nothing between them
 * (“J.P. Morgan Leerink Partners Piper Sandler William Blair”), so a line is only read where every word of it belongs to a
 * name that is known, or where a label says that one firm alone follows.
 */
import type { Line } from './cover.ts'

/** As they sign covers; compared without case, commas, full stops and legal forms. */
const KNOWN = [
  ...['Goldman, Sachs & Co.', 'Goldman Sachs', 'Morgan Stanley', 'Morgan Stanley & Co.', 'J.P. Morgan', 'JPMorgan'],
  ...['BofA Securities', 'BofA Merrill Lynch', 'Merrill Lynch & Co.', 'Merrill Lynch', 'Banc of America Securities'],
  ...['Citigroup', 'Citi', 'Salomon Smith Barney', 'Salomon Brothers', 'Smith Barney', 'Credit Suisse'],
  ...['Credit Suisse First Boston', 'CS First Boston', 'Deutsche Bank Securities', 'Deutsche Banc Alex. Brown'],
  ...['BT Alex. Brown', 'Alex. Brown & Sons', 'UBS Investment Bank', 'UBS Warburg', 'UBS', 'Barclays'],
  ...['Barclays Capital', 'Lehman Brothers', 'Bear, Stearns & Co.', 'Wells Fargo Securities', 'Wachovia Securities'],
  ...[
    'RBC Capital Markets',
    'BMO Capital Markets',
    'TD Securities',
    'TD Cowen',
    'Cowen',
    'Cowen and Company',
    'SG Cowen',
  ],
  ...[
    'Jefferies',
    'Jefferies & Company',
    'Evercore',
    'Evercore ISI',
    'Lazard',
    'Lazard Freres & Co.',
    'Moelis & Company',
  ],
  ...['Guggenheim Securities', 'Stifel', 'Stifel Nicolaus', 'Stifel Nicolaus Weisel', 'Raymond James', 'William Blair'],
  ...['William Blair & Company', 'Piper Sandler', 'Piper Sandler & Co.', 'Piper Jaffray', 'U.S. Bancorp Piper Jaffray'],
  ...[
    'Robert W. Baird & Co.',
    'Baird',
    'Oppenheimer & Co.',
    'Needham & Company',
    'Canaccord Genuity',
    'JMP Securities',
  ],
  ...[
    'Citizens JMP',
    'Citizens Capital Markets',
    'KeyBanc Capital Markets',
    'Truist Securities',
    'SunTrust Robinson Humphrey',
  ],
  ...['SVB Leerink', 'SVB Securities', 'Leerink Partners', 'Leerink Swann', 'LifeSci Capital', 'Wedbush PacGrow'],
  ...[
    'Wedbush Securities',
    'H.C. Wainwright & Co.',
    'Cantor',
    'Cantor Fitzgerald & Co.',
    'BTIG',
    'B. Riley Securities',
  ],
  ...['Ladenburg Thalmann', 'Ladenburg Thalmann & Co.', 'Roth Capital Partners', 'Roth Capital', 'Craig-Hallum'],
  ...['Craig-Hallum Capital Group', 'Northland Capital Markets', 'Lake Street', 'Lake Street Capital Markets'],
  ...['Maxim Group', 'EF Hutton', 'Kingswood', 'ThinkEquity', 'Boustead Securities', 'EarlyBirdCapital', 'Chardan'],
  ...['Aegis Capital Corp.', 'Alexander Capital', 'A.G.P.', 'Alliance Global Partners', 'Loop Capital Markets'],
  ...[
    'Academy Securities',
    'Siebert Williams Shank',
    'Ramirez & Co.',
    'Samuel A. Ramirez & Company',
    'Drexel Hamilton',
  ],
  ...[
    'Blaylock Van',
    'Cabrera Capital Markets',
    'R. Seelaus & Co.',
    'CastleOak Securities',
    'Tigress Financial Partners',
  ],
  ...['Penserra Securities', 'Telsey Advisory Group', 'Mizuho', 'Mizuho Securities', 'MUFG', 'SMBC Nikko', 'Nomura'],
  ...['HSBC', 'BNP PARIBAS', 'Societe Generale', 'Santander', 'BBVA', 'Scotiabank', 'CIBC Capital Markets', 'ING'],
  ...['Credit Agricole CIB', 'Macquarie Capital', 'China International Capital Corporation', 'CICC', 'Tiger Brokers'],
  ...[
    'Futu',
    'KKR',
    'KKR Capital Markets',
    'Allen & Company',
    'Perella Weinberg Partners',
    'PJT Partners',
    'Keefe, Bruyette & Woods',
  ],
  ...[
    'Keefe, Bruyette & Woods A Stifel Company',
    'Sandler O’Neill + Partners',
    'FBR Capital Markets',
    'FBR',
    'Janney Montgomery Scott',
  ],
  ...[
    'D.A. Davidson & Co.',
    'Stephens Inc.',
    'Hovde Group',
    'Compass Point',
    'Fifth Third Securities',
    'PNC Capital Markets',
  ],
  ...['Huntington Capital Markets', 'Capital One Securities', 'Regions Securities', 'Tudor, Pickering, Holt & Co.'],
  ...['Simmons & Company International', 'Johnson Rice & Company', 'Pareto Securities', 'Clarksons Platou Securities'],
  ...[
    'Thomas Weisel Partners',
    'Pacific Crest Securities',
    'ThinkPanmure',
    'Merriman Curhan Ford & Co.',
    'Hambrecht & Quist',
  ],
  ...[
    'Chase H&Q',
    'Robertson Stephens',
    'Robertson, Stephens & Company',
    'FleetBoston Robertson Stephens',
    'Montgomery Securities',
  ],
  ...[
    'NationsBanc Montgomery Securities',
    'Donaldson, Lufkin & Jenrette',
    'PaineWebber',
    'Prudential Securities',
    'Dean Witter Reynolds',
  ],
  ...[
    'Dain Rauscher Wessels',
    'Wit Capital',
    'WR Hambrecht + Co',
    'E*Trade Securities',
    'SoFi',
    'SoFi Securities',
    'Robinhood',
  ],
]

const KEYS = new Map(KNOWN.map((name) => [keyOf(name).join(' '), name]))
const WORDS_MAX = Math.max(...[...KEYS.keys()].map((key) => key.split(' ').length))

function keyOf(name: string): string[] {
  const folded = name
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[.,®*]/g, '')
  return folded.split(/\s+/).filter((word) => word !== '' && !/^(?:llc|inc|incorporated|lp|ltd|corp|plc)$/.test(word))
}

/**
 * The names that a line consists of, as they stand in it; null where a word belongs to none that is known. Where names can
 * be told apart in two ways the longer ones count.
 */
export function knownNames(line: string): string[] | null {
  const words = [...line.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ key: keyOf(word).join(' '), index, end: index + word.length })) // biome-ignore format: one line
  if (words.length === 0 || words.length > NAMES_LINE_MAX) return null
  const ways: (string[] | null)[] = [[]]
  for (let to = 1; to <= words.length; to++) {
    ways[to] = null
    for (let from = Math.max(0, to - WORDS_MAX - 2); from < to; from++) {
      const before = ways[from]
      if (!before) continue
      const some = words.slice(from, to)
      const isForm = before.length > 0 && some.every(({ key }) => key === '')
      // "Goldman Sachs & Co. LLC KKR": a legal form belongs to the name before it.
      if (!isForm && some[0]!.key === '') continue
      const key = some.map((word) => word.key).filter((word) => word !== '').join(' ') // biome-ignore format: one line
      if (!isForm && !KEYS.has(key)) continue
      const name = line.slice(some[0]!.index, some.at(-1)!.end).replace(/,$/, '')
      const next = isForm ? [...before.slice(0, -1), `${before.at(-1)} ${name}`] : [...before, name]
      const other = ways[to]
      if (!other || next.length < other.length) ways[to] = next
    }
  }
  return ways[words.length] ?? null
}

/** The longest line of a real cover has 16 names. */
const NAMES_LINE_MAX = 80

const LABEL =
  /^(?:(?:sole|joint|lead|active|passive|co)[-\s]+)*(?:book[-\s]*running\s+|lead\s+|co-?\s*)?(?:managers?|underwriters?|book-?runners?|placement\s+agents?|dealer\s+managers?)\s*:?$/i
const OF_ONE =
  /^(?:sole\b.*|(?:lead\s+)?(?:managing\s+)?(?:manager|underwriter|book-?running\s+manager|placement\s+agent))\s*:?$/i

export interface Underwriter {
  name: string
  line: Line
}

/** The legend of Item 501(b)(7). What stands before it can be the name of an issuer that is a bank itself. */
const LEGEND_ENDS = /criminal\s+offense/i

/**
 * @param lines of a cover
 * @returns in the order of the cover, and how many lines stand where names are and could not be read
 */
export function underwritersOf(lines: readonly Line[]): { found: Underwriter[]; left: number } {
  const found: Underwriter[] = []
  let left = 0
  let label: string | null = null
  const from = lines.findIndex(({ text }) => LABEL.test(text) || LEGEND_ENDS.test(text))
  for (const line of from < 0 ? [] : lines.slice(from)) {
    const cells = line.text.split('|').map((cell) => cell.trim()).filter((cell) => cell !== '' && !/^:?-+:?$/.test(cell)) // biome-ignore format: one line
    if (cells.length === 0) continue
    if (cells.every((cell) => LABEL.test(cell))) {
      label = cells[0]!
      continue
    }
    const names = cells.map(knownNames)
    if (names.every((some) => some !== null)) found.push(...names.flat().map((name) => ({ name, line })))
    else if (label !== null && OF_ONE.test(label) && cells.length === 1 && isName(cells[0]!)) {
      found.push({ name: cells[0]!, line })
    } else if (label !== null && isName(line.text)) left++
    label = names.every((some) => some !== null) && label !== null && !OF_ONE.test(label) ? label : null
  }
  return { found: found.filter(({ name }, at) => found.findIndex((each) => each.name === name) === at), left }
}

/** A line of capitalized words without a verb, a date or a figure. */
const isName = (text: string) =>
  text.length <= 100 &&
  !/\d|[“”]|\b(?:the|is|are|date|prospectus)\b/i.test(text) &&
  /^[A-Z]/.test(text) &&
  !text.endsWith('.')
