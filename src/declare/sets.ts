/**
 * Sets of filings: a zip of tab-separated members, each with lines of many filings, which fill the same tables as the
 * submissions do. A filing that was read from its submission is never replaced by what a set says of it.
 */
import type { CsvRow } from '../read/csv.ts'
import type { Problem } from '../read/xml.ts'
import type { ParsedRow } from './table.ts'

/** One filing of a set as its parser gets it. */
export interface SetParts {
  /** Its lines by member, in the order of the file; the member of `records` is not among them. */
  lines: ReadonlyMap<string, readonly CsvRow[]>
  /** Lines of the member that has any number of them, in the order of `order`; null where the filing has none. */
  records: Iterable<SetRecord> | AsyncIterable<SetRecord> | null
  /** Notes what the rows of `lines` do not remember by themselves. */
  tell: (notes: { problems?: Iterable<Problem> }) => void
}

/** A line of the member of records. */
export interface SetRecord {
  row: CsvRow
  /** The lines that belong to it, by member, in the order of the file; members without lines of it are absent. */
  lines: ReadonlyMap<string, readonly CsvRow[]>
}

export interface SetsSource {
  /** The publisher's page that links to every set, a path below EDGAR_BASE_URL. */
  list: string
  /** Which file names are sets, and one of them for messages. */
  file: RegExp
  example: string
  /** First and last day of filing, `YYYY-MM-DD`, from the match of `file`: of two sets that have a filing the later counts. */
  days: (match: RegExpExecArray) => { from: string; to: string }
  /** Unpacked bytes of a set at most, several times what real ones have. */
  bytesMax: number
  /** The members by name without `.tsv`, each with the columns that it needs: a set that lacks any is refused. */
  members: Readonly<Record<string, readonly string[]>>
  /** Those that a set may lack, since no filing of it has such lines: parts of a form that came later, or are rare. */
  optional?: readonly string[]
  /** The column of every member that has the accession number. */
  key: string
  /** The column of members that name it differently, with `_` and more text after it. */
  keys?: Readonly<Record<string, string>>
  /** The member that has one line for each filing. */
  head: string
  /**
   * The member whose lines are too many to be held, and the column by which they are in order; where that holds no number
   * they stay in the order of the member.
   */
  records: string
  order: string
  /** Members whose lines belong to a record each, and name it by `order` and not their filing: `order` is unique then. */
  ofRecords?: readonly string[]
  /** Whether a filing is of a form that the dataset does not read, such as the notice of a late one: it is passed over. */
  isOther?: (head: CsvRow) => boolean
  /** Day of filing, `YYYY-MM-DD`, for a filing that no index has listed yet. */
  filedDate: (head: CsvRow) => string | null
  /** Pure, and called again when a filing is read again. */
  parse: (filing: SetParts) => Iterable<ParsedRow> | AsyncIterable<ParsedRow>
  /** Its module, as `parser` of the dataset. */
  parser: URL
}
