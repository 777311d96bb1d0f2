/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { countedTotal, nextCursorOnRequest, requestedPage } from '../../declare/paging.ts'
import { filingWith } from '../../serve/filings-of.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { acquisition, answer, books, disclosure, escrow, filing, foreign_registration, name, owner } from './tables.ts'

export const STATUSES = ['active', 'withdrawn'] as const

const { cik, website, city, state, submission_type, amendment_explanation } = filing.columns

const reference = z
  .object({
    accession: filing.row.shape.accession,
    filed_date: filing.row.shape.filed_date,
    submission_type,
  })
  .meta({ id: 'PortalFilingReference' })

const portal = z
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

export const answered = z
  .object({
    filing: filing.row
      .omit({ name_key: true, name_words: true, search_key: true })
      .extend({
        amended_by: amendedBy,
        names: z
          .array(name.parsed.meta({ id: 'PortalName' }))
          .describe('Other names and websites, present and previous'),
        foreign_registrations: z.array(foreign_registration.parsed.meta({ id: 'PortalForeignRegistration' })),
        acquisitions: z
          .array(acquisition.parsed.meta({ id: 'PortalAcquisition' }))
          .describe('Funding portals to whose business it succeeds'),
        owners: z
          .array(owner.parsed.meta({ id: 'PortalOwner' }))
          .describe('Schedules A and B: direct owners and executive officers, and changes'),
        escrow: z.array(escrow.parsed.meta({ id: 'PortalEscrow' })).describe('Who holds the funds of investors'),
        books: z
          .array(books.parsed.meta({ id: 'PortalBooks' }))
          .describe('Who keeps the books and records after a withdrawal'),
        answers: z.array(answer.parsed.meta({ id: 'PortalAnswer' })).describe('The questions on disciplinary history'),
        disclosures: z
          .array(disclosure.parsed.meta({ id: 'PortalDisclosure' }))
          .describe('The pages that explain answers of yes'),
      })
      .meta({ id: 'PortalFiling' }),
    portal,
    filings: z
      .array(
        filingWith({ submission_type, name: filing.columns.name, amendment_explanation }).meta({
          id: 'PortalFilingRow',
        }),
      )
      .describe('Up to 200 filings of the portal, newest first, this one included'),
  })
  .meta({ id: 'PortalDetail' })

export type Detail = z.infer<typeof answered>
