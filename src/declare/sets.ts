/**
 * Sets of filings: a zip of tab-separated members, each with lines of many filings, which fill the same tables as the
 * submissions do. A filing that was read from its submission is never replaced by what a set says of it.
 */
import type { CsvRow } from '../read/csv.ts'
import type { Problem } from '../read/xml.ts'
import type { ParsedRow } from './dataset.ts'

/** One filing of a set as its parser gets it. */
export interface SetParts {
  /** Its lines by member, in the order of the file; the member of `records` is not among them. */
  lines: ReadonlyMap<string, readonly CsvRow[]>
  /** Lines of the member that has any number of them, in the order of `order`; null where the filing has none. */
  records: Iterable<CsvRow> | AsyncIterable<CsvRow> | null
  /** Notes what the rows of `lines` do not remember by themselves. */
  tell: (told: { problems?: Iterable<Problem> }) => void
}

export interface SetsSource {
  /** The publisher's page that links to every set, a path below EDGAR_BASE_URL. */
  list: string
  /** Which file names are sets. */
  file: RegExp
  /** First and last day of filing, `YYYY-MM-DD`, from the match of `file`: of two sets that have a filing the later counts. */
  days: (match: RegExpExecArray) => { from: string; to: string }
  /** The members by name without `.tsv`, each with the columns that it needs: a set that lacks any is refused. */
  members: Readonly<Record<string, readonly string[]>>
  /** The column of every member that has the accession number. */
  key: string
  /** The member that has one line for each filing. */
  head: string
  /** The member whose lines are too many to be held, and the column by which they are in order. */
  records: string
  order: string
  /** Day of filing, `YYYY-MM-DD`, for a filing that no index has listed yet. */
  filedDate: (head: CsvRow) => string | null
  /** Pure, and called anew when a filing is read again. */
  parse: (filing: SetParts) => Iterable<ParsedRow> | AsyncIterable<ParsedRow>
  /** Its module, as `parser` of the dataset. */
  parser: URL
}
