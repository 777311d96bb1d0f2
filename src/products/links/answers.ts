/** What answers about the filings and funds of an adviser are made of. */
import { z } from 'zod'
import { notLoaded } from '../../serve/loaded.ts'

const amount = z.string().nullable().describe('US dollars')
const day = z.iso.date().nullable()

export const registeredFunds = z
  .object({
    crd: z.string(),
    fund_count: z.int(),
    advised_count: z.int(),
    subadvised_count: z.int(),
    total_net_assets: z.number().nullable().describe('US dollars; null when no fund is known'),
    funds: z.array(
      z
        .object({
          series_id: z.string(),
          fund_name: z.string(),
          role: z.string(),
          is_etf: z.boolean(),
          is_money_market: z.boolean().nullable(),
          monthly_avg_net_assets: amount,
          ncen_filing_date: day,
          nport_net_assets: amount,
          nport_report_date: day,
          registrant_cik: z.string(),
          registrant_name: z.string(),
          mmf_seven_day_yield: z.string().nullable(),
          mmf_net_assets: amount,
          mmf_report_date: day,
          cef_file_number: z.string().nullable(),
          cef_first_seen_year: z.int().nullable(),
          cef_last_seen_year: z.int().nullable(),
          is_current: z.boolean(),
          cef_active: z.boolean().nullable(),
        })
        .meta({ id: 'RegisteredFund' }),
    ),
    ...notLoaded,
  })
  .meta({ id: 'RegisteredFunds' })

export const moneyMarketFunds = z
  .object({
    match: z.boolean().describe('A money market fund of the adviser was matched'),
    crd: z.string(),
    funds: z.array(
      z
        .object({
          cik: z.string(),
          registrant_name: z.string(),
          latest_report_date: z.iso.date(),
          latest_net_assets: amount,
          latest_seven_day_gross_yield: z.string().nullable(),
          latest_mmf_category: z.string(),
          last_advised_report: z.iso.date(),
          is_current: z.boolean(),
        })
        .meta({ id: 'MoneyMarketFund' }),
    ),
    ...notLoaded,
  })
  .meta({ id: 'MoneyMarketFunds' })

export const activity = z
  .object({
    crd: z.string(),
    from: z.iso.date().describe('First day that is counted'),
    days: z.array(
      z
        .object({
          form: z.string().describe('ADV, ADV-W, or the form code of EDGAR'),
          d: z.iso.date(),
          n: z.int().describe('Filings of that form on that day'),
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
