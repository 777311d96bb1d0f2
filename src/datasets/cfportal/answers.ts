/** Shapes of answers. */
import { z } from 'zod'
import { countedTotal, countedValues, nextCursorOnRequest, requestedPage } from '../../declare/paging.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { filing } from './tables.ts'

export const STATUSES = ['active', 'withdrawn'] as const

const { cik, website, city, state, submission_type } = filing.columns

const reference = z
  .object({
    accession: filing.row.shape.accession,
    filed_date: filing.row.shape.filed_date,
    submission_type,
  })
  .meta({ id: 'PortalFilingReference' })

export const portal = z
  .object({
    cik,
    name: filing.columns.name.describe('Name in the latest filing'),
    website: website.describe('First website in the latest filing'),
    city: city.describe('City of the main office in the latest filing'),
    state: state.describe('EDGAR code of the state or country of the main office in the latest filing'),
    status: z
      .enum(STATUSES)
      .describe(
        'withdrawn: the portal filed a withdrawal and no registration after that. An amendment does not change the status',
      ),
    filing_count: z.int().describe('Number of the portal’s filings that are loaded on this server'),
    registration_count: z.int().describe('Number of the portal’s loaded filings that are registrations (CFPORTAL)'),
    amendment_count: z.int().describe('Number of the portal’s loaded filings that are amendments (CFPORTAL/A)'),
    withdrawal_count: z.int().describe('Number of the portal’s loaded filings that are withdrawals (CFPORTAL-W)'),
    first_filing: reference.describe('The portal’s oldest filing that is loaded on this server'),
    latest_filing: reference,
  })
  .meta({ id: 'Portal' })

export const page = z
  .object({
    rows: z.array(portal),
    total: z
      .int()
      .describe(
        'Number of portals that match; on a page that is requested by cursor, their number at the time of the first page',
      ),
    total_is: countedTotal.total_is,
    value_counts: countedValues.value_counts,
    ...requestedPage,
    next_cursor: nextCursorOnRequest,
    ...notLoaded,
  })
  .meta({ id: 'PortalPage' })

export type Page = z.infer<typeof page>
