/** Rollup of the most similar advisers for each adviser. */
import { crd, integer, ratio, rollup, texts } from '../../declare/table.ts'

export const firm = rollup(
  'similaradvisers.firm',
  'One row per firm and similar firm, best first',
  ['crd', 'rank'],
  {
    crd: crd('CRD number of the firm'),
    rank: integer('1 for the most similar'),
    other_crd: crd('CRD number of the similar firm'),
    sim_size: ratio('Likeness of regulatory assets, 0 to 1'),
    sim_serves: ratio('Likeness of the mix of clients, 0 to 1'),
    sim_fund: ratio('Likeness of the mix of private funds, 0 to 1'),
    sim_comp: ratio('Likeness of compensation, 0 to 1'),
    same_state: integer('1 for an office in the same state, else 0'),
    score: ratio('All of these together, 0 to 1'),
    shared_fund_types: texts('Types of private funds that both advise, sorted'),
  },
  { indexes: ['(other_crd)'] },
)
