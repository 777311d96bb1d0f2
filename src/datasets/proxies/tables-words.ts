/** Values that columns of the tables may have. */

/** Kinds of proxy and information statements, by their forms. */
export const CATEGORIES = ['definitive', 'preliminary', 'additional', 'revised', 'merger', 'special', 'contested', 'dissident', 'information', 'other'] as const // biome-ignore format: a table

/** Facts that a statement gives about its meeting. */
export const FACTS = ['meeting_date', 'meeting_kind', 'record_date', 'proposal', 'recommendation'] as const

export const MEETING_KINDS = ['annual', 'special'] as const

/** The board's vote recommendations. The last three values are for the vote on how often holders vote on pay. */
export const RECOMMENDATIONS = [
  ...(['for', 'against', 'abstain', 'withhold', 'none'] as const),
  ...(['1 year', '2 years', '3 years'] as const),
]
