/** Values that columns of the tables may have. */

/** Facts on the cover of a schedule. */
export const COVER_FACTS = [
  ...(['issuer_name', 'title_of_class', 'cusip', 'event_date', 'amendment_number', 'rule'] as const),
]

/** Facts on the cover page of a person, by their column. */
export const PERSON_FACTS = [
  ...(['name', 'member_of_group', 'source_of_funds', 'legal_proceedings', 'citizenship', 'sole_voting'] as const),
  ...(['shared_voting', 'sole_dispositive', 'shared_dispositive', 'shares', 'excludes_shares', 'percent'] as const),
  'type' as const,
]

export const FACTS = [...COVER_FACTS, ...PERSON_FACTS]
