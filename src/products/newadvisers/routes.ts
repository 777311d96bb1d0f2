import { BULK } from '../../declare/catalog.ts'
import { byCursor, counted } from '../../declare/paging.ts'
import { choice, get, limit, offset, query, states, whole } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { withMissing } from '../../serve/loaded.ts'
import { page } from './answers.ts'
import * as queries from './queries.ts'

const SERIES = {
  IA_FIRM_SEC: 'advisers registered with the SEC, or exempt and reporting to it, are missing',
  IA_FIRM_STATE: 'advisers registered with states are missing',
  ADV_FILING_DATA: 'first filings are known by the feeds alone',
}

export const search = get('/new-advisers', {
  name: 'new_advisers',
  summary: 'List new investment advisers',
  description:
    'Advisers by their first filing, the newest first. Advisers whose first filing is not known come last. Those that have left since are in the list: see is_terminated of the adviser. Filings before the loaded data are known only by the dates of registrations and notices.',
  tag: 'advisers',
  reads: ['adv', BULK],
  bucket: 'search',
  input: {
    q: query(`A name of the adviser, of now or before. ${NAME_MEANING}`).optional(),
    state: states.optional(),
    city: query('City, whole, compared without case and accents').optional(),
    feed: choice(queries.FEEDS, 'Feed that shows the firm: of the SEC, or of the states').optional(),
    type: choice(queries.TYPES, 'IA: registered advisers. ERA: exempt reporting advisers').optional(),
    min_raum: whole({
      describe: 'Least regulatory assets under management of the newest filing, US dollars',
    }).optional(),
    limit: limit({ max: 100, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...counted,
  },
  examples: [
    { feed: 'IA_FIRM_SEC', type: 'IA', state: 'NY', city: 'New York' },
    { q: 'blackstone', min_raum: '1000000' },
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
