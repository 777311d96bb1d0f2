/** Words that appear in columns of the tables. */

/** Sources from which an item of a filing is known. */
export const SOURCES = ['header', 'text', 'both'] as const

/** Events of officers and directors. `departed`: the text reports a departure but not its kind. */
export const OFFICER_EVENTS = ['appointed', 'resigned', 'retired', 'departed', 'removed', 'compensation'] as const

/** Spans of time that results cover. */
export const PERIODS = ['quarter', 'half_year', 'nine_months', 'year'] as const

/** Reasons for an exchange's notice. `compliance_regained`: an earlier deficiency is over. */
export const REASONS = [
  ...(['price', 'market_value', 'equity', 'late_report', 'audit_committee'] as const),
  ...(['independent_directors', 'annual_meeting', 'voluntary', 'merger', 'bankruptcy', 'compliance_regained'] as const),
]

/** Facts that an item can state, in addition to those on officers. */
export const FACTS = [
  ...(['period', 'period_end', 'revenue', 'net_income', 'eps_diluted'] as const),
  ...(['exchange', 'rule', 'reason', 'deadline', 'notice_date'] as const),
  ...(['former_auditor', 'dismissal_date', 'new_auditor', 'engagement_date'] as const),
  ...(['non_reliance_date', 'non_reliance_period'] as const),
  ...(['court', 'case_number', 'chapter', 'petition_date'] as const),
  ...(['incident_discovered', 'incident_determined'] as const),
]
