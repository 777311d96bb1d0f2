import { z } from 'zod'
import { BULK, SPINE } from '../../declare/catalog.ts'
import { crd, get, whole } from '../../declare/route.ts'
import { type Missing, nothing, notLoaded, withMissing } from '../../serve/loaded.ts'
import type { Sql } from '../../store/db.ts'
import * as queries from './queries.ts'

const amount = z.string().nullable().describe('US dollars')
const day = z.iso.date().nullable()

const registeredFunds = z.object({
  crd: z.string(),
  fund_count: z.int(),
  advised_count: z.int(),
  subadvised_count: z.int(),
  total_net_assets: z.number().nullable().describe('US dollars; null when no fund is known'),
  funds: z.array(
    z.object({
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
    }),
  ),
  ...notLoaded,
})

const moneyMarketFunds = z.object({
  match: z.boolean().describe('A money market fund of the adviser was matched'),
  crd: z.string(),
  funds: z.array(
    z.object({
      cik: z.string(),
      registrant_name: z.string(),
      latest_report_date: z.iso.date(),
      latest_net_assets: amount,
      latest_seven_day_gross_yield: z.string().nullable(),
      latest_mmf_category: z.string(),
      last_advised_report: z.iso.date(),
      is_current: z.boolean(),
    }),
  ),
  ...notLoaded,
})

const activity = z.object({
  crd: z.string(),
  from: z.iso.date().describe('First day that is counted'),
  days: z.array(
    z.object({
      form: z.string().describe('ADV, ADV-W, or the form code of EDGAR'),
      d: z.iso.date(),
      n: z.int().describe('Filings of that form on that day'),
    }),
  ),
  covered: z
    .array(
      z.object({
        source: z.string().describe('ADV_FILING_DATA and ADV_W: months of data files. edgar: the listed filings'),
        from: z.iso.date().describe('First day; of edgar that of its oldest filing'),
        to: z.iso.date().describe('Last day; of edgar that of its newest filing'),
      }),
    )
    .describe(
      'Days of which filings are known: on others a day that is missing above may have had some. Empty with the bundled sample, which has a selection of filings',
    ),
  ...notLoaded,
})

export type FilingActivity = z.infer<typeof activity>

const ADVISERS = {
  series: {
    IA_FIRM_SEC: 'advisers registered with the SEC are missing',
    IA_FIRM_STATE: 'advisers registered with states are missing',
    ADV_FILING_DATA: 'filings of Form ADV are not known',
  },
}
const FILINGS = {
  series: { ADV_FILING_DATA: 'filings of Form ADV are not known', ADV_W: 'withdrawals are not known' },
  edgar: true,
  whole: true,
}

/** Until the reports are read there is nothing to find: of a firm that is known the answer says so. */
async function whenKnown<T extends object>(sql: Sql, crd: string, missing: Missing, answer: T) {
  return (await queries.isKnown(sql, crd)) ? { ...answer, not_loaded: [missing] } : nothing(sql, ADVISERS)
}

const unread = (source: string, what: string): Missing => ({
  source,
  note: `Form ${source} is not read by this release: ${what}`,
})

export const registered = get('/adv/advisers/by-crd/{crd}/registered-funds', {
  name: 'adv_registered_funds',
  summary: 'Registered funds that an adviser advises or subadvises (N-CEN)',
  description: 'Form N-CEN is not read by this release: no fund is known, the list is empty, and not_loaded says so.',
  tag: 'advlinks',
  reads: ['adv', BULK],
  input: { crd },
  output: registeredFunds,
  run: ({ crd }, { sql }) =>
    whenKnown(sql, crd, unread('N-CEN', 'whether the firm advises registered funds is not known'), {
      crd,
      fund_count: 0,
      advised_count: 0,
      subadvised_count: 0,
      total_net_assets: null,
      funds: [],
    }),
})

export const moneyMarket = get('/adv/advisers/by-crd/{crd}/money-market-funds', {
  name: 'adv_money_market_funds',
  summary: 'Money market funds that an adviser advises (N-MFP)',
  description: 'Form N-MFP is not read by this release: no fund is matched, the list is empty, and not_loaded says so.',
  tag: 'advlinks',
  reads: ['adv', BULK],
  input: { crd },
  output: moneyMarketFunds,
  run: ({ crd }, { sql }) =>
    whenKnown(sql, crd, unread('N-MFP', 'whether the firm advises money market funds is not known'), {
      match: false,
      crd,
      funds: [],
    }),
})

export const filingActivity = get('/adv/advisers/by-crd/{crd}/filing-activity', {
  name: 'adv_filing_activity',
  summary: 'Filings of an adviser by day and form: Form ADV, ADV-W and those of the EDGAR filers it is linked to',
  description: `Days are counted back from the newest day on which this service knows any filing, so that an answer changes only with the data. At most ${queries.FILINGS_MAX} filings of EDGAR are counted, the newest; from is then later than asked.`,
  tag: 'advlinks',
  reads: ['adv', BULK, SPINE],
  cost: 'list',
  input: { crd, years: whole({ min: 1, max: 50, describe: 'Years to look back, 1 to 50' }).default(5) },
  output: activity,
  run: async (input, { sql }) => {
    const found = await queries.filingActivity(sql, input)
    return found ? withMissing(sql, FILINGS, found) : nothing(sql, ADVISERS)
  },
})
