import { z } from 'zod'
import { amendedRows } from '../../declare/amended.ts'
import { apiError } from '../../declare/api-errors.ts'
import { byCursor, counted } from '../../declare/paging.ts'
import { choice, cik, day, get, limit, offset, wholeCusip } from '../../declare/route.ts'
import { show } from '../../serve/details.ts'
import { list } from '../../serve/lists.ts'
import { withMissing } from '../../serve/loaded.ts'
import * as answers from './answers.ts'
import * as queries from './queries.ts'

const READ = { families: { npx: 'proxy votes of funds and managers (Form N-PX)' } }

const REPORT_TYPES = [
  'FUND VOTING REPORT',
  'FUND NOTICE REPORT',
  'INSTITUTIONAL MANAGER VOTING REPORT',
  'INSTITUTIONAL MANAGER NOTICE REPORT',
  'INSTITUTIONAL MANAGER COMBINATION REPORT',
] as const

export const search = list('/npx/filings', {
  name: 'npx_filings',
  summary: 'List reports of proxy votes (Form N-PX)',
  description:
    'Reports of how funds and managers voted, newest first. Funds report all their votes; managers report votes on executive compensation, since 2024. A report and its restatements are both listed, so their votes must not be summed. amended_by names the restatements. amended=latest leaves out a report when all its series are restated. A report without XML (all before July 2024) is listed with its header only. Its vote_count is null because its votes were not read.',
  tag: 'holdings',
  rows: queries.rows,
  names: { says: 'Name of the reporting person', of: ['name'] },
  filters: {
    cik: { column: 'cik', type: cik.describe('CIK of the reporting person, with or without leading zeros') },
    report_type: { column: 'report_type', type: choice(REPORT_TYPES, 'Only reports of this kind') },
  },
  counts: ['report_type'],
  sources: READ,
  examples: [
    {},
    { q: 'schwab' },
    { report_type: 'INSTITUTIONAL MANAGER VOTING REPORT' },
    { cik: '9000000151', from: '2024-07-01', to: '2024-12-31' },
  ],
})

export const detail = show('/npx/filings/by-accession/{accession}', {
  name: 'npx_detail',
  summary: 'Show a report of proxy votes (Form N-PX)',
  description:
    'The person that reports, the managers and series of the report, and its votes in pages. A restatement replaces an earlier report and new proxies add to it, so votes of a report and of its amendments must not be summed. `management` says whether a vote followed the recommendation of management; it does not say what management recommended.',
  tag: 'holdings',
  detail: queries.detail,
  sources: READ,
  leads: {
    also: [
      {
        ...{ name: 'adviser', of: ['filing', 'crd'], in: 'adv.adviser', by: 'crd', gives: 't.crd', order: 't.crd' },
        to: '/adv/advisers/by-crd/{crd}',
      },
    ],
  },
  input: { limit: limit({ max: 1000, default: 100 }), ...byCursor },
  examples: [{ accession: '9000000151-24-000001' }, { accession: '0001021408-25-003152' }],
  rows: 'votes',
})

const HOW = ['FOR', 'AGAINST', 'ABSTAIN', 'WITHHOLD', '1 YEAR', '2 YEARS', '3 YEARS', 'NONE'] as const

export const votes = get('/npx/votes', {
  name: 'npx_votes',
  summary: 'List proxy votes',
  description:
    'How a security was voted, or how a fund, manager or series voted (Form N-PX), the newest meeting first. One row per matter and report. Votes of a report and of its restatements are both listed and must not be summed: amended_by names the restatements of a vote, and amended=latest leaves out restated votes. An amendment that adds votes does not restate any votes. A fund without series has no series_id. Votes of reports without XML (all before July 2024) are not read; vote_count of such a report in /npx/filings is null.',
  tag: 'holdings',
  leads: {
    found: {
      cik: { in: 'npx.vote', by: 'cik' },
      cusip: { in: 'npx.vote', by: 'cusip' },
      series: { in: 'npx.vote', by: 'series_id' },
    },
  },
  input: {
    cusip: wholeCusip('CUSIP of the security, nine characters').optional(),
    cik: cik.describe('CIK of the reporting person, with or without leading zeros').optional(),
    series: z
      .string()
      .regex(/^[Ss]\d{9}$/, { error: 'must be a series such as S000085693' })
      .overwrite((text) => text.toUpperCase())
      .describe('Series that voted, S and nine digits; a ticker or a class of the fund works too')
      .optional(),
    how: choice(HOW, 'Only votes in which shares were voted in this way. Needs cusip or series').optional(),
    management: choice(
      ['for', 'against'],
      'Votes that followed the recommendation of management, or went against it. If a matter was voted in several ways, one of them must match. Needs cusip or series',
    ).optional(),
    amended: amendedRows,
    from: day(
      'Only votes whose meeting was on this day or later; without a day of the meeting, the filing date counts',
    ).optional(),
    to: day(
      'Only votes whose meeting was on this day or earlier; without a day of the meeting, the filing date counts',
    ).optional(),
    limit: limit({ max: 200, default: 50 }),
    offset: offset({ max: 10_000 }),
    ...byCursor,
    ...counted,
  },
  examples: [
    { cusip: '990115107' },
    { cik: '9000000151', series: 'S000099002', amended: 'latest', from: '2024-01-01', to: '2024-06-30' },
    { cusip: '88025U109', how: 'AGAINST', management: 'against' },
  ],
  output: answers.votes,
  rows: 'rows',
  run: async (input, { sql }) => {
    const { cusip, cik: person, series, how, management } = input
    // Requires a filter: nobody needs a list of all votes, and each other filter would need its own index for such a
    // list.
    if (!cusip && !person && !series)
      throw apiError('missing_parameter', { parameter: 'cusip, cik, series', reason: 'one of them is required' })
    // A large manager has millions of votes; a search for a rare way of voting would read all of them.
    if ((how || management) && !cusip && !series) {
      const parameter = how ? 'how' : 'management'
      throw apiError('conflicting_parameters', { parameter, reason: 'only together with cusip or series' })
    }
    const found = await queries.votes(sql, input)
    return found.rows.length > 0 ? found : withMissing(sql, READ, found)
  },
  arrived: (input, arrival, { sql }) => queries.arrived(sql, input, arrival),
})
