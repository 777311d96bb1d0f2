/** The kinds of reports that name holders of a security, and the time for which a report is used. */
import type { Follow } from '../../declare/refresh.ts'
import type { Fragment, Transaction } from '../../store/db.ts'

export const SOURCES = ['f13', 'nport', 'nmfp'] as const
export type Source = (typeof SOURCES)[number]

/** The change of a holder's position in a security since the quarter before. */
export const CHANGES = ['new', 'added', 'reduced', 'unchanged', 'closed'] as const

/** The slice that reads the reports of each source. */
export const SLICES = { f13: 'thirteenf', nport: 'nport', nmfp: 'nmfp' } as const satisfies Record<Source, string>

/**
 * Length of a window that ends with the newest quarter of a source. A holder's newest report is used if it is in this
 * window. A holder whose newest report is older has stopped reporting, was merged or was closed, and its present
 * holdings are unknown. The contract says 15 months for managers; the same applies to funds, whose reports come more
 * often.
 */
export const WINDOW_MONTHS = 15

/**
 * Categories of derivatives in Form N-PORT. Like options in Form 13F, these lines are bets on a security and not
 * holdings of it. Some filers give them the CUSIP of the underlying security.
 */
export const DERIVATIVES: readonly string[] = ['DCO', 'DCR', 'DE', 'DFE', 'DIR', 'DO']

/**
 * Condition that a line `h` of Form N-PORT is a holding. A short position is a debt: its owner is not a holder, and the
 * position is not subtracted from any holdings.
 */
export const IS_HELD = `(h.payoff = 'Short' or h.balance < 0) is not true`

/** A report of a manager or fund: its id, and the last day of the quarter that it covers. */
export interface Report {
  id: string
  quarter: string
}

/** Changed reports of a source whose sums can be changed by a difference. */
export interface ChangedReports {
  /** Reports whose filings may have changed. */
  reports: readonly Report[]
  /** Those of the reports whose stored lines were replaced or removed. */
  replaced: readonly Report[]
  /** Reports that became, or no longer are, the newest of their holder. */
  moved: readonly Report[]
}

/** Reports whose former lines are unknown, so that their securities are computed from all lines. */
export interface Unknown {
  /** Reports whose securities need new sums of the quarter. */
  sums: Report[]
  /** Reports whose securities need new purchases and sales. */
  flows: Report[]
  /** Quarters with a report whose former lines cannot be found, so that all their securities are computed again. */
  quarters: string[]
}

/** The interface of a source of holdings: queries on its reports. */
export interface Held {
  follow: Follow
  /** Relation (holder, quarter): the newest quarter of each of these holders; null means all holders. */
  newest: (tx: Transaction, ids: readonly string[] | null) => Fragment
  /** Relation (sec_id, quarter): the securities named in the lines of these reports. */
  securitiesOf: (tx: Transaction, reports: readonly Report[]) => Fragment
  /**
   * Changes the rows of `held` by the difference that these reports make. Without this function, the securities of all
   * changed reports are computed from all lines.
   */
  change?: (tx: Transaction, changed: ChangedReports) => Promise<Unknown>
  /** Records for a later `change` that it is unknown which lines of these reports the sums include. */
  forget?: (tx: Transaction, reports: readonly Report[]) => Promise<unknown>
  /** Inserts the rows of `held` for the securities and quarters in `touched_security`, or for all. */
  sums: (tx: Transaction, of: 'touched' | null) => Promise<unknown>
  /**
   * Relation (holder_id, sec_id, value, shares, principal, option_value, percent, period, accession): what the holders
   * in the temporary table `asked_holder` held at the end of a quarter, a row for each holder and security.
   */
  linesOf: (tx: Transaction, quarter: string) => Fragment
  /** Relation (holder_id): those of the holders in `asked_holder` whose holdings in a quarter are completely known. */
  reportersOf: (tx: Transaction, quarter: string) => Fragment
}
