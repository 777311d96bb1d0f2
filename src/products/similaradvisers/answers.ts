/** Shapes of an answer about similar advisers. */
import { z } from 'zod'
import { advAdviser } from '../../datasets/adv/views.ts'
import { notLoaded } from '../../serve/loaded.ts'

const part = (meaning: string) => z.number().min(0).max(1).describe(meaning).meta({ 'x-unit': 'ratio' })
const { crd, firm_name, city, state, latest_raum, latest_filing_date, has_disciplinary, dominant_fund_type } =
  advAdviser.columns

export const similarAnswer = z
  .object({
    items: z.array(
      z
        .object({
          id: crd,
          crd,
          ...{ firm_name, city, state },
          lat: z
            .number()
            .nullable()
            .describe('Latitude of the postal code of the office; null outside the United States')
            .meta({ 'x-unit': 'degrees' }),
          lng: z
            .number()
            .nullable()
            .describe('Longitude of the postal code of the office; null outside the United States')
            .meta({ 'x-unit': 'degrees' }),
          total_raum: latest_raum,
          ...{ latest_filing_date, has_disciplinary, dominant_fund_type },
          shared_fund_types: z.array(z.string()).describe('Types of private funds that both firms advise, sorted'),
          sim_size: part(
            'The smaller of the two firms’ regulatory assets under management, divided by the larger. If neither firm reports any, the same ratio of the gross assets of private funds',
          ),
          sim_serves: part('Cosine similarity of the shares of assets by type of client, Item 5.D'),
          sim_fund: part('Cosine similarity of the private funds by type; 1 if neither firm has private funds'),
          sim_comp: part('Cosine similarity of the boxes for compensation, Item 5.E'),
          same_state: part('1 if the offices of both firms are in the same state, else 0'),
          score: part(
            'Weighted sum: 0.35 sim_size + 0.30 sim_serves + 0.20 sim_fund + 0.10 sim_comp + 0.05 same_state',
          ),
        })
        .meta({ id: 'SimilarAdviser' }),
    ),
    ...notLoaded,
  })
  .meta({ id: 'SimilarAdvisers' })

export type SimilarAnswer = z.infer<typeof similarAnswer>
