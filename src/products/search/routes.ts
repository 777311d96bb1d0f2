import { BULK, SPINE } from '../../declare/catalog.ts'
import { kindsMeant } from '../../declare/kinds-meant.ts'
import { byCursor, counted } from '../../declare/paging.ts'
import { get, known, limit, query } from '../../declare/route.ts'
import { withMissing } from '../../serve/loaded.ts'
import * as answers from './answers.ts'
import { KINDS } from './kinds.ts'
import * as queries from './queries.ts'

const SOURCES = {
  series: {
    TICKERS: 'the SEC’s list of tickers is not known',
    IA_FIRM_SEC: 'advisers registered with the SEC are missing',
    IA_INDVL: 'representatives are missing',
  },
  families: {
    thirteenf: 'managers (13F) are missing',
    nport: 'reports of funds (N-PORT) are missing',
    ownership: 'insiders (Forms 3, 4 and 5) are missing',
    x17a5: 'broker-dealers are missing',
    cfportal: 'funding portals are missing',
  },
  edgar: true,
}

export const search = get('/search', {
  name: 'search',
  summary: 'Search companies, advisers, funds and people at once',
  description: `Finds companies, advisers, funds, securities, people and filings by a name, a ticker or an id. Each row states the kind of the thing, the part that matched, and its path in this API.
Ids come first: CIK, CRD, CUSIP, ISIN, FIGI, LEI, series, class, accession, and SEC file number of an adviser, broker-dealer, manager, fund, offering or private fund (805-…), with or without zeros, hyphens and labels (\`CIK 320193\`). Next come current tickers in any spelling (BRK.B, BRK-B, BRKB, BRK/B, $AAPL, NASDAQ:AAPL), and former tickers of a company; a search for one class of shares never returns another class. A number that no loaded data has is named in \`unknown\`, with the command that may load it. Then come current and former names, by the quality of the match and the size of the thing: words may be in any order, case and accents do not matter, and the last word may be unfinished. Misspelled words are corrected if nothing matches as typed. A form (\`8-K\`, \`form 4\`), alone or next to the name of a filer (\`apple 10-K\`), leads to its filings. At most ${queries.RESULTS_MAX} rows are found.`,
  tag: 'companies',
  bucket: 'search',
  reads: [SPINE, BULK, 'companies', 'identifiers', 'securities', 'adv'],
  input: {
    q: query('Name, ticker or id of anything; may be incomplete'),
    kind: known(KINDS as unknown as [string, ...string[]], 'kind', 'Only things of this kind', kindsMeant).optional(),
    limit: limit({ max: queries.RESULTS_MAX, default: 20 }),
    ...byCursor,
    ...counted,
  },
  examples: [{ q: 'masterworks' }, { q: 'brk-b' }, { q: 'vanguard', kind: 'fund' }, { q: '320193' }, { q: '8-K' }],
  output: answers.page,
  rows: 'rows',
  run: async ({ kind, ...params }, { sql }) =>
    withMissing(
      sql,
      SOURCES,
      await queries.search(sql, { ...params, kind: kind as (typeof KINDS)[number] | undefined }),
    ),
})
