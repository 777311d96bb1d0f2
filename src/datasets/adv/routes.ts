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
    'Finds advisers while a name or number is typed, best match first. A number finds the firm with that CRD number, SEC file number (801- or 802-, with or without prefix and dash) or CIK. Names are met in any spelling: without case, accents and marks, "&" or "and", initials with or without dots, short forms (mgmt, intl), two words as one or one as two, with one or two letters wrong, with or without legal form, with the city or state of the office, by initials (gsam). Results are ranked by one score: match quality (current names above former and other names), plus a bonus for assets: a firm 10,000 times larger outranks a name that only holds the word. The current name is shown. Less than two characters, or none that is a letter or digit, give an empty array.',
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
  'With a private fund of this type (7.B.(1)), in either case',
)

export const list = get('/adv/advisers/list', {
  name: 'adv_list',
  summary: 'List investment advisers',
  description:
    'Advisers (Form ADV) by regulatory assets, newest filing or name. Advisers without the value that the list is ordered by come last in both orders. Firms whose registration ended are in the list unless exclude_terminated.',
  tag: 'advisers',
  bucket: 'search',
  input: {
    q: query(`A name of the firm, of now or before. ${NAME_MEANING}`).optional(),
    state: states.optional(),
    adviser_type: choice(['IA', 'ERA'], 'IA: registered advisers. ERA: exempt reporting advisers').optional(),
    fund_type: fundType.optional(),
    exclude_terminated: flag('Leaves out firms whose registration ended').default(false),
    has_disciplinary: flag(
      'Item 11: any of its questions is answered yes, or none is; unanswered is neither',
    ).optional(),
    min_raum: whole({
      describe: 'Least regulatory assets under management of the newest filing, US dollars',
    }).optional(),
    sort: choice(lists.SORTS, 'raum: regulatory assets. date: newest filing').default('raum'),
    order: choice(['desc', 'asc'], 'Order').default('desc'),
    limit: limit({ max: 100, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...countedBy(
      lists.COUNTS,
      'An adviser with funds of several types counts under each, one without private funds under null. It is quick without q and min_raum, except by fund_type together with the filter fund_type',
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
