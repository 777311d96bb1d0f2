/** The SEC's quarterly data sets of Form C. */
import { daysOfQuarter } from '../../declare/quarter.ts'
import type { SetsSource } from '../../declare/sets.ts'
import { isoDay } from '../../read/made.ts'
import { day } from '../../read/values.ts'
import { parseSet } from './sets/filing.ts'
import { compactDay, plan } from './sets/map.ts'

const NOT_A_DAY = 'not a day written as YYYYMMDD, YYYY-MM-DD or DD-MON-YYYY'

/** `2026q3_cf.zip`, by the quarter of filing. */
export const quarterlySets: SetsSource = {
  list: '/data-research/sec-markets-data/crowdfunding-offerings-data-sets',
  file: /^(\d{4})q([1-4])_cf(?:_\d+)?\.zip$/i,
  example: '2026q3_cf.zip',
  // A quarter has some 3 MB.
  bytesMax: 256 * 1024 ** 2,
  days: ([, year, quarter]) => daysOfQuarter(year!, quarter!),
  get members() {
    return plan().members
  },
  get optional() {
    return plan().optional
  },
  key: 'ACCESSION_NUMBER',
  head: 'FORM_C_SUBMISSION',
  records: 'FORM_C_ISSUER_JURISDICTIONS',
  // The reader can order lines only by a number. This column has codes of states, so jurisdictions stay in the order in
  // which the member lists them.
  order: 'STATEORPROVINCE',
  filedDate: (head) => head.value('FILING_DATE', (text) => day(isoDay(compactDay(text))!, 'iso'), NOT_A_DAY),
  parse: parseSet,
  parser: new URL('sets/filing.ts', import.meta.url),
}
