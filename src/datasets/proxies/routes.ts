import { byCursor, counted } from '../../declare/paging.ts'
import { accession, choice, cik, get, limit, offset, query } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import { answer, page } from './answers.ts'
import * as queries from './queries.ts'
import { CATEGORIES } from './tables-words.ts'

const READ = { families: { proxies: 'proxy and information statements (14A, 14C)' } }

export const search = get('/proxies', {
  name: 'proxies',
  summary: 'Proxy and information statements with their meetings, the last filed first',
  description:
    'One row a filing of the DEF 14A family: the company whose holders are asked, who filed where that is another, the day of the meeting and of record where the text says them for certain.',
  tag: 'companies',
  bucket: 'search',
  input: {
    q: query(`Name of the company. ${NAME_MEANING}`).optional(),
    cik: cik.describe('CIK of the company, with or without leading zeros').optional(),
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
    { cik: '320193', category: 'definitive' },
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

export const detail = get('/proxies/by-accession/{accession}', {
  name: 'proxy',
  summary:
    'One proxy statement: its company, meeting, proposals with the board’s recommendations, and pay versus performance',
  description:
    'A fact is only read from words that can mean nothing else, and stands with its sentence in evidence; what is said in two ways is left out and named in left_out. A list of proposals that is not whole is not given.',
  tag: 'companies',
  input: { accession },
  examples: [{ accession: '0001308179-25-000008' }],
  output: answer,
  run: async (input, { sql }) => (await queries.detail(sql, input.accession)) ?? nothing(sql, READ, input.accession),
})
