/** The SEC's data sets of Form 13F. */
import { daysOfQuarter } from '../../declare/quarter.ts'
import type { SetsSource } from '../../declare/sets.ts'
import { namedDay } from '../../read/values.ts'
import { parseSet } from './sets/filing.ts'
import { dayOf, MEMBERS } from './sets/parse.ts'

/**
 * File names have the quarter until 2023, `2013q2_form13f.zip`, and the first and last day since:
 * `01dec2023-29feb2024_form13f.zip`.
 */
export const quarterlySets: SetsSource = {
  list: '/data-research/sec-markets-data/form-13f-data-sets',
  file: /^(?:(?<year>\d{4})q(?<quarter>[1-4])|(?<from>\d\d[a-z]{3}\d{4})-(?<to>\d\d[a-z]{3}\d{4}))_form13f\.zip$/i,
  example: '2013q2_form13f.zip',
  // A quarter has some 400 MB.
  bytesMax: 4 * 1024 ** 3,
  days({ groups }) {
    const { year, quarter, from, to } = groups!
    return year === undefined ? { from: dayNamed(from!), to: dayNamed(to!) } : daysOfQuarter(year, quarter!)
  },
  members: MEMBERS,
  key: 'ACCESSION_NUMBER',
  quotes: true,
  head: 'SUBMISSION',
  records: 'INFOTABLE',
  order: 'INFOTABLE_SK',
  filedDate: (head) => dayOf(head, 'FILING_DATE'),
  parse: parseSet,
  parser: new URL('sets/filing.ts', import.meta.url),
}

/** @throws Error for a day that does not exist, `31feb2024` */
function dayNamed(text: string): string {
  const day = namedDay(text.slice(5), text.slice(2, 5), text.slice(0, 2))
  if (day === null) throw new Error(`${text} is not a valid day`)
  return day
}
