import { BULK } from '../../declare/catalog.ts'
import { byCursor } from '../../declare/paging.ts'
import { accession, cik, crd, day, flag, get, limit, offset, whole } from '../../declare/route.ts'
import { list } from '../../serve/lists.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import * as answers from './answers.ts'
import * as adviser from './queries/adviser.ts'
import { holdings, isPlain } from './queries/holdings.ts'
import * as queries from './queries.ts'

const READ = { families: { thirteenf: 'reports of institutional managers (13F)' } }
const ADVISERS = {
  series: {
    IA_FIRM_SEC: 'advisers registered with the SEC are missing',
    IA_FIRM_STATE: 'advisers registered with states are missing',
    ADV_FILING_DATA: 'filings of Form ADV are not known',
  },
}

export const detail = get('/thirteenf/filings/by-accession/{accession}', {
  name: 'thirteenf_detail',
  summary: 'Show a Form 13F with its holdings',
  description:
    'What a manager reported for a quarter: the cover, the other managers, the lines of the table in pages, and the quality of the table. The filings that amend the report are named too. Values are US dollars, whatever unit the filing uses: `scale` says which unit the filing uses, and `scale_reason` says how this was decided. If the filing alone leaves a doubt, prices from other managers decide, once they are loaded.',
  tag: 'holdings',
  input: {
    accession,
    limit: limit({ max: 1000, default: 100 }),
    ...byCursor,
  },
  examples: [{ accession: '0001193125-26-054580' }],
  output: answers.detail,
  rows: 'positions',
  run: async (input, { sql }) => (await queries.detail(sql, input)) ?? nothing(sql, READ, input.accession),
})

/** The form has been filed since 1978. */
const quarterEnd = day('Last day of the quarter; the default is the newest quarter that was reported').refine(
  (value) => /-(03-31|06-30|09-30|12-31)$/.test(value) && value >= '1978',
  { error: 'must be the last day of a quarter since 1978, such as 2024-12-31' },
)

const input = {
  period: quarterEnd.optional(),
  as_of: day(
    'Answers with what was known on this day: ignores filings that were filed later. Whether a filing is in dollars or in thousands is decided by all prices of other managers that are known today',
  ).optional(),
  changes: flag(
    'Adds to each position its change since the quarter before, and lists closed positions. Shares, principal, puts and calls of a security are then separate rows',
  ).default(false),
  limit: whole({
    min: 1,
    max: 1000,
    describe: 'Rows in a page, at most 1000; without this parameter, all rows',
  }).optional(),
  offset: offset(),
  ...byCursor,
}

const COMPOSED =
  'Reports of a quarter are combined: a restatement replaces the report, and new holdings are added to it. One row per security, which shows options and principal separately from shares. The largest positions come first, and closed positions last.'

export const holdings13f = get('/adv/advisers/by-crd/{crd}/holdings-13f', {
  name: 'adv_holdings_13f',
  summary: 'List what an adviser holds (13F)',
  description: `The newest 13F holdings of an adviser, and what they were worth in each quarter. The manager is the one whose reports state the CRD number of the adviser, else its SEC file number, else a filer that is linked to the adviser. ${COMPOSED}`,
  tag: 'holdings',
  reads: ['adv', 'links', BULK],
  cost: 'heavy',
  leads: {
    found: {
      crd: [
        { in: 'thirteenf.report', by: 'crd', where: 't.position_count > 0' },
        {
          ...{ in: 'links.link', by: 'crd' },
          where: 'exists (select from thirteenf.report r where r.cik = t.cik and r.position_count > 0)',
        },
      ],
    },
  },
  input: { crd, ...input },
  examples: [{ crd: '132982' }, { crd: '999000001', period: '2019-09-30', as_of: '2019-12-31', changes: 'true' }],
  output: answers.adviserHeld,
  unrequested: 'none',
  rows: 'positions',
  run: async ({ crd, ...input }, { sql }) => {
    if (!(await adviser.isKnown(sql, crd))) return nothing(sql, ADVISERS)
    const found = await adviser.holdings(sql, crd, input)
    if (found !== null) return found
    const none = { match: false, manager: null, latest_period: null, position_count: 0, total_value: null }
    const rows = isPlain(input) ? {} : { row_count: 0 }
    return withMissing(sql, READ, { ...none, positions: [], trend: [], ...rows })
  },
})

export const managerHoldings = get('/thirteenf/managers/by-cik/{cik}/holdings', {
  name: 'thirteenf_holdings',
  summary: 'List what a manager holds (13F)',
  description: `The newest 13F holdings of a manager, and what they were worth in each quarter. ${COMPOSED}`,
  tag: 'holdings',
  reads: [BULK],
  cost: 'heavy',
  leads: {
    front: true,
    found: { cik: { in: 'thirteenf.filer', by: 'cik' } },
    also: [
      {
        ...{ name: 'adviser', in: 'thirteenf.report', by: 'cik', gives: 't.crd', order: 't.period desc, t.crd' },
        ...{ where: 'exists (select from adv.adviser a where a.crd = t.crd)', to: '/adv/advisers/by-crd/{crd}' },
      },
    ],
  },
  input: { cik, ...input },
  examples: [{ cik: '1067983' }, { cik: '1067983', period: '2025-12-31', as_of: '2026-03-31', changes: 'true' }],
  output: answers.held13f,
  rows: 'positions',
  run: async ({ cik, ...input }, { sql }) => (await holdings(sql, cik, input)) ?? nothing(sql, READ),
})

export const managers = list('/thirteenf/managers', {
  name: 'thirteenf_managers',
  summary: 'List managers that file Form 13F',
  description:
    'Managers that report holdings, with the value of their newest quarter, the largest first. One row per filer that reported holdings. Reports of its newest quarter are combined: a restatement replaces the report, and new holdings are added to it. A manager that files only notices, because others report all its holdings, is not listed.',
  tag: 'holdings',
  rows: queries.managers,
  things: { called: 'Managers' },
  names: { says: 'Name of the manager', of: ['name'] },
  filters: {
    cik: { column: 'cik', type: cik.describe('CIK of the manager, with or without leading zeros') },
  },
  day: { column: 'filed_date', says: 'latest filing' },
  sorts: { value: ['-value', '-cik'], period: ['-period', '-cik'], name: ['-name_key', '-cik'] },
  sortedBy: 'Sorts by the value of the newest quarter, by the quarter itself, or by name',
  sources: READ,
  examples: [
    { sort: 'value', dir: 'desc' },
    { q: 'berkshire' },
    { cik: '1067983', from: '2020-01-01', to: '2026-12-31' },
  ],
})
