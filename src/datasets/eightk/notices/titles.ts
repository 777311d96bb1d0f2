/** Finds titles of agreements: "Amendment No. 2 to the Credit Agreement", "a purchase agreement". */

const HEAD = String.raw`(?:Agreement|Amendment|Indenture|Lease|Contract|Note|Letter|Joinder|Deed|Guaranty|Guarantee|Memorandum|Plan of (?:Merger|Reorganization|Conversion|Distribution)|Letter of Intent|Memorandum of Understanding|Supplement|Waiver|Addendum|Facility|Undertaking|Term Sheet|Consent|Mortgage|Warrant|Commitment)s?(?:\sNo\.?\s?\d{1,3}|\sNumber\s(?:\d{1,3}|[A-Z][a-z]{2,9}))?`
const WORD = String.raw`(?:[A-Z][\w’'&/.-]{0,24},?|\d{1,4}(?:\.\d{1,4})?%?|\d{1,3}-[A-Za-z]{3,6}|of|and|to|the|for|on|&)`
const CAPITAL = new RegExp(
  String.raw`(?<![\w’'-])(?:(?:[A-Z][\w’'&/.-]{0,24},?|\d{1,3}-[A-Z][a-z]{2,4})\s(?:${WORD}\s){0,14})?${HEAD}(?![\w’'-])(?!\s(?!Inc\b|LLC\b)[A-Z])`,
  'g',
)
const LOWER =
  /(?<![\w’'-])(?:[a-z][a-z-]{1,20}\s){0,5}?(?:(?:guarant(?:y|ee)|pledge|security|purchase|subscription|collaboration) and (?:[a-z]{3,20}\s){1,2}agreement|agreement(?: and plan of merger)?|indenture|lease|contract|promissory note|commitment letter|letter of intent|letter agreement|memorandum of understanding|amendment|guaranty|guarantee|joinder|waiver|credit facility|loan facility|term loan|facility|term sheet)s?(?![\w’'-])(?!\s(?:agreements?|facilit(?:y|ies)|notes?|letters?|indenture|amendment|lease|contract|guaranty|order|decree)\b)/g
/** Words before a title that are not part of the title. */
const BEFORE =
  /^(?:(?:an?|the|that|this|its|our|their|certain|new|definitive|additional|separate|written|further|related|following|binding|material|such|two|three|four|several|various|respective|applicable|customary|existing|form of|five-year|three-year|thousand|million|billion|trillion)\s)+/i
/** Matches a word that only counts: "the second agreement". The title "Second Amendment" does not match. */
const COUNTED = /^second\s/

export interface Title {
  title: string
  start: number
  end: number
}

const PARTED =
  /(?<=(?:Agreement|Indenture|Lease|Note|Guaranty|Deed|Amendment)s?(?: No\. \d{1,3})?),?\sand\s(?:the\s|an?\s)?(?!Plan\b)/

/** Returns the first title after a position, and the titles that are listed with it; empty if none is near. */
export function titlesAfter(said: string, from: number): Title[] {
  const window = said.slice(from, from + 420)
  const first = firstIn(window)
  if (
    !first ||
    /^agreements$/i.test(first.title) ||
    /\b(?:with|between|among|pursuant|under|which|that(?! certain\b)|whereby|prior to)\b|[;:]/.test(
      window.slice(0, first.start),
    )
  )
    return []
  const titles = [first]
  for (let last = first; titles.length < 12; ) {
    const rest = window.slice(last.end)
    const link = /^(?:,\s(?:and\s)?|\sand\s)(?:\([ivx]{1,4}\)\s)?(?:(?:an?|the|related|certain|other)\s){0,2}/.exec(
      rest,
    )
    const next = link && firstIn(rest.slice(link[0].length))
    if (!next || next.start > 0) break
    last = { title: next.title, start: last.end + link[0].length, end: last.end + link[0].length + next.end }
    titles.push(last)
  }
  return titles.flatMap(({ title, start, end }) =>
    title.split(PARTED).map((one) => ({ title: one.trim(), start: from + start, end: from + end })),
  )
}

/** Returns the titles before a verb in the passive: "The Loan Agreement was entered into". */
export function titlesBefore(said: string, verb: number): Title[] {
  for (let from = 0; from < verb; ) {
    const titles = titlesAfter(said.slice(0, verb), from)
    if (titles.length > 0) return titles
    from += 200
  }
  return []
}

/** Returns the first title of a text; undefined without one. */
export const firstTitle = (said: string): string | undefined => firstIn(said)?.title

/** Returns the title of an agreement if a line consists only of this title; otherwise an empty list. */
export function titlesOfLine(line: string): string[] {
  const words = line
    .trim()
    .replace(/^[-*•·\s]{1,6}/, '')
    .replace(/[;,.]{0,2}\s?(?:\band)?[;,.]{0,2}$/, '')
    .replace(/^(?:an?|the)\s/i, '')
  const found = firstIn(words)
  return found && found.end === words.length && found.start === 0 ? [found.title] : []
}

function firstIn(window: string): Title | null {
  CAPITAL.lastIndex = 0
  LOWER.lastIndex = 0
  const [capital, lower] = [CAPITAL.exec(window), LOWER.exec(window)]
  const found = lower && (!capital || lower.index < capital.index) ? lower : capital
  if (!found) return null
  const title = found[0].replace(BEFORE, '').replace(COUNTED, '').replace(BEFORE, '')
  const own = { title, start: found.index, end: found.index + found[0].length }
  const object = /^,?\sto\s(?:the|its|that certain|our|their|an?|existing)\s/.exec(window.slice(own.end))
  if (!object || !/\bamendment|supplement|joinder|waiver|consent|addendum/i.test(own.title)) return own
  const to = firstIn(window.slice(own.end + object[0].length))
  if (!to || to.start > 40) return own
  const end = own.end + object[0].length + to.end
  return { title: `${own.title} to the ${to.title}`, start: own.start, end }
}
