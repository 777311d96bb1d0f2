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
    role: text('Role of the firm: adviser, or subadviser if it is only a subadviser', {
      values: ['adviser', 'subadviser'],
    }),
    is_etf: fund.columns.is_etf,
    is_money_market: fund.columns.is_money_market,
    monthly_avg_net_assets: fund.columns.monthly_avg_net_assets,
    ncen_filing_date: date('Filing date of the newest N-CEN about the fund'),
    nport_net_assets: usd('Net assets in the newest N-PORT, US dollars').nullable(),
    nport_report_date: date('Day for which the newest N-PORT reports').nullable(),
    registrant_cik: cik('CIK of the registrant'),
    registrant_name: report.columns.registrant_name,
    mmf_seven_day_yield: ratio('Seven-day gross yield of a money market fund as filed: 0.0532 is 5.32 %').nullable(),
    mmf_net_assets: usd('Net assets of a money market fund in its newest N-MFP, US dollars').nullable(),
    mmf_report_date: date('Last day of the month that the newest N-MFP is about').nullable(),
    cef_file_number: fileNumber('File number of a closed-end fund under the Investment Company Act, 811-').nullable(),
    cef_first_seen_year: z
      .int()
      .nullable()
      .describe('Closed-end fund: year of the registrant’s first filing in the loaded index; null for other funds'),
    cef_last_seen_year: z
      .int()
      .nullable()
      .describe('Closed-end fund: year of the registrant’s last filing in the loaded index; null for other funds'),
    is_current: z
      .boolean()
      .describe(
        'True if the newest N-CEN about the fund names the adviser as present at the end of its period, and the fund has not ended',
      ),
    cef_active: z
      .boolean()
      .nullable()
      .describe(
        'True for a closed-end fund that has not ended, was not deregistered, and filed something within the 18 months before the newest filing in the loaded index',
      ),
    fund: standing.columns.fund,
    roles: texts(
      'Roles of the firm for the fund: adviser, subadviser, or both. For a fund that the firm left, its former roles',
      {
        values: ['adviser', 'subadviser'],
      },
    ),
    method: text(
      'How the report names the adviser. crd: by its CRD number. 801_number: by its SEC file number; the report has no CRD number that any adviser has. lei: by its LEI; the report has neither a CRD number nor a file number that any adviser has. name: by its state and its legal name, which no other adviser has; the report has no number that any adviser has',
      { values: METHODS },
    ),
    confidence: confidence('0 to 1: 1 for a CRD number, 0.95 for a file number, 0.9 for an LEI, 0.6 for a name'),
    basis: text('Number or name by which the adviser was found: 108477, 801-56720, an LEI, or a name and a state'),
    last_advised_period: date(
      'Last day of the newest period whose report names the firm as an adviser at the end of the period',
    ).nullable(),
    ended_by: ncenStanding.columns.ended_by,
    net_assets: usd(
      'Net assets of the fund, US dollars: the newest of three figures, which are the net assets in Form N-MFP, the net assets in Form N-PORT, and the average net assets in Form N-CEN',
    ).nullable(),
    net_assets_date: date('Day of net_assets; for an average, the last day of the period').nullable(),
    master: text('The master fund that this fund feeds, if the adviser also advises the master fund').nullable(),
    is_summed: z
      .boolean()
      .describe(
        'True if the figure of the fund is part of total_net_assets: the fund is current, has a figure, and does not feed a master whose figure is included',
      ),
    ncen_accession: accession('The newest N-CEN about the fund'),
  })
  .meta({ id: 'RegisteredFund' })

export const registeredFunds = z
  .object({
    crd: crd('CRD number of the adviser'),
    fund_count: count('Number of funds that the firm advises or subadvises, or did so before; each fund counts once'),
    advised_count: count('Number of funds in fund_count of which the firm is or was an adviser'),
    subadvised_count: count(
      'Number of funds in fund_count of which the firm is or was a subadviser; a fund may be in advised_count too',
    ),
    current_count: count('Number of funds in fund_count that the firm advises or subadvises now'),
    total_net_assets: z
      .number()
      .nullable()
      .describe(
        'Net assets of current funds, US dollars. Each fund counts once, and a feeder does not count if its master does. Null if no current fund has a figure',
      )
      .meta({ 'x-unit': 'USD' }),
    funds: z.array(registeredFund).describe('Current funds first, by net assets; at most 2,000'),
    ...notLoaded,
  })
  .meta({ id: 'RegisteredFunds' })

export type RegisteredFunds = z.infer<typeof registeredFunds>
