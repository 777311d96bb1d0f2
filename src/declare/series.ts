/**
 * Bulk sources: files that a publisher puts out day by day or month by month, each with many records. A file is an
 * edition of a series. The dataset that owns a series declares here what a record is, what its key is, and how it becomes
 * rows.
 */

import type { CsvRow } from '../read/csv.ts'
import type { Json } from '../read/json.ts'
import type { PdfText } from '../read/pdf.ts'
import type { Element } from '../read/xml.ts'

/** A row of a record, or of one line of it: the table's key in the dataset's `tables`, and the row. */
export type BulkRows = Iterable<readonly [table: string, row: Record<string, unknown>]>

interface Common {
  /** Which file names are editions of the series. A group named `part` numbers the files that together make one edition. */
  file: RegExp
  /** Tables that its records have rows in. In another series the same key may be another record. */
  tables: readonly string[]
  /** Columns with a constant value, where several series share a table: `{ feed: 'IA_FIRM_SEC' }`. */
  scope?: Readonly<Record<string, string>>
}

interface Days {
  /** The days that an edition covers, from the match of `file`. A feed of one day begins and ends on it. */
  days: (match: RegExpExecArray) => { from: string; to: string }
}

/**
 * Limits for a file of a series, several times those of real ones: a decompression bomb must not occupy a run for long.
 * For a period, the bound is that of each month that the file covers.
 */
export interface Most {
  /** Unpacked bytes, of all members of a zip together. */
  bytes: number
  /** Records of XML, lines of CSV, with those that are refused. */
  records: number
}

interface Named extends Common, Days {
  most: Most
  /**
   * `snapshot`: an edition is the whole state, so a record that it lacks is gone since its day, and an edition older than
   * the newest loaded one is refused. `period`: an edition covers its days alone; when it is read again, a record that it
   * no longer has is removed.
   */
  kind: 'snapshot' | 'period'
}

/** XML, plain, gzipped or zipped; a record is an element. */
export interface XmlSeries extends Named {
  format: 'xml'
  /** Local name of the elements that are records. */
  record: string
  /** XML members that a zip has at least, numbered without a gap: the people of a missing one would seem gone. */
  members?: number
  /** Unique within the series. Throws XmlError when the key is missing. */
  key: (record: Element) => string
  /** If records of one edition share a key the one with the greatest version counts; of equal versions the first. */
  version?: (record: Element) => string
  /** Pure. */
  rows: (record: Element) => BulkRows
  /**
   * Text columns of a table with one row a record. bulk.history keeps their former values with their days, since an
   * edition replaces the one before it. For snapshots only.
   */
  remembers?: { table: string; columns: readonly string[] }
}

/** A zip of CSV files whose lines join on a key: a record is made of lines of many members. */
export interface CsvSeries extends Named {
  format: 'csv'
  /** The column with the record's key, in every spelling that members have for it. */
  key: readonly [string, ...string[]]
  members: readonly CsvMember[]
}

export interface CsvMember {
  /** Which file names in the zip are this member; compared without folder and case. */
  file: RegExp
  /** Columns without which the file is not what we think. An edition that lacks one fails, and the error names it. */
  needs: readonly string[]
  /** Whether an edition without this member is refused. */
  required?: true
  /** Pure. Turns a line into rows; none for a line without use. */
  rows: (line: CsvRow) => BulkRows
}

/**
 * JSON files whose names do not say their day. It is the one on which the host says that the file last changed, else the one
 * on which it was fetched; of a local file, whose name may also hold it (`company_tickers_2026-07-23.json`), the day of its
 * last change. Digests are of the bytes, so what stays the same is not parsed.
 */
interface JsonCommon extends Common {
  format: 'json'
}

/**
 * Files of one record each, or a zip of such files. An edition replaces the records that it has and removes none; a
 * record that came in a newer edition stays. Records are stored by batches, so that a killed load resumes.
 */
