/** The SEC's quarterly data sets of Form D. */
import { daysOfQuarter } from '../../declare/quarter.ts'
import type { SetsSource } from '../../declare/sets.ts'
import { namedDayOf } from '../../read/made.ts'
import { parseSet } from './sets/filing.ts'
import { plan } from './sets/map.ts'

/** Names have the quarter of filing: `2026q3_d.zip`, or `2012q1_d_0.zip` until 2013. */
export const quarterlySets: SetsSource = {
  list: '/data-research/sec-markets-data/form-d-data-sets',
  file: /^(\d{4})q([1-4])_d(?:_\d+)?\.zip$/i,
  example: '2026q3_d.zip',
  // A quarter has some 30 MB.
  bytesMax: 1024 ** 3,
  days: ([, year, quarter]) => daysOfQuarter(year!, quarter!),
  get members() {
    return plan().members
  },
  key: 'ACCESSIONNUMBER',
  head: 'FORMDSUBMISSION',
  records: 'RELATEDPERSONS',
  order: 'RELATEDPERSON_SEQ_KEY',
  filedDate: (head) => namedDayOf(head, 'FILING_DATE'),
  parse: parseSet,
  parser: new URL('sets/filing.ts', import.meta.url),
}
