/** Parts that several answers about advisers share. */
import { z } from 'zod'
import { countedValues, nextCursorOnRequest, requestedPage } from '../../declare/paging.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { adviser } from './rollups.ts'
import { former_name } from './rollups-search.ts'

const own = adviser.columns

/** Answers give coordinates as JSON numbers. */
export const lat = z
  .number()
  .nullable()
  .describe('Latitude of the postal code of the office; null outside the United States')
  .meta({ 'x-unit': 'degrees' })
export const lng = z
  .number()
  .nullable()
  .describe('Longitude of the postal code of the office; null outside the United States')
  .meta({ 'x-unit': 'degrees' })

export const fundsByType = z
  .union([z.record(z.string(), z.int()), z.array(z.never())])
  .describe('Funds of Section 7.B.(1) by type; an empty array if none is known')

/** Funds that the counts by type leave out. These funds and the funds by type add up to the number of funds. */
export const fundsRest = z
  .object({
    without_type: own.funds_without_type,
    reported_by_another_adviser: own.funds_of_others,
  })
  .meta({ id: 'FundsRest' })
  .describe(
    'Numbers of funds that `funds_by_type` does not count. These numbers and the counts in `funds_by_type` add up to the number of funds',
  )

const former = former_name.columns

export const formerName = z
  .object({
    name: former.name,
    kinds: former.kinds,
    from: former.from_day,
    to: former.to_day,
    source: former.source,
  })
  .meta({ id: 'FormerName' })

/** A firm found by the type-ahead search. */
export const found = z
  .object({
    id: own.crd,
    firm_name: own.firm_name,
    city: own.city,
    state: own.state,
    lat,
    lng,
  })
  .meta({ id: 'AdviserMatch' })

export type AdviserMatch = z.infer<typeof found>

const row = z
  .object({
    id: own.crd,
    crd: own.crd,
    adviser_type: own.adviser_type,
    firm_name: own.firm_name,
    city: own.city,
    state: own.state,
    country: own.country,
    latest_raum: own.latest_raum,
    latest_filing_date: own.latest_filing_date,
    has_disciplinary: own.has_disciplinary,
    fund_count: own.fund_count,
    funds_by_type: fundsByType,
    funds_rest: fundsRest,
    sec_file_number: own.sec_file_number,
    registration_status: own.registration_status,
    is_terminated: own.is_terminated,
  })
  .meta({ id: 'AdviserRow' })

/** A page of the list. */
export const page = z
  .object({
    rows: z.array(row),
    total: z
      .int()
      .describe(
        'Number of advisers that match; on a page that is requested by cursor, their number at the time of the first page',
      ),
    total_is: countedValues.total_is,
    value_counts: countedValues.value_counts,
    ...requestedPage,
    next_cursor: nextCursorOnRequest,
    ...notLoaded,
  })
  .meta({ id: 'AdviserPage' })

export type AdviserPage = z.infer<typeof page>
