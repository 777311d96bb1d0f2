/** Fixed values of columns of the tables. */

/** Sources that list an item of a filing. */
export const SOURCES = ['header', 'text', 'both'] as const

/** Events of officers and directors. `departed`: the text reports a departure but not its kind. */
export const OFFICER_EVENTS = ['appointed', 'resigned', 'retired', 'departed', 'removed', 'compensation'] as const

/** Kinds of events that facts or votes name, in addition to those of officers, results and delistings. */
export const EVENT_KINDS = [
  ...(['agreement', 'termination', 'deal', 'exit', 'sale', 'amendment'] as const),
  ...(['repurchase', 'dividend', 'vote'] as const),
]

/** Spans of time that results cover. */
export const PERIODS = ['quarter', 'half_year', 'nine_months', 'year'] as const

/** Reasons for an exchange's notice. `compliance_regained`: a former deficiency has ended. */
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
  ...(['dividend', 'dividend_record_date', 'dividend_payment_date'] as const),
  ...(['agreement', 'agreement_kind', 'agreement_party', 'agreement_date', 'agreement_amount'] as const),
  ...(['termination_date', 'termination_fee'] as const),
  ...(['acquired', 'disposed', 'deal_party', 'completion_date', 'consideration', 'consideration_shares'] as const),
  ...(['exit_date', 'exit_cost', 'exit_cost_low', 'exit_cost_high'] as const),
  ...(['security', 'securities_sold', 'sale_amount', 'sale_date'] as const),
  ...(['amended', 'amendment_date', 'amendment_effective_date', 'fiscal_year_end'] as const),
  ...(['repurchase_kind', 'repurchase_amount', 'repurchase_shares'] as const),
  ...(['repurchase_total', 'repurchase_total_shares', 'repurchase_expiry'] as const),
]

/** What the parser may leave out of a report: a fact, an event of an officer or director, votes of holders. */
export const LEFT_OUT = ['officer', 'vote', ...FACTS] as const
