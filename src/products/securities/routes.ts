import { byCursor } from '../../declare/paging.ts'
import { choice, get, limit, offset, query, security, whole } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import * as answers from './answers.ts'
import { detail as detailOf } from './queries-detail.ts'
import * as list from './queries-search.ts'

const READ = {
  families: {
    thirteenf: 'reports of institutional managers (13F)',
    nport: 'reports of funds (N-PORT)',
    nmfp: 'reports of money market funds (N-MFP)',
  },
}

const NEWEST =
  'The newest report of each manager and fund counts, unless it is more than 15 months older than the newest quarter of its source. Amendments are composed, options and principal stay apart.'

export const search = get('/adv/securities', {
  name: 'securities',
  summary: 'Securities, public and private, with how many managers and funds hold them, the most valuable first',
  description: NEWEST,
  tag: 'holdings',
  bucket: 'search',
  reads: ['thirteenf', 'nport', 'nmfp'],
  input: {
    q: query(
      `Name of the issuer, CUSIP or its first six to eight characters, ISIN, LEI or ticker. ${NAME_MEANING}`,
    ).optional(),
    type: choice(['public', 'private'], 'Listed securities, or private ones as funds hold them').optional(),
    sort: choice(list.SORTS, 'value of all that is held, managers, funds, or name').default('value'),
    dir: choice(['desc', 'asc'], 'Direction').default('desc'),
    limit: limit({ max: 100, default: 50 }),
    offset: offset(),
    ...byCursor,
  },
  examples: [{ q: 'apple' }, { sort: 'f13_holders', dir: 'desc' }],
  output: answers.securityPage,
  rows: 'rows',
  run: async (input, { sql }) => withMissing(sql, READ, await list.search(sql, input)),
})

export const detail = get('/adv/securities/{cusip}', {
  name: 'security',
  summary: 'One security with its largest holders by source',
  description: NEWEST,
  tag: 'holdings',
  reads: ['thirteenf', 'nport', 'nmfp', 'links'],
  cost: 'list',
  input: {
    cusip: security,
    limit: whole({ min: 1, max: 200, describe: 'Holders of each source, at most 200' }).default(50),
  },
  examples: [{ cusip: '037833100' }],
  output: answers.securityDetail,
  run: async (input, { sql }) => {
    const found = await detailOf(sql, input.cusip, input.limit)
    return found ? withMissing(sql, READ, found) : nothing(sql, READ)
  },
})
