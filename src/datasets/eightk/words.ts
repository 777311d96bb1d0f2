/** Words that columns of the tables have. */

/** Where an item of a filing is known from. */
export const SOURCES = ['header', 'text', 'both'] as const

/** What happens to an officer or director. `departed`: the text says that somebody goes, and not how. */
export const OFFICER_EVENTS = ['appointed', 'resigned', 'retired', 'departed', 'removed', 'compensation'] as const
