/** SQL of the price that values purchases and sales of managers. */
import type { Fragment, Transaction } from '../../../store/db.ts'
import { before } from './difference.ts'

/**
 * Joins a row `f` of purchases and sales with `price`. This is the price that the values of all managers together imply
 * at the end of the quarter, or else at the end of the quarter before. It is 0 if neither is known.
 *
 * @param quarter the quarter of the row
 */
export const impliedPrice = (tx: Transaction, quarter: Fragment): Fragment => tx`
  ${priceOf(tx, quarter)} now on true
  ${priceOf(tx, before(tx, quarter))} former on true
  cross join lateral (select coalesce(now.price, former.price, 0) as price) p`

const priceOf = (tx: Transaction, quarter: Fragment) => tx`
  left join lateral (
    select t.share_value / nullif(h.shares, 0) as price
    from tally t join held h on h.source = 'f13' and h.sec_id = t.sec_id and h.quarter = t.quarter
    where t.sec_id = f.sec_id and t.quarter = ${quarter}
  )`
