/** Selects the reports whose period is a slip of the filer. */

/**
 * Condition of a report whose period was in the future when it was filed: a slip of the filer. Such a report is never
 * chosen as a fund's newest report, since it would hide all later reports.
 */
export const SLIP = 'period > filed_date'
