/** The forms on which insiders report their holdings and trades. */
export const FORMS = ['3', '3/A', '4', '4/A', '5', '5/A'] as const
