/**
 * Sets of filings: a zip of tab-separated members, each with lines of many filings, which fill the same tables as the
 * submissions do. A filing that was read from its submission is never replaced by a set's lines about it.
 */
import type { CsvRow } from '../read/csv.ts'
import type { Problem } from '../read/xml.ts'
import type { ParsedRow } from './table.ts'

/** One filing of a set, in the form in which its parser gets it. */
export interface SetParts {
  /**
   * The filing's lines by member, in the order of the file, without the member `records`. The member `head` has exactly
   * one line.
   */
  lines: ReadonlyMap<string, readonly CsvRow[]>
  /**
   * Lines of the member `records`, of which a filing may have any number, in the order of `order`; null if the filing
   * has no lines there.
   */
  records: Iterable<SetRecord> | AsyncIterable<SetRecord> | null
  /** Day of filing as it is stored, `YYYY-MM-DD`: the day in the indexes, or else the day in the set. */
  filedDate: string
  /** Reports problems that the rows of `lines` do not record by themselves. */
  tell: (notes: { problems?: Iterable<Problem> }) => void
}

/** A line of the member `records`, with the lines of other members that belong to it. */
export interface SetRecord {
  row: CsvRow
  /** The lines that belong to the record, by member, in the order of the file; members that have none are absent. */
  lines: ReadonlyMap<string, readonly CsvRow[]>
}

export interface SetsSource {
  /** The publisher's page that links to every set, a path below EDGAR_BASE_URL. */
  list: string
  /** Matches the file names of sets; `example` is one of them, for messages. */
  file: RegExp
  example: string
  /**
   * First and last day of filing, `YYYY-MM-DD`, from the match of `file`. If two sets have a filing, the later set is
   * used.
   */
  days: (match: RegExpExecArray) => { from: string; to: string }
  /** Maximum number of unpacked bytes of a set, several times the size of real sets. */
  bytesMax: number
  /**
   * The members by name without `.tsv`, each with the columns that it must have. A set that lacks one of these columns
   * is refused.
   */
  members: Readonly<Record<string, readonly string[]>>
  /**
   * Members that a set may lack if no filing of the set has lines in them: parts of a form that are rare, or were added
   * later.
   */
  optional?: readonly string[]
  /** The column with the accession number, in every member that `keys` does not name. */
  key: string
  /**
   * For members without the column that `key` names: the column to use instead, by member. Its values are the accession
   * number, `_` and more text.
   */
  keys?: Readonly<Record<string, string>>
  /**
   * Whether a value that contains a quote is written as in CSV: between quotes, and with its own quotes doubled. In
   * sets without this rule, quotes are ordinary characters.
   */
  quotes?: true
  /** The member that has one line for each filing. */
  head: string
  /**
   * The member with too many lines for memory, and the column by which they are ordered. Lines without a number in that
   * column stay in the order of the member.
   */
  records: string
  order: string
  /**
   * Members in which each line belongs to one record. The line names the record by the column `order`, and not by the
   * filing; the values of `order` are then unique.
   */
  ofRecords?: readonly string[]
  /**
   * Whether a filing is of a form that the dataset does not read, such as a notice of late filing; such a filing is
   * skipped.
   */
  isOther?: (head: CsvRow) => boolean
  /** Day of filing, `YYYY-MM-DD`, for a filing that no index has listed yet. */
  filedDate: (head: CsvRow) => string | null
  /** Pure, and called again when a filing is read again. */
  parse: (filing: SetParts) => Iterable<ParsedRow> | AsyncIterable<ParsedRow>
  /** The module of `parse`, like `parser` of the dataset. */
  parser: URL
}
