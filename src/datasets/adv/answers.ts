/** Parts that several answers about advisers have. */
import { z } from 'zod'
import { adviser } from './rollups.ts'
import { former_name } from './rollups-search.ts'

const own = adviser.columns

/** Coordinates are columns that answers have as JSON numbers. */
export const lat = z
  .number()
  .nullable()
  .describe('Latitude of the postal code of the office; null outside the United States')
export const lng = z.number().nullable().describe('Longitude of it')

export const fundsByType = z
  .union([z.record(z.string(), z.int()), z.array(z.never())])
  .describe('Funds of Section 7.B.(1) by type; an empty array when none is known')

/** With the types they make up the number of funds. */
export const fundsRest = z
  .object({
    without_type: own.funds_without_type,
    reported_by_another_adviser: own.funds_of_others,
  })
  .describe('Funds that no type counts: the number of funds is the sum of the types and of these; null when not known')

const former = former_name.columns

export const formerName = z.object({
  name: former.name,
  kinds: former.kinds,
  from: former.from_day,
  to: former.to_day,
  source: former.source,
})

/** What answers about advisers are made of, and what is not known without it. */
export const READ = {
  series: {
    IA_FIRM_SEC:
      'advisers registered with the SEC, or exempt and reporting to it, are missing, and how they are registered',
    IA_FIRM_STATE: 'advisers registered with states are missing, and how they are registered',
    ADV_FILING_DATA: 'private funds, owners, schedules, disclosure pages and former filings are not known',
  },
}
