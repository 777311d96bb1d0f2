import { byCursor, countedBy, filedOn } from '../../declare/paging.ts'
import { choice, cik, get, limit, offset, query } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { show } from '../../serve/details.ts'
import { withMissing } from '../../serve/loaded.ts'
import { page } from './answers.ts'
import * as queries from './queries.ts'
import { CATEGORIES } from './tables-words.ts'

const READ = { families: { proxies: 'proxy and information statements (14A, 14C)' } }

export const search = get('/proxies', {
  name: 'proxies',
  summary: 'List proxy statements with their meetings',
  description:
    'Proxy and information statements with their meetings, newest first. One row per filing of the DEF 14A family. It has the company whose shareholders vote, and the filer if that is not the company. It has the meeting date and record date if the text states them clearly.',
  tag: 'companies',
  bucket: 'search',
  leads: { found: { cik: { in: 'proxies.company', by: 'cik' } } },
  mistaken: { ids: ['q', 'cik'] },
  input: {
    q: query(`Name of the company. ${NAME_MEANING}`).optional(),
    cik: cik.describe('CIK of a company whose holders vote, with or without leading zeros').optional(),
    ...filedOn,
    category: choice(CATEGORIES, 'Only filings of this kind, which follows from the form code').optional(),
    sort: choice(queries.SORTS, 'Sorts by the date of filing, or by the name of the company').default('date'),
    dir: choice(['asc', 'desc'], 'Ascending (asc) or descending (desc) order').default('desc'),
    limit: limit({ max: 50, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...countedBy(['category', 'month']),
  },
  examples: [
    {},
    { category: 'contested' },
    { cik: '320193', category: 'definitive', from: '2020-01-01', to: '2026-12-31' },
    { q: 'microsoft', sort: 'name', dir: 'asc' },
  ],
  output: page,
  unrequested: 'none',
  rows: 'rows',
  run: async (input, { sql }) => {
    const found = await queries.search(sql, input)
    return found.rows.length > 0 ? found : withMissing(sql, READ, found)
  },
})

export const detail = show('/proxies/by-accession/{accession}', {
  name: 'proxy',
  summary: 'Show a proxy statement',
  description:
    'The company, the meeting, the proposals with the board’s recommendations, and pay versus performance. A fact is read only from words that can mean nothing else, and has its sentence as evidence. If the statement gives different values for a fact, the fact is left out and named in left_out. A list of proposals is left out if it may be incomplete.',
  tag: 'companies',
  detail: queries.detail,
  sources: READ,
  examples: [{ accession: '0001308179-25-000008' }],
})
