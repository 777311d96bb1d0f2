import { z } from 'zod'
import { byCursor, counted } from '../../declare/paging.ts'
import { cik, day, flag, get, limit } from '../../declare/route.ts'
import { show } from '../../serve/details.ts'
import { FUND, FUND_READS, ofRegistrant } from '../../serve/funds.ts'
import { list } from '../../serve/lists.ts'
import { nothing } from '../../serve/loaded.ts'
import * as answers from './answers.ts'
import * as listed from './queries/funds.ts'
import { holdings } from './queries/holdings.ts'
import * as queries from './queries.ts'
import { report } from './tables.ts'

const READ = { families: { nport: 'portfolios of funds (N-PORT)' } }

export const detail = show('/nport/filings/by-accession/{accession}', {
  name: 'nport_detail',
  summary: 'Show a fund’s portfolio report (N-PORT)',
  description:
    'The fund, its assets and flows, the sum of its holdings, and the holdings in pages. Holdings come in the order of the document. Some have further details: terms of debt, derivatives with their references at every depth, repurchase agreements, lending, and further identifiers. `quality` says whether the holdings add up to the assets of the fund.',
  tag: 'funds',
  detail: queries.detail,
  sources: READ,
  input: { limit: limit({ max: 1000, default: 100 }), ...byCursor },
  rows: 'holdings',
  examples: [{ accession: '0000894189-26-016628' }],
})

const series = z
  .string()
  .overwrite((value) => value.replace(/^\d{10}-(?=S\d{9}$)/i, ''))
  .regex(/^([Ss]\d{9}|\d{1,10})$/, {
    error: 'must be a series such as S000016548, or a CIK of at most ten digits; /v1/search finds the series of a name',
  })
  .overwrite((value) => (/^\d/.test(value) ? value.padStart(10, '0') : value.toUpperCase()))
  .describe(
    'Series of the fund, S and nine digits; for a fund without series the CIK of its registrant. A ticker or a class (C000007812) works too',
  )

export const fundHoldings = get('/funds/{series}/holdings', {
  name: 'fund_holdings',
  summary: 'List what a fund holds',
  description:
    'Holdings of a fund at the end of a period (Form N-PORT), each with the filing that states it. The newest report of a period counts. A late amendment of an older period does not replace the report of a newer period. If a period has no report, `state` says why: not reported, not filed by the day as_of, or not loaded. Private holdings have no CUSIP, but they have an id that is made from the name.',
  tag: 'funds',
  cost: 'heavy',
  leads: {
    front: true,
    also: [
      {
        ...{
          name: 'ncen_registrant',
          of: ['cik'],
          in: 'ncen.report',
          by: 'cik',
          gives: 't.cik',
          order: 't.cik',
        },
        to: '/ncen/registrants/{cik}',
      },
    ],
  },
  input: {
    series,
    period: day('Day for which holdings are reported; the default is the newest').optional(),
    as_of: day('Answers with what was known on this day: ignores reports that were filed later').optional(),
    changes: flag(
      'Adds to each holding its change since the previous period, and lists the holdings that are no longer held',
    ).default(false),
    limit: limit({ max: 1000, default: 100 }),
    ...byCursor,
    ...counted,
  },
  examples: [
    { series: '1843974' },
    { series: 'S000002848', period: '2026-06-30', as_of: '2026-08-31', changes: 'true' },
  ],
  output: answers.fundHoldings,
  rows: 'rows',
  run: async (input, { sql }) => (await holdings(sql, input)) ?? nothing(sql, READ),
})

export const funds = list('/funds', {
  name: 'funds',
  summary: 'List funds with their net assets',
  description:
    'Funds that report their holdings on Form N-PORT, with their newest net assets, the largest first. Funds that stopped reporting are listed with their last report, and is_current is false for them.',
  tag: 'funds',
  reads: FUND_READS,
  cost: 'list',
  rows: listed.funds,
  things: { called: 'Funds' },
  names: { says: 'Name of the fund or its registrant', of: ['name'], or: FUND },
  filters: {
    cik: { where: ofRegistrant(report), type: cik.describe('CIK of the registrant, with or without leading zeros') },
  },
  day: { column: 'filed_date', says: 'newest report' },
  sorts: { net_assets: ['-net_assets', '-fund'], period: ['-period', '-fund'], name: ['-name_key', '-fund'] },
  sortedBy: 'Sorts by net assets, by the newest period, or by name',
  sources: READ,
  examples: [
    { sort: 'net_assets', dir: 'desc' },
    { q: 'destiny' },
    { cik: '1843974', from: '2020-01-01', to: '2026-12-31' },
  ],
})
