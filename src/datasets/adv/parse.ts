/**
 * Declares the source files about advisers: the daily feeds of firms, and the monthly data files of Form ADV and of
 * Form ADV-W. The name of a file shows its kind; its header row shows its columns.
 */
import type { CsvMember, CsvSeries, XmlSeries } from '../../declare/series.ts'
import { disclosureMembers } from './parse/disclosures.ts'
import { filingMembers } from './parse/filing.ts'
import { firmKey, firmRows, firmVersion } from './parse/firm.ts'
import { fundMembers } from './parse/fund.ts'
import { FILING_ID, fileOf, type Lines, member, REFERENCE_ID } from './parse/member.ts'
import { scheduleMembers } from './parse/schedules.ts'
import { withdrawalMembers } from './parse/withdrawal.ts'

/** Files without a table of their own, whose lines are kept as filed. */
const KEPT = [
  ...['2A', '2A_Related', '2A_Exemptive_Order', '2A_120', '2A_Newly_Formed', '2A_Multistate', '4', '5G3', '5I2'],
  ...['6A', '6B2', '6B3', '7A10b', '7A_CIK', '7B', '7B1A1b', '7B1A3', '7B1A3a', '7B1A3b', '7B1A5', '7B1A6b', '7B1A7'],
  ...['7B1A7d', '7B1A7d1', '7B1A7d2', '7B1A7f', '7B1A17b', '7B1A18b', '7B1A22', '7B1A28_websites', '9C', '10A', '10B'],
  ...['1L', '1M', 'Books_and_Records', 'Foreign_Regulatory_Authority', 'Misc', 'Miscellaneous'],
].map((section) => `Schedule_D_${section}`)

const KEPT_OTHERS = ['Website', 'SCH_R_CIK_1H', 'SCH_R_Other_Business_Names_1C', 'SCH_R_4D', 'Schedule_R_4C']

const kept = [...KEPT, ...KEPT_OTHERS].map((name): CsvMember => member(fileOf(name), [], asFiled(name)))

/** Matches files whose names the parser does not know, and keeps their lines as filed. */
const unknown = member(/\.csv$/i, [], asFiled(null))

function asFiled(name: string | null): Lines {
  return function* (line, filingId) {
    const reference_id = line.text(...REFERENCE_ID)
    yield [
      'schedule_line',
      { filing_id: filingId, reference_id, member: name ?? nameOf(line.file), details: line.all() },
    ]
  }
}

/** Returns `Schedule_D_13Z` for `IA_Schedule_D_13Z_20260601_20260630.csv`. */
const nameOf = (file: string) => file.replace(/^(?:IA|ERA)_/i, '').replace(/(?:_\d{8}){0,2}\.csv$/i, '')

const iso = (year = '', month = '', day = '') => `${year}-${month}-${day}`
const compact = (day = '') => iso(day.slice(0, 4), day.slice(4, 6), day.slice(6))
const between = ([, from, to]: RegExpExecArray) => ({ from: compact(from), to: compact(to) })

function feed(name: string): XmlSeries {
  return {
    format: 'xml',
    kind: 'snapshot',
    tables: ['firm'],
    file: new RegExp(`^${name}_Feed_(\\d\\d)_(\\d\\d)_(\\d{4})\\.xml(?:\\.gz)?$`, 'i'),
    example: `${name}_Feed_07_23_2026.xml.gz`,
    days: ([, month, day, year]) => ({ from: iso(year, month, day), to: iso(year, month, day) }),
    scope: { feed: name },
    record: 'Firm',
    // A real feed has 23,600 firms and 82 MB.
    most: { bytes: 1024 ** 3, records: 500_000 },
    key: firmKey,
    version: firmVersion,
    rows: firmRows,
    remembers: { table: 'firm', columns: ['business_name', 'legal_name'] },
  }
}

/**
 * Limits for each month of a file. The largest file that covers all months from 2011 to 2024 has less than 4 GB, so an
 * average month has 24 MB. March has eight times as much as an average month.
 */
const MOST = { bytes: 4 * 1024 ** 3, records: 20_000_000 }

/**
 * Names of monthly files have underscores between their words. Names of archives of former years have dashes. An
 * archive that begins in 2011 or later has two parts.
 */
function data(file: RegExp, example: string, tables: readonly string[], members: readonly CsvMember[]): CsvSeries {
  return { format: 'csv', kind: 'period', tables, file, example, days: between, most: MOST, key: FILING_ID, members }
}

const FILING_TABLES = [
  ...['filing', 'filing_more', 'filing_type', 'fund', 'fund_provider', 'fund_reported'],
  ...['owner', 'branch', 'disclosure', 'sma', 'related', 'schedule_line'],
]

export const series = {
  IA_FIRM_SEC: feed('IA_FIRM_SEC'),
  IA_FIRM_STATE: feed('IA_FIRM_STATE'),
  ADV_FILING_DATA: data(
    /^ADV[-_]Filing[-_]Data[-_](\d{8})[-_](\d{8})(?:-part(?<part>\d))?\.zip$/i,
    'ADV_Filing_Data_20260601_20260630.zip',
    FILING_TABLES,
    [...filingMembers, ...fundMembers, ...scheduleMembers, ...disclosureMembers, ...kept, unknown],
  ),
  ADV_W: data(
    /^ADVW[-_](\d{8})[-_](\d{8})\.zip$/i,
    'ADVW_20260601_20260630.zip',
    ['withdrawal', 'withdrawal_line'],
    withdrawalMembers,
  ),
} as const
