/**
 * Bulk sources: files that a publisher releases daily or monthly, each with many records. A file is an edition of a
 * series. The dataset that owns a series declares here its records, their key, and how a record becomes rows.
 */

import type { CsvRow } from '../read/csv.ts'
import type { Json } from '../read/json.ts'
import type { PdfText } from '../read/pdf.ts'
import type { Element } from '../read/xml.ts'

/** A row of a record, or of one line of it: the table's key in the dataset's `tables`, and the row. */
export type BulkRows = Iterable<readonly [table: string, row: Record<string, unknown>]>

interface Common {
  /** Matches the file names of editions. A group named `part` numbers the files that together make one edition. */
  file: RegExp
  /** A name that `file` matches, for the error about a file with another name. */
  example?: string
  /**
   * Tables that have rows of its records. The rows of a record are replaced only in these tables, because in another
   * series the same key may identify another record.
   */
  tables: readonly string[]
  /** Columns with a constant value, if several series share a table: `{ feed: 'IA_FIRM_SEC' }`. */
  scope?: Readonly<Record<string, string>>
}

interface Days {
  /** The days that an edition covers, from the match of `file`. For an edition of one day, both days are the same. */
  days: (match: RegExpExecArray) => { from: string; to: string }
}

/**
 * Limits for a file of a series, several times the size of real files: a decompression bomb must not occupy a run for
 * long. If a series is of kind `period`, the limits are for one month, and are multiplied by the months that the file
 * covers.
 */
export interface Most {
  /** Maximum number of unpacked bytes, of all members of a zip together. */
  bytes: number
  /** Maximum number of records of XML or of lines of CSV, refused records included. */
  records: number
}

interface Named extends Common, Days {
  most: Most
  /**
   * `snapshot`: an edition is the whole state. A record that the edition lacks is gone since the day of the edition. An
   * edition older than the newest loaded edition is refused. `period`: an edition covers only its own days. When it is
   * read again, a record that it no longer has is removed.
   */
  kind: 'snapshot' | 'period'
}

/** XML, plain, gzipped or zipped; a record is an element. */
export interface XmlSeries extends Named {
  format: 'xml'
  /** Local name of the elements that are records. */
  record: string
  /**
   * Minimum number of XML members in a zip. The members are numbered without a gap. If a member were missing, its
   * records would seem to be gone.
   */
  members?: number
  /** Returns the record's key, unique within the series. Throws XmlError if the key is missing. */
  key: (record: Element) => string
  /**
   * If records of one edition share a key, the record with the greatest version is used; among equal versions, the
   * first record.
   */
  version?: (record: Element) => string
  /** Pure. */
  rows: (record: Element) => BulkRows
  /**
   * Text columns of a table with one row per record. bulk.history keeps their former values with their days, since an
   * edition replaces the edition before it. For snapshots only.
   */
  remembers?: { table: string; columns: readonly string[] }
}

/** A zip of CSV files: a record consists of the lines, in several members, that have its key. */
export interface CsvSeries extends Named {
  format: 'csv'
  /** The column with the record's key, in every spelling that members have for it. */
  key: readonly [string, ...string[]]
  members: readonly CsvMember[]
}

export interface CsvMember {
  /** Matches the file name of this member in the zip, compared without folder and case. */
  file: RegExp
  /** Columns that the file must have. An edition that lacks one fails, and the error names the column. */
  needs: readonly string[]
  /** Whether an edition without this member is refused. */
  required?: true
  /** Pure. Turns a line into rows; a useless line gives none. */
  rows: (line: CsvRow) => BulkRows
}

/**
 * JSON files whose names do not say their day. The day is when the file last changed according to the host, else when
 * it was fetched. For a local file, the day is taken from its name (`company_tickers_2026-07-23.json`), else it is the
 * day of its last change. The digest of a file is that of its bytes, so an unchanged file is not parsed again.
 */
interface JsonCommon extends Common {
  format: 'json'
}

/**
 * Files of one record each, or a zip of such files. An edition replaces the records that it has and removes none; a
 * record from a newer edition stays. Records are stored in batches, so that a killed load resumes.
 */
export interface JsonRecords extends JsonCommon {
  kind: 'update'
  /** Matches the file names, alone or in a zip, that are records; the group `key` is the record's key. */
  record: RegExp
  /**
   * Addresses. `all` is the address of the zip with all files, below EDGAR_BASE_URL. `one` returns the address of a
   * company's file, below EDGAR_DATA_URL.
   */
  at: { all: string; one: (cik: string) => string }
  /**
   * Names of a company's further files, which are fetched if the company is present.
   *
   * @param from only files with filings of this day or later, `YYYY-MM-DD`; null for all
   */
  more?: (document: Json, from: string | null) => readonly string[]
  /** The filings that a file lists, for filers that an operator chooses. Pure. */
  profile?: (document: Json, key: string) => Profile
  /**
   * Table with facts about filings that the index lacks. The spine is filled from its columns `accession`,
   * `period_of_report`, and `accepted_at` as text; each is null if it is not stated.
   */
  spineHints?: string
  /** Pure. */
  rows: (document: Json, key: string) => BulkRows
}

