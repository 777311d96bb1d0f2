import { advAdviser } from '../../datasets/adv/views.ts'
import { BULK } from '../../declare/catalog.ts'
import { crd, get, limit } from '../../declare/route.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import { similarAnswer } from './answers.ts'
import { similarTo } from './queries.ts'

export const similar = get('/adv/advisers/by-crd/{crd}/similar', {
  name: 'adv_similar',
  summary: 'Find advisers similar to one',
  description:
    'Advisers that are most similar to one adviser, best match first. All scores are 0 to 1, rounded to four decimals. sim_size is the smaller of the two firms’ regulatory assets under management (5.F) divided by the larger, and 1 if both are 0. Advisers that report no regulatory assets are compared among themselves, by the gross assets of their private funds. sim_serves is the cosine similarity of the shares of regulatory assets by type of client (5.D). If a firm states no assets, it compares the numbers of clients, or the boxes "fewer than 5". sim_fund is the cosine similarity of the gross assets of private funds by type (7.B.(1)), or of the numbers of these funds. It is 1 for two firms without private funds. sim_comp is the cosine similarity of the boxes that are checked in 5.E. A part is 0 if either firm states nothing about it. The description of score has the weights of the parts; equal scores are ordered by CRD number. Firms whose registration ended are not suggested, and firms that share only the state are not suggested either.',
  tag: 'advisers',
  reads: ['adv', BULK],
  input: { crd, limit: limit({ max: 25, default: 10 }) },
  examples: [{ crd: '105958' }],
  output: similarAnswer,
  rows: 'items',
  run: async ({ crd, limit }, { sql }) => {
    const found = await similarTo(sql, crd, limit)
    return found ? withMissing(sql, advAdviser.sources, found) : nothing(sql, advAdviser.sources)
  },
})
