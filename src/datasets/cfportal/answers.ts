/** Shapes of answers. */
import { z } from 'zod'
import { countedTotal, nextCursorOnRequest, requestedPage } from '../../declare/paging.ts'
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
    city: city.describe('Main office in the latest filing: city'),
    state: state.describe('Main office in the latest filing: EDGAR code of the state or country'),
    status: z
      .enum(STATUSES)
      .describe('withdrawn: a withdrawal was filed and no registration since; an amendment changes nothing'),
    filing_count: z.int().describe('Filings that are here'),
    registration_count: z.int().describe('Of them CFPORTAL'),
    amendment_count: z.int().describe('Of them CFPORTAL/A'),
    withdrawal_count: z.int().describe('Of them CFPORTAL-W'),
    first_filing: reference.describe('The oldest filing that is here'),
    latest_filing: reference,
  })
  .meta({ id: 'Portal' })

export const page = z
  .object({
    rows: z.array(portal),
    total: z.int().describe('Portals that match; by cursor, those that matched when the first page was asked for'),
    total_is: countedTotal.total_is,
    ...requestedPage,
    next_cursor: nextCursorOnRequest,
    ...notLoaded,
  })
  .meta({ id: 'PortalPage' })

export type Page = z.infer<typeof page>
