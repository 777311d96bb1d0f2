import { BULK, SPINE } from '../../declare/catalog.ts'
import { byCursor, counted } from '../../declare/paging.ts'
import { isQuarterEnd } from '../../declare/quarter.ts'
import { choice, day, get, limit, offset, query, security, whole } from '../../declare/route.ts'
import { NAME_OR_NEAR_MEANING } from '../../names.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import { namedIn, namersOf } from '../../serve/named-in.ts'
import * as answers from './answers.ts'
import { detail as detailOf } from './queries/detail.ts'
import * as held from './queries/holders.ts'
import * as moved from './queries/movers.ts'
import * as list from './queries/search.ts'
import { SOURCES } from './sources.ts'

const READ = {
  families: {
    thirteenf: 'reports of institutional managers (13F)',
    nport: 'reports of funds (N-PORT)',
    nmfp: 'reports of money market funds (N-MFP)',
  },
}

const NAMES = { SUBMISSIONS: 'names that companies had before are not known' }

const NEWEST =
  'The newest report of each manager and fund counts, unless it is more than 15 months older than the newest quarter of its source. Amendments are combined with the report that they amend; options and principal of debt are shown separately. Short sellers of a security are not holders of it.'

export const search = get('/adv/securities', {
  name: 'securities',
  summary: 'Find a security',
  description: `Securities, public and private, with the number of managers and funds that hold them, the most valuable first. ${NEWEST}`,
  tag: 'securities',
  bucket: 'search',
  reads: [SPINE, BULK, 'thirteenf', 'nport', 'nmfp', 'companies', 'identifiers'],
  input: {
    q: query(
      `CUSIP or its first six to eight characters, ISIN, LEI, ticker, CIK of the issuer (cik 320193), or a current or former name of the security or of its company. ${NAME_OR_NEAR_MEANING}`,
    ).optional(),
    type: choice(
      ['public', 'private'],
      'private: equity and debt of private companies that funds hold. public: all other securities',
    ).optional(),
    sort: choice(
      list.SORTS,
      'Order of the list. value: total value held. f13_holders: number of managers. fund_count: number of funds',
    ).default('value'),
    dir: choice(['desc', 'asc'], 'Ascending (asc) or descending (desc) order').default('desc'),
    limit: limit({ max: 100, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...counted,
  },
  examples: [{ q: 'alphabet' }, { q: 'spacex', type: 'private' }, { sort: 'f13_holders', dir: 'desc' }],
  output: answers.securityPage,
  unrequested: 'null',
  rows: 'rows',
  run: async (input, { sql }) => {
    const found = await list.search(sql, input)
    const isNotFound = input.q !== undefined && found.rows.length === 0
    return withMissing(sql, isNotFound ? { ...READ, series: NAMES } : READ, found)
  },
})

export const detail = get('/adv/securities/{cusip}', {
  name: 'security',
  summary: 'Show a security with its largest holders',
  description: `The largest holders of a security, by source (13F, N-PORT, N-MFP). ${NEWEST} If nobody holds a CUSIP but filings name it, the answer has the facts that these filings state about it.`,
  tag: 'securities',
  reads: (catalog) => [SPINE, 'thirteenf', 'nport', 'nmfp', 'links', 'identifiers', ...namersOf(catalog, 'cusip')],
  cost: 'list',
  leads: {
    found: { cusip: null },
    known: [
      { in: 'securities.security', by: 'sec_id' },
      { in: 'identifiers.best', by: 'cusip' },
    ],
  },
  input: {
    cusip: security,
    limit: whole({ min: 1, max: 200, describe: 'Number of holders of each source, at most 200' }).default(50),
  },
  examples: [{ cusip: '037833100' }],
  output: answers.securityDetail,
  run: async (input, context) => {
    const { sql } = context
    const namings = (cusip: string) => namedIn(sql, context.catalog, 'cusip', cusip)
    const found = await detailOf(sql, input.cusip, input.limit, namings)
    return found ? withMissing(sql, READ, found) : nothing(sql, READ)
  },
})

/**
 * An optional parameter with the last day of a quarter. The first quarter is in 1978, since Form 13F has been filed
 * since then.
 */
const quarterEnd = (describe: string) =>
  day(describe)
    .refine(isQuarterEnd, { error: 'must be the last day of a quarter since 1978, such as 2024-12-31' })
    .optional()

export const holders = get('/adv/securities/{cusip}/holders', {
  name: 'security_holders',
  summary: 'List holders, buyers and sellers of a security',
  description:
    'Holders of a security at the end of a quarter, with their purchases and sales since the quarter before. An answer covers one `source`. If a fund has several reports about a quarter, only the last report counts. Purchases and sales are in shares or principal. Only holders with complete reports of both quarters are compared, so a holder that has not reported yet does not count as a seller. Share splits look like purchases.',
  tag: 'securities',
  reads: [SPINE, 'thirteenf', 'nport', 'nmfp'],
  cost: 'heavy',
  leads: { found: { cusip: { in: 'securities.held', by: 'sec_id', where: "t.source = 'f13'" } } },
  input: {
    cusip: security,
    source: choice(SOURCES, 'f13: managers. nport: funds. nmfp: money market funds').default('f13'),
    period: quarterEnd(
      'Last day of a quarter. The default is the newest quarter in which anybody held the security; with as_of, it is the newest quarter that any holder had reported by that day',
    ),
    as_of: day('Answers with what was known on this day: ignores filings that were filed later').optional(),
    sort: choice(
      held.SORTS,
      'value: the largest holders first. bought: the largest buyers first. sold: the largest sellers first',
    ).default('value'),
    limit: limit({ max: 200, default: 50 }),
    offset: offset({ max: 10_000 }),
    ...byCursor,
    ...counted,
  },
  examples: [
    { cusip: '02079K305' },
    { cusip: '037833100', source: 'nport', period: '2026-06-30', as_of: '2026-08-31', sort: 'bought' },
  ],
  output: answers.holderPage,
  rows: 'rows',
  run: async ({ cusip, ...input }, { sql }) => {
    const found = await held.holders(sql, cusip, input)
    return found ? withMissing(sql, READ, found) : nothing(sql, READ)
  },
})

export const movers = get('/thirteenf/movers', {
  name: 'thirteenf_movers',
  summary: 'List securities bought and sold most (13F)',
  description:
    'Securities that managers bought and sold most in a quarter. The list counts only managers with complete reports of this quarter and the quarter before. It values the shares that they bought and sold at the price that the reports of all managers imply. A manager that has not reported yet does not count as a seller. Options and principal are left out. Share splits look like purchases.',
  tag: 'holdings',
  reads: [SPINE, 'thirteenf'],
  cost: 'list',
  input: {
    period: quarterEnd('Last day of a quarter; the default is the newest quarter that managers have reported'),
    sort: choice(
      moved.SORTS,
      'Order of the list, by amounts in US dollars. bought: the largest purchases first. sold: the largest sales first. net_bought: the largest surplus of purchases over sales first. net_sold: the largest surplus of sales over purchases first',
    ).default('bought'),
    limit: limit({ max: 100, default: 50 }),
    offset: offset({ max: 10_000 }),
    ...byCursor,
    ...counted,
  },
  examples: [{ period: '2025-12-31', sort: 'bought' }],
  output: answers.moverPage,
  rows: 'rows',
  run: async (input, { sql }) =>
    withMissing(sql, { families: { thirteenf: READ.families.thirteenf } }, await moved.movers(sql, input)),
})
