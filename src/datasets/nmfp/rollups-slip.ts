/** Selects the reports that are slips and count for no fund. */

/**
 * Condition of a report whose month was more than 31 days in the future when it was filed: a slip of the filer.
 * Such a report counts for no fund, since it would shadow all later reports.
 */
export const SLIP = 'period > filed_date + 31'