/** The content of a company's file, or of one of its further files: the filings that it lists. */
export interface Profile {
  /** Null in a further file, which has no names. */
  names: FilerNames | null
  filings: readonly ListedFiling[]
  /** How many lines cannot be read as a filing. */
  unread: number
}

/** The name of a filer today, and its former names. Each former name has its last day; the earliest comes first. */
export interface FilerNames {
  now: string
  before: readonly { name: string; to: string }[]
}

export interface ListedFiling {
  /** Dashed. */
  accession: string
  form_type: string
  /** `YYYY-MM-DD`. */
  filed_date: string
}

/** One file that is the whole state: a record that it lacks is gone since the file's day. */
export interface JsonList extends JsonCommon {
  kind: 'snapshot'
  /** Address of the file, below EDGAR_BASE_URL. */
  at: string
  /**
   * The records in their order, each with its key. A key that cannot be read is null; then no record is taken to be
   * gone.
   */
  records: (document: Json) => Iterable<readonly [key: string | null, record: Json]>
  /** Pure. */
  rows: (record: Json, key: string) => BulkRows
}

export type JsonSeries = JsonRecords | JsonList

/**
 * PDFs, alone or in a zip; each is a record. As with JSON records, an edition replaces the records that it has, and the
 * records that it lacks stay. The bytes of each PDF are kept in the archive by their digest.
 */
export interface PdfRecords extends Common, Days {
  format: 'pdf'
  kind: 'update'
  /** Matches the name of each file that is a record, alone or in a zip; the name is compared without its folder. */
  record: RegExp
  /** Address of a single PDF by its name, below ADVISERINFO_FILES_URL; null for a PDF that is only in zips. */
  at: (match: RegExpExecArray) => string | null
  /** The record's key, from the match of `record`. */
  key: (match: RegExpExecArray) => string
  /**
   * The CSV file that a zip may have with more facts about its PDFs, and the columns of that file. `name` is the column
   * with the file name of the PDF.
   */
  mapping: { file: RegExp; name: string; columns: readonly string[] }
  /** The function `readPdf`. It is named here so that rows are known to be outdated when the function changes. */
  read: (bytes: Uint8Array) => Promise<PdfText>
  /** Pure. */
  rows: (pdf: PdfFile) => BulkRows
}

/** The text of a PDF, and the facts about the PDF from the mapping. */
export interface PdfFile {
  /** The key of the record, from the match of the file's name. */
  key: string
  match: RegExpExecArray
  /** Name of the file, and of the zip that it came in. If a file came alone, both are its own name. */
  name: string
  archiveName: string
  /** Digest of its bytes: their key in the archive. */
  sha256: string
  size: number
  /** The PDF's line of the mapping; null if there is none. */
  line: CsvRow | null
  text: PdfText
  /** Moment at which the PDF was read, ISO 8601. */
  convertedAt: string
}

/** Series whose editions replace the stored records one by one. */
export type UpdateSeries = JsonRecords | PdfRecords

export type Series = XmlSeries | CsvSeries | JsonSeries | PdfRecords

export interface BulkSource {
  kind: 'bulk'
  /** The name by which `ingest` takes all datasets of one publisher. */
  collection: string
  /** By name, as stored in bulk.edition. */
  series: Readonly<Record<string, Series>>
}

/** Declares the bulk files that a dataset reads. */
export const bulk = (source: Omit<BulkSource, 'kind'>): BulkSource => ({ kind: 'bulk', ...source })

/** One publication: one file, or its parts. */
export interface Edition {
  series: string
  /** Name of the file. For an edition in parts, the name lacks the number of the part. */
  name: string
  /** First and last day that the edition covers, `YYYY-MM-DD`. */
  from: string
  to: string
}

/**
 * The stored name of a file whose own name and content do not state its day. The same day and bytes give the same name.
 */
export const datedName = (fileName: string, day: string, sha256: string) => `${fileName} ${day} ${sha256.slice(0, 12)}`

/**
 * Returns the edition that a file name means, and which part of it the file is (0 for the whole). Null for any other
 * file name, and for JSON, whose names do not say their day.
 */
export function editionOf(
  series: string,
  declared: Series,
  fileName: string,
): { edition: Edition; part: number } | null {
  if (declared.format === 'json') return null
  const { file, days } = declared
  const match = file.exec(fileName)
  if (!match) return null
  const part = match.groups?.part
  const name = part === undefined ? fileName : fileName.replace(new RegExp(`\\D*${part}(?=\\.\\w+$)`), '')
  return { edition: { series, name, ...days(match) }, part: Number(part ?? 0) }
}
