/**
 * Reads a text table in a second way: by its CUSIPs, wherever the lines break. The result is used only if it reaches
 * the declared totals, because nothing else shows which numbers are values.
 */
import { cusipFlag } from '../../../../read/securityid.ts'
import type { Findings, Holding } from '../types.ts'
import { managers, note, nothingFound } from '../values.ts'
import { isCusip, joinedCusip, tailOf } from './line.ts'
import { digitsOf, isAmount, isNumber } from './number.ts'
import { plainCusips } from './shape.ts'
import { type Word, wordsOf } from './words.ts'

/** Totals of the table as the summary declares them; null if it declares none. */
export interface Declared {
  entries: number | null
  /** Declared total of values, in the unit of the filing. */
  value: string | null
}

/** Tests whether much of a table is missing. */
export const isFarBelow = (lines: number, { entries }: Declared): boolean => entries !== null && lines < entries * 0.8

/**
 * Tests two things: there are as many lines as declared, within a fifth; and their values or their amounts add up to
 * the declared value. If no value is declared, the number of lines must be exact.
 */
export function agrees(holdings: readonly Holding[], declared: Declared): boolean {
  const { entries, value } = declared
  if (entries === null || isFarBelow(holdings.length, declared) || holdings.length > entries * 1.2 + 1) return false
  return value === null
    ? holdings.length === entries
    : isSum(holdings, 'value', value) || isSum(holdings, 'amount', value)
}

/**
 * Tests whether a column adds up to a total. The sum may differ by one for each line, since each line may be rounded.
 */
function isSum(holdings: readonly Holding[], column: 'value' | 'amount', total: string): boolean {
  const sum = holdings.reduce((all, line) => all + BigInt(line[column] ?? 0), 0n)
  const difference = sum - BigInt(total)
  return (difference < 0n ? -difference : difference) <= BigInt(holdings.length)
}

/** Exchanges values and amounts if the amounts, and not the values, add up to the declared total. */
export function inOrder(holdings: Holding[], { value }: Declared, found: Findings): Holding[] {
  if (value === null || value === '0' || holdings.length === 0) return holdings
  if (isSum(holdings, 'value', value) || !isSum(holdings, 'amount', value)) return holdings
  note(found, 'text table, numbers', value, 'is the sum of the second numbers of the lines, so these are the values')
  return holdings.map((line) => ({ ...line, value: line.amount, amount: line.value }))
}

/** Maximum number of words of a record after its CUSIP. */
const WORDS_MAX = 40
/** Maximum number of lines of a name above its CUSIP. */
const NAME_LINES = 4

interface PlacedWord extends Word {
  line: number
}

/** Returns one record for each CUSIP that has the right check digit and two numbers after it. */
export function readRecords(text: string): { holdings: Holding[]; found: Findings } {
  const found = nothingFound()
  const lines = plainCusips(text).split('\n')
  const words: PlacedWord[] = lines.flatMap((line, at) =>
    TAG.test(line) ? [] : wordsOf(line).map((word) => ({ ...word, line: at })),
  )
  const holdings: Holding[] = []
  let after = 0
  for (let at = 0; at < words.length; at++) {
    const length = [3, 2, 1].find((count) => isSure(words, at, count)) ?? 0
    if (length === 0) continue
    const cusip = joinedCusip(words.slice(at, at + length).map((word) => word.text))
    const first = numberFrom(words, at + length)
    const second = first === null ? null : numberFrom(words, first + 1)
    found.looked++
    if (first === null || second === null) continue
    const end = endOf(words, second + 1)
    const tail = tailOf(words.slice(second + 1, end), words[second]!, null)
    const from = nameFrom(lines, words[after - 1]?.line ?? 0, words[at]!.line, holdings.length === 0)
    const name = nameAbove(
      words.slice(after, at).filter(({ line }) => line >= from),
      words[at]!.line,
    )
    holdings.push({
      ...tail,
      ...name,
      ...{ cusip, cusipFlag: null, figi: null, managers: managers(tail.managers) },
      ...{ value: digitsOf(words[first]!.text), amount: digitsOf(words[second]!.text) },
    })
    after = end
    at = end - 1
  }
  found.read = holdings.length
  return { holdings, found }
}

function isSure(words: readonly PlacedWord[], at: number, count: number): boolean {
  const parts = words.slice(at, at + count)
  if (parts.length < count || parts.some(({ line }) => line !== parts[0]!.line)) return false
  const texts = parts.map(({ text }) => text)
  return isCusip(texts, 1) && cusipFlag(joinedCusip(texts)) === null
}

/** Finds the next number, unless another CUSIP or too many words stand before it. */
function numberFrom(words: readonly PlacedWord[], from: number): number | null {
  for (let at = from; at < Math.min(words.length, from + WORDS_MAX); at++) {
    if (isAmount(words[at]!.text)) return at
    if (isSure(words, at, 1)) return null
  }
  return null
}

/** Words that follow the numbers of a record and belong to no name. */
const TAIL =
  /^(?:sh|shs|prn|put|call|sole|dfnd|defined|shared|shared-defined|shared-other|otr|other|none|x{1,2}|-+|[\d,.]+)$/i

function endOf(words: readonly PlacedWord[], from: number): number {
  let at = from
  while (at < Math.min(words.length, from + WORDS_MAX) && TAIL.test(words[at]!.text) && !isSure(words, at, 1)) at++
  return at
}

/** Matches a line that begins with a tag, such as `<TABLE>` or `<PAGE>`. */
const TAG = /^\s*<[^>]*>/
/** Matches a blank line, a rule, or column headings. */
const BEFORE_FIRST = /^[\s\-=_|]*$|\bCUSIP\b/i

/**
 * Returns the first line that may hold the name of a record. No name continues across a tag. The lines above the first
 * record of the text, or of a page, may also belong to the cover or to headings. So the name of that record begins
 * below the last blank line, rule or line of headings.
 *
 * @param floor last line of the record before, or the first line of the text
 * @param line line of the CUSIP
 */
function nameFrom(lines: readonly string[], floor: number, line: number, isFirst: boolean): number {
  const below = (border: (above: string) => boolean) => {
    let from = line
    while (from > floor && !border(lines[from - 1]!)) from--
    return from
  }
  const page = below((above) => TAG.test(above))
  return page > floor || isFirst ? below((above) => TAG.test(above) || BEFORE_FIRST.test(above)) : page
}

/**
 * Splits issuer and title. If the last line has a gap, the title is the text after the gap. Otherwise the title is the
 * last of several lines, if this line is above that of the CUSIP.
 */
function nameAbove(words: readonly PlacedWord[], line: number): Pick<Holding, 'issuer' | 'title'> {
  const lines = [...Map.groupBy(words, (word) => word.line)].slice(-NAME_LINES)
  const own = lines.filter(([, of]) => !of.some(({ text }) => isNumber(text) && text.length > 3))
  const [at, last] = own.at(-1) ?? [line, []]
  const gap = last.findIndex((word, n) => n > 0 && word.start - last[n - 1]!.end >= 2)
  const of = (some: readonly PlacedWord[]) => some.map(({ text }) => text).join(' ') || null
  const above = own.slice(0, -1).flatMap(([, all]) => all)
  if (gap > 0) return { issuer: of([...above, ...last.slice(0, gap)]), title: of(last.slice(gap)) }
  return above.length > 0 && at !== line
    ? { issuer: of(above), title: of(last) }
    : { issuer: of([...above, ...last]), title: null }
}
