/** The formats in which a list can be downloaded. */
import { z } from 'zod'

export const FORMATS = ['json', 'csv', 'ndjson'] as const
export type Format = (typeof FORMATS)[number]

/** The parameter of every list. It has no default: without it the header Accept decides. */
export const format = z
  .enum(FORMATS)
  .describe(
    'csv or ndjson: the whole list as a file, through all pages; the same as Accept: text/csv or application/x-ndjson, and stronger. json when neither is given',
  )
  .optional()
