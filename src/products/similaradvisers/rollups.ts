/** For each adviser a list of the others that are most like it. */
import { integer, money, rollup, text, texts } from '../../declare/table.ts'

/** The firms most like each firm, best first. */
export const firm = rollup(
  'similaradvisers.firm',
  ['crd', 'rank'],
  {
    crd: text('CRD number of the firm'),
    rank: integer('1 for the most similar'),
    other_crd: text('CRD number of the similar firm'),
    sim_size: money('Likeness of regulatory assets, 0 to 1'),
    sim_serves: money('Likeness of the mix of clients, 0 to 1'),
    sim_fund: money('Likeness of the mix of private funds, 0 to 1'),
    sim_comp: money('Likeness of compensation, 0 to 1'),
    same_state: integer('1 for an office in the same state, else 0'),
    score: money('All of these together, 0 to 1'),
    shared_fund_types: texts('Types of private funds that both advise, sorted'),
  },
  { indexes: ['(other_crd)'] },
)
