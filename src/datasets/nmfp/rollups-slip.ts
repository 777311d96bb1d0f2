/** Selects the reports whose month is a slip. No fund uses them. */

/**
 * Condition of a report whose month was more than 31 days in the future when it was filed: a slip of the filer. No fund
 * uses such a report, since it would hide all later reports.
 */
export const SLIP = 'period > filed_date + 31'
