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
    'A company or other filer: who it is, tickers, addresses, former names, and where its filings are. From the company’s JSON file of EDGAR where that was loaded; else from the newest header that was read of its filings, from the index alone, or from rows of other filings that name it: `source` says which. Every CIK that any answer names is answered here.',
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
  description: `Finds companies and other filers while a ticker, CIK or name is typed. Best first: a ticker in any spelling (brk-b, BRK.B, JPMpC, $AAPL, NASDAQ:AAPL, AAPL US), of now, then one that only filings name or that a company had before, which found_by says; a CIK, or a series or class of a trust, then names of now and before in any spelling, mistyped ones too, those that are traded or have many filings before others. At most ${RESULTS_MAX} are found.`,
  tag: 'companies',
  bucket: 'search',
  reads: [SPINE, 'identifiers', 'nport'],
  input: {
    q: query('Ticker, CIK or name, of now or before'),
    limit: limit({ max: 50, default: 20 }),
    ...byCursor,
    ...counted,
  },
  examples: [{ q: 'masterworks' }, { q: 'jp morgan' }, { q: 'brk-b' }, { q: '320193' }],
  output: answers.page,
  rows: 'rows',
  run: async (params, { sql }) => withMissing(sql, SOURCES, await found(sql, params)),
})
