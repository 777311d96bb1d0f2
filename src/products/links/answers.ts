/** What answers about the filings and funds of an adviser are made of. */
import { z } from 'zod'
import { cik, count, crd, date, fileNumber, percent, text, usd } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'

const adviser = crd('CRD number of the adviser')

export const registeredFunds = z
  .object({
    crd: adviser,
    fund_count: count('Funds that it advises or subadvises'),
    advised_count: count('Funds that it advises'),
    subadvised_count: count('Funds that it subadvises'),
    total_net_assets: z
      .number()
      .nullable()
      .describe('Net assets of all, US dollars; null when no fund is known')
      .meta({ 'x-unit': 'USD' }),
    funds: z.array(
      z
        .object({
          series_id: text('Series identifier of EDGAR: S000012345'),
          fund_name: text('Name of the series'),
          role: text('What the adviser is to the fund: adviser or subadviser'),
          is_etf: z.boolean().describe('An exchange-traded fund'),
          is_money_market: z.boolean().nullable().describe('A money market fund'),
          monthly_avg_net_assets: usd('Monthly average net assets of the year, US dollars (N-CEN)').nullable(),
          ncen_filing_date: date('Filing date of the newest N-CEN').nullable(),
          nport_net_assets: usd('Net assets in the newest N-PORT, US dollars').nullable(),
          nport_report_date: date('Day of which that N-PORT tells').nullable(),
          registrant_cik: cik('CIK of the registrant'),
          registrant_name: text('Name of the registrant'),
          mmf_seven_day_yield: percent('Seven-day yield of a money market fund').nullable(),
          mmf_net_assets: usd('Net assets of a money market fund, US dollars (N-MFP)').nullable(),
          mmf_report_date: date('Day of which that N-MFP tells').nullable(),
          cef_file_number: fileNumber('SEC file number of a closed-end fund').nullable(),
          cef_first_seen_year: z.int().nullable().describe('First year in which a closed-end fund filed'),
          cef_last_seen_year: z.int().nullable().describe('Last year in which a closed-end fund filed'),
          is_current: z.boolean().describe('Its newest filings name the adviser'),
          cef_active: z.boolean().nullable().describe('A closed-end fund that still files'),
        })
        .meta({ id: 'RegisteredFund' }),
    ),
    ...notLoaded,
  })
  .meta({ id: 'RegisteredFunds' })

export const activity = z
  .object({
    crd: adviser,
    from: z.iso.date().describe('First day that is counted'),
    days: z.array(
      z
        .object({
          form: z.string().describe('ADV, ADV-W, or the form code of EDGAR'),
          d: date('Day of filing'),
          n: count('Filings of that form on that day'),
        })
        .meta({ id: 'FilingDay' }),
    ),
    covered: z
      .array(
        z
          .object({
            source: z.string().describe('ADV_FILING_DATA and ADV_W: months of data files. edgar: the listed filings'),
            from: z.iso.date().describe('First day; of edgar that of its oldest filing'),
            to: z.iso.date().describe('Last day; of edgar that of its newest filing'),
          })
          .meta({ id: 'CoveredDays' }),
      )
      .describe(
        'Days of which filings are known: on others a day that is missing above may have had some. Empty with the bundled sample, which has a selection of filings',
      ),
    ...notLoaded,
  })
  .meta({ id: 'FilingActivity' })

export type FilingActivity = z.infer<typeof activity>
