import { cik, flag, get, query, states } from '../../declare/route.ts'
import { list } from '../../serve/lists.ts'
import { nothing } from '../../serve/loaded.ts'
import { answer } from './answers.ts'
import * as queries from './queries.ts'

const READ = { families: { x17a5: 'annual reports of broker-dealers (X-17A-5)' } }

export const search = list('/brokers', {
  name: 'brokers',
  summary: 'List broker-dealers with their annual reports',
  description:
    'Broker-dealers that file annual reports (X-17A-5), newest first. One row per filer, from its newest report; a late amendment of an older year does not change the row.',
  tag: 'brokers',
  bucket: 'search',
  rows: queries.brokers,
  things: { called: 'Brokers', in: 'brokers' },
  names: { says: 'Name of the broker', of: ['name'] },
  filters: {
    cik: { column: 'cik', type: cik.describe('CIK of the broker, with or without leading zeros') },
    state: { column: 'state', op: 'any', type: states, refuse: queries.refuseStates },
    auditor: { where: queries.byAuditor, type: query('Name of the accountant; matches in the same way as `q`') },
    weakness: {
      where: queries.withWeakness,
      type: flag(
        'true: only brokers whose newest report discloses a material weakness, by its cover or by a sentence of its text',
      ).default(false),
    },
  },
  day: { column: 'filed_date', says: 'newest report' },
  sorts: { date: ['-filed_date', '-cik'], name: ['-name_key', '-cik'] },
  sortedBy: 'Sorts by the date of the newest report, or by name',
  counts: ['state'],
  unrequested: 'none',
  sources: READ,
  examples: [
    { state: 'NY', sort: 'name', dir: 'asc' },
    { q: 'jefferies' },
    { auditor: 'deloitte' },
    { weakness: 'true' },
    { cik: '200403', from: '2015-01-01', to: '2026-12-31' },
  ],
})

export const detail = get('/brokers/{cik}', {
  name: 'broker',
  summary: 'Show a broker-dealer with its annual reports',
  description:
    'Who a broker-dealer is, and the history of its annual reports (X-17A-5). `broker` has what its newest report states. `filings` includes reports that EDGAR lists and this service has not read; their `is_read` is false.',
  tag: 'brokers',
  leads: { found: { cik: { in: 'x17a5.broker', by: 'cik' } } },
  input: { cik },
  examples: [{ cik: '200403' }],
  output: answer,
  run: async (input, { sql }) => (await queries.detail(sql, input.cik)) ?? nothing(sql, READ),
})
