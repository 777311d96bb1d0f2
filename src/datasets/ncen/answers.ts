/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { count, text } from '../../declare/table.ts'
import { filingWith } from '../../serve/filings-of.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { standing } from './rollups.ts'
import * as funds from './tables/fund.ts'
import * as providers from './tables/provider.ts'
import * as rest from './tables/rest.ts'
import * as tables from './tables.ts'
import { ncenStanding } from './views.ts'

const plain = { n: true } as const
/** Leaves out the fund, since the row stands inside its fund. */
const inFund = { n: true, fund: true } as const

const adviser = providers.adviser.parsed.omit({ ...inFund, name_key: true, number_key: true })

const fund = funds.fund.parsed
  .extend({
    is_counted: z.boolean().describe('This report is the one that counts about the fund and its period'),
    advisers: z.array(adviser.meta({ id: 'NcenAdviser' })).describe('Advisers and subadvisers, dismissed ones too'),
    share_classes: z.array(funds.share_class.parsed.omit(inFund).meta({ id: 'NcenShareClass' })),
    related_funds: z
      .array(funds.related_fund.parsed.omit(inFund).meta({ id: 'NcenRelatedFund' }))
      .describe('Masters and feeders'),
    foreign_subsidiaries: z.array(funds.foreign_subsidiary.parsed.omit(inFund).meta({ id: 'NcenForeignSubsidiary' })),
    credit_lines: z.array(funds.credit_line.parsed.omit(inFund).meta({ id: 'NcenCreditLine' })),
    interfund_loans: z.array(funds.interfund_loan.parsed.omit(inFund).meta({ id: 'NcenInterfundLoan' })),
    listings: z.array(rest.listing.parsed.omit(inFund).meta({ id: 'NcenListing' })),
    etf: rest.etf.parsed
      .omit(inFund)
      .nullable()
      .describe('Part E; null where it is not answered')
      .meta({ id: 'NcenEtf' }),
    provider_counts: z
      .record(z.string(), z.int())
      .describe('How many others work for the fund, by role: the providers are in a list of their own'),
  })
  .meta({ id: 'NcenFund' })

const { submission_type, period, registrant_name } = tables.report.columns

export const detail = z
  .object({
    filing: tables.report.row.extend({ amended_by: amendedBy }).meta({ id: 'NcenReport' }),
    persons: z
      .array(tables.person.parsed.omit(plain).meta({ id: 'NcenPerson' }))
      .describe('Directors and chief compliance officers'),
    offices: z.array(tables.office.parsed.omit(plain).meta({ id: 'NcenOffice' })).describe('Where books are kept'),
    terminated_series: z.array(tables.terminated_series.parsed.omit(plain).meta({ id: 'NcenTerminatedSeries' })),
    series_matters: z.array(tables.series_matter.parsed.omit(plain).meta({ id: 'NcenSeriesMatter' })),
    valuation_changes: z.array(tables.valuation_change.parsed.omit(plain).meta({ id: 'NcenValuationChange' })),
    closed_end: rest.closed_end.parsed
      .nullable()
      .describe('Part D; null where it is not answered')
      .meta({ id: 'NcenClosedEnd' }),
    unit_trust: rest.unit_trust.parsed
      .nullable()
      .describe('Part F; null where it is not answered')
      .meta({ id: 'NcenUnitTrust' }),
    contracts: z.array(rest.contract.parsed.omit(plain).meta({ id: 'NcenContract' })),
    provider_counts: z
      .record(z.string(), z.int())
      .describe('How many others work for the registrant itself, by role: underwriters, accountants …'),
    fund_count: count('Funds of the report'),
    funds: z.array(fund).describe('A page of the funds, in the order of the form'),
    next_cursor: z.string().nullable().describe('For the funds that follow; null on the last page'),
    other_filings: z
      .array(filingWith({ submission_type, period, registrant_name }).meta({ id: 'NcenFilingRow' }))
      .describe('Up to 200 other Form N-CEN filings of the registrant, newest first'),
    ...notLoaded,
  })
  .meta({ id: 'NcenDetail' })

export type Detail = z.infer<typeof detail>

export const providerPage = z
  .object({
    accession: tables.report.row.shape.accession,
    amended_by: amendedBy,
    total: count('Providers of the report that match'),
    providers: z.array(providers.provider.parsed.omit(plain).meta({ id: 'NcenProvider' })),
    next_cursor: z.string().nullable().describe('The cursor of the next page; null on the last page'),
    ...notLoaded,
  })
  .meta({ id: 'NcenProviderPage' })

export type ProviderPage = z.infer<typeof providerPage>

const { is_etf, is_money_market, monthly_avg_net_assets, daily_avg_net_assets } = funds.fund.columns

export const registrant = z
  .object({
    cik: standing.columns.cik,
    registrant_name,
    file_number: tables.report.columns.file_number,
    classification: tables.report.columns.classification,
    is_last_filing: tables.report.columns.is_last_filing,
    accession: tables.report.row.shape.accession.describe('Its newest report, of the latest period'),
    filed_date: tables.report.row.shape.filed_date,
    period,
    fund_count: count('Funds of which any report tells, those that are over too'),
    funds: z
      .array(
        z
          .object({
            fund: standing.columns.fund,
            series_id: standing.columns.series_id,
            name: funds.fund.columns.fund_name,
            ...{ is_etf, is_money_market, monthly_avg_net_assets, daily_avg_net_assets },
            period: standing.columns.period,
            accession: standing.columns.accession,
            filed_date: standing.columns.filed_date,
            ended_by: ncenStanding.columns.ended_by,
            advisers: z
              .array(text('Name of an adviser or subadviser of that report'))
              .describe('Advisers and subadvisers of that report who were not dismissed'),
          })
          .meta({ id: 'NcenRegistrantFund' }),
      )
      .describe('Each fund as the report shows it that counts of its newest period'),
  })
  .meta({ id: 'NcenRegistrant' })

export type Registrant = z.infer<typeof registrant>
