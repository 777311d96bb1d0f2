/** Selects the reports that are slips and count for no fund. */

/**
 * Condition of a report whose period was in the future when it was filed: a slip of the filer. Such a report counts for
 * no fund, since it would shadow all later reports.
 */
export const SLIP = 'period > filed_date'
