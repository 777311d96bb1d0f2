/** The kinds of reports that say who holds a security, and for how long a report counts. */

export const SOURCES = ['f13', 'nport', 'nmfp'] as const
export type Source = (typeof SOURCES)[number]

/** The slices that read them. */
export const SLICES = { f13: 'thirteenf', nport: 'nport', nmfp: 'nmfp' } as const satisfies Record<Source, string>

/**
 * The newest report of a manager or fund counts for so long before the newest quarter of its source. Whoever is older has
 * stopped to report, was merged or was closed, and holds nothing any more that anybody knows of. The contract says 15 months
 * for managers; the same goes for funds, whose reports come more often.
 */
export const WINDOW_MONTHS = 15

/**
 * Derivatives, by the categories of Form N-PORT: bets on a security and no holdings of it, as options are in Form 13F. Some
 * filers give them the CUSIP of what they are about.
 */
export const DERIVATIVES: readonly string[] = ['DCO', 'DCR', 'DE', 'DFE', 'DIR', 'DO']

/**
 * Condition of a line `h` of Form N-PORT that is held. What was sold short is owed: whoever owes a security is no holder of it,
 * and what it owes is not taken off what it, or others, hold.
 */
export const IS_HELD = `(h.payoff = 'Short' or h.balance < 0) is not true`
