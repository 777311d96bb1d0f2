/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { count, text } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { standing } from './rollups.ts'
import * as funds from './tables/fund.ts'
import * as providers from './tables/provider.ts'
import * as tables from './tables.ts'
import { ncenStanding } from './views.ts'

export const isCounted = z.boolean().describe('True if this report is the one that counts for the fund and its period')
export const fundCount = count('Number of funds in the report')
export const roles = (says: string) => z.record(z.string(), z.int()).describe(says)

export const providerPage = z
  .object({
    accession: tables.report.row.shape.accession,
    amended_by: amendedBy,
    total: count('Number of providers in the report that match'),
    rows: z.array(providers.provider.parsed.omit({ n: true }).meta({ id: 'NcenProvider' })),
    next_cursor: z.string().nullable().describe('The cursor of the next page; null on the last page'),
    ...notLoaded,
  })
  .meta({ id: 'NcenProviderPage' })

export type ProviderPage = z.infer<typeof providerPage>

const { is_etf, is_money_market, monthly_avg_net_assets, daily_avg_net_assets } = funds.fund.columns

export const registrant = z
  .object({
    cik: standing.columns.cik,
    registrant_name: tables.report.columns.registrant_name,
    file_number: tables.report.columns.file_number,
    classification: tables.report.columns.classification,
    is_last_filing: tables.report.columns.is_last_filing,
    accession: tables.report.row.shape.accession.describe('Newest report of the registrant, about its latest period'),
    filed_date: tables.report.row.shape.filed_date,
    period: tables.report.columns.period,
    fund_count: count('Number of funds that any of its reports names, including funds that have ended'),
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
              .array(text('Name of an adviser or subadviser'))
              .describe('Advisers and subadvisers of the fund in the report `accession` who were not dismissed'),
          })
          .meta({ id: 'NcenRegistrantFund' }),
      )
      .describe('Each fund, as the report that counts for its newest period shows it'),
  })
  .meta({ id: 'NcenRegistrant' })

export type Registrant = z.infer<typeof registrant>
