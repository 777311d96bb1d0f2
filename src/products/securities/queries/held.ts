/** The interface of a source of holdings: queries on its reports for `held` and `holder`. */
import type { Follow } from '../../../declare/refresh.ts'
import type { Fragment, Transaction } from '../../../store/db.ts'
import type { Source } from '../sources.ts'
import { heldBy } from './held-funds.ts'
import * as thirteenf from './held-thirteenf.ts'

/** A report of a manager or fund: its id, and the last day of the quarter that it covers. */
export interface Report {
  id: string
  quarter: string
}

export interface Held {
  follow: Follow
  /** Relation (holder, quarter): the newest quarter of these holders; null means all. */
  newest: (tx: Transaction, ids: readonly string[] | null) => Fragment
  /** Relation (sec_id, quarter): securities that lines of these reports name. */
  securitiesOf: (tx: Transaction, reports: readonly Report[]) => Fragment
  /** Inserts the rows of `held`: for the securities and quarters in `touched_security`, or for all. */
  sums: (tx: Transaction, of: 'touched' | null) => Promise<unknown>
}

export const HELD: Record<Source, Held> = { f13: thirteenf, nport: heldBy('nport'), nmfp: heldBy('nmfp') }
