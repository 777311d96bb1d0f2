/** Shapes of the answers about Form N-MFP. */
import { z } from 'zod'
import { cik, confidence, count, crd, date, ratio, text, usd } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { fund_now } from './rollups.ts'
import { nmfpFund } from './views.ts'

export const isCounted = z
  .boolean()
  .describe('True for the report that counts for the fund and month: the last report filed about them')
export const collateralCount = count('Number of securities that secure the repurchase agreement')

const now = fund_now.columns

/** A fund in the list of money market funds. */
export const fundRow = z
  .object({
    ...{ fund: now.fund, cik: now.cik, series_id: now.series_id, fund_name: now.fund_name },
    ...{ registrant_name: now.registrant_name, period: now.period, net_assets: now.net_assets },
    ...{ seven_day_gross_yield: now.seven_day_gross_yield, category: now.category, is_final: now.is_final },
    is_current: nmfpFund.columns.is_current,
    ...{ accession: now.accession, filed_date: now.filed_date },
  })
  .meta({ id: 'MoneyMarketFundRow' })

export const METHODS = ['801_number', 'ncen_crd', 'name'] as const

/** Funds of an adviser, in the shape that the contract gives, with the method by which each was found. */
export const adviserFunds = z
  .object({
    match: z.boolean().describe('True if a money market fund of the adviser was found'),
    crd: crd('CRD number of the adviser'),
    funds: z.array(
      z
        .object({
          cik: cik('CIK of the registrant'),
          registrant_name: text('Name of the registrant').nullable(),
          latest_report_date: date('Last day of the newest month that the fund reported'),
          latest_net_assets: usd('Net assets of the fund in its newest report, US dollars').nullable(),
          latest_seven_day_gross_yield: ratio(
            'Seven-day gross yield in the newest report, as filed: 0.0532 is 5.32 %',
          ).nullable(),
          latest_mmf_category: text('Category of the fund in its newest report, in the words of the form').nullable(),
          last_advised_report: date('Last day of the newest month whose report names the adviser'),
          is_current: z
            .boolean()
            .describe(
              'True if the fund continues and its newest report names the adviser. A fund continues if its newest report is not its final report, and the month of this report ends at most three months before the newest month of any loaded fund',
            ),
          series_id: now.series_id,
          fund_name: now.fund_name,
          role: z
            .enum(['adviser', 'subadviser'])
            .describe(
              'Role of the adviser for the fund, in the last report that names the adviser in the way that `method` states',
            ),
          method: z
            .enum(METHODS)
            .describe(
              '801_number: the report names the SEC file number of the adviser. ncen_crd: the report names no file number that any adviser has, and the fund’s N-CEN gives the CRD number of the adviser for the name or number in the report. name: the name in the report is the legal name of this adviser and of no other adviser',
            ),
          confidence: confidence('0 to 1: 0.95 for a file number, 0.9 for a CRD number of the N-CEN, 0.6 for a name'),
          basis: text(
            'Evidence by which the fund was found: the file number (801-16048), the accession of the N-CEN, or the name',
          ),
          accession: now.accession,
        })
        .meta({ id: 'MoneyMarketFund' }),
    ),
    ...notLoaded,
  })
  .meta({ id: 'MoneyMarketFunds' })

export type AdviserFunds = z.infer<typeof adviserFunds>
