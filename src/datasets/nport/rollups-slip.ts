/** Selects the reports whose period is a slip. No fund uses them. */

/**
 * Condition of a report whose period was in the future when it was filed: a slip of the filer. No fund uses such a
 * report, since it would hide all later reports.
 */
export const SLIP = 'period > filed_date'
