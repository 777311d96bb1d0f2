/**
 * Bulk sources: files that a publisher puts out day by day or month by month, each with many records. A file is an
 * edition of a series; what a record is, its key, and how it becomes rows is declared here by the dataset that owns it.
 */

import type { CsvRow } from '../read/csv.ts'
import type { Element } from '../read/xml.ts'

/** Rows of one record, or of one line of it: the table's key in the dataset's `tables`, and the row. */
export type BulkRows = Iterable<readonly [table: string, row: Record<string, unknown>]>

interface Common {
  /** Which file names are editions of the series. A group named `part` numbers the files that make one edition together. */
  file: RegExp
  /** Days that an edition of this name covers, from the match of `file`; a feed of one day begins and ends on it. */
  days: (match: RegExpExecArray) => { from: string; to: string }
  /**
   * `snapshot`: an edition is the whole state, so that a record it lacks is gone since its day, and an older edition than
   * the newest loaded is refused. `period`: an edition covers its days alone; read again, a record it no longer has is
   * removed.
   */
  kind: 'snapshot' | 'period'
  /** Tables that its records have rows in: keys of other series are other numbers, and may be the same ones. */
  tables: readonly string[]
  /** Constant columns of the rows, where several series share a table: `{ feed: 'IA_FIRM_SEC' }`. */
  scope?: Readonly<Record<string, string>>
}

/** XML, plain, gzipped or zipped; a record is an element. */
export interface XmlSeries extends Common {
  format: 'xml'
  /** Local name of the elements that are records. */
  record: string
  /** XML members that a zip must have, all of them: with one missing its people would seem gone. */
  members?: number
  /** Unique within the series; throws XmlError when it is missing. */
  key: (record: Element) => string
  /** Of records that share a key in one edition that with the greatest version stands, of equal ones the first. */
  version?: (record: Element) => string
  /** Pure. */
  rows: (record: Element) => BulkRows
  /**
   * Columns of text of a table with one row a record, whose former values are kept in bulk.history with their days: an
   * edition replaces the one before it. Of a snapshot alone.
   */
  remembers?: { table: string; columns: readonly string[] }
}

/** A zip of CSV files whose lines join on a key: a record is made of lines of many members. */
export interface CsvSeries extends Common {
  format: 'csv'
  /** Column that holds the record's key in every member, as it is spelt in any of them. */
  key: readonly [string, ...string[]]
  members: readonly CsvMember[]
}

export interface CsvMember {
  /** Which file names in the zip; compared without folder and case. */
  file: RegExp
  /** Columns without which the file is not what we think: their absence fails the edition, named. */
  needs: readonly string[]
  /** An edition without this member is refused. */
  required?: true
  /** Pure: a line to rows; none for a line without use. */
  rows: (line: CsvRow) => BulkRows
}

export type Series = XmlSeries | CsvSeries

export interface BulkSource {
  kind: 'bulk'
  /** What `ingest` calls the datasets of one publisher together. */
  collection: string
  /** By name, as stored in bulk.edition. */
  series: Readonly<Record<string, Series>>
}

/** Declares the files a dataset is made of. */
export const bulk = (source: Omit<BulkSource, 'kind'>): BulkSource => ({ kind: 'bulk', ...source })

/** What a publisher puts out at once: one file, or its parts. */
export interface Edition {
  series: string
  /** Name of the file; of an edition in parts without the number of the part. */
  name: string
  /** First and last day it covers, `YYYY-MM-DD`. */
  from: string
  to: string
}

/** The edition that a file name stands for, and which part of it, 0 where it is whole; null when it is no such file. */
export function editionOf(
  series: string,
  { file, days }: Series,
  fileName: string,
): { edition: Edition; part: number } | null {
  const match = file.exec(fileName)
  if (!match) return null
  const part = match.groups?.part
  const name = part === undefined ? fileName : fileName.replace(new RegExp(`\\D*${part}(?=\\.\\w+$)`), '')
  return { edition: { series, name, ...days(match) }, part: Number(part ?? 0) }
}

/** What a load changed, for `refresh`. */
export interface Changed {
  series: string
  edition: Edition
  /** Keys of records that are new, changed, back or gone. */
  keys: readonly string[]
}
