/** The SEC's data sets of Form N-MFP. */
import { daysOfQuarter } from '../../declare/quarter.ts'
import type { SetsSource } from '../../declare/sets.ts'
import { namedDayOf } from '../../read/made.ts'
import { calendarDay } from '../../read/values.ts'
import { MEMBERS, OPTIONAL, parseSet } from './sets/filing.ts'

/** Names have the days of a month, `20260409-20260507_nmfp.zip`; earlier, the quarter of filing, `2013q4_nmfp.zip`. */
export const monthlySets: SetsSource = {
  list: '/data-research/sec-markets-data/dera-form-n-mfp-data-sets',
  file: /^(?:(?<year>\d{4})q(?<quarter>[1-4])|(?<from>\d{8})-(?<to>\d{8}))_nmfp\.zip$/i,
  example: '20260409-20260507_nmfp.zip',
  // A quarter has some 100 MB.
  bytesMax: 2 * 1024 ** 3,
  days({ groups }) {
    const { year, quarter, from, to } = groups!
    return year === undefined ? { from: dayNamed(from!), to: dayNamed(to!) } : daysOfQuarter(year, quarter!)
  },
  members: MEMBERS,
  optional: OPTIONAL,
  key: 'ACCESSION_NUMBER',
  head: 'NMFP_SUBMISSION',
  records: 'NMFP_SCHPORTFOLIOSECURITIES',
  order: 'SECURITY_ID',
  isOther: (head) => /^NT /i.test(head.text('SUBMISSIONTYPE') ?? ''),
  filedDate: (head) => namedDayOf(head, 'FILING_DATE'),
  parse: parseSet,
  parser: new URL('sets/filing.ts', import.meta.url),
}

/** @throws Error for a day that does not exist, such as `20260231` */
function dayNamed(text: string): string {
  const day = calendarDay(text.slice(0, 4), text.slice(4, 6), text.slice(6))
  if (day === null) throw new Error(`${text} is not a valid day`)
  return day
}
