/** The SEC's data sets of Form N-CEN. */
import { daysOfQuarter } from '../../declare/quarter.ts'
import type { SetsSource } from '../../declare/sets.ts'
import { namedDayOf } from '../../read/made.ts'
import { parseSet } from './sets/filing.ts'
import { plan } from './sets/map.ts'

/** Names have the quarter of filing: `2025q3_ncen.zip`, or `2025q2_ncen_0.zip` for a set that was published again. */
export const quarterlySets: SetsSource = {
  list: '/data-research/sec-markets-data/form-n-cen-data-sets',
  file: /^(\d{4})q([1-4])_ncen(?:_\d+)?\.zip$/i,
  example: '2025q3_ncen.zip',
  // A quarter has some 100 MB.
  bytesMax: 2 * 1024 ** 3,
  days: ([, year, quarter]) => daysOfQuarter(year!, quarter!),
  get members() {
    return plan().members
  },
  get optional() {
    return plan().optional
  },
  key: 'ACCESSION_NUMBER',
  get keys() {
    return plan().keys
  },
  head: 'SUBMISSION',
  records: 'FUND_REPORTED_INFO',
  // A FUND_ID is not a number, so funds stay in the order in which the member lists them.
  order: 'FUND_ID',
  isOther: (head) => /^NT /i.test(head.text('SUBMISSION_TYPE') ?? ''),
  filedDate: (head) => namedDayOf(head, 'FILING_DATE'),
  parse: parseSet,
  parser: new URL('sets/filing.ts', import.meta.url),
}
