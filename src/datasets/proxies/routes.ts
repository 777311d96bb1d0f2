import { byCursor, counted, filedOn } from '../../declare/paging.ts'
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
    'Proxy and information statements with their meetings, newest first. One row a filing of the DEF 14A family: the company whose holders are asked, who filed where that is another, the day of the meeting and of record where the text says them for certain.',
  tag: 'companies',
  bucket: 'search',
  leads: { found: { cik: { in: 'proxies.statement', by: 'cik' } } },
  input: {
    q: query(`Name of the company. ${NAME_MEANING}`).optional(),
    cik: cik.describe('CIK of the company, with or without leading zeros').optional(),
    ...filedOn,
    category: choice(CATEGORIES, 'What the filing is, by its form').optional(),
    sort: choice(queries.SORTS, 'date of filing, or name of the company').default('date'),
    dir: choice(['asc', 'desc'], 'Direction').default('desc'),
    limit: limit({ max: 50, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...counted,
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
    'The company, the meeting, the proposals with the board’s recommendations, and pay versus performance. A fact is only read from words that can mean nothing else, and stands with its sentence in evidence; a fact that is stated in two ways is left out and named in left_out. An incomplete list of proposals is not given.',
  tag: 'companies',
  detail: queries.detail,
  sources: READ,
  examples: [{ accession: '0001308179-25-000008' }],
})
