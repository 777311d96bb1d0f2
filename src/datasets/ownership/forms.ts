/** The forms of insiders. */
export const FORMS = ['3', '3/A', '4', '4/A', '5', '5/A'] as const
