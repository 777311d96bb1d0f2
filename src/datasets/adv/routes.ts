import { z } from 'zod'
import { byCursor, countedBy } from '../../declare/paging.ts'
import { choice, flag, get, known, limit, offset, query, states, whole } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { noRows, withMissing } from '../../serve/loaded.ts'
import { found, page } from './answers.ts'
import * as lists from './queries/list.ts'
import * as searches from './queries/search.ts'
import { advAdviser } from './views.ts'

export { profile } from './routes-profile.ts'

export const search = get('/adv/advisers/search', {
  name: 'adv_search',
  summary: 'Find an adviser by name or number',
  description:
    'Type-ahead search for advisers by name or number, best match first. A number finds the firm with that CRD number, SEC file number (801- or 802-, with or without prefix and dash) or CIK. Names match in any spelling: case, accents and marks do not matter. The name may be typed with "&" or "and", with dots in initials, with short forms (mgmt, intl), and with or without its legal form. Two words may be written as one, or one as two, and one or two letters may be wrong. The city or state of the office may be added, and initials find a firm (gsam). Results are ranked by one score: match quality plus a bonus for assets. Current names match better than former and other names. A name that begins with the typed words comes before a name that only contains them, unless the firm with the second name has more than 10,000 times the assets. The current name is shown. The array is empty if `q` has fewer than two characters, or no letter or digit.',
  tag: 'advisers',
  bucket: 'search',
  input: {
    q: z.string().trim().max(200).describe('Name or number, at least 2 characters'),
    limit: limit({ max: 25, default: 10 }),
  },
  examples: [{ q: 'vanguard' }],
  output: z.array(found),
  run: async ({ q, limit }, { sql }) => {
    const firms = await searches.search(sql, q, limit)
    return firms.length > 0 || q.length < 2 ? firms : noRows(sql, advAdviser.sources)
  },
})

const fundType = known(
  [
    'Hedge Fund',
    'Liquidity Fund',
    'Private Equity Fund',
    'Real Estate Fund',
    'Securitized Asset Fund',
    'Venture Capital Fund',
    'Other Private Fund',
    'Other',
  ],
  'fund type',
  'Only advisers with a private fund of this type (Section 7.B.(1)); case does not matter',
)

export const list = get('/adv/advisers/list', {
  name: 'adv_list',
  summary: 'List investment advisers',
  description:
    'Advisers (Form ADV), ordered by regulatory assets, by the date of the newest filing, or by name. Advisers that lack the value by which the list is ordered come last, in both directions. Firms whose registration ended are listed unless exclude_terminated is true.',
  tag: 'advisers',
  bucket: 'search',
  input: {
    q: query(`A current or former name of the firm. ${NAME_MEANING}`).optional(),
    state: states.optional(),
    adviser_type: choice(['IA', 'ERA'], 'IA: registered advisers. ERA: exempt reporting advisers').optional(),
    fund_type: fundType.optional(),
    exclude_terminated: flag('Leaves out firms whose registration ended').default(false),
    has_disciplinary: flag(
      'Disciplinary history (Item 11): true if any of its questions is answered yes, false if none is. Advisers without answers match neither value',
    ).optional(),
    min_raum: whole({
      describe: 'Minimum regulatory assets under management in the newest filing, US dollars',
    }).optional(),
    sort: choice(
      lists.SORTS,
      'raum: regulatory assets. date: date of the newest filing. name: name of the firm',
    ).default('raum'),
    order: choice(['desc', 'asc'], 'Ascending (asc) or descending (desc) order').default('desc'),
    limit: limit({ max: 100, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...countedBy(
      lists.COUNTS,
      'An adviser with funds of several types counts under each type; an adviser without private funds counts under null. Counting is slower with q or min_raum, and if the request both counts by fund_type and filters by fund_type',
    ),
  },
  examples: [
    { state: 'NY', adviser_type: 'IA', sort: 'raum', order: 'desc' },
    { min_raum: '1000000000' },
    { q: 'goldman sachs' },
    { fund_type: 'Hedge Fund' },
    { exclude_terminated: 'true', has_disciplinary: 'true' },
  ],
  output: page,
  unrequested: 'none',
  rows: 'rows',
  run: async (
    { state, adviser_type, fund_type, exclude_terminated, has_disciplinary, min_raum, ...params },
    { sql },
  ) => {
    const found = await lists.list(sql, {
      ...params,
      state,
      adviserType: adviser_type,
      fundType: fund_type,
      excludeTerminated: exclude_terminated,
      hasDisciplinary: has_disciplinary,
      minRaum: min_raum,
    })
    return withMissing(sql, advAdviser.sources, found)
  },
})
