/** Words that columns of the tables have. */

/** What the cover of a schedule says. */
export const COVER_FACTS = [
  ...(['issuer_name', 'title_of_class', 'cusip', 'event_date', 'amendment_number', 'rule'] as const),
]

/** What the cover page of a person says, by the column that it fills. */
export const PERSON_FACTS = [
  ...(['name', 'member_of_group', 'source_of_funds', 'legal_proceedings', 'citizenship', 'sole_voting'] as const),
  ...(['shared_voting', 'sole_dispositive', 'shared_dispositive', 'shares', 'excludes_shares', 'percent'] as const),
  'type' as const,
]

export const FACTS = [...COVER_FACTS, ...PERSON_FACTS]
