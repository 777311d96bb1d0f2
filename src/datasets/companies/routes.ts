import { everyFiling, SPINE } from '../../declare/catalog.ts'
import { byCursor, counted } from '../../declare/paging.ts'
import { cik, get, limit, query } from '../../declare/route.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import { namersOf } from '../../serve/named-in.ts'
import * as answers from './answers.ts'
import { mentioned } from './mentioned.ts'
import * as queries from './queries.ts'
import { search as found, RESULTS_MAX } from './queries-search.ts'

const SOURCES = {
  series: { SUBMISSIONS: 'profiles of companies from their JSON files are not known' },
  edgar: true,
}

export const profile = get('/companies/{cik}', {
  name: 'company',
  summary: 'Show a company',
  description:
    'A company or other filer: names, tickers, addresses, former names, and the address of its filings. If EDGAR’s JSON file of the company was loaded, the data come from it. Otherwise they come from the newest of its filings whose header was read, from the index alone, or from rows of other filings that name it. `source` names the source. Every CIK that any answer names is accepted here.',
  tag: 'companies',
  reads: (catalog) => [...everyFiling(catalog), ...namersOf(catalog, 'cik'), 'identifiers'],
  leads: {
    found: { cik: null },
    also: [
      {
        ...{ name: 'adviser', in: 'links.link', by: 'cik', gives: 't.crd', order: 't.confidence desc, t.crd' },
        to: '/adv/advisers/by-crd/{crd}',
      },
    ],
  },
  input: { cik },
  examples: [{ cik: '320193' }],
  output: answers.profile,
  run: async ({ cik }, context) => {
    const { sql } = context
    const company = (await queries.profile(sql, cik)) ?? (await mentioned(context, cik))
    if (!company) return nothing(sql, SOURCES)
    return company.source === 'submissions' ? company : withMissing(sql, { ...SOURCES, whole: true }, company)
  },
})

export const search = get('/companies', {
  name: 'companies',
  summary: 'Find a company by ticker, CIK or name',
  description: `Type-ahead search for companies and other filers by ticker, CIK or name. Matches, best first: (1) a current ticker in any spelling (brk-b, BRK.B, JPMpC, $AAPL, NASDAQ:AAPL, AAPL US); (2) a ticker that only filings state, or that a company had before (found_by shows which); (3) a CIK, or a series or class of a trust; (4) current and former names in any spelling, even mistyped. Among names, traded companies and frequent filers come first. At most ${RESULTS_MAX} rows are found.`,
  tag: 'companies',
  bucket: 'search',
  reads: [SPINE, 'identifiers', 'nport'],
  input: {
    q: query('Ticker, CIK or name, current or former'),
    limit: limit({ max: 50, default: 20 }),
    ...byCursor,
    ...counted,
  },
  examples: [{ q: 'masterworks' }, { q: 'jp morgan' }, { q: 'brk-b' }, { q: '320193' }],
  output: answers.page,
  rows: 'rows',
  run: async (params, { sql }) => withMissing(sql, SOURCES, await found(sql, params)),
})
