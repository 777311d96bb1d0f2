/** The SEC's data sets of Form N-PORT. */
import { daysOfQuarter } from '../../declare/quarter.ts'
import type { SetsSource } from '../../declare/sets.ts'
import { namedDayOf } from '../../read/made.ts'
import { MEMBERS, OF_HOLDINGS, OPTIONAL, parseSet } from './sets/filing.ts'

/**
 * Names have the quarter of filing: `2026q1_nport.zip`. A set has only public reports: the third month of each fund's
 * quarter.
 */
export const quarterlySets: SetsSource = {
  list: '/data-research/sec-markets-data/form-n-port-data-sets',
  file: /^(\d{4})q([1-4])_nport\.zip$/i,
  example: '2026q1_nport.zip',
  // A quarter has some 2 GB.
  bytesMax: 16 * 1024 ** 3,
  days: ([, year, quarter]) => daysOfQuarter(year!, quarter!),
  members: MEMBERS,
  optional: OPTIONAL,
  key: 'ACCESSION_NUMBER',
  head: 'SUBMISSION',
  records: 'FUND_REPORTED_HOLDING',
  order: 'HOLDING_ID',
  ofRecords: OF_HOLDINGS,
  isOther: (head) => /^NT /i.test(head.text('SUB_TYPE') ?? ''),
  filedDate: (head) => namedDayOf(head, 'FILING_DATE'),
  parse: parseSet,
  parser: new URL('sets/filing.ts', import.meta.url),
}
