/** Advisers that a prospectus names in words that can mean nothing else. */
import type { ROLES } from './tables-words.ts'

export interface Adviser {
  role: (typeof ROLES)[number]
  name: string
  start: number
  end: number
}

/** A firm says what it is at its end; a name without that is left out. */
const FIRM = '((?:[A-Z0-9][\\w.&’\'-]{0,30},?\\s){1,8}(?:LLC|L\\.L\\.C\\.|Inc\\.?|Incorporated|L\\.P\\.|LP|LLP|Ltd\\.?|Limited|Company|Corporation|Corp\\.|N\\.A\\.))' // biome-ignore format: one line
const SERVES = new RegExp(
  `${FIRM}\\s{1,3}(?:\\([^)]{0,60}\\)\\s{0,3})?,?\\s{0,3}(?:serves|acts|is)\\s{1,3}(?:as\\s{1,3})?(?:the\\s{1,3}|a\\s{1,3})?(?:(?:Fund|Portfolio|Trust)[’']s\\s{1,3})?(?:investment\\s{1,3})?(sub-?\\s?)?(?:adviser|advisor|manager)\\b(?!\\s{1,3}of\\s{1,3}the\\s{1,3}(?:Trust|Fund)[’']s\\s)`,
  'g',
)
const LABEL = new RegExp(`^[#*\\s]{0,8}(?:Investment\\s)?(Sub-?\\s?)?[Aa]dvis[eo]r[s]?[.:*\\s]{1,6}${FIRM}`, 'gm')
/** "is a manager of hedge funds", "serves as adviser to the Underlying Funds": not of this fund. */
const OF_OTHERS =
  /^\s{1,3}(?:to|of|for)\s{1,3}(?:(?:the|an?|certain|each|several|various|many|over|more\sthan|\d{1,4})\s{1,3}){0,3}(?:other|another|underlying|acquired|hedge|private|pension|institutional|separate|unaffiliated|affiliated)\b/i
const FOUND_MAX = 100
/** The summary of a fund names its adviser; what follows is the statement of additional information. */
const TEXT_MAX = 2_000_000

/** Each firm once in each role, at the first place where it is named so. */
export function advisersOf(markdown: string): Adviser[] {
  const text = markdown.slice(0, TEXT_MAX)
  const found = new Map<string, Adviser>()
  const take = (name: string, sub: string | undefined, start: number, end: number) => {
    const role = sub === undefined ? 'adviser' : 'subadviser'
    const own = name.replace(/\s+/g, ' ').trim()
    const key = `${role} ${own.toLowerCase().replace(/[.,]/g, '')}`
    if (!found.has(key) && found.size < FOUND_MAX && !/^(?:The|This|Each|Fund|Trust)\b/.test(own)) found.set(key, { role, name: own, start, end }) // biome-ignore format: one line
  }
  for (const match of text.matchAll(LABEL)) take(match[2]!, match[1], match.index, match.index + match[0].length)
  for (const match of text.matchAll(SERVES)) {
    const end = match.index + match[0].length
    if (!OF_OTHERS.test(text.slice(end, end + 80))) take(match[1]!, match[2], match.index, end)
  }
  return [...found.values()]
}
