import { BULK } from '../../declare/catalog.ts'
import { byCursor, countedBy, filedOn } from '../../declare/paging.ts'
import { choice, get, limit, offset, query, states, whole } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { withMissing } from '../../serve/loaded.ts'
import { page } from './answers.ts'
import * as queries from './queries.ts'

const SERIES = {
  IA_FIRM_SEC: 'advisers that are registered with the SEC, or that are exempt and report to it, are missing',
  IA_FIRM_STATE: 'advisers registered with states are missing',
  ADV_FILING_DATA: 'first filings are known by the feeds alone',
}

export const search = get('/new-advisers', {
  name: 'new_advisers',
  summary: 'List new investment advisers',
  description:
    'Advisers by the date of their first filing, newest first. Advisers whose first filing is not known come last. Advisers whose registration has ended since their first filing are listed too: see is_terminated of the adviser. Filings older than the loaded data are known only by the dates of registrations and notice filings.',
  tag: 'advisers',
  reads: ['adv', BULK],
  bucket: 'search',
  input: {
    q: query(`A current or former name of the adviser. ${NAME_MEANING}`).optional(),
    state: states.optional(),
    city: query('Full name of the city; case and accents do not matter').optional(),
    feed: choice(queries.FEEDS, 'Feed that shows the firm: the feed of the SEC, or of the states').optional(),
    type: choice(queries.TYPES, 'IA: registered advisers. ERA: exempt reporting advisers').optional(),
    min_raum: whole({
      describe: 'Minimum regulatory assets under management in the newest filing, US dollars',
    }).optional(),
    from: filedOn.from.describe(
      'Only advisers whose first filing was filed on this day or later; with this parameter, advisers without a known first filing are left out',
    ),
    to: filedOn.to.describe(
      'Only advisers whose first filing was filed on this day or earlier; with this parameter, advisers without a known first filing are left out',
    ),
    limit: limit({ max: 100, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...countedBy(queries.COUNTS),
  },
  examples: [
    { feed: 'IA_FIRM_SEC', type: 'IA', state: 'NY', city: 'New York' },
    { q: 'blackstone', min_raum: '1000000' },
    { from: '2020-01-01', to: '2026-12-31' },
  ],
  output: page,
  rows: 'rows',
  run: async (input, { sql }) => {
    const { IA_FIRM_SEC, IA_FIRM_STATE, ...files } = SERIES
    const feeds = { IA_FIRM_SEC, IA_FIRM_STATE }
    const series = input.feed ? { [input.feed]: feeds[input.feed] } : feeds
    return withMissing(sql, { series: { ...series, ...files } }, await queries.search(sql, input))
  },
})
