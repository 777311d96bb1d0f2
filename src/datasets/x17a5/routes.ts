import { byCursor, counted, filedOn } from '../../declare/paging.ts'
import { choice, cik, flag, get, limit, offset, query, states } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import { answer, page } from './answers.ts'
import * as queries from './queries.ts'

const READ = { families: { x17a5: 'annual reports of broker-dealers (X-17A-5)' } }

export const search = get('/brokers', {
  name: 'brokers',
  summary: 'List broker-dealers with their annual reports',
  description:
    'Broker-dealers that file annual reports (X-17A-5), the last filed first. One row a filer, in the state of its newest report: a late amendment of an older year does not change it.',
  tag: 'brokers',
  bucket: 'search',
  leads: { found: { cik: { in: 'x17a5.broker', by: 'cik' } } },
  input: {
    q: query(`Name of the broker. ${NAME_MEANING}`).optional(),
    cik: cik.describe('CIK of the broker, with or without leading zeros').optional(),
    from: filedOn.from.describe('First day of filing of the newest report'),
    to: filedOn.to.describe('Last day of it'),
    state: states.optional(),
    auditor: query('Name of the accountant, met as the name of the broker is').optional(),
    weakness: flag(
      'true: only brokers whose newest report discloses a material weakness, by its cover or by a sentence of its text',
    ).default(false),
    sort: choice(queries.SORTS, 'date of the newest report, or name').default('date'),
    dir: choice(['asc', 'desc'], 'Direction').default('desc'),
    limit: limit({ max: 100, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...counted,
  },
  examples: [
    { state: 'NY', sort: 'name', dir: 'asc' },
    { q: 'jefferies' },
    { auditor: 'deloitte' },
    { weakness: 'true' },
    { cik: '200403', from: '2015-01-01', to: '2026-12-31' },
  ],
  output: page,
  unrequested: 'none',
  rows: 'brokers',
  run: async (input, { sql }) => {
    const found = await queries.search(sql, input)
    return found.total > 0 ? found : withMissing(sql, READ, found)
  },
})

export const detail = get('/brokers/{cik}', {
  name: 'broker',
  summary: 'Show a broker-dealer with its annual reports',
  description:
    'Who a broker-dealer is, and the history of its annual reports (X-17A-5). `broker` is how its newest report shows it. Reports that EDGAR lists and this service has not read are among `filings` with `is_read` false.',
  tag: 'brokers',
  leads: { found: { cik: { in: 'x17a5.broker', by: 'cik' } } },
  input: { cik },
  examples: [{ cik: '200403' }],
  output: answer,
  run: async (input, { sql }) => (await queries.detail(sql, input.cik)) ?? nothing(sql, READ),
})
