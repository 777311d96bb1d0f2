/** Words that appear in columns of the tables. */

/** Kinds of forms of a solicitation. */
export const CATEGORIES = ['definitive', 'preliminary', 'additional', 'revised', 'merger', 'special', 'contested', 'dissident', 'information', 'other'] as const // biome-ignore format: a table

/** Facts that a statement gives about its meeting. */
export const FACTS = ['meeting_date', 'meeting_kind', 'record_date', 'proposal', 'recommendation'] as const

export const MEETING_KINDS = ['annual', 'special'] as const

/** The board's vote recommendations. Frequencies belong to the advisory vote on pay. */
export const RECOMMENDATIONS = [
  ...(['for', 'against', 'abstain', 'withhold', 'none'] as const),
  ...(['1 year', '2 years', '3 years'] as const),
]
