/**
 * Reads the filings in a file of EDGAR, with the moment of acceptance.
 *
 * `acceptanceDateTime` ends in Z and is UTC in some files, New York time in others. One company's file comes in both:
 * for 0001140361-25-000228, with the header time 20250103163056, one download has 21:30:56.000Z; for
 * 0000320193-22-000061 (header 20220506183057) another has 18:30:57.000Z. Only the stamps of a file show which clock it
 * uses. EDGAR accepts filings from 6 to 22 o'clock in New York, so a stamp from 6 to 10 cannot be UTC, and one from 23
 * to 6 cannot be New York time. That decides 67 of the 73 real files; five of the others list fewer than six filings.
 */
import type { Rows } from '../../declare/table.ts'
import type { Json } from '../../read/json.ts'
import { isSummer } from '../../read/new-york.ts'
import { accession } from '../../read/values.ts'
import type * as tables from './tables.ts'

/**
 * A clock is ruled out if it has this many times as many impossible stamps as the other clock: a few filings come by
 * night.
 */
const SURE = 10

const STAMP = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d+)?Z$/

/** Filings that the SEC itself makes at any hour: orders of effectiveness at 00:15, letters. */
const OF_SEC = /^(9999999|0000000000)/

/** Midnight by either clock: a day without its time, as before 2002. */
const MIDNIGHTS = ['00:00:00', '04:00:00', '05:00:00']

type Clock = 'utc' | 'new york' | null

/** Columns with other sources: the index has form, day and filers; the submission itself has documents and sizes. */
const OF_OTHERS = [
  ...['filingDate', 'form', 'act', 'fileNumber', 'filmNumber', 'items', 'core_type', 'size'],
  ...['isXBRL', 'isInlineXBRL', 'isXBRLNumeric', 'primaryDocument', 'primaryDocDescription'],
]

/** Yields the filings of one list, `filings/recent` or a continued file. */
export function* listings(list: Json, file: string): Rows<typeof tables> {
  const lines = list.lines(OF_OTHERS).map((line) => ({
    line,
    accession: line.value('accessionNumber', accession, 'is not a valid accession number'),
    stamp: line.value('acceptanceDateTime', (text) => STAMP.exec(text)?.slice(1) ?? null, 'not a valid time'),
  }))
  const clock = clockOf(lines)
  const seen = new Set<string>()
  for (const { line, accession: number, stamp } of lines) {
    const period_of_report = line.date('reportDate')
    if (number === null) continue
    if (seen.has(number)) {
      line.problem('accessionNumber', number, 'stands twice in the list')
      continue
    }
    seen.add(number)
    yield [
      'listing',
      { file, accession: number, period_of_report, accepted_at: stamp ? acceptedAt(stamp, clock) : null },
    ]
  }
}

/** Returns whether the file's time stamps are UTC or New York time; null if they do not show it. */
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
 * Returns the hours between New York and UTC at noon of a day: no filing is accepted in the night in which the
 * hours change.
 */
function utcOffset(day: string): number {
  const known = UTC_OFFSETS.get(day)
  if (known !== undefined) return known
  const hours = isSummer(`${day}T17:00:00Z`) ? 4 : 5
  UTC_OFFSETS.set(day, hours)
  return hours
}
