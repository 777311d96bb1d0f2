/** Words that columns of the tables have. */

/** Where an item of a filing is known from. */
export const SOURCES = ['header', 'text', 'both'] as const

/** What happens to an officer or director. `departed`: the text says that somebody goes, and not how. */
export const OFFICER_EVENTS = ['appointed', 'resigned', 'retired', 'departed', 'removed', 'compensation'] as const

/** Spans of time that results are of. */
export const PERIODS = ['quarter', 'half_year', 'nine_months', 'year'] as const

/** Why an exchange gives notice. `compliance_regained`: that what it told before is over. */
export const REASONS = [
  ...(['price', 'market_value', 'equity', 'late_report', 'audit_committee'] as const),
  ...(['independent_directors', 'annual_meeting', 'voluntary', 'merger', 'bankruptcy', 'compliance_regained'] as const),
]

/** The facts that an item can state, beside those on officers. */
export const FACTS = [
  ...(['period', 'period_end', 'revenue', 'net_income', 'eps_diluted'] as const),
  ...(['exchange', 'rule', 'reason', 'deadline', 'notice_date'] as const),
  ...(['former_auditor', 'dismissal_date', 'new_auditor', 'engagement_date'] as const),
  ...(['non_reliance_date', 'non_reliance_period'] as const),
  ...(['court', 'case_number', 'chapter', 'petition_date'] as const),
  ...(['incident_discovered', 'incident_determined'] as const),
]
