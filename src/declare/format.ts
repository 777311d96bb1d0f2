/** The formats in which a list can be read. */
import { z } from 'zod'

/** Formats of files, and JSON. */
export const FORMATS = ['json', 'csv', 'ndjson', 'parquet'] as const
/** Formats of feeds, which lists with days have too: Atom (RFC 4287) and JSON Feed 1.1. */
export const FEED_FORMATS = ['atom', 'jsonfeed'] as const
export type FileFormat = Exclude<(typeof FORMATS)[number], 'json'>
export type FeedFormat = (typeof FEED_FORMATS)[number]
export type Format = (typeof FORMATS)[number] | FeedFormat

export const isFileFormat = (format: Format): format is FileFormat =>
  format !== 'json' && (FORMATS as readonly Format[]).includes(format)

export const isFeedFormat = (format: Format): format is FeedFormat =>
  (FEED_FORMATS as readonly Format[]).includes(format)

const AS_FILE =
  'csv, ndjson or parquet: the whole list as a file, with the rows of all pages; the same as the header Accept: text/csv, application/x-ndjson or application/vnd.apache.parquet. This parameter overrides the header. The default is json'

/** The parameter of every list. It has no default: without it the header Accept decides. */
export const format = z.enum(FORMATS).describe(AS_FILE).optional()

/** The parameter of a list that is also a feed. */
export const formatOrFeed = z
  .enum([...FORMATS, ...FEED_FORMATS])
  .describe(
    `${AS_FILE}. atom or jsonfeed: one page as a feed for feed readers, the newest rows first; the same as the header Accept: application/atom+xml or application/feed+json`,
  )
  .optional()
