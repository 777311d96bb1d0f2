import { z } from 'zod'
import { lat, lng, READ } from '../../datasets/adv/answers.ts'
import { adviser } from '../../datasets/adv/rollups.ts'
import { crd, get, limit } from '../../declare/route.ts'
import { nothing, notLoaded, withMissing } from '../../serve/loaded.ts'
import { similarTo } from './queries.ts'

const own = adviser.columns
const part = (meaning: string) => z.number().min(0).max(1).describe(meaning)

const similarAnswer = z.object({
  items: z.array(
    z.object({
      id: own.crd,
      crd: own.crd,
      firm_name: own.firm_name,
      city: own.city,
      state: own.state,
      lat,
      lng,
      total_raum: own.latest_raum,
      latest_filing_date: own.latest_filing_date,
      has_disciplinary: own.has_disciplinary,
      dominant_fund_type: own.dominant_fund_type,
      shared_fund_types: z.array(z.string()).describe('Types of private funds that both advise, sorted'),
      sim_size: part('The smaller regulatory assets divided by the larger; without any, gross assets of private funds'),
      sim_serves: part('Cosine of the client mixes, Item 5.D'),
      sim_fund: part('Cosine of the private funds by type; 1 where neither has any'),
      sim_comp: part('Cosine of the compensation boxes, Item 5.E'),
      same_state: part('1 for an office in the same state, else 0'),
      score: part('.35 sim_size + .30 sim_serves + .20 sim_fund + .10 sim_comp + .05 same_state'),
    }),
  ),
  ...notLoaded,
})

export type SimilarAnswer = z.infer<typeof similarAnswer>

export const similar = get('/adv/advisers/by-crd/{crd}/similar', {
  name: 'adv_similar',
  summary: 'The advisers most like one, best first',
  description:
    'All scores are 0 to 1, rounded to four decimals. sim_size is the ratio of regulatory assets (5.F), both 0 being 1; advisers that report none are compared among themselves, by the gross assets of their private funds. sim_serves is the cosine of the shares of regulatory assets by type of client (5.D), or of numbers of clients where a firm gives no assets, or of the boxes "fewer than 5". sim_fund is the cosine of gross assets of private funds by type (7.B.(1)), or of their numbers; two firms without private funds are alike. sim_comp is the cosine of the boxes of 5.E. A part is 0 where either firm gives nothing. score weighs the parts as shown; equal scores are ordered by CRD number. Firms whose registration ended are not suggested, nor are firms that agree in nothing but the state.',
  tag: 'adv',
  input: { crd, limit: limit({ max: 25, default: 10 }) },
  output: similarAnswer,
  run: async ({ crd, limit }, { sql }) => {
    const found = await similarTo(sql, crd, limit)
    return found ? withMissing(sql, READ, found) : nothing(sql, READ)
  },
})
