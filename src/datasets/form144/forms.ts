/** Both forms of the notice. */
export const FORMS = ['144', '144/A'] as const
