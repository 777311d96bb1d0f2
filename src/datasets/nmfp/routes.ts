import { BULK } from '../../declare/catalog.ts'
import { byCursor } from '../../declare/paging.ts'
import { cik, crd, day, get, limit } from '../../declare/route.ts'
import { show } from '../../serve/details.ts'
import { FUND, FUND_READS, ofRegistrant } from '../../serve/funds.ts'
import { list } from '../../serve/lists.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import * as answers from './answers.ts'
import * as adviser from './queries/adviser.ts'
import * as listed from './queries/funds.ts'
import * as queries from './queries.ts'
import { report } from './tables.ts'

const READ = { families: { nmfp: 'reports of money market funds (N-MFP)' } }
const ADVISERS = {
  series: {
    IA_FIRM_SEC: 'advisers registered with the SEC are missing',
    IA_FIRM_STATE: 'advisers registered with states are missing',
    ADV_FILING_DATA: 'filings of Form ADV are not known',
  },
}

export const detail = show('/nmfp/filings/by-accession/{accession}', {
  name: 'nmfp_detail',
  summary: 'Show a money market fund’s report (N-MFP)',
  description:
    'The fund, its providers, classes and lists, and its portfolio in pages. The answer has the same fields for all four generations of the form. Weekly lists (N-MFP1, N-MFP2) have the Friday of each week, and daily lists (N-MFP3) have each business day. An item that a generation of the form lacks is null or empty. Each list shows at most 100 rows, which is more than the form has room for.',
  tag: 'funds',
  detail: queries.detail,
  sources: READ,
  input: { limit: limit({ max: 1000, default: 100 }), ...byCursor },
  rows: 'holdings',
  examples: [{ accession: '9000000071-16-000001' }, { accession: '0001410368-26-010417' }],
})

export const funds = list('/nmfp/funds', {
  name: 'nmfp_funds',
  summary: 'List money market funds with their yields',
  description:
    'Money market funds with their newest yields and net assets (Form N-MFP), the highest yield first. One row per fund, from the report of its newest month; a late amendment of an older month changes nothing. Funds that stopped reporting are listed with their last month, and is_current is false for them; `period_from` leaves them out.',
  tag: 'funds',
  reads: FUND_READS,
  cost: 'list',
  rows: listed.funds,
  things: { called: 'Funds' },
  names: { says: 'Name of the fund or its registrant', of: ['name'], or: FUND },
  filters: {
    cik: { where: ofRegistrant(report), type: cik.describe('CIK of the registrant, with or without leading zeros') },
    period_from: {
      column: 'period',
      op: '>=',
      type: day('Only funds whose newest reported month ends on this day or later'),
    },
  },
  day: { column: 'filed_date', says: 'newest report' },
  sorts: {
    yield: ['-seven_day_gross_yield', '-fund'],
    net_assets: ['-net_assets', '-fund'],
    name: ['-name_key', '-fund'],
    period: ['-period', '-fund'],
  },
  sortedBy: 'Sorts by the newest seven-day gross yield, by net assets, by name, or by the month of the newest report',
  sources: READ,
  examples: [
    { sort: 'net_assets', dir: 'desc', period_from: '2016-01-01' },
    { q: 'alliancebernstein' },
    { cik: '862021', from: '2020-01-01', to: '2026-12-31' },
  ],
})

export const adviserFunds = get('/adv/advisers/by-crd/{crd}/money-market-funds', {
  name: 'adv_money_market_funds',
  summary: 'List money market funds of an adviser',
  description:
    'Money market funds that an adviser advises or subadvises, as Forms N-MFP report them. One row per fund (series). For each fund and month, the last filed report counts. A fund is found in these reports by the SEC file number of the adviser. Otherwise it is found by the CRD number of the adviser in the N-CEN of the fund, and last by the legal name of the adviser. `method`, `confidence` and `basis` say how.',
  tag: 'advisers',
  reads: ['adv', 'ncen', BULK],
  leads: {
    found: {
      crd: {
        ...{ in: 'adv.adviser', by: 'crd' },
        where: 'exists (select from nmfp.advised d where d.number_key = t.number_key)',
      },
    },
  },
  input: { crd },
  examples: [{ crd: '108477' }],
  output: answers.adviserFunds,
  rows: 'funds',
  run: async ({ crd: number }, { sql }) => {
    if (!(await adviser.isKnown(sql, number))) return nothing(sql, ADVISERS)
    const found = await adviser.adviserFunds(sql, number)
    const answer = { match: found.length > 0, crd: number, funds: found }
    // An empty result is final only if everything is loaded: the bundled sample has a few funds.
    return answer.match ? answer : withMissing(sql, { ...READ, edgar: true, whole: true }, answer)
  },
})
