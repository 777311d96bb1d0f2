/** Shape of the registered funds of an adviser: the contract's fields, and how each fund was found. */
import { z } from 'zod'
import {
  accession,
  cik,
  confidence,
  count,
  crd,
  date,
  fileNumber,
  ratio,
  text,
  texts,
  usd,
} from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { standing } from './rollups.ts'
import { fund } from './tables/fund.ts'
import { report } from './tables.ts'
import { ncenStanding } from './views.ts'

export const METHODS = ['crd', '801_number', 'lei', 'name'] as const

const registeredFund = z
  .object({
    series_id: text(
      'Series identifier of EDGAR: S000012345; null for a fund without series, as closed-end funds are',
    ).nullable(),
    fund_name: text('Name of the fund in its newest N-CEN').nullable(),
    role: text('What the adviser is to the fund: adviser, or subadviser if it is only that', {
      values: ['adviser', 'subadviser'],
    }),
    is_etf: fund.columns.is_etf,
    is_money_market: fund.columns.is_money_market,
    monthly_avg_net_assets: fund.columns.monthly_avg_net_assets,
    ncen_filing_date: date('Filing date of the newest N-CEN about the fund'),
    nport_net_assets: usd('Net assets in the newest N-PORT, US dollars').nullable(),
    nport_report_date: date('Day of which that N-PORT tells').nullable(),
    registrant_cik: cik('CIK of the registrant'),
    registrant_name: report.columns.registrant_name,
    mmf_seven_day_yield: ratio('Seven-day gross yield of a money market fund as filed: 0.0532 is 5.32 %').nullable(),
    mmf_net_assets: usd('Net assets of a money market fund, US dollars (N-MFP)').nullable(),
    mmf_report_date: date('Last day of the month of which that N-MFP tells').nullable(),
    cef_file_number: fileNumber('File number of a closed-end fund under the Investment Company Act, 811-').nullable(),
    cef_first_seen_year: z
      .int()
      .nullable()
      .describe('Year of the first filing of a closed-end fund that is listed here'),
    cef_last_seen_year: z.int().nullable().describe('Year of its last filing that is listed here'),
    is_current: z
      .boolean()
      .describe('The newest N-CEN about the fund names the adviser as one of its end, and the fund is not over'),
    cef_active: z
      .boolean()
      .nullable()
      .describe(
        'A closed-end fund that is not over, was not deregistered, and filed something within the 18 months before the newest filing that is listed here',
      ),
    fund: standing.columns.fund,
    roles: texts('Both, where it is adviser and subadviser of the fund; of a fund that it left, what it was', {
      values: ['adviser', 'subadviser'],
    }),
    method: text(
      'How the report names the adviser. crd: by its CRD number. 801_number: by its SEC file number, and by no CRD number that any adviser has. lei: by its LEI, and by no such number. name: by its legal name, which no other adviser has, with its state, and by no number that any adviser has',
      { values: METHODS },
    ),
    confidence: confidence('0 to 1: 1 for a CRD number, 0.95 for a file number, 0.9 for an LEI, 0.6 for a name'),
    basis: text('What was compared: 108477, 801-56720, an LEI, or a name and a state'),
    last_advised_period: date(
      'Last day of the newest period whose report names the adviser as one of its end',
    ).nullable(),
    ended_by: ncenStanding.columns.ended_by,
    net_assets: usd('The newest of the figures above, or daily average net assets, US dollars').nullable(),
    net_assets_date: date('Day that this figure is of').nullable(),
    master: text('The master fund that this one feeds, where the adviser advises that too').nullable(),
    is_summed: z
      .boolean()
      .describe(
        'Its figure is in total_net_assets: a fund of now that has one, and that feeds no master whose own is there',
      ),
    ncen_accession: accession('The newest N-CEN about the fund'),
  })
  .meta({ id: 'RegisteredFund' })

export const registeredFunds = z
  .object({
    crd: crd('CRD number of the adviser'),
    fund_count: count('Funds that it advises or subadvises, or did: each once'),
    advised_count: count('Of those, the ones that it is or was the adviser of'),
    subadvised_count: count('Of those, the ones that it is or was a subadviser of; a fund may be in both counts'),
    current_count: count('Of all, the ones that it advises or subadvises now'),
    total_net_assets: z
      .number()
      .nullable()
      .describe(
        'Net assets of the funds of now, each once and no feeder of a master that is among them, US dollars; null without any',
      )
      .meta({ 'x-unit': 'USD' }),
    funds: z.array(registeredFund).describe('The funds of now first, by net assets; at most 2,000'),
    ...notLoaded,
  })
  .meta({ id: 'RegisteredFunds' })

export type RegisteredFunds = z.infer<typeof registeredFunds>
