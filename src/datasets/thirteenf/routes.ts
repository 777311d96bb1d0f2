import { z } from 'zod'
import { BULK } from '../../declare/catalog.ts'
import { accession, choice, crd, get, limit, offset, query } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { filingWith } from '../../serve/filings-of.ts'
import { nothing, notLoaded, withMissing } from '../../serve/loaded.ts'
import * as queries from './queries.ts'
import * as adviser from './queries-adviser.ts'
import * as list from './queries-managers.ts'
import { filer } from './rollups.ts'
import { manager, position, quality, report, security } from './tables.ts'

const READ = { families: { thirteenf: 'reports of institutional managers (13F)' } }
const ADVISERS = {
  series: {
    IA_FIRM_SEC: 'advisers registered with the SEC are missing',
    IA_FIRM_STATE: 'advisers registered with states are missing',
    ADV_FILING_DATA: 'filings of Form ADV are not known',
  },
}

const { submission_type, amendment_number, amendment_type, period, positions, value } = report.columns
const filed = position.columns

const member = z.object({
  accession: report.row.shape.accession,
  filed_date: report.row.shape.filed_date,
  submission_type,
  amendment_number,
  amendment_type,
  part: z
    .enum(['whole', 'adds', 'replaces_named', 'replaced', 'left_out'])
    .describe(
      'Its part in the holdings: whole: the report itself; adds: its lines come to those before; replaces_named: its lines replace those of the same CUSIPs; replaced: by a later filing; left_out: for the reason among its flags',
    ),
  flags: z
    .array(z.string())
    .describe(
      'original_missing, partial_restatement, second_original, repeats_report, amendment_type_unknown, table_missing, notice, confidential_request',
    ),
  positions,
  value,
})

const line = z.object({
  n: filed.n,
  cusip: filed.cusip,
  cusip_flag: filed.cusip_flag,
  issuer_name: security.columns.issuer_name,
  title_of_class: security.columns.title_of_class,
  figi: security.columns.figi,
  value: filed.value,
  amount: filed.amount,
  kind: filed.kind,
  put_call: filed.put_call,
  discretion: filed.discretion,
  managers: filed.managers,
  votes_sole: filed.votes_sole,
  votes_shared: filed.votes_shared,
  votes_none: filed.votes_none,
})

const answer = z.object({
  filing: report.row.omit({ name_key: true, name_words: true }),
  quality: quality.parsed.describe('How much of the table was understood, and whether it agrees with its summary'),
  managers: z.array(manager.parsed).describe('Other managers of the cover and of the summary'),
  chain: z
    .array(member)
    .describe('All filings of the manager about the same quarter in the order in which they count, this one included'),
  positions: z.array(line).describe('Lines of the table in their order'),
  next_cursor: z.string().nullable().describe('For the lines that follow; null on the last page'),
  other_filings: z
    .array(filingWith({ submission_type, period, amendment_type, positions, value }))
    .describe('Up to 200 other Form 13F filings of the manager, newest first'),
})

export type Detail = z.infer<typeof answer>

export const detail = get('/thirteenf/filings/by-accession/{accession}', {
  name: 'thirteenf_detail',
  summary: 'One Form 13F: cover, other managers, quality, the filings that amend it, and its lines by pages',
  description: 'Values are US dollars, whatever unit the filing uses: scale and scale_reason say how that was decided.',
  tag: 'thirteenf',
  input: {
    accession,
    limit: limit({ max: 1000, default: 100 }),
    cursor: z.string().optional().describe('next_cursor of the page before'),
  },
  output: answer,
  run: async (input, { sql }) => (await queries.detail(sql, input)) ?? nothing(sql, READ),
})

const amount = z.string().nullable().describe('US dollars')

const holdings = z.object({
  match: z.boolean().describe('A manager that reports holdings on Form 13F was matched'),
  manager: z
    .object({ name: z.string(), cik: z.string(), city: z.string().nullable(), state: z.string().nullable() })
    .nullable(),
  latest_period: z.iso.date().nullable(),
  position_count: z.int(),
  total_value: z.string().nullable().describe('US dollars, options included, as managers add up their tables'),
  positions: z.array(
    z.object({
      cusip: z.string().nullable().describe('In capitals; null where a table has none'),
      issuer_name: z.string().nullable(),
      title_of_class: z.string().nullable(),
      value: z.string().describe('US dollars, without options'),
      shares: z.string().describe('Shares, without options and without principal of debt'),
      option_value: z.string().describe('US dollars of puts and calls on the security'),
      principal: z.string().describe('Principal of debt securities'),
      period_of_report: z.iso.date(),
    }),
  ),
  trend: z
    .array(z.object({ period_of_report: z.iso.date(), total_value: amount }))
    .describe('What each quarter was worth, the newest first'),
  ...notLoaded,
})

export type AdviserHoldings = z.infer<typeof holdings>

export const holdings13f = get('/adv/advisers/by-crd/{crd}/holdings-13f', {
  name: 'adv_holdings_13f',
  summary: 'Newest 13F holdings of an adviser, and what they were worth in each quarter',
  description:
    'The manager is the one whose reports state the CRD number of the adviser, else its SEC file number, else a filer that is linked to the adviser. Reports of a quarter are composed: a restatement replaces, new holdings add. One row a security, options and principal apart from shares.',
  tag: 'thirteenf',
  reads: ['adv', 'links', BULK],
  cost: 'heavy',
  input: { crd },
  output: holdings,
  run: async ({ crd }, { sql }) => {
    if (!(await adviser.isKnown(sql, crd))) return nothing(sql, ADVISERS)
    const found = await adviser.holdings(sql, crd)
    if (found !== null) return found
    const none = { match: false, manager: null, latest_period: null, position_count: 0, total_value: null }
    return withMissing(sql, READ, { ...none, positions: [], trend: [] })
  },
})

const managerRow = z.object({
  cik: filer.columns.cik,
  name: report.columns.manager_name,
  city: report.columns.city,
  state: report.columns.state,
  crd: report.columns.crd,
  sec_file_number: report.columns.sec_file_number,
  period: filer.columns.period,
  value: filer.columns.value,
  positions: filer.columns.positions,
  accession: filer.columns.accession,
  filed_date: filer.columns.filed_date,
})

const page = z.object({ total: z.int().describe('Managers that match'), managers: z.array(managerRow), ...notLoaded })

export type ManagerPage = z.infer<typeof page>

export const managers = get('/thirteenf/managers', {
  name: 'thirteenf_managers',
  summary: 'Managers that report holdings on Form 13F, with what their newest quarter is worth, the largest first',
  description:
    'One row a filer that reported holdings. Reports of its newest quarter are composed: a restatement replaces, new holdings add. Who files notices alone, since others report everything, is not listed.',
  tag: 'thirteenf',
  input: {
    q: query(`Name of the manager. ${NAME_MEANING}`).optional(),
    sort: choice(list.SORTS, 'value of the newest quarter, the quarter itself, or name').default('value'),
    dir: choice(['asc', 'desc'], 'Direction').default('desc'),
    limit: limit({ max: 100, default: 50 }),
    offset: offset(),
  },
  output: page,
  run: async (input, { sql }) => {
    const found = await list.managers(sql, input)
    return found.total > 0 ? found : withMissing(sql, READ, found)
  },
})
