/** Selects the reports whose month is a slip of the filer. Such reports are not used for any fund. */

/**
 * Condition of a report whose month was more than 31 days in the future when it was filed: a slip of the filer. Such a
 * report is not used for its fund, since it would hide all later reports.
 */
export const SLIP = 'period > filed_date + 31'