export interface JsonRecords extends JsonCommon {
  kind: 'update'
  /** Which file names, alone or in a zip, are a record: its group `key` is the record's key. */
  record: RegExp
  /** Where they are: the zip with all below EDGAR_BASE_URL, and the file of a company below EDGAR_DATA_URL. */
  at: { all: string; one: (cik: string) => string }
  /** Names of the further files of a company: they are fetched if the company is present. */
  more?: (document: Json) => readonly string[]
  /**
   * Table with facts about filings that the index lacks, from which the spine is filled: `accession`,
   * `period_of_report`, and `accepted_at` as text, each null if it is not stated.
   */
  spineHints?: string
  /** Pure. */
  rows: (document: Json, key: string) => BulkRows
}

/** One file that is the whole state: a record that it lacks is gone since its day. */
export interface JsonList extends JsonCommon {
  kind: 'snapshot'
  /** Where it is, below EDGAR_BASE_URL. */
  at: string
  /** The records in their order, each with its key; null where that cannot be read, so that nothing is taken for gone. */
  records: (document: Json) => Iterable<readonly [key: string | null, record: Json]>
  /** Pure. */
  rows: (record: Json, key: string) => BulkRows
}

export type JsonSeries = JsonRecords | JsonList

/**
 * PDFs, alone or in a zip; each is a record. An edition replaces the records that it has and takes none for gone, as one of
 * JSON records does. The bytes of each PDF are kept in the archive by their digest.
 */
export interface PdfRecords extends Common, Days {
  format: 'pdf'
  kind: 'update'
  /** Which file names, alone or in a zip, are a record; compared without folder. */
  record: RegExp
  /** Where a PDF alone is, below ADVISERINFO_FILES_URL, by its name; null for one that is only in zips. */
  at: (match: RegExpExecArray) => string | null
  /** The record's key, from the match of `record`. */
  key: (match: RegExpExecArray) => string
  /** The CSV in a zip with more facts about its PDFs, if there is one: its columns; `name` is the PDF's file name. */
  mapping: { file: RegExp; name: string; columns: readonly string[] }
  /** `readPdf`, named here so that rows are known to be outdated when it changes. */
  read: (bytes: Uint8Array) => Promise<PdfText>
  /** Pure. */
  rows: (pdf: PdfFile) => BulkRows
}

/** The reading of a PDF, and the facts about it from the mapping. */
export interface PdfFile {
  /** From the match of its name. */
  key: string
  match: RegExpExecArray
  /** Name of the file, and of the zip that it came in; the same of a file that came alone. */
  name: string
  archiveName: string
  /** Digest of its bytes: their key in the archive. */
  sha256: string
  size: number
  /** Its line of the mapping; null without one. */
  line: CsvRow | null
  text: PdfText
  /** When it was read, ISO 8601. */
  convertedAt: string
}

/** Series whose editions replace what they have, record by record. */
export type UpdateSeries = JsonRecords | PdfRecords

export type Series = XmlSeries | CsvSeries | JsonSeries | PdfRecords

export interface BulkSource {
  kind: 'bulk'
  /** The name by which `ingest` takes all datasets of one publisher. */
  collection: string
  /** By name, as stored in bulk.edition. */
  series: Readonly<Record<string, Series>>
}

/** Declares the files a dataset is made of. */
export const bulk = (source: Omit<BulkSource, 'kind'>): BulkSource => ({ kind: 'bulk', ...source })

/** One publication: one file, or its parts. */
export interface Edition {
  series: string
  /** Name of the file. For an edition in parts it lacks the number of the part. */
  name: string
  /** First and last day it covers, `YYYY-MM-DD`. */
  from: string
  to: string
}

/**
 * The name of a file of one day, if neither name nor content states the day: the same day and bytes give the same name.
 */
export const datedName = (fileName: string, day: string, sha256: string) => `${fileName} ${day} ${sha256.slice(0, 12)}`

/**
 * The edition that a file name stands for, and which part of it the file is (0 for the whole). Null for any other file
 * name, and for JSON, whose names do not say their day.
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
