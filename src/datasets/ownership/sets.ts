/** The SEC's quarterly data sets of Forms 3, 4 and 5. */
import { daysOfQuarter } from '../../declare/quarter.ts'
import type { SetsSource } from '../../declare/sets.ts'
import { namedDayOf } from '../../read/made.ts'
import { parseSet } from './sets/filing.ts'
import { plan } from './sets/map.ts'

/** Names have the quarter of filing: `2026q2_form345.zip`. */
export const quarterlySets: SetsSource = {
  list: '/data-research/sec-markets-data/insider-transactions-data-sets',
  file: /^(\d{4})q([1-4])_form345(?:_\d+)?\.zip$/i,
  example: '2026q2_form345.zip',
  // A quarter has some 70 MB.
  bytesMax: 1024 ** 3,
  days: ([, year, quarter]) => daysOfQuarter(year!, quarter!),
  get members() {
    return plan().members
  },
  key: 'ACCESSION_NUMBER',
  quotes: true,
  head: 'SUBMISSION',
  records: 'NONDERIV_TRANS',
  order: 'NONDERIV_TRANS_SK',
  filedDate: (head) => namedDayOf(head, 'FILING_DATE'),
  parse: parseSet,
  parser: new URL('sets/filing.ts', import.meta.url),
}
