import { byCursor, countedBy, filedOn } from '../../declare/paging.ts'
import { choice, cik, get, limit, offset, query, states } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { show } from '../../serve/details.ts'
import { withMissing } from '../../serve/loaded.ts'
import { page, STATUSES } from './answers.ts'
import * as queries from './queries.ts'

const READ = { families: { cfportal: 'filings of funding portals (CFPORTAL)' } }

export const portals = get('/cfportal', {
  name: 'cfportal',
  summary: 'List crowdfunding portals',
  description:
    'Funding portals with their status and latest filing, one row per portal. Name, website and office come from the latest filing. A portal is withdrawn if it filed a withdrawal and no registration after that. Only filings that are loaded on this server count.',
  tag: 'brokers',
  bucket: 'search',
  mistaken: { ids: ['q', 'cik'] },
  input: {
    q: query(`A name of the portal, or part of a website, former ones included. ${NAME_MEANING}`).optional(),
    cik: cik.describe('CIK of the portal, with or without leading zeros').optional(),
    from: filedOn.from.describe('Only portals whose latest filing was filed on this day or later'),
    to: filedOn.to.describe('Only portals whose latest filing was filed on this day or earlier'),
    state: states.optional(),
    status: choice(STATUSES, 'Status of the portal; without this parameter, portals with either status').optional(),
    sort: choice(
      queries.SORTS,
      'date: date of the latest filing; name: name of the portal; first: date of the first filing; filings: number of filings',
    ).default('date'),
    dir: choice(['asc', 'desc'], 'Ascending (asc) or descending (desc) order').default('desc'),
    limit: limit({ max: 100, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...countedBy(['state', 'status', 'month']),
  },
  examples: [
    { status: 'active', sort: 'filings', dir: 'desc' },
    { q: 'crowdsurf', state: 'TX,CA' },
    { from: '2020-01-01', to: '2026-12-31', cik: '1951877' },
  ],
  output: page,
  unrequested: 'none',
  rows: 'rows',
  run: async (input, { sql }) => {
    const found = await queries.search(sql, input)
    return found.total > 0 ? found : withMissing(sql, READ, found)
  },
})

export const detail = show('/cfportal/filing/{accession}', {
  name: 'cfportal_detail',
  summary: 'Show a filing of a crowdfunding portal',
  description:
    'All that a filing states, with its portal and the portal’s other filings. The filing is a registration, an amendment or a withdrawal. `filing` has the content of this filing, by item of the form; `portal` has the current state of the portal, from its latest filing.',
  tag: 'brokers',
  detail: queries.detail,
  sources: READ,
  examples: [{ accession: '0001213900-21-050768' }],
})
