/** Rollup of the most similar advisers for each adviser. */
import { crd, integer, ratio, rollup, texts } from '../../declare/table.ts'

export const firm = rollup(
  'similaradvisers.firm',
  'One row per adviser and similar adviser, by rank',
  ['crd', 'rank'],
  {
    crd: crd('CRD number of the firm'),
    rank: integer('Rank of the similar firm: 1 for the most similar'),
    other_crd: crd('CRD number of the similar firm'),
    sim_size: ratio(
      'Similarity of regulatory assets (Item 5.F), 0 to 1: the smaller figure divided by the larger; 0 if unknown',
    ),
    sim_serves: ratio('Similarity of the mix of clients (Item 5.D), 0 to 1; 0 if unknown'),
    sim_fund: ratio('Similarity of the private funds by type (Section 7.B.(1)), 0 to 1; 0 if unknown'),
    sim_comp: ratio('Similarity of the types of compensation (Item 5.E), 0 to 1; 0 if unknown'),
    same_state: integer('Whether the principal offices are in the same state: 1 if so, else 0'),
    score: ratio('Total similarity, 0 to 1: weighted sum .35 size + .30 serves + .20 fund + .10 comp + .05 state'),
    shared_fund_types: texts('Types of private funds that both firms advise, sorted'),
  },
  { indexes: ['(other_crd)'] },
)
