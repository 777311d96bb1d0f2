/**
 * Reads the filings that a submissions file of EDGAR lists, with the time of acceptance. `acceptanceDateTime` always
 * ends in Z, but some files state UTC and others New York time. Even two downloads of one company's file may use
 * different clocks. One download gives 21:30:56.000Z, which is UTC, for 0001140361-25-000228, whose header has
 * 20250103163056. Another download gives 18:30:57.000Z, which is New York time, for 0000320193-22-000061, whose header
 * has 20220506183057. Only the hours of a file's stamps show which clock the file uses. EDGAR accepts filings from 6 to
 * 22 o'clock in New York. So a stamp between 6 and 10 o'clock cannot be UTC, and a stamp between 23 and 6 o'clock
 * cannot be New York time. This rule decides 67 of the 73 real files; five of the other six files list fewer than six
 * filings.
 */
import type { ListedFiling } from '../../declare/series.ts'
import type { Rows } from '../../declare/table.ts'
import type { Json } from '../../read/json.ts'
import { isSummer } from '../../read/new-york.ts'
import { accession } from '../../read/values.ts'
import type * as tables from './tables.ts'

/**
 * The stamps are in UTC or in the time of New York. One of the two clocks is ruled out if it makes ten times as many
 * stamps impossible as the other clock does. The right clock makes a few stamps impossible too, because some filings
 * are accepted at night.
 */
const SURE = 10

const STAMP = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d+)?Z$/

/**
 * Returns day, hour, minute and second of a stamp. Returns null for text that is not a stamp, and for a day that does
 * not exist.
 */
function stampOf(text: string): string[] | null {
  const stamp = STAMP.exec(text)?.slice(1) ?? null
  return stamp === null || Number.isNaN(Date.parse(`${stamp[0]}T00:00:00Z`)) ? null : stamp
}

/**
 * Matches accession numbers of the SEC's own filings. The SEC files letters and orders of effectiveness at any hour,
 * for example at 00:15.
 */
const OF_SEC = /^(9999999|0000000000)/

/** Midnight by either clock: stamps before 2002 give a day without a time. */
const MIDNIGHTS = ['00:00:00', '04:00:00', '05:00:00']

type Clock = 'utc' | 'new york' | null

/**
 * Columns that are not read, because other sources have them: the index has form, day and filers, and the submission
 * itself has documents and sizes.
 */
const OF_OTHERS = [
  ...['filingDate', 'form', 'act', 'fileNumber', 'filmNumber', 'items', 'core_type', 'size'],
  ...['isXBRL', 'isInlineXBRL', 'isXBRLNumeric', 'primaryDocument', 'primaryDocDescription'],
]

/** Yields the filings of one list: `filings/recent`, or the list in a continued file. */
export function* listings(list: Json, file: string): Rows<typeof tables> {
  const lines = list.lines(OF_OTHERS).map((line) => ({
    line,
    accession: line.value('accessionNumber', accession, 'is not a valid accession number'),
    stamp: line.value('acceptanceDateTime', stampOf, 'not a valid time'),
  }))
  const clock = clockOf(lines)
  const seen = new Set<string>()
  for (const { line, accession: number, stamp } of lines) {
    const period_of_report = line.date('reportDate')
    if (number === null) continue
    if (seen.has(number)) {
      line.problem('accessionNumber', number, 'appears twice in the list')
      continue
    }
    seen.add(number)
    yield [
      'listing',
      { file, accession: number, period_of_report, accepted_at: stamp ? acceptedAt(stamp, clock) : null },
    ]
  }
}

/** Returns whether the file's time stamps are UTC or New York time; null if they do not show which. */
function clockOf(lines: readonly { accession: string | null; stamp: string[] | null }[]): Clock {
  let noUtc = 0
  let noNewYork = 0
  for (const { accession: number, stamp } of lines) {
    if (stamp === null || number === null || OF_SEC.test(number) || isMidnight(stamp)) continue
    const hour = Number(stamp[1])
    if (hour >= 6 && hour < 10) noUtc++
    else if (hour === 23 || hour < 6) noNewYork++
  }
  if (noUtc > 0 && noUtc >= SURE * noNewYork) return 'new york'
  if (noNewYork > 0 && noNewYork >= SURE * noUtc) return 'utc'
  return null
}

const isMidnight = (stamp: readonly string[]) => MIDNIGHTS.includes(stamp.slice(1).join(':'))

/** Returns `2025-01-03T21:30:56Z`; null for a day without a time, and for an unknown clock. */
function acceptedAt(stamp: readonly string[], clock: Clock): string | null {
  if (clock === null || isMidnight(stamp)) return null
  const [day, ...time] = stamp as [string, ...string[]]
  const stated = `${day}T${time.join(':')}Z`
  if (clock === 'utc') return stated
  return new Date(Date.parse(stated) + utcOffset(day) * 3_600_000).toISOString().replace('.000Z', 'Z')
}

const UTC_OFFSETS = new Map<string, number>()

/**
 * Returns the hours between New York and UTC at noon of a day. This suits every filing, since the clocks change in a
 * night in which EDGAR accepts no filings.
 */
function utcOffset(day: string): number {
  const known = UTC_OFFSETS.get(day)
  if (known !== undefined) return known
  const hours = isSummer(`${day}T17:00:00Z`) ? 4 : 5
  UTC_OFFSETS.set(day, hours)
  return hours
}

/**
 * Reads the filings of one list with their forms and days. A line without a valid accession number, form or day is only
 * counted, in `unread`. If the index states another form or day, the index is right: the stored filing is corrected
 * when the index is read.
 */
export function listedFilings(list: Json): { filings: ListedFiling[]; unread: number } {
  const filings = new Map<string, ListedFiling>()
  let unread = 0
  for (const line of list.lines()) {
    const number = line.value('accessionNumber', accession, 'is not a valid accession number')
    const [form_type, filed_date] = [line.text('form'), line.date('filingDate')]
    if (number === null || form_type === null || filed_date === null) unread++
    else if (!filings.has(number)) filings.set(number, { accession: number, form_type, filed_date })
  }
  return { filings: [...filings.values()], unread }
}
